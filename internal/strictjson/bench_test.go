package strictjson

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"
)

// ndjson is a stream of well-formed records like those that the wire carries.
func ndjson(lines int) []byte {
	var b bytes.Buffer
	for i := range lines {
		fmt.Fprintf(&b, `{"type":"frames","id":"q%d","result":{"frames":[{"id":"frame-%d","content":%q,"content_digest":"sha256:%064x","score":0.92,"provenance":[{"type":"file","uri":"file:///src/main.go","range":"L1-20","digest":"sha256:%064x"}]}],"truncated":false}}`+"\n",
			i, i, strings.Repeat("some text with \"quotes\"\n", 20), i, i+1)
	}
	return b.Bytes()
}

func TestScannerAllocations(t *testing.T) {
	data := ndjson(3000)
	s := NewScanner(bytes.NewReader(data), Limits{})
	next := func() {
		if _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	for range 500 {
		next()
	}
	if n := testing.AllocsPerRun(2000, next); n > 0 {
		t.Errorf("%v allocations a record, want none", n)
	}
}

func BenchmarkScanner(b *testing.B) {
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"ndjson", ndjson(2000)},
		{"array", append(append([]byte{'['}, bytes.ReplaceAll(bytes.TrimSpace(ndjson(2000)), []byte("\n"), []byte(",\n"))...), ']')},
		{"small", bytes.Repeat([]byte("{\"a\":1,\"b\":[true,null]}\n"), 50_000)},
		{"cut", []byte(strings.Repeat(`{"type":"frames","result":{"frames":[{"id":"a","content":"b"},`+"\n", 5_000))},
	} {
		b.Run(test.name, func(b *testing.B) {
			b.SetBytes(int64(len(test.data)))
			b.ReportAllocs()
			for b.Loop() {
				s := NewScanner(bytes.NewReader(test.data), Limits{})
				for {
					if _, err := s.Next(); err == io.EOF {
						break
					}
				}
			}
		})
	}
}

// BenchmarkCheck measures the checker alone, which is jsontext.
func BenchmarkCheck(b *testing.B) {
	data := bytes.TrimSpace(ndjson(1))
	b.SetBytes(int64(len(data)))
	var c checker
	for b.Loop() {
		if f := c.check(data, false); f != nil {
			b.Fatal(f)
		}
	}
}

// BenchmarkFrame measures the machine alone, without jsontext.
func BenchmarkFrame(b *testing.B) {
	data := bytes.TrimSpace(ndjson(1))
	b.SetBytes(int64(len(data)))
	var m machine
	for b.Loop() {
		m.reset(DefaultLimits())
		if n, st := m.run(data); st != framed || n != len(data) {
			b.Fatal(n, st)
		}
	}
}
