package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/inputs"
	"contextgraphprotocol.org/cgp-attest/internal/report"
	"contextgraphprotocol.org/cgp-attest/internal/sourceroot"
	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

type verifyFlags struct {
	trustFiles           []string
	publicKeys, keyFiles []string
	require              *choice
	provider, localID    string
	receivedAt           string
	frames               []string
	algorithms           []string
	allowIdentityOnly    bool
	allowOpaqueDigest    bool
	retained             bool
	sourceRoots          []string
	exitZero, verbose    bool
	diagnose             bool
	jobs, limit          count
	maxRecord, window    count
	format               *choice
	output               string
	reports              []string // of the form F=FILE
}

// maxJobs is how many records are judged at a time at most: more than any machine has processors.
const maxJobs = 1024

// receivedNow is the value of --received-at that stands for the clock.
const receivedNow = "now"

// formats of a report.
const (
	formatText = "text"
	formatJSON = "json"
)

func newVerifyCmd(env *environment) *cobra.Command {
	f := &verifyFlags{}
	cmd := &cobra.Command{
		Use:   "verify [flags] PATH...",
		Short: "judge saved answers, offline",
		Example: `  # Keys that you trust, by the id under which you know the provider
  ` + program + ` verify --trust trust.json answers.ndjson
  ` + program + ` verify --trust trust.json archive/
  ` + program + ` verify --public-key docs:docs-2026-08=HEX answers.ndjson
  # Your own log, each answer at the instant at which it came
  ` + program + ` verify --trust trust.json --received-at archive log.ndjson
  # How the answers are built, under the keys that the provider published
  ` + program + ` verify --keys attester_keys.json answers.ndjson
  # For a CI system, beside the text
  ` + program + ` verify --trust trust.json --report sarif=log.sarif log.ndjson
  # For a program
  ` + program + ` verify --format json -o report.json --public-key KEY_ID=HEX -`,
		Long: `Reads messages, bare results, arrays of them and sessions of several providers,
and says of every frame whether its provider signed what stands there.

A PATH is a file, - for standard input, or a folder: in it and below it *.json,
*.ndjson and *.jsonl are read, each also with .gz or .zst behind it, in order of
name. What else lies there, symbolic links too, is counted and named. A path
that is named twice, or lies in a folder that is named too, is read once.

A key given with --trust or --public-key settles who signed: "attested". One
that the trust file pins was merely the first to be seen: "pinned". A key that
was merely published (--keys, or in the input itself) settles only that the
evidence is built as the protocol says: "constructed"; who signed is not
established. A key whose window in the trust file does not hold the instant of
receipt is not in service, whatever the evidence says of its own age.

Exit code: 0 everything met the policy; 1 something is wrong; 2 usage; 3 nothing
is wrong, but something is not proven or nothing was there; 4 something could
not be read; 5 internal error, or the report could not be written; 130
interrupted.`,
		Args: between(1, -1, "a PATH, or - for standard input,"),
		RunE: func(cmd *cobra.Command, args []string) error { return verify(cmd, env, f, args) },
	}
	flags := cmd.Flags()
	flags.StringArrayVar(&f.trustFiles, "trust", nil, "trust the keys of a trust file: `FILE`, or - for standard input; may be repeated")
	flags.StringArrayVar(&f.publicKeys, "public-key", nil, "trust a key, `[LOCAL_ID:]KEY_ID=[ALG:]HEX`: as one of the provider that you know as LOCAL_ID, without it as one of every provider; may be repeated")
	flags.StringArrayVar(&f.keyFiles, "keys", nil, "take published keys from `FILE`: an attester_keys array, an object with one, or a handshake_ack; may be repeated")
	f.require = &choice{of: []string{
		string(archive.RequireAttested), string(archive.RequirePinned), string(archive.RequireConstructed),
	}}
	flags.Var(f.require, "require", "lowest level that is good: attested, pinned or constructed (default attested; constructed with --keys alone)")
	completeChoice(cmd, "require", f.require)
	flags.StringVar(&f.provider, "provider", "", "judge every answer as one of the provider that declares `NAME`, whatever the input says")
	flags.StringVar(&f.localID, "local-id", "", "look keys up under `ID` instead of the declared name; \"archive\": under each record's own local_id")
	flags.StringVar(&f.receivedAt, "received-at", receivedNow, "compare windows of keys with this `INSTANT`; \"now\": with the present one; \"archive\": with each record's own received_at, which whoever can write the archive chooses")
	flags.BoolVar(&f.allowIdentityOnly, "allow-identity-only", false, "call frames good that declare no digest: nothing binds their content")
	flags.BoolVar(&f.allowOpaqueDigest, "allow-opaque-digest", false, "call frames good whose digest cannot be compared with the content")
	addAllowAlgorithm(cmd, env, &f.algorithms)
	flags.BoolVar(&f.retained, "retained", false, "judge every answer as a retained subset, of which frames may be missing; leaf_count is then a claim")
	flags.StringArrayVar(&f.sourceRoots, sourceRootFlag, nil, "read the files again that provenance names: the folder of `[URI_PREFIX=]DIR` stands for URIs that begin with URI_PREFIX, without it for relative ones and file:///; may be repeated, the longest prefix counts")
	flags.StringArrayVar(&f.frames, "frame", nil, "judge only frames with this `ID`; may be repeated")
	flags.BoolVar(&f.diagnose, "diagnose", false, "say what would explain a value that is not the one that was signed, where one change does: a hint that changes nothing else")
	flags.BoolVar(&f.exitZero, "exit-zero", false, "exit 0 instead of 1, 3 or 4; the report says what it would have been")
	f.format = addReportFormat(cmd, report.FormatText)
	addReports(cmd, &f.reports)
	flags.BoolVarP(&f.verbose, "verbose", "v", false, "text: show every frame with all its evidence")
	flags.Var(&f.limit, "limit", limitUsage)
	flags.Var(&f.jobs, "jobs", "judge `N` records at a time (default as many as there are processors); the report is the same whatever N is")
	flags.Var(&f.maxRecord, "max-record", "refuse records larger than this many `BYTES` (default 67108864)")
	addWindow(cmd, &f.window)
	addOutput(cmd, env, &f.output)
	return cmd
}

