"""Proving and keeping frames of a complete answer, and checking one proof or attestation (DESIGN.md §3.4, §3.5; CGP F13).

No key is needed to keep: the root over all frames must be the signed one before anything is dropped. A key at hand under which
a signature is bad refuses.
"""

import merkle
import records
from answers import Answer, read_frame_id
from encoding import MalformedFrame, commitment, digest_bytes, digest_text
from policy import Policy, Session
from signing import Refused, require
from strictjson import Fault, is_text, member, read_single
from verdicts import VERIFYING, Key, Question, evaluate, read_attestation, read_frame


def chosen_answers(data, policy, record_number=None, everywhere=False):
    """The answers that are meant: the only one, one by its record, or all."""
    session, found = Session(), []
    for record in records.read(data):
        if record_number is not None and record.number > record_number:
            break
        if record.error:
            require(record_number not in (None, record.number), record.error)
        elif record.kind == "handshake":
            session.add(record)
        elif record.kind == "answer" and record_number in (None, record.number):
            found.append(Answer(record, session, policy))
    require(found, "no_answer")
    require(len(found) == 1 or everywhere, "several_answers")
    return found


def whole(answer):
    """Refuses what is no complete answer of a known provider."""
    require(not answer.record.retained, "retained_subset")
    require(answer.source != "none", "no_provider")
    require(not answer.blocked, "provider_mismatch")


def grown(answer):
    """The root over all frames, which has to be the signed one, where one is (CGP F12, F13)."""
    require(None not in answer.frames, "malformed_frame")
    root = answer.root_under(answer.provider_id)
    if answer.raw_attestation is not None:
        require(answer.attestation is not None, "unusable_root")
        require(digest_bytes(answer.attestation["signed_commitment"]) == root, "root_mismatch")
    return root


# --- References to frames: ID[@DIGEST], the whole text an id first, or a FrameId.


def read_reference(raw):
    if is_text(raw):
        return raw
    return raw["provider_id"], (raw["frame_id"], raw.get("content_digest"))


def read_lines(text):
    """A reference a line: a FrameId as JSON where the line begins with a brace."""
    found = []
    for line in text.split("\n"):
        line = line.rstrip("\r")
        if line.startswith("{"):
            try:
                named = read_frame_id(read_single(line.encode("utf-8")))
            except Fault:
                named = None
            require(named is not None, "malformed_reference")
            found.append(named)
        elif line:
            found.append(line)
    return found


def matching(answer, reference):
    keys = [answer.frame_key(position) for position in range(len(answer.frames))]
    if not is_text(reference):
        return [position for position, key in enumerate(keys) if reference == (answer.provider_id, key)]
    named = [position for position, key in enumerate(keys) if key and key[0] == reference]
    if named or "@" not in reference:
        return named
    frame_id, digest = reference.rsplit("@", 1)
    return [position for position, key in enumerate(keys) if key == (frame_id, digest or None)]


def find(answer, reference):
    """The positions of one distinct frame, which may be carried several times."""
    positions = matching(answer, reference)
    require(positions, "unknown_frame")
    require(len({distinct_key(answer, position) for position in positions}) == 1, "ambiguous_frame")
    return positions


def distinct_key(answer, position):
    return answer.frame_key(position), answer.commitments[position]


def distinct(answer, positions):
    first = {}
    for position in sorted(positions):
        first.setdefault(distinct_key(answer, position), position)
    return sorted(first.values())


def frame_id_of(answer, position):
    frame_id, digest = answer.frame_key(position)
    named = {"provider_id": answer.provider_id, "frame_id": frame_id}
    return named if digest is None else dict(named, content_digest=digest)


def proof_of(answer, position):
    order = answer.leaf_order()
    return merkle.prove([answer.commitments[at] for at in order], order.index(position))


def prove_frames(data, given):
    """The value of op `prove_frames`."""
    number = given.get("record")
    answer = chosen_answers(data, Policy({"provider": given.get("provider")}), None if number is None else int(number))[0]
    whole(answer)
    root, named = grown(answer), given.get("frames")
    positions = range(len(answer.frames))
    if named is not None:
        positions = [position for raw in named for position in find(answer, read_reference(raw))]
    return {"record": answer.record.number, "provider_id": answer.provider_id, "root": digest_text(root),
            "signed": answer.raw_attestation is not None, "proofs": [
                {"frame": frame_id_of(answer, position), "commitment": digest_text(answer.commitments[position]),
                 "inclusion_proof": proof_of(answer, position)} for position in distinct(answer, positions)]}


# --- Keeping.


def bad_at_any_time(answer, attestation):
    """Whether an attestation is bad under the key at hand: a window says when evidence counts, not what a signature is."""
    key = answer.keys.find(attestation)
    if key is None:
        return False
    key = Key(key.algorithm, key.public_key, key.tier)
    return evaluate(Question(attestation, digest_bytes(attestation["signed_commitment"]), lambda _: key))[0] == "invalid"


