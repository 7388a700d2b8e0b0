package archive_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/bench"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/merkle"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// budgets is the table, in the order in which it is measured. The archives are those of bench.Standard: answers of 10 frames
// and 36 KB.
func budgets() []budget {
	rootSigned := func() []byte { return standard(400, bench.ShapeRoot) }
	perFrame := func() []byte { return standard(80, bench.ShapeFrames) }
	return []budget{
		{"naive reference, MB/s (outside the bounds the ratios to it are void)", 35, 40, false, "", naiveSpeed},
		{"encoding and commitment of a frame: naive ÷ ours", 1, 1.2, false, "", commitments},
		{"root of 10,000 leaves: time ÷ ((3n−2) × block time)", 2.4, 2.0, true, "", rootTime},
		{"… allocations", 0, 0, true, "", rootAllocations},
		{"all proofs of 10,000 leaves, rendered: naive ÷ ours", 3000, 6000, false, "", allProofs},
		{"proofs of an answer of 10: walking each ÷ ours", 1.6, 1.8, false, "", proofChecks(10)},
		{"proofs of an answer of 200: walking each ÷ ours", 2.8, 3.3, false, "", proofChecks(200)},
		{"proofs of an answer of 10,000: walking each ÷ ours", 4.5, 6, false, "", proofChecks(10_000)},
		{"strict verify, key seen before ÷ crypto/ed25519.Verify", 1.03, 1.01, true, "", strictVerify},
		{"sign ÷ crypto/ed25519.Sign and Verify", 1.1, 1.05, true, "", signing},
		{"reader: encoding/json into structs ÷ ours", 2.5, 3, false, "", readerTime},
		{"… allocations a line", 10, 0, true, "", readerAllocations},
		{"archive, root-signed, one worker: naive ÷ ours", 4.5, 5.2, false, "", againstNaive(rootSigned, 1)},
		{"… two workers: naive with one ÷ ours", 8.5, 9.7, false, "", againstNaive(rootSigned, 2)},
		{"archive, per-frame signatures, one worker: naive ÷ ours", 1.3, 1.4, false, "", againstNaive(perFrame, 1)},
		{"one worker, root-signed: limit ÷ ours", 0.85, 0.92, false, "", againstLimit(rootSigned)},
		{"one worker, per-frame signatures: limit ÷ ours", 0.85, 0.92, false, "", againstLimit(perFrame)},
		{"two workers: one ÷ two", 1.65, 1.85, false, "", oneAndTwo(rootSigned)},
		{"peak memory of verify, records up to 1 MiB", 64, 24, true, " MiB", peakOfVerify},
		{"verify of one small file ÷ a program that verifies one signature", 2, 1.6, true, "", startUp},
	}
}

func standard(answers int, shape bench.Shape) []byte {
	spec := bench.Standard(answers)
	spec.Shape = shape
	return generated(spec)
}

func generated(spec bench.Spec) []byte {
	var b bytes.Buffer
	if err := bench.Archive(&b, spec); err != nil {
		panic(err) // of a buffer there is none
	}
	return b.Bytes()
}

func naive(text []byte) work {
	return func() error {
		_, err := bench.VerifySession(text)
		return err
	}
}

var errNotGood = errors.New("not everything is good")

// everything is verify --format jsonl -o /dev/null: all evidence, the contents, the findings, the report.
func everything(text []byte, jobs int) work {
	keys := &archive.Keyring{}
	ack, _, _ := bytes.Cut(text, []byte("\n"))
	if err := keys.Publish(ack, "ack.json"); err != nil {
		panic(err)
	}
	v := &archive.Verifier{Keys: keys, Jobs: jobs}
	sources := []archive.Source{{Name: "session", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}}
	return func() error {
		out := report.NewJSONL(io.Discard, v.Header(), report.Tool{Name: "bench"})
		summary, err := v.Verify(context.Background(), slices.Values(sources), out)
		if err == nil && summary.ExitCode != archive.ExitGood {
			err = errNotGood
		}
		return errors.Join(err, out.Close(summary))
	}
}

func naiveSpeed(b *bencher) figure {
	text := standard(100, bench.ShapeRoot)
	speed := b.onOneCore(func(times []float64) float64 { return float64(len(text)) / times[0] * 1e3 }, naive(text))
	if speed.median < 35 || speed.median > 50 {
		fmt.Printf("the naive reference reads %.1f MB/s, not 35 to 50: the ratios to it are void\n", speed.median)
	}
	return speed
}

func digests(n int) []commitment.Digest {
	leaves := make([]commitment.Digest, n)
	for i := range leaves {
		leaves[i] = commitment.ContentDigest(fmt.Sprint("leaf ", i))
	}
	return leaves
}

