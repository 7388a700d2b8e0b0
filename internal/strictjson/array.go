package strictjson

import "fmt"

// arrayState is where a Scanner stands in a top-level array.
type arrayState uint8

const (
	outside arrayState = iota
	atFirst            // behind [: an element or ]
	atNext             // behind a comma: an element
	atComma            // behind an element: a comma or ]
)

// nextInArray takes the next byte, c, inside a top-level array. ok is false where it is neither a record nor a fault.
func (s *Scanner) nextInArray(c byte) (v Value, ok bool, err error) {
	switch {
	case c == ']' && s.array != atNext:
		return s.closeArray()
	case c == ',' && s.array == atComma:
		s.discard(1)
		s.array = atNext
		return Value{}, false, nil
	case c == ']':
		v, err = s.missingElement("]")
		s.array = atComma
		return v, true, err
	case c == ',':
		v, err = s.missingElement("a comma")
		s.discard(1)
		s.array = atNext
		return v, true, err
	default:
		v, err = s.nextElement(c)
		return v, true, err
	}
}

// missingElement is the fault of an array in which found stands where an element is due.
func (s *Scanner) missingElement(found string) (Value, error) {
	return s.take(s.here()), &Fault{Err: ErrSyntax, At: s.off, Detail: "found " + found + ", expected an element"}
}

// closeArray leaves the array at its ] and looks at what follows on the line. ok is false where all is well.
func (s *Scanner) closeArray() (v Value, ok bool, err error) {
	empty := s.here()
	s.discard(1)
	wasEmpty := s.array == atFirst
	s.array = outside
	if s.marked && wasEmpty {
		return s.take(empty), true, nil
	}
	if !s.skipBlanks() {
		return Value{}, false, nil
	}
	if c := s.unread()[0]; c == '\n' || c == '{' || c == '[' {
		return Value{}, false, nil
	}
	v, f := s.here(), s.trailing(0)
	s.skipLine()
	return s.take(v), true, f
}

// cutArray leaves the array at the end of the input.
func (s *Scanner) cutArray() (Value, error) {
	v := s.here()
	s.array = outside
	return s.take(v), &Fault{Err: ErrCut, At: s.off, Detail: fmt.Sprintf("the array from offset %d is not closed", s.opened)}
}

// nextElement reads the element that starts at the next byte, c, and looks for the comma or ] behind it.
func (s *Scanner) nextElement(c byte) (Value, error) {
	v := s.here()
	n, f, err := s.frame()
	if err != nil {
		return Value{}, err
	}
	s.array = atComma
	if f != nil {
		s.skipElement(c, f)
		return s.take(v), f
	}
	f = s.restOfElement(n)
	if f == nil {
		return s.good(v, n)
	}
	s.discard(n)
	return s.take(v), f
}

// restOfElement looks at what follows the n bytes of an element, and consumes nothing.
func (s *Scanner) restOfElement(n int) *Fault {
	end, f := s.blanksEnd(n, false)
	if f != nil || end == s.w-s.r {
		return f
	}
	if c := s.unread()[end]; c == ',' || c == ']' {
		return nil
	}
	return s.trailing(end)
}

// skipElement goes on behind an unreadable element that starts at the next byte, c. Where its brackets do not close before
// those of the array or before the input ends, the rest of the array goes with it, and f says so.
func (s *Scanner) skipElement(c byte, f *Fault) {
	start := s.off
	until := atSeparator
	if c == '{' || c == '[' {
		until = atClose
	}
	if s.skipPairs(until) {
		return
	}
	f.Detail += fmt.Sprintf("; the rest of the array (from offset %d) was not read", start)
	if !s.has(1) {
		s.array = outside
	}
}
