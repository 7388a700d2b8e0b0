package openssh

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// Messages of an ssh-agent (draft-ietf-sshm-ssh-agent §3): uint32 length ‖ byte kind ‖ fields.
const (
	agentFailure           = 5
	agentRequestIdentities = 11
	agentIdentitiesAnswer  = 12
	agentSignRequest       = 13
	agentSignResponse      = 14
)

// maxAgentAnswer bounds what an agent is listened to, in bytes.
const maxAgentAnswer = 16 << 20

var (
	errAgentFailure = errors.New("openssh: the agent reports a failure")
	errAgentAnswer  = errors.New("openssh: the agent's answer is broken")
)

// An AgentKey is a public key of an agent: its type, which stands in the blob too, and the name that it was given.
type AgentKey struct {
	Type    string
	Blob    []byte
	Comment string
}

// Fingerprint returns the fingerprint of the key as "ssh-add -l" shows it.
func (k AgentKey) Fingerprint() string {
	sum := sha256.Sum256(k.Blob)
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// An AgentSignature is what an agent made.
type AgentSignature struct {
	Type string
	Blob []byte
	Rest []byte // behind the blob, where Ed25519 has nothing
}

// ListKeys asks an agent for its keys.
func ListKeys(conn io.ReadWriter) ([]AgentKey, error) {
	f, err := ask(conn, []byte{agentRequestIdentities}, agentIdentitiesAnswer)
	if err != nil {
		return nil, err
	}
	var all []AgentKey
	for range f.Uint32() {
		key := AgentKey{Blob: f.String(), Comment: string(f.String())}
		blob := Read(key.Blob)
		key.Type = string(blob.String())
		if f.Cut() || blob.Cut() {
			return nil, errAgentAnswer
		}
		all = append(all, key)
	}
	if f.Cut() {
		return nil, errAgentAnswer
	}
	return all, nil
}

// SignWithAgent has an agent sign a message with the key that has a blob.
//
//	byte kind ‖ string blob ‖ string message ‖ uint32 flags
func SignWithAgent(conn io.ReadWriter, blob, message []byte) (s AgentSignature, err error) {
	request := AppendString(AppendString([]byte{agentSignRequest}, blob), message)
	f, err := ask(conn, binary.BigEndian.AppendUint32(request, 0), agentSignResponse)
	if err != nil {
		return s, err
	}
	signature := Read(f.String())
	s = AgentSignature{Type: string(signature.String()), Blob: signature.String(), Rest: signature.Rest()}
	if !f.Whole() || signature.Cut() {
		return AgentSignature{}, errAgentAnswer
	}
	return s, nil
}

// ask sends a request and returns the fields of the answer, which must be of a kind.
func ask(conn io.ReadWriter, request []byte, want byte) (*Fields, error) {
	if _, err := conn.Write(AppendString(nil, request)); err != nil {
		return nil, fmt.Errorf("openssh: agent: %w", err)
	}
	var size [4]byte
	if _, err := io.ReadFull(conn, size[:]); err != nil {
		return nil, fmt.Errorf("openssh: agent: %w", err)
	}
	length := binary.BigEndian.Uint32(size[:])
	if length == 0 || length > maxAgentAnswer {
		return nil, fmt.Errorf("openssh: an answer of %d bytes from the agent, want 1 to %d", length, maxAgentAnswer)
	}
	answer := make([]byte, length)
	if _, err := io.ReadFull(conn, answer); err != nil {
		return nil, fmt.Errorf("openssh: agent: %w", err)
	}
	switch answer[0] {
	case want:
		return Read(answer[1:]), nil
	case agentFailure:
		return nil, errAgentFailure
	}
	return nil, fmt.Errorf("openssh: an answer of the kind %d from the agent, want %d", answer[0], want)
}
