package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
)

// A recipe is a block of YAML in docs/ci.md, by the name of the file that it is to be and the name of its first job.
func recipe(t *testing.T, file, job string) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(publicdata.Root(t), "docs", "ci.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range regexp.MustCompile("(?ms)^```yaml\n(.*?)^```$").FindAllStringSubmatch(string(text), -1) {
		if !strings.HasPrefix(m[1], "# "+file+"\n") {
			continue
		}
		block := readYAML(t, m[1])
		if _, ok := block[job]; ok || job == "" {
			compareYAML(t, m[1], block)
			return block
		}
	}
	t.Fatalf("docs/ci.md has no block for %s with %q", file, job)
	return nil
}

// readYAML reads the part of YAML that the recipes are written in: maps, lists, blocks of text and plain words.
func readYAML(t *testing.T, text string) map[string]any {
	t.Helper()
	y := &yaml{}
	for line := range strings.Lines(text) {
		y.lines = append(y.lines, strings.TrimSuffix(line, "\n"))
	}
	block, ok := y.value(0).(map[string]any)
	if !ok || y.at < len(y.lines) {
		t.Fatalf("line %d of a recipe is beyond what this test reads: %v", y.at+1, y.lines)
	}
	return block
}

type yaml struct {
	lines []string
	at    int
}

// next skips what says nothing and returns the indentation and the text of the line that does.
func (y *yaml) next() (indent int, text string) {
	for ; y.at < len(y.lines); y.at++ {
		text = strings.TrimLeft(y.lines[y.at], " ")
		if text != "" && !strings.HasPrefix(text, "#") {
			return len(y.lines[y.at]) - len(text), text
		}
	}
	return -1, ""
}

// value reads what stands from here on at this indentation or a deeper one.
func (y *yaml) value(least int) any {
	indent, text := y.next()
	switch {
	case indent < least:
		return nil
	case strings.HasPrefix(text, "- "):
		var list []any
		for at, text := y.next(); at == indent && strings.HasPrefix(text, "- "); at, text = y.next() {
			rest := strings.TrimPrefix(text, "- ")
			if !yamlMember.MatchString(rest) {
				y.at++
				list = append(list, y.scalar(indent, rest))
				continue
			}
			y.lines[y.at] = strings.Repeat(" ", indent+2) + rest
			list = append(list, y.value(indent+2))
		}
		return list
	}
	members := make(map[string]any)
	for at, text := y.next(); at == indent; at, text = y.next() {
		m := yamlMember.FindStringSubmatch(text)
		if m == nil {
			break
		}
		y.at++
		if m[2] == "" {
			members[m[1]] = y.value(indent + 1)
		} else {
			members[m[1]] = y.scalar(indent, m[2])
		}
	}
	return members
}

var yamlMember = regexp.MustCompile(`^([A-Za-z_-]+):(?: +(.*))?$`)

// scalar reads a value that begins on the line of its name.
func (y *yaml) scalar(indent int, text string) any {
	switch {
	case text == "|":
		var lines []string
		inner := -1
		for ; y.at < len(y.lines); y.at++ {
			line := y.lines[y.at]
			if inner < 0 {
				inner = len(line) - len(strings.TrimLeft(line, " "))
			}
			if len(line) < inner || inner <= indent || strings.TrimLeft(line[:inner], " ") != "" {
				break
			}
			lines = append(lines, line[inner:])
		}
		return strings.Join(lines, "\n") + "\n"
	case strings.HasPrefix(text, "["):
		var list []any
		for word := range strings.SplitSeq(strings.Trim(text, "[]"), ",") {
			list = append(list, strings.TrimSpace(word))
		}
		return list
	case strings.HasPrefix(text, `"`):
		return strings.Trim(text, `"`)
	}
	return text
}

// compareYAML compares what was read with what a library for YAML reads, where there is one. Numbers and truth values are words
// here.
func compareYAML(t *testing.T, text string, block map[string]any) {
	t.Helper()
	const script = `
import json, sys, yaml
class Words(yaml.BaseLoader): pass
print(json.dumps(yaml.load(sys.stdin, Words)))`
	python := exec.Command("python3", "-c", script)
	python.Stdin = strings.NewReader(text)
	out, err := python.Output()
	if have, err := demanded(err); err != nil {
		t.Fatal(err)
	} else if !have {
		return
	}
	var want any
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	empty := func(text []byte) string { return strings.ReplaceAll(string(text), ":null", `:""`) }
	wantText, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(block)
	if err != nil {
		t.Fatal(err)
	}
	if empty(got) != empty(wantText) {
		t.Errorf("a recipe is read as\n%s\na library for YAML reads\n%s", got, wantText)
	}
}

