package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// docsElsewhere are the commands of the docs that are not run here, and what runs them.
var docsElsewhere = map[string]string{
	"make test":  "it would run itself",
	"make build": "CI builds the static binary; the commands below it run this test's",
}

// TestDocs runs every command of every fenced console block in the README and the docs, a page in one folder from top to
// bottom, and looks for the output that a page shows. A command exits 0, or with N where "# exit N" stands behind it. A page
// starts with the files that its blocks make, and with nothing else; $CHECKOUT is the folder of this checkout. A page that says
// "<!-- runs with: TOOL… -->" is left out where one of these programs, or files, is missing and not demanded.
func TestDocs(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the commands of the docs are for a POSIX shell")
	}
	root := publicdata.Root(t)
	pages, err := filepath.Glob(filepath.Join(root, "docs", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	pages = append(pages, filepath.Join(root, "README.md"))
	dir := t.TempDir()
	commands := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		blocks, err := consoleBlocks(string(text))
		if err != nil {
			t.Fatalf("%s: %v", page, err)
		}
		if len(blocks) == 0 {
			continue
		}
		for _, b := range blocks {
			commands += len(b)
		}
		name := strings.ToLower(strings.TrimSuffix(filepath.Base(page), ".md"))
		script := filepath.Join(dir, name+".txtar")
		if err := os.WriteFile(script, []byte(docConditions(string(text))+"page "+page+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if commands < 5 {
		t.Fatalf("%d commands in %d pages, want 5 at least", commands, len(pages))
	}
	testscript.Run(t, testscript.Params{
		Dir: dir,
		Setup: func(e *testscript.Env) error {
			e.Setenv("NO_COLOR", "1")
			e.Setenv("CHECKOUT", root)
			return nil
		},
		Condition: func(name string) (bool, error) {
			if tool, ok := strings.CutPrefix(name, "oracle:"); ok {
				return haveOracle(tool)
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"page": runPage},
	})
}

var docRunsWith = regexp.MustCompile(`(?m)^<!-- runs with: (.*) -->$`)

// docConditions returns the lines of a script that leave a page out where a program it runs with is missing.
func docConditions(text string) string {
	var b strings.Builder
	if m := docRunsWith.FindStringSubmatch(text); m != nil {
		for tool := range strings.FieldsSeq(m[1]) {
			fmt.Fprintf(&b, "[!oracle:%s] skip '%s is not installed'\n", tool, tool)
		}
	}
	return b.String()
}

// A docCommand is one command of a console block and what the page says of it.
type docCommand struct {
	text   string   // with the lines of a here-document
	exit   int      // that it ends with
	output []string // lines that it prints, in this order; "…" stands for any
}

var (
	docExit    = regexp.MustCompile(`\s+# exit (\d+)$`)
	docHeredoc = regexp.MustCompile(`<<'?(\w+)'?`)
)

// consoleBlocks reads the fenced console blocks of a page.
func consoleBlocks(text string) (blocks [][]docCommand, err error) {
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); i++ {
		if lines[i] != "```console" {
			continue
		}
		var block []docCommand
		for i++; i < len(lines) && lines[i] != "```"; i++ {
			command, is := strings.CutPrefix(lines[i], "$ ")
			if !is {
				if len(block) == 0 {
					return nil, fmt.Errorf("line %d: output without a command", i+1)
				}
				last := &block[len(block)-1]
				last.output = append(last.output, lines[i])
				continue
			}
			c := docCommand{text: command}
			if m := docExit.FindStringSubmatch(command); m != nil {
				c.exit, _ = strconv.Atoi(m[1])
			}
			if m := docHeredoc.FindStringSubmatch(command); m != nil {
				for i++; i < len(lines) && lines[i] != m[1]; i++ {
					c.text += "\n" + lines[i]
				}
				c.text += "\n" + m[1]
			}
			for strings.HasSuffix(c.text, `\`) && i+1 < len(lines) {
				i++
				c.text += "\n" + lines[i]
			}
			block = append(block, c)
		}
		if len(block) == 0 {
			return nil, fmt.Errorf("line %d: a console block without a command", i+1)
		}
		blocks = append(blocks, block)
	}
	return blocks, nil
}

// runPage runs the commands of a page: "page FILE".
func runPage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: page file")
	}
	text, err := os.ReadFile(args[0])
	ts.Check(err)
	blocks, err := consoleBlocks(string(text))
	ts.Check(err)
	for _, block := range blocks {
		for _, c := range block {
			if _, elsewhere := docsElsewhere[c.text]; !elsewhere {
				runDocCommand(ts, c)
			}
		}
	}
}

func runDocCommand(ts *testscript.TestScript, c docCommand) {
	text := strings.ReplaceAll(c.text, "go run ./cmd/cgp-attest", "cgp-attest")
	code := 0
	if err := ts.Exec("sh", "-c", text); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%s: %v", c.text, err)
		}
		code = ended.ExitCode()
	}
	if code != c.exit {
		ts.Fatalf("%s\nexits %d, the page says %d", c.text, code, c.exit)
	}
	rest := ts.ReadFile("stdout") + ts.ReadFile("stderr")
	for _, line := range c.output {
		if line == "…" || line == "" {
			continue
		}
		at := strings.Index(rest, line)
		if at < 0 {
			ts.Fatalf("%s\ndoes not print (any more, or in this order): %s", c.text, line)
		}
		rest = rest[at+len(line):]
	}
}