func hashes(leaves []commitment.Digest) []bench.Hash {
	out := make([]bench.Hash, len(leaves))
	for i := range leaves {
		out[i] = bench.Hash(leaves[i])
	}
	return out
}

// hashedInOne hashes so many blocks in one stream.
func hashedInOne(blocks int) work {
	data := make([]byte, 64*blocks)
	return func() error {
		_ = sha256.Sum256(data)
		return nil
	}
}

const streamedBlocks = 16 << 10

func commitments(b *bencher) figure {
	digest, uri, lines, by := commitment.ContentDigest("content").String(), "file:///srv/docs/guides/0a1b2c3d.md", "L12-40", "bench-docs"
	file, method, id := "file", "file-read", "doc:0a1b2c3d:1"
	ours := &commitment.Frame{ID: id, ContentDigest: commitment.Some(digest), Provenance: []commitment.Link{{
		Type: file, URI: commitment.Some(uri), Range: commitment.Some(lines), Digest: commitment.Some(digest),
		Method: commitment.Some(method), By: commitment.Some(by),
	}}}
	theirs := &bench.Frame{ID: &id, ContentDigest: &digest, Provenance: []bench.Link{{
		Type: &file, URI: &uri, Range: &lines, Digest: &digest, Method: &method, By: &by,
	}}}
	return b.onOneCore(ratio,
		func() error { bench.Commitment("bench-docs", theirs); return nil },
		func() error { _, err := commitment.Of("bench-docs", ours); return err })
}

func rootTime(b *bencher) figure {
	const n = 10_000
	leaves := digests(n)
	return b.onOneCore(func(times []float64) float64 {
		return times[0] / ((3*n - 2) * times[1] / streamedBlocks)
	}, func() error { merkle.Root(leaves); return nil }, hashedInOne(streamedBlocks))
}

func rootAllocations(*bencher) figure {
	leaves := digests(10_000)
	return exactly(testing.AllocsPerRun(10, func() { merkle.Root(leaves) }))
}

// allProofs scales what the naive reference takes for some of the proofs.
func allProofs(b *bencher) figure {
	const n, sample = 10_000, 8
	leaves := digests(n)
	theirs := hashes(leaves)
	next := uint64(0)
	return b.onOneCore(func(times []float64) float64 { return times[0] / sample * n / times[1] },
		func() error {
			for range sample {
				next = (next + 1237) % n
				p := bench.Prove(theirs, next)
				if _, err := p.Render(); err != nil {
					return err
				}
			}
			return nil
		},
		func() error { return archive.RenderProofs(leaves) })
}

func proofChecks(n int) func(*bencher) figure {
	return func(b *bencher) figure {
		c := archive.NewProofCheck(digests(n))
		return b.onOneCore(ratio, c.Walk, c.Compare)
	}
}

func benchKey() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) }

func strictVerify(b *bencher) figure {
	key := benchKey()
	message := sha256.Sum256([]byte("message"))
	signature := ed25519.Sign(key, message[:])
	public := key.Public().(ed25519.PublicKey)
	alg, _ := sign.Ed25519Only().Lookup(sign.Ed25519)
	verifier, err := alg.NewVerifier(public)
	if err != nil {
		b.tb.Fatal(err)
	}
	return b.onOneCore(ratio,
		func() error { return verifier.Verify(message[:], signature) },
		func() error {
			if !ed25519.Verify(public, message[:], signature) {
				return errNotGood
			}
			return nil
		})
}

// signing has a verification in it: no signature is given out that was not verified.
func signing(b *bencher) figure {
	key := benchKey()
	message := commitment.ContentDigest("message")
	at, err := commitment.ParseInstant("2026-08-29T12:00:00Z")
	if err != nil {
		b.tb.Fatal(err)
	}
	s, err := sign.NewSigner(key, "bench", "bench", at)
	if err != nil {
		b.tb.Fatal(err)
	}
	return b.onOneCore(ratio,
		func() error { _, err := s.Attest(sign.Request{Commitment: message, Provider: "bench"}); return err },
		func() error {
			if !ed25519.Verify(key.Public().(ed25519.PublicKey), message[:], ed25519.Sign(key, message[:])) {
				return errNotGood
			}
			return nil
		})
}

func readerTime(b *bencher) figure {
	text := standard(100, bench.ShapeRoot)
	var c archive.FrameCounter
	return b.onOneCore(ratio,
		func() error { _, err := bench.ReadSession(text); return err },
		func() error { _, err := c.Count(text); return err })
}