// A runner stands in for the one of a CI system: a folder with a checkout in it, and the environment that a step is given.
type runner struct {
	t       *testing.T
	dir     string
	home    string
	env     []string
	secrets map[string]string
	log     strings.Builder
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the recipes are for a POSIX shell")
	}
	for _, tool := range []string{"bash", "git"} {
		if have, err := haveOracle(tool); err != nil {
			t.Fatal(err)
		} else if !have {
			t.Skipf("%s is not installed", tool)
		}
	}
	r := &runner{t: t, dir: t.TempDir(), home: t.TempDir(), secrets: map[string]string{"CGP_SIGNING_KEY": fixtureSeed}}
	r.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.home, "CI=true"}
	r.put("make-answers", "#!/bin/sh\necho '{\"frames\":[{\"id\":\"hours\",\"content\":\"open until 18\"}],\"truncated\":false}'\n")
	if err := os.Chmod(filepath.Join(r.dir, "make-answers"), 0o755); err != nil {
		t.Fatal(err)
	}
	r.must("cgp-attest", "trust", "add", "trust.json", "--provider", "docs", "--key-id", "docs-2026-08", "--key", fixturePublicKey)
	r.must("git", "init", "-q")
	r.must("git", "add", "-A")
	r.must("git", "-c", "user.name=n", "-c", "user.email=e", "commit", "-q", "-m", "m", "--date", "2026-08-29T12:00:00Z")
	return r
}

func (r *runner) put(name, text string) {
	r.t.Helper()
	path := filepath.Join(r.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	r.t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(name)))
	if err != nil {
		r.t.Fatal(err)
	}
	return string(text)
}

func (r *runner) has(name string) bool {
	_, err := os.Stat(filepath.Join(r.dir, name))
	return err == nil
}

func (r *runner) must(name string, args ...string) {
	r.t.Helper()
	if code := r.exec(nil, name, args...); code != 0 {
		r.t.Fatalf("%s %q exits %d:\n%s", name, args, code, &r.log)
	}
}

// exec runs a program in the folder and returns its exit code.
func (r *runner) exec(env []string, name string, args ...string) int {
	r.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, append(slices.Clone(r.env), env...)
	out, err := cmd.CombinedOutput()
	r.log.Write(out)
	var ended *exec.ExitError
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	if err != nil {
		r.t.Fatal(err)
	}
	return 0
}

// keptSecret fails where the key stands in the log or on the disk.
func (r *runner) keptSecret() {
	r.t.Helper()
	if strings.Contains(r.log.String(), fixtureSeed) {
		r.t.Error("the key stands in the log")
	}
	for _, dir := range []string{r.dir, r.home} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !entry.Type().IsRegular() {
				return err
			}
			text, err := os.ReadFile(path)
			if strings.Contains(string(text), fixtureSeed) {
				r.t.Errorf("the key stands in %s", path)
			}
			return err
		})
		if err != nil {
			r.t.Fatal(err)
		}
	}
}

var githubExpression = regexp.MustCompile(`\$\{\{ secrets\.([A-Z_]+) \}\}`)

// github runs the steps of a job as GitHub's runner does: each by bash -e, none after one that failed unless it says always().
// It returns the exit code of the step that failed, and which actions were run.
func (r *runner) github(steps any) (code int, used []string) {
	r.t.Helper()
	summary := filepath.Join(r.home, "summary")
	for i, one := range steps.([]any) {
		step := one.(map[string]any)
		condition, _ := step["if"].(string)
		if code != 0 && !strings.HasPrefix(condition, "always()") {
			continue
		}
		if m := regexp.MustCompile(`hashFiles\('([^']+)'\) != ''`).FindStringSubmatch(condition); m != nil && !r.has(m[1]) {
			continue
		}
		if uses, ok := step["uses"].(string); ok {
			used = append(used, uses)
			continue
		}
		env := []string{"GITHUB_ACTIONS=true", "GITHUB_STEP_SUMMARY=" + summary, "GITHUB_PATH=" + filepath.Join(r.home, "path"), "GITHUB_WORKSPACE=" + r.dir}
		given, _ := step["env"].(map[string]any)
		for name, value := range given {
			env = append(env, name+"="+githubExpression.ReplaceAllStringFunc(value.(string), func(s string) string {
				return r.secrets[githubExpression.FindStringSubmatch(s)[1]]
			}))
		}
		script := filepath.Join(r.home, fmt.Sprintf("step-%d.sh", i))
		if err := os.WriteFile(script, []byte(step["run"].(string)), 0o644); err != nil {
			r.t.Fatal(err)
		}
		if failed := r.exec(env, "bash", "-e", script); code == 0 {
			code = failed
		}
	}
	return code, used
}

