"""Key files: a signing key or a public key in a form that its text tells, and lists of published keys (DESIGN.md §3.1, §3.6).

Written from RFC 7468 (PEM), RFC 8410 and RFC 5958 (PKCS#8), PROTOCOL.key of OpenSSH, RFC 8037 (JWK) and the format of the vectors.
"""

import base64
import binascii
import re

import aes
import blowfish
import ed25519
from encoding import lower_hex
from keysforms import fingerprint
from strictjson import Fault, is_text, member, read_single

LARGEST = 64 << 10
MOST_ROUNDS = 2048
SPACES = b" \t\r\n"
ED25519 = "ssh-ed25519"
ED25519_OID = bytes.fromhex("06032b6570")
MAGIC = b"openssh-key-v1\x00"


class Refused(Exception):
    """args[0] is the error that the op answers with."""


def need(condition, error="malformed_file"):
    if not condition:
        raise Refused(error)


# --- PEM and DER.


def pem_block(data):
    """(label, headers, bytes) of the one block that the text is (RFC 7468 §2; headers as in RFC 1421 §4.6)."""
    match = re.fullmatch(rb"-----BEGIN ([^\n]*?)-----[ \t\r]*\n((?:[^\n:]+:[^\n]*\n)*)\n*(.*?)\n?-----END \1-----[ \t\r]*\n?", data.strip(SPACES) + b"\n", re.DOTALL)
    need(match is not None and data.count(b"-----BEGIN ") == 1)
    try:
        return match.group(1).decode("ascii"), match.group(2), base64.b64decode(re.sub(rb"\s", b"", match.group(3)), validate=True)
    except (binascii.Error, ValueError):
        raise Refused("malformed_file") from None


def pem_label(data):
    """The label of the first block, for what is refused by its kind, or None for none that is whole."""
    match = re.match(rb"\s*-----BEGIN ([^\n]*?)-----[ \t\r]*\n.*?-----END \1-----", data, re.DOTALL)
    return match.group(1).decode("ascii", "replace") if match else None


def take(der, tag=None):
    """(tag, content, rest) of the DER value in front; all lengths here are below 128."""
    need(len(der) >= 2 and der[1] < 128 and len(der) >= 2 + der[1])
    need(tag is None or der[0] == tag)
    return der[0], der[2:2 + der[1]], der[2 + der[1]:]


def algorithm(der):
    """What follows the AlgorithmIdentifier (RFC 8410 §3: no parameters)."""
    _, identifier, rest = take(der, 0x30)
    tag, oid, parameters = take(identifier)
    need(tag == 6)
    need(identifier[:2 + len(oid)] == ED25519_OID, "unsupported_key")
    need(parameters == b"")
    return rest


# --- Signing keys.


def read_private(data, passphrase):
    """The seed (32 bytes)."""
    need(len(data) <= LARGEST, "too_large")
    text = data.lstrip(SPACES)
    need(text[:1] not in (b"{", b"["))
    if b"-----BEGIN " in data:
        return private_pem(data, passphrase)
    need(not re.match(rb"(ssh-|sk-|ecdsa-)[^ ]* ", text), "unsupported_key")
    return digits(data)


def digits(data):
    match = re.fullmatch(rb"([0-9a-fA-F]{64})[ \t\r\n]*", data)
    need(match is not None)
    return bytes.fromhex(match.group(1).decode("ascii"))


def private_pem(data, passphrase):
    need(data.lstrip(SPACES).startswith(b"-----BEGIN "))
    label = pem_label(data)
    need(label is not None)
    need(label != "ENCRYPTED PRIVATE KEY", "encrypted")
    need(label in ("PRIVATE KEY", "OPENSSH PRIVATE KEY"), "unsupported_key")
    label, headers, raw = pem_block(data)
    need(not re.search(rb"Proc-Type:[^\n]*ENCRYPTED", headers), "encrypted")
    need(headers == b"")
    return openssh_seed(raw, passphrase) if label.startswith("OPENSSH") else pkcs8_seed(raw)


