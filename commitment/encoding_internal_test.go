package commitment

import (
	"errors"
	"math"
	"testing"
)

func TestCheckLength(t *testing.T) {
	for _, tt := range []struct {
		name   string
		length uint64
		want   string
	}{
		{"zero", 0, ""},
		{"largest", math.MaxUint32, ""},
		{"one more", math.MaxUint32 + 1, "uri: field too long: 4294967296 bytes, want at most 4294967295"},
		{"would wrap to 5", 1<<32 + 5, "uri: field too long: 4294967301 bytes, want at most 4294967295"},
		{"max", math.MaxUint64, "uri: field too long: 18446744073709551615 bytes, want at most 4294967295"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := checkLength("uri", tt.length)
			if tt.want == "" {
				if err != nil {
					t.Errorf("checkLength(uri, %d) = %v, want nil", tt.length, err)
				}
				return
			}
			if !errors.Is(err, ErrFieldTooLong) || err.Error() != tt.want {
				t.Errorf("checkLength(uri, %d) = %v, want %s", tt.length, err, tt.want)
			}
		})
	}
}
