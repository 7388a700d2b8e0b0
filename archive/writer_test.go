package archive_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
)

// lines keeps what each call of Write is given.
type lines []string

func (l *lines) Write(p []byte) (int, error) {
	*l = append(*l, string(p))
	return len(p), nil
}

func receipt(t *testing.T, at, localID string) archive.Receipt {
	t.Helper()
	var r archive.Receipt
	if at != "" {
		instant, err := commitment.ParseInstant(at)
		if err != nil {
			t.Fatal(err)
		}
		r.At = instant
	}
	if localID != "" {
		r.LocalID = commitment.Some(localID)
	}
	return r
}

// The lines as docs/formats.md has them: which members, in which order, and what of a message stays.
func TestWriterLine(t *testing.T) {
	const at = "2026-11-30T17:00:00.50Z"
	for _, row := range []struct{ name, at, local, message, want string }{
		{"bare", "", "", `{"type":"x"}`, `{"format":"cgp-archive/1","envelope":{"type":"x"}}`},
		{"instant", at, "", `{"type":"x"}`, `{"format":"cgp-archive/1","received_at":"2026-11-30T17:00:00.50Z","envelope":{"type":"x"}}`},
		{"local id", "", "docs", `{"type":"x"}`, `{"format":"cgp-archive/1","local_id":"docs","envelope":{"type":"x"}}`},
		{"both", at, "a\"\n\u2028é", `{"type":"x"}`,
			`{"format":"cgp-archive/1","received_at":"2026-11-30T17:00:00.50Z","local_id":"a\"\n` + "\u2028" + `é","envelope":{"type":"x"}}`},
		{"white space", "", "", "\r\n\t {\r\n  \"type\" :\t\"x\" ,\n\"a\" : [ 1 , 2,\r3 ], \"b\":{ } , \"c\":[\n] }\r\n",
			`{"format":"cgp-archive/1","envelope":{"type":"x","a":[1,2,3],"b":{},"c":[]}}`},
		{"tokens", "", "", `{ "z":1.50e+07, "a":-0, "n":123456789012345678901234567890, "type":"x", "\u0061b":"\/\u00e9\"\\ \t {[,:]}", "s":"` + "\u2028\u0085é😀" + `" }`,
			`{"format":"cgp-archive/1","envelope":{"z":1.50e+07,"a":-0,"n":123456789012345678901234567890,"type":"x","\u0061b":"\/\u00e9\"\\ \t {[,:]}","s":"` + "\u2028\u0085é😀" + `"}}`},
		{"a format of its own", "", "", `{"format":"cgp-archive/1","type":""}`, `{"format":"cgp-archive/1","envelope":{"format":"cgp-archive/1","type":""}}`},
	} {
		var out lines
		if err := archive.NewWriter(&out).Append([]byte(row.message), receipt(t, row.at, row.local)); err != nil {
			t.Errorf("%s: %v", row.name, err)
		} else if want := (lines{row.want + "\n"}); !slices.Equal(out, want) {
			t.Errorf("%s: wrote %q\nwant %q", row.name, out, want)
		}
	}
}

