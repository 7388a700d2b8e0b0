"""Strict Ed25519 verification in big integers: a second opinion for the tests of package sign.

Written from RFC 8032 section 5.1 and CGP section 6.5.4 with Python's integers and the standard library alone. It shares no
code, table or constant with the Go side: the base point and the torsion subgroup are computed here from the equation of
the curve. Slow and not constant time; for tests only.

    python3 ed25519_oracle.py torsion   print the hexadecimal of every 32-byte string that decodes to a point P with 8*P = O
    python3 ed25519_oracle.py verify    for each line {"pub": hex, "msg": hex, "sig": text} on stdin print "verdict reason"
"""

import hashlib
import json
import re
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P

# The curve is -x^2 + y^2 = 1 + D*x^2*y^2. A point is (X, Y, Z) with x = X/Z and y = Y/Z.
IDENTITY = (0, 1, 1)


def add(p, q):
    """Adds by the one formula of the curve, which has no exceptions because D is not a square.

    x = (x1*y2 + y1*x2) / (1 + D*x1*x2*y1*y2)    y = (y1*y2 + x1*x2) / (1 - D*x1*x2*y1*y2)
    """
    x1, y1, z1 = p
    x2, y2, z2 = q
    xx, yy, zz = x1 * x2 % P, y1 * y2 % P, z1 * z2 % P
    e = D * xx % P * yy % P
    zz2 = zz * zz % P
    f, g = (zz2 - e) % P, (zz2 + e) % P
    x = zz * f % P * ((x1 + y1) * (x2 + y2) - xx - yy) % P
    y = zz * g % P * (yy + xx) % P
    return x, y, f * g % P


def multiply(n, p):
    """Returns n*P for any integer n >= 0, which is not reduced: P may have any order."""
    total = IDENTITY
    for bit in bin(n)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def is_identity(p):
    x, y, z = p
    return x % P == 0 and (y - z) % P == 0


def affine(p):
    x, y, z = p
    inverse = pow(z, P - 2, P)
    return x * inverse % P, y * inverse % P


def encode(p):
    x, y = affine(p)
    return (y | (x & 1) << 255).to_bytes(32, "little")


def square_root(n):
    """Returns a square root of n modulo P, or None. As P = 5 mod 8, it is n^((P+3)/8) or that times a root of -1."""
    root = pow(n, (P + 3) // 8, P)
    for candidate in (root, root * pow(2, (P - 1) // 4, P) % P):
        if candidate * candidate % P == n % P:
            return candidate
    return None


def decode(encoded):
    """Returns the point that 32 bytes stand for, or None: y is taken modulo P, and the sign of x = 0 is passed over."""
    number = int.from_bytes(encoded, "little")
    y, sign = number % 2**255 % P, number >> 255
    x = square_root((y * y - 1) * pow(D * y * y + 1, P - 2, P) % P)
    if x is None:
        return None
    if x & 1 != sign:
        x = -x % P
    return x, y, 1


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))  # y = 4/5, x even


def torsion():
    """Returns the points P with 8*P = O, as affine pairs: the multiples of L*Q for a Q whose L*Q has order 8."""
    y = 2
    while True:
        q = decode(y.to_bytes(32, "little"))
        if q is not None:
            t = multiply(L, q)
            if not is_identity(multiply(4, t)):
                return {affine(multiply(i, t)) for i in range(8)}
        y += 1


def torsion_encodings():
    """Returns every 32-byte string that decodes to a torsion point: each y and y + P that has 255 bits, with either sign."""
    points = torsion()
    found = set()
    for _, y in points:
        for spelling in (y, y + P):
            for sign in (0, 1):
                if spelling < 2**255:
                    encoded = (spelling | sign << 255).to_bytes(32, "little")
                    if affine(decode(encoded)) in points:
                        found.add(encoded)
    return sorted(found)


def judge(key, message, text):
    """Returns the verdict and the reason, the first that applies."""
    if len(key) != 32:
        return "malformed_key", "key_length"
    a = decode(key)
    if a is None:
        return "malformed_key", "key_not_on_curve"
    if encode(a) != key:
        return "malformed_key", "key_non_canonical"
    if is_identity(multiply(8, a)):
        return "malformed_key", "key_small_order"
    if not re.fullmatch("[0-9a-f]{128}", text):
        return "malformed_signature", "sig_form"
    signature = bytes.fromhex(text)
    encoded_r, s = signature[:32], int.from_bytes(signature[32:], "little")
    if s >= L:
        return "bad_signature", "s_out_of_range"
    r = decode(encoded_r)
    if r is None:
        return "bad_signature", "r_not_on_curve"
    if encode(r) != encoded_r:
        return "bad_signature", "r_non_canonical"
    if is_identity(multiply(8, r)):
        return "bad_signature", "r_small_order"
    k = int.from_bytes(hashlib.sha512(encoded_r + key + message).digest(), "little") % L
    x, y, z = multiply(k, a)
    if encode(add(multiply(s, BASE), (-x % P, y, z))) != encoded_r:
        return "bad_signature", "equation"
    return "valid", "ok"


def main():
    if sys.argv[1:] == ["torsion"]:
        for encoded in torsion_encodings():
            print(encoded.hex())
    elif sys.argv[1:] == ["verify"]:
        for line in sys.stdin:
            case = json.loads(line)
            print(*judge(bytes.fromhex(case["pub"]), bytes.fromhex(case["msg"]), case["sig"]))
    else:
        sys.exit(__doc__)


main()
