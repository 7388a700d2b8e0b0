package commitment_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// The known answers in this file are published by the Context Graph Protocol repository in
// tests/vectors/attestation-vectors.json, which contextgraph_types::attest, the reference implementation, checks too. A few
// stand here as they are there; TestPublishedVectors reads the whole file.

// The links of the published file, under the names that it gives them.
var (
	asciiMinimal = commitment.Link{Type: "file", URI: commitment.Some("a")}
	fileLink     = commitment.Link{
		Type:   "file",
		URI:    commitment.Some("src/retry.rs"),
		Range:  commitment.Some("L10-L20"),
		Digest: commitment.Some("sha256:" + strings.Repeat("ab", 32)),
	}
	derivation = commitment.Link{
		Type:   "derivation",
		Method: commitment.Some("extractive_summary"),
		By:     commitment.Some("refprov/1.0"),
	}
	unicodeLink = commitment.Link{
		Type:   "file",
		URI:    commitment.Some("docs/naïve/日本語.md"),
		Range:  commitment.Some("L1-L2"),
		Method: commitment.Some("résumé"),
		By:     commitment.Some("𝄞-agent"),
	}
	retryPolicy = commitment.Frame{
		ID:            "retry-policy",
		ContentDigest: commitment.Some("sha256:" + strings.Repeat("cd", 32)),
		Provenance:    []commitment.Link{fileLink},
	}
)

func TestAppendLinkPublished(t *testing.T) {
	for _, tt := range []struct {
		name string
		link commitment.Link
		want string
	}{
		{"ascii_minimal", asciiMinimal, "0000000466696c6501000000016100000000"},
		{"unicode", unicodeLink, "0000000466696c650100000018646f63732f6e61c3af76652fe697a5e69cace8aa9e2e6d6401000000054c312d" +
			"4c3200010000000872c3a973756dc3a9010000000af09d849e2d6167656e74"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitment.AppendLink(nil, &tt.link)
			if err != nil {
				t.Fatal(err)
			}
			if want := mustHex(t, tt.want); !bytes.Equal(got, want) {
				t.Errorf("AppendLink(nil, %s) = %x, want %x", tt.name, got, want)
			}
		})
	}
}

func TestChainHeadPublished(t *testing.T) {
	for _, tt := range []struct {
		name  string
		links []commitment.Link
		want  string
	}{
		{"nil", nil, "sha256:2ab226c884ffeb5ac95d300a8d8ee726cb4488fb59a19047d21da7170e9b63d6"},
		{"empty", []commitment.Link{}, "sha256:2ab226c884ffeb5ac95d300a8d8ee726cb4488fb59a19047d21da7170e9b63d6"},
		{"file", []commitment.Link{fileLink}, "sha256:ac5418d723088033179a2671d17cd08d3e082eefa783e3eeb1a5145f83592178"},
		{"file_then_derivation", []commitment.Link{fileLink, derivation},
			"sha256:2245cb46807d55e9e89479b2948d7887fbba95430dd315d63972744a47a18410"},
		{"unicode", []commitment.Link{unicodeLink}, "sha256:af8acb1dd4bd884f03cfcb21983b680b906f92733d905c3f22949fe90c8de065"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitment.ChainHead(tt.links)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("ChainHead(%s) = %s, want %s", tt.name, got, tt.want)
			}
		})
	}
}

func TestOfPublished(t *testing.T) {
	for _, tt := range []struct {
		name  string
		frame commitment.Frame
		want  string
	}{
		{"retry-policy", retryPolicy, "sha256:cba5cb083177e61ce370ab586dbf7096508e5224ad18d213c902e014796c88ea"},
		// The signed answer among the protocol's example messages; its content_digest is not in the form of a digest.
		{"opaque content_digest", commitment.Frame{
			ID:            "repo-graph:retry-doc",
			ContentDigest: commitment.Some("sha256:9f2c3e7a1b"),
			Provenance: []commitment.Link{{
				Type:   "file",
				URI:    commitment.Some("file:///repo/docs/retry.md"),
				Range:  commitment.Some("L1-20"),
				Digest: commitment.Some("sha256:" + strings.Repeat("01", 32)),
				Method: commitment.Some("file-read"),
				By:     commitment.Some("repo-graph"),
			}},
		}, "sha256:7951637413208edb0ade6e2a26d3a4cae01cc7b89ff5274529551a417b7f442d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := commitment.Of("repo-graph", &tt.frame)
			if err != nil {
				t.Fatal(err)
			}
			if got.String() != tt.want {
				t.Errorf("Of(repo-graph, %s) = %s, want %s", tt.name, got, tt.want)
			}
		})
	}
}

