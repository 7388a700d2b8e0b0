package testvectors

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// requireOracles is the environment variable that turns a missing python3 from a skipped test into a failed one.
const requireOracles = "CGP_ATTEST_REQUIRE_ORACLES"

// python starts the oracle in Python, with further arguments.
func python(t *testing.T, args ...string) *Process {
	t.Helper()
	path, err := exec.LookPath("python3")
	if err != nil {
		if os.Getenv(requireOracles) == "1" {
			t.Fatalf("%s=1, but there is no python3: %v", requireOracles, err)
		}
		t.Skip("no python3 for the independent implementation")
	}
	p, err := Start(context.Background(), append([]string{path, "-B", "oracle/python/oracle.py"}, args...), os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Errorf("the oracle ended with %v", err)
		}
	})
	return p
}

func TestOracleAgrees(t *testing.T) {
	p := python(t)
	files, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, f := range files {
		for _, c := range f.Cases {
			got, err := p.Answer(c)
			if err != nil {
				t.Fatal(err)
			}
			n++
			if !got.Equal(c.Expect) {
				t.Errorf("%s: the oracle answers\n%s, want\n%s\ninput %.1500s", c.ID, got, c.Expect, marshal(c.Input))
			}
		}
	}
	t.Log(n)
}

// Every variant with a deliberate mistake gives a wrong answer to some case, and the near misses of its cause are what it
// answers.
func TestBrokenVariants(t *testing.T) {
	list := python(t) // skips without python3
	out, err := exec.Command(list.cmd.Path, "-B", "oracle/python/oracle.py", "--list-broken").Output()
	if err != nil {
		t.Fatal(err)
	}
	files, err := Make()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strings.Fields(string(out)) {
		t.Run(name, func(t *testing.T) {
			if !isCause(name) {
				t.Errorf("%s is no cause", name)
			}
			p := python(t, "--broken", name)
			failed, told := 0, 0
			for _, f := range files {
				for _, c := range f.Cases {
					got, err := p.Answer(c)
					if err != nil {
						t.Fatal(err)
					}
					if got.Equal(c.Expect) {
						continue
					}
					failed++
					any := false
					for _, n := range c.NearMiss {
						if n.Cause == name {
							any = true
							if n.Result.Equal(got) {
								told++
								any = false
								break
							}
						}
					}
					if any {
						t.Errorf("%s: the variant answers\n%s, its near misses are\n%s", c.ID, got, marshal(c.object()[len(c.object())-2].Value))
					}
				}
			}
			t.Logf("%d cases fail, %d by a near miss of this cause", failed, told)
			if told == 0 {
				t.Errorf("no case has a near miss that is what this variant answers; %d cases fail", failed)
			}
		})
	}
}
