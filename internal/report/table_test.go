package report

import (
	"bytes"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"github.com/google/go-cmp/cmp"
	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/tw"
	"pgregory.net/rapid"
)

// The table has the lines that tablewriter makes of the same cells.
func TestTableAsTablewriter(t *testing.T) {
	twwidth.SetEastAsian(false)
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab_ .\"é日👍…\u0301")), 0, 12, -1)
	rapid.Check(t, func(t *rapid.T) {
		p := &page{width: rapid.IntRange(terminal.MinWidth, 120).Draw(t, "width"), color: rapid.Bool().Draw(t, "color")}
		columns := make([]column, rapid.IntRange(1, 6).Draw(t, "columns"))
		for c := range columns {
			columns[c] = column{
				name:  strings.TrimSpace("C" + text.Draw(t, "name")),
				right: rapid.Bool().Draw(t, "right"), quoted: rapid.Bool().Draw(t, "quoted"),
			}
		}
		cells := make([][]cell, rapid.IntRange(0, 4).Draw(t, "rows"))
		for i := range cells {
			for range columns {
				cells[i] = append(cells[i], cell{
					text: strings.TrimSpace(text.Draw(t, "cell")), plain: rapid.Bool().Draw(t, "plain"),
					color: rapid.SampledFrom([]terminal.Color{terminal.Plain, terminal.Red}).Draw(t, "colour"),
				})
			}
		}
		if diff := cmp.Diff(p.tableOfTablewriter(columns, cells), p.table(columns, cells)); diff != "" {
			t.Fatalf("the lines of tablewriter (-) and ours (+):\n%s", diff)
		}
	})
}

func (p *page) tableOfTablewriter(columns []column, cells [][]cell) []string {
	widths := p.columnWidths(columns, cells)
	header := make([]string, len(columns))
	align := make([]tw.Align, len(columns))
	for c := range columns {
		header[c], align[c] = columns[c].name, tw.AlignLeft
		if columns[c].right {
			align[c] = tw.AlignRight
		}
	}
	format := tw.CellConfig{
		Formatting: tw.CellFormatting{AutoFormat: tw.Off, AutoWrap: tw.WrapNone},
		Alignment:  tw.CellAlignment{PerColumn: align},
		Padding:    tw.CellPadding{Global: tw.Padding{Right: strings.Repeat(" ", columnGap), Overwrite: true}},
	}
	var out bytes.Buffer
	table := tablewriter.NewTable(&out,
		tablewriter.WithConfig(tablewriter.Config{
			Header: format, Row: format, Behavior: tw.Behavior{TrimSpace: tw.Off, TrimLine: tw.Off},
		}),
		tablewriter.WithRendition(tw.Rendition{
			Borders: tw.BorderNone, Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
		}))
	table.Header(header)
	for _, row := range cells {
		texts := make([]string, len(row))
		for c, cell := range row {
			texts[c] = p.paint(cell.fit(columns[c], widths[c]), cell.color)
		}
		table.Append(texts)
	}
	table.Render()
	var lines []string
	for line := range strings.Lines(out.String()) {
		line = strings.ReplaceAll(line, " \x1b[0m", " ") // the table ends colours once more, behind the padding
		lines = append(lines, strings.TrimRight(line, " \n")+"\n")
	}
	return lines
}
