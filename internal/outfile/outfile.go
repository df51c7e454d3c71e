// Package outfile writes all files that this module writes, in three kinds.
//
// The output is the file that a user names. [Write] and [Create] write it completely or not at all. An existing file is
// replaced; its permissions and a link to it stay.
//
// Recordings and files of a black box are new files that only their owner may read: [New] and [NewIn] follow no link
// and replace nothing.
//
// Caches and settings are in folders of the user's own: [Cache], [Config] and [Keep]. If another user could change such
// a folder there is no cache.
package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Write writes a file completely or not at all. A new file gets the permissions that the umask leaves. A regular
// file is replaced and its permissions stay. A symbolic link stays and its target is replaced. Write writes into a pipe
// or a device, and at the end of the file that a standard stream goes to. It refuses folders, and links to nothing. Its
// errors name the file.
func Write(name string, write func(io.Writer) error) error {
	f, err := Create(name)
	if err != nil {
		return err
	}
	defer f.Drop()
	if err := write(f); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return f.Keep()
}

func failed(name string, err error) error { return fmt.Errorf("cannot write %s: %w", name, Cause(err)) }

// File is output that is being written. One goroutine may use it.
type File struct {
	file   *os.File // nil at the end
	name   string   // as the user gave it
	target string   // that it replaces, "" for a pipe or a device
	made   string   // the file's own name, "" if it has none
	err    error    // the first one of Write
}

// Create begins to write a file: see Write. Keep or Drop ends it.
func Create(name string) (*File, error) {
	f := &File{name: name}
	if err := f.open(); err != nil {
		return nil, failed(name, err)
	}
	return f, nil
}

func (f *File) open() (err error) {
	info, err := os.Stat(f.name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, failed := os.Lstat(f.name); failed == nil {
			return errors.New("it is a link to a file that does not exist")
		}
		f.target = f.name
		return f.begin()
	case err != nil:
		return err
	case info.IsDir():
		return errors.New("it is a folder")
	case isStream(info):
		f.file, err = os.OpenFile(f.name, os.O_WRONLY|os.O_APPEND, 0)
		return err
	case !info.Mode().IsRegular():
		f.file, err = os.OpenFile(f.name, os.O_WRONLY, 0) // as in a shell, opening a pipe waits for a reader
		return err
	}
	if f.target, err = filepath.EvalSymlinks(f.name); err != nil {
		return err
	}
	if err = f.begin(); err == nil {
		if err = f.file.Chmod(info.Mode().Perm()); err != nil {
			f.Drop()
		}
	}
	return err
}

// isStream reports whether a file is the one that standard output or standard error goes to, as /dev/stdout is. Others
// write to it, too, so it is not replaced.
func isStream(info fs.FileInfo) bool {
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if open, err := stream.Stat(); err == nil && os.SameFile(info, open) {
			return true
		}
	}
	return false
}

// begin creates a file in the target's folder.
func (f *File) begin() (err error) {
	if f.file = createNameless(filepath.Dir(f.target)); f.file != nil {
		return nil
	}
	if f.file, err = createBeside(f.hidden); err == nil {
		f.made = f.file.Name()
	}
	return err
}

// hidden returns a new name in the target's folder.
func (f *File) hidden() string {
	folder, base := filepath.Split(f.target)
	return fmt.Sprintf("%s.%s-%d", folder, base, rand.Uint32())
}

// Write writes to the file. After an error Keep fails. The error does not have the path, which may be a temporary one
// that the user does not know.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.file.Write(p)
	if err = Cause(err); f.err == nil {
		f.err = err
	}
	return n, err
}

// Keep gives the file its name, in place of the file that has it. After an error that file stays. The error has the
// file's name.
func (f *File) Keep() error {
	defer f.Drop()
	err := f.err
	if err == nil && f.target != "" && f.made == "" { // a name for a moment: no end of the program leaves half a file
		made := f.hidden()
		if err = nameIt(f.file, made); err == nil {
			f.made = made
		}
	}
	closed := f.file.Close()
	if f.file = nil; err == nil {
		err = closed
	}
	if err == nil && f.target != "" {
		if err = os.Rename(f.made, f.target); err == nil {
			f.made = ""
		}
	}
	if err != nil {
		return failed(f.name, err)
	}
	return nil
}

// Drop leaves what was there before. After Keep it does nothing.
func (f *File) Drop() {
	if f.file != nil {
		f.file.Close()
		f.file = nil
	}
	if f.made != "" {
		os.Remove(f.made)
		f.made = ""
	}
}

// createBeside creates a file with one of the names. os.CreateTemp would ignore the umask.
func createBeside(name func() string) (f *os.File, err error) {
	for range 100 {
		f, err = os.OpenFile(name(), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// Cause returns an error of a file without the path in it.
func Cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err
	}
	return err
}
