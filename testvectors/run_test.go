package testvectors

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// portArgument makes this test a program that answers cases: with the way in which it goes wrong, the case at which it does, and a
// file that it adds its process number to.
const portArgument = "-port"

func TestMain(m *testing.M) {
	if len(os.Args) == 5 && os.Args[1] == portArgument {
		portMain(os.Args[2], os.Args[3], os.Args[4])
		return
	}
	if len(os.Args) == 2 && os.Args[1] == "serve" { // what the examples run
		if err := Serve(os.Stdin, os.Stdout, "example", "1"); err != nil {
			log.Fatal(err)
		}
		return
	}
	os.Exit(m.Run())
}

const portHello = `{"name":"bad","version":"0","ops":["encode","chain"],"algorithms":[],"limits":{"text":7}}`

// portMain answers as the library does, except at one case.
func portMain(how, at, pids string) {
	if f, err := os.OpenFile(pids, os.O_APPEND|os.O_WRONLY, 0); err == nil {
		fmt.Fprintln(f, os.Getpid())
		f.Close()
	}
	switch how {
	case "silent":
		time.Sleep(time.Hour)
	case "ends":
		fmt.Fprintln(os.Stderr, "no such \x1b[31mmodule")
		os.Exit(7)
	}
	in := bufio.NewReader(os.Stdin)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		var answer bytes.Buffer
		if err := Serve(bytes.NewReader(line), &answer, "bad", "0"); err != nil {
			panic(err)
		}
		text := answer.String()
		switch {
		case strings.Contains(string(line), `"hello"`):
			text = portHello + "\n"
		case at == "*" || strings.Contains(string(line), `"id":"`+at+`"`):
			text = misbehave(how, at, text)
		}
		os.Stdout.WriteString(text)
	}
	if how == "stays" {
		time.Sleep(time.Hour)
	}
}

// misbehave is what is answered at the case at which a program goes wrong, where it does answer.
func misbehave(how, id, right string) string {
	switch how {
	case "hangs":
		time.Sleep(time.Hour)
	case "hangs with a child":
		child := exec.Command("sleep", "300")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err)
		}
		if f, err := os.OpenFile(os.Args[4], os.O_APPEND|os.O_WRONLY, 0); err == nil {
			fmt.Fprintln(f, child.Process.Pid)
			f.Close()
		}
		time.Sleep(time.Hour)
	case "crashes":
		for i := range 30 {
			fmt.Fprintln(os.Stderr, "frame", i)
		}
		fmt.Fprintln(os.Stderr, "list index \x1b[31mout of range")
		os.Exit(9)
	case "closes":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "floods":
		os.Stderr.WriteString(strings.Repeat("noise\n", 200_000))
	case "unsupported":
		_, after, _ := strings.Cut(right, `"id":"`)
		name, _, _ := strings.Cut(after, `"`)
		return `{"id":"` + name + `","unsupported":true}` + "\n"
	case "junk":
		return "now at \x1b[31m" + id + "\n" + right
	case "number":
		return "7\n"
	case "both":
		return `{"id":"` + id + `","value":"00","verdict":"valid"}` + "\n"
	case "neither":
		return `{"id":"` + id + `"}` + "\n"
	case "other":
		return `{"id":"encode-text-other","value":"00"}` + "\n"
	case "twice":
		return right + right
	case "long":
		return `{"id":"` + id + `","value":"` + strings.Repeat("0", maxAnswer) + `"}` + "\n"
	case "internal":
		return `{"id":"` + id + `","error":"internal","detail":"KeyError: \u001b[31m"}` + "\n"
	}
	return right
}

