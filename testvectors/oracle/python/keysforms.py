"""Public key forms: hex, PEM SubjectPublicKeyInfo (RFC 8410, RFC 7468), OpenSSH (RFC 4253 §6.6, RFC 8709), JWK (RFC 8037).

Each parser returns the raw 32 bytes or raises Malformed; a key that a strict verifier declines is malformed as well.
"""

import base64
import binascii
import re

import ed25519
from encoding import digest_text, sha256
from strictjson import Fault, member, read_single

SPKI_PREFIX = bytes.fromhex("302a300506032b6570032100")  # RFC 8410 §4: SEQUENCE { SEQUENCE { OID 1.3.101.112 }, BIT STRING }


class Malformed(Exception):
    """No usable public key."""


def hex_key(text):
    """64 hex digits in either case (PROTOCOL §5)."""
    if not re.fullmatch("[0-9a-fA-F]{64}", text):
        raise Malformed("not 64 hex digits")
    return bytes.fromhex(text)


def strict_base64(text, decoder, encoder):
    """Canonical base64: decoding and encoding again gives the text."""
    try:
        data = decoder(text)
    except (binascii.Error, ValueError) as error:
        raise Malformed("not base64") from error
    if encoder(data).decode("ascii") != text:
        raise Malformed("not canonical base64")
    return data


def pem_key(text):
    """One PUBLIC KEY block and nothing beside white space (RFC 7468 §13)."""
    match = re.fullmatch(r"\s*-----BEGIN PUBLIC KEY-----\s+([A-Za-z0-9+/=\s]+?)\s+-----END PUBLIC KEY-----\s*", text, re.ASCII)
    if match is None:
        raise Malformed("no PUBLIC KEY block")
    body = re.sub(r"\s", "", match.group(1))
    der = strict_base64(body, lambda data: base64.b64decode(data, validate=True), base64.b64encode)
    if len(der) != len(SPKI_PREFIX) + 32 or not der.startswith(SPKI_PREFIX):
        raise Malformed("no Ed25519 SubjectPublicKeyInfo")
    return der[len(SPKI_PREFIX):]


def openssh_key(text):
    """`ssh-ed25519 BASE64 [comment]` on one line (RFC 8709 §4: two SSH strings, name and key)."""
    match = re.fullmatch(r"ssh-ed25519 +([A-Za-z0-9+/=]+)(?:[ \t][^\r\n]*)?(?:\r?\n)?", text)
    if match is None:
        raise Malformed("no ssh-ed25519 line")
    blob = strict_base64(match.group(1), lambda data: base64.b64decode(data, validate=True), base64.b64encode)
    prefix = b"\x00\x00\x00\x0bssh-ed25519\x00\x00\x00\x20"
    if len(blob) != len(prefix) + 32 or not blob.startswith(prefix):
        raise Malformed("no Ed25519 key in the blob")
    return blob[len(prefix):]


def jwk_key(text):
    """{"kty":"OKP","crv":"Ed25519","x":…} without a private part (RFC 8037 §2); x is base64url without padding."""
    try:
        jwk = read_single(text.encode("utf-8"))
    except Fault as fault:
        raise Malformed(fault.code) from fault
    if not isinstance(jwk, dict) or member(jwk, "kty") != "OKP" or member(jwk, "crv") != "Ed25519" or "d" in jwk:
        raise Malformed("no public Ed25519 JWK")
    x = member(jwk, "x")
    if type(x) is not str or not re.fullmatch("[A-Za-z0-9_-]{43}", x):
        raise Malformed("x is not 43 characters of base64url")
    return strict_base64(x + "=", base64.urlsafe_b64decode, base64.urlsafe_b64encode)


FORMS = {"hex": hex_key, "pem": pem_key, "openssh": openssh_key, "jwk": jwk_key}


def fingerprint(raw):
    """PROTOCOL §5: `sha256:` + hex of SHA-256 over the raw key bytes."""
    return digest_text(sha256(raw))


def read_key(text, form):
    raw = FORMS[form](text)
    if ed25519.strict_point(raw) is None:
        raise Malformed("a strict verifier declines the key")
    return raw
