"""Signing in two steps: cgp-signing-request/1 and cgp-signatures/1 (DESIGN.md §3.1; docs/formats.md has the members and the
exact text, of which the names of items are made)."""

import json
import re

import ed25519
import instants
import merkle
from encoding import FRAME_TAG, chain_heads, digest_bytes, digest_text, enc_opt, enc_str, frame_preimage, sha256
from signing import SHAPES, Options, Plan, Refused, Signer, is_point, require
from strictjson import Fault, is_text, read_single, uint64

REQUEST, SIGNATURES = "cgp-signing-request/1", "cgp-signatures/1"
HEAD = ("input_sha256", "algorithm", "public_key", "key_id", "attester_id", "issued_at", "shape")
FLAGS = ("no_proofs", "fill_digests", "replace", "skip_unsignable", "publish_key", "allow_opaque_digest")
ITEM = ("item", "answer", "kind", "frame", "commitment", "message", "preimage", "leaves")
FRAME = ("provider_id", "frame_id", "content_digest")


# --- The text of a request.


def quoted(text):
    """A JSON string in which what does not print is escaped, and nothing else that JSON does not demand."""
    plain = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else json.dumps(c)[1:-1] for c in plain)


def compact(value):
    if isinstance(value, dict):
        return "{%s}" % ",".join("%s:%s" % (quoted(name), compact(element)) for name, element in value.items())
    if isinstance(value, list):
        return "[%s]" % ",".join(map(compact, value))
    return quoted(value) if is_text(value) else json.dumps(value)


def text_of(request):
    """The request as `prepare` writes it: compact, each item on a line of its own."""
    head = {name: value for name, value in request.items() if name != "items"}
    return "%s,\"items\":[%s\n]}\n" % (compact(head)[:-1], ",".join("\n" + compact(item) for item in request["items"]))


def names_of(request):
    """The name of each item: its number, and the hash of the request whose items have numbers alone for names."""
    bare = dict(request, items=[dict(item, item=str(number + 1)) for number, item in enumerate(request["items"])])
    tag = sha256(text_of(bare).encode("utf-8")).hex()[:16]
    return ["%d-%s" % (number + 1, tag) for number in range(len(request["items"]))]


# --- Making one.


def request_of(data, plan, public_key):
    options = plan.options
    request = {"format": REQUEST, "input_sha256": sha256(data).hex(), "algorithm": "ed25519", "public_key": public_key.hex(),
               "key_id": options.key_id, "attester_id": plan.attester_id, "issued_at": options.issued_at, "shape": options.shape}
    chosen = {} if options.provider is None else {"provider": options.provider}
    chosen.update((name, True) for name in FLAGS if getattr(options, name))
    if chosen:
        request["options"] = chosen
    request["items"] = []
    for answer, position, raw in plan.messages():
        item = {"item": "", "answer": answer.record.number, "kind": "root", "frame": None, "commitment": digest_text(raw),
                "message": raw.hex(), "preimage": None, "leaves": [digest_text(leaf) for leaf in answer.leaves()]}
        if position is not None:
            frame = answer.frames[position]
            preimage = frame_preimage(plan.provider, frame.id, frame.digest, chain_heads(frame.links)[-1])
            item.update(kind="frame", preimage=preimage.hex(), leaves=None,
                        frame={"provider_id": plan.provider, "frame_id": frame.id, "content_digest": frame.digest})
        request["items"].append(item)
    for item, name in zip(request["items"], names_of(request)):
        item["item"] = name
    return request


def prepare(data, given):
    """The value of op `prepare`."""
    public_key = bytes.fromhex(given["public_key"])
    return request_of(data, Plan(data, Options(given), public_key), public_key)


# --- Reading one.


class Malformed(Exception):
    """The text is not in its format."""


def want(condition):
    if not condition:
        raise Malformed


def read_text(text, form):
    try:
        value = read_single(text.encode("utf-8"))
    except Fault as fault:
        raise Malformed from fault
    want(isinstance(value, dict) and value.get("format") == form)
    return value


def closed(value, names, optional=()):
    want(isinstance(value, dict) and set(names) <= set(value) <= set(names) | set(optional))


def name(value):
    want(is_text(value) and value != "")


