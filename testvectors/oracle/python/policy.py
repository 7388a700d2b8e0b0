"""Which keys are at hand for an answer, and what makes a frame good (DESIGN.md §2 Which key, Policy; PROTOCOL.md §5)."""

import ed25519
from encoding import digest_bytes
from keysforms import Malformed, hex_key
from strictjson import is_text, member
from verdicts import VERIFYING, Key


class BadPolicy(Exception):
    """Nothing is judged: exit 2."""


def read_keys(raw, findings):
    """[(key_id, algorithm, public_key)] of an attester_keys member; an ill-typed element is a finding, the rest stands."""
    keys = []
    if not isinstance(raw, (list, type(None))):
        findings.append("malformed_published_key")
    for element in raw if isinstance(raw, list) else []:
        values = [member(element, name) if isinstance(element, dict) else None for name in ("key_id", "algorithm", "public_key")]
        if all(is_text(value) for value in values):
            keys.append(tuple(values))
        else:
            findings.append("malformed_published_key")
    return keys


class Policy:
    def __init__(self, options):
        self.trusted = [self.trusted_key(raw) for raw in options.get("trusted") or []]
        self.published = options.get("published") or []
        self.provider, self.local_id, self.at = (options.get(name) for name in ("provider", "local_id", "received_at"))
        default = "constructed" if self.published and not self.trusted else "attested"
        self.require = options.get("require") or default
        self.retained = bool(options.get("retained"))
        self.allow_identity_only = bool(options.get("allow_identity_only"))
        self.allow_opaque_digest = bool(options.get("allow_opaque_digest"))
        if self.require not in VERIFYING:
            raise BadPolicy("require")
        known = {}
        for key_id, key in self.trusted:  # two sources that differ under one id (DESIGN §2)
            facts = (key.algorithm, key.public_key, key.tier, key.not_before, key.not_after)
            if known.setdefault((key.trusted_for, key_id), facts) != facts:
                raise BadPolicy("two keys under one id")

    @staticmethod
    def trusted_key(raw):
        """(key_id, Key); a weak or malformed trusted key is refused (DESIGN §2)."""
        public_key, tier = raw["public_key"], raw.get("tier") or "configured"
        if raw["algorithm"] == "ed25519":
            try:
                public_key = hex_key(public_key).hex()
            except Malformed as error:
                raise BadPolicy("public key") from error
            if ed25519.strict_point(bytes.fromhex(public_key)) is None:
                raise BadPolicy("weak key")
        if tier not in ("configured", "pinned"):
            raise BadPolicy("tier")
        if raw["key_id"] == "" or raw["local_id"] == "":  # an id that is empty names nothing (PROTOCOL §5)
            raise BadPolicy("id")
        return raw["key_id"], Key(raw["algorithm"], public_key, tier, raw["local_id"], raw.get("not_before"), raw.get("not_after"))

    def suffices(self, state):
        return state in VERIFYING and VERIFYING.index(state) <= VERIFYING.index(self.require)

    def condition_met(self, frame, content):
        """The content condition of a good frame and what waives it (DESIGN §2 Policy)."""
        if content == "match":
            return True
        if frame.digest is None:
            return self.allow_identity_only
        return digest_bytes(frame.digest) is None and self.allow_opaque_digest


class Session:
    """What the records before an answer, in its own input, declared."""

    def __init__(self):
        self.acks = []  # (name, keys, faults of the keys) oldest first
        self.signing = set()  # declared names of answers with evidence

    def add(self, record):
        faults = []
        keys = read_keys(record.attester_keys, faults)
        self.acks.append((record.provider_id, keys, faults))

    def names(self):
        """Declared names, newest first, each once."""
        return list(dict.fromkeys(name for name, _, _ in reversed(self.acks)))


class KeyRing:
    """The keys at hand for one answer, in the order in which they are asked (DESIGN §2 Which key)."""

    def __init__(self, policy, session, record, provider_id, local_id, findings):
        self.provider_id, self.local_id = provider_id, local_id
        self.trusted = [(key_id, key) for scope in (local_id, "*") for key_id, key in policy.trusted if key.trusted_for == scope]
        given = [(raw["key_id"], raw["algorithm"], raw["public_key"]) for raw in policy.published if raw["provider"] in (provider_id, "*")]
        told = []
        for name, keys, faults in session.acks:
            if name == provider_id:
                told += keys
                findings += faults
        self.published = [given, read_keys(record.attester_keys, findings), told]
        bytes_of = {}
        for key_id, _, public_key in (key for source in self.published for key in source):
            bytes_of.setdefault(key_id, set()).add(public_key.lower())
        for key_id, both in bytes_of.items():
            both |= {key.public_key for other, key in self.trusted if other == key_id}
            if len(both) > 1:
                findings.append("published_key_conflict")

    def find(self, attestation):
        """By (key_id, algorithm); a trusted key hides every published one under its id, the latest published bytes count."""
        key_id, algorithm = attestation["key_id"], attestation["algorithm"]
        under = [key for other, key in self.trusted if other == key_id]
        for key in under:
            if key.algorithm == algorithm:
                return key
        if under:
            return None
        for source in self.published:
            for other, other_algorithm, public_key in reversed(source):
                if (other, other_algorithm) == (key_id, algorithm):
                    return Key(algorithm, public_key, "published", self.provider_id)
        return None
