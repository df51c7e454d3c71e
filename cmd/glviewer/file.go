package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// writeFile writes a file completely or not at all. A new file gets the permissions that the umask leaves. A regular
// file is replaced and its permissions stay. A symbolic link stays and its target is replaced. writeFile writes into a
// pipe or a device.
func writeFile(name string, write func(io.Writer) error) error {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if _, failed := os.Lstat(name); failed == nil {
			return cannotWrite(name, errors.New("it is a link to a file that does not exist"))
		}
		err = replaceFile(name, func(*os.File) error { return nil }, write)
	case err != nil:
	case info.IsDir():
		err = errors.New("it is a folder")
	case info.Mode().IsRegular():
		var target string
		if target, err = filepath.EvalSymlinks(name); err == nil {
			err = replaceFile(target, func(f *os.File) error { return f.Chmod(info.Mode().Perm()) }, write)
		}
	default:
		err = writeTo(name, write)
	}
	return cannotWrite(name, err)
}

func cannotWrite(name string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("cannot write %s: %w", name, cause(err))
}

// writeTo writes to a pipe or a device. As in a shell, opening a pipe waits for a reader.
func writeTo(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(name, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(write(f), f.Close())
}

// replaceFile writes a new file in the same folder and renames it to name.
func replaceFile(name string, permit func(*os.File) error, write func(io.Writer) error) error {
	f, err := createBeside(name)
	if err != nil {
		return err
	}
	if err = errors.Join(permit(f), write(f), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// createBeside creates a hidden file in the folder of name. os.CreateTemp would ignore the umask.
func createBeside(name string) (f *os.File, err error) {
	folder, base := filepath.Split(name)
	for range 100 {
		hidden := fmt.Sprintf("%s.%s-%d", folder, base, rand.Uint32())
		f, err = os.OpenFile(hidden, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return f, err
}

// cause returns an error without the path in it. The path may be a temporary file's, which the user does not know.
func cause(err error) error {
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
