package keys

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/internal/publicdata"
	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

const (
	element      = `{"key_id":"docs-2026","algorithm":"ed25519","public_key":"` + rfc8032Public + `"}`
	otherElement = `{"public_key":"` + rfc8410PublicHex + `","extra":[{"key_id":1}],"algorithm":"ed25519","key_id":"docs-2027"}`
)

func TestParsePublished(t *testing.T) {
	first := Published{KeyID: "docs-2026", Key: ed25519Key(t, rfc8032Public)}
	second := Published{KeyID: "docs-2027", Key: ed25519Key(t, rfc8410PublicHex)}
	from := func(provider string, all ...Published) []Published {
		for i := range all {
			all[i].Provider = provider
		}
		return all
	}
	for _, row := range []struct {
		name, text string
		want       []Published
	}{
		{"array", "[" + element + "," + otherElement + "]", from("", first, second)},
		{"array in white space", " \r\n[\t" + element + " ]\n", from("", first)},
		{"empty array", "[]", nil},
		{"object", `{"attester_keys":[` + element + `]}`, from("", first)},
		{"object with other members", `{"name":"x","provider":{"name":"docs"},"type":null,"attester_keys":[` + element + `]}`, from("", first)},
		{"object with a type that is no string", `{"type":1,"attester_keys":[` + element + `]}`, from("", first)},
		{"object with an empty array", `{"attester_keys":[]}`, nil},
		{"ack", `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":[` + element + "," + otherElement + `]}`,
			from("docs", first, second)},
		{"ack in another order", `{"attester_keys":[` + element + `],"provider":{"version":"1","name":"docs"},"type":"handshake_ack"}`,
			from("docs", first)},
		{"ack with escaped names", `{"\u0074ype":"handshake\u005fack","provider":{"n\u0061me":"d\u00f6cs"},"attester\u005fkeys":[` + element + `]}`,
			from("döcs", first)},
		{"ack without keys", `{"type":"handshake_ack","provider":{"name":"docs"}}`, nil},
		{"ack with null keys", `{"type":"handshake_ack","provider":{"name":"docs"},"attester_keys":null}`, nil},
		{"ack of an empty name", `{"type":"handshake_ack","provider":{"name":""},"attester_keys":[` + element + `]}`, from("", first)},
		{"one key twice", "[" + element + "," + element + "]", from("", first, first)},
		{"one key_id, two keys", "[" + element + "," + strings.Replace(otherElement, "2027", "2026", 1) + "]",
			from("", first, Published{KeyID: "docs-2026", Key: second.Key})},
		{"empty key_id", strings.Replace("["+element+"]", "docs-2026", "", 1), from("", Published{Key: first.Key})},
		{"key_id of any characters", strings.Replace("["+element+"]", "docs-2026", `\u0000\"é`, 1),
			from("", Published{KeyID: "\x00\"é", Key: first.Key})},
		{"members in other case are others", `[{"KEY_ID":"x","key_id":"docs-2026","Algorithm":"x","algorithm":"ed25519","public_key":"` + rfc8032Public + `"}]`,
			from("", first)},
		{"another algorithm", `[{"key_id":"pq","algorithm":"ml-dsa-44","public_key":"00ff"}]`,
			from("", Published{KeyID: "pq", Key: sign.PublicKey{Algorithm: "ml-dsa-44", Bytes: "\x00\xff"}})},
		{"another algorithm, same bytes as a weak key", `[{"key_id":"x","algorithm":"ED25519","public_key":"` + weakKeys[0].text + `"}]`,
			from("", Published{KeyID: "x", Key: sign.PublicKey{Algorithm: "ED25519", Bytes: "\x01" + strings.Repeat("\x00", 31)}})},
		{"at the limit", "[" + element + "]" + strings.Repeat("\n", MaxFile-len(element)-2), from("", first)},
	} {
		got, err := ParsePublished([]byte(row.text))
		if err != nil || !slices.Equal(got, row.want) {
			t.Errorf("%s: ParsePublished = %q, %v, want %q", row.name, got, err, row.want)
		}
	}
}