// addWindow adds the flag --zstd-window.
func addWindow(cmd *cobra.Command, window *count) {
	cmd.Flags().Var(window, "zstd-window", "refuse zstd input that wants more memory than this many `BYTES` to be expanded (default 8388608, at most 2147483648)")
}

func verify(cmd *cobra.Command, env *environment, f *verifyFlags, paths []string) error {
	env.listenLate(f.brief(paths))
	v, err := f.verifier(cmd, env)
	if err != nil {
		return err
	}
	if len(f.sourceRoots) > 0 {
		roots, err := openSourceRoots(f.sourceRoots)
		if err != nil {
			return err
		}
		defer roots.Close()
		v.Files, v.Policy.SourceRoots = roots, f.sourceRoots
	}
	if err := env.claimStdinAmong(paths); err != nil {
		return err
	}
	render, err := env.startReports(cmd.Context(), f, v.Header())
	if err != nil {
		return err
	}
	defer render.discard()
	shown := env.startProgress(cmd.Context(), paths, render.atOnce())
	defer shown.stop()
	v.Progress = shown.counts()
	in := &inputs.Paths{Args: paths, Open: func(name string) (io.ReadCloser, error) {
		file, err := env.open(cmd.Context(), name)
		return shown.counting(file), err
	}}
	summary, err := v.Verify(cmd.Context(), in.Sources(cmd.Context()), render)
	shown.stop()
	in.Tell(summary)
	internal := errors.Is(err, archive.ErrInternal)
	if err != nil && !internal && !errors.Is(err, context.Canceled) {
		return err
	}
	code := summary.ExitCode
	if f.exitZero && archive.Excusable(code) {
		summary.ExitZeroApplied, code = true, archive.ExitGood
	}
	if err := render.finish(summary); err != nil {
		return err
	}
	if internal {
		return fail(code, "%w", err).hint("this is a fault of %s: please report it with the input and the text above", program)
	}
	if code == archive.ExitInterrupted {
		return fail(code, "interrupted: the report is whole in form and partial in content")
	}
	return exit(code)
}

