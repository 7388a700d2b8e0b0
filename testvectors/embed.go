package testvectors

import (
	"embed"
	"fmt"
	"io/fs"
)

// The released files. Their bytes are what MANIFEST.json says.
//
//go:embed v1
var embedded embed.FS

// FS returns the embedded folder of released cases, as Export writes it.
func FS() fs.FS {
	sub, err := fs.Sub(embedded, "v1")
	if err != nil {
		panic(err) // the folder is embedded
	}
	return sub
}

// Released returns the released cases that are embedded, class by class.
func Released() ([]*File, error) { return Load(FS()) }

// Load reads the files of cases of a folder. A class without a file is missing; a folder without any is an error.
func Load(folder fs.FS) ([]*File, error) {
	var files []*File
	for _, name := range Classes() {
		text, err := fs.ReadFile(folder, name+".json")
		if err != nil {
			return nil, fmt.Errorf("testvectors: %w", err)
		}
		f, err := ParseFile(text)
		if err != nil {
			return nil, fmt.Errorf("%s.json: %w", name, err)
		}
		if f.Name != name {
			return nil, fmt.Errorf("testvectors: %s.json holds the class %.40q", name, f.Name)
		}
		files = append(files, f)
	}
	return files, nil
}
