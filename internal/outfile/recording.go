package outfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// New creates a new file that only its owner may read or write. Where there is one it is an error, also if that is a
// link to nothing.
func New(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("%w; choose another name or remove it", err)
	}
	return f, err
}

// NewIn creates a new file in a folder, which it makes if there is none. Only the owner may read either. A random text
// takes the place of the * in the pattern of the file's name. "" is the folder for temporary files.
func NewIn(dir, pattern string) (*os.File, error) {
	f, err := os.CreateTemp(dir, pattern)
	if errors.Is(err, fs.ErrNotExist) && dir != "" && Folder(dir) == nil {
		f, err = os.CreateTemp(dir, pattern)
	}
	return f, err
}

// Move gives a file of NewIn its name, in the same folder.
func Move(f *os.File, path string) error { return os.Rename(f.Name(), path) }

// Abandon closes and removes a file of New or NewIn that has nothing of use.
func Abandon(f *os.File) {
	f.Close()
	os.Remove(f.Name())
}

// Folder makes a folder that only its owner may open, with those above it. An existing one stays as it is.
func Folder(path string) error { return os.MkdirAll(path, 0o700) }

// HasSpace returns the error of writing a little to a new file of a folder, such as that the disk is full.
func HasSpace(dir string) error {
	f, err := NewIn(dir, ".space-*")
	if err != nil {
		return err
	}
	defer Abandon(f)
	_, err = f.Write(make([]byte, 4096))
	return Cause(err)
}
