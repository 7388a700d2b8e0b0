"""One input judged: sessions, providers, keys, entries, evidence, frame states, findings, exit code (DESIGN.md §2, PROTOCOL.md §7)."""

from collections import Counter

import instants
import merkle
import records
from encoding import MalformedFrame, canonical_order, commitment, digest_bytes, digest_text
from policy import BadPolicy, KeyRing, Policy, Session
from strictjson import is_text, member
from verdicts import TIER_STATES, VERIFYING, Question, content_state, evaluate, read_attestation, read_frame

ERRORS = {"root_mismatch", "invalid_evidence", "content_mismatch", "contradicting_proofs"}
INSIDE = ("attestation", "attestations", "frame_attestations", "result_attestation", "inclusion_proof")
ON_ENVELOPE = ("attestations", "frame_attestations", "result_attestation")
UNCHECKED_STATES = ("key_not_in_service", "uncheckable", "no_trusted_key", "unusable")  # the first that applies
CLASSES = ("negative", "unreadable", "unchecked", "good")  # worst first; exit 1 before 4 before 3
UNUSABLE = ("unusable", "")
MOST_NAMES = 64


class Entry:
    """An element of frame_attestations with a readable FrameId."""

    def __init__(self, index, provider_id, key, attestation, proof):
        self.index, self.provider_id, self.key = index, provider_id, key
        self.attestation, self.proof = attestation, proof


def read_frame_id(raw):
    """(provider_id, (frame_id, digest)) or None."""
    if not isinstance(raw, dict):
        return None
    provider_id, frame_id, digest = member(raw, "provider_id"), member(raw, "frame_id"), member(raw, "content_digest")
    if is_text(provider_id) and is_text(frame_id) and (digest is None or is_text(digest)):
        return provider_id, (frame_id, digest)
    return None


def read_entries(raw, findings):
    if raw is None:
        return []
    if not isinstance(raw, list):
        findings.append("malformed_entry")
        return []
    entries = []
    for index, element in enumerate(raw):
        named = read_frame_id(member(element, "frame")) if isinstance(element, dict) else None
        if named is None:
            findings.append("malformed_entry")  # belongs to no frame
        else:
            entries.append(Entry(index, *named, member(element, "attestation"), member(element, "inclusion_proof")))
    return entries


# --- One answer.


def committed_name(provider_id, local_id):
    """Commitments are keyed by the declared name, trust by the local id (PROTOCOL §1)."""
    return provider_id