// published is the part of attestation-vectors.json that this package computes.
type published struct {
	DomainTags map[string]string `json:"domain_tags"`
	Links      map[string]struct {
		Type   string  `json:"type"`
		URI    *string `json:"uri"`
		Range  *string `json:"range"`
		Digest *string `json:"digest"`
		Method *string `json:"method"`
		By     *string `json:"by"`
	} `json:"links"`
	LinkEncodings map[string]string `json:"link_encodings_hex"`
	UnicodeTrap   struct {
		URI, By struct {
			UTF8       int `json:"utf8_bytes"`
			CodePoints int `json:"code_points"`
			UTF16      int `json:"utf16_code_units"`
		}
	} `json:"unicode_length_trap"`
	ChainHeads      map[string]string `json:"chain_heads"`
	FrameCommitment struct {
		ProviderID string `json:"provider_id"`
		Frame      struct {
			ID            string   `json:"id"`
			ContentDigest *string  `json:"content_digest"`
			Provenance    []string `json:"provenance"`
		} `json:"frame"`
		Commitment string `json:"commitment"`
	} `json:"frame_commitment"`
	Signature struct {
		Attestation struct {
			SignedCommitment string `json:"signed_commitment"`
			IssuedAt         string `json:"issued_at"`
		} `json:"attestation"`
	} `json:"signature"`
}

func optional(s *string) commitment.Optional {
	if s == nil {
		return commitment.Optional{}
	}
	return commitment.Some(*s)
}

func readPublished(t *testing.T) (published, map[string]commitment.Link) {
	t.Helper()
	var p published
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/attestation-vectors.json"), &p); err != nil {
		t.Fatal(err)
	}
	links := map[string]commitment.Link{}
	for name, l := range p.Links {
		links[name] = commitment.Link{Type: l.Type, URI: optional(l.URI), Range: optional(l.Range), Digest: optional(l.Digest),
			Method: optional(l.Method), By: optional(l.By)}
	}
	return p, links
}

