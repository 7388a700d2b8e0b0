package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/internal/fileio"
	"contextgraphprotocol.org/cgp-attest/internal/terminal"
	"contextgraphprotocol.org/cgp-attest/keys"
)

// What the demonstration is about: a provider, its key_id, and an answer of two frames.
const (
	demoProvider = "city-library"
	demoKeyID    = "city-library-2026"
	demoIssuedAt = "2026-08-29T12:00:00Z"

	demoAck = `{"type":"handshake_ack","protocol_version":"contextgraph/1.0","provider":{"name":"city-library","version":"1.0.0"}}`

	demoTrue  = "The reading room is open from 9 to 18 on weekdays."
	demoFalse = "The reading room is open from 9 to 22 on weekdays."
)

// demoFrame returns one frame of the answer, in the bytes in which it stands there.
func demoFrame(id, title, content string) string {
	var b []byte
	b = terminal.AppendJSON(append(b, `{"id":`...), id)
	b = terminal.AppendJSON(append(b, `,"kind":"doc","title":`...), title)
	b = terminal.AppendJSON(append(b, `,"content":`...), content)
	b = terminal.AppendJSON(append(b, `,"content_digest":`...), commitment.ContentDigest(content).String())
	b = append(b, `,"score":0.9,"token_cost":12,"provenance":[{"type":"file","uri":"file:///site/hours.md","digest":`...)
	b = terminal.AppendJSON(b, commitment.ContentDigest(content+"\n").String())
	return string(append(b, `}],"citation_label":"hours.md"}`...))
}

// demoSession returns a session of the provider in which the first frame says hours.
func demoSession(hours string) []byte {
	return []byte(demoAck + "\n" + `{"type":"frames","id":"q1","result":{"frames":[` +
		demoFrame("hours", "Opening hours", hours) + "," + demoLoans() + `],"truncated":false}}` + "\n")
}

func demoLoans() string { return demoFrame("loans", "Loans", "Books are lent for four weeks.") }

// A demonstration is the cast of the play: what is written where -o names a folder.
type demonstration struct {
	key                     *keys.PrivateKey
	session, signed         []byte
	edited, dropped, forged []byte
}

func newDemoCmd(env *environment) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use:   "demo [flags]",
		Short: "show in half a minute what this is for",
		Example: `  ` + program + ` demo
  # Keep the files to try the commands on
  ` + program + ` demo -o cgp-demo`,
		Long: `Makes a key, signs an answer, verifies it, and tampers with it in three ways. It
needs no files and no network, and writes nothing unless -o names a folder.`,
		Args: between(0, 0, ""),
		RunE: func(cmd *cobra.Command, _ []string) error { return demo(cmd.Context(), env, folder) },
	}
	cmd.Flags().StringVarP(&folder, "output", "o", "", "write the key and the files to the new folder `DIR`")
	return cmd
}

func demo(ctx context.Context, env *environment, folder string) error {
	d, err := newDemonstration(env.rand)
	if err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	if folder != "" {
		if err := d.save(folder); err != nil {
			return err
		}
	}
	tell(env.stdout, "1. A provider signs its answer", fmt.Sprintf(
		"Provider %q makes a key and calls it %q. It signs an answer of two frames: one signature over the root of both, and a "+
			"proof for each.", demoProvider, demoKeyID))
	for i, scene := range d.scenes() {
		if err := d.play(ctx, env.stdout, i+2, &scene); err != nil {
			return err
		}
	}
	env.stdout.Write(terminal.Wrap(nil, "", "", "What no signature covers: the query, scores, titles, the order of frames, "+
		"whether whole answers are missing, and when it was signed.", defaultColumns))
	if folder == "" {
		fmt.Fprintf(env.stdout, "\nNext: %s demo -o DIR keeps the files of this play.\n", program)
		return nil
	}
	fmt.Fprintf(env.stdout, "\nNext, in %s:\n", quote(folder))
	for _, file := range []string{"signed.ndjson", "edited.ndjson"} {
		fmt.Fprintf(env.stdout, "%s verify --public-key \\\n  %s:%s=%x \\\n  %s\n", program, demoProvider, demoKeyID,
			d.key.PublicKey().Bytes, shellQuote(filepath.Join(folder, file)))
	}
	return nil
}

// tell writes a headline and what there is to say below it.
func tell(w io.Writer, headline, text string) {
	fmt.Fprintf(w, "%s\n\n%s\n", headline, paragraph(text))
}

func paragraph(text string) []byte {
	const indent = "   "
	return terminal.Wrap(nil, indent, indent, text, defaultColumns)
}

