package testvectors

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// released returns the embedded cases by id.
func released(t *testing.T) map[string]*Case {
	t.Helper()
	files, err := Released()
	if err != nil {
		t.Fatal(err)
	}
	all := make(map[string]*Case)
	for _, f := range files {
		for _, c := range f.Cases {
			all[c.ID] = c
		}
	}
	return all
}

// TestClassesAreCovered counts what the suite is to hold, class by class.
func TestClassesAreCovered(t *testing.T) {
	all := released(t)
	count := func(match func(*Case) bool) int {
		n := 0
		for _, c := range all {
			if match(c) {
				n++
			}
		}
		return n
	}
	is := func(op string, more ...func(*Case) bool) func(*Case) bool {
		return func(c *Case) bool {
			return c.Op == op && !slices.ContainsFunc(more, func(f func(*Case) bool) bool { return !f(c) })
		}
	}
	flag := func(name string) func(*Case) bool {
		return func(c *Case) bool { return slices.Contains(c.Flags, name) }
	}
	says := func(word string) func(*Case) bool {
		return func(c *Case) bool { return c.Expect.Verdict == word || c.Expect.Error == word }
	}
	miss := func(cause string) func(*Case) bool {
		return func(c *Case) bool {
			return slices.ContainsFunc(c.NearMiss, func(n NearMiss) bool { return n.Cause == cause })
		}
	}
	id := func(part string) func(*Case) bool { return func(c *Case) bool { return strings.Contains(c.ID, part) } }
	holds := func(text string) func(*Case) bool {
		return func(c *Case) bool { return strings.Contains(string(marshal(c.Input)), text) }
	}
	mutated := func(op string) func(*Case) bool {
		return func(c *Case) bool { return c.Mutation != nil && c.Mutation.Op == op }
	}
	for _, tt := range []struct {
		name  string
		match func(*Case) bool
		least int
	}{
		{"encoding: absent, null and empty", is("encode", flag("AbsentEmpty")), 18},
		{"encoding: each field of a link alone", is("encode", id("encode-link-only-")), 5},
		{"encoding: member order", is("encode", id("encode-link-member-order")), 1},
		{"encoding: length unit", is("encode", miss(causeUTF16Lengths), miss(causeCodePoints)), 5},
		{"encoding: NUL", is("encode", holds(`\u0000`)), 3},
		{"encoding: non-NFC kept", is("encode", flag("Unchanged"), holds(`e\u0301`)), 1},
		{"chain: insert", is("chain", id("chain-inserted-"), mutated("add"), miss(causeLinkAdded)), 4},
		{"chain: drop", is("chain", id("chain-dropped-"), mutated("remove"), miss(causeLinkDropped)), 3},
		{"chain: swap", is("chain", id("chain-moved-"), mutated("move"), miss(causeLinkReordered)), 4},
		{"chain: duplicate", is("chain", id("chain-doubled-"), mutated("copy")), 3},
		{"chain: edit each field", is("chain", id("chain-edited-"), miss(causeLinkEdited)), 6},
		{"chain: empty", is("chain", id("chain-empty")), 1},
		{"identity: lift to another frame", miss(causeOtherFrame), 5},
		{"identity: lift to another provider", miss(causeOtherProvider), 3},
		{"identity: lift to another digest", is("commitment", miss(causeDigestOfContent)), 6},
		{"identity: local id against declared name", flag("LocalID"), 4},
		{"local id in a commitment", miss(causeLocalIDInCommitment), 1},
		{"content: absent", is("content", says(noContent)), 2},
		{"content: empty", is("content", holds(`"content":""`)), 2},
		{"content: wrong", is("content", says(contentMismatch)), 8},
		{"content: uppercase", is("content", id("content-upper"), says(opaqueDigest)), 1},
		{"content: opaque", is("content", says(opaqueDigest)), 3},
		{"order: UTF-8 against UTF-16", is("order", miss(causeUTF16Order)), 8},
		{"order: absent before present", is("order", flag("AbsentFirst")), 4},
		{"order: ties", is("order", flag("StableTies")), 3},
		{"merkle: prefixes swapped", is("root", miss(causePrefixes)), 15},
		{"merkle: last leaf duplicated", is("root", miss(causeDuplicateLast)), 10},
		{"merkle: RFC 6962's empty root", is("root", miss(causeRFC6962Empty)), 1},
		{"proof: sides", is("proof", id("side-"), says(malformedCommitment)), 4},
		{"proof: steps dropped and doubled", is("proof", says(malformedCommitment), miss(causeShapeUnchecked)), 20},
		{"proof: sibling malformed", is("proof", id("proof-sibling-"), says(malformedCommitment)), 5},
		{"proof: interior node as leaf", is("proof", flag("Prefixes")), 3},
		{"proof: same-shape sizes", is("proof", id("proof-leafcount-"), miss(causeCountUnchecked)), 9},
		{"proof: near 2^63", is("proof", holds(`"922337203685477580`)), 5},
		{"proof: near 2^64", is("proof", holds(`"1844674407370955161`)), 5},
		{"proof: near 2^53", is("proof", holds(`"90071992547409`)), 2},
		{"signature bytes", is("ed25519", flag("SignatureBytes"), says(badSignature)), 8},
		{"keys: low-order as A", is("ed25519", id("ed25519-small-key-"), says(malformedKey)), 14},
		{"keys: low-order as R", is("ed25519", id("ed25519-small-r-"), says(badSignature)), 14},
		{"keys: low-order R where the equation holds", is("ed25519", id("ed25519-equation-r-"), says(badSignature)), 8},
		{"keys: mixed order accepted", is("ed25519", id("-accepted"), says(valid)), 3},
		{"keys: mixed order rejected", is("ed25519", id("-rejected"), says(badSignature)), 3},
		{"keys: off curve, as A and as R", is("ed25519", id("off-curve")), 2},
		{"keys: S + L", is("ed25519", flag("ScalarRange"), says(badSignature)), 5},
		{"keys: not canonical", is("ed25519", id("unreduced")), 4},
		{"keys: four forms", is("key", id("key-")), 12},
		{"algorithm names", is("verify", says(unknownAlgorithm)), 8},
		{"keys of another algorithm", is("verify", id("verify-key-algorithm-"), says(malformedKey)), 4},
		{"verdict precedence", is("verify", flag("Precedence")), 12},
		{"unsigned members rewritten", is("verify", flag("Unsigned"), says(valid)), 5},
		{"windows", is("window", miss(causeWindowIgnored)), 10},
		{"instants", is("instant", says(malformedInstant)), 20},
		{"ranges", is("range", miss(causeWholeFile)), 25},
		{"wire: duplicates", is("wire", miss(causeLastDuplicate)), 5},
		{"wire: text", is("wire", miss(causeRepaired), flag("InvalidText")), 10},
		{"wire: framing", is("wire", flag("Framing")), 15},
		{"whole answers", is("answer"), 100},
		{"retained subsets", is("retain"), 10},
		{"retained subsets judged", is("answer", flag("Retained")), 8},
		{"limits: trust file", is("trust", id("trust-limit")), 3},
	} {
		if n := count(tt.match); n < tt.least {
			t.Errorf("%s: %d cases, want %d at least", tt.name, n, tt.least)
		}
	}
	for _, rule := range []string{
		"too_large", "invalid_utf8", "malformed_json", "duplicate_member", "unsupported_format", "unknown_member", "missing_member",
		"wrong_type", "empty_provider_id", "empty_key_id", "duplicate_key_id", "unsupported_algorithm", "malformed_public_key", "weak_public_key",
		"fingerprint_mismatch", "malformed_window", "inverted_window", "unknown_tier", "too_many_pinned",
	} {
		if count(is("trust", says(rule))) == 0 {
			t.Errorf("no trust file breaks the rule %s", rule)
		}
	}
	for _, v := range []string{unknownAlgorithm, malformedCommitment, commitmentMismatch, malformedKey, malformedSignature, badSignature, validIdentityOnly, valid} {
		if count(is("verify", says(v))) == 0 {
			t.Errorf("no attestation has the verdict %s", v)
		}
	}
	for _, op := range Ops() {
		if count(is(op)) < 6 {
			t.Errorf("op %s: %d cases", op, count(is(op)))
		}
	}
}