def signature_of(answer, frame_report):
    """The attestation that goes along with a frame: one that verifies, else one that nobody here can check, else None."""
    by_index = {entry.index: entry for entry in answer.entries}
    verified, unchecked = [], []
    for piece in frame_report["evidence"]:
        if piece["kind"] != "signature":
            continue
        require(piece["state"] != "invalid", "invalid_evidence")
        attestation = read_attestation(by_index[piece["entry"]].attestation)
        if attestation is None:
            continue
        if piece["state"] in VERIFYING:
            verified.append(attestation)
        else:
            require(not bad_at_any_time(answer, attestation), "invalid_evidence")
            unchecked.append(attestation)
    return (verified + unchecked + [None])[0]


def kept_of(answer, positions, form):
    """{root, entries} of what is kept, or Refused."""
    report = answer.judge()
    rooted = answer.raw_attestation is not None
    if rooted:
        grown(answer)
        require(report["root"]["state"] != "invalid", "invalid_evidence")
        require(not bad_at_any_time(answer, answer.attestation), "invalid_evidence")
    require(answer.has_evidence(), "unsigned")
    signatures = {}
    for position in positions:
        frame = report["frames"][position]
        require(frame["state"] != "malformed_frame", "malformed_frame")
        require(frame["content"] != "mismatch", "content_mismatch")
        signatures[position] = signature_of(answer, frame)
        require(signatures[position] is not None or rooted and form == "evidence", "unsigned_frame")
    entries = []
    for position in distinct(answer, positions):
        entry = {"frame": frame_id_of(answer, position)}
        if signatures[position] is not None:
            entry["attestation"] = signatures[position]
        if rooted and form == "evidence":
            entry["inclusion_proof"] = proof_of(answer, position)
        entries.append(entry)
    root = answer.attestation["signed_commitment"] if rooted and form == "evidence" else None
    return {"root": root, "entries": entries}


def retain(data, given):
    """The value of op `retain`."""
    form, everywhere, number = given.get("form") or "evidence", bool(given.get("everywhere")), given.get("record")
    keep = [read_reference(raw) for raw in given.get("keep") or []] + read_lines(given.get("keep_from") or "")
    drop = [read_reference(raw) for raw in given.get("drop") or []]
    require(form in ("evidence", "envelope"), "unknown_form")
    require(given.get("provider") != "", "malformed_id")
    require(keep or drop, "nothing_kept")
    require(not drop or not keep and not everywhere, "keep_and_drop")
    options = {name: given.get(name) for name in ("trusted", "published", "provider", "local_id", "received_at")}
    policy = Policy(dict(options, require="constructed"))
    found, told = set(), []
    for answer in chosen_answers(data, policy, None if number is None else int(number), everywhere):
        if everywhere and not any(matching(answer, reference) for reference in keep):
            continue
        whole(answer)
        chosen = set()
        for reference in keep + drop:
            if everywhere and not matching(answer, reference):
                continue
            named = find(answer, reference)
            found.add(reference)
            chosen.update(named[:1] if keep else named)
        positions = sorted(chosen if keep else set(range(len(answer.frames))) - chosen)
        require(positions, "nothing_kept")
        told.append(dict(kept_of(answer, positions, form), record=answer.record.number))
    require(all(reference in found for reference in keep), "unknown_frame")
    if everywhere:
        return told
    return {"root": told[0]["root"], "entries": told[0]["entries"]}


# --- Checking.


def read_file(text, rule):
    try:
        return read_single(text.encode("utf-8"))
    except Fault:
        raise Refused(rule) from None


def proof_in(raw):
    """The proof in a file: alone, in an object that has one, or in an array of one such object."""
    if isinstance(raw, list):
        require(len(raw) == 1, "unusable")
        raw = raw[0]
    if isinstance(raw, dict) and "inclusion_proof" in raw:
        raw = raw["inclusion_proof"]
    proof = merkle.read_proof(raw)
    require(proof is not None, "unusable")
    return proof


def check(given):
    """The verdict of op `check`."""
    leaf, binds = digest_bytes(given["commitment"]) if given.get("commitment") else None, True
    if given.get("frame") is not None:
        try:
            frame = read_frame(read_file(given["frame"], "malformed_frame"))
        except MalformedFrame:
            raise Refused("malformed_frame") from None
        leaf, binds = commitment(given["provider_id"], frame), frame.digest is not None
    proof = attestation = None
    if given.get("proof") is not None:
        proof = proof_in(read_file(given["proof"], "unusable"))
    if given.get("attestation") is None:
        if not merkle.well_formed(proof):
            return "malformed_commitment"
        if proof.fold(leaf)[-1] != digest_bytes(given["root"]):
            return "commitment_mismatch"
        return "valid" if binds else "valid_identity_only"
    attestation = read_attestation(read_file(given["attestation"], "unusable"))
    require(attestation is not None, "unusable")
    key = Key(given["public_key"]["algorithm"], given["public_key"]["public_key"], "configured")
    fine = proof is None or merkle.well_formed(proof)
    expected = leaf if proof is None else proof.fold(leaf)[-1] if fine else None
    return evaluate(Question(attestation, expected, lambda _: key, proof_ok=fine, binds_content=binds if proof else True,
                             algorithms=given.get("algorithms", ["ed25519"])))[1]
