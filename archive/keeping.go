package archive

import (
	"cmp"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// A keeping is a complete answer, its judgement, and what is kept of it.
type keeping struct {
	*whole
	judge      *judge
	form       RetainForm
	positions  []int                     // of the kept frames, in the order carried
	signatures map[int]*sign.Attestation // by position: the frame's own
	proofs     int                       // that were written
}

// weigh refuses an answer whose evidence does not carry what is to be kept.
func (k *keeping) weigh() error {
	a := k.rec.answer
	if a.root.present {
		if err := k.grow(); err != nil {
			return err
		}
		if root := k.judge.out.Root; root.State == StateInvalid {
			return k.refuse(RetainInvalidEvidence, -1, "the result attestation is %s%s", root.Verdict, because(root.Detail))
		}
		if o, bad := k.badUnderHeldKey(&a.root); bad {
			return k.refuse(RetainInvalidEvidence, -1, "the result attestation is %s%s", o.Verdict, because(o.Detail.Error()))
		}
	}
	if a.bare {
		return k.refuse(RetainUnsigned, -1, "the answer carries no evidence")
	}
	k.signatures = make(map[int]*sign.Attestation)
	for _, i := range k.positions {
		f := &k.judge.out.Frames[i]
		switch {
		case f.State == StateMalformedFrame:
			return k.refuse(RetainMalformedFrame, i, "%s", f.Detail)
		case f.Content == ContentMismatch:
			return k.refuse(RetainContentMismatch, i, "content_digest is %s, the content's is %s", f.ContentDigest.OrEmpty(),
				commitment.ContentDigest(a.frames[i].content.OrEmpty()))
		}
		if err := k.chooseSignature(i); err != nil {
			return err
		}
		if k.signatures[i] == nil && (k.form == RetainEnvelope || k.tree == nil) {
			return k.refuse(RetainUnsignedFrame, i, "the frame has no signature of its own, and %s", k.withoutProof())
		}
	}
	return nil
}

func (k *keeping) withoutProof() string {
	if k.tree == nil {
		return "the answer has no signed root"
	}
	return "an envelope carries no proofs"
}

// badUnderHeldKey judges an attestation under the key at hand, in service or not: a window says when evidence counts, and what
// a signature is it is at any time.
func (k *keeping) badUnderHeldKey(p *piece[sign.Attestation]) (sign.Outcome, bool) {
	if !p.usable() {
		return sign.Outcome{}, false
	}
	held, ok := k.judge.lookup(p.value.KeyID, p.value.Algorithm)
	if !ok {
		return sign.Outcome{}, false
	}
	o := k.judge.underKey(&p.value, held)
	return o, o.Verdict.Negative()
}

// underKey judges an attestation under one key, over the commitment that it says it signs. Where that is no digest the judgement
// says so, unless the algorithm is one that nobody here knows: then there is none.
func (j *judge) underKey(att *sign.Attestation, held heldKey) sign.Outcome {
	signed, _ := commitment.ParseDigest(att.SignedCommitment)
	return j.keys.algorithms().Verify(att, sign.Subject{Commitment: signed, BindsContent: true}, held.key)
}

// chooseSignature finds the attestation that goes along with a frame: one that verifies, else one that nobody here can check.
// Any that is wrong refuses, wherever it stands.
func (k *keeping) chooseSignature(i int) error {
	evidence := k.judge.out.Frames[i].Evidence
	var verified, unchecked *sign.Attestation
	for n := range evidence {
		ev := &evidence[n]
		if ev.Kind != KindSignature {
			continue
		}
		att := k.rec.answer.entries[ev.Entry].attestation
		switch {
		case ev.State == StateInvalid:
			return k.refuse(RetainInvalidEvidence, i, "signature evidence is %s%s", ev.Verdict, because(ev.Detail))
		case !att.usable():
		case ev.State.Verifies():
			verified = cmp.Or(verified, &att.value)
		default:
			if o, bad := k.badUnderHeldKey(att); bad {
				return k.refuse(RetainInvalidEvidence, i, "signature evidence is %s%s", o.Verdict, because(o.Detail.Error()))
			}
			unchecked = cmp.Or(unchecked, &att.value)
		}
	}
	if chosen := cmp.Or(verified, unchecked); chosen != nil {
		k.signatures[i] = chosen
	}
	return nil
}

// write makes the record: nothing of what is dropped is in it.
func (k *keeping) write() ([]byte, error) {
	var out []byte
	a := k.rec.answer
	if k.form == RetainEnvelope {
		out = append(out, `{"type":"frames"`...)
	} else {
		out = appendQuote(append(out, `{"format":`...), FormatEvidence)
		out = appendQuote(append(out, `,"provider_id":`...), k.provider.name)
		out = appendOptionalMember(out, "local_id", k.rec.localID)
		out = appendOptionalMember(out, "received_at", k.rec.receivedAt)
	}
	out = appendOptionalMember(out, "id", a.id)
	out = append(out, `,"result":{"frames":[`...)
	for n, i := range k.positions {
		if n > 0 {
			out = append(out, ',')
		}
		out = append(out, k.at.Bytes[a.frames[i].at.start:a.frames[i].at.end]...)
	}
	out = append(out, ']')
	for m := range strictjson.Members(k.at.Bytes[a.result.start:a.result.end]) {
		if _, is := strictjson.Bool(m.Value); is && m.Name == "truncated" {
			out = append(append(out, `,"truncated":`...), m.Value...)
		}
	}
	out, err := k.appendEntries(append(out, `,"frame_attestations":[`...))
	if err != nil {
		return nil, err
	}
	out = append(out, ']')
	if k.form == RetainEnvelope {
		return append(out, "}}\n"...), nil
	}
	if a.root.present {
		out = appendAttestation(append(out, `,"result_attestation":`...), &a.root.value)
	}
	out = append(out, '}')
	return append(k.appendKeys(out), "}\n"...), nil
}

// appendEntries appends one entry for each distinct kept frame.
func (k *keeping) appendEntries(out []byte) ([]byte, error) {
	for n, i := range k.distinctOf(k.positions) {
		if n > 0 {
			out = append(out, ',')
		}
		id := k.rec.answer.frames[i].Identity(k.provider.name)
		out = appendFrameID(append(out, `{"frame":`...), &id)
		if att := k.signatures[i]; att != nil {
			out = appendAttestation(append(out, `,"attestation":`...), att)
		}
		if k.tree != nil && k.form == RetainEvidence {
			p, err := k.proof(i)
			if err != nil {
				return nil, err
			}
			out = appendProof(append(out, `,"inclusion_proof":`...), &p)
			k.proofs++
		}
		out = append(out, '}')
	}
	return out, nil
}

// appendKeys appends the published keys that the evidence written names: those given beside the input, else those of the
// session, and none under which the evidence would be wrong.
func (k *keeping) appendKeys(out []byte) []byte {
	var named []*sign.Attestation
	if k.rec.answer.root.present {
		named = append(named, &k.rec.answer.root.value)
	}
	for _, i := range k.positions {
		if att := k.signatures[i]; att != nil {
			named = append(named, att)
		}
	}
	seen := make(map[string]bool)
	var list []byte
	for _, att := range named {
		held, ok := k.publishedFor(att)
		if seen[att.KeyID] || !ok {
			continue
		}
		seen[att.KeyID] = true
		if list != nil {
			list = append(list, ',')
		}
		list = appendQuote(append(list, `{"key_id":`...), held.raw.keyID)
		list = appendQuote(append(list, `,"algorithm":`...), held.raw.algorithm)
		list = append(appendQuote(append(list, `,"public_key":`...), held.raw.publicKey), '}')
	}
	if list == nil {
		return out
	}
	return append(append(append(out, `,"attester_keys":[`...), list...), ']')
}

// publishedFor finds the published key that an attestation names, by key_id and algorithm as a look-up does.
func (k *keeping) publishedFor(att *sign.Attestation) (heldKey, bool) {
	given, isGiven := k.judge.keys.publishedUnder(k.provider.name, att.KeyID)
	session, isInSession := k.judge.view.published(k.provider.name, att.KeyID)
	for _, c := range []struct {
		held heldKey
		ok   bool
	}{{given, isGiven}, {session, isInSession}} {
		if c.ok && c.held.raw.algorithm == att.Algorithm && !k.judge.underKey(att, c.held).Verdict.Negative() {
			return c.held, true
		}
	}
	return heldKey{}, false
}

func appendOptionalMember(dst []byte, name string, o commitment.Optional) []byte {
	text, present := o.Text()
	if !present {
		return dst
	}
	dst = append(appendQuote(append(dst, ','), name), ':')
	return appendQuote(dst, text)
}
