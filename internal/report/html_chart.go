package report

import (
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// maxCharted is how many sources the chart shows one by one.
const maxCharted = 20

// A share is what frames of one part of a bar have in common.
type share struct {
	state archive.State
	class archive.Class
}

// A bar is what became of the frames of one source, or of several.
type bar struct {
	name    string // of the source, whole
	source  string // quoted
	frames  map[share]uint64
	empty   uint64 // answers without frames
	unread  uint64 // errors of reading
	sources uint64 // that it stands for
}

// A chart counts frames by source and state. It keeps the worst sources, and the sum of all. The sources come one after the
// other, but in a report that is read again the errors come behind all answers.
type chart struct {
	all     bar
	now     bar // the source that is being read
	rank    int // of the worst in it
	reading bool
	sources keeper[bar]
}

func newChart() chart {
	return chart{all: bar{frames: make(map[share]uint64)}, sources: newKeeper[bar](maxCharted, len(classRanks))}
}

// from makes source the one that is being read.
func (c *chart) from(source string) {
	if c.reading && c.now.name == source {
		return
	}
	c.end()
	c.reading = true
	if c.resume(source) {
		return
	}
	c.rank = len(classRanks) - 1
	c.now = bar{name: strings.Clone(source), source: quote(source), frames: make(map[share]uint64), sources: 1}
}

// resume takes a source up again that was taken down, and reports whether it was kept.
func (c *chart) resume(source string) bool {
	for rank, of := range c.sources.kept {
		i := slices.IndexFunc(of, func(b bar) bool { return b.name == source })
		if i < 0 {
			continue
		}
		c.now, c.rank = of[i], rank
		c.sources.take(rank, i)
		for s, n := range c.now.frames {
			c.all.frames[s] -= n
		}
		c.all.empty -= c.now.empty
		c.all.unread -= c.now.unread
		c.all.sources--
		return true
	}
	return false
}

// end takes down the source that was being read.
func (c *chart) end() {
	if !c.reading {
		return
	}
	c.sources.add(c.rank, func() bar { return c.now })
	for s, n := range c.now.frames {
		c.all.frames[s] += n
	}
	c.all.empty += c.now.empty
	c.all.unread += c.now.unread
	c.all.sources++
	c.reading = false
}

func (c *chart) take(a *archive.Answer) {
	c.from(a.Source)
	c.rank = min(c.rank, rankOfClass(a.Class))
	if len(a.Frames) == 0 {
		c.now.empty++
	}
	for i := range a.Frames {
		c.now.frames[share{a.Frames[i].State, a.Frames[i].Class}]++
	}
}

func (c *chart) takeError(e *archive.RecordError) {
	c.from(e.Source)
	c.rank = min(c.rank, rankOfClass(archive.ClassUnreadable))
	c.now.unread++
}

// rest is the sum of the sources that are not shown one by one.
func (c *chart) rest() bar {
	rest := bar{frames: make(map[share]uint64), empty: c.all.empty, unread: c.all.unread, sources: c.all.sources}
	for s, n := range c.all.frames {
		rest.frames[s] = n
	}
	c.sources.each(func(_ int, b *bar) bool {
		for s, n := range b.frames {
			rest.frames[s] -= n
		}
		rest.empty -= b.empty
		rest.unread -= b.unread
		rest.sources--
		return true
	})
	rest.source = count(rest.sources, "further source", "further sources")
	return rest
}

// shares are the parts of a bar that hold frames, in the order of the states.
func (b *bar) shares() (list []share) {
	for _, s := range archive.States() {
		for _, c := range archive.Classes() {
			if b.frames[share{s, c}] > 0 {
				list = append(list, share{s, c})
			}
		}
	}
	return list
}

func (b bar) size() int { return len(b.name) + len(b.source) }

func (b *bar) total() (n uint64) {
	for _, k := range b.frames {
		n += k
	}
	return n
}

// words says what the parts of a bar are.
func (b *bar) words() (list []string) {
	for _, s := range b.shares() {
		list = append(list, fmt.Sprintf("%s %d, %s", beside(s.state), b.frames[s], s.class))
	}
	if b.empty > 0 {
		list = append(list, count(b.empty, "answer without frames", "answers without frames"))
	}
	if b.unread > 0 {
		list = append(list, count(b.unread, "error of reading", "errors of reading"))
	}
	return list
}

func (c *chart) write(m *markup) {
	m.section("sources")
	defer m.sectionEnd()
	var bars []bar
	c.sources.each(func(_ int, b *bar) bool {
		bars = append(bars, *b)
		return true
	})
	if len(bars) == 0 {
		m.element("p", "No source held an answer, and none failed to be read.")
		return
	}
	if rest := c.rest(); rest.sources > 0 {
		bars = append(bars, rest)
		m.element("p", fmt.Sprintf("The %d worst of %d sources, the worst first, and the sum of the others.", maxCharted, c.all.sources))
	}
	m.raw("<ul class=\"legend\" aria-label=\"Legend\">")
	for _, class := range archive.Classes() {
		m.raw("<li><svg aria-hidden=\"true\" width=\"20\" height=\"20\">")
		m.segment(class, 0, 10_000, 2_500)
		m.raw("</svg>", string(class), "</li>")
	}
	m.raw("</ul>\n")
	largest := uint64(1)
	for i := range bars {
		largest = max(largest, bars[i].total())
	}
	for i := range bars {
		bars[i].write(m, largest)
	}
	m.chartTable(bars)
}

// write writes one row of the chart: the source, its bar on the scale of the largest one, and in words what the bar shows.
func (b *bar) write(m *markup, largest uint64) {
	m.raw("<figure class=\"chart\"><figcaption class=\"id\">")
	m.text(b.source)
	m.raw("</figcaption>\n")
	if b.total() > 0 {
		m.raw("<svg role=\"img\" aria-label=\"")
		m.attr(b.source + ": " + strings.Join(b.words(), "; "))
		m.raw("\" width=\"100%\" height=\"20\">")
		shares := b.shares()
		// Every part is seen, however small: it gets a hundredth of the width, and its share of what is left.
		const least = 100
		left := float64(10_000 - least*len(shares))
		at := uint64(0)
		for _, s := range shares {
			width := least + uint64(left*float64(b.frames[s])/float64(largest))
			m.segment(s.class, at, width, 150)
			at += width
		}
		m.raw("</svg>\n")
	}
	m.raw("<ul>")
	for _, w := range b.words() {
		m.element("li", w)
	}
	m.raw("</ul></figure>\n")
}

// segment draws a part of a bar, in hundredths of a percent: solid where its frames are good, with horizontal lines where they
// are unchecked, vertical ones at every step where they are negative, both where they are unreadable.
func (m *markup) segment(class archive.Class, at, width, step uint64) {
	m.raw("<rect class=\"bar ", string(class), "\" x=\"", percent(at), "\" y=\"0\" width=\"", percent(width), "\" height=\"20\"/>")
	if class == archive.ClassUnchecked || class == archive.ClassUnreadable {
		for _, y := range []string{"5", "10", "15"} {
			m.raw("<line class=\"hatch\" x1=\"", percent(at), "\" x2=\"", percent(at+width), "\" y1=\"", y, "\" y2=\"", y, "\"/>")
		}
	}
	if class == archive.ClassNegative || class == archive.ClassUnreadable {
		for x := at + step; x < at+width; x += step {
			m.raw("<line class=\"hatch\" x1=\"", percent(x), "\" x2=\"", percent(x), "\" y1=\"0\" y2=\"20\"/>")
		}
	}
}

// percent writes hundredths of a percent.
func percent(n uint64) string { return fmt.Sprintf("%d.%02d%%", n/100, n%100) }

// chartTable says in a table what the chart shows.
func (m *markup) chartTable(bars []bar) {
	present := make(map[archive.State]bool)
	for i := range bars {
		for s := range bars[i].frames {
			present[s.state] = true
		}
	}
	m.raw("<details><summary>The chart as a table</summary>\n<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"States by source\">",
		"<table><caption>Frames by source and state")
	if present[archive.StateConstructed] {
		m.raw("; ", string(archive.StateConstructed), ": ", notEstablished)
	}
	m.raw("</caption><thead><tr><th scope=\"col\">source</th>")
	for _, s := range archive.States() {
		if present[s] {
			m.raw("<th scope=\"col\" class=\"n\">", string(s), "</th>")
		}
	}
	m.raw("<th scope=\"col\" class=\"n\">frames</th><th scope=\"col\" class=\"n\">not read</th></tr></thead><tbody>\n")
	for i := range bars {
		m.raw("<tr><th scope=\"row\" class=\"id\">")
		m.text(bars[i].source)
		m.raw("</th>")
		for _, s := range archive.States() {
			if !present[s] {
				continue
			}
			var n uint64
			for _, c := range archive.Classes() {
				n += bars[i].frames[share{s, c}]
			}
			m.raw("<td class=\"n\">")
			m.number(n)
			m.cellEnd()
		}
		m.raw("<td class=\"n\">")
		m.number(bars[i].total())
		m.raw("</td><td class=\"n\">")
		m.number(bars[i].unread)
		m.raw("</td></tr>\n")
	}
	m.raw("</tbody></table></div></details>\n")
}
