// Package testvectors holds cases that find bugs in implementations of Context Graph Protocol attestation (CGP §6.3, §6.5), in the
// format cgp-attest-vectors/1: data that a port in any language reads with JSON, hex, SHA-256 and Ed25519.
//
// [Released] returns the cases that are embedded here. [Check] recomputes everything in a folder of them, [Answer] is what this
// library answers to one case, [Generate] makes the cases anew.
//
// # Where to start
//
//   - [Released], [Load], [Select]: cases, embedded ones or a folder's, all or some
//   - [Run]: ask an implementation every case, over lines of JSON; [Serve] is the answering side
//   - [Check]: recompute everything in a folder of cases
//   - [Export]: write the embedded cases to where another language reads them
//
// An answer that is wrong is no error but a [RunCase], a fault in a folder no error but an entry of [Checked]. Errors wrap [ErrFormat],
// [ErrOracle] or [ErrStart], or come from reading; a word or an id that names no case is one too. The functions may be called
// concurrently; a [Process] belongs to one goroutine.
//
// # Security
//
// An implementation that passes every case makes none of the mistakes that the cases were made for. It is not thereby correct,
// nor are its limits, its memory or its handling of keys tested. The private keys of the cases are seeds that anyone can
// write down: a verifier that trusts one of them trusts everybody.
package testvectors

//go:generate go run ../cmd/cgp-attest vectors generate -o v1
