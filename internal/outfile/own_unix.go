//go:build unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
)

const (
	group  = 0o020 // others of the group may write
	others = 0o002
)

// isOwn returns an error if another user, save root, could change a folder, or one above it: by its owner, its
// permissions, or a link on the way. The folder and some above it need not exist.
func isOwn(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.Mode()&others != 0 {
		return foreignError(dir, "other users may write to it")
	}
	at, err := filepath.Abs(dir)
	for err == nil {
		if _, err := os.Lstat(at); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		at = filepath.Dir(at)
	}
	real, failed := filepath.EvalSymlinks(at)
	if err = errors.Join(err, failed); err != nil {
		return err
	}
	return errors.Join(areSafe(at), areSafe(real))
}

// areSafe checks a path and all above it.
func areSafe(path string) error {
	for {
		if err := isSafe(path); err != nil {
			return err
		}
		above := filepath.Dir(path)
		if above == path {
			return nil
		}
		path = above
	}
}

// isSafe returns an error if another user may change a folder or a link. In a sticky folder each may change only what
// is their own. A user's group of their own has no others.
func isSafe(path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	mode := info.Mode()
	switch by := owner(info); {
	case by != os.Geteuid() && by != 0:
		return foreignError(path, "it belongs to another user")
	case !mode.IsDir() || mode&fs.ModeSticky != 0:
	case mode&others != 0, mode&group != 0 && !ownGroup(info):
		return foreignError(path, "other users may write to it")
	}
	return nil
}

func owner(info fs.FileInfo) int { return int(info.Sys().(*syscall.Stat_t).Uid) }

func ownGroup(info fs.FileInfo) bool { return int(info.Sys().(*syscall.Stat_t).Gid) == os.Getegid() }