def pkcs8_seed(raw):
    """RFC 8410 §7 and RFC 5958 §2."""
    _, content, behind = take(raw, 0x30)
    need(behind == b"")
    _, version, rest = take(content, 2)
    rest = algorithm(rest)
    _, wrapped, rest = take(rest, 4)
    _, seed, inner = take(wrapped, 4)
    need(len(seed) == 32 and inner == b"")
    if rest[:1] in (b"\xa0", b"\x80"):
        need(rest[:1] == b"\xa0")
        _, _, rest = take(rest)
    public = None
    if rest:
        _, bits, rest = take(rest, 0x81)
        need(len(bits) == 33 and bits[0] == 0)
        public = bits[1:]
    need(rest == b"")
    need(version in (b"\x00", b"\x01") and (public is None or version == b"\x01"))
    need(public is None or public == ed25519.public_key_of(seed))
    return seed


class Fields:
    """Reads SSH's strings and numbers (RFC 4251 §5)."""

    def __init__(self, data):
        self.data = data

    def number(self):
        need(len(self.data) >= 4)
        value, self.data = int.from_bytes(self.data[:4], "big"), self.data[4:]
        return value

    def text(self):
        length = self.number()
        need(len(self.data) >= length)
        value, self.data = self.data[:length], self.data[length:]
        return value


def public_blob(blob):
    fields = Fields(blob)
    need(fields.text() == ED25519.encode(), "unsupported_key")
    key = fields.text()
    need(len(key) == 32 and fields.data == b"")
    return key


def openssh_seed(raw, passphrase):
    need(raw.startswith(MAGIC))
    fields = Fields(raw[len(MAGIC):])
    cipher, derivation, options, count = fields.text(), fields.text(), fields.text(), fields.number()
    blob, private = fields.text(), fields.text()
    need(count == 1)
    protected = cipher != b"none"
    need(protected or fields.data == b"")
    public = public_blob(blob)
    if not protected:
        need(derivation == b"none" and options == b"")
        return private_part(private, public, "malformed_file")
    need(cipher in (b"aes256-ctr", b"aes256-cbc") and derivation == b"bcrypt", "unsupported_key")
    need(fields.data == b"")
    given = Fields(options)
    salt, rounds = given.text(), given.number()
    need(given.data == b"" and salt and rounds)
    need(rounds <= MOST_ROUNDS, "unsupported_key")
    need(passphrase is not None, "passphrase_missing")
    need(passphrase != "", "wrong_passphrase")
    material = blowfish.bcrypt_pbkdf(passphrase.encode("utf-8"), salt, rounds, 48)
    opened = (aes.counter if cipher == b"aes256-ctr" else aes.chain)(material[:32], material[32:], private)
    return private_part(opened, public, "wrong_passphrase")


def private_part(data, public, unequal):
    fields = Fields(data)
    first, second = fields.number(), fields.number()
    need(first == second, unequal)
    need(fields.text() == ED25519.encode())
    again, key, _ = fields.text(), fields.text(), fields.text()
    need(fields.data == bytes(range(1, len(fields.data) + 1)))
    need(len(key) == 64)
    need(again == public == key[32:] == ed25519.public_key_of(key[:32]))
    return key[:32]


def pkcs8_pem(seed):
    der = bytes.fromhex("302e020100300506032b657004220420") + seed
    return "-----BEGIN PRIVATE KEY-----\n%s\n-----END PRIVATE KEY-----\n" % base64.b64encode(der).decode("ascii")


# --- Public keys.


def read_public(data):
    """The 32 bytes of a key that a strict verifier takes."""
    need(len(data) <= LARGEST, "too_large")
    text = data.lstrip(SPACES)
    if text[:1] in (b"{", b"["):
        raw = public_json(data)
    elif b"-----BEGIN " in data:
        raw = public_pem(data)
    elif re.match(rb"(ssh-|sk-|ecdsa-)[^ ]* ", text):
        raw = public_line(data)
    else:
        raw = digits(data)
    return strict(raw)


