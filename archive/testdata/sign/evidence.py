"""Verifies retained subsets: a second opinion for the tests of package archive.

Written from docs/formats.md (cgp-evidence/1), CGP sections 6.3 and 6.5, RFC 9162 section 2.1.3.2 and RFC 8032 section 5.1.7 with
Python's standard library alone; it shares no code with the Go side. For tests only.

    python3 evidence.py PUBLIC_KEY < kept.ndjson     a line a record: "proven", then the ids of the frames, or "false" and why
"""

import hashlib
import json
import sys

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, P - 2, P) % P


def sha(data):
    return hashlib.sha256(data).digest()


# Points as (X, Y, Z, T) with x = X/Z, y = Y/Z, xy = T/Z: RFC 8032 section 5.1.4.

def add(p, q):
    a, b = (p[1] - p[0]) * (q[1] - q[0]) % P, (p[1] + p[0]) * (q[1] + q[0]) % P
    c, d = 2 * p[3] * q[3] * D % P, 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def multiply(n, p):
    total = (0, 1, 1, 0)
    for bit in bin(n)[2:]:
        total = add(total, total)
        if bit == "1":
            total = add(total, p)
    return total


def encode(p):
    inverse = pow(p[2], P - 2, P)
    x, y = p[0] * inverse % P, p[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


def decode(data):
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (1 << 255) - 1
    square = (y * y - 1) * pow(D * y * y + 1, P - 2, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * pow(2, (P - 1) // 4, P) % P
    if y >= P or (x * x - square) % P:
        raise ValueError("not on the curve")
    x = P - x if x % 2 != sign else x
    return x, y, 1, x * y % P


BASE = decode((4 * pow(5, P - 2, P) % P).to_bytes(32, "little"))


def signed(public, message, signature):
    r, s = signature[:32], int.from_bytes(signature[32:], "little")
    k = int.from_bytes(hashlib.sha512(r + public + message).digest(), "little") % L
    x, y, z, t = decode(public)
    return s < L and encode(add(multiply(s, BASE), multiply(k, (P - x, y, z, P - t)))) == r


def string(s):
    data = s.encode()
    return len(data).to_bytes(4, "big") + data


def optional(s):
    return b"\x00" if s is None else b"\x01" + string(s)


def commit(provider, frame):
    """CGP 6.5.1 and 6.5.2."""
    head = sha(b"contextgraph/attest/1/genesis")
    for link in frame.get("provenance") or []:
        members = b"".join(optional(link.get(k)) for k in ("uri", "range", "digest", "method", "by"))
        head = sha(b"contextgraph/attest/1/link" + head + string(link["type"]) + members)
    return sha(b"contextgraph/attest/1/frame" + string(provider) + string(frame["id"]) + optional(frame.get("content_digest")) + head)


def root_of(leaf, proof):
    """RFC 9162 section 2.1.3.2, for a leaf hash."""
    index, last = proof["leaf_index"], proof["leaf_count"] - 1
    if index > last:
        raise ValueError("leaf_index is not below leaf_count")
    node = sha(b"\x00" + leaf)
    for step in proof["path"]:
        sibling = bytes.fromhex(step["sibling"].removeprefix("sha256:"))
        if last == 0:
            raise ValueError("the path is too long")
        left = index % 2 == 1 or index == last
        if left != step["sibling_is_left"]:
            raise ValueError("a sibling is on the wrong side")
        if left:
            node = sha(b"\x01" + sibling + node)
            while index % 2 == 0 and index:
                index, last = index >> 1, last >> 1
        else:
            node = sha(b"\x01" + node + sibling)
        index, last = index >> 1, last >> 1
    if last:
        raise ValueError("the path is too short")
    return node


def check(attestation, message, public):
    if attestation["signed_commitment"] != "sha256:" + message.hex():
        raise ValueError("another value is signed")
    if not signed(public, message, bytes.fromhex(attestation["signature"])):
        raise ValueError("the signature is bad")


def prove(record, public):
    if record["format"] != "cgp-evidence/1":
        raise ValueError("another format")
    provider, result = record["provider_id"], record["result"]
    counts, ids = set(), []
    for frame in result["frames"]:
        if "content" in frame and "content_digest" in frame:
            if frame["content_digest"] != "sha256:" + sha(frame["content"].encode()).hex():
                raise ValueError("the content is another one")
        leaf = commit(provider, frame)
        name = (provider, frame["id"], frame.get("content_digest"))
        proven, last = False, "no entry names it"
        for entry in result["frame_attestations"]:
            of = entry["frame"]
            if (of["provider_id"], of["frame_id"], of.get("content_digest")) != name:
                continue
            try:
                if "attestation" in entry:
                    check(entry["attestation"], leaf, public)
                    proven = True
                if "inclusion_proof" in entry:
                    check(result["result_attestation"], root_of(leaf, entry["inclusion_proof"]), public)
                    counts.add(entry["inclusion_proof"]["leaf_count"])
                    proven = True
            except ValueError as why:
                last = why
                continue
        if not proven:
            raise ValueError("%s: nothing proves it: %s" % (frame["id"], last))
        ids.append(frame["id"])
    if len(counts) > 1 or counts and counts.pop() < len(ids):
        raise ValueError("the counts contradict")
    return ids


def main():
    public = bytes.fromhex(sys.argv[1])
    for line in sys.stdin:
        try:
            print("proven", json.dumps(prove(json.loads(line), public)))
        except (ValueError, KeyError) as why:
            print("false", why)


if __name__ == "__main__":
    main()
