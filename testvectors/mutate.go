package testvectors

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Mutation is the one change that makes a case of its base: an operation of RFC 6902 on the case, or an edit of the bytes of
// one string. Its path begins with /input.
type Mutation struct {
	Op    string // add, remove, replace, move or copy; "" for an edit of bytes
	Path  string // JSON Pointer (RFC 6901)
	From  string // move and copy
	Value any    // add and replace

	At, Delete int    // bytes: where, and how many bytes go
	Insert     []byte // bytes: what comes in their place
}

const inputPath = "/input"

var errNoPlace = errors.New("there is no such place")

// Apply returns the input that the mutation makes of another, which stays as it is.
func (m *Mutation) Apply(input Object) (Object, error) {
	path, err := pointer(m.Path)
	if err != nil {
		return nil, err
	}
	var out any
	switch m.Op {
	case "":
		out, err = edit(input, path, func(old any) (any, error) { return m.editBytes(path, old) })
	case "replace":
		out, err = edit(input, path, func(any) (any, error) { return m.Value, nil })
	case "add":
		out, err = insert(input, path, m.Value)
	case "remove":
		out, err = remove(input, path)
	case "move", "copy":
		out, err = m.transfer(input, path)
	default:
		err = fmt.Errorf("unknown operation %.20q", m.Op)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", m.Path, err)
	}
	o, ok := out.(Object)
	if !ok {
		return nil, fmt.Errorf("%s: the input is no object any more", m.Path)
	}
	return o, nil
}

func (m *Mutation) transfer(input Object, path []string) (any, error) {
	from, err := pointer(m.From)
	if err != nil {
		return nil, err
	}
	v, err := lookup(input, from)
	if err != nil {
		return nil, err
	}
	var out any = input
	if m.Op == "move" {
		if out, err = remove(out, from); err != nil {
			return nil, err
		}
	}
	return insert(out, path, v)
}

// editBytes edits a string: its UTF-8 bytes, or where its name ends in hex or is bytes those that it spells.
func (m *Mutation) editBytes(path []string, old any) (any, error) {
	text, ok := old.(string)
	if !ok {
		return nil, fmt.Errorf("want a string")
	}
	raw := []byte(text)
	name := path[len(path)-1]
	spelt := name == "bytes" || strings.HasSuffix(name, "_hex")
	if spelt {
		var err error
		if raw, err = hex.DecodeString(text); err != nil {
			return nil, err
		}
	}
	if m.At < 0 || m.Delete < 0 || m.At+m.Delete > len(raw) {
		return nil, fmt.Errorf("%d bytes at %d of %d: %w", m.Delete, m.At, len(raw), errNoPlace)
	}
	raw = slices.Replace(slices.Clone(raw), m.At, m.At+m.Delete, m.Insert...)
	if spelt {
		return hex.EncodeToString(raw), nil
	}
	if !utf8.Valid(raw) {
		return nil, fmt.Errorf("the edited string is no UTF-8")
	}
	return string(raw), nil
}

// pointer returns the steps of a JSON Pointer below the input.
func pointer(path string) ([]string, error) {
	rest, ok := strings.CutPrefix(path, inputPath+"/")
	if !ok {
		return nil, fmt.Errorf("path %.80q does not lead into %s", path, inputPath)
	}
	steps := strings.Split(rest, "/")
	for i := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(steps[i])
	}
	return steps, nil
}

func lookup(v any, path []string) (any, error) {
	var found any
	_, err := edit(v, path, func(old any) (any, error) { found = old; return old, nil })
	return found, err
}

// edit returns a copy of v in which what stands at the path is replaced.
func edit(v any, path []string, change func(old any) (any, error)) (any, error) {
	if len(path) == 0 {
		return change(v)
	}
	switch v := v.(type) {
	case Object:
		i := slices.IndexFunc(v, func(m Member) bool { return m.Name == path[0] })
		if i < 0 {
			return nil, errNoPlace
		}
		inner, err := edit(v[i].Value, path[1:], change)
		if err != nil {
			return nil, err
		}
		out := slices.Clone(v)
		out[i].Value = inner
		return out, nil
	case List:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(v) {
			return nil, errNoPlace
		}
		inner, err := edit(v[i], path[1:], change)
		if err != nil {
			return nil, err
		}
		out := slices.Clone(v)
		out[i] = inner
		return out, nil
	}
	return nil, errNoPlace
}

// insert adds a member, or an element in front of the one at the path's index; - stands for the end of an array.
func insert(v any, path []string, value any) (any, error) {
	last := path[len(path)-1]
	return edit(v, path[:len(path)-1], func(holder any) (any, error) {
		switch holder := holder.(type) {
		case Object:
			return holder.with(last, value), nil
		case List:
			i, err := strconv.Atoi(last)
			if last == "-" {
				i, err = len(holder), nil
			}
			if err != nil || i < 0 || i > len(holder) {
				return nil, errNoPlace
			}
			return slices.Insert(slices.Clone(holder), i, value), nil
		}
		return nil, errNoPlace
	})
}

func remove(v any, path []string) (any, error) {
	last := path[len(path)-1]
	return edit(v, path[:len(path)-1], func(holder any) (any, error) {
		switch holder := holder.(type) {
		case Object:
			if _, ok := holder.Find(last); !ok {
				return nil, errNoPlace
			}
			return holder.without(last), nil
		case List:
			i, err := strconv.Atoi(last)
			if err != nil || i < 0 || i >= len(holder) {
				return nil, errNoPlace
			}
			return slices.Delete(slices.Clone(holder), i, i+1), nil
		}
		return nil, errNoPlace
	})
}