// What is no message is refused with its code and place, and nothing is written.
func TestWriterRefuses(t *testing.T) {
	deep := func(levels int) string { // the message is one of them
		return `{"type":"x","a":` + strings.Repeat("[", levels-1) + strings.Repeat("]", levels-1) + "}"
	}
	for _, row := range []struct {
		name, message string
		code          archive.ErrorCode
		at            int64
	}{
		{"nothing", " \n", archive.ErrorSyntax, 2},
		{"two", `{"type":"x"} {"type":"y"}`, archive.ErrorTrailingBytes, 13},
		{"cut", `{"type":"x"`, archive.ErrorCut, 11},
		{"line feed in a string", "{\"type\":\"x\ny\"}", archive.ErrorSyntax, 10},
		{"duplicate", `{"type":"x","typ\u0065":"y"}`, archive.ErrorDuplicateMember, 12},
		{"not UTF-8", "{\"type\":\"\xff\"}", archive.ErrorInvalidUTF8, 9},
		{"byte order mark", "\ufeff{\"type\":\"x\"}", archive.ErrorByteOrderMark, 0},
		{"half a character", `{"type":"\ud800"}`, archive.ErrorLoneSurrogate, 9},
		{"array", `[{"type":"x"}]`, archive.ErrorNotAMessage, 0},
		{"no type", `{"id":"x"}`, archive.ErrorNotAMessage, 0},
		{"a type that is no string", `{"type":1}`, archive.ErrorNotAMessage, 0},
		{"bare result", `{"frames":[]}`, archive.ErrorNotAMessage, 0},
		{"archive line", `{"format":"cgp-archive/1","envelope":{"type":"frames","result":{"frames":[]}}}`, archive.ErrorNotAMessage, 0},
		{"archive line of no answer", `{"format":"cgp-archive/1","envelope":{"type":"x"}}`, archive.ErrorNotAMessage, 0},
		{"retained subset", `{"format":"cgp-evidence/1","provider_id":"p","result":{"frames":[]}}`, archive.ErrorNotAMessage, 0},
		{"another format", `{"format":"contextgraph-trust/1"}`, archive.ErrorUnsupportedFormat, 0},
		{"no frames", `{"type":"frames","result":{}}`, archive.ErrorMalformedRecord, 26},
		{"nobody", `{"type":"handshake_ack","provider":{}}`, archive.ErrorMalformedHandshake, 0},
		{"as deep as a message may be, not a line", deep(128), archive.ErrorTooDeep, 0},
	} {
		var out lines
		err := archive.NewWriter(&out).Append([]byte(row.message), archive.Receipt{})
		var refused *archive.RecordError
		if !errors.As(err, &refused) || refused.Code != row.code || refused.At != row.at {
			t.Errorf("%s: Append = %v, want %s at byte %d", row.name, err, row.code, row.at)
		}
		if len(out) > 0 {
			t.Errorf("%s: wrote %q", row.name, out)
		}
	}
	var out lines
	if err := archive.NewWriter(&out).Append([]byte(deep(127)), archive.Receipt{}); err != nil {
		t.Errorf("127 levels: %v", err)
	}
	for _, id := range []string{"", "\xff"} {
		err := archive.NewWriter(io.Discard).Append([]byte(`{"type":"x"}`), archive.Receipt{LocalID: commitment.Some(id)})
		if !errors.Is(err, archive.ErrMalformedLocalID) {
			t.Errorf("local id %q: %v, want %v", id, err, archive.ErrMalformedLocalID)
		}
	}
}

