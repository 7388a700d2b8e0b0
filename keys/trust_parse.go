package keys

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"contextgraphprotocol.org/cgp-attest/internal/strictjson"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// FormatTrust is the format of a trust file.
const FormatTrust = "contextgraph-trust/1"

// publicKeyDigits is the number of hexadecimal digits of a public_key.
const publicKeyDigits = 64

// Members of a trust file and of a key in it.
const (
	memberFormat      = "format"
	memberProviders   = "providers"
	memberKeyID       = "key_id"
	memberAlgorithm   = "algorithm"
	memberPublicKey   = "public_key"
	memberFingerprint = "fingerprint"
	memberNotBefore   = "not_before"
	memberNotAfter    = "not_after"
	memberTier        = "tier"
)

var keyMembers = []string{
	memberKeyID, memberAlgorithm, memberPublicKey, memberFingerprint, memberNotBefore, memberNotAfter, memberTier,
}

// ParseStore reads a trust file. A file that breaks a rule is refused as a whole: the error wraps the first *[TrustFault] of
// those that [LintStore] returns.
func ParseStore(data []byte) (*Store, error) {
	s, faults := readStore(data)
	if len(faults) > 0 {
		return nil, fmt.Errorf("keys: trust file: %w", faults[0])
	}
	return s, nil
}

// LintStore returns every rule that a trust file breaks, in the order of the file; nil for a file that ParseStore reads. A file
// that is too large, no JSON or of another format has that one fault: nothing else of it can be judged.
func LintStore(data []byte) []*TrustFault {
	_, faults := readStore(data)
	return faults
}

func readStore(data []byte) (*Store, []*TrustFault) {
	r := &storeReader{data: data, store: &Store{held: make(map[string][]TrustedKey)}}
	r.read()
	slices.SortStableFunc(r.faults, func(a, b placedFault) int { return a.at - b.at })
	var faults []*TrustFault
	line, counted := 1, 0
	for _, f := range r.faults {
		line += bytes.Count(data[counted:f.at], []byte("\n"))
		counted = f.at
		if f.Rule != RuleTooLarge {
			f.Line = line
		}
		faults = append(faults, f.TrustFault)
	}
	if faults != nil {
		return nil, faults
	}
	return r.store, nil
}

// A storeReader reads one trust file and collects what is wrong with it.
type storeReader struct {
	data   []byte
	store  *Store
	faults []placedFault
}

type placedFault struct {
	*TrustFault
	at int // offset in the file
}

func (r *storeReader) fail(at int, place string, f *TrustFault) {
	f.Place = place
	r.faults = append(r.faults, placedFault{f, at})
}

func (r *storeReader) read() {
	if len(r.data) > MaxTrustFile {
		r.fail(0, "", fault(RuleTooLarge, "more than %d bytes", MaxTrustFile))
		return
	}
	if err := strictjson.Validate(r.data, strictjson.Limits{Bytes: MaxTrustFile, Members: MaxTrustFile}); err != nil {
		r.failJSON(err)
		return
	}
	file := jsontext.Value(r.data)
	if strictjson.Kind(file) != '{' {
		r.fail(0, "", fault(RuleWrongType, "the file is %s, want an object", strictjson.KindName(file)))
		return
	}
	if !r.checkFormat(file) {
		return
	}
	for m := range strictjson.Members(file) {
		switch m.Name {
		case memberFormat:
		case memberProviders:
			r.readProviders(m)
		default:
			r.fail(m.NameStart, "", fault(RuleUnknownMember, "%.128q, want %s or %s", m.Name, memberFormat, memberProviders))
		}
	}
}

// failJSON names a text that is not one JSON value read strictly.
func (r *storeReader) failJSON(err error) {
	at, rule := 0, RuleMalformedJSON
	var f *strictjson.Fault
	if errors.As(err, &f) {
		at = int(f.At)
	}
	switch {
	case errors.Is(err, strictjson.ErrDuplicateMember):
		rule = RuleDuplicateMember
	case errors.Is(err, strictjson.ErrInvalidUTF8):
		rule = RuleInvalidUTF8
	}
	r.fail(at, "", fault(rule, "%w", err))
}

// checkFormat reports whether the file is of the format that is read here, which is judged before anything else in it.
func (r *storeReader) checkFormat(file jsontext.Value) bool {
	at := 0
	found := "no format"
	for m := range strictjson.Members(file) {
		if m.Name != memberFormat {
			continue
		}
		text, ok := strictjson.String(m.Value)
		if text == FormatTrust {
			return true
		}
		at, found = m.Start, strictjson.KindName(m.Value)
		if ok {
			found = fmt.Sprintf("%.64q", text)
		}
	}
	r.fail(at, memberFormat, fault(RuleUnsupportedFormat, "%s, want %q", found, FormatTrust))
	return false
}

func (r *storeReader) readProviders(providers strictjson.Member) {
	if isAbsent(providers.Value) {
		return
	}
	if strictjson.Kind(providers.Value) != '{' {
		r.fail(providers.Start, memberProviders, fault(RuleWrongType, "%s, want an object", strictjson.KindName(providers.Value)))
		return
	}
	for m := range strictjson.Members(providers.Value) {
		place := fmt.Sprintf("%s[%.128q]", memberProviders, m.Name)
		if f := checkID(m.Name, RuleEmptyProviderID); f != nil {
			r.fail(providers.Start+m.NameStart, memberProviders, f)
		}
		if strictjson.Kind(m.Value) != '[' {
			r.fail(providers.Start+m.Start, place, fault(RuleWrongType, "%s, want an array", strictjson.KindName(m.Value)))
			continue
		}
		r.readKeys(m.Name, place, providers.Start+m.Start, m.Value)
	}
}

