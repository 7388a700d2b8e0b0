package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"contextgraphprotocol.org/cgp-attest/internal/terminal"
)

const (
	sumsName   = "SHA256SUMS"
	signedName = "SHA256SUMS.cgp.json"
)

// seal writes the checksums of all that was written, and signs them where there is a key.
func (r *release) seal(ctx context.Context, key, keyID string) error {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var list []sum
	for _, e := range entries { // in order of name
		text, err := os.ReadFile(filepath.Join(r.dist, e.Name()))
		if err != nil {
			return err
		}
		list = append(list, sum{e.Name(), sha256.Sum256(text)})
	}
	sums := appendSums(nil, list)
	if err := os.WriteFile(filepath.Join(r.dist, sumsName), sums, 0o644); err != nil {
		return err
	}
	if key == "" {
		fmt.Fprintf(os.Stderr, "release: %s is not signed: there is no -key\n", sumsName)
		return nil
	}
	sign := exec.CommandContext(ctx, r.host, "sign", "--key", key, "--key-id", keyID, "--provider", program, "--issued-at",
		r.at.Format("2006-01-02T15:04:05Z"), "-o", filepath.Join(r.dist, signedName), "-")
	sign.Stdin = bytes.NewReader(appendAnswer(nil, list, sums))
	_, err = said(sign)
	return err
}

// A sum is the checksum of one file.
type sum struct {
	name   string
	digest [sha256.Size]byte
}

// line is how sha256sum -c reads it.
func (s *sum) line() string { return hex.EncodeToString(s.digest[:]) + "  " + s.name + "\n" }

func appendSums(dst []byte, list []sum) []byte {
	for i := range list {
		dst = append(dst, list[i].line()...)
	}
	return dst
}

// appendAnswer appends the checksums as an answer of CGP: a frame for the list of them and one for each file. A frame's content
// is its line of checksums, and its provenance is the file itself, so that verify --source-root reads the file again.
func appendAnswer(dst []byte, list []sum, sums []byte) []byte {
	dst = append(dst, `{"frames":[`...)
	dst = appendFrame(dst, &sum{sumsName, sha256.Sum256(sums)}, string(sums))
	for i := range list {
		dst = appendFrame(append(dst, ','), &list[i], list[i].line())
	}
	return append(dst, "],\"truncated\":false}\n"...)
}

func appendFrame(dst []byte, s *sum, content string) []byte {
	digest := sha256.Sum256([]byte(content))
	dst = terminal.AppendJSON(append(dst, `{"id":`...), s.name)
	dst = terminal.AppendJSON(append(dst, `,"kind":"doc","content":`...), content)
	dst = fmt.Appendf(dst, `,"content_digest":"sha256:%x","provenance":[{"type":"file","uri":`, digest)
	dst = terminal.AppendJSON(dst, s.name)
	return fmt.Appendf(dst, `,"digest":"sha256:%x"}]}`, s.digest)
}
