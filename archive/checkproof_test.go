package archive_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// proven is the first entry of a signed answer, and the rest of what CheckProof takes.
type proven struct {
	frame, proof, attestation []byte
	root                      commitment.Digest
}

func provenAnswer(t *testing.T, frames ...string) proven {
	t.Helper()
	signed := signedByHand(t, frames...)
	if !strings.Contains(frames[0], `"bare"`) {
		signed = signedDocs(t, archive.ShapeRoot, frames...)
	}
	result, err := archive.Prove(strings.NewReader(signed), archive.ProveOptions{Provider: commitment.Some("docs")})
	if err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	var message struct {
		Result struct {
			Root json.RawMessage `json:"result_attestation"`
		} `json:"result"`
	}
	if err := errors.Join(json.Unmarshal(result.AppendJSON(nil), &list), json.Unmarshal([]byte(signed), &message)); err != nil {
		t.Fatal(err)
	}
	return proven{[]byte(frames[0]), list[0], message.Result.Root, result.Root}
}

func TestCheckProof(t *testing.T) {
	p := provenAnswer(t, frameOf("a", "x"), frameOf("b", "y"), frameOf("c", "z"))
	bare := provenAnswer(t, `{"id":"bare","content":"x"}`, frameOf("b", "y"))
	other := provenAnswer(t, frameOf("a", "x"), frameOf("d", "y"))
	key := publicKey(signingKey(7))
	attested := archive.ProofRoot{Attestation: p.attestation, Key: key}
	replace := func(old, new string) []byte { return []byte(strings.Replace(string(p.proof), old, new, 1)) }
	for _, row := range []struct {
		name     string
		frame    []byte
		proof    []byte
		to       archive.ProofRoot
		want     sign.Verdict
		attested bool
	}{
		{"root", p.frame, p.proof, archive.ProofRoot{Root: p.root}, sign.Valid, false},
		{"attestation", p.frame, p.proof, attested, sign.Valid, true},
		{"in an array", p.frame, []byte("[" + string(p.proof) + "]"), attested, sign.Valid, true},
		{"another root", p.frame, p.proof, archive.ProofRoot{Root: other.root}, sign.CommitmentMismatch, false},
		{"another frame", []byte(frameOf("c", "z")), p.proof, attested, sign.CommitmentMismatch, true},
		{"proof of another answer", p.frame, other.proof, attested, sign.CommitmentMismatch, true},
		{"attestation of another answer", p.frame, p.proof, archive.ProofRoot{Attestation: other.attestation, Key: key}, sign.CommitmentMismatch, true},
		{"another key", p.frame, p.proof, archive.ProofRoot{Attestation: p.attestation, Key: publicKey(signingKey(8))}, sign.BadSignature, true},
		{"another index", p.frame, replace(`"leaf_index":0`, `"leaf_index":2`), attested, sign.MalformedCommitment, true},
		{"index beyond", p.frame, replace(`"leaf_index":0`, `"leaf_index":3`), archive.ProofRoot{Root: p.root}, sign.MalformedCommitment, false},
		{"no digest", bare.frame, bare.proof, archive.ProofRoot{Root: bare.root}, sign.ValidIdentityOnly, false},
		{"no digest, attestation", bare.frame, bare.proof, archive.ProofRoot{Attestation: bare.attestation, Key: key}, sign.ValidIdentityOnly, true},
		{"unknown algorithm", p.frame, p.proof, archive.ProofRoot{Attestation: []byte(strings.Replace(string(p.attestation), "ed25519", "x", 1)), Key: key},
			sign.UnknownAlgorithm, true},
	} {
		t.Run(row.name, func(t *testing.T) {
			leaf, err := archive.FrameSubject(row.frame, "docs")
			if err != nil {
				t.Fatal(err)
			}
			r, err := archive.CheckProof(sign.Ed25519Only(), row.proof, leaf, row.to)
			if err != nil || r.Verdict != row.want || r.Attested != row.attested {
				t.Fatalf("CheckProof = %s (%s), attested %t, %v, want %s, %t", r.Verdict, r.Detail, r.Attested, err, row.want, row.attested)
			}
			if root, leads := r.Root.Text(); leads && root != r.Expected.String() {
				t.Errorf("root %s, expected %s, want one value", root, r.Expected)
			}
		})
	}
	leaf := sign.Subject{}
	for _, text := range []string{"", "{}", "null", "[]", "[1,2]", `{"inclusion_proof":null}`, `{"leaf_index":0,"leaf_count":1}`, string(p.proof) + "x"} {
		if _, err := archive.CheckProof(sign.Ed25519Only(), []byte(text), leaf, attested); !errors.Is(err, archive.ErrNoProof) {
			t.Errorf("CheckProof(%q) = %v, want ErrNoProof", text, err)
		}
	}
	if _, err := archive.CheckProof(sign.Ed25519Only(), p.proof, leaf, archive.ProofRoot{Attestation: []byte("{}")}); !errors.Is(err, archive.ErrNoAttestation) {
		t.Errorf("CheckProof = %v, want ErrNoAttestation", err)
	}
	linked := func(n int) string {
		return `{"id":"a","provenance":[` + strings.TrimSuffix(strings.Repeat(`{"type":"file"},`, n), ",") + `]}`
	}
	if _, err := archive.FrameSubject([]byte(linked(10_000)), "docs"); err != nil {
		t.Error(err)
	}
	for _, text := range []string{"", "[]", `{"content":"x"}`, `{"id":7}`, linked(10_001)} {
		if _, err := archive.FrameSubject([]byte(text), "docs"); !errors.Is(err, archive.ErrNoFrame) {
			t.Errorf("FrameSubject(%.60q) = %v, want ErrNoFrame", text, err)
		}
	}
}

// Proofs are those that signing writes, and a proof is never made over another tree than the signed one.
func TestProve(t *testing.T) {
	frames, ids := secretFrames(7)
	signed := signedDocs(t, archive.ShapeRoot, frames...)
	opt := archive.ProveOptions{Provider: commitment.Some("docs")}
	result, err := archive.Prove(strings.NewReader(signed), opt)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(result.AppendJSON(nil)); !strings.Contains(signed, strings.ReplaceAll(got, ",\n", ",")) || len(result.Proofs) != 7 || !result.Signed {
		t.Errorf("proofs are not those of sign: %s", got)
	}
	opt.Frames = refs(ids[3])
	if result, err = archive.Prove(strings.NewReader(answerOf(frames...)), opt); err != nil || len(result.Proofs) != 1 || result.Signed {
		t.Errorf("Prove of an unsigned answer = %+v, %v", result, err)
	}
	var r *archive.RetainRefusal
	_, err = archive.Prove(strings.NewReader(strings.Replace(signed, frames[0]+",", "", 1)), opt)
	if !errors.As(err, &r) || r.Rule != archive.RetainRootMismatch {
		t.Errorf("Prove = %v, want root_mismatch", err)
	}
	opt.Frames = refs("nobody")
	if _, err = archive.Prove(strings.NewReader(signed), opt); !errors.Is(err, archive.ErrUnknownFrame) {
		t.Errorf("Prove = %v, want ErrUnknownFrame", err)
	}
}
