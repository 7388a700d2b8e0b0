package fileio

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What a failed append wrote is taken back, and never what another program appended meanwhile.
func TestLogTakesBackItsOwn(t *testing.T) {
	failed := errors.New("the disk is full")
	for _, foreign := range []string{"", "theirs\n"} {
		name := filepath.Join(t.TempDir(), "log")
		if err := os.WriteFile(name, []byte("old\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		l, err := OpenLog(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		o, err := l.open()
		if err != nil {
			t.Fatal(err)
		}
		other, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			t.Fatal(err)
		}
		n, err := o.end.WriteString("our par")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.WriteString(foreign); err != nil {
			t.Fatal(err)
		}
		want, says := "old\n", false
		if foreign != "" {
			want, says = "old\nour par"+foreign, true
		}
		err = o.takeBack(n, failed)
		if !errors.Is(err, failed) || strings.Contains(err.Error(), "another program has appended") != says {
			t.Errorf("%q appended meanwhile: %v", foreign, err)
		}
		if got, err := os.ReadFile(name); err != nil || string(got) != want {
			t.Errorf("%q appended meanwhile: the log is %q, %v, want %q", foreign, got, err, want)
		}
		if err := errors.Join(o.close(), other.Close()); err != nil {
			t.Fatal(err)
		}
	}
}