// gitlab runs the script of a job as GitLab's runner does: line by line in one shell that stops at the first failure, with the
// variables of the project in its environment.
func (r *runner) gitlab(job any) int {
	r.t.Helper()
	script := "set -eo pipefail\n"
	for _, line := range job.(map[string]any)["script"].([]any) {
		script += line.(string) + "\n"
	}
	env := []string{"GITLAB_CI=true", "CI_PROJECT_DIR=" + r.dir}
	for name, value := range r.secrets {
		env = append(env, name+"="+value)
	}
	return r.exec(env, "bash", "-c", script)
}

func TestRecipesSign(t *testing.T) {
	github := recipe(t, ".github/workflows/sign.yml", "jobs")["jobs"].(map[string]any)["sign"].(map[string]any)["steps"]
	gitlab := recipe(t, ".gitlab-ci.yml", "sign")["sign"]
	for _, system := range []struct {
		name string
		run  func(*runner) int
	}{
		{"github", func(r *runner) int { code, _ := r.github(github); return code }},
		{"gitlab", func(r *runner) int { return r.gitlab(gitlab) }},
	} {
		t.Run(system.name, func(t *testing.T) {
			r := newRunner(t)
			if code := system.run(r); code != 0 {
				t.Fatalf("the job exits %d:\n%s", code, &r.log)
			}
			if !strings.Contains(r.log.String(), "exit 0: 1 frame met the policy (attested).") {
				t.Errorf("what was signed was not verified:\n%s", &r.log)
			}
			r.keptSecret()
			once := r.read("signed.json")
			if code := system.run(r); code != 0 || r.read("signed.json") != once {
				t.Errorf("the job exits %d the second time, and its answer is the same: %v", code, r.read("signed.json") == once)
			}

			// Without the secret, as in a run for a fork.
			r = newRunner(t)
			r.secrets["CGP_SIGNING_KEY"] = ""
			if code := system.run(r); code != 2 || r.has("signed.json") {
				t.Errorf("without the secret the job exits %d, want 2, and something was written: %v\n%s", code, r.has("signed.json"), &r.log)
			}

			// With another key than the one that is trusted.
			r = newRunner(t)
			r.secrets["CGP_SIGNING_KEY"] = strings.Repeat("08", 32)
			if code := system.run(r); code != 1 {
				t.Errorf("with another key the job exits %d, want 1:\n%s", code, &r.log)
			}
		})
	}
}

