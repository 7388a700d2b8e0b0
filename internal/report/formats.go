package report

import (
	"io"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Names of formats.
const (
	FormatText     = "text"
	FormatJSON     = "json"
	FormatJSONL    = "jsonl"
	FormatSARIF    = "sarif"
	FormatJUnit    = "junit"
	FormatMarkdown = "markdown"
	FormatHTML     = "html"
)

// formats are what a report can be written in.
var formats = []struct {
	name  string
	start func(io.Writer, archive.Header, Tool, TextOptions) Renderer
}{
	{FormatText, func(w io.Writer, h archive.Header, _ Tool, opt TextOptions) Renderer { return NewText(w, h, opt) }},
	{FormatJSON, func(w io.Writer, h archive.Header, tool Tool, _ TextOptions) Renderer { return NewJSON(w, h, tool) }},
	{FormatJSONL, func(w io.Writer, h archive.Header, tool Tool, _ TextOptions) Renderer { return NewJSONL(w, h, tool) }},
	{FormatSARIF, func(w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
		return NewSARIF(w, h, tool, SARIFOptions{Limit: opt.Limit})
	}},
	{FormatJUnit, func(w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
		return NewJUnit(w, h, tool, JUnitOptions{Limit: opt.Limit})
	}},
	{FormatMarkdown, func(w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
		return NewMarkdown(w, h, tool, opt.Limit)
	}},
	{FormatHTML, func(w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
		return NewHTML(w, h, tool, opt.Limit)
	}},
}

// Formats returns the names that New takes, what a person reads first.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// New starts a report in a format of Formats, nil for another.
func New(format string, w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
	for _, f := range formats {
		if f.name == format {
			return f.start(w, h, tool, opt)
		}
	}
	return nil
}
