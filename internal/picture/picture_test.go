package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

func TestDraw(t *testing.T) {
	image, err := draw([]string{bold + "$ ls <a>" + normal, "  \x1b[31mred\x1b[39m  and  plain"})
	if err != nil {
		t.Fatal(err)
	}
	type run struct {
		X    float64 `xml:"x,attr"`
		Y    int     `xml:"y,attr"`
		Fill string  `xml:"fill,attr"`
		Text string  `xml:",chardata"`
	}
	var runs []run
	for decoder := xml.NewDecoder(strings.NewReader(string(image))); ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "text" {
			var r run
			if err := decoder.DecodeElement(&r, &start); err != nil {
				t.Fatal(err)
			}
			runs = append(runs, r)
		}
	}
	want := []run{
		{margin, margin + 14, "#ffffff", "$\u00a0ls\u00a0<a>"},
		{margin + 2*charWidth, margin + lineHeight + 14, "#ff7b72", "red"},
		{margin + 7*charWidth, margin + lineHeight + 14, "", "and\u00a0\u00a0plain"},
	}
	if len(runs) != len(want) {
		t.Fatalf("the image has the texts %+v, want %+v", runs, want)
	}
	for i := range want {
		if d := runs[i].X - want[i].X; d < -0.1 || d > 0.1 || runs[i].Y != want[i].Y || runs[i].Fill != want[i].Fill || runs[i].Text != want[i].Text {
			t.Errorf("text %d is %v, want %v", i, runs[i], want[i])
		}
	}
}

func TestDrawRefuses(t *testing.T) {
	for name, line := range map[string]string{
		"a colour without a style": "\x1b[35mmagenta\x1b[39m",
		"a line that is too wide":  strings.Repeat("é", columns+1),
	} {
		if _, err := draw([]string{line}); err == nil {
			t.Errorf("%s was drawn", name)
		}
	}
	if _, err := draw([]string{strings.Repeat("é", columns)}); err != nil {
		t.Error(err)
	}
}
