package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// packager writes Debian packages.
const packager = "github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0"

// debian writes the Debian package for a platform.
func (r *release) debian(ctx context.Context, p platform, binary string, bill []byte) error {
	stage := filepath.Join(r.work, "debian-"+p.arch)
	files, err := r.debianFiles(bill)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(binary)
	if err != nil {
		return err
	}
	files = append(files, file{"usr/bin/" + program, text, executable})
	for _, f := range files {
		at := filepath.Join(stage, filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(at, f.text, f.mode); err != nil {
			return err
		}
	}
	recipe := filepath.Join(r.work, "debian-"+p.arch+".yaml")
	if err := os.WriteFile(recipe, r.debianRecipe(p, stage, files), 0o644); err != nil {
		return err
	}
	target := filepath.Join(r.dist, fmt.Sprintf("%s_%s_%s.deb", program, debianVersion(r.version), p.arch))
	host := platform{runtime.GOOS, runtime.GOARCH}
	_, err = said(r.goCommand(ctx, host, "run", packager, "package", "--packager", "deb", "--config", recipe, "--target", target))
	return err
}

var pseudoVersion = regexp.MustCompile(`^(.+?)-(?:0\.)?(\d{14})-([0-9a-f]{12})$`)

// debianVersion returns a version of Go modules as Debian sorts it: what came in front of a version is smaller than it, and one
// of a commit says which.
func debianVersion(version string) string {
	if m := pseudoVersion.FindStringSubmatch(version); m != nil {
		version = m[1] + "-git" + m[2] + "." + m[3]
	}
	return strings.ReplaceAll(version, "-", "~") + "-1"
}

// debianFiles returns what stands in the package beside the binary.
func (r *release) debianFiles(bill []byte) ([]file, error) {
	docs := "usr/share/doc/" + program + "/"
	copyright, err := r.copyright()
	if err != nil {
		return nil, err
	}
	files := []file{
		{docs + "copyright", copyright, plain},
		{docs + "sbom.cdx.json", bill, plain},
		{"usr/share/lintian/overrides/" + program, []byte("# Go links everything into one static binary, on purpose.\n" + program + ": statically-linked-binary [usr/bin/" + program + "]\n"), plain},
	}
	changes := fmt.Sprintf("%s (%s) unstable; urgency=medium\n\n  * Built from the commit of %s; CHANGELOG.md says what is new.\n\n -- %s  %s\n",
		program, debianVersion(r.version), r.at.Format(time.DateOnly), r.author, r.at.Format(time.RFC1123Z))
	packed, err := gzipped([]byte(changes))
	if err != nil {
		return nil, err
	}
	files = append(files, file{docs + "changelog.Debian.gz", packed, plain})
	for _, f := range r.common {
		switch folder, name := path.Split(f.name); {
		case folder == "man/man1/":
			if f.text, err = gzipped(f.text); err != nil {
				return nil, err
			}
			f.name = "usr/share/man/man1/" + name + ".gz"
		case folder == "completions/" && strings.HasSuffix(name, ".bash"):
			f.name = "usr/share/bash-completion/completions/" + program
		case folder == "completions/" && strings.HasSuffix(name, ".fish"):
			f.name = "usr/share/fish/vendor_completions.d/" + name
		case folder == "completions/" && strings.HasPrefix(name, "_"):
			f.name = "usr/share/zsh/vendor-completions/" + name
		case folder == "completions/" || strings.HasPrefix(name, "LICENSE"):
			continue // no shell of Debian's reads the one, and the other is in copyright
		case name == "CHANGELOG.md":
			if f.text, err = gzipped(f.text); err != nil {
				return nil, err
			}
			f.name = docs + "changelog.gz"
		default:
			f.name = docs + f.name
		}
		files = append(files, f)
	}
	return files, nil
}

// gzipped compresses as Debian wants it: as much as can be, without name and time.
func gzipped(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	err = w.Close()
	return b.Bytes(), err
}

// copyright returns the machine-readable file of licences: that of this project, which is one of two at the reader's choice, and
// behind it those of what is linked, as they are.
func (r *release) copyright() ([]byte, error) {
	find := func(name string) (string, error) {
		for _, f := range r.common {
			if f.name == name {
				return string(f.text), nil
			}
		}
		return "", fmt.Errorf("there is no %s", name)
	}
	mit, err := find("LICENSE-MIT")
	if err != nil {
		return nil, err
	}
	if _, err := find("LICENSE-APACHE"); err != nil {
		return nil, err
	}
	holder := regexp.MustCompile(`(?m)^Copyright \(c\) (.+)$`).FindStringSubmatch(mit)
	if holder == nil {
		return nil, fmt.Errorf("LICENSE-MIT names no holder of the copyright")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: %s\n\n", program)
	fmt.Fprintf(&b, "Files: *\nCopyright: %s\nLicense: Apache-2.0 or Expat\n\n", holder[1])
	b.WriteString("License: Apache-2.0\n On Debian systems the whole text of the Apache License, Version 2.0, is in\n /usr/share/common-licenses/Apache-2.0.\n\n")
	_, terms, _ := strings.Cut(mit, holder[0])
	b.WriteString("License: Expat\n" + indented(terms) + "\n")
	var others []licence
	for _, l := range r.linked {
		l.text = apacheTerms.ReplaceAllString(l.text, "The Apache License, Version 2.0, as in /usr/share/common-licenses/Apache-2.0.")
		others = append(others, l)
	}
	b.WriteString("Files: usr/bin/" + program + "\nCopyright: those whom the texts below name\nLicense: linked-libraries\n\nLicense: linked-libraries\n" + indented(string(appendLicences(nil, others))))
	return []byte(b.String()), nil
}

// apacheTerms matches the text of a licence that every Debian system has, within one file. Some leave its last line out.
var apacheTerms = regexp.MustCompile(`(?s)Apache License\s+Version 2\.0, January 2004.*?(?:END OF TERMS AND CONDITIONS|any\s+such\s+warranty\s+or\s+additional\s+liability\.(?:\s+END OF TERMS AND CONDITIONS)?)`)

// indented returns a text as the continuation of a field.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.Trim(text, "\n"), "\n") {
		if line = strings.TrimRight(line, " \t\f\r"); line == "" {
			line = "."
		}
		b.WriteString(" " + line + "\n")
	}
	return b.String()
}

