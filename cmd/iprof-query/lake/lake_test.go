package lake_test

import (
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/cmd/iprof-query/lake"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/must"
)

// captured writes the capture of a machine.
func captured(t testing.TB, dir string, m machines.Machine) (path string) {
	t.Helper()
	path = filepath.Join(dir, fmt.Sprintf("machine%d.iprof", m.Number))
	file := must.Get(os.Create(path))(t)
	must.Do(t, m.Write(file))
	must.Do(t, file.Close())
	return path
}

// contents returns the rows in the files of a lake as texts, sorted, by table, and the paths of the files.
func contents(t *testing.T, dir string) (rows map[string][]string, paths []string) {
	t.Helper()
	rows = map[string][]string{}
	must.Do(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		paths = append(paths, filepath.ToSlash(name))
		file := must.Get(os.Open(path))(t)
		defer file.Close()
		p := must.Get(parquet.OpenFile(file, must.Get(file.Stat())(t).Size()))(t)
		for _, g := range p.RowGroups() {
			if g.NumRows() > 122_880 {
				t.Errorf("%s: got a row group of %d rows", name, g.NumRows())
			}
			rows[p.Schema().Name()] = append(rows[p.Schema().Name()], textsOf(t, p.Schema(), g)...)
		}
		return nil
	}))
	for _, list := range rows {
		slices.Sort(list)
	}
	return rows, paths
}

func textsOf(t *testing.T, schema *parquet.Schema, g parquet.RowGroup) (list []string) {
	reader := g.Rows()
	defer reader.Close()
	some := make([]parquet.Row, 100)
	for {
		n, err := reader.ReadRows(some)
		for _, row := range some[:n] {
			text := ""
			for i, v := range row {
				text += fmt.Sprintf("%s=%v ", strings.Join(schema.Columns()[i], "."), v)
			}
			list = append(list, text)
		}
		if err == io.EOF {
			return list
		}
		must.Do(t, err)
	}
}

