"""Changes of a trust file (PROTOCOL.md §5): a key that a person vouches for, one that is pinned, one that goes."""

import json

import ed25519
import instants
import trust
from keysforms import fingerprint
from trust import require


def find(store, change):
    return next((entry for entry in store.get(change["local_id"], []) if entry["key_id"] == change["key_id"]), None)


def new_entry(change, tier):
    """The key of a change, or the first rule that it breaks."""
    require(change["local_id"] != "", "empty_provider_id")
    require(change["key_id"] != "", "empty_key_id")
    require(change["algorithm"] == "ed25519", "unsupported_algorithm")
    raw = bytes.fromhex(change["public_key"])
    require(len(raw) == 32, "malformed_public_key")
    require(ed25519.strict_point(raw) is not None, "weak_public_key")
    return {"key_id": change["key_id"], "algorithm": "ed25519", "public_key": raw.hex(), "tier": tier}


def hold(store, change, entry):
    others = [held for held in store.get(change["local_id"], []) if held["key_id"] != entry["key_id"]]
    store[change["local_id"]] = sorted(others + [entry], key=lambda held: held["key_id"].encode("utf-8"))


def same_key(held, change):
    return (held["algorithm"], held["public_key"]) == (change["algorithm"], change["public_key"])


def add(store, change):
    ends = {name: change[name] for name in ("not_before", "not_after") if change.get(name) is not None}
    require(all(instants.instant(end) is not None for end in ends.values()), "malformed_window")
    held = find(store, change)
    if held is not None:
        require(same_key(held, change), "key_held")
        ends = {name: ends.get(name, held.get(name)) for name in ("not_before", "not_after") if name in ends or name in held}
        unchanged = all((name in ends) == (name in held) and
                        (name not in ends or instants.compare(ends[name], held[name]) == "equal") for name in ("not_before", "not_after"))
        if held["tier"] == "configured" and unchanged:
            return "already_configured"
    entry = new_entry(change, "configured")
    require(instants.window_fault(ends.get("not_before"), ends.get("not_after")) is None, "inverted_window")
    hold(store, change, dict(entry, **ends))
    return "configured" if held is None else "reconfigured"


def pin(store, change):
    held = find(store, change)
    if held is not None:
        same, configured = same_key(held, change), held["tier"] == "configured"
        if same:
            return "already_configured" if configured else "already_pinned"
        return "conflicts_with_configured" if configured else "key_changed"
    entry = new_entry(change, "pinned")
    require(sum(other["tier"] == "pinned" for other in store.get(change["local_id"], [])) < trust.MOST_PINNED, "too_many_pinned")
    hold(store, change, entry)
    return "pinned"


def remove(store, change):
    if find(store, change) is None:
        return "not_held"
    store[change["local_id"]] = [entry for entry in store[change["local_id"]] if entry["key_id"] != change["key_id"]]
    if not store[change["local_id"]]:
        del store[change["local_id"]]
    return "removed"


def written(store):
    """The file as an object; what would not load is not written."""
    file = {"format": trust.FORMAT, "providers": {local_id: [written_entry(entry) for entry in entries] for local_id, entries in store.items()}}
    text = json.dumps(file, indent=2, ensure_ascii=False) + "\n"
    require(len(text.encode("utf-8")) <= trust.LARGEST, "too_large")
    return file


def written_entry(entry):
    shown = {name: entry[name] for name in ("key_id", "algorithm", "public_key")}
    shown["fingerprint"] = fingerprint(bytes.fromhex(entry["public_key"]))
    shown.update((name, entry[name]) for name in ("not_before", "not_after") if name in entry)
    if entry["tier"] == "pinned":
        shown["tier"] = "pinned"
    return shown


def edit(data, changes):
    store = {} if data is None else trust.read_file(data)
    outcomes = [{"add": add, "pin": pin, "remove": remove}[change["change"]](store, change) for change in changes]
    return {"outcomes": outcomes, "file": written(store)}

