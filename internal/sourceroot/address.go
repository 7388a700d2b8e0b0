package sourceroot

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"contextgraphprotocol.org/cgp-attest/archive"
)

const schemeFile = "file"

// An address is what a uri says of the place of a file: the names on the way to it, decoded, without dot segments.
type address struct {
	scheme    string // lower case; "" for a relative reference
	authority string // lower case; "" for this machine
	names     []string
	folder    bool // it ends as the name of a folder does
}

func refuse(reason archive.LinkReason, format string, args ...any) *archive.FileError {
	return &archive.FileError{Reason: reason, Detail: fmt.Sprintf(format, args...)}
}

// parseAddress reads a uri (RFC 3986 §4.1, RFC 8089 §2). A path that begins with / is one of the scheme file. What systems read
// in different ways is refused. Each percent-encoded octet is decoded once; dot segments are removed afterwards (§5.2.4), and one
// that leads above the top is refused and not dropped.
func parseAddress(uri string) (address, *archive.FileError) {
	if i := strings.IndexAny(uri, `\?#`); i >= 0 {
		return address{}, refuse(archive.LinkUnaddressable, "%q in the uri: a backslash, a query or a fragment addresses no file", uri[i])
	}
	a, path, err := splitScheme(uri)
	if err != nil {
		return address{}, err
	}
	if rest, found := strings.CutPrefix(path, "//"); found {
		end := strings.IndexByte(rest+"/", '/')
		if strings.ContainsFunc(rest[:end], func(r rune) bool { return r > unicode.MaxASCII }) {
			return address{}, refuse(archive.LinkUnaddressable, "%.32q in the place of a host: what is not ASCII names none (RFC 3986 §3.2.2)", rest[:end])
		}
		a.authority, path = strings.ToLower(rest[:end]), rest[end:]
		if a.scheme == "" {
			a.scheme = schemeFile
		}
		if a.scheme == schemeFile && a.authority == "localhost" {
			a.authority = ""
		}
		if strings.HasPrefix(path, "//") && a.scheme == schemeFile {
			return address{}, refuse(archive.LinkForeignHost, "the path begins with //, which some systems read as the name of a host")
		}
	}
	switch {
	case path == "" && a.authority == "":
		return address{}, refuse(archive.LinkUnaddressable, "the uri has no path")
	case strings.HasPrefix(path, "/") && a.scheme == "":
		a.scheme = schemeFile
	case path != "" && path[0] != '/' && a.scheme == schemeFile:
		return address{}, refuse(archive.LinkUnaddressable, "the path of a file uri begins with /")
	case path != "" && path[0] != '/' && a.scheme != "":
		return address{}, refuse(archive.LinkUnsupportedScheme, "scheme %.32q", a.scheme)
	}
	return a, a.walk(path)
}

// splitScheme takes the scheme off. One letter is a drive.
func splitScheme(uri string) (address, string, *archive.FileError) {
	first, _, _ := strings.Cut(uri, "/")
	scheme, _, found := strings.Cut(first, ":")
	switch {
	case !found:
		return address{}, uri, nil
	case len(scheme) == 1:
		return address{}, "", refuse(archive.LinkUnaddressable, "the uri begins with a drive letter")
	case !isScheme(scheme):
		return address{}, "", refuse(archive.LinkUnaddressable, "what stands in front of the first colon is no scheme")
	}
	return address{scheme: strings.ToLower(scheme)}, uri[len(scheme)+1:], nil
}

// isScheme reports whether s is the name of a scheme (RFC 3986 §3.1).
func isScheme(s string) bool {
	letter := func(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
	for i := range len(s) {
		c := s[i]
		if !letter(c) && (i == 0 || !('0' <= c && c <= '9') && c != '+' && c != '-' && c != '.') {
			return false
		}
	}
	return s != ""
}

// walk takes the names of a path.
func (a *address) walk(path string) *archive.FileError {
	for segment := range strings.SplitSeq(path, "/") {
		name, err := url.PathUnescape(segment)
		switch {
		case err != nil:
			return refuse(archive.LinkUnaddressable, "%v", err)
		case strings.ContainsAny(name, "/\\\x00") || !utf8.ValidString(name):
			return refuse(archive.LinkUnaddressable, "the name %.64q holds a slash, a backslash, NUL, or bytes that are not UTF-8", name)
		}
		a.folder = name == "" || name == "." || name == ".."
		switch {
		case name == ".." && len(a.names) == 0:
			return refuse(archive.LinkOutsideRoots, "the uri leads above its own top")
		case name == "..":
			a.names = a.names[:len(a.names)-1]
		case !a.folder:
			a.names = append(a.names, name)
		}
	}
	return nil
}

// below returns the names behind those of a prefix, and whether a begins with it.
func (a *address) below(prefix *address) ([]string, bool) {
	n := len(prefix.names)
	if a.scheme != prefix.scheme || a.authority != prefix.authority || len(a.names) < n || !slices.Equal(a.names[:n], prefix.names) {
		return nil, false
	}
	return a.names[n:], true
}
