package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// The drivers of docs/vectors.md, taken from the page as they stand there, answer every case of the ops that they have, and right.
// The part that is no port is short.
func TestDrivers(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(publicdata.Root(t), "docs", "vectors.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, driver := range []struct {
		fence, file string
		build, run  []string
		longest     int // of the driver alone, in lines
	}{
		{"python", "driver.py", nil, []string{"python3", "driver.py"}, 25},
		{"js", "driver.mjs", nil, []string{"node", "driver.mjs"}, 25},
		{"go", "driver.go", []string{"go", "build", "-o", "driver", "driver.go"}, []string{"./driver"}, 60},
	} {
		t.Run(driver.fence, func(t *testing.T) {
			blocks := regexp.MustCompile("(?ms)^```"+driver.fence+"\n(.*?)^```$").FindAllStringSubmatch(string(text), -1)
			if len(blocks) != 1 {
				t.Fatalf("the page has %d blocks in this language, want 1", len(blocks))
			}
			_, loop, found := strings.Cut(blocks[0][1], " The driver.\n")
			if n := strings.Count(loop, "\n"); !found || n > driver.longest {
				t.Errorf("the driver has %d lines, want %d at most", n, driver.longest)
			}
			tool := driver.run[0]
			if driver.build != nil {
				tool = driver.build[0]
			}
			if have, err := haveOracle(tool); err != nil {
				t.Fatal(err)
			} else if !have {
				t.Skipf("no %s", tool)
			}
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, driver.file), []byte(blocks[0][1]), 0o644); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
			if driver.build != nil {
				build := exec.Command(driver.build[0], driver.build[1:]...)
				build.Env = append(os.Environ(), "CGO_ENABLED=0")
				if out, err := build.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			env, out, words := testEnvironment("")
			if code := run(context.Background(), env, append([]string{"vectors", "run", "--"}, driver.run...)); code != 0 {
				t.Errorf("exit %d: %s%s", code, out, words)
			}
			if m := regexp.MustCompile(`(?m)^Cases: \d+: passed (\d+), failed 0, `).FindStringSubmatch(out.String()); m == nil || len(m[1]) < 3 {
				t.Errorf("want more than a hundred cases that pass: %s", out)
			}
			if !strings.Contains(out.String(), "Ops that its hello does not list: answer (") || strings.Contains(out.String(), "chain (") {
				t.Errorf("want the ops that it does not have: %s", out)
			}
		})
	}
}
