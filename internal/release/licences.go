package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// licencesName is the file with the licences of all that is linked.
const licencesName = "LICENSES-third-party.txt"

// A linked package is one that stands in the binary.
type linked struct {
	module string // with its version
	root   string // folder of the module
	dir    string // folder of the package
}

// A licence is one file of the terms of something that is linked.
type licence struct {
	module, name string
	text         string
}

// licences returns the licences of every module that is linked on one of the systems, and of Go itself.
func (r *release) licences(ctx context.Context) ([]licence, error) {
	var packages []linked
	for _, goos := range []string{"linux", "darwin", "windows"} {
		list := r.goCommand(ctx, platform{goos, runtime.GOARCH}, "list", "-deps", "-f",
			"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}", "./cmd/"+program)
		text, err := said(list)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(text) {
			if parts := strings.Split(strings.TrimSpace(line), "\t"); len(parts) == 3 {
				packages = append(packages, linked{parts[0], parts[1], parts[2]})
			}
		}
	}
	root, err := output(ctx, r.source, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	version, err := output(ctx, r.source, "go", "env", "GOVERSION")
	if err != nil {
		return nil, err
	}
	packages = append(packages, linked{"Go " + version, root, root})
	return collect(packages)
}

// collect reads the licence files of packages: those in the folder of each and in every folder above it, up to its module's.
func collect(packages []linked) ([]licence, error) {
	found := make(map[string]map[string]bool) // module → paths
	roots := make(map[string]string)
	for _, p := range packages {
		if found[p.module] == nil {
			found[p.module], roots[p.module] = make(map[string]bool), p.root
		}
		for dir := p.dir; ; dir = filepath.Dir(dir) {
			entries, err := os.ReadDir(dir)
			if err != nil {
				return nil, err
			}
			for _, e := range entries {
				if !e.IsDir() && isLicence(e.Name()) {
					found[p.module][filepath.Join(dir, e.Name())] = true
				}
			}
			if dir == p.root || dir == filepath.Dir(dir) {
				break
			}
		}
	}
	if len(found) == 0 {
		return nil, errors.New("nothing is linked that has a licence")
	}
	var all []licence
	for _, module := range sortedKeys(found) {
		if len(found[module]) == 0 {
			return nil, fmt.Errorf("%s has no licence file", module)
		}
		for _, path := range sortedKeys(found[module]) {
			text, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			name, err := filepath.Rel(roots[module], path)
			if err != nil {
				return nil, err
			}
			lines := strings.TrimRight(strings.ReplaceAll(string(text), "\r\n", "\n"), "\n")
			all = append(all, licence{module, filepath.ToSlash(name), lines + "\n"})
		}
	}
	return all, nil
}

// appendLicences appends the texts, each below what it is of.
func appendLicences(dst []byte, all []licence) []byte {
	dst = append(dst, program+" contains the following, under their licences.\n"...)
	for _, l := range all {
		dst = fmt.Appendf(dst, "\n%s\n%s: %s\n\n%s", strings.Repeat("=", 72), l.module, l.name, l.text)
	}
	return dst
}

// isLicence reports whether a file of this name says under which terms others may use what lies beside it.
func isLicence(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc([]string{"LICENSE", "LICENCE", "COPYING", "NOTICE", "PATENTS"}, func(word string) bool {
		rest, ok := strings.CutPrefix(name, word)
		return ok && (rest == "" || rest[0] == '.' || rest[0] == '-') && !strings.HasSuffix(rest, ".GO")
	})
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}
