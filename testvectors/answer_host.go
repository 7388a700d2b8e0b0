package testvectors

import (
	"errors"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func answerKey(in Object) Result {
	key, err := keys.ParsePublicKey([]byte(asked[string](in, "public_key")))
	if err != nil {
		return Result{Error: string(sign.MalformedKey)}
	}
	return Result{Value: object("algorithm", key.Algorithm, "public_key", hexOf([]byte(key.Bytes)), "fingerprint", keys.Fingerprint(key))}
}

// The two ways in which an instant stands alone.
const instantWellFormed = "well_formed"

func answerInstant(in Object) Result {
	a, errA := commitment.ParseInstant(asked[string](in, "a"))
	text, two := in.Find("b")
	if !two {
		if errA != nil {
			return Result{Verdict: string(keys.MalformedInstant)}
		}
		return Result{Verdict: instantWellFormed}
	}
	b, errB := commitment.ParseInstant(text.(string))
	if errA != nil || errB != nil {
		return Result{Verdict: string(keys.MalformedInstant)}
	}
	return Result{Verdict: [...]string{"before", "equal", "after"}[a.Compare(b)+1]}
}

// windowOf reads a window; ok is false where an end is malformed.
func windowOf(in Object) (w keys.Window, ok bool) {
	for name, end := range map[string]*commitment.Instant{"not_before": &w.NotBefore, "not_after": &w.NotAfter} {
		text, present := optional(in, name).Text()
		if !present {
			continue
		}
		var err error
		if *end, err = commitment.ParseInstant(text); err != nil {
			return w, false
		}
	}
	return w, true
}

func answerWindow(in Object) Result {
	w, ok := windowOf(in)
	if !ok {
		return Result{Verdict: string(keys.MalformedWindow)}
	}
	// An instant that cannot be read is none: the zero Instant, which is in no window.
	at, _ := commitment.ParseInstant(optional(in, "at").OrEmpty())
	return Result{Verdict: string(w.Service(at))}
}

// fileOf returns the bytes of a file that stands in an input as text or as hex.
func fileOf(in Object, name string) []byte {
	if v, ok := in.Find(name); ok {
		return []byte(v.(string))
	}
	return fromHex(asked[string](in, name+"_hex"))
}

func answerTrust(in Object) Result {
	store, err := keys.ParseStore(fileOf(in, "file"))
	var fault *keys.TrustFault
	if errors.As(err, &fault) {
		return Result{Error: string(fault.Rule)}
	}
	providers := Object{}
	for localID, k := range store.All() {
		o := object("key_id", k.KeyID, "public_key", hexOf([]byte(k.Key.Bytes)), "tier", string(k.Tier))
		if !k.Window.NotBefore.IsZero() {
			o = append(o, Member{"not_before", k.Window.NotBefore.String()})
		}
		if !k.Window.NotAfter.IsZero() {
			o = append(o, Member{"not_after", k.Window.NotAfter.String()})
		}
		list, _ := providers.Find(localID)
		held, _ := list.(List)
		providers = providers.with(localID, append(held, o))
	}
	return Result{Value: providers}
}

func answerRange(in Object) Result {
	part, reason := addressed(optional(in, "range"), fileOf(in, "file"))
	if reason != "" {
		return Result{Error: reason}
	}
	return Result{Value: object("bytes", hexOf(part), "digest", commitment.ContentDigest(string(part)).String())}
}

// The published names of what a range cannot be.
const (
	rangeUnrecognised = "unrecognised"
	rangeInverted     = "inverted"
	rangePastEnd      = "start_past_end"
)

// addressed returns the part of a file that a range addresses (CGP §6.2.1, F17), or why it addresses nothing: L, a line number
// from 1, and perhaps - and another one. Lines end with LF alone.
func addressed(text commitment.Optional, file []byte) (part []byte, reason string) {
	s, present := text.Text()
	if !present {
		return file, ""
	}
	numbers, found := strings.CutPrefix(s, "L")
	from, to, pair := strings.Cut(numbers, "-")
	if !pair {
		to = from
	}
	if !found || !isLineNumber(from) || !isLineNumber(to) {
		return nil, rangeUnrecognised
	}
	if len(to) < len(from) || len(to) == len(from) && to < from {
		return nil, rangeInverted
	}
	lines := strings.SplitAfter(string(file), "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	first, last := lineNumber(from, len(lines)+1), lineNumber(to, len(lines))
	if first > len(lines) {
		return nil, rangePastEnd
	}
	return []byte(strings.Join(lines[first-1:last], "")), ""
}

func isLineNumber(s string) bool {
	return s != "" && s[0] != '0' && strings.Trim(s, "0123456789") == ""
}

// lineNumber returns a line number, at most most.
func lineNumber(s string, most int) int {
	n := 0
	for _, digit := range s {
		n = min(n*10+int(digit-'0'), most)
	}
	return n
}
