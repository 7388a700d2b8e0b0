package corpus

import "slices"

// What the contract makes of an answer, read literally: the states of its pieces of evidence are the case's word, what
// follows from them for frames, findings and classes is worked out here.

// write writes an answer as a record in a style, and expects of it what it comes to.
func (g *generator) write(a *answer, s style) {
	g.place(true, "")
	g.put(s.encode(a.record()))
	g.expected.answer(a)
}

// line writes an answer on a line.
func (g *generator) line(a *answer) {
	g.write(a, style{})
	g.endLine()
}

func verifies(state string) bool {
	return state == stateAttested || state == statePinned || state == stateConstructed
}

// all returns the states of all evidence on a frame.
func (a *answer) all(f *frame) []string {
	if f.malformed {
		return nil
	}
	states := slices.Clone(f.evidence)
	for range f.asserted {
		states = append(states, stateUnusable)
	}
	if a.rootOnFrame {
		states = append(states, a.rootState)
	}
	return states
}

func (e *Expected) answer(a *answer) {
	e.Answers++
	e.Frames += uint64(len(a.frames))
	verified := false
	trusted := a.rootState == stateAttested || a.rootState == statePinned
	for _, f := range a.frames {
		for _, state := range a.all(f) {
			e.Evidence[state]++
			verified = verified || verifies(state)
			trusted = trusted || state == stateAttested || state == statePinned
		}
	}
	if len(a.frames) == 0 {
		state := a.rootState
		if state == "" {
			state = stateUnattested
		}
		e.EmptyAnswers[state]++
	}
	for _, code := range a.findings {
		e.Findings[code]++
	}
	if trusted && a.localID != "" && a.localID != a.provider.name {
		e.Findings[declaredNameDiffers]++
	}
	switch {
	case a.rootState == stateInvalid && a.differs:
		e.Findings[rootMismatch]++
	case a.rootState == stateInvalid:
		e.Findings[invalidEvidence]++
	case a.rootState != "" && !verifies(a.rootState) && verified:
		e.Findings[uncheckedEvidence]++
	}
	for _, f := range a.frames {
		e.frame(a, f, verified)
	}
}

func (e *Expected) frame(a *answer, f *frame, verified bool) {
	states := a.all(f)
	state := frameState(f, states)
	e.States[state]++
	e.Content[f.content]++
	e.Classes[class(f, state)]++
	switch {
	case f.content == contentDiffers:
		e.Findings[contentMismatch]++
	case f.content == contentOpaque:
		e.Findings[opaqueDigest]++
	case f.content == contentAbsent && f.ContentDigest != nil && slices.ContainsFunc(states, verifies):
		e.Findings[uncomparedContent]++
	}
	if f.malformed {
		return
	}
	for _, s := range f.evidence {
		switch {
		case s == stateInvalid:
			e.Findings[invalidEvidence]++
		case !verifies(s) && verified:
			e.Findings[uncheckedEvidence]++
		}
	}
}

func frameState(f *frame, states []string) string {
	if f.malformed {
		return stateMalformedFrame
	}
	for _, s := range []string{stateAttested, statePinned, stateConstructed} {
		switch {
		case !slices.Contains(states, s):
		case f.content == contentDiffers:
			return stateContentMismatch
		case f.ContentDigest == nil:
			return stateIdentityOnly
		default:
			return s
		}
	}
	for _, s := range []string{stateInvalid, stateKeyNotInService, stateUncheckable, stateNoTrustedKey, stateUnusable} {
		if slices.Contains(states, s) {
			return s
		}
	}
	return stateUnattested
}

// class is that of a frame where attested is required and nothing waived.
func class(f *frame, state string) string {
	switch {
	case state == stateMalformedFrame:
		return classUnreadable
	case state == stateInvalid || state == stateContentMismatch:
		return classNegative
	case state == stateAttested && f.content == contentMatch:
		return classGood
	}
	return classUnchecked
}
