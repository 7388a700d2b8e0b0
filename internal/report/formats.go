package report

import (
	"io"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Names of formats.
const (
	FormatText  = "text"
	FormatJSON  = "json"
	FormatJSONL = "jsonl"
)

// formats are what a report can be written in.
var formats = []struct {
	name  string
	start func(io.Writer, archive.Header, Tool, TextOptions) Renderer
}{
	{FormatText, func(w io.Writer, h archive.Header, _ Tool, opt TextOptions) Renderer { return NewText(w, h, opt) }},
	{FormatJSON, func(w io.Writer, h archive.Header, tool Tool, _ TextOptions) Renderer { return NewJSON(w, h, tool) }},
	{FormatJSONL, func(w io.Writer, h archive.Header, tool Tool, _ TextOptions) Renderer { return NewJSONL(w, h, tool) }},
}

// Formats returns the names that New takes, what a person reads first.
func Formats() []string {
	var names []string
	for _, f := range formats {
		names = append(names, f.name)
	}
	return names
}

// New starts a report in a format of Formats, nil for another. Formats for programs make no use of opt.
func New(format string, w io.Writer, h archive.Header, tool Tool, opt TextOptions) Renderer {
	for _, f := range formats {
		if f.name == format {
			return f.start(w, h, tool, opt)
		}
	}
	return nil
}
