"""Ed448 in big integers: RFC 8032 §5.2 with the empty context, and the strict rule that cgp-attest sets on top of it.

The rule: y < p and no "negative zero"; the key is a point, 4·A is not the identity, L·A is; S < L; R is a point by the first
rules and 4·R is not the identity; R = S·B − k·A, compared as bytes.
"""

import functools
import hashlib

P = 2**448 - 2**224 - 1
L = 2**446 - 0x8335DC163BB124B65129C96FDE933D8D723A70AADC873D6D54A7BB0D
D = -39081 % P
SIZE = 57
IDENTITY = (0, 1, 1)
# RFC 8032 §5.2, table.
BASE = (224580040295924300187604334099896036246789641632564134246125461686950415467406032909029192869357953282578032075146446173674602635247710,
        298819210078481492676017930443930673437544040154080242095928241372331506189835876003536878655418784733982303233503462500531545062832660, 1)


def add(p, q):
    """Projective addition on x² + y² = 1 + d·x²·y², complete as d is no square."""
    (x1, y1, z1), (x2, y2, z2) = p, q
    a = z1 * z2 % P
    b = a * a % P
    c, d = x1 * x2 % P, y1 * y2 % P
    e = D * c * d % P
    f, g = (b - e) % P, (b + e) % P
    return (a * f * ((x1 + y1) * (x2 + y2) - c - d) % P, a * g * (d - c) % P, f * g % P)


def multiply(n, p):
    """n·P for the integer n as it is: nothing is reduced by the order."""
    result = IDENTITY
    while n:
        if n & 1:
            result = add(result, p)
        p, n = add(p, p), n >> 1
    return result


def negate(p):
    return (-p[0] % P, p[1], p[2])


def is_identity(p):
    return p[0] % P == 0 and (p[1] - p[2]) % P == 0


def encode(p):
    inverse = pow(p[2], P - 2, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 455).to_bytes(SIZE, "little")


def is_canonical(data):
    """Whether the text is one that RFC 8032 §5.2.3 would decode if there were a point."""
    value = int.from_bytes(data, "little")
    sign, y = value >> 455, value & (1 << 455) - 1
    return y < P and not (sign and (y * y - 1) % P == 0)


def decode(data):
    """The point of 57 bytes, None where there is none. y is taken as it stands, so that the caller asks is_canonical."""
    value = int.from_bytes(data, "little")
    sign, y = value >> 455, (value & (1 << 455) - 1) % P
    u, v = (y * y - 1) % P, (D * y * y - 1) % P
    x2 = u * pow(v, P - 2, P) % P
    x = pow(x2, (P + 1) // 4, P)
    if x * x % P != x2:
        return None
    return ((P - x) % P if x & 1 != sign else x, y, 1)


def has_small_order(p):
    return is_identity(multiply(4, p))


def challenge(r, a, message):
    return int.from_bytes(hashlib.shake_256(b"SigEd448\x00\x00" + r + a + message).digest(2 * SIZE), "little")


@functools.lru_cache(maxsize=64)
def key_fault(public_key):
    """The first rule that the key breaks, None for a key that is good."""
    if len(public_key) != SIZE:
        return "length"
    if not is_canonical(public_key):
        return "not_canonical"
    a = decode(public_key)
    if a is None:
        return "off_curve"
    if has_small_order(a):
        return "small_order"
    return None if is_identity(multiply(L, a)) else "mixed_order"


def signature_fault(public_key, message, signature):
    """The first rule that a signature of 114 bytes breaks under a good key, None for one that verifies."""
    r, s = signature[:SIZE], int.from_bytes(signature[SIZE:], "little")
    if s >= L:
        return "s_range"
    if not is_canonical(r):
        return "r_not_canonical"
    point = decode(r)
    if point is None:
        return "r_off_curve"
    if has_small_order(point):
        return "r_small_order"
    return None if equation(public_key, message, signature) else "equation"


def equation(public_key, message, signature):
    """encode(S·B − k·A) = R, whatever A is."""
    r, s = signature[:SIZE], int.from_bytes(signature[SIZE:], "little")
    minus = multiply(challenge(r, public_key, message) % (4 * L), negate(decode(public_key)))
    return encode(add(multiply(s, BASE), minus)) == r


def verify(public_key, message, signature):
    """The verdict on one signature."""
    if key_fault(public_key):
        return "malformed_key"
    if len(signature) != 2 * SIZE:
        return "malformed_signature"
    return "bad_signature" if signature_fault(public_key, message, signature) else "valid"


def secret_of(seed):
    digest = hashlib.shake_256(seed).digest(2 * SIZE)
    clamped = bytearray(digest[:SIZE])
    clamped[0] &= 0xFC
    clamped[56] = 0
    clamped[55] |= 0x80
    return int.from_bytes(clamped, "little"), digest[SIZE:]


def public_key_of(seed):
    return encode(multiply(secret_of(seed)[0], BASE))


def sign(seed, message, torsion=IDENTITY, r_torsion=IDENTITY, nonce=None):
    """The public key and a signature. With a torsion point T one under the key a·B + T, made as its holder would; with another in R;
    with a nonce that was chosen."""
    a, prefix = secret_of(seed)
    public_key = encode(add(multiply(a, BASE), torsion))
    if nonce is None:
        nonce = int.from_bytes(hashlib.shake_256(b"SigEd448\x00\x00" + prefix + message).digest(2 * SIZE), "little") % L
    r = encode(add(multiply(nonce, BASE), r_torsion))
    s = (nonce + challenge(r, public_key, message) * a) % L
    return public_key, r + s.to_bytes(SIZE, "little")


@functools.lru_cache(maxsize=1)
def torsion_points():
    """The four points with 4·P = O, found and not listed: the first multiples by L that give a point of order four."""
    for y in range(2, 1000):
        p = decode(y.to_bytes(SIZE, "little"))
        if p is None:
            continue
        t = multiply(L, p)
        if not is_identity(multiply(2, t)):
            return [multiply(n, t) for n in range(4)]
    raise AssertionError("no point of order four was found")
