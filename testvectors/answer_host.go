package testvectors

import (
	"errors"

	"contextgraphprotocol.org/cgp-attest/archive"
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
	part, reason := archive.Addressed(optional(in, "range"), fileOf(in, "file"))
	if reason != "" {
		return Result{Error: string(reason)}
	}
	return Result{Value: object("bytes", hexOf(part), "digest", commitment.ContentDigest(string(part)).String())}
}
