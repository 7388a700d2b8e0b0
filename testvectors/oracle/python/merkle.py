"""The Merkle tree over frame commitments and its inclusion proofs (CGP §6.5.3; RFC 6962 §2.1 but for the empty root).

Written from the definitions: recursion over half-open ranges, Python's unbounded integers, nothing derived from bit tricks.
"""

from encoding import digest_bytes, digest_text, sha256
from strictjson import is_text, member, uint64

EMPTY_TAG = b"contextgraph/attest/1/merkle-empty"
LONGEST_PATH = 64


def leaf(commitment):
    """RFC 6962 §2.1: SHA256(0x00 ‖ c)."""
    return sha256(b"\x00" + commitment)


def node(left, right):
    """RFC 6962 §2.1: SHA256(0x01 ‖ l ‖ r)."""
    return sha256(b"\x01" + left + right)


def empty_root():
    """CGP §6.5.3: a tagged hash, not RFC 6962's SHA256("")."""
    return sha256(EMPTY_TAG)


def split(size):
    """The largest power of two smaller than `size`, for size ≥ 2 (RFC 6962 §2.1)."""
    power = 1
    while power * 2 < size:
        power *= 2
    return power


def subtree(commitments, low, high):
    """MTH(C[low:high]) for a range that is not empty."""
    if high - low == 1:
        return leaf(commitments[low])
    middle = low + split(high - low)
    return node(subtree(commitments, low, middle), subtree(commitments, middle, high))


def root(commitments):
    """MTH(C): the root over commitments in leaf order."""
    return subtree(commitments, 0, len(commitments)) if commitments else empty_root()


def levels(commitments):
    """The hashes of every level, leaves first: level k holds the subtree over each run of 2^k leaves."""
    result, width = [], 1
    while commitments:
        result.append([subtree(commitments, low, min(low + width, len(commitments)))
                       for low in range(0, len(commitments), width)])
        if len(result[-1]) == 1:
            break
        width *= 2
    return result


def ranges(index, low, high):
    """The sibling ranges of leaf `index` in [low, high) from the leaf upward: (is_left, low, high) each (RFC 6962 §2.1.1)."""
    if high - low == 1:
        return []
    middle = low + split(high - low)
    if index < middle:
        return ranges(index, low, middle) + [(False, middle, high)]
    return ranges(index, middle, high) + [(True, low, middle)]


def prove(commitments, index):
    """The wire form of the inclusion proof of a leaf."""
    path = [{"sibling": digest_text(subtree(commitments, low, high)), "sibling_is_left": left}
            for left, low, high in ranges(index, 0, len(commitments))]
    return {"leaf_index": index, "leaf_count": len(commitments), "path": path}


class Proof:
    """A proof whose members are all there and of their types; siblings are still text."""

    def __init__(self, index, count, path):
        self.index, self.count, self.path = index, count, path

    def fold(self, commitment):
        """The hashes from the leaf up to the root the proof leads to."""
        hashes = [leaf(commitment)]
        for sibling, is_left in self.path:
            other = digest_bytes(sibling)
            hashes.append(node(other, hashes[-1]) if is_left else node(hashes[-1], other))
        return hashes


def read_proof(raw):
    """A Proof, or None where a member is missing, null or ill-typed (CGP §1, §7: `7.0`, `7e0`, `-0`, above 2^64−1)."""
    if not isinstance(raw, dict):
        return None
    index, count, steps = uint64(member(raw, "leaf_index")), uint64(member(raw, "leaf_count")), member(raw, "path")
    if index is None or count is None or not isinstance(steps, list):
        return None
    path = []
    for step in steps:
        if not isinstance(step, dict):
            return None
        sibling, is_left = member(step, "sibling"), member(step, "sibling_is_left")
        if not is_text(sibling) or not isinstance(is_left, bool):
            return None
        path.append((sibling, is_left))
    return Proof(index, count, path)


def shape_fits(proof):
    """Length and every side follow from index and count (CGP §6.5.3); judged before anything is hashed."""
    if len(proof.path) > LONGEST_PATH or proof.index >= proof.count:
        return False
    return [side for _, side in proof.path] == [side for side, _, _ in ranges(proof.index, 0, proof.count)]


def count_fits(proof, frames, retained):
    """Over a complete answer leaf_count is the number of frames; in a retained subset a claim, no smaller than what is held."""
    return proof.count >= frames if retained else proof.count == frames


def well_formed(proof):
    """Shape and siblings are as they must be; what is not is `malformed_commitment` (CGP §6.5.4)."""
    return shape_fits(proof) and all(digest_bytes(sibling) is not None for sibling, _ in proof.path)


def placed(proof, commitment):
    """((low, high), hash) of every node that a well-formed proof states or computes."""
    low, high = proof.index, proof.index + 1
    hashes = proof.fold(commitment)
    yield (low, high), hashes[0]
    for (_, start, end), (sibling, _), above in zip(ranges(proof.index, 0, proof.count), proof.path, hashes[1:]):
        yield (start, end), digest_bytes(sibling)
        low, high = min(low, start), max(high, end)
        yield (low, high), above
