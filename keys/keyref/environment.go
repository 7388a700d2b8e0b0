package keyref

import (
	"runtime"
	"slices"
	"strings"
)

// SignerPrefix begins the names of the variables that are for an external signer. All of them are handed on.
const SignerPrefix = "CGP_SIGNER_"

// SignerEnvironment returns the names of the variables that an external signer inherits beside those that begin with
// [SignerPrefix] and those that begin with LC_, sorted. None of them holds a secret by its meaning; what does is to be handed on
// by a name of its own.
func SignerEnvironment() []string {
	return []string{
		"APPDATA", "COMSPEC", "HOME", "LANG", "LOCALAPPDATA", "LOGNAME", "PATH", "PATHEXT", "PROGRAMDATA", "SSH_AUTH_SOCK", "SYSTEMROOT",
		"TEMP", "TERM", "TMP", "TMPDIR", "TZ", "USER", "USERPROFILE", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
	}
}

// signerEnvironment returns what of an environment, in the form of os.Environ, an external signer inherits.
func signerEnvironment(all []string) []string {
	listed := SignerEnvironment()
	out := []string{} // not nil: that would stand for all
	for _, entry := range all {
		name, _, _ := strings.Cut(entry, "=")
		if runtime.GOOS == "windows" { // where names have no case
			name = strings.ToUpper(name)
		}
		if slices.Contains(listed, name) || strings.HasPrefix(name, SignerPrefix) || strings.HasPrefix(name, "LC_") {
			out = append(out, entry)
		}
	}
	return out
}
