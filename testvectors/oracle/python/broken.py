"""Deliberately broken variants of the oracle, to show that the vectors tell them from a correct port.

Each variant replaces one function of one module; apply() puts the replacement wherever that function was imported.
The replacements are mistakes. Nothing here is used unless `oracle.py --broken NAME` asks for it.
"""

import base64
import binascii
import hashlib
import sys

import answers
import ed25519
import encoding
import instants
import merkle
import policy
import ranges
import records
import signing
import strictjson
import verdicts

EIGHT_KEYS = {bytes.fromhex(text) for text in (
    "00" * 32, "00" * 31 + "80", "01" + "00" * 31, "ec" + "ff" * 30 + "7f",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa")}  # CGP §6.5.4, the published list


def utf16_units(text):
    return len(text.encode("utf-16-le")) // 2


def doubled_root(commitments):
    """The last hash of an odd level is paired with itself."""
    level = [merkle.leaf(commitment) for commitment in commitments]
    while len(level) > 1:
        level += level[-1:] * (len(level) % 2)
        level = [merkle.node(*level[at:at + 2]) for at in range(0, len(level), 2)]
    return level[0] if level else merkle.empty_root()


def overwrite_member(members, name, value_reader, at):
    members[name] = value_reader()


def folded_member(obj, name):
    return next((value for other, value in reversed(obj.items()) if other.lower() == name), None)


def lenient_verify(public_key, message, signature):
    """A list of eight keys, lenient decoding, the cofactored equation."""
    a = ed25519.decode(public_key) if len(public_key) == 32 else None
    if a is None or public_key in EIGHT_KEYS:
        return "malformed_key"
    r, s = ed25519.decode(signature[:32]), int.from_bytes(signature[32:], "little")
    if r is None or s >= ed25519.L:
        return "bad_signature"
    k = ed25519.challenge(signature[:32], public_key, message)
    left = ed25519.add(ed25519.multiply_base(s), ed25519.negate(ed25519.add(r, ed25519.multiply(k, a))))
    return "valid" if ed25519.is_identity(ed25519.times_eight(left)) else "bad_signature"


def first_valid(public_key, messages, signature):
    found = [ed25519.verify(public_key, message, signature) for message in messages]
    return "valid" if "valid" in found else found[0]


def signed_text(public_key, commitment, signature):
    """The text is signed, with its prefix or without."""
    return first_valid(public_key, [commitment.hex().encode(), encoding.digest_text(commitment).encode()], signature)


def signed_hash(public_key, commitment, signature):
    """A hash of the message is signed: Ed25519ph (RFC 8032 §5.1: dom2 and SHA-512), or a plain signature over a hash."""
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    a, digest = ed25519.strict_point(public_key), hashlib.sha512(commitment).digest()
    if a is not None and s < ed25519.L:
        k = ed25519.challenge(b"SigEd25519 no Ed25519 collisions\x01\x00", r, public_key, digest)
        if ed25519.encode(ed25519.add(ed25519.multiply_base(s), ed25519.multiply(k, ed25519.negate(a)))) == r:
            return "valid"
    return first_valid(public_key, [digest, hashlib.sha256(commitment).digest()], signature)


def make_hashed(seed, raw):
    """Ed25519ph (RFC 8032 §5.1): dom2 in front of every hash, and SHA-512 of the message in its place."""
    dom2, digest = b"SigEd25519 no Ed25519 collisions\x01\x00", hashlib.sha512(raw).digest()
    scalar, prefix = ed25519.secret_scalar(seed)
    r = ed25519.challenge(dom2, prefix, digest)
    point = ed25519.encode(ed25519.multiply_base(r))
    s = (r + ed25519.challenge(dom2, point, ed25519.public_key_of(seed), digest) * scalar) % ed25519.L
    return point + s.to_bytes(32, "little")


def base64_bytes(text):
    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_" if "-" in text or "_" in text else None, validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == 64 else None


def hex_of_any_case(text, size):
    try:
        raw = bytes.fromhex(text) if len(text) == 2 * size else b""
    except (TypeError, ValueError):
        return None
    return raw if len(raw) == size else None


def late_commitment_check():
    return (verdicts.check_algorithm, verdicts.check_commitment_form, verdicts.check_key_known, verdicts.check_window,
            verdicts.check_key, verdicts.check_signature_form, verdicts.check_signature, verdicts.check_commitment)


def digest_of_content(provider_id, frame, right=encoding.commitment):
    """The digest of the content is committed to instead of the one declared."""
    if frame.content is None:
        return right(provider_id, frame)
    digest = encoding.digest_text(hashlib.sha256(frame.content.encode("utf-8")).digest())
    head = encoding.chain_heads(frame.links)[-1]
    return hashlib.sha256(encoding.frame_preimage(provider_id, frame.id, digest, head)).digest()


def swapped_root(commitments):
    """Leaves behind 01, nodes behind 00."""
    if len(commitments) < 2:
        return hashlib.sha256(b"\x01" + commitments[0]).digest() if commitments else merkle.empty_root()
    half = 1 << (len(commitments) - 1).bit_length() - 1
    return hashlib.sha256(b"\x00" + swapped_root(commitments[:half]) + swapped_root(commitments[half:])).digest()


def rounded(value, right=strictjson.uint64):
    if right(value) is not None or not isinstance(value, strictjson.Number):
        return right(value)
    number = float(value)
    return int(number) if number.is_integer() and number < 2.0 ** 64 else None


def repaired(data, right=records.values):
    """Bytes that are no UTF-8 become replacement characters, a byte order mark is skipped."""
    yield from right(data.decode("utf-8-sig", "replace").encode("utf-8"))


def ended(data, right=records.values):
    for value, code in right(data):
        yield value, code
        if code:
            return


def passed_over(number, value, right=records.classify):
    record = right(number, value)
    return records.Record(number, "passed_over") if record.error else record


def published_first(keys, attestation, right=policy.KeyRing.find):
    trusted, keys.trusted = keys.trusted, []
    found = right(keys, attestation)
    keys.trusted = trusted
    return found or right(keys, attestation)


def whole(answer, record, session, policy_, right=answers.Answer.__init__):
    record.retained = policy_.retained = False
    right(answer, record, session, policy_)


VARIANTS = {
    "digest_of_content": (encoding, "commitment", digest_of_content),
    "arrival_order": (encoding, "canonical_order", lambda triples: list(range(len(triples)))),
    "prefixes_swapped": (merkle, "root", swapped_root),
    "numbers_rounded": (strictjson, "uint64", rounded),
    "text_repaired": (records, "values", repaired),
    "trailing_bytes_ignored": (records, "only_values_follow", lambda data, pos: True),
    "reading_ended_at_fault": (records, "values", ended),
    "record_passed_over": (records, "classify", passed_over),
    "tier_ignored": (policy.Policy, "suffices", lambda self, state: state in verdicts.VERIFYING),
    "published_key_preferred": (policy.KeyRing, "find", published_first),
    "part_judged_as_whole": (answers.Answer, "__init__", whole),
    "utf16_lengths": (encoding, "text_length", utf16_units),
    "code_point_lengths": (encoding, "text_length", len),
    "little_endian": (encoding, "uint32", lambda number: number.to_bytes(4, "little")),
    "absent_empty_confusion": (encoding, "enc_opt", lambda text: b"\x01" + encoding.enc_str(text or "")),
    "duplicate_last_leaf_tree": (merkle, "root", doubled_root),
    "rfc6962_empty_root": (merkle, "empty_root", lambda: hashlib.sha256(b"").digest()),
    "utf16_order": (encoding, "text_order", lambda text: text.encode("utf-16-be")),
    "last_duplicate_wins": (strictjson, "store_member", overwrite_member),
    "case_folded_members": (strictjson, "member", folded_member),
    "eight_key_list": (ed25519, "verify", lenient_verify),
    "hex_text_signed": (verdicts, "signed", signed_text),
    "prehashed": (verdicts, "signed", signed_hash),
    "base64_signature": (verdicts, "signature_bytes", base64_bytes),
    "uppercase_accepted": (encoding, "lower_hex", hex_of_any_case),
    "shape_not_checked": (merkle, "shape_fits", lambda proof: len(proof.path) <= merkle.LONGEST_PATH),
    "count_not_compared": (merkle, "count_fits", lambda proof, frames, retained: True),
    "precedence_swapped": (verdicts, "order_of_checks", late_commitment_check),
    "content_not_checked": (verdicts, "compare_content", lambda content, digest: "match"),
    "window_ignored": (instants, "window", lambda not_before, not_after, at: "in_service"),
    "issued_at_used": (verdicts, "instant_of", lambda question: question.attestation["issued_at"]),
    "local_id_in_commitment": (answers, "committed_name", lambda provider_id, local_id: local_id),
    "whole_file_fallback": (ranges, "unaddressed", lambda reason, data: data),
}

# The same mistakes where something is signed.
SIGNING = {
    "hex_text_signed": (signing, "signed_message", lambda raw: raw.hex().encode()),
    "prehashed": (signing, "make_signature", make_hashed),
}


def apply(name):
    """Replaces the functions of a variant where they are and in every module that holds them. Returns a function that undoes it."""
    places = []
    for home, attribute, replacement in [variants[name] for variants in (VARIANTS, SIGNING) if name in variants]:
        original = getattr(home, attribute)
        for module in [home] + list(sys.modules.values()):
            if getattr(module, "__dict__", {}).get(attribute) is original:
                setattr(module, attribute, replacement)
                places.append((module, attribute, original))

    def undo():
        for module, attribute, original in places:
            setattr(module, attribute, original)
        verdicts.signed_cache.cache_clear()

    verdicts.signed_cache.cache_clear()
    return undo
