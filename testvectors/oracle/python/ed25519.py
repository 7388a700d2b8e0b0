"""Strict Ed25519 over big integers (RFC 8032 §5.1; the rules of CGP §6.5.4 as PROTOCOL.md §4 spells them).

Written from the RFC's formulas and the strict rule; points are extended coordinates (X, Y, Z, T). Not constant time:
for checking, never for secrets that matter.
"""

import functools
import hashlib

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P
SQRT_MINUS_1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def add(p, q):
    """RFC 8032 §5.1.4, complete addition."""
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * D * p[3] * q[3] % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p):
    """RFC 8032 §5.1.4."""
    a, b, c = p[0] * p[0] % P, p[1] * p[1] % P, 2 * p[2] * p[2] % P
    h = a + b
    e, g = h - (p[0] + p[1]) ** 2 % P, a - b
    f = c + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negate(p):
    return -p[0] % P, p[1], p[2], -p[3] % P


def is_identity(p):
    return p[0] == 0 and p[1] == p[2]


def times_eight(p):
    return double(double(double(p)))


def encode(p):
    """RFC 8032 §5.1.2: y in 255 bits, the lowest bit of x on top."""
    inverse = pow(p[2], P - 2, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    """The point of 32 bytes, or None where no x exists. Lenient: y is reduced and −0 is 0; strict_point refuses both."""
    number = int.from_bytes(data, "little")
    sign, y = number >> 255, (number & (1 << 255) - 1) % P
    u, v = (y * y - 1) % P, (D * y * y + 1) % P
    x = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P  # RFC 8032 §5.1.3 step 2
    if v * x * x % P == -u % P:
        x = x * SQRT_MINUS_1 % P
    if v * x * x % P != u:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y, 1, x * y % P


def strict_point(data):
    """The point of an encoding that a strict verifier takes, else None: it decodes, re-encodes to the same bytes, and
    8 times it is not the identity (PROTOCOL §4)."""
    point = decode(data) if len(data) == 32 else None
    if point is None or encode(point) != data or is_identity(times_eight(point)):
        return None
    return point


def multiply(scalar, point):
    """scalar·point, four bits at a time from the top."""
    row = [IDENTITY]
    for _ in range(15):
        row.append(add(row[-1], point))
    result = IDENTITY
    for digit in "%x" % scalar:
        result = add(double(double(double(double(result)))), row[int(digit, 16)])
    return result


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))  # RFC 8032 §5.1: y = 4/5, x even


@functools.lru_cache(None)
def base_table():
    """64 rows: row i holds j·16^i·B for j from 0 to 15. Built at the first use."""
    table, power = [], BASE
    for _ in range(64):
        row = [IDENTITY]
        for _ in range(15):
            row.append(add(row[-1], power))
        table.append(row)
        power = add(row[-1], power)
    return table


def multiply_base(scalar):
    result = IDENTITY
    for row in base_table():
        result = add(result, row[scalar & 15])
        scalar >>= 4
    return result


def challenge(*parts):
    """RFC 8032 §5.1.6, §5.1.7: SHA-512 as a little-endian number mod L."""
    return int.from_bytes(hashlib.sha512(b"".join(parts)).digest(), "little") % L


def verify(public_key, message, signature):
    """"valid", "malformed_key" or "bad_signature" for a 64-byte signature: pure Ed25519, no prehash, no context.

    R = S·B − k·A compared by encoding, k = SHA-512(R ‖ A ‖ M) mod L: the cofactorless equation (PROTOCOL §4).
    """
    a = strict_point(public_key)
    if a is None:
        return "malformed_key"
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L or strict_point(r) is None:
        return "bad_signature"
    k = challenge(r, public_key, message)
    return "valid" if encode(add(multiply_base(s), multiply(k, negate(a)))) == r else "bad_signature"


def secret_scalar(seed):
    """RFC 8032 §5.1.5: the clamped scalar and the prefix of a 32-byte seed."""
    digest = hashlib.sha512(seed).digest()
    return int.from_bytes(digest[:32], "little") & (1 << 254) - 8 | 1 << 254, digest[32:]


def public_key_of(seed):
    return encode(multiply_base(secret_scalar(seed)[0] % L))


def sign(seed, message):
    """RFC 8032 §5.1.6; the tests make their own examples with it."""
    scalar, prefix = secret_scalar(seed)
    r = challenge(prefix, message)
    point = encode(multiply_base(r))
    s = (r + challenge(point, public_key_of(seed), message) * scalar) % L
    return point + s.to_bytes(32, "little")
