// Package outfile writes the files that users name.
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
// or a device. It refuses folders, and links to nothing. Its errors name the file.
func Write(name string, write func(io.Writer) error) error {
	if err := writeAny(name, write); err != nil {
		return fmt.Errorf("cannot write %s: %w", name, err)
	}
	return nil
}

func writeAny(name string, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, failed := os.Lstat(name); failed == nil {
			return errors.New("it is a link to a file that does not exist")
		}
		return replace(name, func(*os.File) error { return nil }, write)
	case err != nil:
		return Cause(err)
	case info.IsDir():
		return errors.New("it is a folder")
	case !info.Mode().IsRegular():
		return writeTo(name, write)
	}
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return Cause(err)
	}
	return replace(target, func(f *os.File) error { return f.Chmod(info.Mode().Perm()) }, write)
}

// writeTo writes to a pipe or a device. As in a shell, opening a pipe waits for a reader.
func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return Cause(err)
	}
	return errors.Join(write(unnamed{f}), Cause(f.Close()))
}

// replace writes a new file in the same folder and renames it to name. After a failure or a panic it leaves no new
// file.
func replace(name string, permit func(*os.File) error, write func(io.Writer) error) error {
	folder, base := filepath.Split(name)
	hidden := func() string { return fmt.Sprintf("%s.%s-%d", folder, base, rand.Uint32()) }
	f, made := createNameless(folder), ""
	if f == nil {
		var err error
		if f, err = createBeside(hidden); err != nil {
			return Cause(err)
		}
		made = f.Name()
	}
	written := false
	defer func() {
		if written {
			return
		}
		f.Close()
		if made != "" {
			os.Remove(made)
		}
	}()
	err := errors.Join(Cause(permit(f)), write(unnamed{f}))
	if err == nil && made == "" { // it has a name only now, for a moment: no end of the program leaves half a file
		made = hidden()
		err = Cause(nameIt(f, made))
	}
	if err = errors.Join(err, Cause(f.Close())); err == nil {
		err = Cause(os.Rename(made, name))
	}
	written = err == nil
	return err
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

// unnamed is a file whose errors do not have its path. It may be a temporary one's, which the user does not know.
type unnamed struct{ file *os.File }

func (u unnamed) Write(p []byte) (int, error) {
	n, err := u.file.Write(p)
	return n, Cause(err)
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
