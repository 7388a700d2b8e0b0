package commitment_test

import (
	"fmt"
	"log"
	"strings"

	"contextgraphprotocol.org/cgp-attest/commitment"
)

// The values are those of the protocol's published attestation vectors.
func ExampleOf() {
	frame := commitment.Frame{
		ID:            "retry-policy",
		ContentDigest: commitment.Some("sha256:" + strings.Repeat("cd", 32)),
		Provenance: []commitment.Link{{
			Type:   "file",
			URI:    commitment.Some("src/retry.rs"),
			Range:  commitment.Some("L10-L20"),
			Digest: commitment.Some("sha256:" + strings.Repeat("ab", 32)),
			// Method and By are absent, which is not the same as empty.
		}},
	}
	c, err := commitment.Of("repo-graph", &frame)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(c)
	// Output: sha256:cba5cb083177e61ce370ab586dbf7096508e5224ad18d213c902e014796c88ea
}

func ExampleTrace() {
	frame := commitment.Frame{ID: "f", Provenance: []commitment.Link{{Type: "file", URI: commitment.Some("a")}}}
	steps, err := commitment.Trace("p", &frame)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("genesis ", steps.Genesis)
	fmt.Printf("encoding %x\n", steps.Links[0].Encoding)
	fmt.Println("is head ", steps.Links[0].Head == steps.ChainHead)
	// Output:
	// genesis  sha256:2ab226c884ffeb5ac95d300a8d8ee726cb4488fb59a19047d21da7170e9b63d6
	// encoding 0000000466696c6501000000016100000000
	// is head  true
}

func ExampleCanonicalOrder() {
	arrived := []commitment.Frame{
		{ID: "b"},
		{ID: "a", ContentDigest: commitment.Some("")},
		{ID: "a"},
	}
	ids := make([]commitment.FrameID, len(arrived))
	for i := range arrived {
		ids[i] = arrived[i].Identity("repo-graph")
	}
	for leaf, position := range commitment.CanonicalOrder(ids) {
		fmt.Printf("leaf %d is frame %d, %s\n", leaf, position, ids[position].FrameID)
	}
	// Output:
	// leaf 0 is frame 2, a
	// leaf 1 is frame 1, a
	// leaf 2 is frame 0, b
}

func ExampleParseDigest() {
	_, err := commitment.ParseDigest("sha256:" + strings.Repeat("AB", 32))
	fmt.Println(err)
	// Output: commitment: malformed digest "sha256:ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB": "AB" is not of 0-9a-f
}

func ExampleParseInstant() {
	leap, err := commitment.ParseInstant("2016-12-31T23:59:60.5Z")
	if err != nil {
		log.Fatal(err)
	}
	next, err := commitment.ParseInstant("2017-01-01T00:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(leap, leap.Compare(next))
	// Output: 2016-12-31T23:59:60.5Z -1
}

func ExampleContentDigest() {
	declared, err := commitment.ParseDigest("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(commitment.ContentDigest("abc") == declared)
	fmt.Println(commitment.ContentDigest("abd") == declared)
	// Output:
	// true
	// false
}
