package publicdata

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// ModuleFile returns the bytes of a file of another module that this one requires, out of the module cache: test data that a
// library ships beside its code.
func ModuleFile(tb testing.TB, module, name string) []byte {
	tb.Helper()
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", module).Output()
	if err != nil {
		tb.Fatalf("publicdata: go list of %s: %v", module, err)
	}
	data, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), filepath.FromSlash(name)))
	if err != nil {
		tb.Fatalf("publicdata: %v", err)
	}
	return data
}
