package archive

import "contextgraphprotocol.org/cgp-attest/keys"

// What every rule of a trust file has in common.
const (
	lintTrust     = "cgp-attest trust lint TRUST"
	noTrustLoaded = "That another key in the file is bad: of a file that breaks a rule nothing is loaded, whatever else stands in it."
)

// trustRules is the table of the rules of trust files, in the order in which a file is judged.
var trustRules = trustTable([]trustRule{
	{keys.RuleTooLarge, "The file has more than 1 MiB.",
		"another file given in its place, such as an archive of answers", "Give the trust file.", ownRule},
	{keys.RuleInvalidUTF8, "The file, or an id on its way into one, holds bytes that are no UTF-8.",
		"a file that an editor saved as UTF-16 or Latin-1", "Save the file as UTF-8 without a byte order mark.", "RFC 3629"},
	{keys.RuleMalformedJSON, "The file is not one JSON value and nothing else.",
		"a comma too many or too few, or a file that is cut", "Repair the line that it names.", "RFC 8259"},
	{keys.RuleDuplicateMember, "An object has two members of one name, so readers would differ in which of them counts.",
		"two entries for one provider", "Put the keys of one provider into one list.", "RFC 8259 §4"},
	{keys.RuleUnsupportedFormat, "The member format is missing or is not contextgraph-trust/1; nothing else was judged.",
		"another file given in its place, such as a list of published keys",
		"Give the trust file. A published key is put into one with trust add or trust pin.", "CGP §6.5.4"},
	{keys.RuleUnknownMember, "An object has a member that the format does not have.",
		"a misspelt name: an end of a window under it would be passed over", "Correct the name, or leave the member out.", "CGP §6.5.4"},
	{keys.RuleMissingMember, "A key lacks key_id, algorithm or public_key.",
		"an entry that was written by hand", "Add the member, or make the entry with trust add.", "CGP §6.5.4"},
	{keys.RuleWrongType, "A value has another JSON type than the format has there.",
		"one key where a list of keys is wanted", "Give the type that it asks for.", "CGP §6.5.4"},
	{keys.RuleEmptyProviderID, "A provider's local id is the empty string.",
		"a template that was not filled in", "Name the provider as your host does.", "CGP §6.5.4"},
	{keys.RuleEmptyKeyID, "The key_id of a key is the empty string, and no evidence can name it.",
		"a template that was not filled in", "Give the key_id that the provider publishes.", "CGP §6.5.4"},
	{keys.RuleDuplicateKeyID, "One provider has two keys under one key_id.",
		"a new key under an old key_id", "Remove one of them. Rotation is a new key_id.", "CGP §6.5.4"},
	{keys.RuleUnsupportedAlgorithm, "The algorithm of a key is another than ed25519.",
		"another spelling, or a scheme that the format does not have", "Write ed25519, where the key is one.", "CGP §6.5.4, F8"},
	{keys.RuleMalformedPublicKey, "A public_key is not 64 hexadecimal digits.",
		"a key in base64, in PEM or as a line of OpenSSH", "Let trust add read the file that you have: it takes these forms.", "CGP §6.5.4"},
	{keys.RuleWeakPublicKey, "The public key is one that a strict verifier declines: under some of them one signature fits every message.",
		"a test key, or digits that were copied wrong", "Get the key from the provider again.", "CGP §6.5.4"},
	{keys.RuleFingerprintMismatch, "The fingerprint is not that of the key beside it.",
		"a key that was replaced, and its fingerprint not: by mistake, or by somebody else",
		"Ask the provider, by another way than the one that the key came by, which of the two is right.", "CGP §6.5.4"},
	{keys.RuleMalformedWindow, "An end of a window is no instant such as 2026-08-29T12:00:00Z.",
		"a date without a time, or with an offset in place of Z", "Write the instant in UTC.", "CGP F4"},
	{keys.RuleInvertedWindow, "A window ends before it begins, so the key would never be in service.",
		"not_before and not_after swapped", "Swap the two.", "CGP §6.5.4"},
	{keys.RuleUnknownTier, "The tier of a key is neither configured nor pinned.",
		"another spelling", "Leave the member out for a key that a person configured.", "CGP §6.5.4"},
	{keys.RuleTooManyPinned, "A provider has more than 16 pinned keys.",
		"a provider that makes a new key for every session", "Configure the ones that you checked, and remove the rest.", "CGP §6.5.4"},
})

type trustRule struct {
	rule                      keys.Rule
	found, cause, then, cites string
}

func trustTable(rules []trustRule) []Entry {
	entries := make([]Entry, 0, len(rules))
	for _, r := range rules {
		entries = append(entries, Entry{
			Code: string(r.rule), Proves: r.found, ProvesNot: noTrustLoaded, Causes: []string{r.cause}, Next: lintTrust, Then: r.then,
			Rule: r.cites,
		})
	}
	return entries
}

const listTrust = "cgp-attest trust list TRUST"

// pinOutcomes is the table of what pinning a key comes to.
var pinOutcomes = []Entry{
	{
		Code: string(keys.Pinned), Proves: "The key is held now, as the first that was seen under its key_id.",
		ProvesNot: "Whose key it is: nobody compared it with anything.", Next: listTrust,
		Then: "Compare the fingerprint with the provider's, and configure the key with trust add.", Rule: "CGP §6.5.4",
	},
	{
		Code: string(keys.AlreadyPinned), Proves: "The same key was pinned before, and nothing changed.",
		ProvesNot: "Whose key it is.", Next: listTrust, Then: "Nothing is to be done.", Rule: "CGP §6.5.4",
	},
	{
		Code: string(keys.AlreadyConfigured), Proves: "The same key was configured before, which is more than pinned, and nothing changed.",
		ProvesNot: "That the session came from the provider: a published key is public.", Next: listTrust, Then: "Nothing is to be done.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(keys.KeyChanged), Proves: "An alarm: another key is pinned under this key_id. Nothing was written.",
		ProvesNot: "Which of the two is the provider's.", Next: listTrust,
		Then: "Ask the provider, by another way than the session. Rotation is a new key_id, so an honest provider does not do this.",
		Rule: "CGP §6.5.4",
	},
	{
		Code: string(keys.ConflictsWithConfigured), Proves: "An alarm: another key is configured under this key_id. Nothing was written.",
		ProvesNot: "That the configured key is wrong: a person put it there, and the session did not.", Next: listTrust,
		Then: "Ask the provider, by another way than the session, and keep the configured key until then.", Rule: "CGP §6.5.4",
	},
	{
		Code: string(keys.Refused), Proves: "The key breaks a rule, or the session publishes two keys under its key_id. Nothing was written.",
		ProvesNot: "Anything about the keys that are held.", Next: listTrust,
		Then: "The message names the rule: explain that.", Rule: "CGP §6.5.4",
	},
}
