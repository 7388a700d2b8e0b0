"""One frame and one piece of evidence (PROTOCOL.md §4, §7; DESIGN.md §2): reading them, content, and the verdict in its order."""

import functools

import ed25519
import ed448
import instants
import merkle
import mldsa
from encoding import LINK_MEMBERS, MalformedFrame, digest_bytes, lower_hex, sha256
from strictjson import is_text, member

ATTESTATION_MEMBERS = ("signed_commitment", "key_id", "algorithm", "attester_id", "signature", "issued_at")
TIER_STATES = {"configured": "attested", "pinned": "pinned", "published": "constructed"}
VERIFYING = ("attested", "pinned", "constructed")  # best first


class Frame:
    def __init__(self, frame_id, content, digest, links):
        self.id, self.content, self.digest, self.links = frame_id, content, digest, links


def read_frame(raw):
    """A Frame, or MalformedFrame where PROTOCOL §7 says that it has no commitment; null is absent."""
    if not isinstance(raw, dict) or not is_text(member(raw, "id")):
        raise MalformedFrame("no id")
    content, digest, chain = member(raw, "content"), member(raw, "content_digest"), member(raw, "provenance")
    if not all(value is None or is_text(value) for value in (content, digest)):
        raise MalformedFrame("content or content_digest")
    if not isinstance(chain, (list, type(None))):
        raise MalformedFrame("provenance")
    return Frame(member(raw, "id"), content, digest, [read_link(link) for link in chain or []])


def read_link(raw):
    if not isinstance(raw, dict) or not is_text(member(raw, "type")):
        raise MalformedFrame("link without type")
    link = {name: member(raw, name) for name in ("type",) + LINK_MEMBERS}
    if not all(value is None or is_text(value) for value in link.values()):
        raise MalformedFrame("member of a link")
    return link


def read_attestation(raw):
    """The six required strings, or None: the piece is unusable (PROTOCOL §7)."""
    if not isinstance(raw, dict):
        return None
    values = {name: member(raw, name) for name in ATTESTATION_MEMBERS}
    return values if all(is_text(value) for value in values.values()) else None


def content_state(content, digest):
    """The first that applies (DESIGN §2 Content)."""
    if content is None:
        return "no_content"
    if digest is None:
        return "no_digest"
    if digest_bytes(digest) is None:
        return "opaque_digest"
    return compare_content(content, digest)


def compare_content(content, digest):
    """SHA-256 of the exact UTF-8 bytes (PROTOCOL §1)."""
    return "match" if sha256(content.encode("utf-8")) == digest_bytes(digest) else "mismatch"


class Key:
    """A key at hand: public_key is hex text; trusted_for a local id, a declared name or "*"."""

    def __init__(self, algorithm, public_key, tier, trusted_for=None, not_before=None, not_after=None):
        self.algorithm, self.public_key, self.tier, self.trusted_for = algorithm, public_key, tier, trusted_for
        self.not_before, self.not_after = not_before, not_after


class Question:
    """What is asked of one attestation.

    expected: the recomputed 32 bytes, or None where nothing is compared (the stated root of a retained subset);
    proof_ok: False where the proof that should yield the root is malformed; find_key: attestation → Key or None;
    at: the instant of receipt; binds_content: whether the frame declares a digest.
    """

    def __init__(self, attestation, expected, find_key, at=None, proof_ok=True, binds_content=True, algorithms=("ed25519",)):
        self.attestation, self.expected, self.find_key, self.at = attestation, expected, find_key, at
        self.proof_ok, self.binds_content, self.algorithms = proof_ok, binds_content, algorithms
        self.key = None


# Each check returns (state, verdict), or None to go on with the next.


def check_algorithm(q):
    if q.attestation["algorithm"] not in q.algorithms:  # CGP F8: exact spelling, never good, never invalid
        return "uncheckable", "unknown_algorithm"


def check_commitment_form(q):
    if digest_bytes(q.attestation["signed_commitment"]) is None or not q.proof_ok:
        return "invalid", "malformed_commitment"


