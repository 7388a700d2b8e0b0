package archive

import (
	"crypto/sha256"
	"fmt"
	"iter"
	"slices"

	"contextgraphprotocol.org/cgp-attest/commitment"
	"contextgraphprotocol.org/cgp-attest/merkle"
)

// A frameSearch looks for the one change to a frame that gives what was signed.
type frameSearch struct {
	*diagnosing
	position int
	id       commitment.FrameID
	own      []rawLink
	encoded  [][]byte            // of the links
	heads    []commitment.Digest // heads[k] is the head of the chain after k links
	beside   []neighbour         // nil before they were collected
	fields   [linkFields][]value // what each field of a link may hold; nil likewise

	reproduces func(commitment.Digest) bool // whether a commitment explains the evidence
	signed     commitment.Digest            // signatures: what was signed
	proof      *merkle.Proof                // proofs, else nil
	inTree     bool                         // the frame is looked at for the root's sake: what concerns several frames is not asked

	explained []explanation // what explained evidence on the frame before
}

// An explanation is a commitment that explained something, and how it came about.
type explanation struct {
	commitment commitment.Digest
	diagnosis  Diagnosis
}

// An offer takes a commitment to try, with words for how it differs from the frame in hand. It reports whether to go on.
type offer func(c commitment.Digest, how func() string) bool

// frameCauses are what is tried on one frame, what costs little first. Each gives up where the budget does.
var frameCauses = []struct {
	cause Cause
	try   func(*frameSearch, offer)
}{
	{CauseAttestationOfAnotherFrame, (*frameSearch).otherFrames},
	{CauseDigestOfContent, (*frameSearch).otherDigests},
	{CauseOtherProviderID, (*frameSearch).otherProviders},
	{CauseUTF16Lengths, encodedAs(utf16Lengths, inUTF16Units)},
	{CauseCodePointLengths, encodedAs(codePoints, inCodePoints)},
	{CauseLittleEndian, encodedAs(littleEndian, lowestByteFirst)},
	{CauseAbsentEmptyConfusion, (*frameSearch).confusions},
	{CauseLinkAdded, (*frameSearch).withoutLink},
	{CauseLinkEdited, (*frameSearch).editedLinks},
	{CauseLinkReordered, (*frameSearch).reorderedLinks},
	{CauseLinkDropped, (*frameSearch).withLink},
}

// frame returns the search on the frame at a position.
func (d *diagnosing) frame(position int) *frameSearch {
	s := d.frames[position]
	if s == nil {
		s = &frameSearch{diagnosing: d, position: position, id: d.a.frames[position].Identity(d.provider.name)}
		d.frames[position] = s
	}
	return s
}

// prepare encodes the links and computes the heads of the chain, once.
func (s *frameSearch) prepare() bool {
	if s.heads == nil {
		s.heads = append(s.heads, genesis())
	}
	links := s.a.frames[s.position].Provenance
	for k := len(s.own); k < len(links); k++ {
		l := rawLinkOf(&links[k])
		encoded, ok := s.encode(canonical, &l)
		if !ok {
			return false
		}
		head, ok := s.next(s.heads[k], encoded)
		if !ok {
			return false
		}
		s.own, s.encoded, s.heads = append(s.own, l), append(s.encoded, encoded), append(s.heads, head)
	}
	return true
}

// search tries every cause; nil where none explains the evidence.
func (s *frameSearch) search() *Diagnosis {
	for i := range s.explained {
		if e := &s.explained[i]; s.reproduces(e.commitment) {
			found := e.diagnosis
			return &found
		}
	}
	for i := range frameCauses {
		if found := s.try(i); found != nil {
			return found
		}
	}
	return nil
}

// try tries one cause.
func (s *frameSearch) try(cause int) (found *Diagnosis) {
	if s.left == 0 || !s.prepare() {
		s.cut = true
		return nil
	}
	c := &frameCauses[cause]
	c.try(s, func(candidate commitment.Digest, how func() string) bool {
		if !s.reproduces(candidate) {
			return true
		}
		found = &Diagnosis{c.cause, how()}
		s.explained = append(s.explained, explanation{candidate, *found})
		return false
	})
	return found
}

// head is the head of the frame's own chain.
func (s *frameSearch) head() commitment.Digest { return s.heads[len(s.encoded)] }

// under offers the frame's own links under another identity.
func (s *frameSearch) under(offer offer, id commitment.FrameID, how func() string) bool {
	c, ok := s.commit(canonical, &id, s.head())
	return ok && offer(c, how)
}

