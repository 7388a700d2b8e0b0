package report

// AppendXML appends s as character data or as the value of an attribute of XML 1.0, for reports that are none of a run of verify.
func AppendXML(b []byte, s string) []byte { return appendXML(b, s) }

// AppendMarkdown appends words and quotations, as terminal.Quote writes them, as one line of Markdown that makes no links.
func AppendMarkdown(b []byte, s string) []byte { return appendProse(b, s) }
