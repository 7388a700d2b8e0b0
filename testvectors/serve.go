package testvectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// maxRequest is the longest line in bytes that is read as a request.
const maxRequest = 64 << 20

// Serve answers requests as this library does, in the conversation of cgp-attest-vectors/1: a request a line from in, an answer a
// line to out, each written before the next request is read. A line that is no request is answered with an error and ends
// nothing. The error is one of reading or writing; the end of in is none.
func Serve(in io.Reader, out io.Writer, name, version string) error {
	r := bufio.NewReaderSize(in, 64<<10)
	for {
		line, long, err := readRequest(r)
		if len(bytes.TrimSpace(line)) > 0 || long {
			answer := refuse(nil, fmt.Errorf("a line of more than %d bytes", maxRequest))
			if !long {
				answer = respond(line, name, version)
			}
			if _, err := out.Write(append(marshal(answer), '\n')); err != nil {
				return fmt.Errorf("testvectors: %w", err)
			}
		}
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return fmt.Errorf("testvectors: %w", err)
		}
	}
}

// readRequest reads a line. One that is too long is read to its end and dropped.
func readRequest(r *bufio.Reader) (line []byte, long bool, err error) {
	for {
		part, err := r.ReadSlice('\n')
		if !long {
			line = append(line, part...)
		}
		if len(line) > maxRequest {
			line, long = nil, true
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, long, err
		}
	}
}

func refuse(id any, err error) Object {
	return object(memberID, id, memberError, errorMalformedInput, "detail", err.Error())
}

func respond(line []byte, name, version string) Object {
	v, err := parseValue(line)
	if err != nil {
		return refuse(nil, err)
	}
	request, ok := v.(Object)
	if !ok {
		return refuse(nil, errors.New("a request is an object"))
	}
	id, _ := request.Find(memberID)
	r := &reader{where: "request"}
	op := take[string](r, request, memberOp)
	if op == "hello" {
		return object("name", name, "version", version, "ops", texts(Ops()), "algorithms", texts(Algorithms()), "limits", Object{})
	}
	input := take[Object](r, request, memberInput)
	if r.err != nil {
		return refuse(id, r.err)
	}
	answer := append(object(memberID, id), Answer(op, input).object()...)
	if steps := safeSteps(op, input); steps != nil {
		answer = append(answer, Member{memberSteps, steps})
	}
	return answer
}

// safeSteps are the steps of an input that may be none of its op.
func safeSteps(op string, input Object) (steps Object) {
	defer func() {
		if recover() != nil {
			steps = nil
		}
	}()
	return stepsOf(op, input)
}
