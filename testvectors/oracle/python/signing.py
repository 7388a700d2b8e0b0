"""Signing the answers of an input, and publishing a key in its handshake_acks (DESIGN.md §3.1; CGP F14, P1 to P3, §6.3, §6.5).

What is written is told as data: which members stand on which record. Where in the text they stand is no question of a port.
"""

import ed25519
import instants
import merkle
import records
from encoding import MalformedFrame, canonical_order, commitment, digest_text, sha256
from strictjson import is_text, member
from verdicts import content_state, read_frame

SHAPES = ("root", "frames", "both")
COMPRESSED = (b"\x1f\x8b", b"\x28\xb5\x2f\xfd")  # gzip (RFC 1952), zstd (RFC 8878)
NEVER_IN_FULL = ("content_ref", "transform", "canonical_content_hash")  # CGP P1
ALWAYS_IN_COMPACT = ("canonical_content_hash", "transform", "content_ref")  # CGP P2


class Refused(Exception):
    """args[0] names the rule, or what is wrong with the options."""


def require(condition, rule):
    if not condition:
        raise Refused(rule)


def signed_message(raw):
    """What is signed of a commitment: its 32 bytes as they are (CGP §6.5.4)."""
    return raw


def make_signature(seed, raw):
    return ed25519.sign(seed, signed_message(raw))


class Signer:
    """A seed, and the public key that whoever holds it states: its own, where nothing else is said."""

    def __init__(self, seed, stated=None):
        self.seed = seed
        self.public_key = ed25519.public_key_of(seed) if stated is None else stated

    def sign(self, raw):
        signature = make_signature(self.seed, raw)
        if self.public_key != ed25519.public_key_of(self.seed):
            require(ed25519.verify(self.public_key, raw, signature) == "valid", "signer_mismatch")
        return signature


class Options:
    def __init__(self, given):
        self.provider, self.key_id, self.attester_id = given.get("provider"), given["key_id"], given.get("attester_id")
        self.issued_at, self.shape = given.get("issued_at"), given.get("shape") or "root"
        for name in ("no_proofs", "fill_digests", "replace", "skip_unsignable", "publish_key", "allow_opaque_digest"):
            setattr(self, name, bool(given.get(name)))
        require(self.shape in SHAPES, "unknown_shape")
        self.signs_root, self.signs_frames = self.shape != "frames", self.shape != "root"
        self.proofs = self.signs_root and not self.no_proofs


class Signable:
    """An answer, the newest name declared in front of it, and what signing finds in it."""

    def __init__(self, record, declared):
        self.record, self.declared = record, declared
        self.frames, self.commitments, self.order = [], [], []

    def judge(self, provider, options):
        """Refuses what may not be signed (DESIGN §3.1 Refused)."""
        require(not self.record.retained, "retained_subset")
        if not options.replace:
            for name in ("frame_attestations", "result_attestation"):
                require(member(self.record.result, name) in (None, []), "already_signed")
        raw_frames = member(self.record.result, "frames")
        require(raw_frames or options.shape != "frames", "empty_answer")
        for raw in raw_frames:
            self.frames.append(judge_frame(raw, options))
        self.commitments = [commitment(provider, frame) for frame in self.frames]
        self.order = canonical_order([(provider, frame.id, frame.digest) for frame in self.frames])
        known = {}
        for frame, value in zip(self.frames, self.commitments):
            require(known.setdefault((frame.id, frame.digest), value) == value, "ambiguous_order")

    def leaves(self):
        return [self.commitments[position] for position in self.order]

    def distinct(self):
        """Positions of the first frame of each identity, in the order carried (PROTOCOL §7)."""
        seen = {}
        for position, frame in enumerate(self.frames):
            seen.setdefault((frame.id, frame.digest), position)
        return sorted(seen.values())


def judge_frame(raw, options):
    """The Frame, with its digest where it is to be filled in, or Refused."""
    try:
        frame = read_frame(raw)
    except MalformedFrame:
        raise Refused("malformed_frame") from None
    require(frame.id != "", "empty_frame_id")
    representation = member(raw, "representation")
    require(representation != "reference", "reference_frame")  # CGP F14 against P3
    if options.fill_digests and frame.digest is None and frame.content is not None:
        frame.digest = digest_text(sha256(frame.content.encode("utf-8")))
    require(frame.digest is not None, "missing_digest")  # CGP F14
    has = {name for name in NEVER_IN_FULL if member(raw, name) is not None}
    if representation in (None, "full"):
        require(frame.content is not None and not has, "full_frame")
    elif representation == "compact":
        require(frame.content is not None and has == set(ALWAYS_IN_COMPACT), "compact_frame")
    else:
        raise Refused("unknown_representation")
    state = content_state(frame.content, frame.digest)
    require(state != "mismatch", "content_mismatch")
    require(state == "match" or options.allow_opaque_digest, "opaque_digest")
    return frame


def is_point(public_key):
    return ed25519.strict_point(public_key) is not None