// readKeys reads the keys of one provider, an array that starts at base.
func (r *storeReader) readKeys(localID, place string, base int, array jsontext.Value) {
	var list []TrustedKey
	seen := make(map[string]int) // by key_id, the first element that has it
	n, pinned := 0, 0
	for e := range strictjson.Elements(array) {
		at := keyAt{r: r, place: fmt.Sprintf("%s[%d]", place, n), base: base + e.Start}
		n++
		if strictjson.Kind(e.Value) != '{' {
			r.fail(at.base, at.place, fault(RuleWrongType, "%s, want an object", strictjson.KindName(e.Value)))
			continue
		}
		k, idAt := at.read(e.Value)
		if first, again := seen[k.KeyID]; again && k.KeyID != "" {
			r.fail(idAt, at.place+"."+memberKeyID,
				fault(RuleDuplicateKeyID, "%.128q stands in %s[%d] already", k.KeyID, place, first))
		} else {
			seen[k.KeyID] = n - 1
		}
		if k.Tier == TierPinned {
			if pinned++; pinned == MaxPinned+1 {
				r.fail(at.base, at.place, fault(RuleTooManyPinned, "more than %d pinned keys of one provider", MaxPinned))
			}
		}
		list = append(list, k)
	}
	if len(list) > 0 {
		slices.SortFunc(list, func(a, b TrustedKey) int { return strings.Compare(a.KeyID, b.KeyID) })
		r.store.held[localID] = list
	}
}

// A keyAt is a key of the file and where it stands.
type keyAt struct {
	r     *storeReader
	place string
	base  int // offset of the object in the file
}

// fail names a fault of a member; without one, of the key itself.
func (k keyAt) fail(m *strictjson.Member, f *TrustFault) {
	at, place := k.base, k.place
	if m.Name != "" {
		at, place = k.base+m.Start, k.place+"."+m.Name
	}
	k.r.fail(at, place, f)
}

// read reads the members of one key. idAt is the offset of its key_id. Where something is wrong the key is not whole.
func (k keyAt) read(object jsontext.Value) (key TrustedKey, idAt int) {
	found := make(map[string]*strictjson.Member, len(keyMembers))
	for m := range strictjson.Members(object) {
		if !slices.Contains(keyMembers, m.Name) {
			k.r.fail(k.base+m.NameStart, k.place, fault(RuleUnknownMember, "%.128q, want one of %s", m.Name, strings.Join(keyMembers, ", ")))
			continue
		}
		found[m.Name] = &m
	}
	for _, name := range []string{memberKeyID, memberAlgorithm, memberPublicKey} {
		if m := found[name]; m == nil || isAbsent(m.Value) {
			k.fail(&strictjson.Member{}, fault(RuleMissingMember, "%s is missing", name))
		}
	}
	key.Tier = TierConfigured
	if m, text := k.text(found[memberKeyID]); m != nil {
		key.KeyID, idAt = text, k.base+m.Start
		if f := checkID(text, RuleEmptyKeyID); f != nil {
			k.fail(m, f)
		}
	}
	if m, text := k.text(found[memberTier]); m != nil {
		key.Tier = Tier(text)
		if f := checkTier(key.Tier); f != nil {
			k.fail(m, f)
		}
	}
	k.readWindow(found, &key.Window)
	k.readKey(found, &key.Key)
	return key, idAt
}

// text returns a member that is a string, and its text; no member where it is absent or of another type.
func (k keyAt) text(m *strictjson.Member) (*strictjson.Member, string) {
	if m == nil || isAbsent(m.Value) {
		return nil, ""
	}
	text, ok := strictjson.String(m.Value)
	if !ok {
		k.fail(m, fault(RuleWrongType, "%s, want a string", strictjson.KindName(m.Value)))
		return nil, ""
	}
	return m, text
}

func (k keyAt) readWindow(found map[string]*strictjson.Member, w *Window) {
	before, from := k.text(found[memberNotBefore])
	after, until := k.text(found[memberNotAfter])
	if before != nil {
		var f *TrustFault
		if w.NotBefore, f = parseEnd(from); f != nil {
			k.fail(before, f)
		}
	}
	if after != nil {
		var f *TrustFault
		if w.NotAfter, f = parseEnd(until); f != nil {
			k.fail(after, f)
		}
	}
	if f := checkWindow(*w); f != nil {
		k.fail(after, f)
	}
}

func (k keyAt) readKey(found map[string]*strictjson.Member, key *sign.PublicKey) {
	named, algorithm := k.text(found[memberAlgorithm])
	given, digits := k.text(found[memberPublicKey])
	told, fingerprint := k.text(found[memberFingerprint])
	key.Algorithm = algorithm
	if named != nil {
		if f := checkAlgorithm(algorithm); f != nil {
			k.fail(named, f) // what its keys look like is not known
			return
		}
	}
	if given == nil {
		return
	}
	raw, err := hex.DecodeString(digits)
	if err != nil || len(digits) != publicKeyDigits {
		k.fail(given, fault(RuleMalformedPublicKey, "%.80q, want %d hexadecimal digits", digits, publicKeyDigits))
		return
	}
	key.Bytes = string(raw)
	strict := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: key.Bytes}
	if err := checkStrict(strict); err != nil {
		k.fail(given, fault(RuleWeakPublicKey, "%w", err))
	}
	if want := Fingerprint(strict); told != nil && fingerprint != want {
		k.fail(told, fault(RuleFingerprintMismatch, "%.80q, the key beside it has %s", fingerprint, want))
	}
}
