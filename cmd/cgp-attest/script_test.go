package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// The fixture: a session of provider "library", and the same signed in shape both with the seed of 32 bytes 07 under key_id
// "library-2026". The public key to that seed is CGP's published one.
const (
	fixtureSeed      = "0707070707070707070707070707070707070707070707070707070707070707"
	fixturePublicKey = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"
	fixtureIssuedAt  = "2026-08-29T12:00:00Z"

	// Of the signed answer among the published example messages of CGP.
	exampleKey = "repo-graph:repo-graph-2026-08=197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"cgp-attest": main,
		"panics":     panics,
		"interrupts": interrupts,
		"signer":     externalSigner,
	})
}

// panics is the program with a clock that is broken.
func panics() {
	env := systemEnvironment()
	env.now = func() time.Time { panic("the clock\x1b[31m is broken") }
	os.Exit(run(context.Background(), env, os.Args[1:]))
}

// interrupts is the program interrupted once all of its standard input was read, while more of it may come.
func interrupts() {
	ctx, interrupt := context.WithCancel(context.Background())
	env := systemEnvironment()
	env.stdin = io.MultiReader(os.Stdin, interrupting{interrupt})
	os.Exit(run(ctx, env, os.Args[1:]))
}

// interrupting is the end of an input that does not end: reading it interrupts the program and blocks.
type interrupting struct{ interrupt func() }

func (i interrupting) Read([]byte) (int, error) {
	i.interrupt()
	select {}
}

func TestScripts(t *testing.T) {
	shared := filepath.Join(publicdata.Root(t), "..", "shared")
	testscript.Run(t, testscript.Params{
		Dir:                filepath.Join("testdata", "script"),
		RequireUniqueNames: true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("SHARED", shared)
			e.Setenv("SEED", fixtureSeed)
			e.Setenv("PUBLIC", fixturePublicKey)
			e.Setenv("KEY", "library:library-2026="+fixturePublicKey)
			e.Setenv("EXAMPLE_KEY", exampleKey)
			e.Setenv("ISSUED_AT", fixtureIssuedAt)
			e.Setenv("LONG", strings.Repeat("x", 5000))
			e.Setenv("NO_COLOR", "")
			e.Setenv("SOURCE_DATE_EPOCH", "")
			return errors.Join(setKeys(e, publicdata.Root(t)), copyFixture(e.WorkDir))
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "shared":
				return haveShared(shared)
			case "namespaces":
				return demanded(exec.Command("unshare", "-rm", "true").Run())
			case "softhsm":
				_, err := softHSM()
				return demanded(err)
			case "devfull":
				_, err := os.Stat("/dev/full")
				return err == nil, nil
			}
			if tool, ok := strings.CutPrefix(name, "oracle:"); ok {
				return haveOracle(tool)
			}
			return false, fmt.Errorf("unknown condition %q", name)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":   scriptExits,
			"agent":   scriptAgent,
			"edit":    scriptEdit,
			"outline": scriptOutline,
			"mode":    scriptMode,
			"pick":    scriptPick,
			"join":    scriptJoin,
			"bytes":   scriptBytes,
			"crlf":    scriptCRLF,
		},
	})
}

// copyFixture puts the fixture, and its key as a file that nobody else may read, into a script's folder.
func copyFixture(dir string) error {
	for _, name := range []string{"session.ndjson", "signed.ndjson"} {
		data, err := os.ReadFile(filepath.Join("testdata", "fixture", name))
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			return err
		}
	}
	return os.WriteFile(filepath.Join(dir, "seed"), []byte(fixtureSeed+"\n"), 0o600)
}

// haveShared reports whether the folder of public data is there; where it is demanded its absence is an error.
func haveShared(dir string) (bool, error) {
	_, err := os.Stat(dir)
	if err != nil && os.Getenv(publicdata.RequireShared) == "1" {
		return false, err
	}
	return err == nil, nil
}

// requireOracles is the environment variable that turns a tool that a script compares with, and that is not installed, from a
// skipped script into a failed one.
const requireOracles = "CGP_ATTEST_REQUIRE_ORACLES"

// haveOracle reports whether a program, or a file of this path, is installed; where oracles are demanded its absence is an error.
func haveOracle(tool string) (bool, error) {
	if filepath.IsAbs(tool) {
		_, err := os.Stat(tool)
		return demanded(err)
	}
	_, err := exec.LookPath(tool)
	return demanded(err)
}

// demanded reports whether there was no error in looking for what a script compares with; where oracles are demanded it is one.
func demanded(err error) (bool, error) {
	if err != nil && os.Getenv(requireOracles) == "1" {
		return false, fmt.Errorf("%s=1: %w", requireOracles, err)
	}
	return err == nil, nil
}

// scriptExits runs "exits N COMMAND ARG…" and fails unless the exit code is N. Where it is not 0 no secret may be shown.
func scriptExits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits N command [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	code := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var ended *exec.ExitError
		if !errors.As(err, &ended) {
			ts.Fatalf("%s: %v", args[1], err)
		}
		code = ended.ExitCode()
	}
	if code != 0 {
		checkSecrets(ts)
	}
	if code != want {
		ts.Fatalf("%s exits %d, want %d", strings.Join(args[1:], " "), code, want)
	}
}

// scriptMode fails unless a file has the permissions "mode 0600 FILE".
func scriptMode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: mode PERMISSIONS file")
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	if got := fmt.Sprintf("%04o", info.Mode().Perm()); got != args[0] {
		ts.Fatalf("%s has the permissions %s, want %s", args[1], got, args[0])
	}
}

// scriptPick prints the bytes of one value: "pick FILE PLACE", with a PLACE as for edit.
func scriptPick(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: pick file PLACE")
	}
	data, err := os.ReadFile(ts.MkAbs(args[0]))
	ts.Check(err)
	at, err := locate(data, args[1])
	ts.Check(err)
	fmt.Fprintln(ts.Stdout(), at.value.of(data))
}

// scriptJoin writes files one after the other: "join NEW FILE…".
func scriptJoin(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: join new file...")
	}
	var all []byte
	for _, name := range args[1:] {
		all = append(all, ts.ReadFile(name)...)
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), all, 0o644))
}

// scriptBytes writes a Go string literal to a file, without its quotation marks: "bytes NEW TEXT".
func scriptBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: bytes new TEXT")
	}
	text, err := strconv.Unquote(`"` + args[1] + `"`)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o644))
}

// scriptCRLF writes a file with the line endings of Windows: "crlf NEW FILE".
func scriptCRLF(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: crlf new file")
	}
	text := strings.ReplaceAll(ts.ReadFile(args[1]), "\n", "\r\n")
	if !strings.Contains(text, "\r\n") {
		ts.Fatalf("%s has no line", args[1])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o600))
}