func TestRecipesVerify(t *testing.T) {
	github := recipe(t, ".github/workflows/verify.yml", "jobs")["jobs"].(map[string]any)["verify"].(map[string]any)["steps"].([]any)
	gitlab := recipe(t, ".gitlab-ci.yml", "verify")["verify"].(map[string]any)
	warned := gitlab["allow_failure"].(map[string]any)["exit_codes"].([]any)
	if !slices.Equal(warned, []any{"3"}) {
		t.Errorf("the GitLab job is allowed to fail with %q, want 3 alone", warned)
	}
	tests := []struct {
		name   string
		change func(*runner)
		code   int
		report bool
	}{
		{"good", func(*runner) {}, 0, true},
		{"tampered", func(r *runner) {
			r.put("answers/signed.json", strings.Replace(r.read("answers/signed.json"), "until 18", "until 22", 1))
		}, 1, true},
		{"unsigned", func(r *runner) {
			r.put("answers/signed.json", `{"frames":[{"id":"hours","content":"x"}],"truncated":false}`)
		}, 3, true},
		{"nothing", func(r *runner) { r.must("rm", "answers/signed.json") }, 3, true},
		{"cut", func(r *runner) { r.put("answers/signed.json", r.read("answers/signed.json")[:100]) }, 4, true},
		{"no trust file", func(r *runner) { r.must("rm", "trust.json") }, 2, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := newRunner(t)
			r.put("result.ndjson", `{"type":"handshake_ack","provider":{"name":"docs"}}
{"type":"frames","result":{"frames":[{"id":"hours","content":"open until 18"}],"truncated":false}}
`)
			r.must("mkdir", "answers")
			if code := r.exec([]string{"KEY=" + fixtureSeed}, "cgp-attest", "sign", "--key", "env:KEY", "--key-id", "docs-2026-08",
				"--fill-digests", "-o", "answers/signed.json", "result.ndjson"); code != 0 {
				t.Fatal(r.log.String())
			}
			tt.change(r)

			code, used := r.github(github)
			want := tt.code
			if want == 3 {
				want = 0
			}
			if code != want {
				t.Errorf("the GitHub job exits %d, want %d:\n%s", code, want, &r.log)
			}
			if warns := strings.Contains("\n"+r.log.String(), "\n::warning "); warns != (tt.code == 3) {
				t.Errorf("it warns: %v\n%s", warns, &r.log)
			}
			uploads := slices.ContainsFunc(used, func(action string) bool { return strings.HasPrefix(action, "github/codeql-action/upload-sarif@") })
			if uploads != tt.report {
				t.Errorf("SARIF is uploaded: %v, want %v", uploads, tt.report)
			}
			summary, _ := os.ReadFile(filepath.Join(r.home, "summary"))
			if tt.report != strings.Contains(string(summary), fmt.Sprintf("exit %d", tt.code)) {
				t.Errorf("the summary of the job is %q", summary)
			}
			if tt.report {
				var sarif struct {
					Version string
					Runs    []struct{ Results []any }
				}
				if err := json.Unmarshal([]byte(r.read("verify.sarif")), &sarif); err != nil || sarif.Version != "2.1.0" || len(sarif.Runs) != 1 {
					t.Fatalf("verify.sarif: %v, version %q", err, sarif.Version)
				}
				if (len(sarif.Runs[0].Results) == 0) != (tt.code == 0 || tt.name == "nothing") {
					t.Errorf("verify.sarif has %d results", len(sarif.Runs[0].Results))
				}
			}

			r.must("rm", "-f", "verify.sarif", "verify.md", "verify.txt")
			if code := r.gitlab(gitlab); code != tt.code {
				t.Errorf("the GitLab job exits %d, want %d:\n%s", code, tt.code, &r.log)
			}
			for _, name := range []string{"verify.xml", "verify.sarif", "verify.md"} {
				if r.has(name) != tt.report {
					t.Errorf("%s is there: %v, want %v", name, r.has(name), tt.report)
				}
			}
		})
	}
}

// The action of the recipes puts cgp-attest where the steps after it find it.
func TestRecipesInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program")
	}
	for _, tool := range []string{"make", "install"} {
		if have, err := haveOracle(tool); err != nil {
			t.Fatal(err)
		} else if !have {
			t.Skipf("%s is not installed", tool)
		}
	}
	action := recipe(t, ".github/actions/cgp-attest/action.yml", "runs")
	r := newRunner(t)
	root, err := filepath.Abs(publicdata.Root(t))
	if err != nil {
		t.Fatal(err)
	}
	// The checkout that the action makes, of what is built alone.
	r.must("mkdir", "cgp-attest")
	for _, name := range []string{"Makefile", "go.mod", "go.sum", "archive", "cmd", "commitment", "internal", "keys", "merkle", "sign", "testvectors"} {
		if err := os.Symlink(filepath.Join(root, name), filepath.Join(r.dir, "cgp-attest", name)); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		r.env = append(r.env, name+"="+strings.TrimSpace(string(out)))
	}
	r.env = append(r.env, "GOFLAGS=-buildvcs=false", "GOPROXY=off")
	if code, _ := r.github(action["runs"].(map[string]any)["steps"]); code != 0 {
		t.Fatalf("the action exits %d:\n%s", code, &r.log)
	}
	path, err := os.ReadFile(filepath.Join(r.home, "path"))
	if err != nil {
		t.Fatal(err)
	}
	r.must(filepath.Join(strings.TrimSpace(string(path)), "cgp-attest"), "version")
}
