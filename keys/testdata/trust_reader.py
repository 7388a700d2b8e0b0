"""A strict reader of contextgraph-trust/1, written from the text of the format and not from the Go code.

For every file named on the command line it prints a line: "accept", or "reject" and why. Only the standard library is used.
"""

import hashlib
import json
import re
import sys

MAX_FILE = 1024 * 1024
MAX_PINNED = 16

# Ed25519 (RFC 8032 section 5.1), in integers.
P = 2**255 - 19
D = -121665 * pow(121666, P - 2, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


class Reject(Exception):
    pass


def need(condition, why):
    if not condition:
        raise Reject(why)


def decode_point(raw):
    y = int.from_bytes(raw, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    need(y < P, "key is not canonical")
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    if v * x * x % P == (-u) % P:
        x = x * SQRT_M1 % P
    need(v * x * x % P == u, "key is not on the curve")
    need(not (x == 0 and sign == 1), "key is not canonical")
    return (P - x if x % 2 != sign else x), y


def double(point):
    x, y = point
    t = D * x * x * y * y % P
    return 2 * x * y * pow(1 + t, P - 2, P) % P, (y * y + x * x) * pow(1 - t, P - 2, P) % P


def check_key(raw):
    point = decode_point(raw)
    for _ in range(3):
        point = double(point)
    need(point != (0, 1), "key has small order")


def days(year, month):
    if month == 2:
        return 29 if year % 4 == 0 and (year % 100 != 0 or year % 400 == 0) else 28
    return 30 if month in (4, 6, 9, 11) else 31


def instant(text):
    m = re.fullmatch(r"([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]+))?Z", text, re.ASCII)
    need(m, "instant is malformed")
    year, month, day, hour, minute, second = map(int, m.groups()[:6])
    need(1 <= month <= 12 and 1 <= day <= days(year, month), "no such date")
    need(hour <= 23 and minute <= 59 and second <= 60, "no such time")
    return year, month, day, hour, minute, second, (m.group(7) or "").rstrip("0")


def pairs(members):
    names = [name for name, _ in members]
    need(len(set(names)) == len(names), "duplicate member")
    return dict(members)


def no_constant(text):
    raise Reject("not JSON: " + text)


def check_text(value):
    """Every string in the file, names too, is Unicode: no half of a surrogate pair."""
    if isinstance(value, str):
        need(not any(0xD800 <= ord(c) <= 0xDFFF for c in value), "lone surrogate")
    elif isinstance(value, list):
        for item in value:
            check_text(item)
    elif isinstance(value, dict):
        for name, item in value.items():
            check_text(name)
            check_text(item)


def optional(obj, name):
    value = obj.get(name)
    need(value is None or isinstance(value, str), name + " is no string")
    return value


def required(obj, name):
    value = optional(obj, name)
    need(value is not None, name + " is missing")
    return value


def check_entry(entry):
    need(isinstance(entry, dict), "a key is no object")
    known = {"key_id", "algorithm", "public_key", "fingerprint", "not_before", "not_after", "tier"}
    need(set(entry) <= known, "unknown member")
    key_id, algorithm, public = (required(entry, name) for name in ("key_id", "algorithm", "public_key"))
    need(key_id != "", "empty key_id")
    need(algorithm == "ed25519", "algorithm")
    need(re.fullmatch(r"[0-9a-fA-F]{64}", public, re.ASCII), "public_key is not 64 hex characters")
    raw = bytes.fromhex(public)
    check_key(raw)
    fingerprint = optional(entry, "fingerprint")
    need(fingerprint in (None, "sha256:" + hashlib.sha256(raw).hexdigest()), "fingerprint")
    before, after = optional(entry, "not_before"), optional(entry, "not_after")
    ends = [instant(end) for end in (before, after) if end is not None]
    need(len(ends) < 2 or ends[0] <= ends[1], "inverted window")
    tier = optional(entry, "tier")
    need(tier in (None, "configured", "pinned"), "tier")
    return key_id, tier == "pinned"


def check_file(data):
    need(len(data) <= MAX_FILE, "too large")
    try:
        text = data.decode("utf-8", "strict")
        need(not text.startswith("\ufeff"), "byte order mark")
        value = json.loads(text, object_pairs_hook=pairs, parse_constant=no_constant)
    except ValueError as error:
        raise Reject("not JSON: %s" % error)
    check_text(value)
    need(isinstance(value, dict), "no object")
    need(value.get("format") == "contextgraph-trust/1", "format")
    need(set(value) <= {"format", "providers"}, "unknown member")
    providers = value.get("providers")
    if providers is None:
        return
    need(isinstance(providers, dict), "providers is no object")
    for local_id, entries in providers.items():
        need(local_id != "", "empty provider id")
        need(isinstance(entries, list), "a provider is no array")
        checked = [check_entry(entry) for entry in entries]
        ids = [key_id for key_id, _ in checked]
        need(len(set(ids)) == len(ids), "the same key_id twice")
        need(sum(pinned for _, pinned in checked) <= MAX_PINNED, "too many pinned keys")


def main():
    for name in sys.argv[1:]:
        with open(name, "rb") as file:
            data = file.read()
        try:
            check_file(data)
            print("accept")
        except Reject as why:
            print("reject", why)


main()
