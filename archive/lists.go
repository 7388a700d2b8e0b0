package archive

// The closed sets that a report counts by, in the order of their tables. Each call returns a slice of the caller's own.

// States returns every state of a frame.
func States() []State { return codes[State](frameStates) }

// EvidenceStates returns every state of a piece of evidence, which are those of a root too.
func EvidenceStates() []State { return codes[State](evidenceStates) }

// EmptyAnswerStates returns every state of an answer without frames: that of its root, or unattested.
func EmptyAnswerStates() []State { return append(EvidenceStates(), StateUnattested) }

// Classes returns every class of a frame or an answer.
func Classes() []Class { return codes[Class](classes) }

// Contents returns every outcome of comparing content.
func Contents() []Content { return codes[Content](contentStates) }

// LinkStatuses returns every status of a provenance link whose file was read again.
func LinkStatuses() []LinkStatus { return codes[LinkStatus](linkStatuses) }

// Severities returns every severity of a finding, the gravest first.
func Severities() []Severity { return codes[Severity](severities) }

func codes[K ~string](table []Entry) []K {
	list := make([]K, len(table))
	for i := range table {
		list[i] = K(table[i].Code)
	}
	return list
}
