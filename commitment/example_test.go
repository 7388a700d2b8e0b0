package commitment_test

import (
	"fmt"
	"log"
	"strings"
	"time"

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

// The encoding that is hashed. An absent member and an empty one differ.
func ExampleAppendLink() {
	link := commitment.Link{Type: "file", URI: commitment.Some("")}
	encoding, err := commitment.AppendLink(nil, &link)
	if err != nil {
		log.Fatal(err) // a member of more than 4 GiB
	}
	fmt.Printf("%x\n", encoding)
	link.URI = commitment.Optional{}
	if encoding, err = commitment.AppendLink(encoding[:0], &link); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", encoding)
	// Output:
	// 0000000466696c65010000000000000000
	// 0000000466696c650000000000
}

// The order of the links enters the head of the chain.
func ExampleChainHead() {
	links := []commitment.Link{{Type: "file"}, {Type: "web"}}
	head, err := commitment.ChainHead(links)
	if err != nil {
		log.Fatal(err)
	}
	swapped, err := commitment.ChainHead([]commitment.Link{links[1], links[0]})
	if err != nil {
		log.Fatal(err)
	}
	none, err := commitment.ChainHead(nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(head == swapped)
	fmt.Println(none)
	// Output:
	// false
	// sha256:2ab226c884ffeb5ac95d300a8d8ee726cb4488fb59a19047d21da7170e9b63d6
}

// A host takes the instant at which it received an answer from its clock.
func ExampleInstantOf() {
	received := commitment.InstantOf(time.Date(2026, 8, 29, 14, 0, 0, 500_000_000, time.FixedZone("", 2*60*60)))
	fmt.Println(received)
	// Output: 2026-08-29T12:00:00.5Z
}
