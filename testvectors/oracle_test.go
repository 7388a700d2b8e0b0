package testvectors

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"
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
	compared := make(map[string]int)
	for _, f := range files {
		for _, c := range f.Cases {
			got, steps, err := p.AnswerInSteps(c)
			if err != nil {
				t.Fatal(err)
			}
			if !got.Equal(c.Expect) {
				t.Errorf("%s: the oracle answers\n%s, want\n%s\ninput %.1500s", c.ID, got, c.Expect, marshal(c.Input))
			}
			for _, name := range [][2]string{
				{"encodings", "encodings"}, {"heads", "link_heads"}, {"chain_head", "chain_head"}, {"preimage", "preimage"}, {"levels", "levels"},
			} {
				theirs, has := steps.Find(name[0])
				ours, also := c.Steps.Find(name[1])
				if !has || !also || c.Op == "proof" { // whose levels begin with the leaf
					continue
				}
				compared[c.Op+" "+name[1]]++
				if !equal(theirs, ours) {
					t.Errorf("%s: %s of the oracle are\n%s, want\n%s", c.ID, name[1], marshal(theirs), marshal(ours))
				}
			}
		}
	}
	for what, least := range map[string]int{"chain encodings": 40, "chain link_heads": 40, "commitment preimage": 40, "commitment chain_head": 40, "root levels": 20} {
		if compared[what] < least {
			t.Errorf("%d %s were compared, want %d at least", compared[what], what, least)
		}
	}
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
	names := strings.Fields(string(out))
	if len(names) < 20 {
		t.Errorf("the oracle has %d variants", len(names))
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			if !isCause(name) {
				t.Errorf("%s is no cause", name)
			}
			t.Parallel()
			p := python(t, "--broken", name)
			failed, told := 0, 0
			for _, f := range files {
				for _, c := range f.Cases {
					if _, slow := c.Input.Find("passphrase"); slow || c.Policy == MayDiffer { // such cases are large or take their time, and have no near misses
						continue
					}
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

// A file names the oracles that have every op of its class, and no other.
func TestOraclesOfClasses(t *testing.T) {
	command := oracleCommand(t, "node", "oracle/node/oracle.mjs")
	p, err := Start(t.Context(), command, os.Stderr)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
	for _, f := range casesOf(t) {
		has := !slices.ContainsFunc(f.Cases, func(c *Case) bool { return !slices.Contains(p.Ops, c.Op) || !c.isFor(p.Algorithms) })
		named := slices.ContainsFunc(oraclesOf(f.Name), func(name string) bool { return strings.Contains(name, "oracle/node") })
		if has != named {
			t.Errorf("class %s: named %t, the oracle in Node has what it asks %t", f.Name, named, has)
		}
	}
}

// An oracle that hangs ends a check, even where a program that it has started holds its output.
func TestOracleHangs(t *testing.T) {
	for _, how := range []string{"hangs", "hangs with a child", "crashes"} {
		t.Run(how, func(t *testing.T) {
			if how == "hangs with a child" {
				if _, err := exec.LookPath("sleep"); err != nil {
					t.Skip(err)
				}
			}
			command, _ := somePort(t, how, "encode-text-a")
			p, err := Start(t.Context(), command, io.Discard)
			if err != nil {
				t.Fatal(err)
			}
			defer p.Close()
			p.Timeout = 2 * time.Second
			began := time.Now()
			_, err = Check(t.Context(), FS(), p)
			if !errors.Is(err, ErrOracle) || !strings.Contains(err.Error(), "encode-text-a: ") || time.Since(began) > 30*time.Second {
				t.Errorf("Check = %v after %s, want ErrOracle at encode-text-a", err, time.Since(began))
			}
			if hangs := how != "crashes"; err != nil && strings.Contains(err.Error(), "no answer within 2s") != hangs {
				t.Errorf("Check = %v", err)
			}
		})
	}
}
