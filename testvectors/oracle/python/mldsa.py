"""ML-DSA in big integers: FIPS 204, verification alone, written from its algorithms. Slow and plain.

Names are those of the standard; the numbers beside them are its algorithms. The verdicts are those of cgp-attest: a signature of
another length, or whose hint HintBitUnpack (21) does not take, is malformed; any other that does not verify is bad.
"""

import hashlib

Q, N, DROPPED = 8380417, 256, 13


class Parameters:
    """A parameter set of FIPS 204 §4, table 1."""

    def __init__(self, tau, strength, gamma1, gamma2, k, l, eta, omega):
        self.tau, self.gamma1, self.gamma2, self.k, self.l, self.omega = tau, gamma1, gamma2, k, l, omega
        self.beta, self.c_size = tau * eta, strength // 4
        self.z_bits = gamma1.bit_length()  # of a coefficient in [0, 2·γ1)
        self.public_key_size = 32 + k * 320
        self.signature_size = self.c_size + l * 32 * self.z_bits + omega + k


SETS = {
    "ml-dsa-44": Parameters(39, 128, 1 << 17, (Q - 1) // 88, 4, 4, 2, 80),
    "ml-dsa-65": Parameters(49, 192, 1 << 19, (Q - 1) // 32, 6, 5, 4, 55),
    "ml-dsa-87": Parameters(60, 256, 1 << 19, (Q - 1) // 32, 8, 7, 2, 75),
}


def bit_reversed(n):
    return int("{:08b}".format(n)[::-1], 2)


ZETAS = [pow(1753, bit_reversed(m), Q) for m in range(N)]


def ntt(w):
    """41"""
    w, m, length = list(w), 0, 128
    while length >= 1:
        for start in range(0, N, 2 * length):
            m += 1
            for j in range(start, start + length):
                t = ZETAS[m] * w[j + length] % Q
                w[j + length], w[j] = (w[j] - t) % Q, (w[j] + t) % Q
        length //= 2
    return w


def inverse_ntt(w):
    """42"""
    w, m, length = list(w), N, 1
    while length < N:
        for start in range(0, N, 2 * length):
            m -= 1
            for j in range(start, start + length):
                t = w[j]
                w[j] = (t + w[j + length]) % Q
                w[j + length] = -ZETAS[m] * (t - w[j + length]) % Q
        length *= 2
    return [8347681 * c % Q for c in w]


def unpacked(data, bits):
    """16, 18: 256 numbers of so many bits, the lowest bit first."""
    value = int.from_bytes(data, "little")
    return [value >> bits * i & (1 << bits) - 1 for i in range(N)]


def expand_a(rho, p):
    """30, 32: the matrix in NTT form."""
    def polynomial(s, r):
        stream, at, out = hashlib.shake_128(rho + bytes([s, r])).digest(3 * 1024), 0, []
        while len(out) < N:
            c = stream[at] | stream[at + 1] << 8 | (stream[at + 2] & 127) << 16
            at += 3
            if c < Q:
                out.append(c)
        return out
    return [[polynomial(s, r) for s in range(p.l)] for r in range(p.k)]


def sample_in_ball(seed, p):
    """29"""
    stream, c, at = hashlib.shake_256(seed).digest(8 + 1024), [0] * N, 8
    signs = int.from_bytes(stream[:8], "little")
    for i in range(N - p.tau, N):
        while stream[at] > i:
            at += 1
        j = stream[at]
        at += 1
        c[i], c[j] = c[j], 1 - 2 * (signs >> i + p.tau - N & 1)
    return c


def hint_of(data, p):
    """21: the hint, None for ⊥."""
    h, index = [[0] * N for _ in range(p.k)], 0
    for i in range(p.k):
        if data[p.omega + i] < index or data[p.omega + i] > p.omega:
            return None
        first = index
        while index < data[p.omega + i]:
            if index > first and data[index - 1] >= data[index]:
                return None
            h[i][data[index]] = 1
            index += 1
    if any(data[index:p.omega]):
        return None
    return h


def use_hint(h, r, p):
    """36, 40"""
    m, two = (Q - 1) // (2 * p.gamma2), 2 * p.gamma2
    low = r % two
    if low > p.gamma2:
        low -= two
    if r - low == Q - 1:
        high, low = 0, low - 1
    else:
        high = (r - low) // two
    if h:
        high = (high + 1) % m if low > 0 else (high - 1) % m
    return high


def packed_w1(w1, p):
    """28"""
    bits = ((Q - 1) // (2 * p.gamma2) - 1).bit_length()
    out = b""
    for polynomial in w1:
        value = sum(c << bits * i for i, c in enumerate(polynomial))
        out += value.to_bytes(32 * bits, "little")
    return out


def verify_internal(p, public_key, message, signature):
    """8: ML-DSA.Verify_internal. The verdict."""
    if len(public_key) != p.public_key_size:
        return "malformed_key"
    if len(signature) != p.signature_size:
        return "malformed_signature"
    hint = hint_of(signature[-p.omega - p.k:], p)
    if hint is None:
        return "malformed_signature"
    step = 32 * p.z_bits
    z = [[p.gamma1 - c for c in unpacked(signature[p.c_size + i * step:p.c_size + (i + 1) * step], p.z_bits)] for i in range(p.l)]
    if max(abs(c) for polynomial in z for c in polynomial) >= p.gamma1 - p.beta:
        return "bad_signature"
    t1 = [unpacked(public_key[32 + i * 320:32 + (i + 1) * 320], 10) for i in range(p.k)]
    tr = hashlib.shake_256(public_key).digest(64)
    mu = hashlib.shake_256(tr + message).digest(64)
    c = ntt(sample_in_ball(signature[:p.c_size], p))
    z = [ntt(polynomial) for polynomial in z]
    w1 = []
    for i, row in enumerate(expand_a(public_key[:32], p)):
        t = ntt([x << DROPPED for x in t1[i]])
        product = [(sum(row[j][n] * z[j][n] for j in range(p.l)) - c[n] * t[n]) % Q for n in range(N)]
        w1.append([use_hint(h, r, p) for h, r in zip(hint[i], inverse_ntt(product))])
    again = hashlib.shake_256(mu + packed_w1(w1, p)).digest(p.c_size)
    return "valid" if again == signature[:p.c_size] else "bad_signature"


def verify(name, public_key, message, signature):
    """3: ML-DSA.Verify with the empty context."""
    return verify_internal(SETS[name], public_key, b"\x00\x00" + message, signature)
