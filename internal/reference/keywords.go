package main

import (
	"fmt"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// A property is a member of an object and its schema.
type property struct {
	name     string
	schema   object
	required bool
}

// need is a member that always stands, may one that does not.
func need(name string, s object) property { return property{name, s, true} }
func may(name string, s object) property  { return property{name, s, false} }

// closed is an object with these members and no others.
func closed(members ...property) object {
	var names list
	var properties object
	for _, m := range members {
		if m.required {
			names = append(names, m.name)
		}
		properties = append(properties, member{m.name, m.schema})
	}
	return object{{"type", "object"}, {"additionalProperties", false}, {"required", names}, {"properties", properties}}
}

func text() object { return object{{"type", "string"}} }

func boolean() object { return object{{"type", "boolean"}} }

func count() object { return atLeast(0) }

func atLeast(n int) object { return object{{"type", "integer"}, {"minimum", n}} }

func pattern(p string) object { return object{{"type", "string"}, {"pattern", p}} }

func arrayOf(s object) object { return object{{"type", "array"}, {"items", s}} }

func atMost(n int, s object) object { return append(s, member{"maxItems", n}) }

func orNull(s object) object { return object{{"anyOf", list{s, object{{"type", "null"}}}}} }

func ref(definition string) object { return object{{"$ref", "#/$defs/" + definition}} }

// about puts a description in front.
func about(description string, s object) object {
	return append(object{{"description", description}}, s...)
}

// is demands one word.
func is[S ~string](word S) object { return object{{"const", string(word)}} }

// holds is met by an object whose member, where it has it, meets s.
func holds(name string, s object) object { return object{{"properties", object{{name, s}}}} }

func required(names ...string) object { return object{{"required", words(names...)}} }

// without is met by an object that has none of the members.
func without(names ...string) object {
	var properties object
	for _, n := range names {
		properties = append(properties, member{n, false})
	}
	return object{{"properties", properties}}
}

func when(condition, then object) object { return object{{"if", condition}, {"then", then}} }

// entries returns the entries of a set of the catalog.
func entries(set string) []archive.Entry {
	for _, s := range archive.Catalog() {
		if s.Name == set {
			return s.Entries
		}
	}
	panic(fmt.Sprintf("reference: the catalog has no set %q", set))
}

// codes is one of the codes of a set.
func codes(set string) object {
	var l list
	for _, e := range entries(set) {
		l = append(l, e.Code)
	}
	return object{{"enum", l}}
}
