#!/usr/bin/env python3
"""Checks the oracle against published values, against its rules, and that every broken variant is told apart.

The published files are read where CGP_ATTEST_SHARED names the folder that has `vectors/`; without it those tests are
skipped. RFC 8032 §7.1 gives the first three signatures.
"""

import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys
import time
import unittest

import aes
import blowfish
import broken
import compressed
import ed25519
import encoding
import merkle
import oracle
import strictjson

HERE = os.path.dirname(os.path.abspath(__file__))
SHARED = os.environ.get("CGP_ATTEST_SHARED")
SEED = bytes(range(32))
PUBLIC = ed25519.public_key_of(SEED).hex()
OTHER_SEED = bytes(range(1, 33))
NOW = "2026-06-01T00:00:00Z"

RFC8032 = (  # §7.1, TEST 1 to 3: seed, public key, message, signature
    ("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
     "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
     "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"),
    ("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
     "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
     "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"),
    ("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
     "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
     "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a"))


def ask(op, **given):
    """The answer to one request that went through JSON, without its id and steps."""
    request = oracle.read_request(json.dumps({"id": "x", "op": op, "input": given}))
    answer = json.loads(json.dumps(oracle.reply(request)))
    return {name: value for name, value in answer.items() if name not in ("id", "steps")}


def digest(number):
    return "sha256:" + hashlib.sha256(str(number).encode()).hexdigest()


def attest(commitment, seed=SEED, **changes):
    raw = encoding.digest_bytes(commitment)
    return dict({"signed_commitment": commitment, "key_id": "k", "algorithm": "ed25519", "attester_id": "a",
                 "signature": ed25519.sign(seed, raw).hex(), "issued_at": "2026-05-01T00:00:00Z"}, **changes)


def frame(name, content="text", **changes):
    made = {"id": name, "content": content, "content_digest": encoding.digest_text(encoding.sha256(content.encode())),
            "provenance": [{"type": "derivation", "by": "someone"}]}
    made.update(changes)
    return {member: value for member, value in made.items() if value is not None}


def signed_answer(frames, provider="docs", signatures=True, proofs=True, root=True):
    """A frames message with whatever evidence is asked for, built from the oracle's own ops."""
    commitments = [ask("commitment", provider_id=provider, frame=made)["value"] for made in frames]
    ids = [{"provider_id": provider, "frame_id": made["id"], "content_digest": made.get("content_digest")} for made in frames]
    order = ask("order", frames=ids)["value"]
    leaves = [commitments[position] for position in order]
    result = {"frames": frames, "truncated": False, "frame_attestations": []}
    for position, named in enumerate(ids):
        entry = {"frame": named}
        if signatures:
            entry["attestation"] = attest(commitments[position])
        if proofs:
            entry["inclusion_proof"] = ask("prove", commitments=leaves, leaf_index=order.index(position))["value"]
        result["frame_attestations"].append(entry)
    if root:
        result["result_attestation"] = attest(ask("root", commitments=leaves)["value"])
    return {"type": "frames", "result": result, "id": "q"}


def trusted(**changes):
    return [dict({"local_id": "docs", "key_id": "k", "algorithm": "ed25519", "public_key": PUBLIC}, **changes)]


def judge(*messages, **options):
    options.setdefault("trusted", trusted())
    return ask("answer", text="\n".join(json.dumps(message) for message in messages), **options)["value"]


def verify(commitment, attestation, public_key=PUBLIC, **more):
    return ask("verify", commitment=commitment, attestation=attestation,
               public_key={"algorithm": "ed25519", "public_key": public_key}, **more)


def lone_key_with_small_order():
    """A small-order key in an encoding that is not among the published eight (x = 0 with the sign bit)."""
    return {"public_key": "01" + "00" * 30 + "80", "message": "", "signature": "01" + "00" * 63}


