package archive

import (
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestSplice(t *testing.T) {
	many := make([]edit, 26) // more than a sort keeps in order by chance
	for i := range many {
		many[i] = edit{span{5 - i%2, 5 - i%2}, []byte{byte('a' + i)}}
	}
	for _, row := range []struct {
		name  string
		edits []edit
		want  string
	}{
		{"nothing", nil, "0123456789"},
		{"out of order", []edit{{span{8, 9}, []byte("H")}, {span{2, 4}, []byte("BC")}}, "01BC4567H9"},
		{"insertions at one place keep their order", []edit{{span{5, 5}, []byte("a")}, {span{5, 5}, []byte("b")}}, "01234ab56789"},
		{"many at two places", many, "0123bdfhjlnprtvxz4acegikmoqsuwy56789"},
		{"an insertion in front of a removal", []edit{{span{5, 7}, nil}, {span{5, 5}, []byte("a")}}, "01234a789"},
		{"a removal behind one", []edit{{span{3, 5}, nil}, {span{5, 5}, []byte("a")}}, "012a56789"},
		{"both ends", []edit{{span{10, 10}, []byte("z")}, {span{0, 0}, []byte("a")}}, "a0123456789z"},
		{"all", []edit{{span{0, 10}, nil}}, ""},
	} {
		input := []byte("0123456789")
		if got := string(splice(input, row.edits)); got != row.want {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if string(input) != "0123456789" {
			t.Errorf("%s: the input is now %s", row.name, input)
		}
	}
}

func TestIsAbsent(t *testing.T) {
	for _, row := range []struct {
		value string
		want  bool
	}{
		{`null`, true}, {`[]`, true}, {"[ \r\n]", true},
		{`[null]`, false}, {`[[]]`, false}, {`{}`, false}, {`""`, false}, {`false`, false}, {`0`, false},
	} {
		if got := isAbsent(jsontext.Value(row.value)); got != row.want {
			t.Errorf("isAbsent(%s) = %t, want %t", row.value, got, row.want)
		}
	}
}
