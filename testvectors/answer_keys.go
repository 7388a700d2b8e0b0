package testvectors

import (
	"errors"

	"contextgraphprotocol.org/cgp-attest/keys"
	"contextgraphprotocol.org/cgp-attest/sign"
)

// Why a text is not read as a key, or a key not taken.
var keyErrors = []struct {
	err  error
	name string
}{
	{keys.ErrTooLarge, tooLarge},
	{keys.ErrPassphraseMissing, passphraseMissing},
	{keys.ErrWrongPassphrase, wrongPassphrase},
	{keys.ErrEncrypted, encrypted},
	{sign.ErrMalformedKey, malformedKey},
	{sign.ErrUnsupportedKey, unsupportedKey},
	{keys.ErrMalformedFile, malformedFile},
	{keys.ErrMalformedPublished, malformedPublished},
}

// refusedKey is the answer to a key that is refused. A fault inside published keys has one name, whatever it is.
func refusedKey(err error) Result {
	for _, known := range keyErrors {
		if errors.Is(err, known.err) {
			return Result{Error: known.name}
		}
	}
	panic(err)
}

// shownKey is a public key in the forms that no two programs write in another way.
func shownKey(k sign.PublicKey) Object {
	pem, errPEM := keys.MarshalPKIX(k)
	jwk, errJWK := keys.MarshalJWK(k)
	if err := errors.Join(errPEM, errJWK); err != nil {
		panic(err)
	}
	form, err := parseValue(jwk)
	if err != nil {
		panic(err)
	}
	return object("algorithm", k.Algorithm, "public_key", hexOf([]byte(k.Bytes)), "fingerprint", keys.Fingerprint(k), "pem", string(pem), "jwk", form)
}

func answerPrivateKey(in Object) Result {
	data := fileOf(in, "file")
	key, err := keys.ParsePrivateKey(data)
	if passphrase, given := optional(in, "passphrase").Text(); given {
		key, err = keys.ParsePrivateKeyWithPassphrase(data, []byte(passphrase))
	}
	if err != nil {
		return refusedKey(err)
	}
	pkcs8, err := key.MarshalPKCS8()
	if err != nil {
		panic(err)
	}
	public := key.PublicKey()
	return Result{Value: object("algorithm", public.Algorithm, "public_key", hexOf([]byte(public.Bytes)), "fingerprint", key.String(),
		"pkcs8", string(pkcs8))}
}

func answerPublicKey(in Object) Result {
	key, err := keys.ParsePublicKey(fileOf(in, "file"))
	if err != nil {
		return refusedKey(err)
	}
	return Result{Value: shownKey(key)}
}

// answerPublicForms writes a key. Both forms refuse the same keys.
func answerPublicForms(in Object) Result {
	key := sign.PublicKey{Algorithm: asked[string](in, "algorithm"), Bytes: string(fromHex(asked[string](in, "public_key")))}
	_, errPEM := keys.MarshalPKIX(key)
	_, errJWK := keys.MarshalJWK(key)
	switch {
	case (errPEM == nil) != (errJWK == nil):
		panic(errors.Join(errPEM, errJWK))
	case errPEM != nil:
		return refusedKey(errPEM)
	}
	return Result{Value: shownKey(key)}
}

func answerPublished(in Object) Result {
	published, err := keys.ParsePublished(fileOf(in, "file"))
	switch {
	case errors.Is(err, keys.ErrMalformedPublished):
		return Result{Error: malformedPublished}
	case err != nil:
		return refusedKey(err)
	}
	list := List{}
	for _, p := range published {
		written, err := parseValue(keys.AppendPublished(nil, p.KeyID, p.Key))
		if err != nil {
			panic(err)
		}
		list = append(list, append(written.(Object), Member{"provider", orNull(p.Provider)}))
	}
	return Result{Value: list}
}

// What became of a change of a trust file, beside the library's own words.
const (
	keyHeld     = "key_held"
	keyRemoved  = "removed"
	keyNotFound = "not_held"
)

func answerTrustEdit(in Object) Result {
	store := &keys.Store{}
	if file, given := optional(in, "file").Text(); given {
		var err error
		if store, err = keys.ParseStore([]byte(file)); err != nil {
			return brokenRule(err)
		}
	}
	outcomes := List{}
	for _, v := range asked[List](in, "changes") {
		outcome, err := changeTrust(store, v.(Object))
		if err != nil {
			return brokenRule(err)
		}
		outcomes = append(outcomes, outcome)
	}
	written, err := store.Marshal()
	if err != nil {
		return brokenRule(err)
	}
	file, err := parseValue(written)
	if err != nil {
		panic(err)
	}
	return Result{Value: object("outcomes", outcomes, "file", file)}
}

func brokenRule(err error) Result {
	var fault *keys.TrustFault
	switch {
	case errors.Is(err, keys.ErrKeyHeld):
		return Result{Error: keyHeld}
	case errors.As(err, &fault):
		return Result{Error: string(fault.Rule)}
	}
	panic(err)
}

func changeTrust(store *keys.Store, change Object) (outcome string, err error) {
	localID, keyID := asked[string](change, "local_id"), asked[string](change, "key_id")
	if _, ok := change.Find("public_key"); !ok {
		if _, held := store.Remove(localID, keyID); held {
			return keyRemoved, nil
		}
		return keyNotFound, nil
	}
	key := sign.PublicKey{Algorithm: asked[string](change, "algorithm"), Bytes: string(fromHex(asked[string](change, "public_key")))}
	switch asked[string](change, "change") {
	case "add":
		w, ok := windowOf(change)
		if !ok {
			return "", &keys.TrustFault{Rule: keys.RuleMalformedWindow}
		}
		done, err := store.Configure(localID, keyID, key, w)
		return string(done), err
	case "pin":
		done, err := store.Pin(localID, keyID, key)
		if (err != nil) != (done == keys.Refused) {
			panic("the outcome and the error contradict each other")
		}
		return string(done), err
	}
	panic("no change of a trust file")
}
