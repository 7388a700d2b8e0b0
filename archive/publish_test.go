package archive_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// The public key of the seed 32×07 as it is published, from ../shared/vectors/attestation-vectors.json.
const published07 = `{"key_id":"key-1","algorithm":"ed25519","public_key":"ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"}`

// The key stands where it belongs, once in each acknowledgement, and not a byte beside it is another.
func TestPublishKeyAlone(t *testing.T) {
	const other = `{"key_id":"key-0","algorithm":"ed25519","public_key":"197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"}`
	tests := []struct{ name, input, want string }{
		{"no keys", `{"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + published07 + `]}`},
		{"pretty, CRLF", "{\r\n  \"provider\": {\"name\": \"docs\"},\r\n  \"type\": \"handshake_ack\" \r\n}\r\n",
			"{\r\n  \"provider\": {\"name\": \"docs\"},\r\n  \"type\": \"handshake_ack\",\"attester_keys\":[" + published07 + "] \r\n}\r\n"},
		{"null", `{"attester_keys": null ,"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"attester_keys": [` + published07 + `] ,"type":"handshake_ack","provider":{"name":"docs"}}`},
		{"empty array", `{"attester_keys":[ ],"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"attester_keys":[` + published07 + ` ],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{"behind another", `{"attester_keys":[ ` + other + ` ],"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"attester_keys":[ ` + other + `,` + published07 + ` ],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{"published already", `{"attester_keys":[` + published07 + `],"type":"handshake_ack","provider":{"name":"docs"}}`,
			`{"attester_keys":[` + published07 + `],"type":"handshake_ack","provider":{"name":"docs"}}`},
		{"archive line", `{"format":"cgp-archive/1","envelope":{"type":"handshake_ack","provider":{"name":"docs"}},"x":1e400}`,
			`{"format":"cgp-archive/1","envelope":{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + published07 + `]},"x":1e400}`},
		{"session", ackOf("docs") + "\n" + answerOf() + "\n" + ackOf("docs") + "\n",
			strings.Replace(ackOf("docs"), `"docs"}}`, `"docs"},"attester_keys":[`+published07+`]}`, 1) + "\n" + answerOf() + "\n" +
				strings.Replace(ackOf("docs"), `"docs"}}`, `"docs"},"attester_keys":[`+published07+`]}`, 1) + "\n"},
	}
	for _, tt := range tests {
		input := []byte(tt.input)
		got, err := archive.PublishKey("ack.json", input, "key-1", publicKey(signingKey(7)))
		if err != nil || string(got) != tt.want {
			t.Errorf("%s: PublishKey = %s, %v, want %s", tt.name, got, err, tt.want)
		}
		if string(input) != tt.input {
			t.Errorf("%s: the input was changed", tt.name)
		}
		// Whoever reads it finds the key, and adding it again changes nothing.
		if err := (&archive.Keyring{}).Publish(bytes.SplitN(got, []byte("\n{"), 2)[0], "ack.json"); err != nil && !strings.HasPrefix(tt.input, `{"format"`) {
			t.Errorf("%s: what was written does not read: %v", tt.name, err)
		}
		if again, err := archive.PublishKey("ack.json", got, "key-1", publicKey(signingKey(7))); err != nil || !bytes.Equal(again, got) {
			t.Errorf("%s: added again: %s, %v", tt.name, again, err)
		}
	}
}

func TestPublishKeyAloneRefuses(t *testing.T) {
	good := publicKey(signingKey(7))
	weak := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: "\x01" + strings.Repeat("\x00", 31)}
	conflict := `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[{"key_id":"key-1","algorithm":"ed25519","public_key":"00"}]}`
	tests := []struct {
		name, input, keyID string
		key                sign.PublicKey
		is                 error
		rule               archive.Rule
	}{
		{"no acknowledgement", answerOf(), "key-1", good, archive.ErrNoHandshake, ""},
		{"nothing", "", "key-1", good, archive.ErrNoHandshake, ""},
		{"no key_id", ackOf("docs"), "", good, sign.ErrMalformedID, ""},
		{"key_id is not UTF-8", ackOf("docs"), "\xff", good, sign.ErrMalformedID, ""},
		{"weak key", ackOf("docs"), "key-1", weak, sign.ErrMalformedKey, ""},
		{"other bytes", conflict, "key-1", good, nil, archive.RuleKeyConflict},
		{"keys are no array", `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":{}}`, "key-1", good, nil, archive.RuleMalformedKeys},
		{"two providers", ackOf("docs") + ackOf("wiki"), "key-1", good, nil, archive.RuleTwoProviders},
	}
	for _, tt := range tests {
		got, err := archive.PublishKey("ack.json", []byte(tt.input), tt.keyID, tt.key)
		var refusal *archive.Refusal
		errors.As(err, &refusal)
		if got != nil || err == nil || tt.is != nil && !errors.Is(err, tt.is) || tt.rule != "" && (refusal == nil || refusal.Rule != tt.rule) {
			t.Errorf("%s: PublishKey = %q, %v, want %v, rule %q", tt.name, got, err, tt.is, tt.rule)
		}
	}
	var unreadable *archive.RecordError
	if got, err := archive.PublishKey("ack.json", []byte(ackOf("docs")+"{"), "key-1", good); got != nil || !errors.As(err, &unreadable) {
		t.Errorf("a record that is cut: %q, %v, want a RecordError", got, err)
	}
}