// newDemonstration makes a key, and the signed answer with its three forgeries.
func newDemonstration(random io.Reader) (*demonstration, error) {
	d := &demonstration{session: demoSession(demoTrue)}
	var err error
	if d.key, err = keys.GeneratePrivateKey(random); err != nil {
		return nil, err
	}
	forger, err := keys.GeneratePrivateKey(random)
	if err != nil {
		return nil, err
	}
	if d.signed, err = demoSign(d.key, d.session); err != nil {
		return nil, err
	}
	d.edited = bytes.Replace(d.signed, []byte(demoTrue), []byte(demoFalse), 1)
	d.dropped = bytes.Replace(d.signed, []byte(","+demoLoans()), nil, 1)
	d.forged, err = demoSign(forger, demoSession(demoFalse))
	return d, err
}

func demoSign(key *keys.PrivateKey, session []byte) ([]byte, error) {
	at, err := commitment.ParseInstant(demoIssuedAt)
	if err != nil {
		return nil, err
	}
	r, err := archive.Sign(session, archive.SignOptions{Key: key, KeyID: demoKeyID, IssuedAt: at, PublishKey: true})
	if err != nil {
		return nil, err
	}
	return r.Output, nil
}

// A scene is one input, judged by an auditor who trusts the provider's key.
type scene struct {
	title    string
	input    []byte
	want     int // exit code
	epilogue string
}

func (d *demonstration) scenes() []scene {
	return []scene{
		{"An auditor who trusts that key verifies the answer", d.signed, archive.ExitGood,
			"Both frames are what the holder of the key signed, and their content is what their digests say. No network was needed."},
		{"Someone edits a sentence: open until 22, not 18", d.edited, archive.ExitNegative,
			"The signature still verifies, because it covers the digest and not the sentence. The sentence does not match the " +
				"digest, so the frame is negative all the same."},
		{"Someone drops the second frame", d.dropped, archive.ExitNegative,
			"What is left does not give the root that was signed, and the proof for it speaks of two frames. Leaving things out shows."},
		{"Someone forges the whole answer with a key of his own", d.forged, archive.ExitNegative,
			"Everything in it fits together, and it publishes the forger's key under the same key_id. Only a key that you trust from " +
				"elsewhere tells: do not take it from the file that it is to protect."},
	}
}

// play judges the input of a scene and shows what came of it.
func (d *demonstration) play(ctx context.Context, w io.Writer, number int, s *scene) error {
	ring := &archive.Keyring{}
	if err := ring.Trust(demoProvider, demoKeyID, d.key.PublicKey(), "demo"); err != nil {
		return fail(archive.ExitInternal, "%w", err)
	}
	v := archive.Verifier{Keys: ring}
	r, err := v.VerifyReader(ctx, "demo", bytes.NewReader(s.input))
	if err != nil {
		return err
	}
	var b strings.Builder
	for _, a := range r.Answers {
		for i := range a.Frames {
			f := &a.Frames[i]
			fmt.Fprintf(&b, "   frame %-8s %-17s content %s\n", quote(f.FrameID), f.State, f.Content)
		}
		for i := range a.Findings {
			fmt.Fprintf(&b, "   %-7s %s\n", a.Findings[i].Severity, a.Findings[i].Code)
		}
	}
	fmt.Fprintf(w, "%d. %s\n\n%s   exit code %d\n\n%s\n", number, s.title, &b, r.Summary.ExitCode, paragraph(s.epilogue))
	if r.Summary.ExitCode != s.want {
		return fail(archive.ExitInternal, "the demonstration failed: exit code %d, want %d: %s", r.Summary.ExitCode, s.want, r.Summary.ExitReason)
	}
	return nil
}

// save writes the cast to a new folder. After an error there is none.
func (d *demonstration) save(folder string) error {
	err := os.Mkdir(folder, 0o777)
	if errors.Is(err, fs.ErrExist) {
		return misuse("-o: %q exists already", folder).hint("name a folder that is not there yet")
	}
	if err != nil {
		return misuse("-o: %w", err)
	}
	if err := d.saveIn(folder); err != nil {
		os.RemoveAll(folder)
		return cannotWrite(quote(folder), err)
	}
	return nil
}

func (d *demonstration) saveIn(folder string) error {
	secret, err := d.key.MarshalPKCS8()
	if err != nil {
		return err
	}
	for _, file := range []struct {
		name string
		data []byte
		perm fs.FileMode
	}{
		{"key.pem", secret, 0o600},
		{"session.ndjson", d.session, 0o666},
		{"signed.ndjson", d.signed, 0o666},
		{"edited.ndjson", d.edited, 0o666},
		{"dropped.ndjson", d.dropped, 0o666},
		{"forged.ndjson", d.forged, 0o666},
	} {
		if err := fileio.WriteNew(filepath.Join(folder, file.name), file.data, file.perm); err != nil {
			return err
		}
	}
	return nil
}
