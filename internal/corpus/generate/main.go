// Command generate writes an archive in which every fault is known, for measured runs:
//
//	go run ./internal/corpus/generate -bytes 1G -seed 7 -trust trust.json -expect expect.txt >archive.ndjson
//	cgp-attest verify --trust trust.json --local-id archive --received-at archive archive.ndjson
//
// With -folder it writes files into a folder instead, each of -bytes. -cases none leaves all faults out: then everything
// meets the policy and verify exits 0. What a report must say goes to -expect, by default to standard error.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"contextgraphprotocol.org/cgp-attest/internal/corpus"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("generate", flag.ContinueOnError)
	flags.SetOutput(stderr)
	size := flags.String("bytes", "64K", "write at least so many `BYTES`; K, M and G are powers of 1024")
	seed := flags.Uint64("seed", 1, "`SEED`: equal ones give equal bytes")
	every := flags.Int("every", 4, "one record in `N` is a case, the others are honest")
	names := flags.String("cases", "", "comma-separated `NAMES` of the cases to mix in; none for none (default all)")
	list := flags.Bool("list", false, "print the names of all cases and end")
	record := flags.Int64("max-record", 0, "the limit that verify --max-record is given, in `BYTES`, for records over it")
	trust := flags.String("trust", "", "write the trust file to `FILE`")
	expect := flags.String("expect", "", "write what a report must say to `FILE`")
	folder := flags.String("folder", "", "write files into `DIR` instead of standard output")
	files := flags.Int("files", 10, "with -folder: `N` files")
	compressed := flags.Bool("compressed", false, "with -folder: two files of three are compressed, with gzip and zstd")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *list {
		_, err := fmt.Fprintln(stdout, strings.Join(corpus.Cases(), "\n"))
		return err
	}
	bytes, err := parseSize(*size)
	if err != nil {
		return err
	}
	spec := corpus.Spec{Seed: *seed, Bytes: bytes, Every: *every, Limits: corpus.Limits{Record: *record}}
	switch *names {
	case "":
	case "none":
		spec.Cases = []string{}
	default:
		spec.Cases = strings.Split(*names, ",")
	}
	if *trust != "" {
		if err := os.WriteFile(*trust, corpus.Trust(), 0o644); err != nil {
			return err
		}
	}
	expected, err := write(stdout, spec, *folder, *files, *compressed)
	if err != nil {
		return err
	}
	if *expect != "" {
		return os.WriteFile(*expect, []byte(describe(expected)), 0o644)
	}
	_, err = io.WriteString(stderr, describe(expected))
	return err
}

func write(stdout io.Writer, spec corpus.Spec, folder string, files int, compressed bool) (*corpus.Expected, error) {
	if folder == "" {
		return corpus.Write(stdout, spec)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	c := corpus.Uncompressed
	if compressed {
		c = corpus.EveryOneThird
	}
	return corpus.Folder(folder, files, spec, c)
}

// parseSize reads a number of bytes such as 64K.
func parseSize(text string) (int64, error) {
	digits, shift := text, 0
	for unit, by := range map[string]int{"K": 10, "M": 20, "G": 30} {
		if rest, is := strings.CutSuffix(text, unit); is {
			digits, shift = rest, by
		}
	}
	n, err := strconv.ParseUint(digits, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("-bytes %q: want a number, or one with K, M or G behind it", text)
	}
	return int64(n) << shift, nil
}

// describe says what is expected, a count a line.
func describe(e *corpus.Expected) string {
	var b strings.Builder
	fmt.Fprintf(&b, "exit_code %d\nsources %d\nrecords %d\nanswers %d\nframes %d\nunreadable %d\npassed_over %d\n",
		e.ExitCode, e.Sources, e.Records, e.Answers, e.Frames, e.Unreadable, e.PassedOver)
	for _, set := range []struct {
		name   string
		counts map[string]uint64
	}{
		{"classes", e.Classes}, {"states", e.States}, {"evidence", e.Evidence}, {"content", e.Content},
		{"empty_answers", e.EmptyAnswers}, {"findings", e.Findings}, {"errors", e.Errors},
	} {
		for _, code := range slices.Sorted(maps.Keys(set.counts)) {
			fmt.Fprintf(&b, "%s.%s %d\n", set.name, code, set.counts[code])
		}
	}
	return b.String()
}
