package testvectors

import (
	"contextgraphprotocol.org/cgp-attest/archive"
	"contextgraphprotocol.org/cgp-attest/sign"
)

func answerPrepare(in Object) Result {
	key := sign.PublicKey{Algorithm: sign.Ed25519, Bytes: string(fromHex(asked[string](in, "public_key")))}
	r, err := archive.Prepare(inputBytes(in), key, signOptions(in))
	if err != nil {
		return refused(err)
	}
	request, err := parseValue(r.Request.Marshal())
	if err != nil {
		panic(err)
	}
	return Result{Value: request}
}

func answerSignRequest(in Object) Result {
	request, err := archive.ParseRequest([]byte(asked[string](in, "request")))
	if err != nil {
		return refused(err)
	}
	signatures, err := archive.SignRequest(request, keyOf(in))
	if err != nil {
		return refused(err)
	}
	written, err := parseValue(archive.MarshalSignatures(signatures))
	if err != nil {
		panic(err)
	}
	return Result{Value: written}
}

func answerAttach(in Object) Result {
	request, err := archive.ParseRequest([]byte(asked[string](in, "request")))
	if err != nil {
		return refused(err)
	}
	signatures, err := signaturesOf(in)
	if err != nil {
		return refused(err)
	}
	return signedResult(archive.Attach(inputBytes(in), request, signatures, archive.AttachOptions{}))
}

// signaturesOf reads the signatures of an input: one text with all of them, or a file for each item.
func signaturesOf(in Object) ([]archive.ItemSignature, error) {
	if text, ok := in.Find("signatures"); ok {
		return archive.ParseSignatures([]byte(text.(string)))
	}
	var signatures []archive.ItemSignature
	for _, v := range asked[List](in, "files") {
		file := v.(Object)
		signature, err := archive.ParseSignature(fileOf(file, "file"))
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, archive.ItemSignature{Item: asked[string](file, "item"), Signature: signature})
	}
	return signatures, nil
}