@unittest.skipUnless(SHARED, "CGP_ATTEST_SHARED is not set")
class PublishedValues(unittest.TestCase):
    @staticmethod
    def load(name):
        with open(os.path.join(SHARED, "vectors", name), encoding="utf-8") as file:
            return file.read()

    def test_attestation_vectors(self):
        published = json.loads(self.load("attestation-vectors.json"))
        links = published["links"]
        for name, value in published["link_encodings_hex"].items():
            self.assertEqual(ask("encode", link=links[name]), {"value": value}, name)
        chains = {"empty": [], "file": ["file"], "file_then_derivation": ["file", "derivation"], "unicode": ["unicode"]}
        self.assertEqual(set(chains), set(published["chain_heads"]))
        for name, value in published["chain_heads"].items():
            self.assertEqual("sha256:" + ask("chain", provenance=[links[link] for link in chains[name]])["value"], value, name)
        self.assertEqual(encoding.text_length(links["unicode"]["uri"]), published["unicode_length_trap"]["uri"]["utf8_bytes"])
        self.assertEqual(encoding.text_length(links["unicode"]["by"]), published["unicode_length_trap"]["by"]["utf8_bytes"])

        case = published["frame_commitment"]
        made = dict(case["frame"], provenance=[links[name] for name in case["frame"]["provenance"]])
        self.assertEqual(ask("commitment", provider_id=case["provider_id"], frame=made), {"value": case["commitment"]})

        tree = published["merkle"]
        leaves = [ask("commitment", provider_id=tree["provider_id"], frame=made)["value"] for made in tree["leaf_frames"]]
        self.assertEqual(len(tree["roots_by_leaf_count"]), 5)
        for count, value in tree["roots_by_leaf_count"].items():
            self.assertEqual(ask("root", commitments=leaves[:int(count)]), {"value": value}, count)
        proof = tree["inclusion_proof"]
        self.assertEqual(ask("prove", commitments=leaves, leaf_index=proof["leaf_index"]), {"value": proof})
        root = tree["roots_by_leaf_count"]["7"]
        self.assertEqual(ask("proof", commitment=leaves[3], inclusion_proof=proof, root=root, frames=7), {"verdict": "valid"})

        signature = published["signature"]
        seed = bytes.fromhex(signature["signing_key_seed_hex"])
        self.assertEqual(ed25519.public_key_of(seed).hex(), signature["public_key_hex"])
        made = signature["attestation"]
        self.assertEqual(ed25519.sign(seed, encoding.digest_bytes(made["signed_commitment"])).hex(), made["signature"])
        self.assertEqual(verify(case["commitment"], made, signature["public_key_hex"], content_digest="x"), {"verdict": "valid"})
        self.assertEqual(verify(case["commitment"], made, signature["public_key_hex"]), {"verdict": "valid_identity_only"})
        refused = published["verifier_strictness"]
        for key in refused["small_order_public_keys_hex"] + refused["non_canonical_public_keys_hex"]:
            self.assertEqual(verify(case["commitment"], made, key), {"verdict": "malformed_key"}, key)
        self.assertEqual({key.hex() for key in broken.EIGHT_KEYS}, set(refused["small_order_public_keys_hex"]))

    def test_range_vectors(self):
        published = json.loads(self.load("range-vectors.json"))
        self.assertGreater(len(published["cases"]), 25)
        for case in published["cases"]:
            given = {"file": published["resources"][case["resource"]]}
            if "range" in case:
                given["range"] = case["range"]
            want = {"error": case.get("unverifiable")}
            if "bytes" in case:
                want = {"value": {"bytes": case["bytes"].encode().hex(), "digest": case["digest"]}}
            self.assertEqual(ask("range", **given), want, case["note"])

    def test_ed25519_cases(self):
        cases = json.loads(self.load("ed25519-strict-public.json"))["cases"]
        self.assertEqual(len(cases), 1081)
        start = time.perf_counter()
        for case in cases:
            answer = ask("ed25519", public_key=case["pub"], message=case["msg"], signature=case["sig"])
            self.assertEqual(answer, {"verdict": case["expected"]}, case["id"])
        self.assertLess((time.perf_counter() - start) / len(cases), 0.005)

    def test_reference_messages(self):
        text = self.load("reference-messages.json")
        report = ask("answer", text=text, require="constructed", allow_opaque_digest=True)["value"]
        signed = report["answers"][-1]
        self.assertEqual((signed["record"], signed["provider_id"], signed["class"]), (13, "repo-graph", "good"))
        self.assertEqual((signed["root"]["state"], signed["root"]["verdict"]), ("constructed", "valid"))
        self.assertEqual([len(made["evidence"]) for made in signed["frames"]], [3, 2])
        self.assertEqual({piece["verdict"] for made in signed["frames"] for piece in made["evidence"]}, {"valid"})
        self.assertEqual(report["exit_code"], 3)
        message = [record for record in json.loads(text) if record["type"] == "frames"][-1]
        kept = ask("retain", text=json.dumps(message), keep=["repo-graph:retry-sym"])["value"]
        self.assertEqual(kept["root"], message["result"]["result_attestation"]["signed_commitment"])
        self.assertEqual(kept["entries"], message["result"]["frame_attestations"][1:])
        root, entries = message["result"]["result_attestation"], message["result"]["frame_attestations"]
        made = ask("sign", text=json.dumps(message), seed="2a" * 32, shape="both", provider="repo-graph", replace=True, allow_opaque_digest=True,
                   **{name: root[name] for name in ("key_id", "attester_id", "issued_at")})["value"]["answers"][0]
        self.assertEqual(made["result_attestation"], root)
        for own, entry in zip(made["frame_attestations"], entries, strict=True):
            self.assertEqual({name: own[name] for name in entry}, entry)


