//go:build !unix

package fileio

import (
	"errors"
	"os"
)

// descriptor: no name stands for a descriptor here.
func descriptor(string) (fd int, ok bool) { return 0, false }

func duplicate(int) (*os.File, error) { return nil, errors.ErrUnsupported }
