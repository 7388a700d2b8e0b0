package archive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// A host stores each message as it arrives. What it writes beside the message nobody signs.
func ExampleWriter() {
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		log.Fatal(err)
	}
	var stored bytes.Buffer // a file that is open for appending
	w := archive.NewWriter(&stored)
	receipt := archive.Receipt{At: at, LocalID: commitment.Some("library")}
	if err := w.Append([]byte(`{"type": "handshake_ack", "provider": {"name": "docs"}}`), receipt); err != nil {
		log.Fatal(err)
	}
	// Half a message is refused, and no part of it is written.
	err = w.Append([]byte(`{"type":"frames","result":{"frames":[`), receipt)
	var refused *archive.RecordError
	if errors.As(err, &refused) {
		fmt.Println("refused:", refused.Code)
	}
	fmt.Print(stored.String())
	// Output:
	// refused: cut
	// {"format":"cgp-archive/1","received_at":"2026-08-29T12:00:00Z","local_id":"library","envelope":{"type":"handshake_ack","provider":{"name":"docs"}}}
}

// What an input holds, before anybody asks whether it is true.
func ExampleInspect() {
	const name = "testdata/minimal/attested.ndjson"
	src := archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
	held, err := archive.Inspect(src, archive.DefaultLimits(), func(a *archive.InspectedAnswer) error {
		fmt.Println("record", a.Record, "of", a.ProviderID.OrEmpty(), "frames", a.Frames, "signatures", a.Signatures, "under", a.KeyIDs)
		return nil
	}, func(bad *archive.RecordError) error {
		fmt.Println(bad)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("records", held.Records, "answers", held.Answers, "unreadable", held.Unreadable)
	// Output:
	// record 2 of docs frames 1 signatures 1 under [k1]
	// records 2 answers 1 unreadable 0
}

// What would be signed: the commitment of each frame and the root over them.
func ExampleList() {
	text := `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","result":{"frames":[{"id":"loans"},{"id":"hours"}],"truncated":false}}`
	src := archive.Source{Name: "session", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	answers, err := archive.List(src, archive.ListOptions{}, func(l *archive.Listing) error {
		for _, f := range l.Frames {
			fmt.Println("leaf", f.LeafIndex, f.ID, f.Steps.Commitment.String()[:15])
		}
		root, known := l.Root.Text()
		fmt.Println("root", root[:15], known)
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("answers", answers)
	// Output:
	// leaf 1 loans sha256:a2063ecc
	// leaf 0 hours sha256:0cdeb8da
	// root sha256:f0ae4219 true
	// answers 1
}

// Every record is counted, and one that cannot be read does not hide the next.
func ExampleSurvey() {
	text := `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","type":"frames"}
{"frames":[]}`
	src := archive.Source{Name: "session", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
	err := archive.Survey(src, archive.DefaultLimits(), func(s archive.Surveyed) error {
		switch {
		case s.Fault != nil:
			fmt.Println(s.Record, "cannot be read:", s.Fault.Code)
		case s.Kind == archive.RecordAnswer:
			fmt.Println(s.Record, "is an answer")
		default:
			fmt.Println(s.Record, "is another message")
		}
		return nil
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// 1 is another message
	// 2 cannot be read: duplicate_member
	// 3 is an answer
}

// Compression is recognised by what the bytes are. What stands in front of a fault is given first.
func ExampleDecompress() {
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	if _, err := w.Write([]byte("every word of it")); err != nil {
		log.Fatal(err)
	}
	if err := w.Close(); err != nil {
		log.Fatal(err)
	}
	cut := packed.Bytes()[:packed.Len()-4]
	for _, in := range [][]byte{[]byte("plain"), packed.Bytes(), cut} {
		r := archive.Decompress(bytes.NewReader(in), archive.DefaultLimits())
		text, err := io.ReadAll(r)
		if closing := r.Close(); closing != nil {
			log.Fatal(closing)
		}
		var fault *archive.RecordError
		fmt.Printf("%s, whole: %v\n", text, err == nil)
		if errors.As(err, &fault) {
			fmt.Println(fault.Code)
		}
	}
	// Output:
	// plain, whole: true
	// every word of it, whole: true
	// every word of it, whole: false
	// corrupt_compression
}

// The printer is a Sink: it is given each answer as soon as it was judged, and holds none.
type printer struct{}

func (printer) Answer(a *archive.Answer) error {
	fmt.Println("record", a.Record, a.Class)
	return nil
}

func (printer) Error(e *archive.RecordError) error {
	fmt.Println("record", e.Record, e.Code)
	return nil
}

// An archive of any size is judged as it streams by.
func ExampleVerifier_Verify() {
	text := `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","result":{"frames":[{"id":"hours"}],"truncated":false}}
{"type":"frames","result":{"frames":[{"id":"hours"]}}
`
	sources := []archive.Source{{Name: "day 1", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}}
	summary, err := (&archive.Verifier{}).Verify(context.Background(), slices.Values(sources), printer{})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("exit code", summary.ExitCode)
	// Output:
	// record 2 unchecked
	// record 3 syntax
	// exit code 4
}
