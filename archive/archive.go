// Package archive reads saved answers of Context Graph Protocol providers, signs them, and says of every frame what its evidence
// proves (CGP §6.3 to §6.5). It owns the states, findings and exit codes of the report.
//
// Most callers need two things: [Verifier.VerifyReader] judges an input, [Sign] signs the answers of one. [Verifier.Verify] is
// the first for inputs of any size, [List] and [Inspect] show what an input holds without judging it, [Catalog] and [Explain] say
// what each code means.
//
// # Where to start
//
// Judging answers:
//
//   - [Verifier.VerifyReader]: a [Report] on one input, in memory; [Verifier.Verify]: inputs of any size, into a [Sink]
//   - [Keyring]: whose keys count, and what for
//   - [CheckAttestation], [CheckProof]: one piece of evidence by itself, for a [FrameSubject]
//
// Making evidence:
//
//   - [Sign]: sign the answers of an input with a key at hand
//   - [Prepare], [ParseRequest], [SignRequest], [Attach]: the same where the key is elsewhere; [ParseSignature] for other tools
//   - [PublishKey]: say in a handshake_ack with which key
//
// Keeping answers:
//
//   - [Writer]: store messages as they arrive
//   - [Retain], [RetainAll]: keep a few frames of signed answers and what proves them (CGP F13)
//   - [Prove]: the inclusion proofs alone
//
// Looking, without judging:
//
//   - [Inspect], [List], [Survey]: what an input holds, what its provider would sign, what its records are
//   - [Explain], [Catalog]: what a code means
//   - [Decompress]: the bytes of an input
//
// # Errors and concurrency
//
// Wrong evidence is no error but a [State], a [Class] and a [Finding] in a report. An error says that a question could not be
// asked: each function names those that it returns. A record that cannot be read is a [*RecordError], what may not be signed
// a [*Refusal], an answer of which no frame may be kept or proven a [*RetainRefusal]. Others wrap a variable below or one of package
// sign, or are those of the reader, Sink or crypto.Signer that was given.
//
// A [Verifier] and a [Keyring] may be used by several goroutines at once while nobody changes them. Functions keep no state
// between calls. A [Writer] belongs to one goroutine.
//
// # Security
//
// A frame of class [ClassGood] was signed, as it stands in the input, with a key that a person put into the [Keyring], and its
// content is what its digest says, unless the [Policy] waives that. Keys found in the input are tried, but a Policy that nobody
// set to [RequireConstructed] calls nothing good under them: whoever can rewrite the input can rewrite the keys in it.
//
// Nothing here proves that the provider is honest, that the content is true, that an input is complete, that an answer belongs to
// a question, or when it was signed. [NotCovered] lists what no signature covers.
//
// What cannot be checked is never good: unreadable records are errors, unusable evidence is unchecked, and every zero value of a
// class, state or verdict is none of the good ones. The package reads no clock, no environment and no network.
package archive