// verifier assembles what the flags ask for. Every error is one of usage: nothing was judged.
func (f *verifyFlags) verifier(cmd *cobra.Command, env *environment) (*archive.Verifier, error) {
	v := &archive.Verifier{
		Keys: &archive.Keyring{},
		Policy: archive.Policy{
			Require: archive.Level(f.require.value), AllowIdentityOnly: f.allowIdentityOnly,
			AllowOpaqueDigest: f.allowOpaqueDigest, Retained: f.retained, Frames: f.frames,
		},
		Limits: archive.Limits{Record: int64(f.maxRecord), Window: int64(f.window)},
		Jobs:   int(min(f.jobs, maxJobs)), Diagnose: f.diagnose,
	}
	algorithms, err := env.allowed(f.algorithms)
	if err != nil {
		return nil, err
	}
	v.Keys.Algorithms = algorithms
	provider, named, err := given(cmd, "provider")
	if err != nil {
		return nil, err
	}
	if named {
		v.Policy.Provider = commitment.Some(provider)
	}
	local, named, err := given(cmd, "local-id")
	switch {
	case err != nil:
		return nil, err
	case local == archive.AnyProvider:
		return nil, misuse("--local-id: %q stands for every provider, and is the id of none", local).
			hint("leave --local-id out to look keys up under the declared name")
	case named && !utf8.ValidString(local):
		return nil, misuse("--local-id: %.128q is not UTF-8", local)
	case local == "archive":
		v.Policy.LocalIDFromArchive = true
	case named:
		v.Policy.LocalID = commitment.Some(local)
	}
	for _, path := range f.trustFiles {
		if err := env.trustFile(cmd.Context(), v.Keys, path); err != nil {
			return nil, err
		}
	}
	for _, text := range f.publicKeys {
		if err := env.trust(v.Keys, text); err != nil {
			return nil, err
		}
	}
	if v.Policy.ReceivedAt, err = f.receipt(env, v.Keys); err != nil {
		return nil, err
	}
	for _, path := range f.keyFiles {
		data, err := env.readSmall(cmd.Context(), "--keys", path)
		if err != nil {
			return nil, err
		}
		if err := v.Keys.Publish(data, path); err != nil {
			return nil, misuse("--keys: %q: %w", path, err).
				hint("want an attester_keys array, an object that has one, or a handshake_ack, and nothing else in the file")
		}
	}
	return v, nil
}

// sourceRootFlag is the name of the flag that gives source roots.
const sourceRootFlag = "source-root"

// splitSourceRoot splits [URI_PREFIX=]DIR at the last =.
func splitSourceRoot(text string) (prefix, dir string) {
	at := strings.LastIndexByte(text, '=')
	return text[:max(at, 0)], text[at+1:]
}

// openSourceRoots opens folders given as [URI_PREFIX=]DIR.
func openSourceRoots(given []string) (*sourceroot.Roots, error) {
	roots := &sourceroot.Roots{}
	for _, text := range given {
		prefix, dir := splitSourceRoot(text)
		err := error(nil)
		switch {
		case dir == "" || strings.LastIndexByte(text, '=') == 0:
			err = misuse("--source-root: %.128q: want [URI_PREFIX=]DIR", text).
				hint("as in file:///repo/=checkout; a folder with = in its name goes by a symbolic link")
		default:
			if err = roots.Add(prefix, dir); err != nil {
				err = misuse("--source-root: %w", err)
			}
		}
		if err != nil {
			roots.Close()
			return nil, err
		}
	}
	return roots, nil
}

// trustFile adds the keys of a trust file.
func (env *environment) trustFile(ctx context.Context, ring *archive.Keyring, path string) error {
	data, store, err := env.readTrust(ctx, "--trust", path)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	err = ring.TrustStore(store, archive.KeySource{Name: path, SHA256: hex.EncodeToString(sum[:])})
	switch {
	case errors.Is(err, archive.ErrReservedID):
		return misuse("--trust: %.128q: %w", path, err).hint("--public-key KEY_ID=HEX trusts a key for every provider")
	case err != nil:
		return hintConflict(misuse("--trust: %w", err))
	}
	return nil
}

