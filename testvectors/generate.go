package testvectors

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

const (
	// ManifestName is the file that says what a folder holds.
	ManifestName = "MANIFEST.json"
	allName      = "all.jsonl"
	bytesFolder  = "bytes"
	schemaFolder = "schema"
)

// A ChangedError says that a released case would become another. What is released is for ever: a case that was wrong stays, and
// another one comes beside it.
type ChangedError struct {
	ID     string
	Member string
}

func (e *ChangedError) Error() string {
	return fmt.Sprintf("testvectors: case %s is released, and its %s would change", e.ID, e.Member)
}

// Generate returns the files of a folder of cases: the released ones as they are, and what this program makes beside them. Of a
// released case a title, the reason for it, rules and flags may be put into better words; anything else is a *ChangedError.
func Generate(released ...[]*File) (map[string][]byte, error) {
	made, err := Make()
	if err != nil {
		return nil, err
	}
	for _, old := range released {
		if err := keep(made, old); err != nil {
			return nil, err
		}
	}
	return files(made)
}

// keep compares the cases that were made with released ones, and takes those over that are made no more.
func keep(made, released []*File) error {
	for _, old := range released {
		i := slices.IndexFunc(made, func(f *File) bool { return f.Name == old.Name })
		if i < 0 {
			return fmt.Errorf("testvectors: the released class %.40q is not known here", old.Name)
		}
		for _, c := range old.Cases {
			k := slices.IndexFunc(made[i].Cases, func(n *Case) bool { return n.ID == c.ID })
			if k < 0 {
				made[i].Cases = append(made[i].Cases, c)
				continue
			}
			made[i].Cases[k].Since = c.Since
			if member := differs(c, made[i].Cases[k]); member != "" {
				return &ChangedError{c.ID, member}
			}
		}
	}
	return nil
}

// words are the members of a case that may be put into better words.
var words = []string{memberTitle, memberWhy, memberRules, memberFlags}

// differs names the first member in which two cases differ that may not.
func differs(a, b *Case) string {
	before, after := a.object(), b.object()
	for _, m := range append(slices.Clone(before), after...) {
		if slices.Contains(words, m.Name) {
			continue
		}
		x, inBefore := before.Find(m.Name)
		y, inAfter := after.Find(m.Name)
		if inBefore != inAfter || !equal(x, y) {
			return m.Name
		}
	}
	return ""
}

// files returns the files of a folder by their paths in it.
func files(classes []*File) (map[string][]byte, error) {
	out := make(map[string][]byte)
	for _, f := range classes {
		out[f.Name+".json"] = f.marshal()
		for _, c := range f.Cases {
			if raw, ok := c.Input.Find("bytes"); ok && c.Op == "wire" {
				out[bytesFolder+"/"+c.ID] = fromHex(raw.(string))
			}
		}
	}
	out[allName] = allLines(classes)
	schemas, err := fs.Glob(FS(), schemaFolder+"/*.json")
	if err != nil {
		return nil, err
	}
	for _, name := range schemas {
		if out[name], err = fs.ReadFile(FS(), name); err != nil {
			return nil, err
		}
	}
	out[ManifestName] = manifest(classes, out)
	return out, nil
}

// allLines is the file of all cases, one a line, with the class in front.
func allLines(classes []*File) (all []byte) {
	for _, f := range classes {
		for _, c := range f.Cases {
			all = append(appendValue(all, append(object("class", f.Name), c.object()...)), '\n')
		}
	}
	return all
}

// manifest says what a folder holds: how many cases of each class, and the SHA-256 of every other file.
func manifest(classes []*File, files map[string][]byte) []byte {
	counts, negative := Object{}, 0
	total := 0
	for _, f := range classes {
		counts = append(counts, Member{f.Name, integer(len(f.Cases))})
		total += len(f.Cases)
		for _, c := range f.Cases {
			if c.Negative() {
				negative++
			}
		}
	}
	b := fmt.Appendf(nil, "{\n  \"format\": %q,\n  \"version\": %q,\n  \"count\": %d,\n  \"negative\": %d,\n  \"counts\": ", Format, release, total, negative)
	b = append(appendValue(b, counts), ",\n  \"sha256\": {"...)
	first := true
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if name == ManifestName {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		sum := sha256.Sum256(files[name])
		b = fmt.Appendf(b, "\n    %s: \"%x\"", appendText(nil, name), sum[:])
	}
	return append(b, "\n  }\n}\n"...)
}

// GenerateOver makes the files of a folder anew: beside the cases that are embedded, those that stand in the folder are released
// too. A folder without cases, or none, is an empty one.
func GenerateOver(folder fs.FS) (map[string][]byte, error) {
	var released [][]*File
	for _, from := range []fs.FS{FS(), folder} {
		files, err := Load(from)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		default:
			released = append(released, files)
		}
	}
	return Generate(released...)
}

// Export returns the embedded files by their paths.
func Export() (map[string][]byte, error) {
	all := make(map[string][]byte)
	err := fs.WalkDir(FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		all[name], err = fs.ReadFile(FS(), name)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("testvectors: %w", err)
	}
	return all, nil
}
