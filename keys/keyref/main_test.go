package keyref

import (
	"bufio"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// TestMain is the test binary, or an external signer where CGP_SIGNER_MODE says which.
func TestMain(m *testing.M) {
	if mode := os.Getenv("CGP_SIGNER_MODE"); mode != "" {
		os.Exit(runSigner(mode))
	}
	os.Exit(m.Run())
}

// The key of the test signers: that of the seed of 32 bytes 07, whose public key is CGP's published one.
func signerKey() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte(strings.Repeat("\x07", ed25519.SeedSize)))
}

const signerPublic = "ea4a6c63e29c520abef5507b132ec5f9954776aebebe7b92421eea691446d22c"

// answers to the two requests; "" ends the signer with status 0, "exit 3" with that.
var signerModes = map[string]struct{ key, signature string }{
	"good":                  {},
	"silent":                {key: "end"},
	"exit at once":          {key: "exit 3"},
	"exit before signing":   {signature: "exit 3"},
	"end before signing":    {signature: "end"},
	"hang at once":          {key: "hang"},
	"hang before signing":   {signature: "hang"},
	"garbage":               {key: "Using slot 0 with a present token"},
	"empty line":            {key: " "},
	"array":                 {key: `["ed25519"]`},
	"two objects":           {key: `{} {}`},
	"duplicate":             {key: `{"algorithm":"ed25519","algorithm":"ed25519","public_key":"` + signerPublic + `"}`},
	"no algorithm":          {key: `{"public_key":"` + signerPublic + `"}`},
	"other algorithm":       {key: `{"algorithm":"Ed25519","public_key":"` + signerPublic + `"}`},
	"no key":                {key: `{"algorithm":"ed25519"}`},
	"null key":              {key: `{"algorithm":"ed25519","public_key":null}`},
	"short key":             {key: `{"algorithm":"ed25519","public_key":"` + signerPublic[2:] + `"}`},
	"uppercase key":         {key: `{"algorithm":"ed25519","public_key":"` + strings.ToUpper(signerPublic) + `"}`},
	"weak key":              {key: `{"algorithm":"ed25519","public_key":"01` + strings.Repeat("00", 31) + `"}`},
	"key refused":           {key: `{"error":"the token is\u001b[31m locked"}`},
	"odd error":             {key: `{"error":7}`},
	"long line":             {key: `{"x":"` + strings.Repeat("x", maxAnswer) + `"}`},
	"signature refused":     {signature: `{"error":"not today","signature":"` + strings.Repeat("00", 64) + `"}`},
	"no signature":          {signature: `{}`},
	"short signature":       {signature: `{"signature":"00"}`},
	"uppercase signature":   {signature: `{"signature":"` + strings.Repeat("AB", 64) + `"}`},
	"signature no hex":      {signature: `{"signature":"` + strings.Repeat("zz", 64) + `"}`},
	"wrong signature":       {signature: `{"signature":"` + strings.Repeat("00", 64) + `"}`},
	"null error":            {key: `{"error":null,"algorithm":"ed25519","public_key":"` + signerPublic + `","more":[]}`},
	"exit at the end":       {},
	"hang at the end":       {},
	"one word more":         {},
	"no line feed":          {},
	"leaves a child behind": {},
	"hangs with a child":    {signature: "hang"},
}

// runSigner is an external signer. What it was started with, and every request, go to the file CGP_SIGNER_LOG.
func runSigner(mode string) int {
	answers, known := signerModes[mode]
	if !known {
		fmt.Fprintf(os.Stderr, "unknown mode %q\n", mode)
		return 99
	}
	log := &strings.Builder{}
	fmt.Fprintf(log, "%q\n%q\n", os.Args[1:], os.Environ())
	defer func() { os.WriteFile(os.Getenv("CGP_SIGNER_LOG"), []byte(log.String()), 0o600) }()
	fmt.Fprintln(os.Stderr, "signer starts")
	if mode == "leaves a child behind" || mode == "hangs with a child" {
		child := exec.Command("sleep", "20")
		child.Stderr = os.Stderr
		if err := child.Start(); err != nil {
			return 98
		}
		fmt.Fprintf(os.Stderr, "child %d\n", child.Process.Pid)
	}
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			break
		}
		log.WriteString(line)
		var request struct{ Op, Message string }
		if err := json.Unmarshal([]byte(line), &request); err != nil {
			return 97
		}
		answer := answers.key
		if request.Op == "sign" {
			answer = answers.signature
		}
		if answer == "" {
			answer = goodAnswer(request.Op, request.Message)
		}
		switch answer {
		case "end":
			return 0
		case "exit 3":
			return 3
		case "hang":
			time.Sleep(time.Hour)
		}
		if mode == "no line feed" && request.Op == "sign" {
			fmt.Print(answer)
			return 0
		}
		fmt.Println(answer)
	}
	fmt.Fprint(os.Stderr, "signer ends")
	switch mode {
	case "exit at the end":
		return 3
	case "hang at the end":
		time.Sleep(time.Hour)
	case "one word more":
		fmt.Println("{}")
		time.Sleep(10 * time.Millisecond)
	}
	return 0
}

func goodAnswer(op, message string) string {
	if op == "public_key" {
		return fmt.Sprintf(`{"algorithm":"ed25519","public_key":"%x"}`, []byte(signerKey().Public().(ed25519.PublicKey)))
	}
	raw, err := hex.DecodeString(message)
	if err != nil {
		return `{"error":"message"}`
	}
	return fmt.Sprintf(`{"signature":"%x"}`, ed25519.Sign(signerKey(), raw))
}
