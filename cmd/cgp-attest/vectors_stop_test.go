//go:build unix

package main

import (
	"context"
	"strings"
	"testing"
	"time"
)

// A run that is interrupted writes a whole report of what there was, and exits 130 in every format.
func TestVectorsRunInterrupted(t *testing.T) {
	for format, want := range map[string]string{
		"text": "exit 130: interrupted\n", "json": `"finished":false,"exit_code":130,`, "junit": "</testsuites>\n", "markdown": "exit code 130\n",
	} {
		t.Run(format, func(t *testing.T) {
			t.Parallel()
			ctx, interrupt := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, interrupt)
			env, out, words := testEnvironment("")
			code := run(ctx, env, []string{"vectors", "run", "--format", format, "--timeout", "5m", "--",
				"sh", "-c", `read hello; echo '{"name":"slow","version":"0","ops":["encode"]}'; sleep 300`})
			if code != 130 || !strings.Contains(out.String(), want) {
				t.Errorf("exit %d, %s%s, want 130 and %q", code, out, words, want)
			}
		})
	}
}
