package lake

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"

	"example.com/iprof/cmd/iprof-query/tables"
)

// joinedAt begins the names of files that were joined.
const joinedAt = "joined-"

// joined reports whether a joined file of a folder has a capture.
func joined(folder, name string) (bool, error) {
	paths, err := filepath.Glob(filepath.Join(escapedGlob(folder), joinedAt+"*"+suffix))
	if err != nil {
		return false, err
	}
	for _, path := range paths {
		file, p, err := opened(path)
		if err != nil {
			return false, err
		}
		has := slices.Contains(namesIn(p), name)
		if file.Close(); has {
			return true, nil
		}
	}
	return false, nil
}

// escapedGlob returns a path without the meaning of *, ? and [.
func escapedGlob(path string) string {
	return strings.NewReplacer("*", `[*]`, "?", `[?]`, "[", `[[]`).Replace(path)
}

// namesIn returns the captures of one of our files.
func namesIn(p *parquet.File) []string {
	list, _ := p.Lookup(sources)
	return strings.Split(list, "\n")
}

// Join makes one file of the small ones in each folder of a lake, up to most bytes together. The small ones go when the
// joined one is there. After a crash between the two, some rows are there twice until the next Join, which removes
// them.
func (o Options) Join(most int64, to *Result) error {
	folders := map[string][]string{}
	err := filepath.WalkDir(o.Folder, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, suffix) {
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], path)
		}
		return err
	})
	if err != nil {
		return err
	}
	for folder, paths := range folders {
		slices.Sort(paths)
		if err := o.joinFolder(folder, paths, most, to); err != nil {
			return err
		}
	}
	return nil
}

// joinFolder joins the small files of a folder.
func (o Options) joinFolder(folder string, paths []string, most int64, to *Result) error {
	if err := removeTwice(paths); err != nil {
		return err
	}
	var group []string
	size := int64(0)
	for _, path := range paths {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		if info.Size() > most/2 {
			continue
		}
		if size+info.Size() > most {
			if err := o.joinFiles(folder, group, to); err != nil {
				return err
			}
			group, size = nil, 0
		}
		group, size = append(group, path), size+info.Size()
	}
	return o.joinFiles(folder, group, to)
}

// removeTwice removes the files whose captures are in a joined one.
func removeTwice(paths []string) error {
	for _, path := range paths {
		if !strings.HasPrefix(filepath.Base(path), joinedAt) {
			continue
		}
		file, p, err := opened(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return err
		}
		names := namesIn(p)
		file.Close()
		for _, other := range paths {
			if other != path && contained(other, names) {
				if err := os.Remove(other); err != nil && !errors.Is(err, fs.ErrNotExist) {
					return err
				}
			}
		}
	}
	return nil
}

// contained reports whether all captures of one of our files are among some.
func contained(path string, names []string) bool {
	file, p, err := opened(path)
	if err != nil {
		return false
	}
	defer file.Close()
	for _, name := range namesIn(p) {
		if !slices.Contains(names, name) {
			return false
		}
	}
	return true
}

// joinFiles joins some files of a folder.
func (o Options) joinFiles(folder string, paths []string, to *Result) error {
	if len(paths) < 2 {
		return nil
	}
	all := &manyRows{}
	defer all.close()
	var table *tables.Table
	var names []string
	for _, path := range paths {
		file, p, err := opened(path)
		if err != nil {
			return err
		}
		all.files = append(all.files, file)
		t := tables.Find(p.Schema().Name())
		if t == nil || table != nil && t != table || !parquet.EqualNodes(p.Schema(), schemaOf(t)) {
			return fmt.Errorf("%s is of another version of iprof: join its folder with that version", path)
		}
		table = t
		names = append(names, namesIn(p)...)
		for _, g := range p.RowGroups() {
			all.left = append(all.left, g.Rows())
		}
	}
	slices.Sort(names)
	names = slices.Compact(names)
	sum := sha256.Sum256([]byte(strings.Join(names, "\n")))
	path := filepath.Join(folder, fmt.Sprintf("%s%.8x%s", joinedAt, sum[:], suffix))
	if err := o.write(path, table, names, all, to); err != nil {
		return err
	}
	all.close()
	for _, old := range paths {
		if old != path {
			if err := os.Remove(old); err != nil {
				return err
			}
		}
	}
	return nil
}

// manyRows reads the rows of several files, one after another.
type manyRows struct {
	files []*os.File
	left  []parquet.Rows
}

// ReadRows reads rows into the given ones.
func (m *manyRows) ReadRows(rows []parquet.Row) (n int, err error) {
	for len(m.left) > 0 {
		if n, err = m.left[0].ReadRows(rows); n > 0 {
			return n, nil
		}
		m.left[0].Close()
		m.left = m.left[1:]
	}
	return 0, io.EOF
}

func (m *manyRows) close() {
	for _, r := range m.left {
		r.Close()
	}
	for _, f := range m.files {
		f.Close()
	}
	m.left, m.files = nil, nil
}