def check_commitment(q):
    if q.expected is not None and digest_bytes(q.attestation["signed_commitment"]) != q.expected:
        return "invalid", "commitment_mismatch"


def check_key_known(q):
    q.key = q.find_key(q.attestation)
    if q.key is None:
        return "no_trusted_key", ""


def instant_of(q):
    """The receipt of the evidence, never issued_at (CGP F18)."""
    return q.at


def check_window(q):
    if instants.window(q.key.not_before, q.key.not_after, instant_of(q)) != "in_service":
        return "key_not_in_service", ""


def check_key(q):
    """A key is used with its own algorithm and no other (PROTOCOL §4)."""
    if q.key.algorithm != q.attestation["algorithm"] or not key_is_strict(q.key):
        return "invalid", "malformed_key"


def key_is_strict(key):
    """Whether a strict verifier takes the key, by the rule of its algorithm."""
    if key.algorithm == "ed448":
        raw = lower_hex(key.public_key, ed448.SIZE)
        return raw is not None and ed448.key_fault(raw) is None
    if key.algorithm in mldsa.SETS:
        return lower_hex(key.public_key, mldsa.SETS[key.algorithm].public_key_size) is not None
    raw = lower_hex(key.public_key, 32)
    return raw is not None and ed25519.strict_point(raw) is not None


def signature_bytes(text):
    """The 64 bytes of 128 lowercase hex digits, or None."""
    return lower_hex(text, 64)


def check_signature_form(q):
    text, algorithm = q.attestation["signature"], q.attestation["algorithm"]
    if algorithm == "ed448":
        raw = lower_hex(text, 2 * ed448.SIZE)
    elif algorithm in mldsa.SETS:
        raw = lower_hex(text, mldsa.SETS[algorithm].signature_size)
    else:
        raw = signature_bytes(text)
    if raw is None:
        return "invalid", "malformed_signature"


def signed(public_key, commitment, signature):
    """The signature is over the 32 raw commitment bytes (CGP §6.5.4)."""
    return signed_cache(public_key, commitment, signature)


@functools.lru_cache(4096)
def signed_cache(public_key, commitment, signature):
    """A root's signature is asked about once for each frame it covers."""
    return ed25519.verify(public_key, commitment, signature)


def check_signature(q):
    commitment, public_key = digest_bytes(q.attestation["signed_commitment"]), bytes.fromhex(q.key.public_key)
    if q.key.algorithm == "ed448":
        verdict = ed448.verify(public_key, commitment, bytes.fromhex(q.attestation["signature"]))
    elif q.key.algorithm in mldsa.SETS:
        verdict = mldsa.verify(q.key.algorithm, public_key, commitment, bytes.fromhex(q.attestation["signature"]))
    else:
        verdict = signed(public_key, commitment, signature_bytes(q.attestation["signature"]))
    if verdict != "valid":
        return "invalid", verdict


def order_of_checks():
    """PROTOCOL §4 and DESIGN §2: tampering is named even when no key is trusted."""
    return (check_algorithm, check_commitment_form, check_commitment, check_key_known, check_window, check_key,
            check_signature_form, check_signature)


def evaluate(q):
    """(state, verdict) of one piece of evidence: the first check that applies decides."""
    for check in order_of_checks():
        outcome = check(q)
        if outcome is not None:
            return outcome
    return TIER_STATES[q.key.tier], "valid" if q.binds_content else "valid_identity_only"


def proof_verdict(commitment, root, proof, frames=None):
    """The verdict of op `proof`: shape and size are judged before anything is hashed (CGP §6.5.3)."""
    leaf, top = digest_bytes(commitment), digest_bytes(root)
    if leaf is None or top is None or not merkle.well_formed(proof):
        return "malformed_commitment"
    if frames is not None and not merkle.count_fits(proof, frames, False):
        return "malformed_commitment"
    return "valid" if proof.fold(leaf)[-1] == top else "commitment_mismatch"
