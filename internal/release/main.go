// Command release builds what is published of one commit: a static binary for each operating system and processor in an archive
// with its manual pages, completions, documentation, licences and bill of materials, Debian packages, and checksums that
// cgp-attest itself signs.
//
// Everything is built from a fresh clone of the commit that the working tree is at, and every byte follows from that commit and
// the version of Go: whoever builds it again gets the same files. docs/release.md says how they are checked.
//
// # Security
//
// The private key is opened by the cgp-attest that was just built, where its reference leads; this program never sees it.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// program is the name of the binary and begins that of every file.
const program = "cgp-attest"

// everyPlatform is what a release is built for.
const everyPlatform = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// A platform is an operating system and a processor as Go names them.
type platform struct{ os, arch string }

func (p platform) String() string { return p.os + "/" + p.arch }

func parsePlatforms(text string) ([]platform, error) {
	var all []platform
	for part := range strings.SplitSeq(text, ",") {
		goos, arch, ok := strings.Cut(part, "/")
		if !ok || goos == "" || arch == "" {
			return nil, fmt.Errorf("platform %q, want OS/ARCH as in linux/amd64", part)
		}
		all = append(all, platform{goos, arch})
	}
	return all, nil
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	out := flags.String("o", "dist", "write into this folder, which must be empty or not there")
	list := flags.String("platforms", everyPlatform, "build for these")
	key := flags.String("key", "", "sign the checksums with this key, a reference as of cgp-attest sign --key")
	keyID := flags.String("key-id", "", "the id of the key")
	if err := flags.Parse(args); err != nil {
		return err
	}
	platforms, err := parsePlatforms(*list)
	switch {
	case err != nil:
		return err
	case flags.NArg() > 0:
		return fmt.Errorf("found the argument %q, want none", flags.Arg(0))
	case (*key == "") != (*keyID == ""):
		return errors.New("-key and -key-id go together")
	}
	if found, err := os.ReadDir(*out); err == nil && len(found) > 0 {
		return fmt.Errorf("%s is not empty", *out)
	}
	dist, err := filepath.Abs(*out)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "release-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	r, err := checkOut(ctx, filepath.Join(work, "source"))
	if err != nil {
		return err
	}
	r.work, r.dist = work, dist
	if err := r.prepare(ctx); err != nil {
		return err
	}
	for _, p := range platforms {
		if err := r.publish(ctx, p); err != nil {
			return fmt.Errorf("%s: %w", p, err)
		}
	}
	return r.seal(ctx, *key, *keyID)
}
