package archive_test

import (
	"crypto/ed25519"
	"crypto/sha256"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
)

// Each row makes one fault on frame b, the first that is carried and the second leaf, or on the answer. It is told on the
// frame's own signature, on its proof and on the root, and on the root alone where nothing else is signed. A second fault
// explains nothing.
func TestDiagnosesOfFrames(t *testing.T) {
	text := func(s string) *string { return &s }
	for _, tc := range []struct {
		name  string
		cause archive.Cause
		fault func(s *scene)
		// The root is right in spite of the fault.
		noRoot bool
		second int // the carried frame that the second fault is on
	}{
		{name: "a link like a neighbour's dropped", cause: archive.CauseLinkDropped, fault: func(s *scene) {
			s.signed[0].Provenance = append(s.signed[0].Provenance, s.signed[2].Provenance[1])
		}},
		{name: "a link that stood twice kept once", cause: archive.CauseLinkDropped, fault: func(s *scene) {
			s.signed[0].Provenance = slices.Insert(s.signed[0].Provenance, 0, s.signed[0].Provenance[1])
		}},
		{name: "a link added", cause: archive.CauseLinkAdded, fault: func(s *scene) {
			s.carried[0].Provenance = slices.Insert(s.carried[0].Provenance, 1, sceneLink("host", "added", "-", "-", "x"))
		}},
		{name: "the first two links exchanged", cause: archive.CauseLinkReordered, fault: func(s *scene) {
			l := s.carried[0].Provenance
			l[0], l[1] = l[1], l[0]
		}},
		{name: "the first link moved to the end", cause: archive.CauseLinkReordered, fault: func(s *scene) {
			l := s.carried[0].Provenance
			s.carried[0].Provenance = append(slices.Clone(l[1:]), l[0])
		}},
		{name: "the last link moved to the front", cause: archive.CauseLinkReordered, fault: func(s *scene) {
			l := s.carried[0].Provenance
			s.carried[0].Provenance = append([]bench.Link{l[2]}, l[:2]...)
		}},
		{name: "links reversed", cause: archive.CauseLinkReordered, fault: func(s *scene) {
			s.carried[0].Provenance = append(s.carried[0].Provenance, sceneLink("fourth", "4"))
			s.signed[0].Provenance = slices.Clone(s.carried[0].Provenance)
			slices.Reverse(s.carried[0].Provenance)
		}},
		{name: "by edited", cause: archive.CauseLinkEdited, fault: func(s *scene) { s.carried[0].Provenance[0].By = text("somebody") }},
		{name: "method removed", cause: archive.CauseLinkEdited, fault: func(s *scene) { s.carried[0].Provenance[0].Method = nil }},
		{name: "type edited", cause: archive.CauseLinkEdited, fault: func(s *scene) { s.carried[0].Provenance[1].Type = text("other") }},
		{name: "a link's digest is the frame's", cause: archive.CauseLinkEdited, fault: func(s *scene) {
			s.signed[0].Provenance[0].Digest = s.signed[0].ContentDigest
		}},
		{name: "a whole link replaced", cause: archive.CauseLinkEdited, fault: func(s *scene) {
			s.signed[0].Provenance[1] = s.signed[2].Provenance[0]
		}},
		{name: "content_digest edited", cause: archive.CauseDigestOfContent, fault: func(s *scene) {
			s.carried[0].ContentDigest = text(digestOf("another text"))
		}},
		{name: "content_digest removed", cause: archive.CauseDigestOfContent, fault: func(s *scene) { s.carried[0].ContentDigest = nil }},
		{name: "content_digest filled in", cause: archive.CauseDigestOfContent, fault: func(s *scene) { s.signed[0].ContentDigest = nil }},
		{name: "an absent range is empty", cause: archive.CauseAbsentEmptyConfusion, fault: func(s *scene) {
			s.carried[0].Provenance[2].Range = text("")
		}},
		{name: "an empty content_digest is absent", cause: archive.CauseAbsentEmptyConfusion, fault: func(s *scene) {
			s.signed[0].ContentDigest, s.carried[0].ContentDigest = text(""), nil
		}},
		{name: "evidence of the next frame", cause: archive.CauseAttestationOfAnotherFrame, noRoot: true, second: 1,
			fault: func(s *scene) { s.swap = [2]int{0, 1} }},
		{name: "evidence of the last frame", cause: archive.CauseAttestationOfAnotherFrame, noRoot: true, second: 2,
			fault: func(s *scene) { s.swap = [2]int{0, 2} }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, shape := range []string{"both", "root alone", "frames alone"} {
				s := newScene(plainFrames()...)
				tc.fault(s)
				want := tc.cause
				s.proofs, s.signatures, s.root = shape == "both", shape != "root alone", shape != "frames alone"
				check := func(want archive.Cause) {
					t.Helper()
					a := s.judge(t)
					s.checkAll(t, a)
					if s.root {
						wantRoot := want
						if tc.noRoot {
							wantRoot = ""
							if want == archive.CauseNone {
								wantRoot = want
							}
						}
						if got := a.Root.Diagnosis; causeOf(got) != wantRoot {
							t.Errorf("%s: root: %+v, want %q", shape, got, wantRoot)
						}
					}
					if s.signatures {
						if got := evidenceCause(t, a, 0, archive.KindSignature); causeOf(got) != want {
							t.Errorf("%s: signature: %+v, want %q", shape, got, want)
						}
					}
					if s.proofs {
						if got := evidenceCause(t, a, 0, archive.KindInclusion); causeOf(got) != want {
							t.Errorf("%s: proof: %+v, want %q", shape, got, want)
						}
					}
				}
				check(want)
				l := s.carried[tc.second].Provenance
				l[(len(l)-1)*(2-tc.second)/2].URI = text("what nobody has")
				check(archive.CauseNone)
			}
		})
	}
}

