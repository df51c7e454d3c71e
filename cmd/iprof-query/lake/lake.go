// Package lake writes captures as files of Parquet, in folders as engines of a fleet read them: one for each table,
// day, service and version.
//
//	lake/calls/day=2026-11-29/service=game/version=1.4/NAME.parquet
//
// NAME is that of the capture and a part of the sum of its bytes. The same capture written again is the same file. The
// column file has NAME. A file is written whole or not at all, and no file of others is replaced.
package lake

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/parquet-go/parquet-go"

	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/outfile"
	"example.com/iprof/internal/version"
)

// Options are what a lake is made of.
type Options struct {
	Folder           string
	Service, Version string          // "": that of the capture, or of a folder service=… or version=… of its path
	Tables           []*tables.Table // nil: all
	Limits           tables.Limits
}

// Result counts what was written.
type Result struct {
	Files int
	Rows  int64
	Bytes int64
	Left  int // captures that were there
}

// unknown is Hive's name of a value that is not known.
const unknown = "__HIVE_DEFAULT_PARTITION__"

// Add writes a capture.
func (o Options) Add(path string, to *Result) error {
	name, err := nameOf(path)
	if err != nil {
		return err
	}
	set, some := new(tables.Set), o.Tables
	if some == nil {
		some = tables.All
	}
	if err := set.Read(path, o.Limits, append([]*tables.Table{tables.Find("captures")}, some...)); err != nil {
		return err
	}
	info := set.Describe(0)
	set.Rename(0, name)
	day := unknown
	if !info.Start.IsZero() {
		day = info.Start.UTC().Format("2006-01-02")
	}
	below := filepath.Join("day="+day, "service="+part(first(o.Service, info.Service, info.Program)),
		"version="+part(first(o.Version, info.Version)))
	for _, t := range some {
		if t.Len(set) == 0 {
			continue
		}
		folder := filepath.Join(o.Folder, t.Name, below)
		switch there, err := joined(folder, name); {
		case err != nil:
			return err
		case there:
			to.Left++
			continue
		}
		rows := &setRows{set: set, table: t, columns: columnsOf(t)}
		if err := o.write(filepath.Join(folder, name+suffix), t, []string{name}, rows, to); err != nil {
			return err
		}
	}
	return nil
}

// suffix is the ending of files.
const suffix = ".parquet"

// nameOf returns the name of a capture: of its file, and a part of the sum of its bytes.
func nameOf(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	h := sha256.New()
	if _, err := io.Copy(h, file); err != nil {
		return "", err
	}
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return fmt.Sprintf("%s-%.8x", part(base), h.Sum(nil)), nil
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, t := range texts {
		if t != "" {
			return t
		}
	}
	return ""
}

// longestPart is the greatest number of bytes of a value in the name of a folder.
const longestPart = 100

// part returns a value as a part of a path, with %XX for what may mean something there, as Hive writes it.
func part(value string) string {
	if value == "" {
		return unknown
	}
	var b strings.Builder
	for i := 0; i < len(value) && b.Len() < longestPart; i++ {
		c := value[i]
		plain := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' ||
			strings.IndexByte("._-", c) >= 0
		if plain && (c != '.' || i > 0) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// The keys of our files in their metadata: ours has the version of this layout, sources the names of its captures.
const (
	ours    = "iprof"
	sources = "iprof.sources"
	layout  = "1"
)

// rowGroup is the number of rows of a row group, as DuckDB reads them best.
const rowGroup = 122_880

// write writes rows of a table into a file. It refuses to replace a file that is not ours.
func (o Options) write(path string, t *tables.Table, names []string, rows parquet.RowReader, to *Result) error {
	if err := isOurs(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := outfile.Folder(filepath.Dir(path)); err != nil {
		return err
	}
	out, err := outfile.Create(path)
	if err != nil {
		return err
	}
	defer out.Drop()
	if o.Limits.Limits == (budget.Budget{}) {
		o.Limits.Limits = budget.Usual
	}
	counted := &counter{out: out}
	w := parquet.NewWriter(counted, schemaOf(t), parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(rowGroup),
		parquet.CreatedBy("iprof-query", version.Line("iprof-query"), ""), parquet.KeyValueMetadata(ours, layout),
		parquet.KeyValueMetadata(sources, strings.Join(names, "\n")))
	n, err := parquet.CopyRows(w, rows)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, outfile.Cause(err))
	}
	if err := out.Keep(); err != nil {
		return err
	}
	to.Files++
	to.Rows += n
	to.Bytes += counted.bytes
	return nil
}

// counter counts the bytes of a file.
type counter struct {
	out   io.Writer
	bytes int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.out.Write(p)
	c.bytes += int64(n)
	return n, err
}

// opened opens one of our files. The error is fs.ErrNotExist if there is none.
func opened(path string) (*os.File, *parquet.File, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	info, err := file.Stat()
	var p *parquet.File
	if err == nil {
		p, err = parquet.OpenFile(file, info.Size())
	}
	if err == nil {
		if _, is := p.Lookup(ours); is {
			return file, p, nil
		}
	}
	file.Close()
	return nil, nil, fmt.Errorf("%s is not a file of iprof parquet: choose another folder with -out", path)
}

func isOurs(path string) error {
	file, _, err := opened(path)
	if err == nil {
		file.Close()
	}
	return err
}