// expected returns the rows of a table in the same form, as the tables have them.
func expected(set *tables.Set, table *tables.Table) (list []string) {
	for row := range table.Len(set) {
		text := ""
		for i := range table.Columns {
			c := &table.Columns[i]
			if c.Hidden {
				continue
			}
			switch v := c.Value(set, row).(type) {
			case nil:
				text += c.Name + "=<null> "
			case float64:
				if text += fmt.Sprintf("%s=%v ", c.Name, float32(v)); !strings.HasSuffix(c.Name, "_ms") {
					text = strings.TrimSuffix(text, fmt.Sprintf("%v ", float32(v))) + fmt.Sprintf("%v ", v)
				}
			default:
				text += fmt.Sprintf("%s=%v ", c.Name, v)
			}
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

// What the files have is what the tables have. They lie where Hive looks for them.
func TestFilesHaveTheRowsOfTheTables(t *testing.T) {
	m := machines.Of(10, 300)
	path, out := captured(t, t.TempDir(), *m), filepath.Join(t.TempDir(), "lake")
	var done lake.Result
	must.Do(t, lake.Options{Folder: out, Version: "1.5/../x"}.Add(path, &done))
	set := new(tables.Set)
	must.Do(t, set.Read(path, tables.Limits{}, nil))
	got, paths := contents(t, out)
	name := strings.TrimSuffix(filepath.Base(paths[0]), ".parquet")
	set.Rename(0, name)
	for _, table := range tables.All {
		if want := expected(set, table); !slices.Equal(got[table.Name], want) {
			t.Errorf("%s: got %d rows, %.300q; want %d, %.300q", table.Name, len(got[table.Name]),
				got[table.Name][:min(1, len(got[table.Name]))], len(want), want[:1])
		}
		where := fmt.Sprintf("%s/day=2026-11-23/service=game/version=1.5%%2F..%%2Fx/%s.parquet", table.Name, name)
		if !slices.Contains(paths, where) {
			t.Errorf("got %q; want %s", paths, where)
		}
	}
	if done.Files != len(tables.All) || done.Rows == 0 || done.Bytes == 0 {
		t.Errorf("got %+v; want a file for each table", done)
	}
}

// The same capture twice is there once, and so it is after its file was joined with others.
func TestJoiningKeepsEachRowOnce(t *testing.T) {
	dir, out := t.TempDir(), filepath.Join(t.TempDir(), "lake")
	o := lake.Options{Folder: out}
	var paths []string
	for _, number := range []int{0, 1, 2} {
		paths = append(paths, captured(t, dir, *machines.Of(number, 50)))
	}
	add := func() (done lake.Result) {
		for _, path := range paths {
			must.Do(t, o.Add(path, &done))
		}
		return done
	}
	add()
	before, files := contents(t, out)
	kept := map[string][]byte{}
	for _, name := range files {
		kept[name] = must.Get(os.ReadFile(filepath.Join(out, name)))(t)
	}
	same := func(when string, most int) {
		t.Helper()
		after, files := contents(t, out)
		if !maps.EqualFunc(before, after, slices.Equal) {
			t.Errorf("%s: the rows differ", when)
		}
		if len(files) != most {
			t.Errorf("%s: got %d files; want %d", when, len(files), most)
		}
	}
	add()
	same("added twice", len(files))
	var done lake.Result
	must.Do(t, o.Join(1<<30, &done))
	same("joined", len(before))
	if done := add(); done.Left+done.Files != len(files) || done.Left < 3*(len(before)-1) {
		t.Errorf("added again: got %+v; want what was joined left out", done)
	}
	same("added again", len(before))
	for name, bytes := range kept { // as after a crash, before the small files were removed
		must.Do(t, os.WriteFile(filepath.Join(out, name), bytes, 0o600))
	}
	must.Do(t, o.Join(1<<30, &done))
	same("joined after a crash", len(before))
}

// A file that is not ours stays, and the error says what to do.
func TestFilesOfOthersStay(t *testing.T) {
	path, out := captured(t, t.TempDir(), *machines.Of(0, 20)), t.TempDir()
	o := lake.Options{Folder: out}
	var done lake.Result
	must.Do(t, o.Add(path, &done))
	_, files := contents(t, out)
	for _, text := range []string{"", "PAR1 of others", strings.Repeat("x", 100)} {
		name := filepath.Join(out, files[0])
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
		for what, write := range map[string]func() error{"add": func() error { return o.Add(path, &done) },
			"join": func() error { return o.Join(1<<30, &done) }} {
			err := write()
			if got := must.Get(os.ReadFile(name))(t); string(got) != text {
				t.Errorf("%s: the file of others is gone", what)
			}
			if what == "add" && (err == nil || !strings.Contains(err.Error(), "choose another folder with -out")) {
				t.Errorf("%s: got %v; want that -out has another folder", what, err)
			}
		}
	}
}

// Hostile names are values of UTF-8, which engines can read, and no path leaves the folder.
func TestHostileNamesStayInTheirPlace(t *testing.T) {
	path, out := captured(t, t.TempDir(), machines.Machine{Number: 1, Frames: 50, Hostile: true}), t.TempDir()
	var done lake.Result
	must.Do(t, lake.Options{Folder: filepath.Join(out, "lake"), Service: "../../" + machines.Hostile,
		Version: "." + strings.Repeat("é", 300)}.Add(path, &done))
	rows, paths := contents(t, out)
	for _, p := range paths {
		if !strings.HasPrefix(p, "lake/") || strings.ContainsAny(p, "\x1b\n\"<'") || len(filepath.Base(p)) > 200 {
			t.Errorf("got the file %q", p)
		}
	}
	for _, row := range rows["zones"] {
		if strings.ToValidUTF8(row, "") != row {
			t.Errorf("got the row %q; want UTF-8", row)
		}
	}
}