// debianRecipe returns what the packager is told.
func (r *release) debianRecipe(p platform, stage string, files []file) []byte {
	var b bytes.Buffer
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	version, revision, _ := strings.Cut(debianVersion(r.version), "-")
	at := r.at.Format(time.RFC3339)
	say("name: %s", program)
	say("arch: %s", p.arch)
	say("platform: linux")
	say("version: %s", strconv.Quote(version))
	say("version_schema: none")
	say("release: %s", strconv.Quote(revision))
	say("section: utils")
	say("priority: optional")
	say("maintainer: %s", strconv.Quote(r.author))
	say("description: |-")
	say("  sign and judge Context Graph Protocol answers")
	say("  Signs the answers of providers of the Context Graph Protocol, verifies")
	say("  saved answers offline, keeps a few frames of a signed answer with their")
	say("  proofs, and has test vectors for implementations in any language.")
	say("mtime: %s", strconv.Quote(at))
	say("deb: {compression: xz}")
	say("contents:")
	for _, f := range sorted(files) {
		say("  - {src: %s, dst: %s, file_info: {mode: 0o%o, mtime: %s}}", strconv.Quote(filepath.ToSlash(filepath.Join(stage, filepath.FromSlash(f.name)))),
			strconv.Quote("/"+f.name), f.mode, strconv.Quote(at))
	}
	return b.Bytes()
}
