#!/usr/bin/env python3
"""External signer for cgp-attest: a token or an HSM, through pkcs11-tool of OpenSC.

    cgp-attest sign --key exec:docs/signers/pkcs11.py --key-id docs-2026-08 in.json

CGP_SIGNER_MODULE  the PKCS#11 library, as /usr/lib/softhsm/libsofthsm2.so
CGP_SIGNER_TOKEN   the label of the token
CGP_SIGNER_LABEL   the label of the key pair
CGP_SIGNER_PIN     the PIN; pkcs11-tool reads it from the environment, it stands on no command line

The key pair is made in the token, with

    pkcs11-tool --module "$CGP_SIGNER_MODULE" --token-label "$CGP_SIGNER_TOKEN" --login --pin env:CGP_SIGNER_PIN \\
        --keypairgen --key-type EC:edwards25519 --label "$CGP_SIGNER_LABEL"
"""

import json
import os
import re
import subprocess
import sys


def tool(*arguments, data=b""):
    command = ["pkcs11-tool", "--module", os.environ["CGP_SIGNER_MODULE"], "--token-label", os.environ["CGP_SIGNER_TOKEN"], *arguments]
    return subprocess.run(command, input=data, stdout=subprocess.PIPE, check=True).stdout


def public_key():
    # A headline for each object, and below it its attributes, indented. EC_POINT is an octet string (04 20) around the 32 bytes of
    # the key. The DER that --read-object gives is one that others do not read.
    points = []
    for text in re.split(r"^(?=\S)", tool("--list-objects", "--type", "pubkey").decode(), flags=re.MULTILINE):
        attributes = dict(re.findall(r"^\s+(\w+):\s+(.*?)\s*$", text, re.MULTILINE))
        point = re.fullmatch(r"0420([0-9a-f]{64})", attributes.get("EC_POINT", ""))
        if attributes.get("label") == os.environ["CGP_SIGNER_LABEL"] and point:
            points.append(point[1])
    if len(points) != 1:
        raise ValueError(f"the token holds {len(points)} Ed25519 keys of this label, want one")
    return bytes.fromhex(points[0])


def sign(message):
    arguments = ["--login", "--pin", "env:CGP_SIGNER_PIN", "--sign", "--mechanism", "EDDSA", "--label", os.environ["CGP_SIGNER_LABEL"]]
    return tool(*arguments, data=message)


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