// TestBoundaries looks for each boundary value where it is to stand.
func TestBoundaries(t *testing.T) {
	all := released(t)
	input := func(id string) Object {
		c := all[id]
		if c == nil {
			t.Errorf("there is no case %s", id)
			return Object{}
		}
		in, err := Expand(c.Input)
		if err != nil {
			t.Fatal(err)
		}
		return in.(Object)
	}
	lengths := map[string]int{"encode-text-empty": 0, "encode-text-a": 1, "encode-text-65535": 65_535, "encode-text-65536": 65_536}
	for id, n := range lengths {
		text, _, _ := input(id).text("text")
		if len(text) != n || len(all[id].Expect.Value.(string)) != 2*(4+n) {
			t.Errorf("%s: %d bytes, want %d", id, len(text), n)
		}
	}
	var sizes []int
	for n := range 18 {
		sizes = append(sizes, n)
	}
	for _, n := range append(sizes, 31, 33, 1000) {
		if leaves := asked[List](input(fmt.Sprintf("root-%d", n)), "commitments"); len(leaves) != n {
			t.Errorf("root-%d has %d leaves", n, len(leaves))
		}
	}
	for id, n := range map[string]int{"proof-first-of-most": 64, "proof-65-steps": 65, "proof-63-steps": 63} {
		if path := asked[List](asked[Object](input(id), "inclusion_proof"), "path"); len(path) != n {
			t.Errorf("%s has %d steps, want %d", id, len(path), n)
		}
	}
	for id, n := range map[string]int{"trust-pinned-16": 16, "trust-pinned-17": 17} {
		file, _, _ := input(id).text("file")
		if got := strings.Count(file, `"tier":"pinned"`); got != n {
			t.Errorf("%s: %d pinned keys, want %d", id, got, n)
		}
	}
	for id, n := range map[string]int{"trust-limit-less": 1<<20 - 1, "trust-limit": 1 << 20, "trust-limit-more": 1<<20 + 1} {
		file, _, _ := input(id).text("file")
		if len(file) != n {
			t.Errorf("%s: %d bytes, want %d", id, len(file), n)
		}
	}
	encodings := make(map[string]bool)
	for i := range 14 {
		key, _, _ := input(fmt.Sprintf("ed25519-small-key-%d", i)).text("public_key")
		signature, _, _ := input(fmt.Sprintf("ed25519-small-r-%d", i)).text("signature")
		if signature[:64] != key {
			t.Errorf("encoding %d is another as A and as R", i)
		}
		encodings[key] = true
	}
	if len(encodings) != 14 {
		t.Errorf("%d encodings of small order, want 14", len(encodings))
	}
}

