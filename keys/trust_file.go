package keys

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/fileio"
)

// Marshal returns the store as a trust file: indented, providers and key_ids sorted as bytes, a fingerprint beside every key,
// tier only where it is pinned, a line feed at the end. The same store gives the same bytes. The error is a *[TrustFault] for a
// store that does not fit into a file: what would not load is not written.
func (s *Store) Marshal() ([]byte, error) {
	data := s.append(nil)
	if _, err := ParseStore(data); err != nil {
		return nil, err
	}
	return data, nil
}

func (s *Store) append(dst []byte) []byte {
	dst = append(dst, "{\n  \"format\": \""+FormatTrust+"\",\n  \"providers\": {"...)
	last := ""
	for localID, k := range s.All() {
		switch {
		case last == "":
			dst = appendQuoted(append(dst, "\n    "...), localID)
			dst = append(dst, ": ["...)
		case localID != last:
			dst = appendQuoted(append(dst, "\n    ],\n    "...), localID)
			dst = append(dst, ": ["...)
		default:
			dst = append(dst, ',')
		}
		last = localID
		dst = k.append(dst)
	}
	if last != "" {
		dst = append(dst, "\n    ]\n  "...)
	}
	return append(dst, "}\n}\n"...)
}

func (k TrustedKey) append(dst []byte) []byte {
	const indent = "\n        \""
	member := func(name, text string) {
		if text != "" {
			dst = append(dst, ","+indent+name+"\": "...)
			dst = appendQuoted(dst, text)
		}
	}
	dst = append(dst, "\n      {"+indent+memberKeyID+"\": "...)
	dst = appendQuoted(dst, k.KeyID)
	member(memberAlgorithm, k.Key.Algorithm)
	member(memberPublicKey, hex.EncodeToString([]byte(k.Key.Bytes)))
	member(memberFingerprint, Fingerprint(k.Key))
	member(memberNotBefore, k.Window.NotBefore.String())
	member(memberNotAfter, k.Window.NotAfter.String())
	if k.Tier == TierPinned {
		member(memberTier, string(k.Tier))
	}
	return append(dst, "\n      }"...)
}

// appendQuoted appends a JSON string. s is UTF-8: no other text comes into a store.
func appendQuoted(dst []byte, s string) []byte {
	dst, _ = jsontext.AppendQuote(dst, s)
	return dst
}

// LoadStore reads the trust file of this name. Beside the errors of [ParseStore] there are those of the file: for one that is not
// there the error wraps fs.ErrNotExist.
func LoadStore(name string) (*Store, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("keys: trust file: %w", err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, MaxTrustFile+1))
	if err != nil {
		return nil, fmt.Errorf("keys: trust file: %w", err)
	}
	return ParseStore(data)
}

// SaveStore writes the store to the file of this name: whole or not at all, wherever it is interrupted, and durable when it
// returns. Who changes a file that another process may change too calls [SaveChange] instead.
func SaveStore(name string, s *Store) error {
	data, err := s.Marshal()
	if err != nil {
		return err
	}
	file, err := fileio.Create(context.Background(), name)
	if err != nil {
		return fmt.Errorf("keys: trust file: %w", err)
	}
	defer file.Discard()
	if _, err := file.Write(data); err != nil {
		return fmt.Errorf("keys: trust file: %w", err)
	}
	if err := file.Commit(); err != nil {
		return fmt.Errorf("keys: trust file: %w", err)
	}
	return nil
}

// SaveChange reads the trust file of this name, lets change edit it and writes it again, as [SaveStore] does. A file that is not
// there is an empty store. Of several processes that do this at once each waits for the one before it, until ctx ends, so that
// no change is lost. They agree by a lock on the file name.lock beside it, which stays.
//
// Where change returns an error, which is handed on as it is, or changes nothing, nothing is written.
func SaveChange(ctx context.Context, name string, change func(*Store) error) (err error) {
	unlock, err := fileio.Lock(ctx, name)
	if err != nil {
		return fmt.Errorf("keys: trust file: %w", err)
	}
	defer func() { err = errors.Join(err, unlock()) }()
	s, err := LoadStore(name)
	if errors.Is(err, fs.ErrNotExist) {
		s, err = &Store{}, nil
	}
	if err != nil {
		return err
	}
	before := s.append(nil)
	if err := change(s); err != nil {
		return err
	}
	if bytes.Equal(before, s.append(nil)) {
		return nil
	}
	return SaveStore(name, s)
}