// somePort is a command that goes wrong, and the file of its process numbers.
func somePort(t *testing.T, how, at string) (command []string, pids string) {
	t.Helper()
	pids = filepath.Join(t.TempDir(), "pids")
	if err := os.WriteFile(pids, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return []string{os.Args[0], portArgument, how, at, pids}, pids
}

func casesOf(t *testing.T, words ...string) []*File {
	t.Helper()
	all, err := Released()
	if err == nil {
		all, err = Select(all, words)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// gone fails where a process of the list, or what is left of it, is still there.
func gone(t *testing.T, pids string) {
	t.Helper()
	text, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	started := strings.Fields(string(text))
	if len(started) == 0 {
		t.Error("nothing was started")
	}
	for _, field := range started {
		pid, err := strconv.Atoi(field)
		if err != nil {
			t.Fatal(err)
		}
		if !hasEnded(pid) {
			t.Errorf("process %d is still there", pid)
		}
	}
}

// Programs that go wrong at one case: that case fails and says how, all others pass, and no process is left.
func TestRunReportsFaults(t *testing.T) {
	const at = "encode-text-two-byte"
	tests := []struct {
		how      string
		fault    Fault
		detail   string // a pattern
		restarts int
	}{
		{"hangs", FaultHang, `^no answer within 2s; the process was killed$`, 1},
		{"hangs with a child", FaultHang, `^no answer within 2s`, 1},
		{"crashes", FaultCrash, `^the process ended: exit status 9$`, 1},
		{"closes", FaultClosed, `^it closed its standard output and went on; the process was killed$`, 1},
		{"junk", FaultLine, `^a line that is no JSON \(.*\): "now at \\x1b\[31mencode-text-two-byte"$`, 1},
		{"number", FaultLine, `^a line that is no object: "7"$`, 1},
		{"both", FaultLine, `^answer: want exactly one of value, verdict and error: ".*valid.*"$`, 1},
		{"neither", FaultLine, `^answer: want exactly one of value, verdict and error: `, 1},
		{"other", FaultLine, `^a line with another id: ".*encode-text-other`, 1},
		{"twice", FaultTwice, `^it was answered once more: ".*encode-text-two-byte`, 0},
		{"long", FaultLine, `^a line of more than 4194304 bytes: "\{.*" and \d+ bytes more$`, 1},
		{"internal", FaultAnswer, `^"\\"KeyError: \\\\u001b\[31m\\""$`, 0},
	}
	for _, test := range tests {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			command, pids := somePort(t, test.how, at)
			timeout := DefaultTimeout
			if test.fault == FaultHang {
				timeout = 2 * time.Second
			}
			r, err := Run(t.Context(), casesOf(t, "encode"), &RunOptions{Command: command, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			for i := range r.Cases {
				c := &r.Cases[i]
				if c.Case.ID != at {
					if c.Outcome != OutcomePassed {
						t.Errorf("%s: %s %s %s", c.Case.ID, c.Outcome, c.Fault, c.Detail)
					}
					continue
				}
				if c.Outcome != OutcomeFailed || c.Fault != test.fault || !regexp.MustCompile(test.detail).MatchString(c.Detail) {
					t.Errorf("%s %s %q, want failed %s %q", c.Outcome, c.Fault, c.Detail, test.fault, test.detail)
				}
				if test.how == "crashes" && (len(c.Said) != maxTailLines || c.Said[maxTailLines-1] != "list index \x1b[31mout of range") {
					t.Errorf("standard error ends with %q", c.Said)
				}
			}
			if code, reason := r.Verdict(); code != archive.ExitNegative || reason != "1 of 60 cases failed" {
				t.Errorf("exit %d, %s", code, reason)
			}
			if r.Restarts != test.restarts || len(r.Notes) > 0 || !r.Finished {
				t.Errorf("started again %d times, notes %q, finished %t", r.Restarts, r.Notes, r.Finished)
			}
			gone(t, pids)
		})
	}
}

// Programs that go wrong at every case.
func TestRunOfNoUse(t *testing.T) {
	tests := []struct {
		how      string
		code     int
		reason   string
		outcomes map[Outcome]int
	}{
		{"hangs", archive.ExitNegative, "given up: 5 cases in a row had no answer within 100ms", map[Outcome]int{OutcomeFailed: 5, OutcomeNotRun: 55}},
		{"crashes", archive.ExitNegative, "60 of 60 cases failed", map[Outcome]int{OutcomeFailed: 60}},
		{"twice", archive.ExitNegative, "60 of 60 cases failed", map[Outcome]int{OutcomeFailed: 60}},
		{"unsupported", archive.ExitUnchecked, "no case was answered: the implementation supports none of them", map[Outcome]int{OutcomeUnsupported: 60}},
		{"right", archive.ExitGood, "60 of 60 cases passed, none failed", map[Outcome]int{OutcomePassed: 60}},
		{"floods", archive.ExitGood, "60 of 60 cases passed, none failed", map[Outcome]int{OutcomePassed: 60}},
		{"stays", archive.ExitGood, "60 of 60 cases passed, none failed", map[Outcome]int{OutcomePassed: 60}},
	}
	for _, test := range tests {
		t.Run(test.how, func(t *testing.T) {
			t.Parallel()
			command, pids := somePort(t, test.how, "*")
			timeout := DefaultTimeout
			if test.how == "hangs" {
				timeout = 100 * time.Millisecond
			}
			r, err := Run(t.Context(), casesOf(t, "encode"), &RunOptions{Command: command, Timeout: timeout})
			if err != nil {
				t.Fatal(err)
			}
			if code, reason := r.Verdict(); code != test.code || reason != test.reason {
				t.Errorf("exit %d, %s; want %d, %s", code, reason, test.code, test.reason)
			}
			for outcome, n := range r.Totals() {
				if n != test.outcomes[outcome] {
					t.Errorf("%s: %d, want %d", outcome, n, test.outcomes[outcome])
				}
			}
			if noted := len(r.Notes) > 0; noted != (test.how == "stays") {
				t.Errorf("notes %q", r.Notes)
			}
			gone(t, pids)
		})
	}
}

// Programs that do not say hello are an error that says what they did instead.
func TestRunCannotStart(t *testing.T) {
	for how, want := range map[string]string{
		"silent": `hello: no answer within 10s`,
		"ends":   `hello: the process ended: exit status 7; it said ["no such \x1b[31mmodule"]`,
	} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			command, pids := somePort(t, how, "*")
			_, err := Run(t.Context(), casesOf(t, "encode"), &RunOptions{Command: command})
			if !errors.Is(err, ErrStart) || !strings.Contains(err.Error(), want) {
				t.Errorf("Run() = %v, want %s", err, want)
			}
			gone(t, pids)
		})
	}
	if _, err := Run(t.Context(), casesOf(t, "encode"), &RunOptions{Command: []string{filepath.Join(t.TempDir(), "missing")}}); !errors.Is(err, ErrStart) {
		t.Errorf("Run(missing) = %v, want ErrStart", err)
	}
}

