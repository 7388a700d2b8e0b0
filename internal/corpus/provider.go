package corpus

import (
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A key signs, and is known under an id.
type key struct {
	id      string
	private ed25519.PrivateKey
}

// newKey derives a key from its name: trust files and archives of every seed have the same.
func newKey(id, name string) *key {
	seed := sha256.Sum256([]byte("corpus key " + name))
	return &key{id: id, private: ed25519.NewKeyFromSeed(seed[:])}
}

func (k *key) publicHex() string { return hex.EncodeToString(k.private.Public().(ed25519.PublicKey)) }

// published is the key as an element of attester_keys.
func (k *key) published() object {
	return object{{"key_id", k.id}, {"algorithm", "ed25519"}, {"public_key", k.publicHex()}}
}

// A provider is one that declares itself.
type provider struct {
	name      string
	keys      []*key // it signs with any of them
	publishes array  // its attester_keys; nil for none
	state     string // of evidence that verifies, for the record as answer writes it
	localID   string // the local id that its records need, "" for none
	window    bool   // its key is trusted for 2026 alone
}

// publishing makes a provider that publishes the keys that it signs with.
func publishing(name, state string, keys ...*key) *provider {
	p := &provider{name: name, keys: keys, state: state}
	for _, k := range keys {
		p.publishes = append(p.publishes, k.published())
	}
	return p
}

func poolKey(id string) *key { return newKey(id, id) }

// The providers that sessions are of. The keys of the trust file are theirs; mail publishes one that nobody trusts, plain none.
var (
	docs    = publishing("docs", stateAttested, poolKey("docs-2026"))
	guides  = publishing("guides", stateAttested, poolKey("guides-2026"), poolKey("guides-2027"))
	api     = publishing("api \"β\"", stateAttested, poolKey("api:2026"))
	wiki    = publishing("wiki", statePinned, poolKey("wiki-2026"))
	tickets = &provider{
		name: "tickets", keys: []*key{poolKey("tickets-2026")}, state: stateAttested, window: true,
		publishes: array{poolKey("tickets-2026").published()},
	}
	notes = &provider{
		name: "notes", keys: []*key{poolKey("notes-2026")}, state: stateAttested, localID: "our-notes",
		publishes: array{poolKey("notes-2026").published()},
	}
	mail  = publishing("mail", stateConstructed, poolKey("mail-2026"))
	plain = &provider{name: "plain"}

	// rekeyed signs with the trusted key and publishes other bytes under its id.
	rekeyed = &provider{
		name: "rekeyed", keys: []*key{poolKey("rekeyed-2026")}, state: stateAttested,
		publishes: array{newKey("rekeyed-2026", "another").published()},
	}

	// The others are those of which everything honest meets the policy.
	pool = []*provider{docs, guides, api, tickets, notes}
)

// Trust returns the trust file for every corpus.
func Trust() []byte {
	held := func(p *provider) array {
		var keys array
		for _, k := range p.keys {
			public := k.private.Public().(ed25519.PublicKey)
			o := object{
				{"key_id", k.id}, {"algorithm", "ed25519"}, {"public_key", k.publicHex()},
				{"fingerprint", fmt.Sprintf("sha256:%x", sha256.Sum256(public))},
			}
			if p.window {
				o = append(o, member{"not_before", "2026-01-01T00:00:00Z"}, member{"not_after", "2026-12-31T23:59:59Z"})
			}
			if p.state == statePinned {
				o = append(o, member{"tier", "pinned"})
			}
			keys = append(keys, o)
		}
		return keys
	}
	providers := object{}
	for _, p := range []*provider{api, docs, guides, rekeyed, tickets, wiki} {
		providers = append(providers, member{p.name, held(p)})
	}
	providers = append(providers, member{notes.localID, held(notes)})
	return []byte(style{newline: "\n"}.encode(object{{"format", "contextgraph-trust/1"}, {"providers", providers}}) + "\n")
}

// acknowledge writes the handshake_ack of a provider on a line.
func (g *generator) acknowledge(p *provider) { g.acknowledgeWith(p.name, p.publishes) }

func (g *generator) acknowledgeWith(name string, keys array) {
	ack := object{
		{"type", "handshake_ack"}, {"protocol_version", "contextgraph/1.0"},
		{"provider", object{{"name", name}, {"version", "1.0"}}},
	}
	if keys != nil {
		ack = append(ack, member{"attester_keys", keys})
	}
	g.place(false, "")
	g.put(g.encode(ack))
	g.endLine()
	g.newest = name
}

// comeForward makes a provider the one that declared itself last: it is whose an answer is that names nobody.
func (g *generator) comeForward(p *provider) {
	if g.newest != p.name {
		g.acknowledge(p)
	}
}
