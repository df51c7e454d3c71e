//go:build !linux

package auto

import "os"

// file is an open file.
type file = os.File

// createFile creates a new file that only its owner may read. An existing file is an error.
func createFile(name string) (*file, error) {
	return os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
}

// rewrite replaces what the file has.
func rewrite(f *file, text []byte) error {
	if err := f.Truncate(0); err != nil {
		return err
	}
	_, err := f.WriteAt(text, 0)
	return err
}
