package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// reported is what the scripts look at in a JSON report.
type reported struct {
	Answers []struct {
		Class    string
		Root     *reportedEvidence
		Frames   []reportedFrame
		Findings []struct {
			Code, Severity  string
			Entry, Position *int
		}
	}
	Errors []struct {
		Record, Offset, At uint64
		Code               string
	}
	Summary struct {
		ExitCode        int  `json:"exit_code"`
		ExitZeroApplied bool `json:"exit_zero_applied"`
		Finished        bool
	}
}

type reportedFrame struct {
	State, Class, Content string
	Evidence              []reportedEvidence
}

type reportedEvidence struct{ Kind, State, Verdict, Reason, Tier string }

func (e *reportedEvidence) String() string {
	text := e.State
	for _, word := range []string{e.Verdict, e.Reason} {
		if word != "" {
			text += " " + word
		}
	}
	return text
}

// scriptOutline prints what a JSON report comes to, a line a frame, finding and error; findings sorted.
func scriptOutline(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: outline report.json")
	}
	var r reported
	ts.Check(json.Unmarshal([]byte(ts.ReadFile(args[0])), &r))
	outline(ts.Stdout(), &r)
}

func outline(w io.Writer, r *reported) {
	for _, a := range r.Answers {
		fmt.Fprintf(w, "answer %s", a.Class)
		if a.Root != nil {
			fmt.Fprintf(w, ", root %s", a.Root)
		}
		fmt.Fprintln(w)
		for i, f := range a.Frames {
			fmt.Fprintf(w, "frame %d %s %s, content %s", i, f.State, f.Class, f.Content)
			for _, e := range f.Evidence {
				fmt.Fprintf(w, ", %s %s", e.Kind, &e)
			}
			fmt.Fprintln(w)
		}
		var findings []string
		for _, f := range a.Findings {
			findings = append(findings, fmt.Sprintf("%s %s%s%s\n", f.Severity, f.Code, at(", entry ", f.Entry), at(", frame ", f.Position)))
		}
		slices.Sort(findings) // error, note, warning
		io.WriteString(w, strings.Join(findings, ""))
	}
	for _, e := range r.Errors {
		fmt.Fprintf(w, "record %d at %d: %s at %d\n", e.Record, e.Offset, e.Code, e.At)
	}
	fmt.Fprintf(w, "exit %d\n", r.Summary.ExitCode)
}

func at(what string, n *int) string {
	if n == nil {
		return ""
	}
	return fmt.Sprint(what, *n)
}
