// Package archive reads saved answers of Context Graph Protocol providers, signs them, and says of every frame what its evidence
// proves (CGP §6.3 to §6.5). It owns the states, findings and exit codes of the report.
//
// Most callers need two things: [Verifier.VerifyReader] judges an input, [Sign] signs the answers of one. [Verifier.Verify] is
// the first for inputs of any size, [List] and [Inspect] show what an input holds without judging it, [Catalog] and [Explain] say
// what each code means.
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
