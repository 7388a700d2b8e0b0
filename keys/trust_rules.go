package keys

import (
	"errors"
	"fmt"
	"strings"
)

// Rule names a rule that a trust file, or a key on its way into a store, breaks. The set is closed.
type Rule string

const (
	RuleTooLarge             Rule = "too_large"             // more than MaxTrustFile bytes
	RuleInvalidUTF8          Rule = "invalid_utf8"          // bytes, or an id, that are no UTF-8
	RuleMalformedJSON        Rule = "malformed_json"        // not one JSON value and nothing else, as strictly as evidence is read
	RuleDuplicateMember      Rule = "duplicate_member"      // two members of one name in an object, so two providers of one id too
	RuleUnsupportedFormat    Rule = "unsupported_format"    // format missing or another one: judged first, the rest then not at all
	RuleUnknownMember        Rule = "unknown_member"        // a member that the format does not have
	RuleMissingMember        Rule = "missing_member"        // key_id, algorithm or public_key missing or null
	RuleWrongType            Rule = "wrong_type"            // a value of another JSON type than the format has there
	RuleEmptyProviderID      Rule = "empty_provider_id"     // a provider without a name
	RuleEmptyKeyID           Rule = "empty_key_id"          // a key without a name
	RuleDuplicateKeyID       Rule = "duplicate_key_id"      // the same key_id twice for one provider
	RuleUnsupportedAlgorithm Rule = "unsupported_algorithm" // any but ed25519
	RuleMalformedPublicKey   Rule = "malformed_public_key"  // not 64 hexadecimal digits
	RuleWeakPublicKey        Rule = "weak_public_key"       // a key that a strict verifier declines: package sign has the rule
	RuleFingerprintMismatch  Rule = "fingerprint_mismatch"  // not the fingerprint of the key beside it
	RuleMalformedWindow      Rule = "malformed_window"      // not_before or not_after is no instant (CGP F4)
	RuleInvertedWindow       Rule = "inverted_window"       // not_after is earlier than not_before
	RuleUnknownTier          Rule = "unknown_tier"          // neither configured nor pinned
	RuleTooManyPinned        Rule = "too_many_pinned"       // more than MaxPinned pinned keys of one provider
)

// TrustRules returns every rule, in the order in which a file is judged.
func TrustRules() []Rule {
	return []Rule{
		RuleTooLarge, RuleInvalidUTF8, RuleMalformedJSON, RuleDuplicateMember, RuleUnsupportedFormat, RuleUnknownMember,
		RuleMissingMember, RuleWrongType, RuleEmptyProviderID, RuleEmptyKeyID, RuleDuplicateKeyID, RuleUnsupportedAlgorithm,
		RuleMalformedPublicKey, RuleWeakPublicKey, RuleFingerprintMismatch, RuleMalformedWindow, RuleInvertedWindow,
		RuleUnknownTier, RuleTooManyPinned,
	}
}

// A TrustFault says which rule is broken, and where.
type TrustFault struct {
	Rule   Rule
	Line   int    // of the file, from 1; 0 where there is no file
	Place  string // as in providers["docs"][0].key_id; "" for the file as a whole, or where there is no file
	Detail string // what was found and what is wanted, untrusted text quoted and cut
	Err    error  // why a key is weak, an instant malformed or a text no JSON; else nil
}

// Error names the line, the place, the rule and what was found.
func (f *TrustFault) Error() string {
	var b strings.Builder
	if f.Line > 0 {
		fmt.Fprintf(&b, "line %d, ", f.Line)
	}
	if f.Place != "" {
		b.WriteString(f.Place + ": ")
	}
	fmt.Fprintf(&b, "%s: %s", f.Rule, f.Detail)
	return b.String()
}

// Unwrap returns the reason.
func (f *TrustFault) Unwrap() error { return f.Err }

// fault makes a fault that has no place yet. An error among the arguments, under %w, is its reason.
func fault(rule Rule, format string, args ...any) *TrustFault {
	err := fmt.Errorf(format, args...)
	return &TrustFault{Rule: rule, Detail: err.Error(), Err: errors.Unwrap(err)}
}