// A line is written if it can be read again, and only then.
func TestWriterRecordLimit(t *testing.T) {
	around := len(`{"format":"cgp-archive/1","envelope":{"type":"x","a":""}}`)
	most := int(archive.DefaultLimits().Record) - around
	message := func(n int) []byte { return []byte(`{"type":"x","a":"` + strings.Repeat("a", n) + `"}`) }
	var out bytes.Buffer
	w := archive.NewWriter(&out)
	var refused *archive.RecordError
	if err := w.Append(message(most+1), archive.Receipt{}); !errors.As(err, &refused) || refused.Code != archive.ErrorTooLarge || out.Len() > 0 {
		t.Errorf("one byte too many: %v, and %d bytes written", err, out.Len())
	}
	if err := w.Append(message(most), archive.Receipt{}); err != nil {
		t.Fatal(err)
	}
	if r := verify(t, &archive.Verifier{}, out.Bytes()); r.Summary.PassedOver != 1 || r.Summary.Unreadable != 0 {
		t.Errorf("the longest line is not read: %+v", r.Errors)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriterTellsTheError(t *testing.T) {
	full := errors.New("full")
	w := archive.NewWriter(failing{full})
	if err := w.Append([]byte(`{"type":"x"}`), archive.Receipt{}); !errors.Is(err, full) {
		t.Errorf("Append = %v, want %v", err, full)
	}
	src := source("in", `{"type":"x"}{"type":"y"}`)
	bad := func(e *archive.RecordError) error { t.Errorf("a record is said to be bad: %v", e); return nil }
	if err := w.AppendSource(src, none, bad); !errors.Is(err, full) {
		t.Errorf("AppendSource = %v, want %v", err, full)
	}
}

func none() archive.Receipt { return archive.Receipt{} }

func source(name, text string) archive.Source {
	return archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

// From every form that an input has; what cannot be taken is told with its place and hides nothing.
func TestWriterAppendSource(t *testing.T) {
	input := "{\"type\":\"a\"} {\n  \"type\": \"b\"\r\n}\r\n[{\"type\":\"c\"}, 7, {\"type\":\"d\"}]\n{\"type\":\"e\",}\n{\"frames\":[]}\n" +
		strings.Repeat(" ", 3) + `{"type":"f","x":` + strings.Repeat("[", 127) + strings.Repeat("]", 127) + "}\n{\"type\":\"g\"}\n{\"type\":"
	var out lines
	var bad []string
	n := 0
	count := func() archive.Receipt {
		n++
		return archive.Receipt{At: commitment.InstantOf(time.Unix(int64(n), 0))}
	}
	err := archive.NewWriter(&out).AppendSource(source("in", input), count, func(e *archive.RecordError) error {
		bad = append(bad, fmt.Sprintf("%s %d %q %s %d", e.Source, e.Record, input[e.Offset], e.Code, e.At-e.Offset))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	var types []string
	for _, l := range out {
		for m := range strings.SplitSeq(l, `"type":`) {
			types = append(types, m[:3])
		}
	}
	if got, want := strings.Join(types, " "), `{"f "a" {"f "b" {"f "c" {"f "d" {"f "g"`; got != want {
		t.Errorf("wrote %s\nwant %s", got, want)
	}
	want := []string{
		`in 4 '7' not_a_message 0`, `in 6 '{' syntax 12`, `in 7 '{' not_a_message 0`, `in 8 '{' too_deep 0`, `in 10 '{' cut 8`,
	}
	if diff := cmp.Diff(want, bad); diff != "" {
		t.Errorf("bad records (-want +got):\n%s", diff)
	}
	gone := archive.Source{Name: "in", Open: func() (io.ReadCloser, error) { return nil, io.ErrClosedPipe }}
	stop := errors.New("stop")
	err = archive.NewWriter(&out).AppendSource(gone, none, func(e *archive.RecordError) error {
		if e.Record != 0 || e.Code != archive.ErrorUnreadableSource {
			t.Errorf("a source that does not open: %v", e)
		}
		return stop
	})
	if err != stop {
		t.Errorf("AppendSource = %v, want the error of bad", err)
	}
}

// Messages that were stored compressed are read as they are everywhere.
func TestWriterAppendSourceCompressed(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	io.WriteString(z, `{"type":"a"} {"type":"b"}`)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	log, left := recorded(t, packed.Bytes())
	want := `{"format":"cgp-archive/1","envelope":{"type":"a"}}` + "\n" + `{"format":"cgp-archive/1","envelope":{"type":"b"}}` + "\n"
	if string(log) != want || len(left) > 0 {
		t.Errorf("wrote %q and left out %v, want %q", log, left, want)
	}
}

// recorded returns the lines of an input's messages, and the codes of what was left out.
func recorded(t *testing.T, input []byte) (log []byte, left []archive.ErrorCode) {
	t.Helper()
	var out bytes.Buffer
	err := archive.NewWriter(&out).AppendSource(source("input", string(input)), none, func(e *archive.RecordError) error {
		left = append(left, e.Code)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), left
}

// sameVerdict compares two reports in everything but where the records stand.
func sameVerdict(t *testing.T, name string, before, after *archive.Report) {
	t.Helper()
	places := cmpopts.IgnoreFields(archive.Answer{}, "Offset", "Line", "FramesAt")
	values := cmp.AllowUnexported(commitment.Optional{}, commitment.Instant{})
	if diff := cmp.Diff(before.Answers, after.Answers, places, values); diff != "" {
		t.Errorf("%s: what was recorded is judged otherwise (-before +after):\n%s", name, diff)
	}
	if before.Summary.ExitCode != after.Summary.ExitCode || before.Summary.Records != after.Summary.Records {
		t.Errorf("%s: exit code %d of %d records, before %d of %d", name,
			after.Summary.ExitCode, after.Summary.Records, before.Summary.ExitCode, before.Summary.Records)
	}
}

// Whatever can be found in an answer is found in its archive line.
func TestRecordedVerifiesAlike(t *testing.T) {
	files, err := filepath.Glob("testdata/minimal/*.ndjson")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d minimal inputs, %v", len(files), err)
	}
	var other []string // inputs that are not messages alone
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".ndjson")
		input := readFile(t, file)
		log, left := recorded(t, input)
		if len(left) > 0 {
			other = append(other, name)
			continue
		}
		sameVerdict(t, name, verify(t, minimalVerifier(t, name), input), verify(t, minimalVerifier(t, name), log))
	}
	if want := []string{"contradicting_proofs", "key_not_in_service", "leaf_count_is_a_claim", "provider_unknown"}; !slices.Equal(other, want) {
		t.Errorf("inputs with records that are no message: %q, want %q", other, want)
	}
}

func TestRecordedPublishedExample(t *testing.T) {
	input := publishedExample(t)
	log, left := recorded(t, input)
	if len(left) > 0 {
		t.Fatalf("left out: %v", left)
	}
	sameVerdict(t, "example", verify(t, &archive.Verifier{}, input), verify(t, &archive.Verifier{}, log))
	checkTokens(t, input, log)
}

// checkTokens walks the tokens of the messages and of the lines with jsontext, and compares their bytes.
func checkTokens(t *testing.T, input, log []byte) {
	t.Helper()
	want, got := tokens(t, input), tokens(t, log)
	n := 0
	for line := range slices.Values(got) {
		rest, ok := strings.CutPrefix(line, "{\n\"format\"\n\"cgp-archive/1\"\n\"envelope\"\n")
		if !ok || n >= len(want) || rest != want[n]+"}\n" {
			t.Fatalf("line %d has the tokens %q, want those of %q", n, line, want[min(n, len(want)-1)])
		}
		n++
	}
	if n != len(want) || n != bytes.Count(log, []byte{'\n'}) || bytes.IndexByte(log, '\r') >= 0 {
		t.Errorf("%d messages in %d lines, want %d, and no carriage return", n, bytes.Count(log, []byte{'\n'}), len(want))
	}
}

// tokens returns the raw tokens of each value in data, a line a token. Of an array those of its elements.
func tokens(t *testing.T, data []byte) (values []string) {
	t.Helper()
	dec := jsontext.NewDecoder(bytes.NewReader(data))
	top := 0
	if dec.PeekKind() == '[' {
		top = 1
	}
	var b strings.Builder
	for {
		// A string or number is read as a value: a Token would not have its spelling.
		var raw string
		switch kind := dec.PeekKind(); kind {
		case '{', '}', '[', ']':
			_, err := dec.ReadToken()
			if err != nil {
				t.Fatal(err)
			}
			raw = string(kind)
			if top == 1 && (dec.StackDepth() == 0 || raw == "[" && dec.StackDepth() == 1) {
				continue
			}
		default:
			v, err := dec.ReadValue()
			if err == io.EOF {
				return values
			}
			if err != nil {
				t.Fatal(err)
			}
			raw = string(v)
		}
		b.WriteString(raw + "\n")
		if dec.StackDepth() == top {
			values = append(values, b.String())
			b.Reset()
		}
	}
}

// The spans of a message pass through whatever white space stands between them.
func FuzzWriter(f *testing.F) {
	seeds, err := filepath.Glob("testdata/minimal/*.ndjson")
	if err != nil || len(seeds) == 0 {
		f.Fatalf("%d seeds, %v", len(seeds), err)
	}
	for _, file := range seeds {
		for line := range bytes.Lines(readFile(f, file)) {
			f.Add(line)
		}
	}
	f.Add([]byte("{ \"type\":\"x\\\\\\\"\", \"a\" : [ 1.0e5 , \"\u2028\\u2028\" ] }\r\n"))
	f.Fuzz(func(t *testing.T, message []byte) {
		var out lines
		err := archive.NewWriter(&out).Append(message, archive.Receipt{})
		var refused *archive.RecordError
		if err != nil {
			if !errors.As(err, &refused) || len(out) > 0 {
				t.Fatalf("%v, and wrote %q", err, out)
			}
			return
		}
		if len(out) != 1 {
			t.Fatalf("%d writes, want 1", len(out))
		}
		checkTokens(t, bytes.TrimSpace(message), []byte(out[0]))
		if r := verify(t, &archive.Verifier{}, []byte(out[0])); r.Summary.Records != 1 || r.Summary.Unreadable != 0 {
			t.Fatalf("%q is not read: %v", out[0], r.Errors)
		}
	})
}

// BenchmarkWriter is the work of a line without its disk.
func BenchmarkWriter(b *testing.B) {
	message := readFile(b, "testdata/minimal/attested.ndjson")
	message = message[bytes.IndexByte(message, '\n')+1:]
	b.SetBytes(int64(len(message)))
	w := archive.NewWriter(io.Discard)
	b.ReportAllocs()
	for b.Loop() {
		if err := w.Append(message, archive.Receipt{}); err != nil {
			b.Fatal(err)
		}
	}
}
