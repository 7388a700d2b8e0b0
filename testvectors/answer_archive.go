package testvectors

import (
	"bytes"
	"context"
	"io"
	"slices"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// answerContent asks the archive's own judge about an answer that holds nothing but the content.
func answerContent(in Object) Result {
	frame := object("id", "f")
	for _, name := range []string{"content", "content_digest"} {
		if text, present := optional(in, name).Text(); present {
			frame = append(frame, Member{name, text})
		}
	}
	message := marshal(object("type", "frames", "result", object("frames", List{frame})))
	report, err := (&archive.Verifier{}).VerifyReader(context.Background(), "", bytes.NewReader(message))
	if err != nil {
		panic(err)
	}
	return Result{Verdict: string(report.Answers[0].Frames[0].Content)}
}

// inputBytes are the bytes of one input.
func inputBytes(in Object) []byte {
	if v, ok := in.Find("text"); ok {
		return []byte(v.(string))
	}
	return fromHex(asked[string](in, "bytes"))
}

func source(text []byte) archive.Source {
	return archive.Source{Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
}

// What a record that can be read is called in an answer.
var recordKinds = map[archive.RecordKind]string{
	archive.RecordAnswer: kindAnswer, archive.RecordHandshake: kindHandshake, archive.RecordPassedOver: kindPassedOver,
}

func answerWire(in Object) Result {
	records := List{}
	err := archive.Survey(source(inputBytes(in)), archive.Limits{}, func(s archive.Surveyed) error {
		o := object("record", integer(s.Record))
		if s.Fault != nil {
			o = append(o, Member{memberError, string(s.Fault.Code)})
		} else {
			o = append(o, Member{"kind", recordKinds[s.Kind]})
		}
		records = append(records, o)
		return nil
	})
	if err != nil {
		panic(err)
	}
	return Result{Value: records}
}

// keyring holds the keys of an answer's input. The error says why one of them may not be trusted.
func keyring(in Object) (*archive.Keyring, error) {
	ring := &archive.Keyring{}
	if v, ok := in.Find("trusted"); ok {
		for _, e := range v.(List) {
			o := e.(Object)
			w, ok := windowOf(o)
			if !ok {
				panic("a trusted key's window is malformed")
			}
			tier := keys.Tier(optional(o, "tier").OrEmpty())
			if tier == "" {
				tier = keys.TierConfigured
			}
			key := sign.PublicKey{Algorithm: asked[string](o, "algorithm"), Bytes: string(fromHex(asked[string](o, "public_key")))}
			trusted := keys.TrustedKey{KeyID: asked[string](o, "key_id"), Key: key, Window: w, Tier: tier}
			if err := ring.TrustKey(asked[string](o, "local_id"), trusted, "trusted"); err != nil {
				return nil, err
			}
		}
	}
	if v, ok := in.Find("published"); ok {
		for _, e := range v.(List) {
			o := e.(Object)
			file := object("attester_keys", List{o.without("provider")})
			if provider := asked[string](o, "provider"); provider != archive.AnyProvider {
				file = append(object("type", "handshake_ack", "provider", object("name", provider)), file...)
			}
			if err := ring.Publish(marshal(file), "published"); err != nil {
				panic(err)
			}
		}
	}
	return ring, nil
}

// verifierOf is the verifier that an input asks for: its keys and its policy.
func verifierOf(in Object) (*archive.Verifier, error) {
	keys, err := keyring(in)
	if err != nil {
		return nil, err
	}
	return &archive.Verifier{Keys: keys, Policy: archive.Policy{
		Require:           archive.Level(optional(in, "require").OrEmpty()),
		AllowIdentityOnly: flag(in, "allow_identity_only"),
		AllowOpaqueDigest: flag(in, "allow_opaque_digest"),
		Retained:          flag(in, "retained"),
		Provider:          optional(in, "provider"),
		LocalID:           optional(in, "local_id"),
		ReceivedAt:        receivedAt(in),
	}}, nil
}

// judged is the report on an answer's input, nil where its keys are none to judge by.
func judged(in Object) *archive.Report {
	v, err := verifierOf(in)
	if err != nil {
		return nil
	}
	report, err := v.VerifyReader(context.Background(), "", bytes.NewReader(inputBytes(in)))
	if err != nil {
		panic(err)
	}
	return report
}

// receivedAt is the instant that windows are compared with.
func receivedAt(in Object) archive.ReceivedAt {
	at := archive.ReceivedAt{Source: archive.InstantFromFlag}
	if text, present := optional(in, "received_at").Text(); present {
		var err error
		if at.Instant, err = commitment.ParseInstant(text); err != nil {
			panic(err)
		}
	}
	return at
}

func answerAnswer(in Object) Result {
	report := judged(in)
	answers, faults := List{}, List{}
	if report == nil {
		return Result{Value: object("answers", answers, "errors", faults, "exit_code", integer(archive.ExitUsage))}
	}
	for _, a := range report.Answers {
		answers = append(answers, answerObject(a))
	}
	for _, e := range report.Errors {
		faults = append(faults, object("record", integer(e.Record), "code", string(e.Code)))
	}
	return Result{Value: object("answers", answers, "errors", faults, "exit_code", integer(report.Summary.ExitCode))}
}

// orNull is null for the empty string.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// fromZero is null below zero.
func fromZero(n int) any {
	if n < 0 {
		return nil
	}
	return integer(n)
}

func answerObject(a *archive.Answer) Object {
	var provider, root any
	if name, known := a.ProviderID.Text(); known {
		provider = name
	}
	if r := a.Root; r != nil {
		root = object("recomputed", orNull(r.Recomputed), "state", string(r.State), memberVerdict, string(r.Verdict))
	}
	frames, findings := List{}, []string{}
	for i := range a.Frames {
		frames = append(frames, frameObject(&a.Frames[i]))
	}
	for i := range a.Findings {
		findings = append(findings, string(a.Findings[i].Code))
	}
	slices.Sort(findings)
	return object("record", integer(a.Record), "provider_id", provider, "provider_source", string(a.ProviderSource),
		"class", string(a.Class), "root", root, "frames", frames, "findings", texts(findings))
}

func frameObject(f *archive.Frame) Object {
	evidence := List{}
	for i := range f.Evidence {
		e := &f.Evidence[i]
		evidence = append(evidence, object("kind", string(e.Kind), "entry", fromZero(e.Entry), "state", string(e.State), memberVerdict, string(e.Verdict)))
	}
	o := object("position", integer(f.Position), "leaf_index", fromZero(f.LeafIndex), "frame_id", f.FrameID, "state", string(f.State))
	if f.Tier != "" {
		o = append(o, Member{"tier", string(f.Tier)})
	}
	return append(o, object("class", string(f.Class), "content", string(f.Content), "commitment", orNull(f.Commitment), "evidence", evidence)...)
}

// answerReasons tells why evidence cannot be evaluated, why a key is out of service, and what is wrong with a frame.
func answerReasons(in Object) Result {
	answers := List{}
	for _, a := range judged(in).Answers {
		var root any
		if a.Root != nil {
			root = orNull(string(a.Root.Reason))
		}
		frames := List{}
		for i := range a.Frames {
			f := &a.Frames[i]
			evidence := List{}
			for k := range f.Evidence {
				e := &f.Evidence[k]
				evidence = append(evidence, object("kind", string(e.Kind), "entry", fromZero(e.Entry), "reason", orNull(string(e.Reason))))
			}
			frames = append(frames, object("position", integer(f.Position), "reason", orNull(string(f.Reason)), "evidence", evidence))
		}
		answers = append(answers, object("record", integer(a.Record), "root", root, "frames", frames))
	}
	return Result{Value: answers}
}
