package testvectors

import (
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// bigNumber is an integer as a member of an input: a number, or above 2^53−1 a string under a name that says so.
func bigNumber(name string, n uint64) Member {
	if n > 1<<53-1 {
		return Member{name + u64Suffix, fmt.Sprint(n)}
	}
	return Member{name, integer(n)}
}

// proofInput is a proof as a member of an input.
func proofInput(p *merkle.Proof) Object {
	o := proofObject(p)
	return Object{bigNumber("leaf_index", p.LeafIndex), bigNumber("leaf_count", p.LeafCount), o[2]}
}

// provenLeaf is the question about one leaf of a tree over leavesOf(n).
func provenLeaf(n, i int) Object {
	tree := merkle.NewTree(leavesOf(n))
	p, err := tree.Prove(uint64(i))
	if err != nil {
		panic(err)
	}
	return object("commitment", leafAt(i).String(), "inclusion_proof", proofInput(&p), "root", tree.Root().String())
}

// shapedProof is the question about a leaf of a tree that nobody could store: its siblings are made up, its root follows.
func shapedProof(index, count uint64) (Object, error) {
	sides, err := merkle.Shape(index, count)
	if err != nil {
		return nil, err
	}
	p := merkle.Proof{LeafIndex: index, LeafCount: count}
	for i := range sides.Len() {
		p.Path = append(p.Path, merkle.Step{Sibling: leafAt(100 + i), SiblingIsLeft: sides.IsLeft(i)})
	}
	root, err := p.RootFrom(leafAt(0))
	if err != nil {
		return nil, err
	}
	return object("commitment", leafAt(0).String(), "inclusion_proof", proofInput(&p), "root", root.String()), nil
}

func generateProof(c *class) {
	c.rules, c.flags = []string{"§6.5.3"}, []string{"ProofShape"}
	const why = "The leaf's hash, joined with each sibling on the side that index and count give, is the root."
	for _, p := range [][2]int{{1, 0}, {2, 0}, {3, 2}, {5, 4}, {6, 3}, {7, 0}, {7, 3}, {7, 6}, {8, 3}, {33, 32}} {
		c.pass(fmt.Sprintf("proof-%d-%d", p[0], p[1]), fmt.Sprintf("leaf %d of %d", p[1], p[0]), why, "proof", provenLeaf(p[0], p[1]), verdict(valid))
	}
	for _, p := range [][2]int{{7, 3}, {5, 4}} {
		generateProofShapes(c, p[0], p[1])
	}
	generateProofPieces(c)
	generateProofCounts(c)
	generateProofTypes(c)
	generateBigProofs(c)
}

// generateProofShapes changes one thing about the shape of a proof.
func generateProofShapes(c *class, n, i int) {
	base := fmt.Sprintf("proof-%d-%d", n, i)
	in := c.cases[base].Input
	proof := asked[Object](in, "inclusion_proof")
	path := asked[List](proof, "path")
	const why = "Length and sides follow from index and count; a proof that differs is refused before anything is hashed."
	lenient := func(path List) option {
		return nearVerdict(causeShapeUnchecked, followed(asked[string](in, "commitment"), path, asked[string](in, "root")))
	}
	refuse := func(slug, title string, m Mutation, opts ...option) {
		c.twist(base, strings.Replace(base, "proof-", "proof-"+slug+"-", 1), title, why, m, append(opts, verdict(malformedCommitment))...)
	}
	for k := range path {
		side := asked[bool](path[k].(Object), "sibling_is_left")
		flipped := slices.Clone(path)
		flipped[k] = path[k].(Object).with("sibling_is_left", !side)
		refuse(fmt.Sprintf("side-%d", k), fmt.Sprintf("the side of step %d changed", k),
			replace(fmt.Sprintf("/inclusion_proof/path/%d/sibling_is_left", k), !side), lenient(flipped))
		refuse(fmt.Sprintf("dropped-%d", k), fmt.Sprintf("without step %d", k), removed(fmt.Sprintf("/inclusion_proof/path/%d", k)),
			lenient(slices.Delete(slices.Clone(path), k, k+1)))
		refuse(fmt.Sprintf("doubled-%d", k), fmt.Sprintf("step %d twice", k),
			Mutation{Op: "copy", From: fmt.Sprintf("/input/inclusion_proof/path/%d", k), Path: fmt.Sprintf("/input/inclusion_proof/path/%d", k)},
			lenient(slices.Insert(slices.Clone(path), k, path[k])))
	}
	more := object("sibling", leafAt(50).String(), "sibling_is_left", true)
	refuse("step-behind", "another step at the end", added("/inclusion_proof/path/-", more), lenient(append(slices.Clone(path), more)))
	refuse("empty-path", "no steps", replace("/inclusion_proof/path", List{}), lenient(List{}))
	refuse("index-is-count", "an index equal to the count", replace("/inclusion_proof/leaf_index", integer(n)), lenient(path))
	refuse("count-zero", "a count of zero", replace("/inclusion_proof/leaf_count", integer(0)), lenient(path))
	refuse("count-one", "a count of one", replace("/inclusion_proof/leaf_count", integer(1)), lenient(path))
	for _, other := range []int{i - 1, i + 1} {
		if other >= n {
			continue
		}
		refuse(fmt.Sprintf("index-%d", other), fmt.Sprintf("index %d", other), replace("/inclusion_proof/leaf_index", integer(other)), lenient(path))
	}
	refuse("count-double", "twice the count", replace("/inclusion_proof/leaf_count", integer(4*n)), lenient(path))
}

// followed is the verdict of who follows the sides that a path states.
func followed(leaf string, path List, root string) string {
	d, err := commitment.ParseDigest(leaf)
	if err != nil {
		return malformedCommitment
	}
	h := merkle.LeafHash(d)
	for _, s := range path {
		sibling, err := commitment.ParseDigest(asked[string](s.(Object), "sibling"))
		switch {
		case err != nil:
			return malformedCommitment
		case asked[bool](s.(Object), "sibling_is_left"):
			h = merkle.NodeHash(sibling, h)
		default:
			h = merkle.NodeHash(h, sibling)
		}
	}
	if h.String() == root {
		return valid
	}
	return commitmentMismatch
}

// generateProofPieces puts valid pieces from elsewhere in the places of a proof's own.
func generateProofPieces(c *class) {
	const base = "proof-7-3"
	const why = "A proof that has its shape and leads to another root proves nothing."
	mismatch := func(slug, title string, m Mutation, opts ...option) {
		c.twist(base, "proof-"+slug+"-7-3", title, why, m, append(opts, verdict(commitmentMismatch))...)
	}
	tree := merkle.NewTree(leavesOf(7))
	mismatch("other-leaf", "another leaf's commitment", replace("/commitment", leafAt(4).String()), flagged("Identity"))
	mismatch("other-root", "the root of another tree", replace("/root", merkle.Root(leavesOf(8)).String()), flagged("RootCover"))
	mismatch("sibling-moved", "steps 0 and 1 changed about", moved("/inclusion_proof/path/0", "/inclusion_proof/path/1"))
	mismatch("sibling-bit", "one bit of a sibling", Mutation{Path: "/input/inclusion_proof/path/2/sibling", At: 70, Delete: 1, Insert: []byte(otherDigit(c.cases[base], 2, 70))})
	mismatch("sibling-leaf", "a sibling that is a commitment and no hash of a leaf", replace("/inclusion_proof/path/0/sibling", leafAt(2).String()), flagged("Prefixes"))
	inner := merkle.NodeHash(merkle.LeafHash(leafAt(2)), merkle.LeafHash(leafAt(3)))
	c.pass("proof-inner-as-leaf", "an inner node given as a commitment", "Leaves and nodes are hashed behind different bytes, so that no node passes for a leaf.", "proof",
		object("commitment", inner.String(), "inclusion_proof", object("leaf_index", integer(1), "leaf_count", integer(2),
			"path", List{object("sibling", merkle.NodeHash(merkle.LeafHash(leafAt(0)), merkle.LeafHash(leafAt(1))).String(), "sibling_is_left", true)}),
			"root", merkle.Root(leavesOf(4)).String()), verdict(commitmentMismatch), flagged("Prefixes"))
	mismatch("leaf-hash-as-commitment", "the hash of the leaf given as its commitment", replace("/commitment", merkle.LeafHash(leafAt(3)).String()), flagged("Prefixes"))
	mismatch("empty-root", "the root of no leaves", replace("/root", merkle.EmptyRoot().String()), flagged("EmptyRoot"))
	p, err := tree.Prove(2)
	if err != nil {
		c.fail("proof: %w", err)
	}
	c.twist(base, "proof-neighbour-7-3", "the proof of the leaf beside it", why, replace("/inclusion_proof", proofInput(&p)), verdict(commitmentMismatch), flagged("Identity"))
	const digest = "A digest is sha256: and 64 lowercase hexadecimal digits, in a proof as anywhere."
	sibling := asked[string](asked[List](asked[Object](c.cases[base].Input, "inclusion_proof"), "path")[0].(Object), "sibling")
	for _, m := range []struct{ slug, what, path, value string }{
		{"sibling-upper", "a sibling with uppercase digits", "/inclusion_proof/path/0/sibling", "sha256:" + strings.ToUpper(sibling[7:])},
		{"sibling-bare", "a sibling without sha256:", "/inclusion_proof/path/0/sibling", sibling[7:]},
		{"sibling-short", "a sibling of 63 digits", "/inclusion_proof/path/1/sibling", sibling[:70]},
		{"sibling-long", "a sibling of 65 digits", "/inclusion_proof/path/1/sibling", sibling + "0"},
		{"sibling-empty", "an empty sibling", "/inclusion_proof/path/2/sibling", ""},
		{"root-upper", "a root with uppercase digits", "/root", upperDigest(tree.Root())},
		{"root-short", "a root of 63 digits", "/root", tree.Root().String()[:70]},
		{"commitment-upper", "a commitment with uppercase digits", "/commitment", upperDigest(leafAt(3))},
		{"commitment-bare", "a commitment without sha256:", "/commitment", leafAt(3).String()[7:]},
	} {
		opts := []option{verdict(malformedCommitment), rules("D1", "§6.5.3"), flagged("DigestForm")}
		if strings.HasSuffix(m.slug, "upper") {
			opts = append(opts, nearVerdict(causeUppercase, valid))
		}
		c.twist(base, "proof-"+m.slug+"-7-3", m.what, digest, replace(m.path, m.value), opts...)
	}
}

// otherDigit is a hexadecimal digit that differs in one bit from the one in a sibling.
func otherDigit(from *Case, step, at int) string {
	sibling := asked[string](asked[List](asked[Object](from.Input, "inclusion_proof"), "path")[step].(Object), "sibling")
	var digit int
	fmt.Sscanf(sibling[at:at+1], "%x", &digit)
	return fmt.Sprintf("%x", digit^1)
}

// generateProofCounts compares counts with the frames carried: shape alone cannot tell all sizes apart.
func generateProofCounts(c *class) {
	const why = "Over a complete answer leaf_count is the number of frames carried. Shape alone cannot tell: leaf 3 has one shape for 5, 6, 7 and 8."
	for _, n := range []int{6, 7, 8} {
		in := append(provenLeaf(n, 3), Member{"frames", integer(n)})
		id := fmt.Sprintf("proof-frames-%d-3", n)
		c.pass(id, fmt.Sprintf("leaf 3 of %d, and %d frames", n, n), why, "proof", in, verdict(valid), flagged("ProofCount"))
		for _, other := range []int{5, 6, 7, 8} {
			if other == n {
				continue
			}
			c.twist(id, fmt.Sprintf("proof-leafcount-%d-%d-3", other, n), fmt.Sprintf("leaf 3 of %d, and a count of %d", n, other), why,
				replace("/inclusion_proof/leaf_count", integer(other)), verdict(malformedCommitment), nearVerdict(causeCountUnchecked, valid), flagged("ProofCount"))
		}
	}
	c.twist("proof-7-3", "proof-leafcount-plus-one-7-3", "a count of 8 where nobody says how many frames there are", "A retained subset cannot tell: the count is a claim there.",
		replace("/inclusion_proof/leaf_count", integer(8)), verdict(valid), flagged("ProofCount"))
	c.twist("proof-2-0", "proof-frames-3-of-2", "two leaves and three frames", why, added("/frames", integer(3)), verdict(malformedCommitment),
		nearVerdict(causeCountUnchecked, valid), flagged("ProofCount"))
	c.twist("proof-1-0", "proof-frames-0-of-1", "one leaf and no frames", why, added("/frames", integer(0)), verdict(malformedCommitment),
		nearVerdict(causeCountUnchecked, valid), flagged("ProofCount"))
}

// generateProofTypes breaks the types of a proof, as JSON text where a value cannot be spelt otherwise.
func generateProofTypes(c *class) {
	const base, why = "proof-7-3", "A proof with a missing, null or ill-typed member cannot be evaluated: it is no malformed proof, and no default stands in."
	for _, m := range []struct {
		slug, what string
		change     Mutation
	}{
		{"index-missing", "no leaf_index", removed("/inclusion_proof/leaf_index")},
		{"index-null", "a leaf_index that is null", replace("/inclusion_proof/leaf_index", nil)},
		{"index-text", "a leaf_index that is a string", replace("/inclusion_proof/leaf_index", "3")},
		{"count-missing", "no leaf_count", removed("/inclusion_proof/leaf_count")},
		{"count-null", "a leaf_count that is null", replace("/inclusion_proof/leaf_count", nil)},
		{"count-true", "a leaf_count that is true", replace("/inclusion_proof/leaf_count", true)},
		{"path-missing", "no path", removed("/inclusion_proof/path")},
		{"path-null", "a path that is null", replace("/inclusion_proof/path", nil)},
		{"path-object", "a path that is an object", replace("/inclusion_proof/path", Object{})},
		{"step-null", "a step that is null", replace("/inclusion_proof/path/0", nil)},
		{"step-text", "a step that is a string", replace("/inclusion_proof/path/0", "left")},
		{"sibling-missing", "a step without a sibling", removed("/inclusion_proof/path/1/sibling")},
		{"sibling-null", "a sibling that is null", replace("/inclusion_proof/path/1/sibling", nil)},
		{"side-missing", "a step without a side", removed("/inclusion_proof/path/1/sibling_is_left")},
		{"side-null", "a side that is null", replace("/inclusion_proof/path/1/sibling_is_left", nil)},
		{"side-one", "a side that is 1", replace("/inclusion_proof/path/1/sibling_is_left", integer(1))},
		{"side-text", "a side that is a string", replace("/inclusion_proof/path/1/sibling_is_left", "true")},
		{"proof-null", "a proof that is null", replace("/inclusion_proof", nil)},
		{"index-case", "a member Leaf_Index and no leaf_index", moved("/inclusion_proof/leaf_index", "/inclusion_proof/Leaf_Index")},
	} {
		opts := []option{fails(unusable), flagged("MissingMember")}
		if m.slug == "index-case" {
			opts = append(opts, nearVerdict(causeCaseFolded, valid), flagged("MemberCase"))
		}
		c.twist(base, "proof-"+m.slug+"-7-3", m.what, why, m.change, opts...)
	}
	c.twist(base, "proof-unknown-member-7-3", "a member that nobody knows", "Members that are not known are ignored (U1).", added("/inclusion_proof/note", "x"),
		verdict(valid), rules("U1"), flagged("NotCovered"))

	in := provenLeaf(7, 3)
	text := string(marshal(asked[Object](in, "inclusion_proof")))
	whole := object("commitment", in[0].Value, "inclusion_proof_json", text, "root", in[2].Value)
	c.pass("proof-text-7-3", "leaf 3 of 7 as JSON text", "Numbers have several spellings in JSON, and a reader that goes through floating point cannot tell them apart.", "proof", whole, verdict(valid), flagged("NumberSpelling"))
	for _, m := range []struct{ slug, old, new string }{
		{"fraction", `"leaf_index":3`, `"leaf_index":3.0`}, {"exponent", `"leaf_index":3`, `"leaf_index":3e0`},
		{"count-fraction", `"leaf_count":7`, `"leaf_count":7.0`}, {"count-exponent", `"leaf_count":7`, `"leaf_count":0.7e1`},
		{"minus", `"leaf_index":3`, `"leaf_index":-3`}, {"negative-zero", `"leaf_index":3`, `"leaf_index":-0`},
		{"over-64-bit", `"leaf_count":7`, `"leaf_count":18446744073709551616`}, {"huge", `"leaf_count":7`, `"leaf_count":1e400`},
		{"duplicate", `"leaf_index":3`, `"leaf_index":2,"leaf_index":3`}, {"trailing", `]}`, `]} {}`}, {"leading-zero", `"leaf_index":3`, `"leaf_index":03`},
	} {
		at := strings.Index(text, m.old)
		change := Mutation{Path: "/input/inclusion_proof_json", At: at, Delete: len(m.old), Insert: []byte(m.new)}
		opts := []option{fails(unusable), flagged("NumberSpelling")}
		if strings.Contains(m.slug, "fraction") || strings.Contains(m.slug, "exponent") {
			opts = append(opts, nearVerdict(causeNumbersRounded, valid))
		}
		if m.slug == "duplicate" {
			opts = append(opts, nearVerdict(causeLastDuplicate, valid), flagged("DuplicateMember"))
		}
		c.twist("proof-text-7-3", "proof-text-"+m.slug+"-7-3", m.new+" in the text of a proof", why, change, opts...)
	}
}

// generateBigProofs has indexes and counts that no tree in memory has.
func generateBigProofs(c *class) {
	const why = "leaf_count comes from outside: the arithmetic must not overflow or loop for counts near 2^64."
	const top = 1<<64 - 1
	for _, p := range []struct {
		slug         string
		index, count uint64
	}{
		{"first-of-most", 0, top}, {"last-of-most", top - 1, top}, {"half-of-half-and-one", 1 << 63, 1<<63 + 1},
		{"first-of-half", 0, 1 << 63}, {"last-of-half", 1<<63 - 1, 1 << 63}, {"first-of-half-and-one", 0, 1<<63 + 1},
		{"double-precision", 1<<53 + 1, 1<<53 + 2}, {"safe-integer", 1<<53 - 1, 1 << 53}, {"signed-end", 1<<63 - 1, 1<<63 + 1}, {"word-end", 1 << 32, 1<<32 + 1},
	} {
		in, err := shapedProof(p.index, p.count)
		if err != nil {
			c.fail("proof-%s: %w", p.slug, err)
			continue
		}
		n := len(asked[List](asked[Object](in, "inclusion_proof"), "path"))
		c.pass("proof-"+p.slug, fmt.Sprintf("leaf %d of %d: %s", p.index, p.count, plural(n, "step")), why, "proof", in, verdict(valid), flagged("BigInteger"))
	}
	step := object("sibling", leafAt(200).String(), "sibling_is_left", false)
	c.twist("proof-first-of-most", "proof-65-steps", "65 steps", "No tree of 2^64−1 leaves has more than 64 steps.", added("/inclusion_proof/path/-", step),
		verdict(malformedCommitment), flagged("BigInteger", "Limit"))
	c.twist("proof-first-of-most", "proof-63-steps", "63 steps", why, removed("/inclusion_proof/path/63"), verdict(malformedCommitment),
		nearVerdict(causeShapeUnchecked, commitmentMismatch), flagged("BigInteger", "Limit"))
	c.twist("proof-first-of-most", "proof-index-most", "an index of 2^64−1 equal to the count", why,
		replace("/inclusion_proof", swapIndex(c.cases["proof-first-of-most"], top)), verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("BigInteger"))
	c.twist("proof-1-0", "proof-1-count-most", "one leaf and a count of 2^64−1", why,
		replace("/inclusion_proof", object("leaf_index", integer(0), "leaf_count"+u64Suffix, fmt.Sprint(uint64(top)), "path", List{})),
		verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("BigInteger"))
	c.twist("proof-1-0", "proof-1-index-most", "one leaf and an index of 2^64−1", why,
		replace("/inclusion_proof", object("leaf_index"+u64Suffix, fmt.Sprint(uint64(top)), "leaf_count", integer(1), "path", List{})),
		verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("BigInteger"))
	c.twist("proof-half-of-half-and-one", "proof-half-off-by-one", "the same proof one leaf further left", why,
		replace("/inclusion_proof/leaf_index"+u64Suffix, fmt.Sprint(uint64(1<<63-1))), verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("BigInteger"))
	c.twist("proof-double-precision", "proof-double-precision-off", "an index that floating point cannot tell from its neighbour", why,
		replace("/inclusion_proof/leaf_index"+u64Suffix, fmt.Sprint(uint64(1<<53))), verdict(malformedCommitment), nearVerdict(causeShapeUnchecked, valid), flagged("BigInteger"))
}

func swapIndex(c *Case, index uint64) Object {
	proof := slices.Clone(asked[Object](c.Input, "inclusion_proof"))
	proof[0] = bigNumber("leaf_index", index)
	return proof
}
