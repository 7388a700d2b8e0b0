#!/usr/bin/env python3
"""External signer for cgp-attest: the shape for the key management service of a cloud, here Google Cloud KMS through gcloud.

    cgp-attest sign --key exec:docs/signers/kms.py --key-id docs-2026-08 in.json

CGP_SIGNER_KEY_VERSION  projects/P/locations/L/keyRings/R/cryptoKeys/K/cryptoKeyVersions/V, of the algorithm EC_SIGN_ED25519
CGP_SIGNER_CREDENTIALS  optional: a file of credentials, handed to gcloud under the name that it expects

For another service two functions change. Whichever it is, the message must be signed as it is: a service that hashes it first,
or that takes a digest in its place, makes another signature (Ed25519ph), which cgp-attest refuses.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile

# SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): this, and the 32 bytes of the key.
PREFIX = bytes.fromhex("302a300506032b6570032100")


def gcloud(*arguments):
    environment = dict(os.environ)
    if "CGP_SIGNER_CREDENTIALS" in environment:
        environment["CLOUDSDK_AUTH_CREDENTIAL_FILE_OVERRIDE"] = environment["CGP_SIGNER_CREDENTIALS"]
    # What it prints must not get between the answers: it goes to standard error.
    subprocess.run(["gcloud", "kms", *arguments], env=environment, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=True)


def public_key():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "public.pem")
        gcloud("keys", "versions", "get-public-key", os.environ["CGP_SIGNER_KEY_VERSION"], "--output-file", path)
        with open(path, encoding="ascii") as file:
            lines = file.read().splitlines()
    der = base64.b64decode("".join(line for line in lines if not line.startswith("-----")))
    if not der.startswith(PREFIX) or len(der) != len(PREFIX) + 32:
        raise ValueError("the key is not Ed25519")
    return der[len(PREFIX):]


def sign(message):
    version = os.environ["CGP_SIGNER_KEY_VERSION"]
    with tempfile.TemporaryDirectory() as folder:
        data, signature = os.path.join(folder, "message"), os.path.join(folder, "signature")
        with open(data, "wb") as file:
            file.write(message)
        gcloud("asymmetric-sign", "--version", version, "--input-file", data, "--signature-file", signature)
        with open(signature, "rb") as file:
            return file.read()


def answer(request):
    if request["op"] == "public_key":
        return {"algorithm": "ed25519", "public_key": public_key().hex()}
    if request["op"] == "sign" and request["algorithm"] == "ed25519":
        return {"signature": sign(bytes.fromhex(request["message"])).hex()}
    raise ValueError("a request of another kind")


for line in sys.stdin:
    try:
        reply = answer(json.loads(line))
    except (OSError, KeyError, ValueError, subprocess.CalledProcessError) as fault:
        reply = {"error": f"{type(fault).__name__}: {fault}"}
    print(json.dumps(reply), flush=True)
