package main

import (
	"strings"

	"contextgraphprotocol.org/cgp-attest/keys/keyref"
)

// A variable is an environment variable, or several that are read for one purpose, and what it does.
type variable struct {
	names []string
	does  string
}

// variables returns every environment variable that the program reads.
func variables() []variable {
	return []variable{
		{[]string{passphraseVariable}, "The passphrase of the private key. It is removed from the environment before anything else is started. " +
			"--passphrase-file and --passphrase-fd come before it."},
		{[]string{"NAME"}, "Of --key env:NAME: the private key, the same text as in a file. It is removed from the environment once it was read. " +
			"An empty one is an error: a CI system gives an empty secret to runs that may not read it."},
		{[]string{"SOURCE_DATE_EPOCH"}, "Seconds since 1970: the issued_at that sign and prepare write where --issued-at does not say it. " +
			"The same input then gives the same bytes."},
		{[]string{"SSH_AUTH_SOCK"}, "The socket of the ssh-agent that --key agent:KEY asks."},
		{[]string{"NO_COLOR"}, "Where it is not empty, nothing is coloured, unless --color always says so."},
		{[]string{"TERM"}, "Where it is dumb, nothing is coloured, unless --color always says so."},
		{[]string{"TMPDIR", "TMP", "TEMP"}, "The folder for what does not fit into memory (TMPDIR; on Windows TMP, then TEMP)."},
		{[]string{"CGP_ATTEST_ACTIVE_HELP", "COBRA_ACTIVE_HELP", "CGP_ATTEST_COMPLETION_DESCRIPTIONS", "COBRA_COMPLETION_DESCRIPTIONS"},
			"Where one is 0, completion says less: no help beside the words, no descriptions."},
		{[]string{"BASH_COMP_DEBUG_FILE"}, "A file that completion appends to what it was asked and what it answered."},
		{append(keyref.SignerEnvironment(), keyref.SignerPrefix+"*", "LC_*"), "What the program of --key exec:PATH inherits, and nothing else: " +
			"the variables beginning with " + keyref.SignerPrefix + " are for its settings."},
	}
}

// title is the heading of a variable's entry.
func (v *variable) title() string { return strings.Join(v.names, ", ") }