// A run that is interrupted has a report of what there was, and leaves no process.
func TestRunInterrupted(t *testing.T) {
	command, pids := somePort(t, "hangs", "encode-text-two-byte")
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(time.Second, interrupt)
	r, err := Run(ctx, casesOf(t, "encode"), &RunOptions{Command: command, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	totals := r.Totals()
	if code, _ := r.Verdict(); code != archive.ExitInterrupted || totals[OutcomePassed] == 0 || totals[OutcomeNotRun] == 0 || totals[OutcomeFailed] != 0 {
		t.Errorf("exit %d, %v", code, totals)
	}
	gone(t, pids)
}

// What is expected to fail and does makes no run bad; what passes does. Ops that hello does not list are not asked.
func TestRunExpectations(t *testing.T) {
	command, _ := somePort(t, "internal", "encode-text-two-byte")
	run := func(opt RunOptions, words ...string) *RunReport {
		opt.Command = command
		r, err := Run(t.Context(), casesOf(t, words...), &opt)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(RunOptions{Expected: []string{"encode-text-two-byte"}}, "encode", "root")
	totals := r.Totals()
	if code, _ := r.Verdict(); code != archive.ExitGood || totals[OutcomeExpectedFailure] != 1 || totals[OutcomeUnsupported] == 0 || totals[OutcomeFailed] != 0 {
		t.Errorf("exit %d, %v", code, totals)
	}
	r = run(RunOptions{Expected: []string{"encode-text-two-byte", "encode-text-three-byte"}}, "encode")
	if code, reason := r.Verdict(); code != archive.ExitNegative || reason != "1 of the expected failures passed: take them off the list" {
		t.Errorf("exit %d, %s", code, reason)
	}
	if r = run(RunOptions{}, "root"); r.Totals()[OutcomeUnsupported] != len(r.Cases) {
		t.Errorf("%v", r.Totals())
	}
	if code, _ := r.Verdict(); code != archive.ExitUnchecked {
		t.Errorf("exit %d, want %d", code, archive.ExitUnchecked)
	}
	r, err := Run(t.Context(), nil, &RunOptions{Command: command})
	if err != nil {
		t.Fatal(err)
	}
	if code, reason := r.Verdict(); code != archive.ExitUnchecked || reason != "no case was run" {
		t.Errorf("exit %d, %s", code, reason)
	}
}

// Requirements are compared with what hello lists; answers where they may differ are counted and good.
func TestRunPolicies(t *testing.T) {
	command, _ := somePort(t, "right", "*")
	c := *casesOf(t, "encode")[0].Cases[0]
	needs, differs := c, c
	needs.ID, needs.Requires = "needs", []string{"algorithm:ml-dsa-65"}
	differs.ID, differs.Policy, differs.Expect = "differs", MayDiffer, Result{Value: "00"}
	r, err := Run(t.Context(), []*File{{Name: "encode", Cases: []*Case{&needs, &differs}}}, &RunOptions{Command: command})
	if err != nil {
		t.Fatal(err)
	}
	if r.Cases[0].Outcome != OutcomeSkipped || r.Cases[1].Outcome != OutcomeMayDiffer {
		t.Errorf("%s and %s, want skipped and may_differ", r.Cases[0].Outcome, r.Cases[1].Outcome)
	}
	if code, _ := r.Verdict(); code != archive.ExitGood {
		t.Errorf("exit %d", code)
	}
}

// A seed gives one order, another seed another one, and none loses a case.
func TestRunShuffles(t *testing.T) {
	command, _ := somePort(t, "right", "*")
	order := func(seed uint64) (ids []string) {
		r, err := Run(t.Context(), casesOf(t, "encode"), &RunOptions{Command: command, Shuffle: &seed})
		if err != nil {
			t.Fatal(err)
		}
		for i := range r.Cases {
			ids = append(ids, r.Cases[i].Case.ID)
		}
		return ids
	}
	first, again, other := order(1), order(1), order(2)
	if !slices.Equal(first, again) || slices.Equal(first, other) {
		t.Error("the order is not one of its seed")
	}
	slices.Sort(first)
	slices.Sort(other)
	if !slices.Equal(first, other) || len(slices.Compact(first)) != 60 {
		t.Error("cases are lost")
	}
}

// oracleCommand is the command of an oracle in another language; the test is skipped where it is missing and not demanded.
func oracleCommand(t *testing.T, program, script string) []string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		if os.Getenv(requireOracles) == "1" {
			t.Fatalf("%s=1, but there is no %s: %v", requireOracles, program, err)
		}
		t.Skipf("no %s", program)
	}
	if program == "python3" {
		return []string{path, "-B", script} // leaves no compiled files
	}
	return []string{path, script}
}

// Both oracles, which share no code with the library and none with each other, pass every case that they answer.
func TestRunOracles(t *testing.T) {
	for _, o := range []struct {
		program, script string
		passed          int
	}{
		{"python3", "oracle/python/oracle.py", 1000},
		{"node", "oracle/node/oracle.mjs", 500},
	} {
		t.Run(o.program, func(t *testing.T) {
			t.Parallel()
			if _, err := os.Stat(o.script); err != nil {
				t.Skip(err)
			}
			r, err := Run(t.Context(), casesOf(t), &RunOptions{Command: oracleCommand(t, o.program, o.script)})
			if err != nil {
				t.Fatal(err)
			}
			code, reason := r.Verdict()
			if code != archive.ExitGood || r.Totals()[OutcomePassed] < o.passed || r.Restarts > 0 || len(r.Notes) > 0 {
				t.Errorf("exit %d, %s; %v, %d restarts, %q", code, reason, r.Totals(), r.Restarts, r.Notes)
			}
			for i := range r.Cases {
				if c := &r.Cases[i]; c.Outcome == OutcomeFailed {
					t.Errorf("%s: %s %s %s; want %s, got %v", c.Case.ID, c.Fault, c.Detail, c.Case.Title, c.Case.Expect, c.Got)
				}
			}
		})
	}
}

// Every variant of the oracle with a deliberate mistake fails the cases that have a near miss of it, and its mistake is named there,
// more often than any other.
func TestRunNamesCauses(t *testing.T) {
	command := oracleCommand(t, "python3", "oracle/python/oracle.py")
	out, err := exec.Command(command[0], append(slices.Clone(command[1:]), "--list-broken")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	variants := strings.Fields(string(out))
	if len(variants) < 20 {
		t.Fatalf("%d variants", len(variants))
	}
	for _, name := range variants {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ids []string
			for _, f := range casesOf(t) {
				for _, c := range f.Cases {
					if slices.ContainsFunc(c.NearMiss, func(n NearMiss) bool { return n.Cause == name }) {
						ids = append(ids, c.ID)
					}
				}
			}
			if len(ids) == 0 {
				t.Fatal("no case has a near miss of this cause")
			}
			r, err := Run(t.Context(), casesOf(t, ids...), &RunOptions{Command: append(slices.Clone(command), "--broken", name)})
			if err != nil {
				t.Fatal(err)
			}
			if code, reason := r.Verdict(); code != archive.ExitNegative {
				t.Errorf("exit %d, %s", code, reason)
			}
			counts := make(map[string]int)
			for i := range r.Cases {
				for _, cause := range r.Cases[i].Causes {
					counts[cause]++
				}
			}
			for other, n := range counts {
				if n > counts[name] {
					t.Errorf("%s is named %d times, %s %d times", other, n, name, counts[name])
				}
			}
			if counts[name] == 0 {
				t.Errorf("%s is named by none of %d failures", name, r.Totals()[OutcomeFailed])
			}
		})
	}
}