// readerAllocations counts what many lines more cost, so that buffers of a session that grow to their size do not.
func readerAllocations(b *bencher) figure {
	var c archive.FrameCounter
	count := func(answers int) float64 {
		text := standard(answers, bench.ShapeRoot)
		return testing.AllocsPerRun(5, func() {
			if _, err := c.Count(text); err != nil {
				b.tb.Fatal(err)
			}
		})
	}
	const few, many = 100, 300
	return exactly((count(many) - count(few)) / (many - few))
}

func againstNaive(text func() []byte, jobs int) func(*bencher) figure {
	return func(b *bencher) figure {
		text := text()
		if jobs == 1 {
			return b.onOneCore(ratio, naive(text), everything(text, jobs))
		}
		return b.inTurns(wall, ratio, onOne(naive(text)), everything(text, jobs))
	}
}

// onOne has a work done by one processor.
func onOne(w work) work {
	return func() error {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
		return w()
	}
}

// againstLimit adds up what cannot be avoided: reading with jsontext alone, the blocks that are hashed at the speed of one stream,
// the signatures at that of crypto/ed25519.
func againstLimit(text func() []byte) func(*bencher) figure {
	return func(b *bencher) figure {
		text := text()
		w, err := bench.Measure(text)
		if err != nil {
			b.tb.Fatal(err)
		}
		var p bench.Parser
		key := benchKey()
		message := []byte("message")
		signature := ed25519.Sign(key, message)
		public := key.Public().(ed25519.PublicKey)
		return b.onOneCore(func(times []float64) float64 {
			return (times[0] + float64(w.Blocks)*times[1]/streamedBlocks + float64(w.Signatures)*times[2]) / times[3]
		},
			func() error { _, err := p.Parse(text); return err },
			hashedInOne(streamedBlocks),
			func() error { ed25519.Verify(public, message, signature); return nil },
			everything(text, 1))
	}
}

func oneAndTwo(text func() []byte) func(*bencher) figure {
	return func(b *bencher) figure {
		text := text()
		return b.inTurns(wall, ratio, onOne(everything(text, 1)), everything(text, 2))
	}
}

// built builds the command of a package or file.
func (b *bencher) built(what string) string {
	out := filepath.Join(b.tb.TempDir(), "program")
	cmd := exec.Command("go", "build", "-o", out, what)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := cmd.CombinedOutput(); err != nil {
		b.tb.Fatalf("go build %s: %v\n%s", what, err, text)
	}
	return out
}

// written writes a session beside its trust and returns the arguments that verify it.
func (b *bencher) written(spec ...bench.Spec) []string {
	dir := b.tb.TempDir()
	text := generated(spec[0])
	for _, s := range spec[1:] {
		text = append(text, generated(s)...)
	}
	file := filepath.Join(dir, "session.ndjson")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		b.tb.Fatal(err)
	}
	return []string{"verify", "--require", "constructed", "--format", "jsonl", "-o", os.DevNull, file}
}

// A cost is what a process used.
type cost struct {
	memory float64 // in MiB at most, negative where that is not known
	time   float64 // of processors, in nanoseconds
}

// ran runs a program under the one that measures it.
func (b *bencher) ran(measured, program string, args ...string) (c cost) {
	cmd := exec.Command(measured, append([]string{program}, args...)...)
	cmd.Stderr = os.Stderr
	text, err := cmd.Output()
	if err == nil {
		_, err = fmt.Sscan(string(text), &c.memory, &c.time)
	}
	if err != nil {
		b.tb.Fatalf("%s: %v", program, err)
	}
	if c.memory /= 1 << 10; runtime.GOOS == "darwin" { // where it is counted in bytes
		c.memory /= 1 << 10
	}
	return c
}

// peakOfVerify reads an archive of records of 36 KB and one of a megabyte now and then.
func peakOfVerify(b *bencher) figure {
	program, measured := b.built("../cmd/cgp-attest"), b.built("testdata/measured.go")
	large := bench.Spec{Seed: 2, Answers: 4, Frames: 400, ContentBytes: 1024, Shape: bench.ShapeBoth}
	small := bench.Standard(1500)
	args := b.written(small, large, small, large, small)
	var values []float64
	for range 3 {
		values = append(values, b.ran(measured, program, args...).memory)
	}
	return medianOf(values)
}

func startUp(b *bencher) figure {
	ours, bare, measured := b.built("../cmd/cgp-attest"), b.built("testdata/onesignature.go"), b.built("testdata/measured.go")
	args := b.written(bench.Spec{Seed: 1, Answers: 1, Frames: 2, ContentBytes: 100, Shape: bench.ShapeRoot})
	cost := func(program string, args ...string) float64 {
		var total float64
		for range 20 {
			total += b.ran(measured, program, args...).time
		}
		return total
	}
	var values []float64
	for range rounds {
		values = append(values, cost(ours, args...)/cost(bare))
	}
	return medianOf(values)
}
