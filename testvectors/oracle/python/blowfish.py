"""bcrypt_pbkdf, the key derivation of protected OpenSSH keys: Blowfish (Schneier, 1993), whose tables are the binary digits of pi,
and the construction of OpenBSD's bcrypt_pbkdf(3)."""

import functools
import hashlib

TEXT = b"OxychromaticBlowfishSwatDynamite"
WORD = 0xFFFFFFFF


def arctan_inverse(x, bits):
    """arctan(1/x) as an integer scaled by 2^bits."""
    total = term = (1 << bits) // x
    n, sign = 3, -1
    while term:
        term //= x * x
        total += sign * (term // n)
        n, sign = n + 2, -sign
    return total


@functools.cache
def tables():
    """18 words P and four boxes of 256 words: the first 33,344 bits of pi behind the point, by Machin's formula."""
    count, guard = 18 + 4 * 256, 64
    bits = 32 * count + guard
    pi = 4 * (4 * arctan_inverse(5, bits) - arctan_inverse(239, bits))
    digits = (pi & ((1 << bits) - 1)) >> guard
    words = [digits >> 32 * (count - 1 - i) & WORD for i in range(count)]
    return words[:18], words[18:]


class Blowfish:
    def __init__(self):
        p, boxes = tables()
        self.p, self.s = list(p), list(boxes)

    def encrypt(self, left, right):
        p, s = self.p, self.s
        for i in range(0, 16, 2):  # two rounds, so that nothing is swapped
            left ^= p[i]
            right ^= ((s[left >> 24] + s[256 + (left >> 16 & 255)] ^ s[512 + (left >> 8 & 255)]) + s[768 + (left & 255)]) & WORD ^ p[i + 1]
            left ^= ((s[right >> 24] + s[256 + (right >> 16 & 255)] ^ s[512 + (right >> 8 & 255)]) + s[768 + (right & 255)]) & WORD
        return right ^ p[17], left ^ p[16]

    def expand(self, key, salt=None):
        """The key schedule; with a salt the one of bcrypt."""
        keys = words(key)
        self.p = [value ^ keys[i % len(keys)] for i, value in enumerate(self.p)]
        salts = words(salt) if salt else [0, 0]
        left = right = at = 0
        for table in (self.p, self.s):
            for i in range(0, len(table), 2):
                left, right = self.encrypt(left ^ salts[at % len(salts)], right ^ salts[(at + 1) % len(salts)])
                table[i], table[i + 1] = left, right
                at += 2


def words(data):
    return [int.from_bytes(data[i:i + 4], "big") for i in range(0, len(data), 4)]


def bcrypt_hash(password, salt):
    cipher = Blowfish()
    cipher.expand(password, salt)
    for _ in range(64):
        cipher.expand(salt)
        cipher.expand(password)
    text = words(TEXT)
    for _ in range(64):
        for i in range(0, 8, 2):
            text[i], text[i + 1] = cipher.encrypt(text[i], text[i + 1])
    return b"".join(word.to_bytes(4, "little") for word in text)


@functools.cache
def bcrypt_pbkdf(passphrase, salt, rounds, length):
    """The bytes of the blocks are spread over the key: byte i of block n is byte i·stride + n."""
    stride = (length + 31) // 32
    key, password = bytearray(stride * 32), hashlib.sha512(passphrase).digest()
    for block in range(stride):
        value = bcrypt_hash(password, hashlib.sha512(salt + (block + 1).to_bytes(4, "big")).digest())
        out = int.from_bytes(value, "big")
        for _ in range(rounds - 1):
            value = bcrypt_hash(password, hashlib.sha512(value).digest())
            out ^= int.from_bytes(value, "big")
        key[block::stride] = out.to_bytes(32, "big")
    return bytes(key[:length])
