"""Signs a session in the three shapes: a second opinion for the tests of package archive.

Written from CGP sections 6.3 and 6.5, RFC 6962 section 2.1 and RFC 8032 section 5.1 with Python's standard library alone; it
shares no code with the Go side. Slow and not constant time; for tests only.

    python3 oracle.py session > session.ndjson     write the session
    python3 oracle.py sign < session.ndjson > expected.json
"""

import hashlib
import json
import sys

SEED = bytes([7]) * 32
KEY_ID, ISSUED_AT = "key-1", "2026-08-29T12:00:00Z"


def sha(data):
    return hashlib.sha256(data).digest()


def text(digest):
    return "sha256:" + digest.hex()


# Ed25519

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def add(p, q):
    (x1, y1), (x2, y2) = p, q
    t = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + y1 * x2) * pow(1 + t, P - 2, P) % P
    y = (y1 * y2 + x1 * x2) * pow(1 - t, P - 2, P) % P
    return x, y


def multiply(n, p):
    total = (0, 1)
    for bit in bin(n)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def base_point():
    y = 4 * pow(5, P - 2, P) % P
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    return (x if x % 2 == 0 else P - x), y


def encode(p):
    x, y = p
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = base_point()
EXPANDED = hashlib.sha512(SEED).digest()
SCALAR = int.from_bytes(EXPANDED[:32], "little") & (1 << 254) - 8 | 1 << 254
PUBLIC = encode(multiply(SCALAR, BASE))


def sign(message):
    number = lambda data: int.from_bytes(hashlib.sha512(data).digest(), "little") % L
    r = number(EXPANDED[32:] + message)
    point = encode(multiply(r, BASE))
    s = (r + number(point + PUBLIC + message) * SCALAR) % L
    return point + s.to_bytes(32, "little")


# Commitments and the tree

def enc_str(s):
    data = s.encode()
    return len(data).to_bytes(4, "big") + data


def enc_opt(s):
    return b"\0" if s is None else b"\1" + enc_str(s)


def commitment(provider, frame):
    head = sha(b"contextgraph/attest/1/genesis")
    for link in frame.get("provenance") or []:
        encoded = enc_str(link["type"]) + b"".join(enc_opt(link.get(k)) for k in ("uri", "range", "digest", "method", "by"))
        head = sha(b"contextgraph/attest/1/link" + head + encoded)
    return sha(b"contextgraph/attest/1/frame" + enc_str(provider) + enc_str(frame["id"]) + enc_opt(frame["content_digest"]) + head)


def root(leaves):
    if not leaves:
        return sha(b"contextgraph/attest/1/merkle-empty")
    if len(leaves) == 1:
        return sha(b"\0" + leaves[0])
    k = split(len(leaves))
    return sha(b"\1" + root(leaves[:k]) + root(leaves[k:]))


def split(n):
    k = 1
    while 2 * k < n:
        k *= 2
    return k


def path(i, leaves):
    """PATH(m, D[n]) of RFC 6962, each step with its side."""
    if len(leaves) == 1:
        return []
    k = split(len(leaves))
    if i < k:
        return path(i, leaves[:k]) + [{"sibling": text(root(leaves[k:])), "sibling_is_left": False}]
    return path(i - k, leaves[k:]) + [{"sibling": text(root(leaves[:k])), "sibling_is_left": True}]


def attestation(attester, digest):
    return {"signed_commitment": text(digest), "key_id": KEY_ID, "algorithm": "ed25519", "attester_id": attester,
            "signature": sign(digest).hex(), "issued_at": ISSUED_AT}


def evidence(provider, frames, shape):
    order = sorted(range(len(frames)), key=lambda i: (frames[i]["id"].encode(), frames[i]["content_digest"].encode()))
    leaves = [commitment(provider, frames[i]) for i in order]
    entries, seen = [], []
    for i, frame in enumerate(frames):
        identity = {"provider_id": provider, "frame_id": frame["id"], "content_digest": frame["content_digest"]}
        if identity in seen:
            continue
        seen.append(identity)
        entry = {"frame": identity}
        leaf = order.index(i)
        if shape != "root":
            entry["attestation"] = attestation(provider, leaves[leaf])
        if shape != "frames":
            entry["inclusion_proof"] = {"leaf_index": leaf, "leaf_count": len(leaves), "path": path(leaf, leaves)}
        entries.append(entry)
    out = {}
    if entries:
        out["frame_attestations"] = entries
    if shape != "frames":
        out["result_attestation"] = attestation(provider, root(leaves))
    return out


# The session

def frame(name, links=()):
    content = "content of " + name
    return {"id": name, "content": content, "content_digest": text(sha(content.encode())), "provenance": list(links)}


def session():
    file = {"type": "file", "uri": "docs/na\u00efve.md", "range": "L1-L2", "digest": "sha256:" + "ab" * 32}
    derived = {"type": "derivation", "method": "", "by": None}
    # U+FF5E comes before U+1D11E by UTF-8 bytes, after it by UTF-16 units.
    seven = [frame(n, links) for n, links in [
        ("\U0001d11e", [file]), ("\uff5e", []), ("b", [file, derived]), ("twin", [derived])]]
    seven += [frame("twin", [derived]), frame("B", [derived, file]), frame("a\u0000", [])]
    answers = [[frame("only", [file])], [frame("z"), frame("a", [derived])], [frame("c"), frame("a"), frame("b", [file])], seven, []]
    yield {"type": "handshake_ack", "provider": {"name": "r\u00e9po-graph"}}
    for n, frames in enumerate(answers):
        yield {"type": "frames", "id": "q%d" % n, "result": {"frames": frames, "truncated": False}}


if sys.argv[1:] == ["session"]:
    for message in session():
        print(json.dumps(message, separators=(",", ":"), ensure_ascii=False))
elif sys.argv[1:] == ["sign"]:
    messages = [json.loads(line) for line in sys.stdin]
    provider = messages[0]["provider"]["name"]
    answers = [m["result"]["frames"] for m in messages[1:]]
    json.dump({shape: [evidence(provider, frames, shape) for frames in answers] for shape in ("root", "frames", "both")},
              sys.stdout, indent=1)
    print()
else:
    sys.exit(__doc__)