def strict(raw):
    need(len(raw) == 32 and ed25519.strict_point(raw) is not None, "malformed_key")
    return raw


def public_pem(data):
    need(data.lstrip(SPACES).startswith(b"-----BEGIN "))
    label = pem_label(data)
    need(label is not None)
    need(label == "PUBLIC KEY", "unsupported_key")
    _, headers, raw = pem_block(data)
    need(headers == b"")
    _, content, behind = take(raw, 0x30)
    need(behind == b"")
    _, bits, rest = take(algorithm(content), 3)
    need(rest == b"" and bits[:1] == b"\x00")
    return bits[1:]


def public_line(data):
    match = re.fullmatch(rb"([^ \r\n]+) +([^ \r\n]+)(?: [^\r\n]*)?", data.strip(SPACES))
    need(match is not None)
    need(match.group(1) == ED25519.encode(), "unsupported_key")
    try:
        return public_blob(base64.b64decode(match.group(2), validate=True))
    except binascii.Error:
        raise Refused("malformed_file") from None


def public_json(data):
    try:
        value = read_single(data)
    except Fault:
        raise Refused("malformed_file") from None
    if isinstance(value, dict) and "kty" in value:
        return web_key(value)
    if isinstance(value, dict) and "public_key" in value:
        found = [element(value)]
    else:
        found = published(value)
    need(len(found) == 1)
    need(found[0]["algorithm"] == "ed25519", "unsupported_key")
    return bytes.fromhex(found[0]["public_key"])


def web_key(value):
    need("d" not in value and member(value, "kty") == "OKP" and member(value, "crv") == "Ed25519", "unsupported_key")
    x = member(value, "x")
    need(is_text(x) and re.fullmatch("[A-Za-z0-9_-]{43}", x))
    raw = base64.urlsafe_b64decode(x + "=")
    need(base64.urlsafe_b64encode(raw).decode("ascii") == x + "=")
    return raw


# --- Published keys.


def element(value):
    """One element of attester_keys; what is wrong with the key itself is malformed_key."""
    need(isinstance(value, dict))
    texts = [member(value, name) for name in ("key_id", "algorithm", "public_key")]
    need(all(is_text(text) for text in texts))
    raw = lower_hex(texts[2], len(texts[2]) // 2) if texts[2] else None
    need(raw is not None, "malformed_key")
    if texts[1] == "ed25519":
        strict(raw)
    return {"key_id": texts[0], "algorithm": texts[1], "public_key": texts[2]}


def published(value):
    """The keys of an array, of an object with attester_keys, or of a handshake_ack, with its provider's name."""
    provider = None
    if isinstance(value, dict):
        kind, array = member(value, "type"), member(value, "attester_keys")
        if is_text(kind):
            need(kind == "handshake_ack")
            whose = member(value, "provider")
            provider = member(whose, "name") if isinstance(whose, dict) else None
            need(is_text(provider))
            array = [] if array is None else array
        value = array
    need(isinstance(value, list))
    return [dict(element(raw), provider=provider) for raw in value]


def read_published(data):
    need(len(data) <= LARGEST, "too_large")
    try:
        return published(read_single(data))
    except (Fault, Refused):
        raise Refused("malformed_published") from None


# --- Forms.


def shown(raw):
    der = bytes.fromhex("302a300506032b6570032100") + raw
    pem = "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n" % base64.b64encode(der).decode("ascii")
    x = base64.urlsafe_b64encode(raw).decode("ascii").rstrip("=")
    return {"algorithm": "ed25519", "public_key": raw.hex(), "fingerprint": fingerprint(raw), "pem": pem,
            "jwk": {"kty": "OKP", "crv": "Ed25519", "x": x}}


def forms(name, raw):
    need(name == "ed25519", "unsupported_key")
    return shown(strict(raw))
