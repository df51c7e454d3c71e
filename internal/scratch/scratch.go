// Package scratch makes files that only the program sees, and that disappear at any end of the program, even when it is
// killed.
package scratch

import (
	"fmt"
	"os"
	"runtime"

	"example.com/iprof/internal/outfile"
)

// New returns a new, empty file without a name, for reading and writing. Closing it frees its space. If the folder for
// temporary files cannot be used, the error names it and the variable that chooses it.
func New() (*os.File, error) {
	file, err := create(os.TempDir())
	if err != nil {
		return nil, unusable(err)
	}
	return file, nil
}

// Folder returns a new, empty folder for temporary files, whose name begins with the given text. The caller removes it.
// Its errors are those of New.
func Folder(begin string) (string, error) {
	dir, err := os.MkdirTemp("", begin)
	if err != nil {
		return "", unusable(err)
	}
	return dir, nil
}

// unusable names the folder for temporary files in an error.
func unusable(err error) error {
	variable := "TMPDIR"
	if runtime.GOOS == "windows" {
		variable = "TMP"
	}
	return fmt.Errorf("there is no place for temporary files in %s: %w; the variable %s names another folder",
		os.TempDir(), outfile.Cause(err), variable)
}
