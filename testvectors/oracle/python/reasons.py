"""Why evidence cannot be evaluated, why a key is out of service, and what is wrong with a frame (DESIGN.md §2: `reason`)."""

import instants
import records
from answers import Answer
from encoding import LINK_MEMBERS
from merkle import read_proof
from policy import Policy, Session
from strictjson import is_text, member
from verdicts import ATTESTATION_MEMBERS, read_attestation


def of_members(raw, names):
    """What is wrong with an object that is to have some strings."""
    if not isinstance(raw, dict):
        return "ill_typed_member"
    return "missing_member" if any(member(raw, name) is None for name in names) else "ill_typed_member"


def of_proof(raw):
    if isinstance(raw, dict):
        for step in member(raw, "path") if isinstance(member(raw, "path"), list) else []:
            if isinstance(step, dict) and None in (member(step, "sibling"), member(step, "sibling_is_left")):
                return "missing_member"
    return of_members(raw, ("leaf_index", "leaf_count", "path"))


def of_frame(raw):
    if not isinstance(raw, dict):
        return "not_an_object"
    if not is_text(member(raw, "id")):
        return of_members(raw, ("id",))
    for link in member(raw, "provenance") if isinstance(member(raw, "provenance"), list) else []:
        if not isinstance(link, dict):
            return "not_an_object"
        if not all(is_text(member(link, name)) for name in ("type",) + LINK_MEMBERS if name == "type" or member(link, name) is not None):
            return of_members(link, ("type",))
    return "ill_typed_member"


class Reasons(Answer):
    def out_of_service(self, attestation):
        key = self.keys.find(attestation)
        return instants.window(key.not_before, key.not_after, self.at)

    def nobody(self):
        if self.source == "none":
            return "provider_unknown"
        return "provider_mismatch" if self.blocked else None

    def of_root(self, state):
        if state == "key_not_in_service":
            return self.out_of_service(self.attestation)
        if state != "unusable":
            return None
        if self.attestation is None:
            return of_members(self.raw_attestation, ATTESTATION_MEMBERS)
        return self.nobody() or "malformed_frame"

    def of_piece(self, piece):
        if piece["kind"] == "root":
            return self.of_root(piece["state"])
        entry = next(entry for entry in self.entries if entry.index == piece["entry"])
        if piece["state"] == "key_not_in_service":
            return self.out_of_service(self.attestation if piece["kind"] == "inclusion" else read_attestation(entry.attestation))
        if piece["state"] != "unusable":
            return None
        if piece["kind"] == "entry":
            return "empty_entry"
        if piece["kind"] == "signature":
            return of_members(entry.attestation, ATTESTATION_MEMBERS) if read_attestation(entry.attestation) is None else self.nobody()
        return of_proof(entry.proof) if read_proof(entry.proof) is None else self.nobody() or "no_signed_root"

    def told(self):
        report = self.judge()
        frames = []
        for frame, raw in zip(report["frames"], self.raw_frames):
            evidence = [{"kind": piece["kind"], "entry": piece["entry"], "reason": self.of_piece(piece)} for piece in frame["evidence"]]
            reason = of_frame(raw) if frame["state"] == "malformed_frame" else None
            frames.append({"position": frame["position"], "reason": reason, "evidence": evidence})
        root = report["root"] and self.of_root(report["root"]["state"])
        return {"record": report["record"], "root": root, "frames": frames}


def reasons(data, options):
    """The value of op `reasons`."""
    session, told, policy = Session(), [], Policy(options)
    for record in records.read(data):
        if record.kind == "handshake":
            session.add(record)
        elif record.kind == "answer":
            told.append(Reasons(record, session, policy).told())
    return told
