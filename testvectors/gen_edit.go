package testvectors

import (
	"crypto/ed25519"
	"fmt"
	"strings"

	"contextgraphprotocol.org/cgp-attest/keys"
)

// editOf is a change of a trust file that gives a key.
func editOf(change, localID, keyID string, k ed25519.PrivateKey, more ...any) Object {
	o := object("change", change, "local_id", localID, "key_id", keyID, "algorithm", "ed25519", "public_key", publicHex(k))
	return append(o, object(more...)...)
}

func generateEdits(c *class) {
	c.rules, c.flags = []string{"§6.5.4"}, []string{"TrustEdit"}
	const (
		whyHeld = "A key that is held is never replaced, and adding it again never brings it back into service: rotation is a new key_id."
		whyRule = "What a reader would refuse is not written."
		from    = "2026-08-01T00:00:00Z"
		until   = "2027-07-31T23:59:59Z"
	)
	window := trustedEntry("docs-2026-08", seeded(1), "not_before", from, "not_after", until)
	file := trustFile(object("code", List{trustedEntry("pin", seeded(2), "tier", pinned)}, "docs", List{window}))
	edit := func(changes ...any) Object { return object("file", file, "changes", List(changes)) }
	pass := func(slug, title string, changes ...any) {
		c.pass("edit-"+slug, title, whyHeld, "trust_edit", edit(changes...))
	}
	pass("none", "no change")
	pass("add", "a key under a new key_id", editOf("add", "docs", "docs-2027-08", seeded(3), "not_before", until))
	pass("add-provider", "a key of another provider", editOf("add", "books", "b", seeded(3)))
	pass("add-again", "the same key again, without a window", editOf("add", "docs", "docs-2026-08", seeded(1)))
	pass("add-end", "the same key again, with another end", editOf("add", "docs", "docs-2026-08", seeded(1), "not_after", from))
	pass("add-begin", "the same key again, with another beginning", editOf("add", "docs", "docs-2026-08", seeded(1), "not_before", until))
	pass("add-same-instant", "the same key again, with its end in another spelling", editOf("add", "docs", "docs-2026-08", seeded(1), "not_after", "2027-07-31T23:59:59.0Z"))
	pass("add-pinned", "a pinned key that a person vouches for now", editOf("add", "code", "pin", seeded(2)))
	pass("pin", "a key that is pinned", editOf("pin", "docs", "seen", seeded(3)))
	pass("pin-again", "a pinned key that is pinned again", editOf("pin", "code", "pin", seeded(2)))
	pass("pin-configured", "a configured key that is pinned", editOf("pin", "docs", "docs-2026-08", seeded(1)))
	pass("pin-changed", "other bytes under a pinned key_id", editOf("pin", "code", "pin", seeded(3)))
	pass("pin-conflict", "other bytes under a configured key_id", editOf("pin", "docs", "docs-2026-08", seeded(3)))
	remove := func(localID, keyID string) Object {
		return object("change", "remove", "local_id", localID, "key_id", keyID)
	}
	pass("remove", "a key that goes", remove("docs", "docs-2026-08"))
	pass("remove-other", "a key that is not held", remove("docs", "pin"))
	pass("several", "a key that goes, and another that comes", remove("code", "pin"), editOf("pin", "code", "new", seeded(4)), editOf("add", "code", "new", seeded(4)))
	c.pass("edit-new", "the first key of a file that is not there", "A file that is not there is an empty one.", "trust_edit",
		object("changes", List{editOf("add", "docs", "docs-2026-08", seeded(1), "not_after", until)}))
	c.pass("edit-text", "names with characters that need an escape", "Names stay as they are.", "trust_edit",
		object("changes", List{editOf("add", "\"\\/\b\u2028é\U0001f600", "\x01<&>", seeded(1))}))

	refused := func(base, slug, title, rule string, m Mutation) {
		c.twist("edit-"+base, "edit-"+slug, title, whyRule, m, fails(rule))
	}
	change := "/changes/0/"
	refused("add-again", "held", "other bytes under a key_id that is held", keyHeld, replace(change+"public_key", publicHex(seeded(3))))
	refused("add", "no-provider", "a provider without a name", "empty_provider_id", replace(change+"local_id", ""))
	refused("add", "no-key-id", "a key without a name", "empty_key_id", replace(change+"key_id", ""))
	refused("add", "algorithm", "another algorithm", "unsupported_algorithm", replace(change+"algorithm", "ml-dsa-44"))
	refused("add", "short", "a key of 31 bytes", "malformed_public_key", replace(change+"public_key", publicHex(seeded(3))[2:]))
	refused("add", "small", "a key of small order", "weak_public_key", replace(change+"public_key", "01"+strings.Repeat("0", 62)))
	refused("add", "window", "a window that is malformed", malformedWindow, replace(change+"not_before", "2027-08-01"))
	refused("add", "inverted", "a window that ends before it begins", "inverted_window", added(change+"not_after", from))
	refused("add-end", "inverted-held", "an end in front of the beginning that is held", "inverted_window", replace(change+"not_after", "2026-07-31T23:59:59Z"))
	refused("pin", "pin-no-provider", "a provider without a name, pinned", "empty_provider_id", replace(change+"local_id", ""))
	refused("pin", "pin-no-key-id", "a key without a name, pinned", "empty_key_id", replace(change+"key_id", ""))
	refused("pin", "pin-algorithm", "another algorithm, pinned", "unsupported_algorithm", replace(change+"algorithm", "ml-dsa-44"))
	refused("pin", "pin-small", "a key of small order, pinned", "weak_public_key", replace(change+"public_key", "01"+strings.Repeat("0", 62)))
	pass("remove-new", "a key that was never there", remove("docs", "new"))
	behind := func(slug, title, rule string, first Object) {
		c.twist("edit-remove-new", "edit-"+slug, title+", and goes again", "A change is refused when it is made, and not when the file is written.",
			added("/changes/0", first), fails(rule))
	}
	behind("weak-and-removed", "a key of small order that comes", "weak_public_key", editOf("add", "docs", "new", seeded(3)).with("public_key", "01"+strings.Repeat("0", 62)))
	behind("inverted-and-removed", "a key with an inverted window that comes", "inverted_window", editOf("add", "docs", "new", seeded(3), "not_before", until, "not_after", from))
	c.twist("edit-none", "edit-broken", "a file that breaks a rule", "Of a file that breaks a rule nothing is loaded, and nothing is written over it.",
		c.fileEdit("edit-none", `"tier":"pinned"`, `"tier":"first"`), fails("unknown_tier"))

	pins := List{}
	for i := range keys.MaxPinned - 1 {
		pins = append(pins, trustedEntry(fmt.Sprintf("k%02d", i), seeded(byte(0x20+i)), "tier", pinned))
	}
	full := object("docs", append(pins, trustedEntry("z", seeded(0x50))))
	c.pass("edit-pin-sixteenth", "a sixteenth pinned key", "At most sixteen keys of one provider are pinned.", "trust_edit",
		object("file", trustFile(full), "changes", List{editOf("pin", "docs", "new", seeded(3))}), flagged("Limit"))
	c.twist("edit-pin-sixteenth", "edit-pin-seventeenth", "a seventeenth pinned key", "At most sixteen keys of one provider are pinned.",
		added("/changes/1", editOf("pin", "docs", "more", seeded(4))), fails("too_many_pinned"), flagged("Limit"))
	c.pass("edit-pin-removed", "a sixteenth pinned key, and one that goes", "At most sixteen keys of one provider are pinned.", "trust_edit",
		object("file", trustFile(full), "changes", List{editOf("pin", "docs", "new", seeded(3)), remove("docs", "k00")}), flagged("Limit"))
	c.twist("edit-pin-removed", "edit-pin-too-early", "a seventeenth pinned key before one goes", "A change is refused when it is made, and not when the file is written.",
		added("/changes/1", editOf("pin", "docs", "more", seeded(4))), fails("too_many_pinned"), flagged("Limit"))
	c.twist("edit-pin-sixteenth", "edit-pin-other", "a seventeenth key that is configured", "The limit is on pinned keys.",
		added("/changes/1", editOf("add", "docs", "more", seeded(4))), flagged("Limit"))
	c.twist("edit-add", "edit-too-large", "a name that leaves no room in the file", "1 MiB is what a file holds, and what would not load is not written.",
		replace(change+"local_id", repeated("a", keys.MaxTrustFile)), fails(tooLarge), flagged("Limit"))
}