// Every near miss but those that mean something about another case has a broken variant of the oracle; TestBrokenVariants runs
// them. Here every cause of a near miss is one of the shared list, and every flag and class is used as Check demands.
func TestCheckOfReleased(t *testing.T) {
	r, err := Check(t.Context(), FS(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range r.Faults {
		t.Error(f)
	}
	if r.Cases < minCases || 2*r.Negative < r.Cases {
		t.Errorf("%d cases, %d negative", r.Cases, r.Negative)
	}
}

// Causes that no implementation has by itself: their near miss is the answer to the base, of whoever did not notice the change.
// Every other cause of a near miss has a variant of the oracle, which TestBrokenVariants runs.
func TestNearMissesOfRelation(t *testing.T) {
	relation := []string{causeLinkDropped, causeLinkAdded, causeLinkReordered, causeLinkEdited, causeOtherProvider, causeOtherFrame, causeFrameMissing, causeFrameAdded, causeOtherKey}
	variants, err := os.ReadFile("oracle/python/broken.py")
	if err != nil {
		t.Fatal(err)
	}
	all := released(t)
	met := make(map[string]bool)
	for _, c := range all {
		for _, n := range c.NearMiss {
			met[n.Cause] = true
			if !slices.Contains(relation, n.Cause) {
				if !strings.Contains(string(variants), fmt.Sprintf("    %q: (", n.Cause)) {
					t.Errorf("%s: the cause %s has no variant", c.ID, n.Cause)
				}
				continue
			}
			if base := all[c.Base]; base == nil || !n.Result.Equal(base.Expect) {
				t.Errorf("%s: the near miss %s is not the answer to the base %q", c.ID, n.Cause, c.Base)
			}
		}
	}
	for _, cause := range relation {
		if !met[cause] {
			t.Errorf("no near miss comes from %s", cause)
		}
	}
}
