package report

import (
	"path/filepath"
	"strings"
)

// appendURI appends a file's path as a URI reference (RFC 3986 §4.1), relative where the path is. Every byte that may not stand
// in a path is percent-encoded, as are bytes that are no UTF-8 and a colon, in front of which a scheme would be looked for.
func appendURI(b []byte, path string) []byte {
	absolute, volume := filepath.IsAbs(path), filepath.VolumeName(path)
	path = filepath.ToSlash(path)
	switch {
	case absolute && strings.HasPrefix(path, "//") && volume != "": // a share of Windows: its host is the authority
		b = append(b, "file:"...)
	case absolute && volume != "":
		b = append(b, "file:///"...)
	case absolute:
		b = append(b, "file://"...)
	}
	for i := range len(path) {
		c := path[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte("-._~/", c) >= 0:
			b = append(b, c)
		default:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		}
	}
	return b
}

const upperHex = "0123456789ABCDEF"
