package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/sourceroot"
	"contextgraphprotocol.org/cgp-attest/sign"
)

var at = time.Date(2026, 8, 29, 12, 0, 2, 0, time.UTC)

// An archive depends on what is in it and on the time of the commit, and on nothing else.
func TestArchivesAreTheSame(t *testing.T) {
	files := []file{{"b/page.1", []byte("page"), plain}, {"cgp-attest", []byte("binary"), executable}, {"a", nil, plain}}
	turned := slices.Clone(files)
	slices.Reverse(turned)
	for name, write := range map[string]func(io.Writer, string, []file, time.Time) error{"tar": writeTarGzip, "zip": writeZip} {
		var first, second bytes.Buffer
		if err := write(&first, "top", files, at); err != nil {
			t.Fatal(err)
		}
		if err := write(&second, "top", turned, at.In(time.FixedZone("far", 9*3600))); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: the order of files, or the zone of the time, changes the bytes", name)
		}
	}
}

func TestTar(t *testing.T) {
	var b bytes.Buffer
	if err := writeTarGzip(&b, "top", []file{{"cgp-attest", []byte("binary"), executable}, {"a/b", []byte("text"), plain}}, at); err != nil {
		t.Fatal(err)
	}
	unpacked, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	if !unpacked.ModTime.IsZero() || unpacked.Name != "" {
		t.Errorf("the head has the time %v and the name %q, want neither", unpacked.ModTime, unpacked.Name)
	}
	in := tar.NewReader(unpacked)
	var got []string
	for {
		h, err := in.Next()
		if err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, fmt.Sprintf("%s %o %d/%d %q%q %s %s", h.Name, h.Mode, h.Uid, h.Gid, h.Uname, h.Gname, h.ModTime.UTC().Format(time.RFC3339), text))
	}
	want := []string{`top/a/b 644 0/0 "" "" 2026-08-29T12:00:02Z text`, `top/cgp-attest 755 0/0 "" "" 2026-08-29T12:00:02Z binary`}
	for i := range want {
		want[i] = strings.Replace(want[i], `"" ""`, `""""`, 1)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the archive holds\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestZip(t *testing.T) {
	var b bytes.Buffer
	if err := writeZip(&b, "top", []file{{"cgp-attest.exe", []byte("binary"), executable}, {"a/b", []byte("text"), plain}}, at); err != nil {
		t.Fatal(err)
	}
	in, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range in.File {
		got = append(got, fmt.Sprintf("%s %o %s", f.Name, f.Mode(), f.Modified.UTC().Format(time.RFC3339)))
	}
	want := []string{"top/a/b 644 2026-08-29T12:00:02Z", "top/cgp-attest.exe 755 2026-08-29T12:00:02Z"}
	if !slices.Equal(got, want) {
		t.Errorf("the archive holds %q, want %q", got, want)
	}
}

// Every module that is linked here has its licence among those that are collected, and so has Go.
func TestNoLicenceIsMissing(t *testing.T) {
	root := publicdata.Root(t)
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/cgp-attest")
	list.Dir = root
	list.Env = append(os.Environ(), "GOPROXY=off")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	var packages []linked
	for line := range strings.Lines(string(out)) {
		if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 3 {
			packages = append(packages, linked{parts[0], parts[1], parts[2]})
		}
	}
	if len(packages) < 10 {
		t.Fatalf("%d packages of other modules are linked, want 10 at least", len(packages))
	}
	all, err := collect(packages)
	if err != nil {
		t.Fatal(err)
	}
	text := appendLicences(nil, all)
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range packages {
		if !strings.Contains(string(text), "\n"+p.module+": LIC") {
			t.Errorf("no licence of %s stands there", p.module)
		}
		if !strings.Contains(string(mod), p.module) {
			t.Errorf("%s is not in go.mod", p.module)
		}
	}
	// A licence beside a package and not only at the root of its module.
	if !strings.Contains(string(text), "internal/xxhash/LICENSE.txt") || !strings.Contains(string(text), "Caleb Spare") {
		t.Error("the licence of zstd's xxhash, which lies below its module, is not there")
	}
}

func TestCollect(t *testing.T) {
	dir := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("a@v1/LICENSE", "terms of a\r\n")
	put("a@v1/PATENTS", "patents of a")
	put("a@v1/license.go", "package a")
	put("a@v1/x/COPYING.md", "terms of x")
	put("a@v1/y/LICENSE", "terms of y")
	put("b@v1/readme", "no terms")
	a := func(below string) linked {
		return linked{"a v1", filepath.Join(dir, "a@v1"), filepath.Join(dir, "a@v1", below)}
	}
	all, err := collect([]linked{a("x"), a("")})
	if err != nil {
		t.Fatal(err)
	}
	text := appendLicences(nil, all)
	for _, want := range []string{"a v1: LICENSE\n\nterms of a\n", "a v1: PATENTS\n\npatents of a\n", "a v1: x/COPYING.md\n\nterms of x\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the licences lack %q", want)
		}
	}
	for _, not := range []string{"terms of y", "package a"} { // y is not linked
		if strings.Contains(string(text), not) {
			t.Errorf("the licences hold %q", not)
		}
	}
	if _, err := collect([]linked{a(""), {"b v1", filepath.Join(dir, "b@v1"), filepath.Join(dir, "b@v1")}}); err == nil || !strings.Contains(err.Error(), "b v1") {
		t.Errorf("collect with a module without licence = %v, want an error that names it", err)
	}
	if _, err := collect(nil); err == nil {
		t.Error("collect of nothing is no error")
	}
}

