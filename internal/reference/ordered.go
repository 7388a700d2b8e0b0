package main

import (
	"bytes"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// A JSON value of a schema is a string, a bool, an int, nil, an object or a list. Members keep their order.
type (
	member struct {
		name  string
		value any
	}
	object []member
	list   []any
)

// marshal writes a value with a member a line.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := jsontext.NewEncoder(&b, jsontext.WithIndent("  "))
	if err := encode(enc, v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

func encode(enc *jsontext.Encoder, v any) error {
	switch v := v.(type) {
	case nil:
		return enc.WriteToken(jsontext.Null)
	case string:
		return enc.WriteToken(jsontext.String(v))
	case bool:
		return enc.WriteToken(jsontext.Bool(v))
	case int:
		return enc.WriteToken(jsontext.Int(int64(v)))
	case list:
		return encodeList(enc, v)
	case object:
		return encodeObject(enc, v)
	}
	return fmt.Errorf("%T is no value of a schema", v)
}

func encodeList(enc *jsontext.Encoder, l list) error {
	if err := enc.WriteToken(jsontext.BeginArray); err != nil {
		return err
	}
	for _, e := range l {
		if err := encode(enc, e); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndArray)
}

func encodeObject(enc *jsontext.Encoder, o object) error {
	if err := enc.WriteToken(jsontext.BeginObject); err != nil {
		return err
	}
	for _, m := range o {
		if err := enc.WriteToken(jsontext.String(m.name)); err != nil {
			return err
		}
		if err := encode(enc, m.value); err != nil {
			return err
		}
	}
	return enc.WriteToken(jsontext.EndObject)
}

// words turns a list of codes into a list of strings.
func words[S ~string](codes ...S) list {
	var l list
	for _, c := range codes {
		l = append(l, string(c))
	}
	return l
}