// links offers the frame with other links: as many of its own as from counts from the front, then those of the parts.
func (s *frameSearch) links(offer offer, from int, how func() string, parts ...[][]byte) bool {
	head, ok := s.heads[from], true
	for _, part := range parts {
		for _, link := range part {
			if head, ok = s.next(head, link); !ok {
				return false
			}
		}
	}
	c, ok := s.commit(canonical, &s.id, head)
	return ok && offer(c, how)
}

// otherFrames offers the commitments of the answer's other frames, and this frame's links under the identities that entries
// name and no frame has.
func (s *frameSearch) otherFrames(offer offer) {
	if s.inTree {
		return
	}
	other := func(position int) bool {
		return offer(s.commitments.of[position], func() string { return "it is that of " + s.named(position) })
	}
	switch {
	case s.proof == nil:
		if position, ok := s.whose(s.signed); ok && !other(position) {
			return
		}
	case !s.retained:
		if leaf := s.proof.LeafIndex; leaf < uint64(len(s.commitments.order)) && !other(s.commitments.order[leaf]) {
			return
		}
	default:
		for _, position := range s.commitments.order[:min(len(s.commitments.order), maxDiagnosisOthers)] {
			if !other(position) {
				return
			}
		}
	}
	s.carriedIdentities()
	for _, o := range s.orphans {
		if !s.under(offer, o.id, func() string {
			return fmt.Sprintf("it is of the frame that entry %d names, with the links of this one: %s", o.entry, describe(o.id))
		}) {
			return
		}
	}
}

// otherDigests offers the frame with the digest of its content, and without any.
func (s *frameSearch) otherDigests(offer offer) {
	for digest, how := range s.digests() {
		id := s.id
		id.ContentDigest = digest
		if !s.under(offer, id, func() string { return how }) {
			return
		}
	}
}

// digests gives what may have stood in the place of the frame's content_digest.
func (s *frameSearch) digests() iter.Seq2[commitment.Optional, string] {
	f := &s.a.frames[s.position]
	return func(yield func(commitment.Optional, string) bool) {
		content, inline := f.content.Text()
		switch {
		case !inline:
		case blocksOf(len(content)) > s.left/2: // the links come after it
			s.cut = true
		case s.spend(blocksOf(len(content))):
			of := commitment.Some(commitment.ContentDigest(content).String())
			if of != f.ContentDigest && !yield(of, "the content_digest is that of the content, "+of.OrEmpty()) {
				return
			}
		}
		if f.ContentDigest.OrEmpty() != "" {
			yield(commitment.Optional{}, "the frame has no content_digest")
		}
	}
}

// otherProviders offers the frame under other names of the provider.
func (s *frameSearch) otherProviders(offer offer) {
	for _, name := range s.otherNames() {
		id := s.id
		id.ProviderID = name
		if !s.under(offer, id, func() string { return underName(name) }) {
			return
		}
	}
}

func underName(name string) string { return fmt.Sprintf("the provider is called %.128q", name) }

// What is said of the encodings.
const (
	inUTF16Units    = "the lengths are counted in UTF-16 units"
	inCodePoints    = "the lengths are counted in code points"
	lowestByteFirst = "the lengths are written with the lowest byte first"
)

// encodedAs offers the frame under another encoding.
func encodedAs(e encoding, how string) func(*frameSearch, offer) {
	return func(s *frameSearch, offer offer) {
		if c, ok := s.commitWhole(e, &s.id, slices.Values(s.own)); ok {
			offer(c, func() string { return how })
		}
	}
}

// confusedEverywhere are the two ways in which an implementation loses the difference between absent and "".
var confusedEverywhere = []struct {
	change func(commitment.Optional) commitment.Optional
	how    string
}{{filled, `every absent member is taken for ""`}, {emptied, `every member that is "" is taken for absent`}}

// filled is an optional member as one that takes absent for "" sees it, emptied as one that takes "" for absent does.
func filled(o commitment.Optional) commitment.Optional { return commitment.Some(o.OrEmpty()) }
func emptied(o commitment.Optional) commitment.Optional {
	if o.OrEmpty() == "" {
		return commitment.Optional{}
	}
	return o
}

// mapped is a frame's identity and links with a change to every optional member.
func mapped(id commitment.FrameID, links []rawLink, change func(commitment.Optional) commitment.Optional) (commitment.FrameID, iter.Seq[rawLink]) {
	id.ContentDigest = change(id.ContentDigest)
	return id, func(yield func(rawLink) bool) {
		for _, l := range links {
			for field := fieldURI; field < linkFields; field++ {
				l[field] = change(l[field])
			}
			if !yield(l) {
				return
			}
		}
	}
}

