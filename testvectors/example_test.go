package testvectors_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"strings"
	"testing/fstest"

	"contextgraphprotocol.org/cgp-attest/testvectors"
)

// The smallest harness: every case of one op, in the language of the implementation.
func ExampleReleased() {
	classes, err := testvectors.Released()
	if err != nil {
		log.Fatal(err)
	}
	wrong := 0
	for _, class := range classes {
		for _, c := range class.Cases {
			if c.Op != "encode" {
				continue
			}
			// Here the implementation under test answers.
			if got := testvectors.Answer(c.Op, c.Input); !got.Equal(c.Expect) {
				fmt.Println(c.ID, got, "want", c.Expect)
				wrong++
			}
		}
	}
	fmt.Println("wrong:", wrong)
	// Output: wrong: 0
}

// Cases are chosen by op, by flag or by id.
func ExampleSelect() {
	classes, err := testvectors.Released()
	if err != nil {
		log.Fatal(err)
	}
	chosen, err := testvectors.Select(classes, []string{"root-1"})
	if err != nil {
		log.Fatal(err)
	}
	for _, class := range chosen {
		for _, c := range class.Cases {
			fmt.Println(class.Name, c.ID, c.Expect)
			for _, miss := range c.NearMiss {
				fmt.Println(miss.Cause, "gives", miss.Result)
			}
		}
	}
	_, err = testvectors.Select(classes, []string{"root-one"})
	fmt.Println(err != nil)
	// Output:
	// merkle root-1 {"value":"sha256:31d82f8c2c1211c119bc7352c5688f177e9b25b5162483c5b571fa3eece8b3a3"}
	// prefixes_swapped gives {"value":"sha256:1512ab10bd19eafa7456040a39f17493a5252ffdb96b4891888a322770f61ead"}
	// true
}

// An implementation runs as a process of its own and is asked over lines of JSON. This one is the library itself.
func ExampleRun() {
	program, err := os.Executable()
	if err != nil {
		log.Fatal(err)
	}
	classes, err := testvectors.Released()
	if err != nil {
		log.Fatal(err)
	}
	chosen, err := testvectors.Select(classes, []string{"root-1"})
	if err != nil {
		log.Fatal(err)
	}
	report, err := testvectors.Run(context.Background(), chosen, &testvectors.RunOptions{Command: []string{program, "serve"}})
	if err != nil {
		log.Fatal(err)
	}
	for _, c := range report.Cases {
		fmt.Println(c.Case.ID, c.Outcome, c.Causes)
	}
	code, _ := report.Verdict()
	fmt.Println("exit code", code)

	_, err = testvectors.Run(context.Background(), chosen, &testvectors.RunOptions{Command: []string{"./no-such-driver"}})
	fmt.Println(errors.Is(err, testvectors.ErrStart))
	// Output:
	// root-1 passed []
	// exit code 0
	// true
}

// The conversation that a driver holds, from the answering side.
func ExampleServe() {
	questions := `{"op":"encode","id":"1","input":{"text":"a"}}
`
	if err := testvectors.Serve(strings.NewReader(questions), os.Stdout, "library", "1"); err != nil {
		log.Fatal(err)
	}
	// Output: {"id":"1","value":"0000000161"}
}

// A folder of cases is recomputed as a whole: nobody's word is taken for an answer in it.
func ExampleCheck() {
	files, err := testvectors.Export()
	if err != nil {
		log.Fatal(err)
	}
	folder := fstest.MapFS{}
	for name, text := range files {
		folder[name] = &fstest.MapFile{Data: text}
	}
	edited := strings.Replace(string(files["merkle.json"]), "sha256:31d82f8c", "sha256:31d82f8d", 1)
	folder["merkle.json"] = &fstest.MapFile{Data: []byte(edited)}

	checked, err := testvectors.Check(context.Background(), folder, nil)
	if err != nil {
		log.Fatal(err)
	}
	for _, fault := range checked.Faults {
		fmt.Println(fault)
	}
	// Output:
	// all.jsonl is not what its cases give
	// merkle.json: its SHA-256 is not the one in MANIFEST.json
	// root-1: this library answers {"value":"sha256:31d82f8c2c1211c119bc7352c5688f177e9b25b5162483c5b571fa3eece8b3a3"}, want {"value":"sha256:31d82f8d2c1211c119bc7352c5688f177e9b25b5162483c5b571fa3eece8b3a3"}
}

// The cases go to where a harness in another language reads them.
func ExampleExport() {
	files, err := testvectors.Export()
	if err != nil {
		log.Fatal(err)
	}
	_, manifest := files[testvectors.ManifestName]
	fmt.Println(manifest, len(files) > len(testvectors.Classes()))
	// Output: true true
}

// A folder is read as strictly as evidence: what is no file of cases is an error.
func ExampleLoad() {
	classes, err := testvectors.Load(testvectors.FS())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(classes[0].Name == testvectors.Classes()[0])
	_, err = testvectors.Load(fstest.MapFS{"encode.json": {Data: []byte(`{"format":"cgp-attest-vectors/2"}`)}})
	fmt.Println(errors.Is(err, testvectors.ErrFormat))
	// Output:
	// true
	// true
}
