#!/usr/bin/env python3
"""An independent reading of the Context Graph Protocol's verification rules: an oracle for test vectors.

Written from the protocol text and the design text alone, without sight of the Go library or of any other
implementation, with Python's standard library only, so that agreement between the two means something. Plain rather
than fast. Talks JSON lines on stdin and stdout: {"op":"hello"} first, then {"id","op","input"} a line.

    oracle.py                     answer requests
    oracle.py --broken NAME       the same with one deliberate mistake (broken.py)
    oracle.py --list-broken       print the names of the mistakes
"""

import argparse
import json
import sys

import answers
import broken
import compressed
import ed25519
import encoding
import instants
import keeping
import keyfiles
import keysforms
import merkle
import mldsa
import ranges
import reasons
import records
import signing
import stored
import strictjson
import trust
import trustedit
import twosteps
import verdicts
from strictjson import Number, is_text


class Refusal(Exception):
    """args[0] is the error name an op answers with."""


def expand(value):
    """{"repeat":[TEXT, N]} becomes TEXT N times, and what `then` beside it gives follows; `NAME_u64` with a decimal string
    becomes NAME with that number."""
    if isinstance(value, list):
        return [expand(element) for element in value]
    if not isinstance(value, dict):
        return value
    if set(value) - {"then"} == {"repeat"} and isinstance(value["repeat"], list):
        text, times = value["repeat"]
        return expand(text) * int(times) + expand(value.get("then", ""))
    result = {}
    for name, element in value.items():
        if name.endswith("_u64") and is_text(element):
            result[name[:-len("_u64")]] = Number(element)
        else:
            result[name] = expand(element)
    return result


def data_of(given, text_name, hex_name):
    """The bytes that an input gives as text or as hex."""
    if given.get(hex_name) is not None:
        return bytes.fromhex(given[hex_name])
    return given[text_name].encode("utf-8")


def digests(texts):
    found = [encoding.digest_bytes(text) for text in texts]
    if None in found:
        raise Refusal("malformed_commitment")
    return found


# Each op returns its answer: one of value, verdict or error, and steps where there are intermediate values.


def op_encode(given):
    if "link" in given:
        result = encoding.encode_link(verdicts.read_link(given["link"]))
    elif "optional" in given:
        result = encoding.enc_opt(given["optional"])
    else:
        result = encoding.enc_str(given["text"])
    return {"value": result.hex()}


def chain_steps(links):
    heads = encoding.chain_heads(links)
    return {"encodings": [encoding.encode_link(link).hex() for link in links], "heads": [head.hex() for head in heads[1:]],
            "chain_head": heads[-1].hex()}


def op_chain(given):
    steps = chain_steps([verdicts.read_link(link) for link in given.get("provenance") or []])
    return {"value": steps["chain_head"], "steps": steps}


def op_commitment(given):
    frame, provider_id = verdicts.read_frame(given["frame"]), given["provider_id"]
    steps = chain_steps(frame.links)
    preimage = encoding.frame_preimage(provider_id, frame.id, frame.digest, bytes.fromhex(steps["chain_head"]))
    value = encoding.digest_text(encoding.commitment(provider_id, frame))
    return {"value": value, "steps": dict(steps, preimage=preimage.hex(), commitment=value)}


def op_order(given):
    triples = [(frame["provider_id"], frame["frame_id"], frame.get("content_digest")) for frame in given["frames"]]
    return {"value": encoding.canonical_order(triples)}


def op_root(given):
    leaves = digests(given["commitments"])
    value = encoding.digest_text(merkle.root(leaves))
    steps = {"leaf": [merkle.leaf(leaf).hex() for leaf in leaves], "root": value}
    if len(leaves) <= 64:
        steps["levels"] = [[value.hex() for value in level] for level in merkle.levels(leaves)]
    return {"value": value, "steps": steps}


def op_prove(given):
    leaves, index = digests(given["commitments"]), strictjson.uint64(given["leaf_index"])
    if index is None or index >= len(leaves):
        raise Refusal("out_of_range")
    return {"value": merkle.prove(leaves, index)}


