// Command picture writes docs/verify.svg: what a terminal shows when an answer is signed, edited and verified. It runs the commands
// that it shows, under a key that is always the same, so that the picture is of this code and of nothing else.
//
// go generate runs it. Its one argument is the file to write.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:generate go run . ../../docs/verify.svg

const answer = `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","id":"q1","result":{"frames":[{"id":"hours","content":"open until 18"},{"id":"loans","content":"four weeks"}],"truncated":false}}
`

// unseen makes the key, which a picture that is always the same cannot make at random, and the trust file.
var unseen = []string{
	"cgp-attest key convert --to openssh -o provider.pub signing-key.seed",
	"cgp-attest trust add trust.json --provider docs --key-id docs-2026-11 --key provider.pub",
}

// A shown command stands in the picture with what it says. Of more lines than first and last the middle is left out.
type shown struct {
	command     string
	exit        int
	first, last int
}

var steps = []shown{
	{"cgp-attest sign --key signing-key.seed --key-id docs-2026-11 \\\n    --fill-digests -o signed.ndjson answer.ndjson", 0, 1, 0},
	{"cgp-attest verify --trust trust.json signed.ndjson", 0, 7, 2},
	{"sed 's/open until 18/open until 22/' signed.ndjson > edited.ndjson", 0, 0, 0},
	{"cgp-attest verify --trust trust.json edited.ndjson", 1, 16, 2},
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d arguments, want the file to write", len(args))
	}
	lines, err := play()
	if err != nil {
		return err
	}
	image, err := draw(lines)
	if err != nil {
		return err
	}
	return os.WriteFile(args[0], image, 0o644)
}

// play runs the commands in a folder of their own and returns the lines of the terminal, with its colours.
func play() ([]string, error) {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	build := exec.Command("go", "build", "-o", filepath.Join(dir, "bin", "cgp-attest"), "contextgraphprotocol.org/cgp-attest/cmd/cgp-attest")
	if text, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%w\n%s", err, text)
	}
	for name, text := range map[string]string{"answer.ndjson": answer, "signing-key.seed": strings.Repeat("07", 32) + "\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	for _, command := range unseen {
		if _, err := output(dir, command, 0); err != nil {
			return nil, err
		}
	}
	var lines []string
	for _, step := range steps {
		lines = append(lines, prompted(step.command)...)
		said, err := output(dir, step.command, step.exit)
		if err != nil {
			return nil, err
		}
		if len(said) > step.first+step.last {
			said = slices.Concat(said[:step.first], []string{"…"}, said[len(said)-step.last:])
		}
		lines = append(lines, said...)
		lines = append(lines, "")
	}
	return lines[:len(lines)-1], nil
}

// prompted marks a command as what a person typed.
func prompted(command string) []string {
	lines := strings.Split("$ "+command, "\n")
	for i, line := range lines {
		lines[i] = bold + line + normal
	}
	return lines
}

// output runs a command in dir and returns its lines. Another exit code than the one that the picture is about is an error.
func output(dir, command string, want int) ([]string, error) {
	c := exec.Command("sh", "-c", strings.ReplaceAll(command, "cgp-attest ", "cgp-attest --color always "))
	c.Dir = dir
	c.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+string(os.PathListSeparator)+os.Getenv("PATH"), "COLUMNS=80")
	text, err := c.CombinedOutput()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, err
	}
	if got := c.ProcessState.ExitCode(); got != want {
		return nil, fmt.Errorf("%s: exit code %d, want %d\n%s", command, got, want, text)
	}
	if len(text) == 0 {
		return nil, nil
	}
	return strings.Split(strings.TrimSuffix(string(text), "\n"), "\n"), nil
}
