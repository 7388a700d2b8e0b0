"""Trust files, format contextgraph-trust/1 (PROTOCOL.md §5): bytes in, the normalized store out, or the first broken rule."""

import ed25519
import instants
from keysforms import Malformed, fingerprint, hex_key
from strictjson import Fault, is_text, member, read_single

FORMAT = "contextgraph-trust/1"
LARGEST = 1 << 20
MOST_PINNED = 16
ENTRY_MEMBERS = ("key_id", "algorithm", "public_key", "fingerprint", "not_before", "not_after", "tier")
REQUIRED = ENTRY_MEMBERS[:3]


class Broken(Exception):
    """args[0] names the rule."""


def require(condition, rule):
    if not condition:
        raise Broken(rule)


def read_file(data):
    """{local_id: [entry]} with providers and key_ids in byte order."""
    require(len(data) <= LARGEST, "too_large")
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        raise Broken("invalid_utf8") from None
    try:
        top = read_single(data)
    except Fault as fault:
        raise Broken("duplicate_member" if fault.code == "duplicate_member" else "malformed_json") from fault
    require(isinstance(top, dict), "wrong_type")
    require(member(top, "format") == FORMAT, "unsupported_format")  # judged first
    require(set(top) <= {"format", "providers"}, "unknown_member")
    providers = {} if member(top, "providers") is None else member(top, "providers")
    require(isinstance(providers, dict), "wrong_type")
    store = {}
    for local_id in sorted(providers, key=lambda name: name.encode("utf-8")):
        require(local_id != "", "empty_provider_id")
        require(isinstance(providers[local_id], list), "wrong_type")
        entries = read_provider(providers[local_id])
        if entries:  # a provider without keys leaves no trace in a store
            store[local_id] = entries
    return store


def read_provider(raw_entries):
    entries = [read_entry(raw) for raw in raw_entries]
    key_ids = [entry["key_id"] for entry in entries]
    require(len(set(key_ids)) == len(key_ids), "duplicate_key_id")
    require(sum(entry["tier"] == "pinned" for entry in entries) <= MOST_PINNED, "too_many_pinned")
    return sorted(entries, key=lambda entry: entry["key_id"].encode("utf-8"))


def read_entry(raw):
    require(isinstance(raw, dict), "wrong_type")
    require(set(raw) <= set(ENTRY_MEMBERS), "unknown_member")
    values = {name: member(raw, name) for name in ENTRY_MEMBERS if member(raw, name) is not None}
    require(all(name in values for name in REQUIRED), "missing_member")
    require(all(is_text(value) for value in values.values()), "wrong_type")
    require(values["key_id"] != "", "empty_key_id")
    require(values["algorithm"] == "ed25519", "unsupported_algorithm")
    try:
        raw_key = hex_key(values["public_key"])
    except Malformed:
        raise Broken("malformed_public_key") from None
    require(ed25519.strict_point(raw_key) is not None, "weak_public_key")
    require(values.get("fingerprint", fingerprint(raw_key)) == fingerprint(raw_key), "fingerprint_mismatch")
    fault = instants.window_fault(values.get("not_before"), values.get("not_after"))
    require(fault is None, "%s_window" % fault)
    tier = values.get("tier", "configured")
    require(tier in ("configured", "pinned"), "unknown_tier")
    entry = {"key_id": values["key_id"], "algorithm": "ed25519", "public_key": raw_key.hex(), "tier": tier}
    entry.update((name, values[name]) for name in ("not_before", "not_after") if name in values)
    return entry
