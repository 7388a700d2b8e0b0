package main

import (
	"bufio"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// fixturePassphrase protects keys of the scripts.
const fixturePassphrase = "correct horse battery"

// externalSigner is an external signer with the fixture's key, which does what CGP_SIGNER_MODE says.
func externalSigner() {
	mode := os.Getenv("CGP_SIGNER_MODE")
	seed, err := hex.DecodeString(fixtureSeed)
	if err != nil {
		panic(err)
	}
	key := ed25519.NewKeyFromSeed(seed)
	public := hex.EncodeToString(key.Public().(ed25519.PublicKey))
	switch mode {
	case "other key": // a good one, for which it has no private key
		public = rfc8032Public
	case "weak key":
		public = "01" + strings.Repeat("00", 31)
	case "garbage":
		fmt.Println("Using slot 0 with the seed " + fixtureSeed)
	case "environment":
		fmt.Fprintf(os.Stderr, "arguments %q\nenvironment %q\n", os.Args[1:], os.Environ())
	case "exit at once":
		fmt.Fprint(os.Stderr, "no \x1b[31mtoken\n\nno PIN")
		os.Exit(3)
	}
	for in := bufio.NewScanner(os.Stdin); in.Scan(); {
		var request struct{ Op, Message string }
		if err := json.Unmarshal(in.Bytes(), &request); err != nil {
			panic(err)
		}
		answerRequest(mode, request.Op, request.Message, public, key)
	}
	if mode == "exit at the end" {
		os.Exit(3)
	}
}

func answerRequest(mode, op, message, public string, key ed25519.PrivateKey) {
	if op == "public_key" {
		fmt.Printf("{\"algorithm\":\"ed25519\",\"public_key\":%q}\n", public)
		return
	}
	raw, err := hex.DecodeString(message)
	if err != nil {
		panic(err)
	}
	switch mode {
	case "exit":
		os.Exit(3)
	case "end":
		os.Exit(0)
	case "refuse":
		fmt.Println(`{"error":"the token is \u001b[31mlocked"}`)
		return
	case "hex text": // signs the digits and not the bytes
		raw = []byte(message)
	case "hang":
		fmt.Fprintf(os.Stderr, "pid %d\n", os.Getpid())
		time.Sleep(time.Hour)
	case "wait": // for the end of the requests
		fmt.Fprintf(os.Stderr, "pid %d\n", os.Getpid())
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}
	fmt.Printf("{\"signature\":\"%x\"}\n", ed25519.Sign(key, raw))
}

// The public key of RFC 8032 §7.1, TEST 1.
const rfc8032Public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"

// setKeys tells a script where the programs of other keys are.
func setKeys(e *testscript.Env, root string) error {
	signer, err := exec.LookPath("signer")
	if err != nil {
		return err
	}
	e.Setenv("SIGNER", signer)
	e.Setenv("SIGNERS", filepath.Join(root, "docs", "signers"))
	e.Setenv("PASSPHRASE", fixturePassphrase)
	e.Setenv("SSH_AUTH_SOCK", "")
	if module, err := softHSM(); err == nil {
		e.Setenv("CGP_SIGNER_MODULE", module)
	}
	return nil
}

// softHSM returns the path of the library of SoftHSM2.
func softHSM() (string, error) {
	known := []string{
		"/usr/lib/softhsm/libsofthsm2.so", "/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so", "/usr/lib/aarch64-linux-gnu/softhsm/libsofthsm2.so",
		"/usr/lib64/softhsm/libsofthsm2.so", "/usr/local/lib/softhsm/libsofthsm2.so", "/opt/homebrew/lib/softhsm/libsofthsm2.so",
	}
	for _, path := range known {
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("libsofthsm2.so is at none of %q", known)
}

// scriptAgent starts an ssh-agent without keys, which ends with the script.
func scriptAgent(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) > 0 {
		ts.Fatalf("usage: agent")
	}
	// The folder of a script is too long a path for a socket on some systems.
	dir, err := os.MkdirTemp("", "agent")
	ts.Check(err)
	socket := filepath.Join(dir, "s")
	agent := exec.Command("ssh-agent", "-D", "-a", socket)
	ts.Check(agent.Start())
	ts.Defer(func() {
		agent.Process.Kill()
		agent.Wait()
		os.RemoveAll(dir)
	})
	for range 200 {
		if _, err := os.Stat(socket); err == nil {
			ts.Setenv("SSH_AUTH_SOCK", socket)
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	ts.Fatalf("ssh-agent makes no socket")
}

// checkSecrets fails where a command that has failed shows a secret: the fixture's, or one of the files that $SECRETS lists.
func checkSecrets(ts *testscript.TestScript) {
	secrets := []string{
		fixturePassphrase, fixtureSeed[:32], strings.Repeat("\a", 16), strings.Repeat("BwcH", 4), strings.Repeat("7 ", 16), // also in other spellings
	}
	for _, name := range filepath.SplitList(ts.Getenv("SECRETS")) {
		found := 0
		for line := range strings.Lines(ts.ReadFile(name)) {
			if line = strings.TrimSpace(line); len(line) >= 8 && !strings.HasPrefix(line, "-----") {
				secrets = append(secrets, line)
				found++
			}
		}
		if found == 0 {
			ts.Fatalf("no secret in %s", name)
		}
	}
	for _, output := range []string{"stdout", "stderr"} {
		text := ts.ReadFile(output)
		for _, secret := range secrets {
			if strings.Contains(text, secret) {
				ts.Fatalf("%s shows a secret", output)
			}
		}
	}
}
