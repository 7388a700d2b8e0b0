"""Line ranges of file provenance (CGP F5, F17; PROTOCOL.md §6): which bytes `uri` + `range` address."""

import re

FORM = re.compile(r"L([1-9][0-9]*)(?:-([1-9][0-9]*))?")


class Unverifiable(Exception):
    """A range that addresses nothing; args[0] is the published reason."""


def lines_of(data):
    """Lines split on LF only and keep it; a final LF opens no further line; an empty file has no lines."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return lines + [parts[-1]] if parts[-1] else lines


def later(a, b):
    """Whether a decimal without leading zeros is greater: by length, then digit by digit, of any size."""
    return (len(a), a) > (len(b), b)


def unaddressed(reason, data):
    """Never the whole file, never a mismatch (CGP F17)."""
    raise Unverifiable(reason)


def addressed(text, data):
    """The bytes that a range addresses; None is the whole file."""
    if text is None:
        return data
    match = FORM.fullmatch(text)
    if match is None:
        return unaddressed("unrecognised", data)
    start, end = match.group(1), match.group(2) or match.group(1)
    if later(start, end):
        return unaddressed("inverted", data)
    lines = lines_of(data)
    if later(start, str(len(lines))):
        return unaddressed("start_past_end", data)
    first = int(start)
    last = len(lines) if later(end, str(len(lines))) else int(end)  # an end past the last line clamps
    return b"".join(lines[first - 1:last])
