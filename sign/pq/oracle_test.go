package pq

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// requireOracles is the environment variable that turns a missing program from a skipped test into a failed one.
const requireOracles = "CGP_ATTEST_REQUIRE_ORACLES"

// A question is one signature to judge.
type question struct {
	family                  string
	algorithm               string
	key, message, signature []byte
}

// program returns the path of another program that the test needs.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		if os.Getenv(requireOracles) == "1" {
			t.Fatalf("%s=1, but there is no %s: %v", requireOracles, name, err)
		}
		t.Skipf("no %s for the independent implementation", name)
	}
	return path
}

// ask puts questions to the implementation in Python, and returns an answer for each.
func ask(t *testing.T, mode string, questions ...question) []string {
	t.Helper()
	var stdin, stderr bytes.Buffer
	lines := json.NewEncoder(&stdin)
	for _, q := range questions {
		if err := lines.Encode(map[string]string{
			"algorithm": q.algorithm, "key": hex.EncodeToString(q.key), "message": hex.EncodeToString(q.message),
			"signature": hex.EncodeToString(q.signature),
		}); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command(program(t, "python3"), "-B", "testdata/oracle.py", mode)
	cmd.Stdin, cmd.Stderr = &stdin, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("oracle: %v\n%s", err, stderr.Bytes())
	}
	answers := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(answers) != len(questions) {
		t.Fatalf("the oracle gave %d answers to %d questions", len(answers), len(questions))
	}
	return answers
}

// reasons are the rules by the names that the oracle has for them.
var reasons = map[string]error{
	"":                nil,
	"length":          sign.ErrMalformedKey,
	"not_canonical":   errKeyNonCanonical,
	"off_curve":       errKeyOffCurve,
	"small_order":     errKeySmallOrder,
	"mixed_order":     errKeyMixedOrder,
	"s_range":         errSOutOfRange,
	"r_not_canonical": errRNonCanonical,
	"r_off_curve":     errROffCurve,
	"r_small_order":   errRSmallOrder,
	"equation":        errEquation,
}

// judge returns the verdict on a signature, and what explains it.
func judge(t *testing.T, q question) (sign.Verdict, error) {
	t.Helper()
	s, ok := Lookup(q.algorithm)
	if !ok {
		t.Fatalf("there is no scheme %s", q.algorithm)
	}
	v, err := s.NewVerifier(q.key)
	if err == nil {
		err = v.Verify(q.message, q.signature)
	}
	switch {
	case err == nil:
		return sign.Valid, nil
	case errors.Is(err, sign.ErrMalformedKey):
		return sign.MalformedKey, err
	case errors.Is(err, sign.ErrMalformedSignature):
		return sign.MalformedSignature, err
	case errors.Is(err, sign.ErrBadSignature):
		return sign.BadSignature, err
	}
	t.Fatalf("%s: an error that is no verdict: %v", q.family, err)
	return "", nil
}

// compare asks both implementations, and returns how often each verdict was given in each family.
func compare(t *testing.T, questions []question) map[string]int {
	t.Helper()
	given := make(map[string]int)
	for i, answer := range ask(t, "verify", questions...) {
		q := questions[i]
		verdict, reason, _ := strings.Cut(answer, ":")
		want, known := reasons[reason]
		if !known {
			t.Fatalf("the oracle gives the unknown reason %q", reason)
		}
		got, err := judge(t, q)
		if string(got) != verdict || want != nil && !errors.Is(err, want) {
			t.Errorf("%s: got %s (%v), the oracle says %s\nkey %x\nmessage %x\nsignature %x", q.family, got, err, answer, q.key, q.message, q.signature)
		}
		given[q.family+" "+answer]++
	}
	return given
}

// demand fails where a family did not come to an answer as often as its cases were made for.
func demand(t *testing.T, given map[string]int, want map[string]int) {
	t.Helper()
	for what, n := range want {
		if given[what] < n {
			t.Errorf("%q: %d times, want %d at least; all: %v", what, given[what], n, given)
		}
	}
}

func unhex(t *testing.T, text string) []byte {
	t.Helper()
	raw, err := hex.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// seedOf is a seed of a scheme that every byte of is n.
func seedOf(s sign.Scheme, n byte) []byte { return bytes.Repeat([]byte{n}, s.Form().SeedSize) }

// signed is a question whose answer is valid.
func signed(t *testing.T, s sign.Scheme, n byte, message []byte) question {
	t.Helper()
	key, err := s.NewKey(seedOf(s, n))
	if err != nil {
		t.Fatal(err)
	}
	signature, err := key.Sign(nil, message, sign.Request{})
	if err != nil {
		t.Fatal(err)
	}
	public := key.Public().(sign.PublicKey)
	return question{family: "signed", algorithm: s.Name(), key: []byte(public.Bytes), message: message, signature: signature}
}

// changed is a question with one part edited.
func (q question) changed(family string, edit func(q *question)) question {
	q.family, q.key, q.message, q.signature = family, bytes.Clone(q.key), bytes.Clone(q.message), bytes.Clone(q.signature)
	edit(&q)
	return q
}

// lengths are questions with keys and signatures of every wrong length that is near.
func (q question) lengths() []question {
	var all []question
	for _, part := range []struct {
		name string
		of   func(*question) *[]byte
	}{{"key", func(q *question) *[]byte { return &q.key }}, {"signature", func(q *question) *[]byte { return &q.signature }}} {
		for _, change := range []func([]byte) []byte{
			func([]byte) []byte { return nil },
			func(b []byte) []byte { return b[:1] },
			func(b []byte) []byte { return b[:len(b)-1] },
			func(b []byte) []byte { return b[1:] },
			func(b []byte) []byte { return append(b, 0) },
			func(b []byte) []byte { return append(b, b...) },
		} {
			all = append(all, q.changed(part.name+" length", func(q *question) { p := part.of(q); *p = change(*p) }))
		}
	}
	return all
}
