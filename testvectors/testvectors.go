// Package testvectors holds cases that find bugs in implementations of Context Graph Protocol attestation (CGP §6.3, §6.5), in the
// format cgp-attest-vectors/1: data that a port in any language reads with JSON, hex, SHA-256 and Ed25519.
//
// [Released] returns the cases that are embedded here. [Check] recomputes everything in a folder of them, [Answer] is what this
// library answers to one case, [Generate] makes the cases anew.
//
// # Security
//
// An implementation that passes every case makes none of the mistakes that the cases were made for. It is not thereby correct,
// nor are its limits, its memory or its handling of keys tested. The private keys of the cases are seeds that anyone can
// write down: a verifier that trusts one of them trusts everybody.
package testvectors

//go:generate go run ../cmd/cgp-attest vectors generate -o v1