class Answer:
    def __init__(self, record, session, policy):
        self.record, self.policy, self.session, self.findings = record, policy, session, []
        self.retained = record.retained or policy.retained
        self.raw_frames = member(record.result, "frames")
        self.frames = []
        for raw in self.raw_frames:
            try:
                self.frames.append(read_frame(raw))
            except MalformedFrame:
                self.frames.append(None)
        self.entries = read_entries(member(record.result, "frame_attestations"), self.findings)
        self.raw_attestation = member(record.result, "result_attestation")
        self.attestation = read_attestation(self.raw_attestation)
        self.blocked = False  # nothing is judged under the name found: the evidence was made under another
        self.named, self.source = self.choose_provider()
        self.provider_id = None if self.blocked else self.named
        own_id, own_at = record.local_id, record.received_at
        self.local_id = (own_id if is_text(own_id) else None) if policy.local_id == "archive" else policy.local_id
        self.local_id = self.provider_id if self.local_id is None else self.local_id
        self.at = own_at if policy.at == "archive" else policy.at
        self.keys = KeyRing(policy, session, record, self.provider_id, self.local_id, self.findings)
        self.commitments = self.commitments_under(committed_name(self.provider_id, self.local_id))
        self.used = []  # keys under which something verified

    def commitments_under(self, name):
        return [None if name is None or frame is None else commitment(name, frame) for frame in self.frames]

    def leaf_order(self):
        return canonical_order([("", frame.id, frame.digest) for frame in self.frames])

    def root_under(self, name):
        """The root recomputed from all frames, or None where one has no commitment."""
        if None in self.frames or name is None and self.frames:
            return None
        commitments = self.commitments_under(name)
        return merkle.root([commitments[position] for position in self.leaf_order()])

    # Which provider (DESIGN §2).

    def choose_provider(self):
        if self.policy.provider is not None:
            return self.policy.provider, "flag"
        if self.record.provider_id is not None:
            return self.record.provider_id, "record"
        declared, used = self.session.names(), {entry.provider_id for entry in self.entries}
        common = next(iter(used)) if len(used) == 1 else None
        if common is not None and (not declared or common in declared):
            return common, "entries"
        signed = digest_bytes(self.attestation["signed_commitment"]) if self.attestation else None
        if signed is not None and not self.retained:
            for name in declared[:MOST_NAMES]:
                if self.root_under(name) == signed:
                    return name, "root"
        if common is not None and self.reproduces(common, signed):
            self.findings.append("provider_mismatch")
            self.blocked = True
        if declared:
            return declared[0], "handshake"
        self.findings.append("provider_unknown")
        return None, "none"

    def reproduces(self, name, signed):
        """Whether the signed root or a signed commitment comes out under this name."""
        if signed is not None and not self.retained and self.root_under(name) == signed:
            return True
        commitments = self.commitments_under(name)
        return any(self.attests(entry, raw) for entry in self.entries
                   for frame, raw in zip(self.frames, commitments) if frame is not None and (frame.id, frame.digest) == entry.key)

    # Entries of a frame (PROTOCOL §7).

    @staticmethod
    def attests(entry, raw):
        attestation = read_attestation(entry.attestation)
        return attestation is not None and digest_bytes(attestation["signed_commitment"]) == raw

    def leads(self, entry, raw):
        proof = merkle.read_proof(entry.proof)
        signed = digest_bytes(self.attestation["signed_commitment"]) if self.attestation else None
        return proof is not None and signed is not None and merkle.well_formed(proof) and proof.fold(raw)[-1] == signed

    def frame_key(self, position):
        """(frame_id, digest), readable in some malformed frames too."""
        raw = self.raw_frames[position]
        named = isinstance(raw, dict) and read_frame_id({"provider_id": "", "frame_id": member(raw, "id"),
                                                         "content_digest": member(raw, "content_digest")})
        return named[1] if named else None

    def match_entries(self):
        """Entries by frame key; reports orphans, other names and surplus entries."""
        keys = [self.frame_key(position) for position in range(len(self.frames))]
        carried = Counter(key for key in keys if key is not None)
        by_key, other_names, values = {}, set(), {}
        for entry in self.entries:
            foreign = self.provider_id is not None and entry.provider_id != self.provider_id
            if foreign:
                other_names.add(entry.provider_id)
            if foreign or entry.key not in carried:
                self.findings.append("orphan_entry")
            else:
                by_key.setdefault(entry.key, []).append(entry)
        self.findings += ["provider_mismatch"] * len(other_names)
        self.findings += ["duplicate_entry" for key, entries in by_key.items() if len(entries) > carried[key]]
        self.carried = carried
        for key, raw in zip(keys, self.commitments):
            values.setdefault(key, set()).update({raw} - {None})
        self.findings += ["ambiguous_order" for different in values.values() if len(different) > 1]
        return by_key

    def entries_of(self, key, candidates, raw):
        """The entries that count for a frame: all that name it; where frames share the triple, those that fit its
        commitment, else the first."""
        if self.carried[key] == 1:
            return candidates
        if len(candidates) < 2 or raw is None:
            return candidates[:1]
        return [entry for entry in candidates if self.attests(entry, raw) or self.leads(entry, raw)] or candidates[:1]

    # Evidence.

    def ask(self, attestation, expected, **more):
        question = Question(attestation, expected, self.keys.find, self.at, **more)
        outcome = evaluate(question)
        if outcome[0] in VERIFYING:
            self.used.append(question.key)
        return outcome

    def judge_root(self):
        """(recomputed or None, state, verdict), or None without a result attestation."""
        if self.raw_attestation is None:
            return None
        recomputed = None if self.retained else self.root_under(committed_name(self.provider_id, self.local_id))
        unusable = self.attestation is None or self.provider_id is None or not self.retained and recomputed is None
        return (recomputed,) + (UNUSABLE if unusable else self.ask(self.attestation, recomputed))

    def judge_signature(self, entry, raw, frame):
        attestation = read_attestation(entry.attestation)
        if attestation is None or raw is None:
            return UNUSABLE
        return self.ask(attestation, raw, binds_content=frame.digest is not None)

    def judge_inclusion(self, entry, raw, frame):
        """The proof under the result attestation: shape, size and siblings, then the root it leads to (PROTOCOL §4)."""
        proof = merkle.read_proof(entry.proof)
        if proof is None or self.attestation is None or raw is None:
            return UNUSABLE
        if merkle.well_formed(proof):
            self.proofs.append((proof, raw))
        proof_ok = merkle.well_formed(proof) and merkle.count_fits(proof, len(self.frames), self.retained)
        expected = proof.fold(raw)[-1] if proof_ok else None
        return self.ask(self.attestation, expected, proof_ok=proof_ok, binds_content=frame.digest is not None)

    def evidence_on(self, frame, raw, entries, root):
        pieces = []
        for entry in entries:
            if entry.attestation is None and entry.proof is None:
                pieces.append(("entry", entry.index) + UNUSABLE)
            if entry.attestation is not None:
                pieces.append(("signature", entry.index) + self.judge_signature(entry, raw, frame))
            if entry.proof is not None:
                pieces.append(("inclusion", entry.index) + self.judge_inclusion(entry, raw, frame))
        if root is not None and not self.retained:
            verdict = "valid_identity_only" if root[2] == "valid" and frame.digest is None else root[2]
            pieces.append(("root", None, root[1], verdict))
        return pieces

    def judge(self):
        """The answer as op `answer` reports it."""
        self.proofs = []
        by_key, root = self.match_entries(), self.judge_root()
        complete = None not in self.commitments and not self.retained
        leaves = {position: leaf for leaf, position in enumerate(self.leaf_order())} if complete else {}
        frames, matched = [], {}
        for position, (frame, raw) in enumerate(zip(self.frames, self.commitments)):
            report = {"position": position, "leaf_index": leaves.get(position), "frame_id": self.readable_id(position)}
            if frame is None:
                report.update(state="malformed_frame", **{"class": "unreadable"}, content=self.malformed_content(position), commitment=None,
                              evidence=[])
            else:
                key = (frame.id, frame.digest)
                entries = self.entries_of(key, by_key.get(key, []), raw)
                matched.update((entry.index, entry) for entry in entries)
                report.update(self.judge_frame(frame, raw, self.evidence_on(frame, raw, entries, root)))
            if self.retained:
                report["leaf_index"] = self.proven_index(report["evidence"])
            self.note_frame(position, frame, report)
            frames.append(report)
        self.note_answer(frames, root, matched)
        return {"record": self.record.number, "provider_id": self.named, "provider_source": self.source,
                "class": self.answer_class(frames, root), "root": root and self.root_report(root), "frames": frames,
                "findings": sorted(self.findings)}

    def proven_index(self, evidence):
        """Of a retained frame the place that a proof of it shows; else it is not known."""
        by_index = {entry.index: entry for entry in self.entries}
        shown = [by_index[piece["entry"]] for piece in evidence if piece["kind"] == "inclusion" and piece["state"] in VERIFYING]
        return merkle.read_proof(shown[-1].proof).index if shown else None

    @staticmethod
    def root_report(root):
        return {"recomputed": None if root[0] is None else digest_text(root[0]), "state": root[1], "verdict": root[2]}

    def readable_id(self, position):
        raw = self.raw_frames[position]
        frame_id = member(raw, "id") if isinstance(raw, dict) else None
        return frame_id if is_text(frame_id) else ""

    def malformed_content(self, position):
        """For every frame with inline content (DESIGN §2), one without a commitment too."""
        raw = self.raw_frames[position]
        texts = [member(raw, name) if isinstance(raw, dict) else None for name in ("content", "content_digest")]
        return content_state(*(text if is_text(text) else None for text in texts))

    def judge_frame(self, frame, raw, pieces):
        """State, tier and class from the evidence and the content (DESIGN §2 Frame state)."""
        content, states = content_state(frame.content, frame.digest), [state for _, _, state, _ in pieces]
        best = next((state for state in VERIFYING if state in states), None)
        report = {"content": content, "commitment": None if raw is None else digest_text(raw)}
        report["evidence"] = [dict(zip(("kind", "entry", "state", "verdict"), piece)) for piece in pieces]
        if best is not None:
            report["tier"] = next(tier for tier, state in TIER_STATES.items() if state == best)
            good = self.policy.suffices(best) and self.policy.condition_met(frame, content)
            report["class"] = "good" if good else "unchecked"
            report["state"] = best if frame.digest is not None else "identity_only"
            if content == "mismatch":
                report["state"], report["class"] = "content_mismatch", "negative"
        elif "invalid" in states:
            report["state"], report["class"] = "invalid", "negative"
        else:
            report["state"] = next((state for state in UNCHECKED_STATES if state in states), "unattested")
            report["class"] = "unchecked"
        return report

    # Findings (DESIGN §2).

    def note_frame(self, position, frame, report):
        raw, verified = self.raw_frames[position], "tier" in report
        if isinstance(raw, dict) and any(member(raw, name) is not None for name in INSIDE):
            self.findings.append("attestation_inside_frame")  # CGP F6, F11
        if frame is None:
            return
        if report["content"] == "mismatch":
            self.findings.append("content_mismatch")
        if report["content"] == "opaque_digest":
            self.findings.append("opaque_digest")
        if report["content"] == "no_content" and frame.digest is not None and verified:
            self.findings.append("uncompared_content")
        for link in frame.links:
            if link["type"] == "file" and digest_bytes(link["digest"]) is None:
                self.findings.append("file_link_without_digest")  # CGP F5
        for piece in report["evidence"]:
            if piece["state"] == "invalid" and piece["kind"] != "root":
                self.findings.append("invalid_evidence")
            if piece["kind"] == "entry":
                self.findings.append("empty_entry")

    def note_answer(self, frames, root, matched):
        pieces = [piece for frame in frames for piece in frame["evidence"] if piece["kind"] != "root"]
        # An entry with neither member asserts nothing (PROTOCOL §1): nothing of it is left unchecked.
        states = [piece["state"] for piece in pieces if piece["kind"] != "entry"] + ([root[1]] if root else [])
        if root and root[1] == "invalid":
            self.findings.append("root_mismatch" if root[2] == "commitment_mismatch" else "invalid_evidence")
        if any(state in VERIFYING for state in states):
            self.findings += ["unchecked_evidence" for state in states if state in UNCHECKED_STATES]
        attestations = [read_attestation(entry.attestation) for entry in matched.values()] + [self.attestation]
        self.findings += ["malformed_issued_at" for attestation in attestations
                          if attestation and instants.instant(attestation["issued_at"]) is None]
        if self.retained:
            if any(piece["kind"] == "inclusion" and piece["state"] in VERIFYING for piece in pieces):
                self.findings.append("leaf_count_is_a_claim")
            if contradicting(self.proofs):
                self.findings.append("contradicting_proofs")
        envelope = self.record.envelope or {}
        if any(member(envelope, name) is not None for name in ON_ENVELOPE):
            self.findings.append("envelope_attestations_ignored")
        if any(key.trusted_for == self.local_id != self.provider_id for key in self.used):
            self.findings.append("declared_name_differs")
        if self.has_evidence():
            self.session.signing.add(self.provider_id)
        elif self.provider_id in self.session.signing or any(name == self.provider_id and keys for name, keys, _ in self.session.acks):
            self.findings.append("stripped_evidence")

    def has_evidence(self):
        return bool(member(self.record.result, "frame_attestations")) or self.raw_attestation is not None

    def answer_class(self, frames, root):
        """Negative where a frame is or an error finding stands, else the worst of the frames, without frames the root's."""
        if ERRORS & set(self.findings):
            return "negative"
        if frames:
            return next(name for name in CLASSES if any(frame["class"] == name for frame in frames))
        if root and root[1] == "invalid":
            return "negative"
        # Of a retained part no root is recomputed: that some root is signed says nothing of an answer without frames.
        return "good" if root and self.policy.suffices(root[1]) and not self.retained else "unchecked"


