package layout

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// linked returns the import paths of all that the packages link on an operating system. For another one than this the source of
// some module may not be at hand; it is not fetched for that, and the list goes on without it.
func linked(t *testing.T, goos string, packages ...string) []string {
	t.Helper()
	args := []string{"list", "-deps"}
	if goos != runtime.GOOS {
		args = append(args, "-e")
	}
	cmd := exec.Command("go", append(args, packages...)...)
	cmd.Dir = publicdata.Root(t)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "CGO_ENABLED=0", "GOPROXY=off")
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -deps %s for %s: %v\n%s", strings.Join(packages, " "), goos, err, &stderr)
	}
	return strings.Fields(string(out))
}

// found returns what of the list one of the patterns matches.
func found(list []string, patterns ...string) []string {
	return slices.DeleteFunc(slices.Clone(list), func(importPath string) bool {
		return !slices.ContainsFunc(patterns, func(p string) bool { return matches(p, importPath) })
	})
}

var systems = []string{"linux", "darwin", "windows"}

// The binary holds no HTTP client or server.
func TestBinaryLinksNoHTTP(t *testing.T) {
	const command = "cmd/cgp-attest"
	for _, goos := range systems {
		list := linked(t, goos, "./"+command)
		if got := found(list, module+"/"+command, module+"/archive"); len(got) != 2 {
			t.Errorf("%s: the binary links %q of itself and archive", goos, got)
		}
		if got := found(list, "net/http/...", "testing/...", module+"/internal/publicdata", module+"/internal/bench", module+"/internal/corpus"); len(got) > 0 {
			t.Errorf("%s: the binary links %q", goos, got)
		}
	}
}

// Whoever imports the library links neither the command line nor the algorithms that he did not ask for, and nothing that
// starts programs or speaks HTTP.
func TestLibraryLinksLittle(t *testing.T) {
	for _, goos := range systems {
		list := linked(t, goos, "./commitment", "./merkle", "./sign", "./keys", "./archive")
		if got := found(list, module+"/archive"); len(got) != 1 {
			t.Errorf("%s: archive is not in the list of what it links", goos)
		}
		got := found(list, "net/http/...", "os/exec", "encoding/json", "flag", "testing/...", "github.com/cloudflare/circl/...",
			"github.com/spf13/...", "github.com/olekukonko/...", "golang.org/x/term", module+"/sign/pq", module+"/keys/keyref")
		if len(got) > 0 {
			t.Errorf("%s: the library links %q", goos, got)
		}
	}
}

func TestFound(t *testing.T) {
	list := []string{"net", "net/http", "net/http/internal", "net/httpx", "example.org/net/http"}
	want := []string{"net/http", "net/http/internal"}
	if got := found(list, "net/http/..."); !slices.Equal(got, want) {
		t.Errorf("found(net/http/...) = %q, want %q", got, want)
	}
	// A package of the standard library that does link it.
	if got := found(linked(t, runtime.GOOS, "net/http/httptest"), "net/http"); len(got) != 1 {
		t.Errorf("found in what net/http/httptest links: %q, want net/http", got)
	}
}
