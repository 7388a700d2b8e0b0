"""AES with a key of 256 bits, as a counter and as a chain of blocks (FIPS 197; NIST SP 800-38A)."""


def times(a, b):
    """In the field of x^8 + x^4 + x^3 + x + 1."""
    result = 0
    while b:
        if b & 1:
            result ^= a
        a = a << 1 ^ (0x11B if a & 0x80 else 0)
        b >>= 1
    return result


def box():
    """The inverse in the field, then the affine map (FIPS 197 §5.1.1)."""
    result = []
    for value in range(256):
        inverse = next((other for other in range(256) if times(value, other) == 1), 0)
        turned = [(inverse << n | inverse >> 8 - n) & 0xFF for n in range(5)]
        result.append(turned[0] ^ turned[1] ^ turned[2] ^ turned[3] ^ turned[4] ^ 0x63)
    return result


BOX = box()
BACK = [BOX.index(value) for value in range(256)]


def schedule(key):
    """15 round keys of 16 bytes."""
    parts, constant = [list(key[i:i + 4]) for i in range(0, 32, 4)], 1
    while len(parts) < 60:
        part = list(parts[-1])
        if len(parts) % 8 == 0:
            part = [BOX[value] for value in part[1:] + part[:1]]
            part[0] ^= constant
            constant = times(constant, 2)
        elif len(parts) % 8 == 4:
            part = [BOX[value] for value in part]
        parts.append([a ^ b for a, b in zip(part, parts[-8])])
    return [sum(parts[i:i + 4], []) for i in range(0, 60, 4)]


def mixed(state, factors):
    return [times(state[c], factors[0]) ^ times(state[c - c % 4 + (c + 1) % 4], factors[1]) ^ times(state[c - c % 4 + (c + 2) % 4], factors[2])
            ^ times(state[c - c % 4 + (c + 3) % 4], factors[3]) for c in range(16)]


def added(state, key):
    return [a ^ b for a, b in zip(state, key)]


def encrypt(keys, block):
    state = added(block, keys[0])
    for number, key in enumerate(keys[1:], 1):
        state = [BOX[state[(i + 4 * (i % 4)) % 16]] for i in range(16)]
        if number < 14:
            state = mixed(state, (2, 3, 1, 1))
        state = added(state, key)
    return bytes(state)


def decrypt(keys, block):
    state = added(block, keys[14])
    for number in range(13, -1, -1):
        state = [BACK[state[(i - 4 * (i % 4)) % 16]] for i in range(16)]
        state = added(state, keys[number])
        if number:
            state = mixed(state, (14, 11, 13, 9))
    return bytes(state)


def counter(key, start, data):
    """CTR: both directions."""
    keys, number = schedule(key), int.from_bytes(start, "big")
    stream = b"".join(encrypt(keys, (number + i & (1 << 128) - 1).to_bytes(16, "big")) for i in range((len(data) + 15) // 16))
    return bytes(a ^ b for a, b in zip(data, stream))


def chain(key, start, data):
    """CBC, decrypted."""
    keys, before, out = schedule(key), start, b""
    for i in range(0, len(data), 16):
        out += bytes(a ^ b for a, b in zip(decrypt(keys, data[i:i + 16]), before))
        before = data[i:i + 16]
    return out
