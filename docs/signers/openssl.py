#!/usr/bin/env python3
"""External signer for cgp-attest: a key file, through OpenSSL 3.

    CGP_SIGNER_KEY=docs.pem cgp-attest sign --key exec:docs/signers/openssl.py --key-id docs-2026-08 in.json

CGP_SIGNER_KEY         the private key, a PEM file that "openssl pkey" reads, also an encrypted one
CGP_SIGNER_PASSPHRASE  its passphrase, where it has one

It refuses to sign what does not belong together, and says on standard error what it signs.
"""

import hashlib
import json
import os
import subprocess
import sys
import tempfile

# SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this, and the 32 bytes of the key.
PREFIX = bytes.fromhex("302a300506032b6570032100")


def openssl(*arguments):
    command = ["openssl", *arguments]
    if "CGP_SIGNER_PASSPHRASE" in os.environ:
        command += ["-passin", "env:CGP_SIGNER_PASSPHRASE"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True)
    return done.stdout


def public_key():
    der = openssl("pkey", "-in", os.environ["CGP_SIGNER_KEY"], "-pubout", "-outform", "DER")
    if not der.startswith(PREFIX) or len(der) != len(PREFIX) + 32:
        raise ValueError("the key is not Ed25519")
    return der[len(PREFIX):]


def check(request, message):
    if request["commitment"] != "sha256:" + message.hex():
        raise ValueError("the message is not the commitment")
    if request["preimage"] is not None and hashlib.sha256(bytes.fromhex(request["preimage"])).digest() != message:
        raise ValueError("the preimage does not give the message")
    what = "a root" if request["frame_id"] is None else "frame " + json.dumps(request["frame_id"])
    print("signing", what, "of provider", json.dumps(request["provider_id"]), file=sys.stderr)


def sign(message):
    # OpenSSL 3.0 cannot read the message of -rawin from a pipe: a file that only its owner may read.
    with tempfile.NamedTemporaryFile() as file:
        file.write(message)
        file.flush()
        return openssl("pkeyutl", "-sign", "-rawin", "-inkey", os.environ["CGP_SIGNER_KEY"], "-in", file.name)


def answer(request):
    if request["op"] == "public_key":
        return {"algorithm": "ed25519", "public_key": public_key().hex()}
    if request["op"] == "sign" and request["algorithm"] == "ed25519":
        message = bytes.fromhex(request["message"])
        check(request, message)
        return {"signature": sign(message).hex()}
    raise ValueError("a request of another kind")


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as fault:
        reply = {"error": f"{type(fault).__name__}: {fault}"}
    print(json.dumps(reply), flush=True)