class Plan:
    """Which answers of an input are signed under which name, which are not, and which acks are the provider's."""

    def __init__(self, data, options, public_key):
        self.options, self.skipped = options, []
        require(not data.startswith(COMPRESSED), "unreadable_source")
        self.records = list(records.read(data))
        answers, newest, names = [], None, []
        for record in self.records:
            require(record.error is None, record.error)
            if record.kind == "handshake":
                newest = record.provider_id
                names += [newest] if newest not in names else []
            elif record.kind == "answer":
                answers.append(Signable(record, newest))
        require(answers, "nothing_to_sign")
        self.provider = options.provider
        if len(names) > 1:
            require(self.provider in names, "two_providers")
            answers = [answer for answer in answers if answer.declared == self.provider]
        elif self.provider is None:
            require(all(answer.declared is not None for answer in answers), "no_provider")
            self.provider = names[0]
        require(self.provider != "", "malformed_id")
        require(answers, "nothing_to_sign")
        self.acks = [record for record in self.records if record.kind == "handshake" and record.provider_id == self.provider]
        require(self.acks or not options.publish_key, "no_handshake")
        require(is_point(public_key), "weak_key")
        self.attester_id = options.attester_id or self.provider
        require(options.key_id != "", "malformed_id")
        require(instants.instant(options.issued_at) is not None, "malformed_instant")
        self.answers = []
        for answer in answers:
            try:
                answer.judge(self.provider, options)
                self.answers.append(answer)
            except Refused as refusal:
                if not options.skip_unsignable:
                    raise
                self.skipped.append({"record": answer.record.number, "error": refusal.args[0]})
        if options.publish_key and self.answers:
            for record in self.acks:
                publish_in(record, options.key_id, public_key)

    def messages(self):
        """(answer, position or None, 32 bytes) of everything to be signed: of each answer the root, then the frames."""
        for answer in self.answers:
            if self.options.signs_root:
                yield answer, None, merkle.root(answer.leaves())
            if self.options.signs_frames:
                for position in answer.distinct():
                    yield answer, position, answer.commitments[position]

    def write(self, sign):
        """What the answers hold afterwards; sign makes the signature over 32 bytes."""
        written = {}
        for answer, position, raw in self.messages():
            written[answer.record.number, position] = {
                "signed_commitment": digest_text(raw), "key_id": self.options.key_id, "algorithm": "ed25519",
                "attester_id": self.attester_id, "signature": sign(raw).hex(), "issued_at": self.options.issued_at}
        told = []
        for answer in self.answers:
            number, leaves, entries = answer.record.number, answer.leaves(), []
            for position in answer.distinct() if self.options.signs_frames or self.options.proofs else []:
                frame = answer.frames[position]
                entry = {"frame": {"provider_id": self.provider, "frame_id": frame.id, "content_digest": frame.digest}}
                if self.options.signs_frames:
                    entry["attestation"] = written[number, position]
                if self.options.proofs:
                    entry["inclusion_proof"] = merkle.prove(leaves, answer.order.index(position))
                entries.append(entry)
            told.append({"record": number, "frame_attestations": entries or None, "result_attestation": written.get((number, None))})
        return {"provider_id": self.provider, "answers": told, "skipped": self.skipped, "published": published(self.records)}


def published(all_records):
    return [{"record": record.number, "attester_keys": record.attester_keys} for record in all_records if record.kind == "handshake"]


def publish_in(record, key_id, public_key):
    """Adds a key to one handshake_ack (CGP §6.5.4): rotation is a new key_id, never a reused one."""
    held = [] if record.attester_keys is None else record.attester_keys
    require(isinstance(held, list), "malformed_attester_keys")
    ours = {"key_id": key_id, "algorithm": "ed25519", "public_key": public_key.hex()}
    readable = [{name: member(raw, name) for name in ours} for raw in held if isinstance(raw, dict)]
    readable = [key for key in readable if all(is_text(value) for value in key.values())]
    require(all(key == ours for key in readable if key["key_id"] == key_id), "key_conflict")
    if ours not in readable:
        record.attester_keys = held + [ours]


def sign(data, given):
    """The value of op `sign`."""
    options = Options(given)
    stated = given.get("public_key")
    signer = Signer(bytes.fromhex(given["seed"]), None if stated is None else bytes.fromhex(stated))
    return Plan(data, options, signer.public_key).write(signer.sign)


def publish(data, given):
    """The value of op `publish`: the key in every handshake_ack of an input."""
    public_key = bytes.fromhex(given["public_key"])
    require(given["key_id"] != "", "malformed_id")
    require(is_point(public_key), "malformed_key")
    found = list(records.read(data))
    for record in found:
        require(record.error is None, record.error)
    acks = [record for record in found if record.kind == "handshake"]
    require(acks, "no_handshake")
    require(len({record.provider_id for record in acks}) == 1, "two_providers")
    for record in acks:
        publish_in(record, given["key_id"], public_key)
    return {"published": published(found)}
