"""What comes out of a compressed input: gzip (RFC 1952 around zlib's inflate) and, of zstd (RFC 8878), the blocks that hold their
bytes as they are or one byte many times; and the limits of this project on windows and expansion (DESIGN.md §4)."""

import zlib

LARGEST_WINDOW = 8 << 20
LARGEST_BLOCK = 128 << 10
SPAN, STEP, MOST = 64 << 20, 1 << 20, 1000


class Fault(Exception):
    """args[0] is the code."""


class NotHere(Exception):
    """A part of zstd that this decoder does not have."""


def need(condition, code="corrupt_compression"):
    if not condition:
        raise Fault(code)


class Output:
    """Collects bytes, and watches how many come out for how many that went in (over any 64 MiB, looked at each MiB)."""

    def __init__(self):
        self.data, self.size, self.taken_at = [], 0, [0]

    def add(self, data, taken):
        self.data.append(data)
        self.size += len(data)
        while len(self.taken_at) <= self.size // STEP:
            self.taken_at.append(taken)
            steps = SPAN // STEP
            if len(self.taken_at) > steps:
                need((taken - self.taken_at[-1 - steps]) * MOST >= SPAN, "expansion_limit")


def decompress(data):
    """(what came out, the code of the fault behind it or None)."""
    out = Output()
    try:
        if data.startswith(b"\x1f\x8b"):
            gunzip(data, out)
        elif data.startswith(b"\x28\xb5\x2f\xfd") or is_skippable(data):
            unzstd(data, out)
        else:
            return data, None
    except Fault as fault:
        return b"".join(out.data), fault.args[0]
    return b"".join(out.data), None


# --- gzip.


def gunzip(data, out):
    pos = 0
    while pos < len(data):
        need(data.startswith(b"\x1f\x8b", pos))
        pos = member(data, pos, out)


def member(data, pos, out):
    """One member (RFC 1952 §2.3), whose end is returned."""
    need(len(data) >= pos + 10 and data[pos + 2] == 8)
    flags = data[pos + 3]
    pos += 10
    if flags & 4:
        need(len(data) >= pos + 2)
        pos += 2 + int.from_bytes(data[pos:pos + 2], "little")
    for flag in (8, 16):
        if flags & flag:
            end = data.find(b"\x00", pos)
            need(end >= 0)
            pos = end + 1
    if flags & 2:
        pos += 2
    inflate, checksum, size = zlib.decompressobj(-15), 0, 0
    while not inflate.eof:
        need(pos < len(data))
        try:
            part = inflate.decompress(data[pos:pos + 1])
        except zlib.error:
            raise Fault("corrupt_compression") from None
        pos += 1
        checksum, size = zlib.crc32(part, checksum), size + len(part)
        out.add(part, pos)
    need(data[pos:pos + 8] == checksum.to_bytes(4, "little") + (size & 0xFFFFFFFF).to_bytes(4, "little"))
    return pos + 8


# --- zstd.


def is_skippable(data, pos=0):
    return data[pos + 1:pos + 4] == b"\x2a\x4d\x18" and data[pos] & 0xF0 == 0x50


def number(data, pos, size):
    need(len(data) >= pos + size)
    return int.from_bytes(data[pos:pos + size], "little")


def unzstd(data, out):
    pos = 0
    while pos < len(data):
        if is_skippable(data, pos):
            pos += 8 + number(data, pos + 4, 4)
            need(pos <= len(data))
        else:
            need(data.startswith(b"\x28\xb5\x2f\xfd", pos))
            pos = frame(data, pos + 4, out)


def frame(data, pos, out):
    """One frame (RFC 8878 §3.1.1), whose end is returned."""
    descriptor = number(data, pos, 1)
    pos += 1
    single, window = descriptor >> 5 & 1, 0
    if not single:
        exponent, mantissa = divmod(number(data, pos, 1), 8)
        window = (1 << 10 + exponent) * (8 + mantissa) // 8
        pos += 1
    pos += (0, 1, 2, 4)[descriptor & 3]
    width = (single, 2, 4, 8)[descriptor >> 6]
    declared = number(data, pos, width) + (256 if width == 2 else 0)
    pos += width
    need(max(window, declared if single else 0) <= LARGEST_WINDOW, "expansion_limit")
    held, last = [], False
    while not last:
        header = number(data, pos, 3)
        last, kind, size = header & 1, header >> 1 & 3, header >> 3
        pos += 3
        need(kind != 3 and size <= LARGEST_BLOCK)
        if kind == 2:
            raise NotHere("a compressed block")
        length = 1 if kind else size
        need(len(data) >= pos + length)
        block = data[pos:pos + 1] * size if kind else data[pos:pos + size]
        pos += length
        held.append(block)
        out.add(block, pos)
    if descriptor & 4:
        need(number(data, pos, 4) == xxh64(b"".join(held)) & 0xFFFFFFFF)
        pos += 4
    return pos


PRIMES = (0x9E3779B185EBCA87, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0x85EBCA77C2B2AE63, 0x27D4EB2F165667C5)
LONG = (1 << 64) - 1


def turned(value, count):
    return (value << count | value >> 64 - count) & LONG


def xxh64(data):
    """XXH64 with seed 0 (xxHash specification)."""
    p1, p2, p3, p4, p5 = PRIMES

    def step(lane, word):
        return turned(lane + word * p2 & LONG, 31) * p1 & LONG

    pos, total = 0, p5
    if len(data) >= 32:
        lanes = [p1 + p2 & LONG, p2, 0, -p1 & LONG]
        while pos + 32 <= len(data):
            lanes = [step(lane, int.from_bytes(data[pos + 8 * i:pos + 8 * i + 8], "little")) for i, lane in enumerate(lanes)]
            pos += 32
        total = sum(turned(lane, count) for lane, count in zip(lanes, (1, 7, 12, 18))) & LONG
        for lane in lanes:
            total = (total ^ step(0, lane)) * p1 + p4 & LONG
    total = total + len(data) & LONG
    while pos + 8 <= len(data):
        total = turned(total ^ step(0, int.from_bytes(data[pos:pos + 8], "little")), 27) * p1 + p4 & LONG
        pos += 8
    if pos + 4 <= len(data):
        total = turned(total ^ int.from_bytes(data[pos:pos + 4], "little") * p1 & LONG, 23) * p2 + p3 & LONG
        pos += 4
    for byte in data[pos:]:
        total = turned(total ^ byte * p5 & LONG, 11) * p1 & LONG
    for shift, prime in ((33, p2), (29, p3)):
        total = (total ^ total >> shift) * prime & LONG
    return total ^ total >> 32
