//go:build !unix

package keyref

import (
	"errors"
	"fmt"
	"os"
)

func openDescriptor(n int) (*os.File, error) {
	return nil, fmt.Errorf("descriptor %d: %w: this system hands none on by number", n, errors.ErrUnsupported)
}