class Rules(unittest.TestCase):
    def test_rfc8032(self):
        for seed, public_key, message, signature in RFC8032:
            self.assertEqual(ed25519.public_key_of(bytes.fromhex(seed)).hex(), public_key)
            self.assertEqual(ed25519.sign(bytes.fromhex(seed), bytes.fromhex(message)).hex(), signature)
            self.assertEqual(ask("ed25519", public_key=public_key, message=message, signature=signature), {"verdict": "valid"})
            bad = ask("ed25519", public_key=public_key, message=message + "00", signature=signature)
            self.assertEqual(bad, {"verdict": "bad_signature"})
            for spoilt in (signature[:-2], signature.upper(), signature + "00", ""):
                got = ask("ed25519", public_key=public_key, message=message, signature=spoilt)
                self.assertEqual(got, {"verdict": "malformed_signature"})

    def test_every_small_order_encoding(self):
        """The torsion subgroup enumerated from a point of order 8, every encoding of it tried."""
        points = []
        for y in range(2, 40):  # L times any point is in the torsion subgroup
            point = ed25519.decode(y.to_bytes(32, "little"))
            if point is not None:
                points.append(ed25519.multiply(ed25519.L, point))
        encodings = {ed25519.encode(point) for point in points}
        self.assertEqual(len(encodings), 8)
        for data in list(encodings):
            y = int.from_bytes(data, "little") & (1 << 255) - 1
            for value in (y, y + ed25519.P):
                if value < 1 << 255:
                    encodings |= {(value | sign << 255).to_bytes(32, "little") for sign in (0, 1)}
        self.assertEqual(len(encodings), 14)
        for data in encodings:
            self.assertIsNone(ed25519.strict_point(data), data.hex())

    def test_proofs_of_every_size(self):
        for count in range(1, 20):
            leaves = [digest(number) for number in range(count)]
            root = ask("root", commitments=leaves)["value"]
            for index in range(count):
                proof = ask("prove", commitments=leaves, leaf_index=index)["value"]
                given = {"commitment": leaves[index], "root": root}
                self.assertEqual(ask("proof", inclusion_proof=proof, frames=count, **given), {"verdict": "valid"})
                for wrong in (dict(proof, leaf_index=count), dict(proof, path=proof["path"] + [{"sibling": root, "sibling_is_left": True}])):
                    self.assertEqual(ask("proof", inclusion_proof=wrong, **given), {"verdict": "malformed_commitment"})

    def test_largest_counts(self):
        top = (1 << 64) - 1
        for index, length in ((0, 64), (top - 1, 63), (1 << 63, 64), (12345, 64)):
            self.assertEqual(len(merkle.ranges(index, 0, top)), length, index)
        self.assertEqual(len(merkle.ranges(1 << 63, 0, (1 << 63) + 1)), 1)

    def test_integers_of_proofs(self):
        for spelt in ("0.0", "0e0", "-0", "18446744073709551616", '"0"', "null", "00"):
            text = '{"leaf_index":%s,"leaf_count":1,"path":[]}' % spelt
            got = ask("proof", commitment=digest(1), root=digest(2), inclusion_proof_json=text)
            self.assertEqual(got, {"error": "unusable"}, spelt)
        proof = {"leaf_index_u64": str((1 << 64) - 1), "leaf_count_u64": str((1 << 64) - 1), "path": []}
        self.assertEqual(ask("proof", commitment=digest(1), root=digest(2), inclusion_proof=proof), {"verdict": "malformed_commitment"})

    def test_instants(self):
        for a, b, want in (("2024-02-29T23:59:60Z", "2024-02-29T23:59:59.999Z", "after"),
                           ("2024-02-29T23:59:60.9Z", "2024-03-01T00:00:00Z", "before"),
                           ("2024-01-01T00:00:00.50Z", "2024-01-01T00:00:00.5Z", "equal"),
                           ("2024-01-01T00:00:00.049Z", "2024-01-01T00:00:00.05Z", "before"),
                           ("2024-01-01T00:00:00.000Z", "2024-01-01T00:00:00Z", "equal")):
            self.assertEqual(ask("instant", a=a, b=b), {"verdict": want})
        for text in ("2023-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2024-01-01t00:00:00Z", "2024-01-01T00:00:00z", "2024-01-01T24:00:00Z",
                     "2024-01-01T00:00:61Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00+00:00", "2024-00-01T00:00:00Z",
                     "2024-01-01T00:00:00Z\n", "２024-01-01T00:00:00Z"):
            self.assertEqual(ask("instant", a=text), {"verdict": "malformed_instant"}, text)
        self.assertEqual(ask("instant", a="0000-02-29T00:00:60Z"), {"verdict": "well_formed"})
        self.assertEqual(ask("window", at="x"), {"verdict": "in_service"})
        self.assertEqual(ask("window", not_before=NOW, not_after=NOW, at=NOW), {"verdict": "in_service"})
        self.assertEqual(ask("window", not_before=NOW), {"verdict": "malformed_instant"})
        self.assertEqual(ask("window", not_before="x"), {"verdict": "malformed_window"})

    def codes(self, text):
        data = {"bytes": text.hex()} if isinstance(text, bytes) else {"text": text}
        return " ".join(record.get("kind") or record["error"] for record in ask("wire", **data)["value"])

    def test_framing(self):
        ok = '{"type":"shutdown"}'
        for text, want in (
                ("", ""), (" \n", ""), (ok + ok + "\n" + ok, "passed_over passed_over passed_over"),
                ("[%s,%s] %s" % (ok, ok, ok), "passed_over passed_over passed_over"), ("[]", ""), ("[[]]", "not_a_message"),
                (ok + " x\n" + ok, "trailing_bytes syntax passed_over"), (ok + "}\n" + ok, "trailing_bytes syntax passed_over"),
                ('{"a":1,"a":2} %s' % ok, "duplicate_member passed_over"), ('{"a":1,"\\u0061":2}', "duplicate_member"),
                ('{"a":1,\n' + ok + "\n" + ok, "syntax passed_over passed_over"),
                ('{"a":tru}\n' + ok, "syntax passed_over"), ('{"a":"x\n' + ok, "syntax passed_over"),
                ('{"a":\n', "cut"), ('{"a":"\\ud8', "cut"), ('{"a":1.', "cut"), ("tru", "cut"),
                ('{"a":"\\ud800"}' + ok, "lone_surrogate passed_over"), ('{"a":"\\ud800\\u0041"}', "lone_surrogate"),
                ('{"a":"\\udc00"}', "lone_surrogate"), ('{"type":"\\ud834\\udd1e"}', "passed_over"),
                ("[%s,{\"a\":1,\"a\":1},%s]" % (ok, ok), "passed_over duplicate_member passed_over"),
                ("[%s,{\"a\":[1},%s]\n%s" % (ok, ok, ok), "passed_over syntax passed_over"),
                ("[" + ok, "passed_over cut"), ("\ufeff" + ok + ok, "byte_order_mark passed_over"), (ok + "\n\ufeff" + ok, "passed_over syntax"),
                (b'{"a":"\xff"}' + ok.encode(), "invalid_utf8 passed_over"), (b'{"a":"\xed\xa0\x80"}', "invalid_utf8"),
                ("1", "not_a_message"), ('{"type":1}', "not_a_message"), ('{"frames":[]}', "answer"), ('{"frames":{}}', "not_a_message"),
                ('{"type":"frames"}', "malformed_record"), ('{"type":"frames","result":{"frames":null}}', "malformed_record"),
                ('{"format":"cgp-archive/2"}', "unsupported_format"), ('{"format":"x","type":"y"}', "passed_over"),
                ('{"format":"cgp-archive/1","envelope":[]}', "malformed_record"), ('{"format":"cgp-archive/1","envelope":%s}' % ok, "passed_over"),
                ('{"type":"handshake_ack","provider":{}}', "malformed_handshake"), ('{"type":"handshake_ack","provider":{"name":""}}', "handshake"),
                ("[" * 129 + "]" * 129, "not_a_message"), ("[" * 130 + "]" * 130 + ok, "too_deep passed_over"),
                ('{"a":' * 128 + "1" + "}" * 128, "not_a_message"), ('{"a":' * 129 + "1" + "}" * 129, "too_deep")):
            self.assertEqual(self.codes(text), want, text[:60])

    def test_member_limit(self):
        for count, want in ((100_000, "not_a_message"), (100_001, "too_many_members")):
            self.assertEqual(self.codes("{" + ",".join('"%d":0' % number for number in range(count)) + "}"), want)

    def test_trust(self):
        entry = {"key_id": "k", "algorithm": "ed25519", "public_key": PUBLIC.upper(), "tier": None}
        good = {"format": "contextgraph-trust/1", "providers": {"b": [entry], "a": []}}
        want = {"b": [{"key_id": "k", "public_key": PUBLIC, "tier": "configured"}]}
        self.assertEqual(ask("trust", file=json.dumps(good)), {"value": want})
        self.assertEqual(ask("trust", file='{"format":"contextgraph-trust/1","x":1}'), {"error": "unknown_member"})
        self.assertEqual(ask("trust", file='{"x":1}'), {"error": "unsupported_format"})
        pinned = [dict(entry, key_id=str(number), tier="pinned") for number in range(17)]
        for entries, rule in (([dict(entry, algorithm="x")], "unsupported_algorithm"), ([dict(entry, key_id="")], "empty_key_id"),
                              ([entry, entry], "duplicate_key_id"), ([dict(entry, public_key="00")], "malformed_public_key"),
                              ([dict(entry, public_key="00" * 32)], "weak_public_key"), ([dict(entry, fingerprint=digest(1))], "fingerprint_mismatch"),
                              ([dict(entry, not_after="x")], "malformed_window"), (pinned, "too_many_pinned"), (pinned[1:], None),
                              ([dict(entry, not_before=NOW, not_after="2025-01-01T00:00:00Z")], "inverted_window"),
                              ([dict(entry, tier="best")], "unknown_tier"), ([dict(entry, key_id=None)], "missing_member"), ([1], "wrong_type")):
            answer = ask("trust", file=json.dumps(dict(good, providers={"a": entries})))
            self.assertEqual(answer.get("error"), rule)
        self.assertEqual(ask("trust", file={"repeat": [" ", (1 << 20) + 1]}), {"error": "too_large"})

    def test_key_forms(self):
        want = {"algorithm": "ed25519", "public_key": "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
                "fingerprint": "sha256:21fe31dfa154a261626bf854046fd2271b7bed4b6abe45aa58877ef47f9721b9"}
        jwk = '{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}'  # RFC 8037 Appendix A.2
        pem = "-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEAGb9ECWmEzf6FQbrBZ9w7lshQhqowtrbLDFw4rXAxZuE=\n-----END PUBLIC KEY-----\n"  # RFC 8410 §10.1
        self.assertEqual(ask("key", public_key=jwk, form="jwk"), {"value": want})
        self.assertEqual(ask("key", public_key=want["public_key"].upper(), form="hex"), {"value": want})
        self.assertEqual(ask("key", public_key=pem, form="pem")["value"]["public_key"],
                         "19bf44096984cdfe8541bac167dc3b96c85086aa30b6b6cb0c5c38ad703166e1")
        blob = b"\0\0\0\x0bssh-ed25519\0\0\0\x20" + bytes.fromhex(want["public_key"])  # RFC 8709 §4
        line = "ssh-ed25519 %s a comment\n" % base64.b64encode(blob).decode()
        self.assertEqual(ask("key", public_key=line, form="openssh"), {"value": want})
        for text, form in (("00" * 32, "hex"), (pem + "x", "pem"), (jwk.replace("Ro", "Rp"), "jwk"), (line[:40], "openssh")):
            self.assertEqual(ask("key", public_key=text, form=form), {"error": "malformed_key"})

    def test_answers(self):
        frames = [frame("b", "two"), frame("a", "one"), frame("ä", "three")]
        report = judge(signed_answer(frames))
        self.assertEqual(report["exit_code"], 0)
        self.assertEqual([made["leaf_index"] for made in report["answers"][0]["frames"]], [1, 0, 2])
        self.assertEqual({piece["state"] for made in report["answers"][0]["frames"] for piece in made["evidence"]}, {"attested"})

        message = signed_answer(frames)
        message["result"]["frames"] = frames[:2]  # a frame dropped after signing
        report = judge(message)
        self.assertEqual((report["exit_code"], report["answers"][0]["root"]["verdict"]), (1, "commitment_mismatch"))
        self.assertEqual(report["answers"][0]["findings"], ["invalid_evidence"] * 2 + ["orphan_entry", "root_mismatch"])
        retained = judge(message, retained=True)
        self.assertEqual((retained["exit_code"], retained["answers"][0]["findings"]), (0, ["leaf_count_is_a_claim", "orphan_entry"]))

        self.assertEqual(judge(signed_answer(frames), trusted=[])["answers"][0]["frames"][0]["state"], "no_trusted_key")
        late = judge(signed_answer(frames), trusted=trusted(not_before="2026-07-01T00:00:00Z"), received_at=NOW)
        self.assertEqual((late["exit_code"], late["answers"][0]["frames"][0]["state"]), (3, "key_not_in_service"))
        self.assertEqual(judge(signed_answer([]))["exit_code"], 3)  # no frame was checked
        self.assertEqual(judge(signed_answer(frames), trusted=trusted(public_key="00" * 32))["exit_code"], 2)

        message = signed_answer(frames)
        message["result"]["frames"] = [dict(frames[0], content="changed")] + frames[1:]
        self.assertEqual(judge(message)["answers"][0]["frames"][0]["state"], "content_mismatch")
        message["result"]["frames"] = [dict(frames[0], provenance=1)] + frames[1:]
        report = judge(message)
        self.assertEqual((report["exit_code"], report["answers"][0]["root"]["state"]), (4, "unusable"))
        self.assertEqual([made["state"] for made in report["answers"][0]["frames"]], ["malformed_frame", "attested", "attested"])

        plain = judge(signed_answer([frame("a", content_digest=None)]), allow_identity_only=True)
        self.assertEqual((plain["exit_code"], plain["answers"][0]["frames"][0]["state"]), (0, "identity_only"))
        self.assertEqual({piece["verdict"] for piece in plain["answers"][0]["frames"][0]["evidence"]}, {"valid_identity_only"})

    def test_providers(self):
        ack = {"type": "handshake_ack", "provider": {"name": "other"}}
        docs = {"type": "handshake_ack", "provider": {"name": "docs"}, "attester_keys": [{"key_id": "k", "algorithm": "ed25519", "public_key": PUBLIC}]}
        message = signed_answer([frame("a")])
        root_only = signed_answer([frame("a")], signatures=False, proofs=False)
        root_only["result"]["frame_attestations"] = None
        for messages, source, findings in (((message,), "entries", []), ((ack, message), "handshake", ["provider_mismatch"]), ((docs, ack, message), "entries", []),
                                           ((docs, ack, root_only), "root", []), ((root_only,), "none", ["provider_unknown"])):
            answer = judge(*messages)["answers"][0]
            self.assertEqual((answer["provider_source"], answer["findings"]), (source, findings))
        self.assertEqual(judge(ack, root_only)["answers"][0]["findings"], ["root_mismatch"])
        report = judge(docs, message, trusted=[], require="constructed")
        self.assertEqual((report["exit_code"], report["answers"][0]["frames"][0]["tier"]), (0, "published"))
        changed = dict(docs, attester_keys=[dict(docs["attester_keys"][0], public_key=ed25519.public_key_of(OTHER_SEED).hex())])
        answer = judge(docs, changed, message, trusted=[])["answers"][0]
        self.assertEqual((answer["findings"][-1], answer["frames"][0]["state"]), ("published_key_conflict", "invalid"))

    def test_retain(self):
        message = json.dumps(signed_answer([frame("a"), frame("b"), frame("c")]))
        kept = ask("retain", text=message, keep=["c", "a"])["value"]
        self.assertEqual([entry["frame"]["frame_id"] for entry in kept["entries"]], ["a", "c"])
        self.assertEqual(ask("retain", text=message, keep=["d"]), {"error": "unknown_frame"})
        self.assertEqual(ask("retain", text=message, keep=["a"], provider="x"), {"error": "root_mismatch"})
        self.assertEqual(ask("retain", text='{"frames":[{"id":"a"}]}', keep=["a"], provider="x"), {"error": "unsigned"})

    def test_conversation(self):
        lines = '{"op":"hello"}\n{"id":1,"op":"encode","input":{"optional":null}}\nnonsense\n{"id":2,"op":"nothing"}\n{"id":3,"op":"root","input":{}}\n'
        done = subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py")], input=lines, capture_output=True, text=True, check=True)
        got = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([line.get("id") for line in got], [None, 1, None, 2, 3])
        self.assertEqual((got[0]["name"], got[1]["value"], got[2]["error"], got[3]["unsupported"], got[4]["error"]),
                         ("cgp-oracle-python", "00", "internal", True, "internal"))
        listed = subprocess.run([sys.executable, "-B", os.path.join(HERE, "oracle.py"), "--list-broken"], capture_output=True, text=True, check=True)
        self.assertEqual(listed.stdout.split(), list(broken.VARIANTS))


