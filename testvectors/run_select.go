package testvectors

import (
	"fmt"
	"slices"
	"strings"
)

// Select returns the cases that one of the words names: a flag, an op or the id of a case. Without a word it is all of them. A
// word that names nothing is an error.
func Select(classes []*File, words []string) ([]*File, error) {
	if len(words) == 0 {
		return classes, nil
	}
	met := make([]bool, len(words))
	var chosen []*File
	for _, f := range classes {
		part := &File{Name: f.Name}
		for _, c := range f.Cases {
			wanted := false
			for i, word := range words {
				if c.ID == word || c.Op == word || slices.Contains(c.Flags, word) {
					met[i], wanted = true, true
				}
			}
			if wanted {
				part.Cases = append(part.Cases, c)
			}
		}
		if len(part.Cases) > 0 {
			chosen = append(chosen, part)
		}
	}
	if i := slices.Index(met, false); i >= 0 {
		return nil, fmt.Errorf("testvectors: there is no flag, op or case %.80q", words[i])
	}
	return chosen, nil
}

// ParseExpected reads the ids of cases that are expected to fail, one a line; what stands behind # is a comment. An id that is
// none of the cases is an error, so that a list does not outlive them.
func ParseExpected(text string, classes []*File) ([]string, error) {
	known := make(map[string]bool)
	for _, f := range classes {
		for _, c := range f.Cases {
			known[c.ID] = true
		}
	}
	var ids []string
	n := 0
	for line := range strings.Lines(text) {
		n++
		id, _, _ := strings.Cut(line, "#")
		switch id = strings.TrimSpace(id); {
		case id == "":
		case !known[id]:
			return nil, fmt.Errorf("testvectors: line %d: there is no case %.80q", n, id)
		case slices.Contains(ids, id):
			return nil, fmt.Errorf("testvectors: line %d: case %s stands there twice", n, id)
		default:
			ids = append(ids, id)
		}
	}
	return ids, nil
}
