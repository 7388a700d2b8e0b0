package testvectors

import (
	"bytes"
	"io/fs"
	"os"
	"testing"
	"testing/fstest"
)

// The file of all cases is not embedded, and yet stands in the folder as it does in the sources.
func TestFS(t *testing.T) {
	if err := fstest.TestFS(FS(), allName, ManifestName, "encode.json", "schema/case.json"); err != nil {
		t.Error(err)
	}
	want, err := os.ReadFile("v1/" + allName)
	if err != nil {
		t.Fatal(err)
	}
	got, err := fs.ReadFile(FS(), allName)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s of the folder has %d bytes, %v, want the %d of the sources", allName, len(got), err, len(want))
	}
	if _, err := embedded.Open("v1/" + allName); err == nil {
		t.Errorf("%s is embedded: its cases stand in the binary twice", allName)
	}
}