class Broken(unittest.TestCase):
    """For every variant an input on which it answers otherwise than the oracle."""

    def inputs(self):
        commitment, wrong = digest("c"), digest("w")
        made = attest(commitment)
        raw = encoding.digest_bytes(commitment)
        leaves = [digest(number) for number in range(3)]
        proof = ask("prove", commitments=leaves, leaf_index=1)["value"]
        frames = [frame("b", "two"), frame("a", "one")]
        message = json.dumps(signed_answer(frames))
        spoilt = json.dumps(dict(signed_answer([dict(frames[0], content="x")])))
        key = {"algorithm": "ed25519", "public_key": PUBLIC}

        def signed(signature, signed_commitment=commitment):
            return ("verify", {"commitment": commitment, "public_key": key,
                               "attestation": dict(made, signature=signature, signed_commitment=signed_commitment)})

        def answer(text, **more):
            return ("answer", dict({"text": text, "trusted": trusted()}, **more))

        swapped = ("verify", {"commitment": wrong, "public_key": dict(key, public_key="00" * 32), "attestation": made})
        ack = json.dumps({"type": "handshake_ack", "provider": {"name": "docs"},
                          "attester_keys": [{"key_id": "k", "algorithm": "ed25519", "public_key": PUBLIC}]})
        other = [dict(held, public_key=ed25519.public_key_of(OTHER_SEED).hex()) for held in trusted()]
        pinned = [dict(held, tier="pinned") for held in trusted()]
        part = signed_answer(frames)
        part["result"]["frames"] = part["result"]["frames"][:1]
        rounded = dict(proof, leaf_index="@")
        more = {
            "digest_of_content": ("commitment", {"provider_id": "docs", "frame": {"id": "a", "content": "x"}}),
            "arrival_order": ("order", {"frames": [{"provider_id": "docs", "frame_id": name} for name in "ba"]}),
            "prefixes_swapped": ("root", {"commitments": leaves}),
            "numbers_rounded": ("proof", {"commitment": leaves[1], "root": ask("root", commitments=leaves)["value"],
                                          "inclusion_proof_json": json.dumps(rounded).replace('"@"', "1.0")}),
            "text_repaired": ("wire", {"bytes": b'{"type":"\xff"}'.hex()}),
            "trailing_bytes_ignored": ("wire", {"text": '{"type":"x"} x'}),
            "reading_ended_at_fault": ("wire", {"text": '{"type":}\n{"type":"x"}'}),
            "record_passed_over": ("wire", {"text": "7"}),
            "tier_ignored": answer(message, trusted=pinned),
            "published_key_preferred": answer(ack + "\n" + message, trusted=other),
            "part_judged_as_whole": answer(json.dumps(part), retained=True),
        }
        return more | {
            "utf16_lengths": ("encode", {"text": "日"}), "code_point_lengths": ("encode", {"text": "𝄞"}), "little_endian": ("encode", {"text": "a"}),
            "absent_empty_confusion": ("encode", {"optional": None}), "duplicate_last_leaf_tree": ("root", {"commitments": leaves}),
            "rfc6962_empty_root": ("root", {"commitments": []}),
            "utf16_order": ("order", {"frames": [{"provider_id": "p", "frame_id": text} for text in ("𝄞", "\uffee")]}),
            "last_duplicate_wins": ("wire", {"text": '{"type":"a","type":"b"}'}),
            "case_folded_members": ("commitment", {"provider_id": "p", "frame": {"ID": "a"}}), "eight_key_list": ("ed25519", lone_key_with_small_order()),
            "hex_text_signed": signed(ed25519.sign(SEED, commitment.encode()).hex()),
            "prehashed": signed(ed25519.sign(SEED, hashlib.sha512(raw).digest()).hex()),
            "base64_signature": signed(base64.b64encode(ed25519.sign(SEED, raw)).decode()),
            "uppercase_accepted": signed(made["signature"].upper()),
            "shape_not_checked": ("proof", {"commitment": leaves[1], "root": ask("root", commitments=leaves)["value"], "inclusion_proof": dict(proof, leaf_count=2)}),
            "count_not_compared": ("proof", {"commitment": leaves[1], "root": ask("root", commitments=leaves)["value"],
                                             "inclusion_proof": dict(proof, leaf_count=4), "frames": 3}),
            "precedence_swapped": swapped, "content_not_checked": answer(spoilt.replace('"x"', '"y"')), "window_ignored": ("window", {"not_before": NOW, "at": "x"}),
            "issued_at_used": answer(message, trusted=trusted(not_after="2026-05-15T00:00:00Z"), received_at=NOW),
            "local_id_in_commitment": answer(message, local_id="local", trusted=trusted(local_id="local")),
            "whole_file_fallback": ("range", {"file": "a\n", "range": "L9"}),
        }

    def test_each_is_told_apart(self):
        inputs = self.inputs()
        self.assertEqual(set(inputs), set(broken.VARIANTS))
        for name, (op, given) in inputs.items():
            true = ask(op, **given)
            undo = broken.apply(name)
            try:
                mistaken = ask(op, **given)
            finally:
                undo()
            self.assertNotEqual(true, mistaken, name)
            self.assertNotEqual(mistaken.get("error"), "internal", (name, mistaken))
            self.assertEqual(true, ask(op, **given), name)

    def test_prehashed_takes_ed25519ph(self):
        raw = encoding.sha256(b"x")
        scalar, prefix = ed25519.secret_scalar(SEED)
        dom2, digest_of = b"SigEd25519 no Ed25519 collisions\x01\x00", hashlib.sha512(raw).digest()
        r = ed25519.challenge(dom2, prefix, digest_of)  # RFC 8032 §5.1.6 with PH = SHA-512
        point = ed25519.encode(ed25519.multiply_base(r))
        s = (r + ed25519.challenge(dom2, point, bytes.fromhex(PUBLIC), digest_of) * scalar) % ed25519.L
        signature = point + s.to_bytes(32, "little")
        self.assertEqual(ed25519.verify(bytes.fromhex(PUBLIC), raw, signature), "bad_signature")
        self.assertEqual(broken.signed_hash(bytes.fromhex(PUBLIC), raw, signature), "valid")


