package strictjson

// pairs matches brackets outside strings and looks at nothing else: it finds the end of what is no JSON. A bracket that
// does not close the last one open is passed over. A string ends at its quote, on any line.
type pairs struct {
	open     []byte // the brackets that are open
	arrays   int    // how many of them are [
	deeper   int    // brackets above maxDepth of them, matched by number
	inString bool
	escaped  bool
}

// stop says where pairs.run stops.
type stop uint8

const (
	// atLineEnd stops behind the bracket that closes the first one, or in front of the line end.
	atLineEnd stop = iota
	// atClose stops behind the bracket that closes the first one, or in front of a ] for which no [ is open: it closes the
	// array around.
	atClose
	// atSeparator stops in front of a comma outside all brackets, or of a ] for which no [ is open.
	atSeparator
)

func (p *pairs) reset() { *p = pairs{open: p.open[:0]} }

// closed reports whether no bracket is open.
func (p *pairs) closed() bool { return len(p.open) == 0 }

// run reads on in b and returns the number of bytes that it consumed, and whether it stopped there.
func (p *pairs) run(b []byte, until stop) (n int, stopped bool) {
	for i := 0; i < len(b); i++ {
		c := b[i]
		switch {
		case c == '\n' && until == atLineEnd:
			return i, true
		case p.escaped:
			p.escaped = false
		case p.inString:
			p.escaped = c == '\\'
			p.inString = c != '"'
		case c == '"':
			p.inString = true
		case c == ',' && until == atSeparator && p.closed():
			return i, true
		case c == ']' && until != atLineEnd && p.arrays == 0:
			return i, true
		case c == '{' || c == '[':
			p.push(c)
		case c == '}' || c == ']':
			if p.pop(c) && until != atSeparator {
				return i + 1, true
			}
		}
	}
	return len(b), false
}

func (p *pairs) push(c byte) {
	if len(p.open) == maxDepth {
		p.deeper++
		return
	}
	p.open = append(p.open, c)
	if c == '[' {
		p.arrays++
	}
}

// pop closes the last open bracket if c belongs to it, and reports whether that was the first one.
func (p *pairs) pop(c byte) bool {
	last := len(p.open) - 1
	switch {
	case p.deeper > 0:
		p.deeper--
		return false
	case last < 0 || p.open[last] != opening(c):
		return false
	}
	p.open = p.open[:last]
	if c == ']' {
		p.arrays--
	}
	return last == 0
}

// opening returns the bracket that c closes.
func opening(c byte) byte {
	if c == ']' {
		return '['
	}
	return '{'
}