def hex_text(value, size=None):
    want(is_text(value) and re.fullmatch("([0-9a-f]{2})*", value) and size in (None, len(value) // 2))


def read_request(text):
    try:
        return checked_request(read_text(text, REQUEST))
    except Malformed:
        raise Refused("malformed_request") from None


def checked_request(value):
    closed(value, ("format", "items") + HEAD, ("options",))
    hex_text(value["input_sha256"], 32)
    want(value["algorithm"] == "ed25519")
    hex_text(value["public_key"], 32)
    want(ed25519.strict_point(bytes.fromhex(value["public_key"])) is not None)
    name(value["key_id"])
    name(value["attester_id"])
    want(instants.instant(value["issued_at"]) is not None)
    want(value["shape"] in SHAPES and is_text(value["shape"]))
    options = value.get("options", {})
    closed(options, (), ("provider",) + FLAGS)
    if "provider" in options:
        name(options["provider"])
    want(all(isinstance(options[flag], bool) for flag in FLAGS if flag in options))
    want(isinstance(value["items"], list))
    request = {"format": REQUEST}
    request.update((member, value[member]) for member in HEAD)
    chosen = {flag: options[flag] for flag in ("provider",) + FLAGS if options.get(flag)}
    if chosen:
        request["options"] = chosen
    request["items"] = [checked_item(item) for item in value["items"]]
    return request


def checked_item(item):
    closed(item, ITEM)
    name(item["item"])
    want(uint64(item["answer"]))
    want(item["kind"] in ("root", "frame"))
    want(digest_bytes(item["commitment"]) is not None)
    hex_text(item["message"])
    of_frame = item["kind"] == "frame"
    want((item["frame"] is not None) == (item["preimage"] is not None) == of_frame == (item["leaves"] is None))
    if of_frame:
        closed(item["frame"], FRAME)
        name(item["frame"]["provider_id"])
        name(item["frame"]["frame_id"])
        want(is_text(item["frame"]["content_digest"]))
        hex_text(item["preimage"])
    else:
        want(isinstance(item["leaves"], list) and all(digest_bytes(leaf) is not None for leaf in item["leaves"]))
    ordered = {member: item[member] for member in ITEM}
    ordered["answer"] = uint64(item["answer"])
    if of_frame:
        ordered["frame"] = {member: item["frame"][member] for member in FRAME}
    return ordered


def fits(item, shape):
    """Whether an item is what it claims to be, as far as it can be seen without the input."""
    raw = digest_bytes(item["commitment"])
    if item["message"] != raw.hex() or shape not in ("both", "frames" if item["kind"] == "frame" else "root"):
        return False
    if item["kind"] == "root":
        return merkle.root([digest_bytes(leaf) for leaf in item["leaves"]]) == raw
    preimage, frame = bytes.fromhex(item["preimage"]), item["frame"]
    front = FRAME_TAG + enc_str(frame["provider_id"]) + enc_str(frame["frame_id"]) + enc_opt(frame["content_digest"])
    return sha256(preimage) == raw and preimage[:-32] == front


def sign_request(given):
    """The value of op `sign_request`: nothing is signed unless every item is what it claims to be."""
    request = read_request(given["request"])
    stated = given.get("public_key")
    signer = Signer(bytes.fromhex(given["seed"]), None if stated is None else bytes.fromhex(stated))
    require(is_point(signer.public_key), "malformed_key")
    require(all(fits(item, request["shape"]) for item in request["items"]), "item_mismatch")
    require([item["item"] for item in request["items"]] == names_of(request), "item_mismatch")
    require(signer.public_key.hex() == request["public_key"], "other_key")
    return {"format": SIGNATURES, "signatures": [
        {"item": item["item"], "signature": signer.sign(bytes.fromhex(item["message"])).hex()} for item in request["items"]]}


# --- Attaching.


def read_signatures(text):
    try:
        value = read_text(text, SIGNATURES)
        closed(value, ("format", "signatures"))
        want(isinstance(value["signatures"], list))
        for element in value["signatures"]:
            closed(element, ("item", "signature"))
            name(element["item"])
            hex_text(element["signature"], 64)
    except Malformed:
        raise Refused("malformed_signatures") from None
    return [(element["item"], bytes.fromhex(element["signature"])) for element in value["signatures"]]


def read_file(data):
    """64 raw bytes, or 128 hexadecimal digits of either case with white space around them."""
    if len(data) == 64:
        return data
    digits = data.decode("latin-1").strip(" \t\r\n\v\f\x85\xa0")
    require(re.fullmatch("[0-9a-fA-F]{128}", digits), "no_signature")
    return bytes.fromhex(digits)


def attach(data, given):
    """The value of op `attach`: what the input holds when the signatures are written into it."""
    request = read_request(given["request"])
    if given.get("signatures") is not None:
        signatures = read_signatures(given["signatures"])
    else:
        signatures = [(file["item"], read_file(bytes.fromhex(file["file_hex"]) if "file_hex" in file else file["file"].encode("utf-8")))
                      for file in given["files"]]
    require(sha256(data).hex() == request["input_sha256"], "input_changed")
    options = Options(dict(request.get("options", {}), **{member: request[member] for member in HEAD}))
    public_key = bytes.fromhex(request["public_key"])
    plan = Plan(data, options, public_key)
    require(request_of(data, plan, public_key) == request, "request_mismatch")
    items, found = {item["item"]: item for item in request["items"]}, {}
    for item, signature in signatures:
        require(item in items, "unknown_item")
        require(item not in found, "duplicate_signature")
        require(ed25519.verify(public_key, bytes.fromhex(items[item]["message"]), signature) == "valid", "wrong_signature")
        found[item] = signature
    require(set(found) == set(items), "missing_signature")
    ready = iter([found[item["item"]] for item in request["items"]])
    return plan.write(lambda raw: next(ready))
