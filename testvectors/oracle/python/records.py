"""From the bytes of one input to records (DESIGN.md §2): framing, going on after an unreadable value, kinds of records."""

import re

from strictjson import DEEPEST, SPACE, Fault, Reader, is_text, member

BOM = b"\xef\xbb\xbf"
MOST_FRAMES = 1_000_000
MOST_LINKS = 10_000
BLANK = re.compile(rb"[ \t\r]*")
BRACKETS = re.compile(rb'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|["{}\[\]]')
CLOSES = {b"}": b"{", b"]": b"["}


class Record:
    """kind is answer, handshake, passed_over or None where `error` holds a code."""

    def __init__(self, number, kind=None, error=None):
        self.number, self.kind, self.error = number, kind, error
        self.result = self.envelope = self.provider_id = self.attester_keys = None
        self.local_id = self.received_at = None
        self.retained = False


# --- Framing.


def closing(data, start, end, line=None):
    """Where the brackets of the value at `start` close before `end`, or None: it is no bracket, they do not match, or a string is open
    at the end of its line (a JSON string holds no LF). Behind the end of `line`, where one is given, a value nested deeper
    than any of ours is given up, so that many open brackets cost no square of their number."""
    if data[start:start + 1] not in (b"{", b"["):
        return None
    stack = []
    for match in BRACKETS.finditer(data, start, end):
        if line is not None and match.start() > line and len(stack) > DEEPEST:
            return None
        token = match.group()
        if token in (b"{", b"["):
            stack.append(token)
        elif token in CLOSES:
            if stack.pop() != CLOSES[token]:
                return None
            if not stack:
                return match.end()
        elif token == b'"':
            return None
    return None


def line_end(data, start):
    end = data.find(b"\n", start)
    return len(data) if end < 0 else end


def only_values_follow(data, pos):
    """After a value, white space or the first byte of another object or array may stand on its line (DESIGN §2)."""
    pos = BLANK.match(data, pos).end()
    return data[pos:pos + 1] in (b"", b"\n", b"{", b"[")


def resume(data, opened, start, at):
    """Where reading goes on after what is unreadable from `start` on, the fault found at `at`; brackets count from `opened`.

    In one line: where the brackets close, else the next line.
    Over several lines: the first line below the first that starts with a bracket (DESIGN §2).
    """
    line = line_end(data, start)
    end = closing(data, opened, line)
    if end is not None:
        return end
    if at <= line and closing(data, opened, len(data), line) is None:
        return line + 1
    while line < len(data):
        if data[line + 1:line + 2] in (b"{", b"["):
            return line + 1
        line = line_end(data, line + 1)
    return len(data)


def values(data):
    """(value, error code) of each record in order; the code is None for a readable value."""
    pos = 0
    if data.startswith(BOM):
        yield None, "byte_order_mark"
        pos = resume(data, len(BOM), len(BOM), 0)
    while True:
        pos = SPACE.match(data, min(pos, len(data))).end()
        if pos >= len(data):
            return
        if data[pos:pos + 1] == b"[":
            pos = yield from array_values(data, pos)
            continue
        reader = Reader(data, pos)
        try:
            value = reader.value()
            if not only_values_follow(data, reader.pos):
                raise Fault("trailing_bytes", reader.pos)
            yield value, None
            pos = reader.pos
        except Fault as fault:
            yield None, fault.code
            pos = resume(data, pos, pos, fault.at)


def array_values(data, opened):
    """Yields the elements of a top-level array as records; returns where reading goes on."""
    pos = SPACE.match(data, opened + 1).end()
    if data[pos:pos + 1] == b"]":
        pos += 1
    else:
        while True:
            start = pos = SPACE.match(data, pos).end()
            value = fault = None
            try:
                reader = Reader(data, start)
                value, pos = reader.value(), reader.pos
            except Fault as caught:
                fault = caught
                pos = closing(data, start, len(data))
                if pos is None:  # the rest of the array is one error
                    yield None, fault.code
                    return resume(data, opened, start, fault.at)
            pos = SPACE.match(data, pos).end()
            byte = data[pos:pos + 1]
            if byte in (b",", b"]", b""):
                yield value, fault and fault.code
                pos += 1
                if byte == b"]":
                    break
                if byte == b"":
                    yield None, "cut"
                    return len(data)
            else:
                yield None, fault.code if fault else "trailing_bytes"
                return resume(data, opened, start, pos)
    if not only_values_follow(data, pos):
        yield None, "trailing_bytes"
        return line_end(data, pos) + 1
    return pos


# --- Kinds.


def classify(number, value):
    """What is a record (DESIGN §2): `type` first, then `format`, then a `frames` array."""
    if not isinstance(value, dict):
        return Record(number, error="not_a_message")
    if is_text(member(value, "type")):
        return message(number, value)
    name = member(value, "format")
    if not is_text(name):
        return bare(number, value)
    if name == "cgp-archive/1":
        envelope = member(value, "envelope")
        if not isinstance(envelope, dict):
            return Record(number, error="malformed_record")
        if not is_text(member(envelope, "type")):  # an envelope is a message, not a bare result (DESIGN §2)
            return Record(number, error="malformed_record")
        record = message(number, envelope)
    elif name == "cgp-evidence/1":
        record = answer(number, member(value, "result"))
        record.provider_id, record.retained = member(value, "provider_id"), True
        record.attester_keys = member(value, "attester_keys")
        if not is_text(record.provider_id):
            return Record(number, error="malformed_record")
    else:
        return Record(number, error="unsupported_format")
    record.local_id, record.received_at = member(value, "local_id"), member(value, "received_at")
    if not all(text is None or is_text(text) for text in (record.local_id, record.received_at)):
        return Record(number, error="malformed_record")  # they are trusted on demand: no guess at what they mean
    return record


def message(number, value):
    kind = member(value, "type")
    if kind == "frames":
        record = answer(number, member(value, "result"))
        record.envelope = value
        return record
    if kind == "handshake_ack":
        provider = member(value, "provider")
        name = member(provider, "name") if isinstance(provider, dict) else None
        if not is_text(name):
            return Record(number, error="malformed_handshake")
        record = Record(number, "handshake")
        record.provider_id, record.attester_keys = name, member(value, "attester_keys")
        return record
    return Record(number, "passed_over")


def bare(number, value):
    if isinstance(member(value, "frames"), list):
        return answer(number, value)
    return Record(number, error="not_a_message")


def answer(number, result):
    frames = member(result, "frames") if isinstance(result, dict) else None
    if not isinstance(frames, list):
        return Record(number, error="malformed_record")
    if len(frames) > MOST_FRAMES:
        return Record(number, error="too_many_frames")
    entries = member(result, "frame_attestations")
    if isinstance(entries, list) and len(entries) > MOST_FRAMES:
        return Record(number, error="too_many_frames")
    links = [member(frame, "provenance") for frame in frames if isinstance(frame, dict)]
    if any(isinstance(chain, list) and len(chain) > MOST_LINKS for chain in links):
        return Record(number, error="too_many_links")
    record = Record(number, "answer")
    record.result = result
    return record


def read(data):
    """The records of one input; every value counts from 1, elements one by one, unreadable ones too (DESIGN §3.3)."""
    for index, (value, code) in enumerate(values(data)):
        yield Record(index + 1, error=code) if code else classify(index + 1, value)
