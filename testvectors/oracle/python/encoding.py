"""Canonical encoding, commitments and canonical order of the Context Graph Protocol (CGP §6.3, §6.5.1, §6.5.2).

Written from the protocol text alone. Absent values are None, strings are str, hashes are 32 bytes.
"""

import hashlib
import re

GENESIS_TAG = b"contextgraph/attest/1/genesis"
LINK_TAG = b"contextgraph/attest/1/link"
FRAME_TAG = b"contextgraph/attest/1/frame"
LINK_MEMBERS = ("uri", "range", "digest", "method", "by")


class MalformedFrame(Exception):
    """The frame has no commitment."""


def sha256(data):
    return hashlib.sha256(data).digest()


def lower_hex(text, size):
    """The bytes of exactly `size` bytes in lowercase hex, else None. Uppercase is malformed, not equal (CGP F5, D1)."""
    if isinstance(text, str) and re.fullmatch("[0-9a-f]{%d}" % (2 * size), text):
        return bytes.fromhex(text)
    return None


def digest_bytes(text):
    """The 32 bytes of `sha256:` + 64 lowercase hex digits, else None (CGP F5, D1)."""
    if isinstance(text, str) and text.startswith("sha256:"):
        return lower_hex(text[len("sha256:"):], 32)
    return None


def digest_text(raw):
    return "sha256:" + raw.hex()


def text_length(text):
    """CGP §6.5.1 counts UTF-8 bytes."""
    return len(text.encode("utf-8"))


def uint32(number):
    """CGP §6.5.1: big-endian."""
    return number.to_bytes(4, "big")


def enc_str(text):
    """CGP §6.5.1: uint32be(number of UTF-8 bytes) ‖ UTF-8 bytes."""
    return uint32(text_length(text)) + text.encode("utf-8")


def enc_opt(text):
    """CGP §6.5.1: 0x00 for absent, else 0x01 ‖ enc_str; "" is present."""
    return b"\x00" if text is None else b"\x01" + enc_str(text)


def encode_link(link):
    """CGP §6.5.1: type, then the five optional members in this order; `link` maps names to str or None."""
    return enc_str(link["type"]) + b"".join(enc_opt(link.get(name)) for name in LINK_MEMBERS)


def chain_heads(links):
    """[h₋₁, h₀, …]: the genesis head and the head after each link, links in the order carried (CGP §6.5.2)."""
    heads = [sha256(GENESIS_TAG)]
    for link in links:
        heads.append(sha256(LINK_TAG + heads[-1] + encode_link(link)))
    return heads


def frame_preimage(provider_id, frame_id, content_digest, chain_head):
    """What a frame commitment hashes (CGP §6.5.2); no other member of a frame enters it."""
    return FRAME_TAG + enc_str(provider_id) + enc_str(frame_id) + enc_opt(content_digest) + chain_head


def commitment(provider_id, frame):
    """The 32-byte commitment of a Frame as read by read_frame."""
    head = chain_heads(frame.links)[-1]
    return sha256(frame_preimage(provider_id, frame.id, frame.digest, head))


def text_order(text):
    """CGP §6.3: strings compare as UTF-8 bytes."""
    return text.encode("utf-8")


def triple_order(triple):
    """Sort key of (provider_id, frame_id, content_digest or None): absent before present (CGP §6.3)."""
    provider_id, frame_id, digest = triple
    last = (0, b"") if digest is None else (1, text_order(digest))
    return (text_order(provider_id), text_order(frame_id), last)


def canonical_order(triples):
    """Arrival positions in canonical order. sorted() is stable: equal triples keep arrival order (CGP §6.3)."""
    return sorted(range(len(triples)), key=lambda position: triple_order(triples[position]))