def contradicting(proofs):
    """Whether well-shaped proofs state different counts or put different hashes at one node (DESIGN §2)."""
    if len({proof.count for proof, _ in proofs}) > 1:
        return True
    hash_at = {}
    return any(hash_at.setdefault(place, value) != value for proof, raw in proofs for place, value in merkle.placed(proof, raw))


# --- One input.


def judge_input(data, options):
    """The value of op `answer`."""
    try:
        policy = Policy(options)
    except BadPolicy:
        return {"answers": [], "errors": [], "exit_code": 2}
    session, answers, errors = Session(), [], []
    for record in records.read(data):
        if record.error:
            errors.append({"record": record.number, "code": record.error})
        elif record.kind == "handshake":
            session.add(record)
        elif record.kind == "answer":
            answers.append(Answer(record, session, policy).judge())
    return {"answers": answers, "errors": errors, "exit_code": exit_code(answers, errors)}


def exit_code(answers, errors):
    """DESIGN §2: 1 before 4 before 3; 0 needs at least one frame."""
    frames = [frame["class"] for answer in answers for frame in answer["frames"]]
    classes = [answer["class"] for answer in answers] + frames
    if "negative" in classes:
        return 1
    if errors or "unreadable" in classes:
        return 4
    return 3 if "unchecked" in classes or not frames else 0
