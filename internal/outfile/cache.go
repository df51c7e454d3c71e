package outfile

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// Cache returns a folder in the user's cache, which is below "iprof" there. It need not exist: Keep makes it. It is an
// error if another user could change the folder: then there is no cache.
func Cache(names ...string) (string, error) { return ownBelow(os.UserCacheDir, names) }

// Config is like Cache, in the user's folder of settings.
func Config(names ...string) (string, error) { return ownBelow(os.UserConfigDir, names) }

func ownBelow(base func() (string, error), names []string) (string, error) {
	dir, err := base()
	if err != nil {
		return "", err
	}
	dir = filepath.Join(append([]string{dir, "iprof"}, names...)...)
	if err := isOwn(dir); err != nil {
		return "", err
	}
	return dir, nil
}

// Keep writes a file of a cache completely or not at all. Only its owner may read it.
func Keep(name string, content []byte) error {
	f, err := NewIn(filepath.Dir(name), ".new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err == nil {
		err = Move(f, name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// KeepFolder writes a folder of a cache completely or not at all, with these files. It leaves an existing one.
func KeepFolder(dir string, files map[string][]byte) error {
	if err := Folder(filepath.Dir(dir)); err != nil {
		return err
	}
	scratch, err := os.MkdirTemp(filepath.Dir(dir), ".new-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(scratch)
	for name, content := range files {
		if err := Keep(filepath.Join(scratch, name), content); err != nil {
			return err
		}
	}
	return os.Rename(scratch, dir)
}

// foreignError is the error for a folder that another user could change.
func foreignError(path, why string) error {
	return fmt.Errorf("%s does not belong to this user alone: %s", path, why)
}
