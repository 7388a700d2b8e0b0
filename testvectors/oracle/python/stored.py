"""What a host writes and reads beside verifying: lines of cgp-archive/1, the commitments of an input, files of provenance (DESIGN.md
§2, §3.2, §3.5)."""

import answers
import instants
import ranges
import records
from encoding import digest_bytes, digest_text, sha256
from policy import Policy, Session
from strictjson import DEEPEST, Fault, is_text, member, read_single


class Refused(Exception):
    """args[0] is the error that the op answers with."""


def archive_line(message, received_at, local_id):
    """The line of a message as an object; numbers keep their spelling."""
    if received_at is not None and instants.instant(received_at) is None:
        raise Refused("malformed_instant")
    try:
        value = read_single(message.encode("utf-8"))
    except Fault as fault:
        raise Refused(fault.code) from None
    record = records.classify(1, value)
    if record.error:
        raise Refused(record.error)
    if not is_text(member(value, "type")):  # a bare result, or a record of ours
        raise Refused("not_a_message")
    if local_id == "":
        raise Refused("malformed_local_id")
    if depth(value) >= DEEPEST:  # the line is one level more
        raise Refused("too_deep")
    line = {"format": "cgp-archive/1", "envelope": value}
    line.update((name, text) for name, text in (("received_at", received_at), ("local_id", local_id)) if text is not None)
    return line


def depth(value):
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else None
    return 0 if inner is None else 1 + max((depth(element) for element in inner), default=0)


def listing(data, provider):
    """The commitments of each answer; the first record that cannot be read ends the list."""
    session, out = Session(), []
    for record in records.read(data):
        if record.error:
            raise Refused(record.error)
        if record.kind == "handshake":
            session.add(record)
        elif record.kind == "answer":
            answer = answers.Answer(record, session, Policy({"provider": provider}))
            if answer.provider_id is None:
                raise Refused("no_provider")
            out.append(listed(answer))
    return out


def listed(answer):
    root = None if answer.retained else answer.root_under(answer.provider_id)
    places = {} if root is None else {position: leaf for leaf, position in enumerate(answer.leaf_order())}
    frames = [{"leaf_index": places.get(position), "frame_id": answer.readable_id(position),
               "commitment": None if raw is None else digest_text(raw)} for position, raw in enumerate(answer.commitments)]
    return {"record": answer.record.number, "provider_id": answer.provider_id, "frames": frames,
            "root": None if root is None else digest_text(root)}


def check_link(link, files):
    """(status, reason) of one link: what the link itself leaves open comes first (DESIGN §3.2, CGP F5 and F17)."""
    if link["type"] != "file":
        return "not_file", None
    if link["digest"] is None:
        return "unverifiable", "no_digest"
    want = digest_bytes(link["digest"])
    if want is None:
        return "unverifiable", "opaque_digest"
    try:
        ranges.addressed(link["range"], b"\n")
    except ranges.Unverifiable as reason:
        if reason.args[0] != "start_past_end":
            return "unverifiable", reason.args[0]
    if link["uri"] is None:
        return "unverifiable", "no_uri"
    if link["uri"] not in files:
        return "missing", None
    given = files[link["uri"]]
    if given is None:
        return "unverifiable", "unreadable_file"
    data = bytes.fromhex(given["file_hex"]) if given.get("file_hex") is not None else given["file"].encode("utf-8")
    try:
        found = ranges.addressed(link["range"], data)
    except ranges.Unverifiable as reason:
        return "unverifiable", reason.args[0]
    return ("match" if sha256(found) == want else "mismatch"), None


def provenance(data, given):
    """Every answer judged, and the files of its links compared beside it."""
    judged, session, policy, at = answers.judge_input(data, given), Session(), Policy(given), 0
    out, unchecked = [], False
    for record in records.read(data):
        if record.kind == "handshake":
            session.add(record)
        if record.kind != "answer":
            continue
        answer, frames = judged["answers"][at], answers.Answer(record, session, policy).frames
        at += 1
        findings, shown = list(answer["findings"]), []
        for frame, report in zip(frames, answer["frames"]):
            checked = [] if frame is None else [check_link(link, given["files"]) for link in frame.links]
            shown.append({"state": report["state"], "links": [{"status": status, "reason": reason} for status, reason in checked]})
            findings += ["provenance_mismatch" for status, _ in checked if status == "mismatch"]
            findings += ["provenance_unchecked" for status, _ in checked if status in ("missing", "unverifiable")]
        unchecked = unchecked or "provenance_unchecked" in findings
        if "provenance_mismatch" in findings:
            answer["class"] = "negative"
        out.append({"class": answer["class"], "frames": shown, "findings": sorted(findings)})
    code = answers.exit_code(judged["answers"], judged["errors"])
    return {"answers": out, "exit_code": 3 if code == 0 and unchecked else code}
