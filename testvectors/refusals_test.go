package testvectors

import (
	"slices"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// Every rule by which signing and keeping are refused has a case in which nothing else is wrong.
func TestRefusalsAreAsked(t *testing.T) {
	asked := make(map[string]map[string]bool) // by op
	for _, c := range released(t) {
		if c.Expect.Error == "" {
			continue
		}
		if asked[c.Op] == nil {
			asked[c.Op] = make(map[string]bool)
		}
		asked[c.Op][c.Expect.Error] = true
	}
	for _, rule := range archive.Rules() {
		if rule != archive.RuleOverLimit && !asked["sign"][string(rule)] { // a limit is no protocol's: its case would be larger than all others
			t.Errorf("no case of sign is refused by the rule %s", rule)
		}
	}
	for _, rule := range archive.RetainRules() {
		name := string(rule)
		if rule == archive.RetainUnsigned {
			name = errorUnsigned
		}
		if rule != archive.RetainOverLimit && !asked["retain"][name] {
			t.Errorf("no case of retain is refused by the rule %s", rule)
		}
	}
	for _, r := range refusals {
		if !slices.ContainsFunc(Ops(), func(op string) bool { return asked[op][r.name] }) {
			t.Errorf("no case is refused by %s", r.name)
		}
	}
}
