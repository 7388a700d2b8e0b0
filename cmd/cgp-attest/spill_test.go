package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"contextgraphprotocol.org/cgp-attest/archive"
)

// What does not add up is found at its end: until then nothing of it is on standard output, however large it is.
func TestMergeWritesNothingWrong(t *testing.T) {
	env, out, _ := testEnvironment(strings.Repeat("{]\n", 20_000))
	run(context.Background(), env, []string{"verify", "--format", "jsonl", "-"})
	forged := strings.Replace(out.String(), `"unreadable":20000`, `"unreadable":19999`, 1)
	for _, args := range [][]string{{"merge"}, {"convert", "--format", "json"}, {"convert", "--format", "jsonl"}} {
		env, out, words := testEnvironment(forged)
		args = append([]string{"report"}, append(args, "-")...)
		if code := run(context.Background(), env, args); code != archive.ExitUnreadable || out.Len() > 0 || !strings.Contains(words.String(), "add up") {
			t.Errorf("%v exits %d, writes %d bytes and says %s", args, code, out.Len(), words)
		}
	}
}

// More errors than are kept in memory stand in the JSON of verify and inspect, in their order; where they can be kept nowhere the
// program says what to do.
func TestManyErrors(t *testing.T) {
	const records = 20_000
	input := strings.Repeat("{]\n", records)
	setTemp := func(dir string) {
		for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
			t.Setenv(name, dir)
		}
	}
	type list []struct{ Record, Offset uint64 }
	for _, command := range []string{"verify", "inspect"} {
		dir := t.TempDir()
		setTemp(dir)
		env, out, words := testEnvironment(input)
		if code := run(context.Background(), env, []string{command, "--format", "json", "-"}); code != archive.ExitUnreadable {
			t.Fatalf("%s exits %d: %s", command, code, words)
		}
		var got struct {
			Errors  list
			Sources []struct{ Errors list }
		}
		if err := json.Unmarshal(out.Bytes(), &got); err != nil {
			t.Fatal(err)
		}
		if len(got.Sources) == 1 {
			got.Errors = got.Sources[0].Errors
		}
		if len(got.Errors) != records {
			t.Fatalf("%s: %d errors, want %d", command, len(got.Errors), records)
		}
		for i, e := range got.Errors {
			if e.Record != uint64(i+1) || e.Offset != uint64(3*i) {
				t.Fatalf("%s: error %d is of record %d at %d", command, i, e.Record, e.Offset)
			}
		}
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("%s leaves %v, %v in the folder of temporary files", command, left, err)
		}
		setTemp(filepath.Join(dir, "none"))
		env, _, words = testEnvironment(input)
		if code := run(context.Background(), env, []string{command, "--format", "json", "-"}); code != archive.ExitInternal || !strings.Contains(words.String(), "TMPDIR") {
			t.Errorf("%s without a folder for temporary files exits %d and says %s", command, code, words)
		}
	}
}
