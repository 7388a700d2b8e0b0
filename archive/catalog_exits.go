package archive

import "strconv"

// exitCodes is the table of exit codes. In a run with several of them 1 comes before 4 before 3.
var exitCodes = []Entry{
	{
		Code: strconv.Itoa(ExitGood),
		Proves: "verify: everything selected met the policy, and at least one frame was checked. Other commands: " +
			"what was asked is done.",
		ProvesNot: "What the policy does not demand: with the level constructed, who signed is not established. Nor " +
			"that the archive is complete, nor anything else that no signature covers.",
		Causes: []string{"the evidence has the tier that was demanded, and the content matches"},
		Next:   "cgp-attest verify --format json FILE",
		Then:   "summary.exit_code is what the run came to, policy what was demanded.",
		Rule:   ownRule,
	},
	{
		Code: strconv.Itoa(ExitNegative),
		Proves: "verify, check: something is wrong: a negative state or verdict, or an error finding. sign, key " +
			"publish, trust add, trust pin: refused, or an alarm, and nothing is written. trust lint: a file breaks a " +
			"rule. trust diff: the files differ. trust list --expires-within: a key is about to end.",
		ProvesNot: "Who did it.",
		Causes: []string{
			"a frame, its content or its evidence was changed",
			"sign: a frame without a digest, or another rule that the message names",
			"trust: another key is held under the key_id, or the fingerprint is not the one that was demanded",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "Explain the state, the verdict and the findings. After a refusal the message says what to do.",
		Rule: "CGP §6.5.4, F14",
	},
	{
		Code:      strconv.Itoa(ExitUsage),
		Proves:    "The command line, the policy, a key file or a trust file is wrong. Nothing was judged.",
		ProvesNot: "Anything about the input.",
		Causes: []string{
			"an unknown flag or command, or a group without its subcommand",
			"a key that a strict verifier declines, or two trusted keys under one local id and key_id",
			"a trust file that breaks a rule: cgp-attest trust lint TRUST names each",
		},
		Next: "cgp-attest help COMMAND",
		Then: "The message on standard error says what was expected, what was found and what to do.",
		Rule: ownRule,
	},
	{
		Code: strconv.Itoa(ExitUnchecked),
		Proves: "Nothing is negative, and something is not proven as the policy demands, or nothing was there to " +
			"check. check: the verdict is unknown_algorithm or valid_identity_only.",
		ProvesNot: "That the input was tampered with, or that it was not.",
		Causes: []string{
			"no key of the provider was given",
			"an answer without evidence, a frame without a digest or without content",
			"an empty input, or one without answers, or no frame that was selected",
		},
		Next: "cgp-attest verify --public-key LOCAL_ID:KEY_ID=HEX FILE",
		Then: "summary.exit_reason says what is unproven. Give the provider's key as you have it from the provider.",
		Rule: "CGP F8, F9",
	},
	{
		Code: strconv.Itoa(ExitUnreadable),
		Proves: "An input or a record could not be read, or a frame is malformed; nothing that could be read is " +
			"negative.",
		ProvesNot: "Anything about what could not be read.",
		Causes: []string{
			"a missing file, or a record that is cut or no JSON",
			"a record over a limit",
		},
		Next: "cgp-attest verify --format json FILE",
		Then: "errors names source, record, offset and code; explain the code.",
		Rule: "CGP F9; RFC 8259",
	},
	{
		Code:      strconv.Itoa(ExitInternal),
		Proves:    "The program met a fault of its own, or could not write its output.",
		ProvesNot: "Anything about the input. What was written may not be whole.",
		Causes: []string{
			"a full disk, or a pipe that was closed",
			"a defect in cgp-attest",
		},
		Next: "cgp-attest version",
		Then: "The message on standard error says which. Report a defect with that message and what this prints.",
		Rule: ownRule,
	},
	{
		Code: strconv.Itoa(ExitInterrupted),
		Proves: "The run was interrupted. Its report is whole in form and partial in content: summary.finished is " +
			"false.",
		ProvesNot: "Anything about what was not reached, even where all that was reached is good.",
		Causes:    []string{"Ctrl-C, or a signal from whoever started the program"},
		Next:      "cgp-attest verify FILE",
		Then:      "Run again to the end.",
		Rule:      ownRule,
	},
}