// Faults of all frames at once, or of the answer.
func TestDiagnosesOfAnswers(t *testing.T) {
	text := func(s string) *string { return &s }
	under := func(name string) func(*bench.Frame) bench.Hash {
		return func(f *bench.Frame) bench.Hash { return bench.Commitment(name, f) }
	}
	for _, tc := range []struct {
		name   string
		cause  archive.Cause
		fault  func(s *scene)
		frames bool // the signatures of all frames tell the same
		alone  bool // the root tells it without proofs and signatures too
		second func(s *scene)
	}{
		{name: "signed under the local id", cause: archive.CauseOtherProviderID, frames: true, alone: true,
			fault: func(s *scene) { s.localID, s.commit = "our-docs", under("our-docs") }},
		{name: "signed under a name declared before", cause: archive.CauseOtherProviderID, frames: true,
			fault: func(s *scene) { s.acks, s.commit = []string{"docs-old", "web"}, under("docs-old") }},
		{name: "signed under the attester's name", cause: archive.CauseOtherProviderID, frames: true, alone: true,
			fault: func(s *scene) { s.commit = under("the attester") }},
		{name: "UTF-16 lengths", cause: archive.CauseUTF16Lengths, frames: true, alone: true,
			fault: func(s *scene) { spreadNonASCII(s); s.commit = miscount{length: unitsOf}.commit }},
		{name: "code point lengths", cause: archive.CauseCodePointLengths, frames: true, alone: true,
			fault: func(s *scene) { spreadNonASCII(s); s.commit = miscount{length: codePointsOf}.commit }},
		{name: "little endian", cause: archive.CauseLittleEndian, frames: true, alone: true,
			fault: func(s *scene) { s.commit = miscount{length: bytesOf, little: true}.commit }},
		{name: "absent as empty", cause: archive.CauseAbsentEmptyConfusion, frames: true, alone: true,
			fault: func(s *scene) {
				s.signed[1].Provenance[0].By, s.carried[1].Provenance[0].By = nil, nil
				s.commit = miscount{length: bytesOf, absentIsEmpty: true}.commit
			}},
		{name: "empty as absent", cause: archive.CauseAbsentEmptyConfusion, frames: true, alone: true,
			fault: func(s *scene) {
				for i := range s.signed {
					l := sceneLink("empty", "", "", "-", "")
					s.signed[i].Provenance = append(s.signed[i].Provenance, l)
					s.carried[i].Provenance = append(s.carried[i].Provenance, l)
				}
				s.commit = miscount{length: bytesOf, emptyIsAbsent: true}.commit
			}},
		{name: "all digests filled in", cause: archive.CauseDigestOfContent, frames: true, alone: true,
			fault: func(s *scene) {
				for i := range s.signed {
					s.signed[i].ContentDigest = nil
				}
			}},
		{name: "two frames dropped, proofs kept", cause: archive.CauseFrameMissing,
			fault: func(s *scene) { s.carried, s.entryOf = s.carried[:1], s.entryOf[:1] }},
		{name: "a frame dropped, its signed entry kept", cause: archive.CauseFrameMissing,
			fault: func(s *scene) {
				s.carried, s.entryOf, s.orphans, s.proofs = s.carried[:2], s.entryOf[:2], []int{2}, false
			}},
		{name: "every frame dropped, the signed entry of the only one kept", cause: archive.CauseFrameMissing,
			fault: func(s *scene) {
				s.signed = s.signed[:1]
				s.carried, s.entryOf, s.orphans = nil, nil, []int{0}
			}, second: func(s *scene) {
				s.tree = func(l []bench.Hash) bench.Hash { return bench.Root([]bench.Hash{l[0], l[0]}) }
			}},
		{name: "a frame added", cause: archive.CauseFrameAdded, alone: true, fault: func(s *scene) { addFrame(s, "aa") }},
		{name: "two frames added", cause: archive.CauseFrameAdded, fault: func(s *scene) { addFrame(s, "aa"); addFrame(s, "z") }},
		{name: "a copy of a frame added", cause: archive.CauseFrameAdded, alone: true, fault: func(s *scene) {
			s.carried, s.entryOf = append(s.carried, s.carried[1]), append(s.entryOf, -1)
		}},
		{name: "arrival order", cause: archive.CauseArrivalOrder, alone: true, fault: func(s *scene) { s.before = nil }},
		{name: "UTF-16 order", cause: archive.CauseUTF16Order, alone: true, fault: func(s *scene) {
			for i, id := range []string{"𝄞", "a", "\uff61"} {
				s.signed[i].ID, s.carried[i].ID = text(id), text(id)
			}
			slices.Reverse(s.carried)
			slices.Reverse(s.entryOf)
			s.before = inUTF16
		}},
		{name: "the last leaf duplicated", cause: archive.CauseDuplicateLastLeafTree, alone: true, fault: func(s *scene) { s.tree = duplicating }},
		{name: "RFC 6962's empty root", cause: archive.CauseRFC6962EmptyRoot, alone: true,
			fault: func(s *scene) {
				s.signed, s.carried, s.entryOf = nil, nil, nil
				s.tree = func([]bench.Hash) bench.Hash { return sha256.Sum256(nil) }
			}, second: func(s *scene) { s.tree = func([]bench.Hash) bench.Hash { return sha256.Sum256([]byte{0}) } }},
		{name: "a frame renamed, its entry kept", cause: archive.CauseAttestationOfAnotherFrame,
			fault: func(s *scene) {
				s.carried[0].ID, s.entryOf[0], s.orphans, s.signatures = text("renamed"), -1, []int{0}, false
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, alone := range []bool{false, true} {
				if alone && !tc.alone {
					continue
				}
				s := newScene(plainFrames()...)
				tc.fault(s)
				if alone {
					s.signatures, s.proofs = false, false
				}
				a := s.judge(t)
				s.checkAll(t, a)
				if got := a.Root.Diagnosis; causeOf(got) != tc.cause {
					t.Errorf("root alone %t: %+v, want %s", alone, got, tc.cause)
				}
				for i := range a.Frames {
					if !tc.frames || alone {
						break
					}
					if got := evidenceCause(t, a, i, archive.KindSignature); causeOf(got) != tc.cause {
						t.Errorf("signature on frame %d: %+v, want %s", i, got, tc.cause)
					}
				}
				if tc.second != nil {
					tc.second(s)
				} else {
					l := s.carried[len(s.carried)-1].Provenance
					if tc.cause == archive.CauseFrameAdded {
						l = s.carried[0].Provenance
					}
					l[0].URI = text("what nobody has")
				}
				a = s.judge(t)
				if got := a.Root.Diagnosis; causeOf(got) != archive.CauseNone {
					t.Errorf("root alone %t, two faults: %+v, want none", alone, got)
				}
			}
		})
	}
}