// The checksums are an answer that our own library signs and verifies, and that leads to the files.
func TestSumsAreAnAnswer(t *testing.T) {
	dir := t.TempDir()
	var list []sum
	for _, name := range []string{`cgp-attest_1.0.0~rc1-1_amd64.deb`, "cgp-attest_1.0.0_linux_amd64.tar.gz"} {
		text := []byte("content of " + name)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
		list = append(list, sum{name, sha256.Sum256(text)})
	}
	sums := appendSums(nil, list)
	if err := os.WriteFile(filepath.Join(dir, sumsName), sums, 0o644); err != nil {
		t.Fatal(err)
	}
	key := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32))
	signed, err := archive.Sign(appendAnswer(nil, list, sums), archive.SignOptions{
		Key: key, KeyID: "release", Provider: commitment.Some(program), Shape: archive.ShapeRoot, IssuedAt: commitment.InstantOf(at), Source: "sums",
	})
	if err != nil {
		t.Fatal(err)
	}
	verify := func() *archive.Report {
		t.Helper()
		roots := &sourceroot.Roots{}
		if err := roots.Add("", dir); err != nil {
			t.Fatal(err)
		}
		defer roots.Close()
		public := sign.PublicKey{Algorithm: "ed25519", Bytes: string(key.Public().(ed25519.PublicKey))}
		ring := &archive.Keyring{}
		if err := ring.Trust(program, "release", public, "test"); err != nil {
			t.Fatal(err)
		}
		v := &archive.Verifier{Keys: ring, Files: roots, Policy: archive.Policy{Provider: commitment.Some(program)}}
		r, err := v.VerifyReader(context.Background(), "sums", bytes.NewReader(signed.Output))
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := verify(); r.Summary.ExitCode != archive.ExitGood || r.Summary.Frames != 3 {
		t.Errorf("exit code %d with %d frames, want %d with 3: %s", r.Summary.ExitCode, r.Summary.Frames, archive.ExitGood, r.Summary.ExitReason)
	}
	if err := os.WriteFile(filepath.Join(dir, list[1].name), []byte("something else"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := verify(); r.Summary.ExitCode != archive.ExitNegative {
		t.Errorf("exit code %d with a file that was changed, want %d", r.Summary.ExitCode, archive.ExitNegative)
	}
	if check, err := exec.LookPath("sha256sum"); err == nil {
		cmd := exec.Command(check, "-c", sumsName)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err == nil || !strings.Contains(string(out), list[0].name+": OK") || !strings.Contains(string(out), list[1].name+": FAILED") {
			t.Errorf("sha256sum -c says of one good and one changed file: %v\n%s", err, out)
		}
	}
}

func TestStampedVersion(t *testing.T) {
	const head = "/x/cgp-attest: go1.26.8\n\tpath\tp/cmd/cgp-attest\n"
	tests := []struct{ name, info, want string }{
		{"tagged", head + "\tmod\tp\tv1.2.3\t\n\tbuild\tvcs.revision=abc\n\tbuild\tvcs.modified=false\n", "1.2.3"},
		{"commit", head + "\tmod\tp\tv0.0.0-20261201004649-ca78316cfacf\t\n\tbuild\tvcs.revision=abc\n", "0.0.0-20261201004649-ca78316cfacf"},
		{"changed", head + "\tmod\tp\tv1.2.3+dirty\t\n\tbuild\tvcs.revision=abc\n\tbuild\tvcs.modified=true\n", ""},
		{"no stamp", head + "\tmod\tp\tv1.2.3\t\n", ""},
		{"no version", head + "\tmod\tp\t(devel)\t\n\tbuild\tvcs.revision=abc\n", ""},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		if got, err := stampedVersion(tt.info); got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("%s: stampedVersion = %q, %v, want %q", tt.name, got, err, tt.want)
		}
	}
}

// Debian's own comparison puts the versions in the order in which they come.
func TestDebianVersion(t *testing.T) {
	inOrder := []string{"0.0.0-20261201004649-ca78316cfacf", "0.0.0-20261202004649-aa78316cfacf", "0.1.0", "1.0.0-rc.1", "1.0.0-rc.2", "1.0.0", "1.0.1-0.20261203004649-ba78316cfacf", "1.0.1"}
	want := []string{"0.0.0~git20261201004649.ca78316cfacf-1", "0.0.0~git20261202004649.aa78316cfacf-1", "0.1.0-1", "1.0.0~rc.1-1", "1.0.0~rc.2-1", "1.0.0-1", "1.0.1~git20261203004649.ba78316cfacf-1", "1.0.1-1"}
	for i, version := range inOrder {
		if got := debianVersion(version); got != want[i] {
			t.Errorf("debianVersion(%q) = %q, want %q", version, got, want[i])
		}
	}
	dpkg, err := exec.LookPath("dpkg")
	if err != nil {
		t.Skip("dpkg is not installed")
	}
	for i := range len(inOrder) - 1 {
		a, b := debianVersion(inOrder[i]), debianVersion(inOrder[i+1])
		if err := exec.Command(dpkg, "--compare-versions", a, "lt", b).Run(); err != nil {
			t.Errorf("dpkg does not put %s before %s: %v", a, b, err)
		}
	}
}

func TestSettle(t *testing.T) {
	const text = `{"metadata":{"tools":[{"name":"x","hashes":[{"alg":"MD5"}]}],"component":{"name":"c"}},"b":[2,1],"a":12345678901}`
	got, err := settle([]byte(text), at)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"timestamp": "2026-08-29T12:00:02Z"`, `"name": "x"`, `"a": 12345678901`} {
		if !strings.Contains(string(got), want) {
			t.Errorf("the bill lacks %s:\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "hashes") {
		t.Errorf("the bill names a binary of the tool:\n%s", got)
	}
	for _, bad := range []string{``, `[]`, `{}`} {
		if _, err := settle([]byte(bad), at); err == nil {
			t.Errorf("settle(%q) is no error", bad)
		}
	}
}

func TestCopyright(t *testing.T) {
	const (
		head = "                                 Apache License\n                           Version 2.0, January 2004\n   TERMS AND CONDITIONS\n"
		tail = "      of your accepting any such warranty or additional liability.\n"
	)
	apache := head + tail + "\n   END OF TERMS AND CONDITIONS\n\nCopyright 2020 Somebody\n"
	r := &release{
		common: []file{
			{"LICENSE-MIT", []byte("MIT License\n\nCopyright (c) 2026 The authors\n\nPermission is granted.\n"), plain},
			{"LICENSE-APACHE", []byte(apache), plain},
		},
		linked: []licence{{"a v1", "LICENSE", head + tail}, {"b v1", "LICENSE", "terms of b\n"}, {"c v1", "COPYING", apache}},
	}
	text, err := r.copyright()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"Copyright: 2026 The authors\nLicense: Apache-2.0 or Expat\n", " Permission is granted.\n", " a v1: LICENSE\n .\n", " terms of b\n",
		" c v1: COPYING\n .\n", " Copyright 2020 Somebody\n",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("copyright lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "TERMS AND CONDITIONS") {
		t.Errorf("copyright repeats a licence that every Debian system has:\n%s", text)
	}
	for i := range r.common {
		fewer := &release{common: slices.Delete(slices.Clone(r.common), i, i+1), linked: r.linked}
		if _, err := fewer.copyright(); err == nil {
			t.Errorf("copyright without %s is no error", r.common[i].name)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "x"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		args []string
		want string
	}{
		{[]string{"-key", "env:K"}, "go together"},
		{[]string{"-key-id", "k"}, "go together"},
		{[]string{"-platforms", "linux"}, "want OS/ARCH"},
		{[]string{"-platforms", "linux/amd64,"}, "want OS/ARCH"},
		{[]string{"now"}, `found the argument "now"`},
		{[]string{"-o", full}, "is not empty"},
	}
	for _, tt := range tests {
		if err := run(context.Background(), tt.args); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("run(%q) = %v, want an error with %q", tt.args, err, tt.want)
		}
	}
}