func TestSelect(t *testing.T) {
	count := func(words ...string) (n int) {
		for _, f := range casesOf(t, words...) {
			n += len(f.Cases)
		}
		return n
	}
	if n := count("encode-text-two-byte"); n != 1 {
		t.Errorf("an id selects %d cases", n)
	}
	op, both := count("ed25519"), count("ed25519", "SmallOrder")
	if flag := count("SmallOrder"); flag == 0 || op == 0 || both < op || both >= op+flag {
		t.Errorf("ed25519 selects %d, SmallOrder %d, both %d", op, flag, both)
	}
	if _, err := Select(casesOf(t), []string{"encode", "smallorder"}); err == nil || !strings.Contains(err.Error(), `"smallorder"`) {
		t.Errorf("Select() = %v, want an error that names the word", err)
	}
}

func TestParseExpected(t *testing.T) {
	got, err := ParseExpected("# known\r\n\nencode-text-two-byte # later\r\n encode-text-three-byte", casesOf(t))
	if want := []string{"encode-text-two-byte", "encode-text-three-byte"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("ParseExpected() = %q, %v", got, err)
	}
	for text, want := range map[string]string{
		"encode-text-two-byte\nencode-text-two-bite\n": `line 2: there is no case "encode-text-two-bite"`,
		"encode-text-two-byte\nencode-text-two-byte\n": `line 2: case encode-text-two-byte stands there twice`,
	} {
		if _, err := ParseExpected(text, casesOf(t)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("ParseExpected(%q) = %v, want %s", text, err, want)
		}
	}
}