// checkAll holds the words of every diagnosis against what was signed.
func (s *scene) checkAll(t *testing.T, a *archive.Answer) {
	t.Helper()
	for _, d := range told(a) {
		if err := s.check(&d); err != nil {
			t.Errorf("%s on frame %d: %s: %s, which is not so: %v", d.kind, d.position, d.diagnosis.Cause, d.diagnosis.Detail, err)
		}
	}
}

// spreadNonASCII gives every frame something beyond the basic plane.
func spreadNonASCII(s *scene) {
	for i := range s.signed {
		l := sceneLink("note", "naïve 𝄞")
		s.signed[i].Provenance = append(s.signed[i].Provenance, l)
		s.carried[i].Provenance = append(s.carried[i].Provenance, l)
	}
}

func addFrame(s *scene, id string) {
	s.carried = append(s.carried, sceneFrame(id, "added "+id))
	s.entryOf = append(s.entryOf, -1)
}

// Signatures of something else, or by somebody else.
func TestDiagnosesOfSignatures(t *testing.T) {
	for _, tc := range []struct {
		name      string
		cause     archive.Cause
		signature func(ed25519.PrivateKey, bench.Hash) []byte
	}{
		{"another key at hand", archive.CauseOtherKey, signedOther},
		{"SHA-256 first", archive.CausePrehashed, signedSHA256},
		{"SHA-512 first", archive.CausePrehashed, signedSHA512},
		{"Ed25519ph", archive.CausePrehashed, signedPh},
		{"hexadecimal text", archive.CauseHexTextSigned, signedHex},
		{"text of the digest", archive.CauseHexTextSigned, signedText},
		{"another key, SHA-256 first", archive.CauseNone, func(_ ed25519.PrivateKey, h bench.Hash) []byte { return signedSHA256(otherKey, h) }},
		{"another key, Ed25519ph", archive.CauseNone, func(_ ed25519.PrivateKey, h bench.Hash) []byte { return signedPh(otherKey, h) }},
		{"another key, hexadecimal text", archive.CauseNone, func(_ ed25519.PrivateKey, h bench.Hash) []byte { return signedHex(otherKey, h) }},
		{"a key that nobody holds", archive.CauseNone, func(_ ed25519.PrivateKey, h bench.Hash) []byte { return ed25519.Sign(signingKey(9), h[:]) }},
		{"hexadecimal text, SHA-256 first", archive.CauseNone, func(k ed25519.PrivateKey, h bench.Hash) []byte { return signedHex(k, sha256.Sum256(h[:])) }},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := newScene(plainFrames()...)
			s.signature = tc.signature
			a := s.judge(t)
			if got := a.Root.Diagnosis; causeOf(got) != tc.cause {
				t.Errorf("root: %+v, want %s", got, tc.cause)
			}
			for i := range a.Frames {
				for _, kind := range []archive.EvidenceKind{archive.KindSignature, archive.KindInclusion} {
					if got := evidenceCause(t, a, i, kind); causeOf(got) != tc.cause {
						t.Errorf("%s on frame %d: %+v, want %s", kind, i, got, tc.cause)
					}
				}
			}
		})
	}
}

// Where everything is as it was signed there is nothing to explain.
func TestNothingToDiagnose(t *testing.T) {
	a := newScene(plainFrames()...).judge(t)
	if a.Root.Diagnosis != nil {
		t.Errorf("root: %+v", a.Root.Diagnosis)
	}
	for i := range a.Frames {
		for _, ev := range a.Frames[i].Evidence {
			if ev.Diagnosis != nil || !ev.State.Verifies() {
				t.Errorf("frame %d: %s evidence is %s, diagnosis %+v", i, ev.Kind, ev.State, ev.Diagnosis)
			}
		}
	}
}
