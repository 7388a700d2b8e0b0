package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// A release is one commit and what is made of it.
type release struct {
	source  string    // a clone that holds the commit and nothing else
	work    string    // for what is made on the way
	dist    string    // where the results go
	at      time.Time // of the commit: no file is younger
	author  string    // of the commit, as NAME <ADDRESS>
	version string    // as the binary says it, without the v in front
	host    string    // path of the binary that runs here
	linked  []licence // of what is linked
	common  []file    // what every archive holds
}

// checkOut clones the commit that the working tree is at.
func checkOut(ctx context.Context, dir string) (*release, error) {
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	changes, err := output(ctx, root, "git", "status", "--porcelain")
	if err != nil {
		return nil, err
	}
	if changes != "" {
		return nil, fmt.Errorf("the working tree is not as it was committed, and a release is made of a commit:\n%s", changes)
	}
	if _, err := output(ctx, root, "git", "clone", "-q", "--shared", root, dir); err != nil {
		return nil, err
	}
	said, err := output(ctx, dir, "git", "log", "-1", "--format=%ct%n%an <%ae>")
	if err != nil {
		return nil, err
	}
	seconds, author, _ := strings.Cut(said, "\n")
	at, err := strconv.ParseInt(seconds, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the commit's time is %q: %w", seconds, err)
	}
	return &release{source: dir, at: time.Unix(at, 0).UTC(), author: author}, nil
}

// output runs a program in a folder and returns what it prints, without white space around it.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir = dir
	return said(cmd)
}

func said(cmd *exec.Cmd) (string, error) {
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(cmd.Args, " "), err, stderr.Bytes())
	}
	return strings.TrimSpace(stdout.String()), nil
}

// goCommand is a run of the go command in the clone, for a platform. What of a machine's settings would reach into the binary is
// set here.
func (r *release) goCommand(ctx context.Context, p platform, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = r.source
	cmd.Env = append(os.Environ(), "GOOS="+p.os, "GOARCH="+p.arch, "GOAMD64=v1", "GOARM64=v8.0", "CGO_ENABLED=0", "GOFLAGS=-mod=readonly",
		"GOEXPERIMENT=", "GOFIPS140=off", "GOWORK=off")
	return cmd
}

// build writes the binary for a platform.
func (r *release) build(ctx context.Context, p platform, path string) error {
	_, err := said(r.goCommand(ctx, p, "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w", "-o", path, "./cmd/"+program))
	return err
}

// prepare builds the binary that runs here, and with it what every archive holds.
func (r *release) prepare(ctx context.Context) error {
	r.host = filepath.Join(r.work, program+".exe")
	if err := r.build(ctx, platform{runtime.GOOS, runtime.GOARCH}, r.host); err != nil {
		return err
	}
	info, err := output(ctx, "", "go", "version", "-m", r.host)
	if err != nil {
		return err
	}
	if r.version, err = stampedVersion(info); err != nil {
		return err
	}
	if r.linked, err = r.licences(ctx); err != nil {
		return err
	}
	r.common = append(r.common, file{licencesName, appendLicences(nil, r.linked), plain})
	if err := r.manual(ctx); err != nil {
		return err
	}
	for shell, name := range map[string]string{
		"bash": program + ".bash", "zsh": "_" + program, "fish": program + ".fish", "powershell": program + ".ps1",
	} {
		script := exec.CommandContext(ctx, r.host, "completion", shell)
		text, err := script.Output()
		if err != nil {
			return fmt.Errorf("completion %s: %w", shell, err)
		}
		r.common = append(r.common, file{"completions/" + name, text, plain})
	}
	for _, name := range []string{"README.md", "CHANGELOG.md", "SECURITY.md", "LICENSE-APACHE", "LICENSE-MIT", "docs"} {
		if err := r.take(filepath.Join(r.source, name), name); err != nil {
			return err
		}
	}
	return nil
}

// stampedVersion returns the version out of what go version -m prints. Without the stamp of a commit there is no release.
func stampedVersion(info string) (string, error) {
	version, revision := "", false
	for line := range strings.Lines(info) {
		words := strings.Fields(line)
		switch {
		case len(words) >= 3 && words[0] == "mod":
			version = strings.TrimPrefix(words[2], "v")
		case len(words) == 2 && strings.HasPrefix(words[1], "vcs.revision="):
			revision = true
		case len(words) == 2 && words[1] == "vcs.modified=true":
			return "", errors.New("the binary says that it was not built from the commit as it is")
		}
	}
	if !revision || version == "" || version == "(devel)" {
		return "", errors.New("the binary says of no commit that it was built from it")
	}
	return version, nil
}

func (r *release) manual(ctx context.Context) error {
	dir := filepath.Join(r.work, "man")
	if _, err := output(ctx, "", r.host, "man", "--output-dir", dir); err != nil {
		return err
	}
	return r.take(dir, "man/man1")
}

// take adds a file, or every file of a folder, to what every archive holds.
func (r *release) take(from, name string) error {
	return filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		below, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		at := name
		if below != "." {
			at += "/" + filepath.ToSlash(below)
		}
		r.common = append(r.common, file{at, text, plain})
		return nil
	})
}

// publish builds for a platform and writes its archive; for Linux a Debian package too.
func (r *release) publish(ctx context.Context, p platform) error {
	name := program
	if p.os == "windows" {
		name += ".exe"
	}
	path := filepath.Join(r.work, p.os+"-"+p.arch, name)
	if err := r.build(ctx, p, path); err != nil {
		return err
	}
	binary, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	bill, err := r.bill(ctx, path)
	if err != nil {
		return err
	}
	files := append([]file{{name, binary, executable}, {"sbom.cdx.json", bill, plain}}, r.common...)
	top := fmt.Sprintf("%s_%s_%s_%s", program, r.version, p.os, p.arch)
	if p.os == "windows" {
		err = r.write(top+".zip", func(out *os.File) error { return writeZip(out, top, files, r.at) })
	} else {
		err = r.write(top+".tar.gz", func(out *os.File) error { return writeTarGzip(out, top, files, r.at) })
	}
	if err != nil || p.os != "linux" {
		return err
	}
	return r.debian(ctx, p, path, bill)
}

// write writes a file of the release.
func (r *release) write(name string, content func(*os.File) error) error {
	out, err := os.OpenFile(filepath.Join(r.dist, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(content(out), out.Close())
}