// receipt returns the instant that windows are compared with. The clock is read where some key has one, and nowhere else.
func (f *verifyFlags) receipt(env *environment, ring *archive.Keyring) (at archive.ReceivedAt, err error) {
	switch f.receivedAt {
	case "archive":
		return archive.ReceivedAt{Source: archive.InstantFromArchive}, nil
	case receivedNow:
		at.Source = archive.InstantFromClock
		if ring.HasWindows() {
			at.Instant = commitment.InstantOf(env.now())
		}
		return at, nil
	}
	at.Source = archive.InstantFromFlag
	if at.Instant, err = commitment.ParseInstant(f.receivedAt); err != nil {
		return at, misuse("--received-at: %w", err).hint("want an instant as in 2026-08-29T12:00:00Z, archive or now")
	}
	return at, nil
}

// trust adds a key of the form [LOCAL_ID:]KEY_ID=[ALG:]HEX.
func (env *environment) trust(ring *archive.Keyring, text string) error {
	const form = "want [LOCAL_ID:]KEY_ID=[ALG:]HEX"
	at := strings.LastIndexByte(text, '=')
	if at < 0 {
		return misuse("--public-key: %.128q: there is no =, %s", text, form).
			hint("as in docs:docs-2026-08=HEX, HEX being the 64 hexadecimal digits of the key")
	}
	local, keyID := archive.AnyProvider, text[:at]
	if colon := strings.LastIndexByte(keyID, ':'); colon >= 0 {
		local, keyID = keyID[:colon], keyID[colon+1:]
		if local == archive.AnyProvider {
			return misuse("--public-key: %.128q: a local id %q is not taken", text, local).
				hint("leave LOCAL_ID and its colon out to trust a key for every provider")
		}
	}
	if !utf8.ValidString(local) || !utf8.ValidString(keyID) {
		return misuse("--public-key: %.128q: the id is not UTF-8", text)
	}
	key, err := env.parsePublicHex(text[at+1:])
	switch {
	case errors.Is(err, keys.ErrMalformedFile) && (text[at+1:] == "" || !isHex(text[at+1:])) && !strings.Contains(text[at+1:], ":"):
		return misuse("--public-key: %.128q: want 64 hexadecimal digits behind the =", text).
			hint("for a key in a file: %s trust add TRUST --key FILE, then verify --trust TRUST", program)
	case errors.Is(err, keys.ErrMalformedFile) && isHex(text[at+1:]):
		return misuse("--public-key: %.128q: found %d hexadecimal digits behind the =, want 64", text, len(text[at+1:]))
	case err != nil:
		return misuse("--public-key: %.128q: %w", text, err)
	}
	if err := ring.Trust(local, keyID, key, "--public-key"); err != nil {
		return env.hintAlgorithm(hintConflict(misuse("--public-key: %.128q: %w", text, err)), key.Algorithm)
	}
	return nil
}

// hintConflict says what to do where two sources disagree about a key.
func hintConflict(f *failure) *failure {
	if errors.Is(f, archive.ErrKeyConflict) {
		f.hint("which of the two counts is for you to say: leave the other out")
	}
	return f
}

// parsePublicHex reads [ALG:]HEX.
func (env *environment) parsePublicHex(text string) (sign.PublicKey, error) {
	algorithm, digits, named := strings.Cut(text, ":")
	if !named {
		algorithm, digits = sign.Ed25519, text
	}
	if _, known := env.algorithms().Lookup(algorithm); known {
		return env.parser().ParsePublicKey([]byte(algorithm + ":" + digits))
	}
	raw, err := hex.DecodeString(digits)
	if err != nil {
		return sign.PublicKey{}, fmt.Errorf("the key is not hexadecimal digits alone")
	}
	return sign.PublicKey{Algorithm: algorithm, Bytes: string(raw)}, nil
}