func TestPublishedVectors(t *testing.T) {
	p, links := readPublished(t)

	t.Run("links", func(t *testing.T) {
		want := map[string]commitment.Link{
			"ascii_minimal": asciiMinimal, "file": fileLink, "derivation": derivation, "unicode": unicodeLink,
		}
		if !maps.Equal(links, want) {
			t.Errorf("published links = %+v, want those of this test, %+v", links, want)
		}
	})

	t.Run("encodings", func(t *testing.T) {
		if len(p.LinkEncodings) != 2 {
			t.Errorf("%d published encodings, want 2", len(p.LinkEncodings))
		}
		for name, want := range p.LinkEncodings {
			link, ok := links[name]
			if !ok {
				t.Errorf("the encoding %q has no link", name)
			}
			if got, err := commitment.AppendLink(nil, &link); err != nil || !bytes.Equal(got, mustHex(t, want)) {
				t.Errorf("AppendLink(nil, %s) = %x, %v, want %s", name, got, err, want)
			}
		}
	})

	t.Run("chain heads", func(t *testing.T) {
		chains := map[string][]string{
			"empty": {}, "file": {"file"}, "file_then_derivation": {"file", "derivation"}, "unicode": {"unicode"},
		}
		if got, want := slices.Sorted(maps.Keys(p.ChainHeads)), slices.Sorted(maps.Keys(chains)); !slices.Equal(got, want) {
			t.Fatalf("published chain heads are %q, want %q", got, want)
		}
		for name, want := range p.ChainHeads {
			var chain []commitment.Link
			for _, link := range chains[name] {
				chain = append(chain, links[link])
			}
			if got, err := commitment.ChainHead(chain); err != nil || got != mustDigest(t, want) {
				t.Errorf("ChainHead(%s) = %s, %v, want %s", name, got, err, want)
			}
		}
	})

	frame := commitment.Frame{ID: p.FrameCommitment.Frame.ID, ContentDigest: optional(p.FrameCommitment.Frame.ContentDigest)}
	for _, name := range p.FrameCommitment.Frame.Provenance {
		frame.Provenance = append(frame.Provenance, links[name])
	}
	steps, err := commitment.Trace(p.FrameCommitment.ProviderID, &frame)
	if err != nil {
		t.Fatal(err)
	}

	t.Run("frame commitment", func(t *testing.T) {
		got, err := commitment.Of(p.FrameCommitment.ProviderID, &frame)
		if err != nil || got != mustDigest(t, p.FrameCommitment.Commitment) {
			t.Errorf("Of = %s, %v, want %s", got, err, p.FrameCommitment.Commitment)
		}
		if signed := p.Signature.Attestation.SignedCommitment; got.String() != signed {
			t.Errorf("Of = %s, want the signed commitment %s", got, signed)
		}
	})

	t.Run("domain tags", func(t *testing.T) {
		if got, want := steps.Genesis, literalHash(p.DomainTags["genesis"]); got != want {
			t.Errorf("Genesis = %s, want the hash of the published tag, %s", got, want)
		}
		link := p.DomainTags["link"] + string(steps.Genesis[:])
		if got := steps.Links[0].Preimage; link == "" || !bytes.HasPrefix(got, []byte(link)) {
			t.Errorf("link preimage = %x, want it to start with %x", got, link)
		}
		tag := p.DomainTags["frame"]
		if got := steps.FramePreimage; tag == "" || !bytes.HasPrefix(got, []byte(tag+"\x00\x00\x00\x0arepo-graph")) {
			t.Errorf("frame preimage = %x, want it to start with %q and the provider", got, tag)
		}
	})

	t.Run("unicode length trap", func(t *testing.T) {
		encoding, err := commitment.AppendLink(nil, new(links["unicode"]))
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			name                    string
			text                    string
			utf8, codePoints, utf16 int
		}{
			{"uri", links["unicode"].URI.OrEmpty(), p.UnicodeTrap.URI.UTF8, p.UnicodeTrap.URI.CodePoints, p.UnicodeTrap.URI.UTF16},
			{"by", links["unicode"].By.OrEmpty(), p.UnicodeTrap.By.UTF8, p.UnicodeTrap.By.CodePoints, p.UnicodeTrap.By.UTF16},
		} {
			if got := len(tt.text); got != tt.utf8 {
				t.Errorf("%s has %d bytes, want %d", tt.name, got, tt.utf8)
			}
			if got := utf8.RuneCountInString(tt.text); got != tt.codePoints {
				t.Errorf("%s has %d code points, want %d", tt.name, got, tt.codePoints)
			}
			if got := len(utf16.Encode([]rune(tt.text))); got != tt.utf16 {
				t.Errorf("%s has %d UTF-16 units, want %d", tt.name, got, tt.utf16)
			}
			at := bytes.Index(encoding, []byte(tt.text))
			if at < 4 {
				t.Fatalf("%s is not in the encoding %x", tt.name, encoding)
			}
			if got := binary.BigEndian.Uint32(encoding[at-4:]); got != uint32(tt.utf8) {
				t.Errorf("the length in front of %s is %d, want %d", tt.name, got, tt.utf8)
			}
		}
	})

	t.Run("issued_at", func(t *testing.T) {
		issued := p.Signature.Attestation.IssuedAt
		if got, err := commitment.ParseInstant(issued); err != nil || got.String() != issued {
			t.Errorf("ParseInstant(%q) = %q, %v, want it back", issued, got, err)
		}
	})
}
