"""A strict JSON reader (RFC 8259 with the refusals of PROTOCOL.md §7 and the limits of DESIGN.md §4).

One pass over bytes; the first fault met in byte order names the error. Numbers stay text (class Number), objects are
dicts, null is None. Written from the RFC's grammar.
"""

import re

DEEPEST = 128
MOST_MEMBERS = 100_000
LARGEST = 64 << 20

SPACE = re.compile(rb"[ \t\n\r]*")
PLAIN = re.compile(rb'[^"\\\x00-\x1f]*')
NUMBER = re.compile(rb"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
NUMBER_CUT = re.compile(rb"[.]|[eE][+-]?")
ESCAPES = {b'"': '"', b"\\": "\\", b"/": "/", b"b": "\b", b"f": "\f", b"n": "\n", b"r": "\r", b"t": "\t"}
LITERALS = {b"true": True, b"false": False, b"null": None}


class Number(str):
    """A number as it was spelt."""


class Fault(Exception):
    """An unreadable value: an error code of DESIGN §2 and where the reader stood."""

    def __init__(self, code, at):
        super().__init__(code)
        self.code, self.at = code, at


def is_text(value):
    """A JSON string; a Number is text only here."""
    return isinstance(value, str) and not isinstance(value, Number)


def member(obj, name):
    """The member of that exact name; missing and null are both None: absent (CGP §1, PROTOCOL §7)."""
    return obj.get(name)


def uint64(value):
    """The integer of a Number spelt in plain digits and at most 2^64−1, else None (PROTOCOL §7)."""
    if isinstance(value, Number) and re.fullmatch("0|[1-9][0-9]{0,19}", value) and int(value) < 1 << 64:
        return int(value)
    return None


def store_member(members, name, value_reader, at):
    """A duplicate name makes the record unreadable; names compare after unescaping (PROTOCOL §7)."""
    if name in members:
        raise Fault("duplicate_member", at)
    members[name] = None  # seen; its value is read next
    members[name] = value_reader()


class Reader:
    """Reads one value that starts at `start`."""

    def __init__(self, data, start=0):
        self.data, self.start, self.pos, self.depth = data, start, start, 0

    def fail(self, code="syntax"):
        """The byte at pos is not allowed here: nothing left is `cut`, a byte that is no UTF-8 is `invalid_utf8`."""
        if self.pos - self.start > LARGEST:
            code = "too_large"
        elif code == "syntax" and self.pos >= len(self.data):
            code = "cut"
        elif code == "syntax" and self.data[self.pos] >= 0x80:
            check_sequence(self.data[self.pos:self.pos + 4], self.pos, self.pos + 4 > len(self.data))
        raise Fault(code, self.pos)

    def skip_space(self):
        self.pos = SPACE.match(self.data, self.pos).end()

    def peek(self):
        return self.data[self.pos:self.pos + 1]

    def value(self):
        """The value at pos, which is left behind it."""
        first = self.peek()
        if first in (b"{", b"["):
            self.depth += 1
            if self.depth > DEEPEST:
                self.fail("too_deep")
            self.pos += 1
            result = self.members() if first == b"{" else self.elements()
            self.depth -= 1
        elif first == b'"':
            result = self.string()
        elif first in (b"t", b"f", b"n"):
            result = self.literal()
        else:
            result = self.number()
        if self.pos - self.start > LARGEST:
            self.fail("too_large")
        return result

    def members(self):
        result = {}
        self.skip_space()
        if self.peek() == b"}":
            self.pos += 1
            return result
        while True:
            self.skip_space()
            at = self.pos
            if self.peek() != b'"':
                self.fail()
            name = self.string()
            if len(result) == MOST_MEMBERS:
                raise Fault("too_many_members", at)
            store_member(result, name, self.member_value, at)
            if self.closes(b"}"):
                return result

    def member_value(self):
        self.skip_space()
        if self.peek() != b":":
            self.fail()
        self.pos += 1
        self.skip_space()
        return self.value()

    def elements(self):
        result = []
        self.skip_space()
        if self.peek() == b"]":
            self.pos += 1
            return result
        while True:
            self.skip_space()
            result.append(self.value())
            if self.closes(b"]"):
                return result

    def closes(self, bracket):
        """After a member or element: True at the closing bracket, False at a comma."""
        self.skip_space()
        byte = self.peek()
        if byte not in (b",", bracket) or not byte:
            self.fail()
        self.pos += 1
        return byte == bracket

    def literal(self):
        for word, value in LITERALS.items():
            if self.data.startswith(word, self.pos):
                self.pos += len(word)
                return value
            if self.data[self.pos:] and word.startswith(self.data[self.pos:self.pos + len(word)]):
                self.pos = len(self.data)  # the input ends inside the word
        self.fail()

    def number(self):
        match = NUMBER.match(self.data, self.pos)
        cut = NUMBER_CUT.fullmatch(self.data, match.end()) if match else self.data[self.pos:] == b"-"
        if cut:
            self.pos = len(self.data)  # the input ends inside the number
        if cut or match is None:
            self.fail()
        self.pos = match.end()
        return Number(match.group().decode("ascii"))

    def string(self):
        parts = []
        self.pos += 1
        while True:
            end = PLAIN.match(self.data, self.pos).end()
            parts.append(decode(self.data[self.pos:end], self.pos, end == len(self.data)))
            self.pos = end
            byte = self.peek()
            if byte == b'"':
                self.pos += 1
                return "".join(parts)
            if byte != b"\\":
                self.fail()
            parts.append(self.escape())

    def escape(self):
        letter = self.data[self.pos + 1:self.pos + 2]
        if letter in ESCAPES:
            self.pos += 2
            return ESCAPES[letter]
        at = self.pos
        unit = self.code_unit()
        if 0xD800 <= unit <= 0xDBFF:
            if b"\\u".startswith(self.data[self.pos:self.pos + 2]):
                low = self.code_unit()
                if 0xDC00 <= low <= 0xDFFF:
                    return chr(0x10000 + (unit - 0xD800 << 10) + low - 0xDC00)
            raise Fault("lone_surrogate", at)
        if 0xDC00 <= unit <= 0xDFFF:
            raise Fault("lone_surrogate", at)
        return chr(unit)

    def code_unit(self):
        """The number of a \\uXXXX at pos."""
        for allowed in (rb"\\", b"u") + (b"[0-9a-fA-F]",) * 4:
            if not re.fullmatch(allowed, self.peek()):
                self.fail()
            self.pos += 1
        return int(self.data[self.pos - 4:self.pos], 16)


def decode(chunk, at, may_end_early):
    """UTF-8, strictly; a sequence that the end of the input cuts off is `cut`."""
    try:
        return chunk.decode("utf-8")
    except UnicodeDecodeError as error:
        cut = may_end_early and error.reason == "unexpected end of data"
        raise Fault("cut" if cut else "invalid_utf8", at + error.start) from None


def check_sequence(chunk, at, ends):
    """Refuses a chunk of four bytes or less that does not begin with a whole UTF-8 sequence."""
    for size in range(1, len(chunk) + 1):
        try:
            return chunk[:size].decode("utf-8")
        except UnicodeDecodeError:
            continue
    return decode(chunk, at, ends)


def read_single(data):
    """The one value of a key, trust, proof or attestation file, with nothing after it (PROTOCOL §7)."""
    if data.startswith(b"\xef\xbb\xbf"):
        raise Fault("byte_order_mark", 0)
    reader = Reader(data)
    reader.skip_space()
    value = reader.value()
    reader.skip_space()
    if reader.pos < len(data):
        raise Fault("trailing_bytes", reader.pos)
    return value
