package agent

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// folders are the folders that an agent may read. Nothing else is opened, also not through a link.
type folders []folder

// folder is an open folder. os.Root refuses paths and links that lead out of it.
type folder struct {
	path string // absolute
	root *os.Root
}

// openFolders opens the folders of a command line.
func openFolders(paths []string) (list folders, err error) {
	for _, path := range paths {
		whole, err := filepath.Abs(path)
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(whole)
		if err != nil {
			return nil, err
		}
		list = append(list, folder{whole, root})
	}
	return list, nil
}

// close closes the folders.
func (f folders) close() {
	for _, d := range f {
		d.root.Close()
	}
}

// errOutside is the error for a path that is in none of the folders.
var errOutside = errors.New("it is outside the folders that this server was started with: " +
	"open without a capture lists what can be opened; to allow more, start iprof mcp with another folder")

// file opens a regular file by its path in a folder, or by its whole path. name is its path for answers.
func (f folders) file(path string) (file *os.File, name string, err error) {
	missing := false
	for i, d := range f {
		inside := path
		if filepath.IsAbs(path) {
			if inside, err = filepath.Rel(d.path, path); err != nil {
				continue
			}
		}
		if !filepath.IsLocal(inside) {
			continue
		}
		info, err := d.root.Stat(inside)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = true
			continue
		case err != nil:
			return nil, "", fmt.Errorf("%s: %w", path, errOutside)
		case !info.Mode().IsRegular(): // opening a pipe would wait for its writer
			return nil, "", fmt.Errorf("%s is no file: open without a capture lists the captures", path)
		}
		file, err := d.root.Open(inside)
		if err != nil {
			return nil, "", fmt.Errorf("%s: %w", path, errOutside)
		}
		return file, f.name(i, inside), nil
	}
	if missing {
		return nil, "", fmt.Errorf("%s: there is no such file: open without a capture lists the captures", path)
	}
	return nil, "", fmt.Errorf("%s: %w", path, errOutside)
}

// name returns a path for answers, by which file finds the same file.
func (f folders) name(i int, inside string) string {
	if len(f) == 1 {
		return filepath.Clean(inside)
	}
	return filepath.Join(f[i].path, inside)
}

// found is a file that may be a capture.
type found struct {
	name    string
	bytes   int64
	written time.Time
}

// Limits of the search for captures.
const (
	mostVisited = 20_000
	mostFolders = 6 // folders in each other
)

// endings are the ends of the names of files that hold captures, or what iprof reads like one.
var endings = []string{".iprof", ".iprof.gz", ".pprof", ".pb.gz", ".folded", ".perfetto-trace", ".pftrace", ".trace",
	".trace.json", ".trace.json.gz"}

// captures lists the files that may be captures, the newest first. Folders whose names begin with a dot are left out.
func (f folders) captures() (list []found, whole bool) {
	visited := 0
	for i, d := range f {
		_ = fs.WalkDir(d.root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
			if visited++; visited > mostVisited {
				return fs.SkipAll
			}
			if err != nil {
				return nil // of this entry only
			}
			if e.IsDir() {
				if path != "." && strings.HasPrefix(e.Name(), ".") || strings.Count(path, "/") >= mostFolders {
					return fs.SkipDir
				}
				return nil
			}
			is := func(end string) bool { return strings.HasSuffix(e.Name(), end) }
			if info, err := e.Info(); err == nil && info.Mode().IsRegular() && slices.ContainsFunc(endings, is) {
				list = append(list, found{f.name(i, path), info.Size(), info.ModTime()})
			}
			return nil
		})
	}
	slices.SortFunc(list, func(a, b found) int {
		return cmp.Or(b.written.Compare(a.written), strings.Compare(a.name, b.name))
	})
	return list, visited <= mostVisited
}
