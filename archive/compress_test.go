package archive_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/iotest"
	"time"

	"github.com/klauspost/compress/zstd"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A compressor makes one member, or frame, of what it is given.
type compressor struct {
	name     string
	compress func(t testing.TB, data []byte) []byte
}

var compressors = []compressor{{"gzip", gzipped}, {"zstd", zstandard}}

func gzipped(t testing.TB, data []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	return writeAll(t, &b, gzip.NewWriter(&b), data)
}

func zstandard(t testing.TB, data []byte) []byte {
	t.Helper()
	return zstdWith(t, data)
}

func zstdWith(t testing.TB, data []byte, opts ...zstd.EOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, append([]zstd.EOption{zstd.WithEncoderConcurrency(1)}, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return writeAll(t, &b, w, data)
}

func writeAll(t testing.TB, b *bytes.Buffer, w io.WriteCloser, data []byte) []byte {
	t.Helper()
	if _, err := w.Write(data); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// skippable is a zstd frame that holds nothing of the input (RFC 8878 §3.1.2).
func skippable(id byte, content string) []byte {
	n := len(content)
	return append([]byte{0x50 | id, 0x2a, 0x4d, 0x18, byte(n), byte(n >> 8), byte(n >> 16), byte(n >> 24)}, content...)
}

// session is some records, of a few sizes, with text that does not compress well.
func session() []byte {
	b := []byte(ackOf("docs") + "\n")
	for i := range 40 {
		text := digestOf(fmt.Sprint(i))
		for range i {
			text += digestOf(text)
		}
		b = append(b, answerOf(frameOf(fmt.Sprintf("f%d", i), text))+"\n"...)
	}
	return b
}

func join(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

// readings are ways in which the bytes of an input may come.
var readings = []struct {
	name string
	of   func(io.Reader) io.Reader
}{
	{"at once", func(r io.Reader) io.Reader { return r }},
	{"byte by byte", iotest.OneByteReader},
	{"by halves", iotest.HalfReader},
	{"with the end", iotest.DataErrReader},
}

func verifyReader(t testing.TB, v *archive.Verifier, in io.Reader) *archive.Report {
	t.Helper()
	r, err := v.VerifyReader(context.Background(), "input", in)
	if err != nil {
		t.Fatal(err)
	}
	recheck(t, r)
	return r
}

// placesOf gives the records of the answers of a report, and where they start.
func placesOf(r *archive.Report) (at []string) {
	for _, a := range r.Answers {
		at = append(at, fmt.Sprintf("%d@%d", a.Record, a.Offset))
	}
	return at
}

// Compressed input is judged as what it was compressed from, whatever it was compressed with and however it comes.
func TestCompressedInputIsJudged(t *testing.T) {
	plain := session()
	half := len(plain) / 2
	want := verify(t, &archive.Verifier{}, plain)
	for _, tc := range []struct {
		name  string
		input []byte
	}{
		{"plain", plain},
		{"gzip", gzipped(t, plain)},
		{"gzip, two members", join(gzipped(t, plain[:half]), gzipped(t, plain[half:]))},
		{"gzip, an empty member", join(gzipped(t, nil), gzipped(t, plain), gzipped(t, nil))},
		{"zstd", zstandard(t, plain)},
		{"zstd, two frames", join(zstandard(t, plain[:half]), zstandard(t, plain[half:]))},
		{"zstd, no checksum", zstdWith(t, plain, zstd.WithEncoderCRC(false))},
		{"zstd, single segment", zstdWith(t, plain, zstd.WithSingleSegment(true))},
		{"zstd, skippable frames", join(skippable(0, ""), zstandard(t, plain[:half]), skippable(15, "of no use"), zstandard(t, plain[half:]), skippable(7, "x"))},
	} {
		for _, reading := range readings {
			got := verifyReader(t, &archive.Verifier{}, reading.of(bytes.NewReader(tc.input)))
			if len(got.Errors) > 0 || !slices.Equal(placesOf(got), placesOf(want)) || got.Summary.ExitCode != want.Summary.ExitCode {
				t.Errorf("%s, %s: answers %v, errors %v, exit code %d, want %v, none, %d",
					tc.name, reading.name, placesOf(got), got.Errors, got.Summary.ExitCode, placesOf(want), want.Summary.ExitCode)
			}
		}
	}
}

// What is shorter than a magic, or begins like one and is none, is no compressed input.
func TestNotCompressed(t *testing.T) {
	for _, tc := range []string{"", "\x1f", "(", "\x28\xb5\x2f", "P", "[", "[]", "\x50\x2a\x4d", "\x28\xb5\x2f\xfe", "\x1f\x8c", "\x60\x2a\x4d\x18", "{}", "[*M\x19"} {
		for _, reading := range readings {
			got, err := io.ReadAll(archive.Decompress(reading.of(strings.NewReader(tc)), archive.Limits{}))
			if err != nil || string(got) != tc {
				t.Errorf("Decompress(%q), %s = %q, %v, want it as it is", tc, reading.name, got, err)
			}
		}
	}
}

// A pipe that stays open gives its bytes before more come: nothing waits for the rest of a magic that cannot come any more.
func TestDecompressDoesNotWait(t *testing.T) {
	record := []byte(`{"frames":[]}` + "\n")
	flushed := func(w interface {
		io.Writer
		Flush() error
	}, b *bytes.Buffer) []byte {
		if _, err := w.Write(record); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	var g, z bytes.Buffer
	zw, err := zstd.NewWriter(&z, zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name        string
		input, want []byte
	}{
		{"one byte", []byte("{"), []byte("{")},
		{"two bytes that begin a skippable frame no more", []byte("[{"), []byte("[{")},
		{"plain", record, record},
		{"gzip, flushed", flushed(gzip.NewWriter(&g), &g), record},
		{"zstd, flushed", flushed(zw, &z), record},
	} {
		out, in := io.Pipe()
		reader := archive.Decompress(out, archive.Limits{})
		go in.Write(tc.input)
		got := make([]byte, len(tc.want))
		read := make(chan error, 1)
		go func() {
			_, err := io.ReadFull(reader, got)
			read <- err
		}()
		select {
		case err := <-read:
			if err != nil || !bytes.Equal(got, tc.want) {
				t.Errorf("%s: read %q, %v, want %q", tc.name, got, err, tc.want)
			}
		case <-time.After(30 * time.Second):
			t.Errorf("%s: nothing came", tc.name)
		}
		in.Close()
		reader.Close()
	}
}

// prefixOf is what gzip and zstd of their own say that a prefix of an input holds.
func prefixOf(t *testing.T, name string, prefix []byte) []byte {
	t.Helper()
	var in io.Reader
	var err error
	if name == "gzip" {
		in, err = gzip.NewReader(bytes.NewReader(prefix))
	} else {
		var dec *zstd.Decoder
		if dec, err = zstd.NewReader(iotest.OneByteReader(bytes.NewReader(prefix)), zstd.WithDecoderConcurrency(1)); err == nil {
			defer dec.Close()
		}
		in = dec
	}
	if err != nil {
		return nil
	}
	var out []byte
	buf := make([]byte, 1)
	for {
		n, err := in.Read(buf)
		out = append(out, buf[:n]...)
		if err != nil {
			return out
		}
	}
}

// Wherever an input is cut, each record that came out whole is judged, and the source ends with one error that says where.
func TestCutCompression(t *testing.T) {
	plain := session()
	third := len(plain) / 3
	whole := verify(t, &archive.Verifier{}, plain)
	steps := 37
	if testing.Short() {
		steps = 5
	}
	for _, c := range compressors {
		parts := [][]byte{c.compress(t, plain[:third]), c.compress(t, plain[third:2*third]), c.compress(t, plain[2*third:])}
		input := join(parts...)
		boundary := map[int]bool{len(parts[0]): true, len(parts[0]) + len(parts[1]): true}
		for cut := 4; cut < len(input); cut += 1 + cut/steps {
			if boundary[cut] {
				continue
			}
			t.Run(fmt.Sprintf("%s at %d of %d", c.name, cut, len(input)), func(t *testing.T) { checkCut(t, c.name, input[:cut], plain, whole) })
		}
		for cut := range boundary { // nothing shows but that a record is cut
			got := verify(t, &archive.Verifier{}, input[:cut])
			if len(got.Errors) != 1 || got.Errors[0].Code != archive.ErrorCut {
				t.Errorf("%s at %d, between members: errors %v, want cut", c.name, cut, got.Errors)
			}
		}
	}
}

func checkCut(t *testing.T, name string, input, plain []byte, whole *archive.Report) {
	prefix := prefixOf(t, name, input)
	if !bytes.HasPrefix(plain, prefix) {
		t.Fatalf("the first %d bytes are not those of the input", len(prefix))
	}
	complete := 0
	for complete < len(whole.Answers) && int64(len(prefix)) >= whole.Answers[complete].Offset+int64(bytes.IndexByte(plain[whole.Answers[complete].Offset:], '\n')) {
		complete++
	}
	for _, reading := range readings {
		got := verifyReader(t, &archive.Verifier{}, reading.of(bytes.NewReader(input)))
		if !slices.Equal(placesOf(got), placesOf(whole)[:complete]) {
			t.Errorf("%s: %d answers, want the first %d of %d", reading.name, len(got.Answers), complete, len(whole.Answers))
		}
		if len(got.Errors) != 1 {
			t.Fatalf("%s: errors %v, want one", reading.name, got.Errors)
		}
		e := got.Errors[0]
		if e.Code != archive.ErrorCorruptCompression || e.Record != 0 || e.At != int64(len(prefix)) || !strings.Contains(e.Detail, "the input ends inside a") {
			t.Errorf("%s: %+v, want corrupt_compression of record 0 at %d that says that the input ends", reading.name, e, len(prefix))
		}
		if got.Summary.ExitCode != archive.ExitUnreadable {
			t.Errorf("%s: exit code %d, want 4", reading.name, got.Summary.ExitCode)
		}
	}
}

// Each fault of a compressed input is named, behind everything that came out in front of it, and the next source is read.
func TestCorruptCompression(t *testing.T) {
	plain := session()
	answers := len(verify(t, &archive.Verifier{}, plain).Answers)
	gz, zs := gzipped(t, plain), zstandard(t, plain)
	flipped := func(data []byte, at int) []byte {
		data = slices.Clone(data)
		data[at] ^= 8
		return data
	}
	for _, tc := range []struct {
		name    string
		input   []byte
		answers int // -1: any number
		detail  string
	}{
		{"gzip, checksum", flipped(gz, len(gz)-8), answers, "checksum"},
		{"gzip, length", flipped(gz, len(gz)-4), answers, "checksum or length"},
		{"gzip, text behind", join(gz, []byte(`{"frames":[]}`)), answers, fmt.Sprintf("at compressed byte %d, behind a member", len(gz))},
		{"gzip, zeros behind", join(gz, make([]byte, 512)), answers, "behind a member"},
		{"gzip, one byte behind", join(gz, []byte{0x1f}), answers, "behind a member"},
		{"gzip, zstd behind", join(gz, zs), answers, "behind a member"},
		{"gzip, no deflate", flipped(gz, 2), 0, "header"},
		{"gzip, header behind", join(gz, flipped(gz, 2)), answers, "header"},
		{"gzip, data", flipped(gz, 10), -1, "gzip: "},
		{"zstd, checksum", flipped(zs, len(zs)-1), answers, "checksum"},
		{"zstd, text behind", join(zs, []byte(`{"frames":[]}`)), answers, fmt.Sprintf("at compressed byte %d, behind a frame", len(zs))},
		{"zstd, gzip behind", join(zs, gz), answers, "behind a frame"},
		{"zstd, three bytes behind", join(zs, []byte("abc")), answers, "inside a frame"},
		{"zstd, reserved bit", flipped(zs, 4), -1, "zstd: "},
		{"zstd, a skippable frame that is cut", join(zs, skippable(1, "much")[:10]), answers, "inside a frame"},
	} {
		r := &archive.Report{}
		s, err := (&archive.Verifier{}).Verify(context.Background(), slices.Values([]archive.Source{bytesSource("bad", tc.input), bytesSource("good", plain)}), r)
		if err != nil {
			t.Fatal(err)
		}
		good, bad := 0, 0
		for _, a := range r.Answers {
			if a.Source == "good" {
				good++
			} else {
				bad++
			}
		}
		if good != answers || tc.answers >= 0 && bad != tc.answers {
			t.Errorf("%s: %d answers, and %d of the next source, want %d, %d", tc.name, bad, good, tc.answers, answers)
		}
		if len(r.Errors) != 1 || r.Errors[0].Code != archive.ErrorCorruptCompression || r.Errors[0].Record != 0 || r.Errors[0].Source != "bad" ||
			!strings.Contains(r.Errors[0].Detail, tc.detail) {
			t.Errorf("%s: errors %v, want corrupt_compression of bad with %q", tc.name, r.Errors, tc.detail)
		}
		if bad == answers && r.Errors[0].At != int64(len(plain)) {
			t.Errorf("%s: at %d, want %d", tc.name, r.Errors[0].At, len(plain))
		}
		if s.ExitCode != archive.ExitUnreadable {
			t.Errorf("%s: exit code %d, want 4", tc.name, s.ExitCode)
		}
	}
}

func bytesSource(name string, data []byte) archive.Source {
	return archive.Source{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil }}
}

// An error of the input itself is that, compressed or not, and stands behind what came in front of it.
func TestReaderFails(t *testing.T) {
	plain := session()
	broken := errors.New("the disk is gone")
	for _, c := range append(compressors, compressor{"plain", func(_ testing.TB, b []byte) []byte { return b }}) {
		input := c.compress(t, plain)
		for _, cut := range []int{0, 1, 3, 9, len(input) / 2, len(input)} {
			for _, reading := range readings {
				r := verifyReader(t, &archive.Verifier{}, io.MultiReader(reading.of(bytes.NewReader(input[:cut])), iotest.ErrReader(broken)))
				last := archive.RecordError{}
				if n := len(r.Errors); n == 1 || n == 2 && cut < 4 { // what is too short to be told apart is a record
					last = *r.Errors[n-1]
				}
				if last.Code != archive.ErrorUnreadableSource || last.Record != 0 || last.Detail != broken.Error() {
					t.Errorf("%s, broken at %d, %s: %v, want unreadable_source", c.name, cut, reading.name, r.Errors)
					continue
				}
				if at := last.At; c.name == "plain" && at != int64(cut) || cut == len(input) && at != int64(len(plain)) {
					t.Errorf("%s, broken at %d, %s: at %d", c.name, cut, reading.name, at)
				}
			}
		}
	}
}

// A reader that gives nothing and no error is given up.
func TestReaderWithoutProgress(t *testing.T) {
	for _, first := range []string{"", "\x1f", "\x1f\x8b", "\x28\xb5\x2f\xfd"} {
		_, err := io.ReadAll(archive.Decompress(io.MultiReader(strings.NewReader(first), idle{}), archive.Limits{}))
		if !errors.Is(err, io.ErrNoProgress) {
			t.Errorf("behind %q: %v, want io.ErrNoProgress", first, err)
		}
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// bomb writes n zeros in records of white space, so that nothing but their number is against them.
func bomb(t testing.TB, w io.WriteCloser, n int) {
	t.Helper()
	blank := bytes.Repeat([]byte{' '}, 1<<20)
	for ; n > 0; n -= len(blank) {
		if _, err := w.Write(blank[:min(n, len(blank))]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func bombs(t testing.TB, n int) map[string][]byte {
	t.Helper()
	var g, z bytes.Buffer
	gw, err := gzip.NewWriterLevel(&g, gzip.BestCompression)
	if err != nil {
		t.Fatal(err)
	}
	bomb(t, gw, n)
	zw, err := zstd.NewWriter(&z, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
	if err != nil {
		t.Fatal(err)
	}
	bomb(t, zw, n)
	return map[string][]byte{"gzip": g.Bytes(), "zstd": z.Bytes()}
}

// Over 1,000 bytes out of each byte in the source ends, behind the records in front and wherever in the input it is.
func TestExpansionLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("the inputs are longer than the span")
	}
	const mib = 1 << 20
	front := session()
	answers := len(verify(t, &archive.Verifier{}, front).Answers)
	for name, b := range bombs(t, 80*mib) {
		c := compressors[slices.IndexFunc(compressors, func(c compressor) bool { return c.name == name })]
		for _, tc := range []struct {
			name  string
			input []byte
			over  bool
		}{
			{"a bomb", b, true},
			{"behind records", join(c.compress(t, front), b), true},
			{"less than the span", bombs(t, 63*mib)[name], false},
		} {
			r := verify(t, &archive.Verifier{}, tc.input)
			wantAnswers := 0
			if tc.name == "behind records" {
				wantAnswers = answers
			}
			if len(r.Answers) != wantAnswers || (len(r.Errors) == 1) != tc.over {
				t.Errorf("%s, %s: %d answers, errors %v, want %d, over the limit: %v", name, tc.name, len(r.Answers), r.Errors, wantAnswers, tc.over)
				continue
			}
			if !tc.over {
				continue
			}
			if e := r.Errors[0]; e.Code != archive.ErrorExpansionLimit || e.Record != 0 || e.At < 64*mib || e.At > 66*mib {
				t.Errorf("%s, %s: %+v, want expansion_limit at 64 to 66 MiB", name, tc.name, e)
			}
		}
	}
}

// 900 bytes out of each byte in are no bomb, wherever the compressed bytes stand in the span.
func TestExpansionBelowLimit(t *testing.T) {
	var input []byte
	noise := make([]byte, 0, 1<<20)
	for i := 0; len(noise) < 70_000; i++ {
		noise = append(noise, digestOf(fmt.Sprint(i))[len("sha256:"):]...)
	}
	for range 3 {
		var z bytes.Buffer
		zw, err := zstd.NewWriter(&z, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		if err != nil {
			t.Fatal(err)
		}
		bomb(t, zw, 60<<20)
		input = append(join(input, z.Bytes()), zstandard(t, noise)...)
	}
	n, err := io.Copy(io.Discard, archive.Decompress(bytes.NewReader(input), archive.Limits{}))
	if err != nil || n != int64(3*(60<<20+len(noise))) {
		t.Errorf("%d bytes, %v, want %d, nil", n, err, 3*(60<<20+len(noise)))
	}
}

// windowed is a frame whose header states a window, as one does whose length was not known.
func windowed(t testing.TB, data []byte, size int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(size))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(data[:100]); err != nil {
		t.Fatal(err)
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return writeAll(t, &b, w, data[100:])
}

// A zstd frame that wants a larger window than the limit ends its source before anything is held for it; a larger limit reads it.
func TestWindowLimit(t *testing.T) {
	plain := session()
	for _, tc := range []struct {
		name   string
		input  []byte
		window string
		limits archive.Limits
		over   bool
	}{
		{"at the default", windowed(t, plain, 8<<20), "", archive.Limits{}, false},
		{"over the default", windowed(t, plain, 16<<20), "16777216", archive.Limits{}, true},
		{"raised", windowed(t, plain, 16<<20), "", archive.Limits{Window: 16 << 20}, false},
		{"lowered", windowed(t, plain, 2<<20), "2097152", archive.Limits{Window: 1 << 20}, true},
		{"lower than any", windowed(t, plain, 1<<10), "", archive.Limits{Window: 1}, false},
		{"higher than any", windowed(t, plain, 1<<29), "", archive.Limits{Window: 1 << 62}, false},
		{"a single segment", zstdWith(t, plain, zstd.WithSingleSegment(true)), fmt.Sprint(len(plain)), archive.Limits{Window: 1 << 15}, true},
		// Window descriptor 0xff: an exponent of 31 and a mantissa of 7 (RFC 8878 §3.1.1.1.2).
		{"the largest", []byte("\x28\xb5\x2f\xfd\x00\xff\x01\x00\x00"), fmt.Sprint(uint64(1)<<41 + 7<<38), archive.Limits{Window: 1 << 62}, true},
		// A first block that is longer than the window allows, which is legal.
		{"a block beyond the window", []byte("\x28\xb5\x2f\xfd\x00\x00\x03\x00\x10 "), "", archive.Limits{}, false},
	} {
		r := verify(t, &archive.Verifier{Limits: tc.limits}, join(windowed(t, plain, 1<<10), tc.input))
		switch {
		case tc.name == "a block beyond the window":
			if len(r.Errors) != 1 || r.Errors[0].Code != archive.ErrorCorruptCompression {
				t.Errorf("%s: %v, want corrupt_compression", tc.name, r.Errors)
			}
		case !tc.over:
			if len(r.Errors) > 0 {
				t.Errorf("%s: %v, want no error", tc.name, r.Errors)
			}
		case len(r.Errors) != 1 || r.Errors[0].Code != archive.ErrorExpansionLimit || r.Errors[0].At != int64(len(plain)):
			t.Errorf("%s: %v, want expansion_limit at %d", tc.name, r.Errors, len(plain))
		default:
			d := r.Errors[0].Detail
			if !strings.Contains(d, "a window of "+tc.window+" bytes") || !strings.Contains(d, "--zstd-window") {
				t.Errorf("%s: detail %q, want one that names the window %s and --zstd-window", tc.name, d, tc.window)
			}
		}
	}
}

// settled waits until no more goroutines run than before.
func settled(t *testing.T, before int) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > before; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), before)
		}
	}
}

type refusing struct{ archive.Report }

var errRefused = errors.New("no more")

func (*refusing) Answer(*archive.Answer) error { return errRefused }

// However reading ends, the goroutine that decompresses does.
func TestDecompressionEnds(t *testing.T) {
	plain := bytes.Repeat(session(), 50) // more than waits for a reader
	before := runtime.NumGoroutine()
	for _, c := range compressors {
		input := c.compress(t, plain)
		src := bytesSource("input", input)
		verify(t, &archive.Verifier{}, input)
		settled(t, before)
		if _, err := (&archive.Verifier{}).Verify(context.Background(), slices.Values([]archive.Source{src}), &refusing{}); !errors.Is(err, errRefused) {
			t.Errorf("%s: Verify = %v, want the sink's error", c.name, err)
		}
		settled(t, before)
		if _, err := archive.List(src, archive.ListOptions{}, func(*archive.Listing) error { return errRefused }); !errors.Is(err, errRefused) {
			t.Errorf("%s: List = %v, want the caller's error", c.name, err)
		}
		settled(t, before)
		_, err := archive.Inspect(src, archive.Limits{}, func(*archive.InspectedAnswer) error { return errRefused }, func(*archive.RecordError) error { return nil })
		if !errors.Is(err, errRefused) {
			t.Errorf("%s: Inspect = %v, want the caller's error", c.name, err)
		}
		settled(t, before)
		if _, err := archive.Prove(bytes.NewReader(input), archive.ProveOptions{}); !errors.Is(err, archive.ErrSeveralAnswers) {
			t.Errorf("%s: Prove = %v, want ErrSeveralAnswers", c.name, err)
		}
		settled(t, before)
		in := archive.Decompress(bytes.NewReader(input), archive.Limits{})
		if err := in.Close(); err != nil {
			t.Error(err)
		}
		if n, err := in.Read(make([]byte, 1)); n != 0 || err != io.ErrClosedPipe {
			t.Errorf("%s: Read behind Close = %d, %v, want 0, io.ErrClosedPipe", c.name, n, err)
		}
		settled(t, before)
	}
}

// A closed reader reads no more of its input.
func TestDecompressionStopsReading(t *testing.T) {
	input := gzipped(t, bytes.Repeat(session(), 100))
	counted := &counting{r: iotest.OneByteReader(bytes.NewReader(input))}
	in := archive.Decompress(counted, archive.Limits{})
	if _, err := io.ReadFull(in, make([]byte, 10)); err != nil {
		t.Fatal(err)
	}
	before := runtime.NumGoroutine()
	in.Close()
	settled(t, before-1)
	if n := counted.n.Load(); n == int64(len(input)) {
		t.Errorf("all %d bytes were read", n)
	}
}

type counting struct {
	r io.Reader
	n atomic.Int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n.Add(int64(n))
	return n, err
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("a fault of the reader") }

// A panic while decompressing ends the run as one in the run itself does.
func TestPanicWhileDecompressing(t *testing.T) {
	for _, c := range compressors {
		input := c.compress(t, session())
		broken := func() io.Reader { return io.MultiReader(bytes.NewReader(input[:len(input)-1]), panics{}) }
		src := archive.Source{Name: "input", Open: func() (io.ReadCloser, error) { return io.NopCloser(broken()), nil }}
		s, err := (&archive.Verifier{}).Verify(context.Background(), slices.Values([]archive.Source{src}), &archive.Report{})
		if !errors.Is(err, archive.ErrInternal) || !strings.Contains(err.Error(), "a fault of the reader") || s.ExitCode != archive.ExitInternal || s.Finished {
			t.Errorf("%s: Verify: %v, exit code %d, want ErrInternal, 5", c.name, err, s.ExitCode)
		}
		_, err = archive.Inspect(src, archive.Limits{}, func(*archive.InspectedAnswer) error { return nil }, func(*archive.RecordError) error { return nil })
		if !errors.Is(err, archive.ErrInternal) {
			t.Errorf("%s: Inspect: %v, want ErrInternal", c.name, err)
		}
		if _, err := archive.List(src, archive.ListOptions{}, func(*archive.Listing) error { return nil }); !errors.Is(err, archive.ErrInternal) {
			t.Errorf("%s: List: %v, want ErrInternal", c.name, err)
		}
	}
}

// What only reads takes compressed input; what writes its input again says that it does not.
func TestCompressedInputOfOtherCommands(t *testing.T) {
	signed := mustSign(t, ackOf("docs")+answerOf(numberedFrames(3)...), options(t, archive.ShapeRoot)).Output
	for _, c := range compressors {
		input := c.compress(t, signed)
		want, err := archive.Prove(bytes.NewReader(signed), archive.ProveOptions{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := archive.Prove(bytes.NewReader(input), archive.ProveOptions{})
		if err != nil || !bytes.Equal(got.AppendJSON(nil), want.AppendJSON(nil)) {
			t.Errorf("%s: Prove: %v, want what it proves of plain input", c.name, err)
		}
		kept := mustRetain(t, string(input), archive.RetainOptions{Keep: refs("f1")})
		if want := mustRetain(t, string(signed), archive.RetainOptions{Keep: refs("f1")}); !bytes.Equal(kept.Output, want.Output) {
			t.Errorf("%s: Retain differs from what it keeps of plain input", c.name)
		}
		var e *archive.RecordError
		opt := options(t, archive.ShapeRoot)
		opt.Source = "input"
		if _, err := archive.Sign(input, opt); !errors.As(err, &e) || e.Code != archive.ErrorUnreadableSource || e.Source != "input" ||
			!strings.Contains(e.Detail, c.name) || !strings.Contains(e.Detail, "decompress it first") {
			t.Errorf("%s: Sign: %v, want unreadable_source that says to decompress", c.name, err)
		}
		if _, err := archive.Prepare(input, publicKey(signingKey(7)), options(t, archive.ShapeRoot)); !errors.As(err, &e) || !strings.Contains(e.Detail, "decompress it first") {
			t.Errorf("%s: Prepare: %v, want an error that says to decompress", c.name, err)
		}
		unsigned := ackOf("docs") + answerOf(numberedFrames(3)...)
		p := mustPrepare(t, unsigned, options(t, archive.ShapeRoot))
		_, err = archive.Attach(c.compress(t, []byte(unsigned)), p.Request, nil, archive.AttachOptions{})
		if !errors.As(err, &e) || !strings.Contains(e.Detail, "decompress it first") {
			t.Errorf("%s: Attach: %v, want an error that says to decompress", c.name, err)
		}
	}
}

// Other programs compress what is read here, in several members and from a pipe.
func TestCompressionOracles(t *testing.T) {
	plain := session()
	half := len(plain) / 2
	for _, tc := range []struct {
		name string
		args []string
	}{
		{"python3", []string{"-c", "import gzip,sys; sys.stdout.buffer.write(gzip.compress(sys.stdin.buffer.read(), 9))"}},
		{"zstd", []string{"-q", "-19", "-c"}},
		{"zstd", []string{"-q", "--no-check", "--fast=3", "-c"}},
		{"gzip", []string{"-9", "-c"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			tool, err := exec.LookPath(tc.name)
			if err != nil {
				if os.Getenv("CGP_ATTEST_REQUIRE_ORACLES") == "1" {
					t.Fatal(err)
				}
				t.Skipf("%s is not installed", tc.name)
			}
			compress := func(data []byte) []byte {
				cmd := exec.Command(tool, tc.args...)
				cmd.Stdin = bytes.NewReader(data)
				out, err := cmd.Output()
				if err != nil {
					t.Fatal(err)
				}
				return out
			}
			input := join(compress(plain[:half]), compress(plain[half:]))
			got, err := io.ReadAll(archive.Decompress(bytes.NewReader(input), archive.Limits{}))
			if err != nil || !bytes.Equal(got, plain) {
				t.Errorf("%d bytes, %v, want %d", len(got), err, len(plain))
			}
		})
	}
}

// Whatever the bytes: what comes out in front of the end, or of a fault, is what the formats' own readers give, the same
// however the bytes come in, and no goroutine stays.
func FuzzDecompress(f *testing.F) {
	plain := session()[:4000]
	seeds := [][]byte{
		plain, gzipped(f, plain), zstandard(f, plain), join(gzipped(f, plain), gzipped(f, nil)), join(skippable(3, "x"), zstandard(f, plain)),
		zstdWith(f, plain, zstd.WithWindowSize(32<<20)), zstandard(f, bytes.Repeat([]byte{0}, 1<<20)),
	}
	for _, s := range seeds {
		f.Add(s)
		f.Add(s[:len(s)/2])
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		whole, wholeErr := drain(bytes.NewReader(input))
		pieces, piecesErr := drain(iotest.OneByteReader(bytes.NewReader(input)))
		if !bytes.Equal(whole, pieces) || fmt.Sprint(wholeErr) != fmt.Sprint(piecesErr) {
			t.Fatalf("%d bytes, %v; byte by byte %d bytes, %v", len(whole), wholeErr, len(pieces), piecesErr)
		}
		var e *archive.RecordError
		if wholeErr != nil && (!errors.As(wholeErr, &e) || e.At != int64(len(whole)) || e.Record != 0 || e.Detail == "" ||
			e.Code != archive.ErrorCorruptCompression && e.Code != archive.ErrorExpansionLimit) {
			t.Fatalf("behind %d bytes: %v", len(whole), wholeErr)
		}
		if g, err := gzip.NewReader(bytes.NewReader(input)); err == nil {
			want, err := io.ReadAll(io.LimitReader(g, fuzzMost))
			if !bytes.Equal(whole, want) || wholeErr == nil && err != nil {
				t.Fatalf("%d bytes, %v, compress/gzip: %d, %v", len(whole), wholeErr, len(want), err)
			}
		}
	})
}

// fuzzMost is up to how many bytes the fuzz target reads.
const fuzzMost = 4 << 20

func drain(in io.Reader) ([]byte, error) {
	r := archive.Decompress(in, archive.Limits{})
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, fuzzMost))
}

func BenchmarkDecompress(b *testing.B) {
	plain := bytes.Repeat(session(), 64)
	for _, c := range append(compressors, compressor{"plain", func(_ testing.TB, data []byte) []byte { return data }}) {
		input := c.compress(b, plain)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(plain)))
			for b.Loop() {
				in := archive.Decompress(bytes.NewReader(input), archive.Limits{})
				if n, err := io.Copy(io.Discard, in); err != nil || n != int64(len(plain)) {
					b.Fatal(n, err)
				}
				in.Close()
			}
		})
	}
}