class Reading(unittest.TestCase):
    def test_numbers_keep_their_spelling(self):
        value = strictjson.read_single(b'{"score":1e400,"x":[0.920000,-0]}')
        self.assertEqual((value["score"], value["x"]), ("1e400", ["0.920000", "-0"]))

    def test_one_value_and_nothing_after_it(self):
        for text in (b"1 2", b"{}}", b"[] x", b"1-"):
            with self.assertRaises(strictjson.Fault) as caught:
                strictjson.read_single(text)
            self.assertEqual(caught.exception.code, "trailing_bytes", text)


class Files(unittest.TestCase):
    def test_aes(self):
        key, text = bytes(range(32)), bytes.fromhex("00112233445566778899aabbccddeeff")  # FIPS 197, appendix C.3
        cipher = bytes.fromhex("8ea2b7ca516745bfeafc49904b496089")
        self.assertEqual(aes.encrypt(aes.schedule(key), text), cipher)
        self.assertEqual(aes.decrypt(aes.schedule(key), cipher), text)

    def test_blowfish(self):
        self.assertEqual(blowfish.tables()[0][:2], [0x243F6A88, 0x85A308D3])  # pi in hexadecimal
        self.assertEqual(blowfish.tables()[1][-1], 0x3AC372E6)
        cipher = blowfish.Blowfish()  # Schneier's published vector: eight bytes 00 under eight bytes 00
        cipher.expand(bytes(8))
        self.assertEqual(cipher.encrypt(0, 0), (0x4EF99745, 0x6198DD78))

    def test_xxh64(self):
        for text, value in ((b"", 0xEF46DB3751D8E999), (b"a", 0xD24EC4F1A98C6E5B), (b"abc", 0x44BC2CF5AD770999)):  # xxHash's own
            self.assertEqual(compressed.xxh64(text), value, text)
        self.assertEqual(compressed.xxh64(b"Nobody inspects the spammish repetition"), 0xFBCEA83C8A378BF1)

    def test_gzip(self):
        text = b"".join(hashlib.sha256(bytes([n])).hexdigest().encode() for n in range(100))
        packed = gzip.compress(text)
        self.assertEqual(compressed.decompress(packed), (text, None))
        self.assertEqual(compressed.decompress(packed[:-1])[1], "corrupt_compression")


if __name__ == "__main__":
    unittest.main()
