package keys

import (
	"bytes"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"slices"
	"strings"

	"contextgraphprotocol.org/cgp-attest/sign"
)

// The labels of PEM blocks (RFC 7468 §10, §13) that are read.
const (
	pemPrivate = "PRIVATE KEY"
	pemPublic  = "PUBLIC KEY"
)

const (
	pemBegin   = "-----BEGIN "
	whiteSpace = " \t\r\n"
)

func malformed(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{ErrMalformedFile}, args...)...)
}

func unsupported(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{sign.ErrUnsupportedKey}, args...)...)
}

// isPEM reports whether data is meant to be PEM, so that a fault in it is told as one.
func isPEM(data []byte) bool {
	return bytes.Contains(data, []byte(pemBegin))
}

// parsePEM reads data that is one PEM block of one of the given labels, and white space. encoding/pem alone passes over text
// and broken blocks in front.
func parsePEM(data []byte, labels ...string) (*pem.Block, error) {
	data = bytes.TrimLeft(data, whiteSpace)
	if !bytes.HasPrefix(data, []byte(pemBegin)) {
		return nil, malformed("text in front of the PEM block%s", encoded(data))
	}
	block, rest := pem.Decode(data)
	if block == nil {
		return nil, malformed("the PEM block is cut or broken")
	}
	if !slices.Contains(labels, block.Type) {
		return nil, refusePEM(block.Type, labels[0])
	}
	if n := bytes.Count(data, []byte(pemBegin)); n != 1 {
		return nil, malformed("%d PEM blocks, want one", n)
	}
	if len(bytes.Trim(rest, whiteSpace)) != 0 {
		return nil, malformed("text after the PEM block")
	}
	if strings.Contains(block.Headers["Proc-Type"], "ENCRYPTED") {
		return nil, errEncrypted
	}
	if len(block.Headers) != 0 {
		return nil, malformed("headers in the PEM block")
	}
	return block, nil
}

// parseHex decodes hexadecimal digits of either case. The error tells a length or nothing: the text may be a secret.
func parseHex(text []byte) ([]byte, error) {
	if len(text) == 0 {
		return nil, malformed("the file is empty")
	}
	raw := make([]byte, hex.DecodedLen(len(text)))
	_, err := hex.Decode(raw, text)
	if errors.Is(err, hex.ErrLength) {
		return nil, malformed("an odd number of hexadecimal digits, %d", len(text))
	}
	if err != nil {
		return nil, malformed("it is neither PEM nor hexadecimal digits alone%s", encoded(text))
	}
	return raw, nil
}

// encoded says what an editor did to a text that is not read, "" where nothing shows.
func encoded(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\xEF\xBB\xBF")):
		return ": it begins with a byte order mark, want UTF-8 without one"
	case bytes.HasPrefix(data, []byte("\xFF\xFE")), bytes.HasPrefix(data, []byte("\xFE\xFF")):
		return ": it is UTF-16 text, want UTF-8"
	}
	return ""
}

// refusePEM says why a block of the type found is not read where one of the given label is wanted.
func refusePEM(found, label string) error {
	want := "want PKIX PEM, an OpenSSH public key line or hexadecimal digits"
	if label == pemPrivate {
		want = "want an OpenSSH private key, PKCS#8 PEM or a seed in hexadecimal digits"
	}
	switch found {
	case "RSA PRIVATE KEY", "RSA PUBLIC KEY":
		return unsupported("it is of the kind RSA, want Ed25519")
	case "EC PRIVATE KEY", "EC PARAMETERS":
		return unsupported("it is of the kind ECDSA, want Ed25519")
	case "DSA PRIVATE KEY", "DSA PARAMETERS":
		return unsupported("it is of the kind DSA, want Ed25519")
	case "ENCRYPTED PRIVATE KEY":
		if label == pemPrivate {
			return errEncrypted
		}
		return errPrivateGiven
	case pemPrivate:
		return errPrivateGiven
	case pemOpenSSH:
		return unsupported(`it is a private key, want its public key, as "ssh-keygen -y -f FILE" writes it`)
	}
	return unsupported("it is a PEM block %.80q, %s", found, want)
}

var (
	errEncrypted    = fmt.Errorf(`%w: decrypt it first, as with "openssl pkey -in FILE -out NEW"`, ErrEncrypted)
	errPrivateGiven = unsupported(`it is a private key, want its public key, as "openssl pkey -in FILE -pubout" writes it`)
)