// Values are compared as JSON: members have no order, integers are exact.
func TestFirstDifference(t *testing.T) {
	parse := func(text string) any {
		v, err := parseValue([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	long := strings.Repeat("ab", 40)
	for _, test := range []struct{ want, got, path, shown string }{
		{`{"a":1,"b":[2]}`, `{"b":[2],"a":1}`, "", ""},
		{`18446744073709551615`, `18446744073709551616`, "answer", "18446744073709551616"},
		{`1`, `1.0`, "answer", "1.0"},
		{`null`, `""`, "answer", `""`},
		{`{"a":[{"x":1},{"x":2}]}`, `{"a":[{"x":1},{"x":3}]}`, "answer.a[1].x", "3"},
		{`{"a":[1,2]}`, `{"a":[1]}`, "answer.a[1]", ""},
		{`{"a":[1]}`, `{"a":[1,2]}`, "answer.a[1]", "2"},
		{`{"a":1}`, `{}`, "answer.a", ""},
		{`{}`, `{"a":1}`, "answer.a", "1"},
		{`"` + long + `x"`, `"` + long + `y"`, "answer", `"` + long + `y"`},
	} {
		d := firstDifference("answer", parse(test.want), parse(test.got))
		switch {
		case d == nil && test.path == "":
		case d == nil || d.Path != test.path || d.Got != test.shown:
			t.Errorf("firstDifference(%s, %s) = %+v, want %s %s", test.want, test.got, d, test.path, test.shown)
		case strings.Contains(test.want, long) != (d.At == len(long)):
			t.Errorf("firstDifference(%s, %s) is at %d", test.want, test.got, d.At)
		}
	}
}

// The steps of an answer point to the first that is wrong; a digest stands for its hash.
func TestDifferSteps(t *testing.T) {
	want := object("genesis", "00", "heads", List{"01", "02"}, "commitment", "03")
	d, right := differSteps(want, object("commitment", "sha256:03", "heads", List{"01", "ff"}, "more", "x"))
	if d == nil || d.Path != "steps.heads[1]" || len(right) != 0 {
		t.Errorf("differSteps() = %+v, %q", d, right)
	}
	d, right = differSteps(want, object("commitment", "sha256:03", "genesis", "00"))
	if d != nil || !slices.Equal(right, []string{"genesis", "commitment"}) {
		t.Errorf("differSteps() = %+v, %q", d, right)
	}
}

// A bad line is answered and ends nothing; what is asked behind it is answered.
func TestServe(t *testing.T) {
	var out bytes.Buffer
	in := strings.Join([]string{
		`{"op":"hello"}`, ``, `{`, `[]`, `{"id":1,"op":"encode"}`, `{"id":{"a":[2]},"op":"encode","input":{"text":"a"}}`,
		`{"id":"x","op":"encode","input":{"text":7}}`, `{"id":"x","op":"none","input":{}}`, `{"id":"c","op":"chain","input":{"provenance":[]}}`,
		`{"id":"v","op":"verify","input":{}}`, `{"id":"d","op":"encode","input":{"text":"a","text":"b"}}`, `{"id":"last","op":"content","input":{}}`,
	}, "\n")
	if err := Serve(strings.NewReader(in), &out, "name", "1"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`^\{"name":"name","version":"1","ops":\["encode".*\],"algorithms":\["ed25519","ed448","ml-dsa-44","ml-dsa-65","ml-dsa-87"\],"limits":\{\}\}$`,
		`^\{"id":null,"error":"malformed_input","detail":".+"\}$`, `^\{"id":null,"error":"malformed_input","detail":".+"\}$`,
		`^\{"id":1,"error":"malformed_input","detail":".+"\}$`, `^\{"id":\{"a":\[2\]\},"value":"0000000161"\}$`,
		`^\{"id":"x","error":"internal"\}$`, `^\{"id":"x","unsupported":true\}$`, `^\{"id":"c","value":"[0-9a-f]{64}","steps":\{"genesis":.*\}\}$`,
		`^\{"id":"v","error":"(internal|unusable)"\}$`, `^\{"id":null,"error":"malformed_input","detail":".+"\}$`, `^\{"id":"last","verdict":"no_content"\}$`,
	}
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), out.String())
	}
	for i, line := range lines {
		if !regexp.MustCompile(want[i]).MatchString(line) {
			t.Errorf("line %d is %s, want %s", i, line, want[i])
		}
	}
}

// The longest answer of a case is far below the bound on a line.
func TestAnswersFit(t *testing.T) {
	for _, f := range casesOf(t) {
		for _, c := range f.Cases {
			if n := len(c.Expect.String()); n > maxAnswer/8 {
				t.Errorf("%s: the answer has %d bytes, a line may have %d", c.ID, n, maxAnswer)
			}
		}
	}
}