def op_proof(given):
    raw = given.get("inclusion_proof")
    if given.get("inclusion_proof_json") is not None:
        try:
            raw = strictjson.read_single(given["inclusion_proof_json"].encode("utf-8"))
        except strictjson.Fault as fault:
            raise Refusal("unusable") from fault
    proof, frames = merkle.read_proof(raw), given.get("frames")
    if proof is None:
        raise Refusal("unusable")
    verdict = verdicts.proof_verdict(given["commitment"], given["root"], proof, None if frames is None else int(frames))
    leaf = encoding.digest_bytes(given["commitment"])
    if leaf is None or not merkle.well_formed(proof):
        return {"verdict": verdict}
    hashes = proof.fold(leaf)
    return {"verdict": verdict, "steps": {"leaf": hashes[0].hex(), "levels": [value.hex() for value in hashes],
                                          "root": encoding.digest_text(hashes[-1])}}


def op_ed25519(given):
    signature = verdicts.signature_bytes(given["signature"])
    verdict = ed25519.verify(bytes.fromhex(given["public_key"]), bytes.fromhex(given["message"]), signature or bytes(64))
    return {"verdict": "malformed_signature" if signature is None and verdict != "malformed_key" else verdict}


def op_verify(given):
    attestation = verdicts.read_attestation(given.get("attestation"))
    if attestation is None:
        raise Refusal("unusable")
    algorithms, given_key = given.get("algorithms", ["ed25519"]), given["public_key"]
    if attestation["algorithm"] in algorithms and attestation["algorithm"] not in ALGORITHMS:
        return {"unsupported": True}
    key = verdicts.Key(given_key["algorithm"], given_key["public_key"], "configured")
    question = verdicts.Question(attestation, encoding.digest_bytes(given["commitment"]), lambda _: key, algorithms=algorithms,
                                 binds_content=given.get("content_digest") is not None)
    answer = {"verdict": verdicts.evaluate(question)[1]}
    message = encoding.digest_bytes(attestation["signed_commitment"])
    return dict(answer, steps={"message": message.hex()}) if message else answer


def op_key(given):
    try:
        raw = keysforms.read_key(given["public_key"], given.get("form") or "hex")
    except keysforms.Malformed as error:
        raise Refusal("malformed_key") from error
    return {"value": {"algorithm": "ed25519", "public_key": raw.hex(), "fingerprint": keysforms.fingerprint(raw)}}


def op_content(given):
    return {"verdict": verdicts.content_state(given.get("content"), given.get("content_digest"))}


def op_instant(given):
    if given.get("b") is not None:
        return {"verdict": instants.compare(given.get("a"), given["b"])}
    return {"verdict": "malformed_instant" if instants.instant(given.get("a")) is None else "well_formed"}


def op_window(given):
    return {"verdict": instants.window(given.get("not_before"), given.get("not_after"), given.get("at"))}


def op_range(given):
    try:
        found = ranges.addressed(given.get("range"), data_of(given, "file", "file_hex"))
    except ranges.Unverifiable as reason:
        raise Refusal(reason.args[0]) from reason
    return {"value": {"bytes": found.hex(), "digest": encoding.digest_text(encoding.sha256(found))}}


def op_trust(given):
    try:
        store = trust.read_file(data_of(given, "file", "file_hex"))
    except trust.Broken as rule:
        raise Refusal(rule.args[0]) from rule
    return {"value": {local_id: [{name: value for name, value in entry.items() if name != "algorithm"} for entry in entries]
                      for local_id, entries in store.items()}}


def op_wire(given):
    return {"value": [{"record": record.number, "error": record.error} if record.error else
                      {"record": record.number, "kind": record.kind} for record in records.read(data_of(given, "text", "bytes"))]}


def op_answer(given):
    return {"value": answers.judge_input(data_of(given, "text", "bytes"), given)}


def refusing(function, *given):
    """What a function that may refuse comes to."""
    try:
        return function(*given)
    except signing.Refused as refused:
        raise Refusal(refused.args[0]) from refused


def op_reasons(given):
    return {"value": reasons.reasons(data_of(given, "text", "bytes"), given)}


def op_retain(given):
    return {"value": refusing(keeping.retain, data_of(given, "text", "bytes"), given)}


def op_prove_frames(given):
    return {"value": refusing(keeping.prove_frames, data_of(given, "text", "bytes"), given)}


def op_check(given):
    return {"verdict": refusing(keeping.check, given)}


def op_sign(given):
    return {"value": refusing(signing.sign, data_of(given, "text", "bytes"), given)}


def op_publish(given):
    return {"value": refusing(signing.publish, data_of(given, "text", "bytes"), given)}


