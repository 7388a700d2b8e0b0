"""Puts questions of the tests to the independent implementations in testvectors/oracle/python: one JSON object a line, an answer a line."""

import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "..", "testvectors", "oracle", "python"))
import ed448  # noqa: E402
import mldsa  # noqa: E402


def verify(question, key, message, signature):
    """The verdict, and for Ed448 the first rule that is broken."""
    name = question["algorithm"]
    if name != "ed448":
        return mldsa.verify(name, key, message, signature)
    verdict = ed448.verify(key, message, signature)
    reason = ed448.key_fault(key) if verdict == "malformed_key" else None
    if verdict == "bad_signature":
        reason = ed448.signature_fault(key, message, signature)
    return verdict + (":" + reason if reason else "")


def internal(question, key, message, signature):
    """ML-DSA.Verify_internal, which is what the ACVP values are of."""
    return mldsa.verify_internal(mldsa.SETS[question["algorithm"]], key, message, signature)


def torsion(_question, seed, message, _signature):
    """Keys and signatures with torsion points in them: key, signature, and whether the equation without cofactor holds."""
    rows = []
    for t in ed448.torsion_points()[1:]:
        for parts in ({"torsion": t}, {"r_torsion": t}):
            key, signature = ed448.sign(seed, message, **parts)
            rows.append([key.hex(), signature.hex(), "yes" if ed448.equation(key, message, signature) else "no"])
    key, signature = ed448.sign(seed, message, nonce=0)
    rows.append([key.hex(), signature.hex(), "yes" if ed448.equation(key, message, signature) else "no"])
    return " ".join(":".join(row) for row in rows)


def points(_question, _key, _message, _signature):
    """The encodings of the torsion points."""
    return " ".join(ed448.encode(p).hex() for p in ed448.torsion_points())


for line in sys.stdin:
    question = json.loads(line)
    print(globals()[sys.argv[1]](question, *(bytes.fromhex(question[name]) for name in ("key", "message", "signature"))), flush=True)
