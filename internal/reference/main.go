// Command reference writes what of the documentation is generated: the pages of docs/reference, and the JSON Schemas of the report,
// docs/report.schema.json, and of its lines, docs/report-line.schema.json. They come from the tables of package archive, so that
// a page, a report and explain cannot disagree.
//
// go generate runs it. Its one argument is the folder docs.
package main

import (
	"fmt"
	"os"
	"path/filepath"

	"contextgraphprotocol.org/cgp-attest/archive"
)

//go:generate go run . ../../docs

// A file is one generated file, by its path below docs.
type file struct {
	name string
	text []byte
}

// files returns everything that is generated.
func files() ([]file, error) {
	var all []file
	for _, p := range pages {
		text, err := p.render(archive.Catalog())
		if err != nil {
			return nil, err
		}
		all = append(all, file{"reference/" + p.file, text})
	}
	for _, s := range []struct {
		name   string
		schema object
	}{{"report-line.schema.json", lineSchema()}, {"report.schema.json", reportSchema()}} {
		text, err := marshal(s.schema)
		if err != nil {
			return nil, err
		}
		all = append(all, file{s.name, text})
	}
	return all, nil
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "reference:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 1 {
		return fmt.Errorf("found %d arguments, want the folder to write to", len(args))
	}
	all, err := files()
	if err != nil {
		return err
	}
	for _, f := range all {
		path := filepath.Join(args[0], filepath.FromSlash(f.name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
