// Package report renders what archive finds: a Renderer is given the answers and errors of a run as they come, then the
// summary, and writes them in one format. NewJSON writes the complete report cgp-attest/report/1, NewText, NewMarkdown
// and NewHTML what a person reads, NewSARIF and NewJUnit what code-scanning hosts and test reporters take.
//
// A Renderer never holds answers: its memory does not grow with the archive, but for the errors of a JSON report, which stand
// behind the answers.
//
// # Security
//
// A Renderer decides nothing: every state, class, count and the exit code are archive's. What comes from an input is quoted so
// that it can neither end a string, start a line nor drive a terminal. Claims that no signature covers never stand without the
// word that says so.
package report

import "contextgraphprotocol.org/cgp-attest/archive"

// Schema is the name and version of the JSON report.
const Schema = "cgp-attest/report/1"

// A Renderer writes the report on one run. Its header is known before the first answer; Close writes what is left, after which
// nothing may be called. Errors are those of the writer, and every call after the first returns the same. Not safe for
// concurrent use.
type Renderer interface {
	archive.Sink
	Close(*archive.Summary) error
}

// A Tool names the program that made a report.
type Tool struct{ Name, Version string }