func TestParsePublishedRefuses(t *testing.T) {
	type row struct {
		name, text string
		want       error
		words      string
	}
	ack := func(provider, keys string) string {
		return `{"type":"handshake_ack"` + provider + `,"attester_keys":` + keys + `}`
	}
	rows := []row{
		{"empty", "", strictjson.ErrSyntax, ""},
		{"cut", "[" + element, strictjson.ErrCut, ""},
		{"two values", "[" + element + "][]", strictjson.ErrTrailingBytes, ""},
		{"byte order mark", "\ufeff[" + element + "]", strictjson.ErrByteOrderMark, ""},
		{"invalid UTF-8", strings.Replace("["+element+"]", "docs", "\xff", 1), strictjson.ErrInvalidUTF8, ""},
		{"lone surrogate", strings.Replace("["+element+"]", "docs", `\ud800`, 1), strictjson.ErrLoneSurrogate, ""},
		{"duplicate key_id", strings.Replace("["+element+"]", "{", `{"key_id":"x",`, 1), strictjson.ErrDuplicateMember, ""},
		{"duplicate by escapes", strings.Replace("["+element+"]", "{", `{"\u006bey_id":"x",`, 1), strictjson.ErrDuplicateMember, ""},
		{"duplicate attester_keys", `{"attester_keys":[],"attester_keys":[` + element + `]}`, strictjson.ErrDuplicateMember, ""},
		{"too deep", `{"x":` + strings.Repeat("[", 200) + strings.Repeat("]", 200) + `,"attester_keys":[]}`, strictjson.ErrTooDeep, ""},
		{"comment", "[" + element + "] // mine", strictjson.ErrTrailingBytes, ""},
		{"trailing comma", "[" + element + ",]", strictjson.ErrSyntax, ""},

		{"number", "1", ErrMalformedPublished, "want an array or an object"},
		{"string", `"` + rfc8032Public + `"`, ErrMalformedPublished, "want an array or an object"},
		{"null", "null", ErrMalformedPublished, "want an array or an object"},
		{"object without keys", `{}`, ErrMalformedPublished, "want a member attester_keys"},
		{"object with null keys", `{"attester_keys":null}`, ErrMalformedPublished, "want a member attester_keys"},
		{"object with keys in other case", `{"Attester_Keys":[]}`, ErrMalformedPublished, "want a member attester_keys"},
		{"one element", element, ErrMalformedPublished, "want a member attester_keys"},
		{"keys an object", `{"attester_keys":` + element + `}`, ErrMalformedPublished, "attester_keys: want an array"},
		{"keys a string", `{"attester_keys":"x"}`, ErrMalformedPublished, "attester_keys: want an array"},
		{"another message", `{"type":"frames","attester_keys":[` + element + `]}`, ErrMalformedPublished, `"frames" publishes no keys`},
		{"message of an empty type", `{"type":"","attester_keys":[]}`, ErrMalformedPublished, `"" publishes no keys`},
		{"ack without provider", ack("", "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack with a null provider", ack(`,"provider":null`, "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack with a string provider", ack(`,"provider":"docs"`, "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack without a name", ack(`,"provider":{}`, "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack with a null name", ack(`,"provider":{"name":null}`, "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack with a number as name", ack(`,"provider":{"name":1}`, "[]"), ErrMalformedPublished, "provider.name: want a string"},
		{"ack with an object as keys", ack(`,"provider":{"name":"docs"}`, "{}"), ErrMalformedPublished, "attester_keys: want an array"},
		{"too large", "[" + element + "]" + strings.Repeat("\n", MaxFile-len(element)-1), ErrTooLarge, "65537 bytes, want at most 65536"},
	}
	// Each element is put second, behind a good one, so that its number is told.
	for _, bad := range []string{"null", "1", `"x"`, "[]", "true"} {
		rows = append(rows, row{"element " + bad, "[" + element + "," + bad + "]", ErrMalformedPublished, "element[1]: want an object"})
	}
	full := map[string]string{"key_id": `"bad"`, "algorithm": `"ed25519"`, "public_key": `"` + rfc8032Public + `"`}
	with := func(member, value string) string {
		var parts []string
		for name, text := range full {
			if name == member {
				text = value
			}
			if text != "" {
				parts = append(parts, fmt.Sprintf("%q:%s", name, text))
			}
		}
		return "{" + strings.Join(parts, ",") + "}"
	}
	for member := range full {
		for _, value := range []string{"", "null", "1", "[]", "{}", "true"} {
			rows = append(rows,
				row{member + " is " + value, "[" + element + "," + with(member, value) + "]", ErrMalformedPublished,
					"element[1]: " + member + ": want a string"},
				row{member + " in an object is " + value, `{"attester_keys":[` + element + "," + with(member, value) + "]}", ErrMalformedPublished,
					"attester_keys[1]: " + member + ": want a string"})
		}
	}
	for _, key := range []struct{ name, text, words string }{
		{"empty", "", "not lowercase hexadecimal"},
		{"uppercase", strings.ToUpper(rfc8032Public), "not lowercase hexadecimal"},
		{"one uppercase digit", strings.Replace(rfc8032Public, "d", "D", 1), "not lowercase hexadecimal"},
		{"odd", rfc8032Public[1:], "not lowercase hexadecimal"},
		{"not hexadecimal", "x" + rfc8032Public[1:], "not lowercase hexadecimal"},
		{"with white space", rfc8032Public + " ", "not lowercase hexadecimal"},
		{"short", rfc8032Public[2:], "31 bytes, want 32"},
		{"long", rfc8032Public + "00", "33 bytes, want 32"},
	} {
		rows = append(rows, row{"public_key " + key.name, "[" + element + "," + with("public_key", `"`+key.text+`"`) + "]", sign.ErrMalformedKey,
			`element[1]: public_key of key "bad": malformed key: `})
		rows = append(rows, row{"public_key " + key.name, "[" + with("public_key", `"`+key.text+`"`) + "]", ErrMalformedPublished, key.words})
	}
	for _, weak := range weakKeys {
		rows = append(rows, row{"weak key " + weak.name, "[" + with("public_key", `"`+weak.text+`"`) + "]", sign.ErrMalformedKey, weak.reason})
	}
	for _, text := range []string{strings.ToUpper(rfc8032Public), "", "0"} {
		rows = append(rows, row{"key of another algorithm " + text, `[{"key_id":"x","algorithm":"toy","public_key":"` + text + `"}]`,
			sign.ErrMalformedKey, "not lowercase hexadecimal"})
	}
	for _, row := range rows {
		got, err := ParsePublished([]byte(row.text))
		if got != nil || !errors.Is(err, row.want) {
			t.Errorf("%s: ParsePublished = %q, %v, want %v", row.name, got, err, row.want)
			continue
		}
		if row.want != ErrTooLarge && !errors.Is(err, ErrMalformedPublished) {
			t.Errorf("%s: error %v does not wrap ErrMalformedPublished", row.name, err)
		}
		if text := err.Error(); !strings.Contains(text, row.words) || !strings.HasPrefix(text, "keys: ") {
			t.Errorf("%s: error %q, want it to say %q", row.name, text, row.words)
		}
	}
}

// TestPublishedByReference reads the messages of the protocol's own example: three acks, of which one publishes a key, and
// others that publish none.
func TestPublishedByReference(t *testing.T) {
	var messages []json.RawMessage
	if err := json.Unmarshal(publicdata.Shared(t, "vectors/reference-messages.json"), &messages); err != nil {
		t.Fatal(err)
	}
	var got []Published
	acks := 0
	for i, message := range messages {
		var kind struct{ Type string }
		if err := json.Unmarshal(message, &kind); err != nil {
			t.Fatal(err)
		}
		published, err := ParsePublished(message)
		if (err == nil) != (kind.Type == "handshake_ack") {
			t.Errorf("message %d of type %s: %v", i, kind.Type, err)
		}
		if err == nil {
			acks++
		}
		got = append(got, published...)
	}
	want := []Published{{
		KeyID:    "repo-graph-2026-08",
		Key:      ed25519Key(t, "197f6b23e16c8532c6abc838facd5ea789be0c76b2920334039bfa8b3d368d61"),
		Provider: "repo-graph",
	}}
	if acks != 3 || !slices.Equal(got, want) {
		t.Errorf("%d acks publish %q, want 3 acks and %q", acks, got, want)
	}
}

func TestAppendPublished(t *testing.T) {
	key := ed25519Key(t, rfc8032Public)
	if got := string(AppendPublished([]byte("x"), "docs-2026", key)); got != "x"+element {
		t.Errorf("AppendPublished = %s, want x%s", got, element)
	}
	for _, id := range []string{"", "docs", `"`, "\\", "\x00\n\u2028<&>é\U0001d11e", strings.Repeat("k", 1000)} {
		for _, k := range []sign.PublicKey{key, {Algorithm: "a\"lg", Bytes: "\x00"}} {
			text := AppendPublished(nil, id, k)
			if !json.Valid(text) {
				t.Errorf("AppendPublished(%q) = %s, which is no JSON", id, text)
			}
			got, err := ParsePublished(slices.Concat([]byte("["), text, []byte("]")))
			if want := []Published{{KeyID: id, Key: k}}; err != nil || !slices.Equal(got, want) {
				t.Errorf("%s reads back as %q, %v, want %q", text, got, err, want)
			}
		}
	}
	if got, want := string(AppendPublished(nil, "k\xff", key)), strings.Replace(element, "docs-2026", "k\ufffd", 1); got != want {
		t.Errorf("AppendPublished of invalid UTF-8 = %s, want %s", got, want)
	}
}
