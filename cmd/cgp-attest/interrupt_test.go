package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Every run listens for interruptions from its beginning but one of verify that reads some small files and writes none; that one does
// if it lasts.
func TestListens(t *testing.T) {
	dir := t.TempDir()
	small, large, missing := filepath.Join(dir, "small"), filepath.Join(dir, "large"), filepath.Join(dir, "missing")
	for name, size := range map[string]int{small: briefInput / 2, large: briefInput/2 + 1} {
		if err := os.WriteFile(name, []byte(strings.Repeat(" ", size)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		args  []string
		brief bool
	}{
		{[]string{"version"}, false},
		{[]string{"inspect", small}, false},
		{[]string{"verify", small}, true},
		{[]string{"verify", small, small}, true},
		{[]string{"verify", small, large}, false},
		{[]string{"verify", "-o", os.DevNull, small}, true},
		{[]string{"verify", "-o", filepath.Join(dir, "out"), small}, false},
		{[]string{"verify", "--report", "json=" + filepath.Join(dir, "report"), small}, false},
		{[]string{"verify", "--source-root", dir, small}, false},
		{[]string{"verify", "--trust", missing, small}, false},
		{[]string{"verify", "--keys", missing, small}, false},
		{[]string{"verify", "--keys", small, large}, false},
		{[]string{"verify", dir}, false},
		{[]string{"verify", "-"}, false},
		{[]string{"verify", missing}, false},
	} {
		env, _, _ := testEnvironment("")
		begun := make(chan time.Time, 2)
		env.listen = func() { begun <- time.Now() }
		start := time.Now()
		run(context.Background(), env, row.args)
		if !row.brief && len(begun) == 0 {
			t.Errorf("%q does not listen", row.args)
			continue
		}
		if after := (<-begun).Sub(start); row.brief && after < moment {
			t.Errorf("%q listens after %s, want %s at least", row.args, after, moment)
		}
	}
}
