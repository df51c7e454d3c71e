//go:build !linux

package outfile

import (
	"errors"
	"os"
)

// createNameless returns nil: there are no files without names here.
func createNameless(string) *os.File { return nil }

func nameIt(*os.File, string) error { return errors.ErrUnsupported }
