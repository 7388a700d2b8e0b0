// Package publicdata finds the public data that stands beside a checkout of this project: published vectors, the wire's
// JSON Schema, a signed example answer. The project builds and passes its tests without that folder.
package publicdata

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// RequireShared is the environment variable that turns a missing shared folder from a skipped test into a failed one.
const RequireShared = "CGP_ATTEST_REQUIRE_SHARED"

// Root returns the folder of the checkout.
func Root(tb testing.TB) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	if !ok {
		tb.Fatal("publicdata: the caller's file is unknown")
	}
	return filepath.Join(filepath.Dir(file), "..", "..")
}

// SharedPath returns the path of a file in the shared folder. Where the folder is missing the test is skipped, or fails if
// RequireShared is 1; a file missing from a folder that is there always fails.
func SharedPath(tb testing.TB, name string) string {
	tb.Helper()
	dir := filepath.Join(Root(tb), "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		if os.Getenv(RequireShared) == "1" {
			tb.Fatalf("publicdata: %s=1, but there is no folder of public data beside the checkout: %v", RequireShared, err)
		}
		tb.Skip("no folder of public data beside the checkout")
	}
	path := filepath.Join(dir, filepath.FromSlash(name))
	if _, err := os.Stat(path); err != nil {
		tb.Fatalf("publicdata: %v", err)
	}
	return path
}

// Shared returns the bytes of a file in the shared folder, on the terms of SharedPath.
func Shared(tb testing.TB, name string) []byte {
	tb.Helper()
	data, err := os.ReadFile(SharedPath(tb, name))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}