// toggled turns absent into "" and back; ok says whether the member is either.
func toggled(o commitment.Optional) (other commitment.Optional, how string, ok bool) {
	switch s, present := o.Text(); {
	case !present:
		return commitment.Some(""), `is "", not absent`, true
	case s == "":
		return commitment.Optional{}, `is absent, not ""`, true
	}
	return o, "", false
}

// confusions offers the frame with absent and "" taken for one another: everywhere, then in one place.
func (s *frameSearch) confusions(offer offer) {
	for _, all := range confusedEverywhere {
		id, links := mapped(s.id, s.own, all.change)
		c, ok := s.commitWhole(canonical, &id, links)
		if !ok || !offer(c, func() string { return all.how }) {
			return
		}
	}
	if other, how, ok := toggled(s.id.ContentDigest); ok {
		id := s.id
		id.ContentDigest = other
		if !s.under(offer, id, func() string { return "content_digest " + how }) {
			return
		}
	}
	for k := range s.own {
		for field := fieldURI; field < linkFields; field++ {
			other, how, ok := toggled(s.own[k][field])
			if !ok {
				continue
			}
			if !s.withField(offer, k, field, other, func() string {
				return fmt.Sprintf("%s of link %d %s", fieldNames[field], k, how)
			}) {
				return
			}
		}
	}
}

// withField offers the frame with one field of one link changed.
func (s *frameSearch) withField(offer offer, k, field int, value commitment.Optional, how func() string) bool {
	l := s.own[k]
	l[field] = value
	encoded, ok := s.encode(canonical, &l)
	return ok && s.links(offer, k, how, [][]byte{encoded}, s.encoded[k+1:])
}

// withoutLink offers the frame without one of its links.
func (s *frameSearch) withoutLink(offer offer) {
	for k := range s.encoded {
		if !s.links(offer, k, func() string { return fmt.Sprintf("link %d is not there", k) }, s.encoded[k+1:]) {
			return
		}
	}
}

// withLink offers the frame with a link of a neighbour at every place.
func (s *frameSearch) withLink(offer offer) {
	for _, n := range s.neighbours() {
		for k := range len(s.encoded) + 1 {
			if !s.links(offer, k, func() string {
				return fmt.Sprintf("there is one more link at place %d, like %s", k, n.whose)
			}, [][]byte{n.encoded}, s.encoded[k:]) {
				return
			}
		}
	}
}

// reorderedLinks offers the frame with its links reversed, two of them exchanged, or one moved.
func (s *frameSearch) reorderedLinks(offer offer) {
	e, n := s.encoded, len(s.encoded)
	if n < 2 {
		return
	}
	reversed := slices.Clone(e)
	slices.Reverse(reversed)
	if !s.links(offer, 0, func() string { return "the links stand in the reverse order" }, reversed) {
		return
	}
	for i := range n {
		for k := i + 1; k < n; k++ {
			if !s.links(offer, i, func() string { return fmt.Sprintf("links %d and %d are exchanged", i, k) },
				e[k:k+1], e[i+1:k], e[i:i+1], e[k+1:]) {
				return
			}
		}
	}
	for i := range n {
		for k := i + 2; k < n; k++ {
			if !s.links(offer, i, func() string { return fmt.Sprintf("link %d stands at place %d", i, k) },
				e[i+1:k+1], e[i:i+1], e[k+1:]) {
				return
			}
			if !s.links(offer, i, func() string { return fmt.Sprintf("link %d stands at place %d", k, i) },
				e[k:k+1], e[i:k], e[k+1:]) {
				return
			}
		}
	}
}

// editedLinks offers the frame with one field of one link as it is elsewhere, then with one link as another one.
func (s *frameSearch) editedLinks(offer offer) {
	for field := range linkFields {
		for _, value := range s.values(field) {
			for k := range s.own {
				if !s.spend(1 + len(value.text.OrEmpty())/sha256.BlockSize) {
					return
				}
				if s.own[k][field] == value.text {
					continue
				}
				if !s.withField(offer, k, field, value.text, func() string {
					return fmt.Sprintf("%s of link %d is %s, as %s has it", fieldNames[field], k, spelt(value.text), value.whose)
				}) {
					return
				}
			}
		}
	}
	for _, n := range s.neighbours() {
		for k := range s.encoded {
			if !s.links(offer, k, func() string { return fmt.Sprintf("link %d is like %s", k, n.whose) },
				[][]byte{n.encoded}, s.encoded[k+1:]) {
				return
			}
		}
	}
}

func spelt(o commitment.Optional) string {
	s, present := o.Text()
	if !present {
		return "absent"
	}
	return fmt.Sprintf("%.128q", s)
}