def op_prepare(given):
    return {"value": refusing(twosteps.prepare, data_of(given, "text", "bytes"), given)}


def op_sign_request(given):
    return {"value": refusing(twosteps.sign_request, given)}


def op_attach(given):
    return {"value": refusing(twosteps.attach, data_of(given, "text", "bytes"), given)}


def op_private_key(given):
    seed = keyfiles.read_private(data_of(given, "file", "file_hex"), given.get("passphrase"))
    raw = ed25519.public_key_of(seed)
    return {"value": {"algorithm": "ed25519", "public_key": raw.hex(), "fingerprint": keysforms.fingerprint(raw),
                      "pkcs8": keyfiles.pkcs8_pem(seed)}}


def op_public_key(given):
    return {"value": keyfiles.shown(keyfiles.read_public(data_of(given, "file", "file_hex")))}


def op_public_forms(given):
    return {"value": keyfiles.forms(given["algorithm"], bytes.fromhex(given["public_key"]))}


def op_published(given):
    return {"value": keyfiles.read_published(data_of(given, "file", "file_hex"))}


def op_trust_edit(given):
    file = given.get("file")
    try:
        return {"value": trustedit.edit(None if file is None else file.encode("utf-8"), given["changes"])}
    except trust.Broken as rule:
        raise Refusal(rule.args[0]) from rule


def op_decompress(given):
    try:
        data, fault = compressed.decompress(bytes.fromhex(given["bytes"]))
    except compressed.NotHere:
        return {"unsupported": True}
    return {"value": {"size": len(data), "digest": encoding.digest_text(encoding.sha256(data)), "error": fault}}


def op_archive_line(given):
    return {"value": stored.archive_line(given["message"], given.get("received_at"), given.get("local_id"))}


def op_list(given):
    return {"value": stored.listing(data_of(given, "text", "bytes"), given.get("provider"))}


def op_provenance(given):
    return {"value": stored.provenance(data_of(given, "text", "bytes"), given)}


ALGORITHMS = ["ed25519", "ed448"] + sorted(mldsa.SETS)
OPS = {name[len("op_"):]: function for name, function in list(globals().items()) if name.startswith("op_")}


def reply(request):
    """The answer to one request; never raises."""
    if request.get("op") == "hello":
        return {"name": "cgp-oracle-python", "version": "1", "ops": sorted(OPS), "algorithms": ALGORITHMS, "limits": {}}
    name = request.get("id")
    head = {"id": json.loads(name) if isinstance(name, Number) else name}
    if request.get("op") not in OPS:
        return dict(head, unsupported=True)
    try:
        return dict(head, **OPS[request["op"]](expand(request.get("input") or {})))
    except (Refusal, keyfiles.Refused, stored.Refused) as refusal:
        return dict(head, error=refusal.args[0])
    except encoding.MalformedFrame:
        return dict(head, error="malformed_frame")
    except Exception as error:  # an oracle never crashes on a case
        return dict(head, error="internal", detail="%s: %s" % (type(error).__name__, error))


def answer_text(value):
    """An answer as JSON; numbers of a message stay as they are spelt."""
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{%s}" % ",".join(json.dumps(name) + ":" + answer_text(element) for name, element in value.items())
    if isinstance(value, list):
        return "[%s]" % ",".join(map(answer_text, value))
    return json.dumps(value)


def read_request(line):
    """Requests come from the runner: plain JSON, numbers kept as they are spelt."""
    return json.loads(line, parse_int=Number, parse_float=Number, parse_constant=Number)


def main():
    parser = argparse.ArgumentParser(description="an oracle for the Context Graph Protocol's verification rules")
    parser.add_argument("--broken", metavar="NAME", choices=sorted(broken.VARIANTS), help="answer with one deliberate mistake")
    parser.add_argument("--list-broken", action="store_true", help="print the names of the mistakes")
    options = parser.parse_args()
    if options.list_broken:
        print("\n".join(broken.VARIANTS))
        return
    if options.broken:
        broken.apply(options.broken)
    for line in sys.stdin.buffer:
        if not line.strip():
            continue
        try:
            answer = reply(read_request(line))
        except Exception as error:
            answer = {"id": None, "error": "internal", "detail": "unreadable request: %s" % error}
        print(answer_text(answer), flush=True)


if __name__ == "__main__":
    main()
