package ask_test

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"example.com/iprof/cmd/iprof-query/ask"
	"example.com/iprof/cmd/iprof-query/internal/kept"
	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
)

// captured writes the capture of a machine.
func captured(t testing.TB, m machines.Machine) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), fmt.Sprintf("machine%d.iprof", m.Number))
	file := must.Get(os.Create(path))(t)
	must.Do(t, m.Write(file))
	must.Do(t, file.Close())
	return path
}

// opened returns the tables of captures.
func opened(t testing.TB, memory int64, paths ...string) *ask.DB {
	t.Helper()
	set := new(tables.Set)
	for _, path := range paths {
		must.Do(t, set.Read(path, tables.Limits{}, nil))
	}
	db := must.Get(ask.Open(set, memory))(t)
	t.Cleanup(func() { db.Close() })
	return db
}

func asked(t testing.TB, db *ask.DB, query string) *kept.Answer {
	t.Helper()
	r := new(kept.Answer)
	if err := db.Ask(t.Context(), query, r); err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return r
}

// The query of each table, as iprof sql -tables lists it, finds something, and needs this table.
func TestTheQueryOfEachTableFindsRows(t *testing.T) {
	db := opened(t, 1<<30, captured(t, machines.Machine{Number: 10, Version: "1.4", Frames: 400}))
	for _, table := range tables.All {
		if got := asked(t, db, table.Query); len(got.Rows) == 0 {
			t.Errorf("%s: got no rows of %s", table.Name, table.Query)
		}
		needs := must.Get(db.Needs(t.Context(), table.Query))(t)
		if len(needs) == 0 || needs[0] != table && needs[len(needs)-1] != table {
			t.Errorf("%s: got %d needed tables; want it among them", table.Name, len(needs))
		}
		got := asked(t, db, "select * from "+table.Name)
		for i, c := range table.Columns {
			if !c.Hidden && got.Names[i] != c.Name {
				t.Errorf("%s: got column %s; want %s", table.Name, got.Names[i], c.Name)
			}
		}
	}
}

// What a query reads is read, and nothing else: rows of tables that it does not name are not there.
func TestOnlyWhatIsNeededIsRead(t *testing.T) {
	path := captured(t, machines.Machine{Number: 10, Frames: 300})
	for name, others := range map[string]string{"frames": "calls", "marks": "verdicts", "calls": "verdicts"} {
		set := new(tables.Set)
		must.Do(t, set.Read(path, tables.Limits{}, []*tables.Table{tables.Find(name)}))
		if n := tables.Find(name).Len(set); n == 0 {
			t.Errorf("%s: got no rows", name)
		}
		if n := tables.Find(others).Len(set); n != 0 {
			t.Errorf("for %s: got %d rows of %s; want none", name, n, others)
		}
	}
}

// The limits are those of one file: a hundred files, each within its limit, are within them, too.
func TestEachFileHasItsOwnLimit(t *testing.T) {
	set, small := new(tables.Set), tables.Limits{Limits: budget.Usual}
	small.Limits.Memory = 1
	for _, path := range must.Get(machines.Fleet(t.TempDir(), 100, 60))(t) {
		must.Do(t, set.Read(path, small, nil))
	}
}

// Whatever a query says, it changes nothing, and opens no file.
func TestAQueryCanOnlyRead(t *testing.T) {
	db := opened(t, 1<<30, captured(t, machines.Machine{Number: 1, Frames: 20}))
	dir := t.TempDir()
	t.Chdir(dir)
	must.Do(t, os.WriteFile("secret.db", []byte("secret"), 0o600))
	for _, query := range []string{
		"attach 'secret.db' as s", "attach 'new.db' as s", "detach main", "create table x(a)",
		"create view x as select 1",
		"create temp table x(a)", "create virtual table x using calls",
		"create trigger t after insert on calls begin select 1; end",
		"create index i on calls(frame)", "drop table calls", "delete from calls", "insert into calls values (1)",
		"update frames set late = 1", "alter table calls rename to x", "vacuum into 'new.db'", "vacuum", "analyze",
		"begin", "commit", "savepoint a", "pragma writable_schema = 1", "pragma journal_mode = wal",
		"pragma hard_heap_limit = 0", "pragma temp_store_directory = '.'", "pragma trusted_schema = 1",
		"select load_extension('secret.db')", "select readfile('secret.db')", "select writefile('new.db', 'x')",
		"select fts3_tokenizer('a', 'b')", "select 1; drop table calls", "explain select 1; drop table calls",
		"with a as (select 1) delete from calls", "insert into sqlite_master values (1,2,3,4,5)",
	} {
		_, _ = db.Needs(t.Context(), query) // has no effect, either
		if err := db.Ask(t.Context(), query, new(kept.Answer)); err == nil {
			t.Errorf("%s: got no error", query)
		}
	}
	if n := asked(t, db, "select count(*) from calls").Rows[0][0]; n == int64(0) {
		t.Error("the calls are gone")
	}
	if files := must.Get(os.ReadDir(dir))(t); len(files) != 1 {
		t.Errorf("got files %v; want only the one that was there", files)
	}
}

// A query that would never end, or take all memory, ends with the flag that would allow more.
func TestQueriesHaveLimits(t *testing.T) {
	db := opened(t, 4<<20, captured(t, machines.Machine{Number: 1, Frames: 20}))
	const forever = "with recursive a(n) as (select 1 union %s select n + 1 from a) "
	for query, want := range map[string]string{
		fmt.Sprintf(forever, "all") + "select count(*) from a":                                   "-limits time=",
		fmt.Sprintf(forever, "") + "select count(*) from a":                                      "-limits memory=",
		"select length(printf('%.*c', 900000000, 'x'))":                                          "-limits memory=",
		"select length(group_concat(a.zone || b.zone || c.zone)) from calls a, calls b, calls c": "-limits memory=",
		fmt.Sprintf(forever, "all") + "select p99(n) from a":                                     "-limits memory=",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		if strings.Contains(want, "time") {
			ctx, cancel = context.WithTimeout(t.Context(), 50*time.Millisecond)
		}
		err := db.Ask(ctx, query, new(kept.Answer))
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v; want an error with %s", query, err, want)
		}
		if n := asked(t, db, "select count(*) from frames").Rows[0][0]; n != int64(20) {
			t.Errorf("after %s: got %v frames; want 20", query, n)
		}
	}
}

func TestAnInterruptEndsAQuery(t *testing.T) {
	db := opened(t, 1<<30, captured(t, machines.Machine{Number: 1, Frames: 20}))
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		ended <- db.Ask(ctx, "with recursive a(n) as (select 1 union all select n + 1 from a) select count(*) from a",
			new(kept.Answer))
	}()
	cancel()
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v; want that it was canceled", err)
	}
}

// An error names what was typed, and the nearest that is there.
func TestErrorsNameTheNearest(t *testing.T) {
	db := opened(t, 1<<30)
	for query, want := range map[string]string{
		"select * from cals":                    "there is no table cals; the nearest is calls;",
		"select * from Framez":                  "the nearest is frames",
		"select * from nonsense":                "there is no table nonsense; iprof sql -tables",
		"select slef_ms from calls":             "there is no column slef_ms; the nearest is self_ms;",
		"select calls.self from calls":          "there is no column calls.self; ",
		"select level from calls":               "it is in paths",
		"select p98(self_ms) from calls":        "there is no function p98; the nearest is p9",
		"select percentile(self_ms) from calls": "percentile",
		"selct 1":                               `near "selct": syntax error`,
		" ":                                     "the query is empty",
		"select percentile(frame, 101) from (select 1 as frame)": "from 0 to 100",
	} {
		err := db.Ask(t.Context(), query, new(kept.Answer))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: got %v; want a line with %q", query, err, want)
		}
	}
}

// No name of a capture reaches a terminal as it is, and JSON and CSV can be read back.
func TestHostileNamesAreEscaped(t *testing.T) {
	db := opened(t, 1<<30, captured(t, machines.Machine{Number: 1, Frames: 200, Hostile: true}))
	for form, writer := range map[string]func(*bytes.Buffer) ask.Writer{
		"text": func(b *bytes.Buffer) ask.Writer { return ask.NewText(b) },
		"csv":  func(b *bytes.Buffer) ask.Writer { return ask.NewCSV(b) },
		"json": func(b *bytes.Buffer) ask.Writer { return ask.NewJSON(b) },
	} {
		for _, query := range []string{"select * from zones", "select * from marks", "select path from paths",
			"select zone as \"\x1b[31mred\" from zones", "select cast(zone as blob) from zones"} {
			var b bytes.Buffer
			w := writer(&b)
			must.Do(t, db.Ask(t.Context(), query, w))
			must.Do(t, w.Close())
			if bad := unsafe(b.String()); bad != "" {
				t.Errorf("%s, %s: got %s", form, query, bad)
			}
			if !strings.Contains(b.String(), "owned") && !strings.Contains(query, "red") && form != "json" {
				t.Errorf("%s, %s: got no hostile name, so this tests nothing", form, query)
			}
			switch form {
			case "csv":
				must.Get(csv.NewReader(&b).ReadAll())(t)
			case "json":
				if !json.Valid(b.Bytes()) {
					t.Errorf("%s: got no JSON: %s", query, b.Bytes())
				}
			}
		}
	}
}

// unsafe returns what a terminal would act on.
func unsafe(text string) string {
	for at, r := range text {
		broken := r == utf8.RuneError && !strings.HasPrefix(text[at:], "\ufffd")
		if !unicode.IsPrint(r) && r != '\n' || broken {
			return fmt.Sprintf("%q at %d", r, at)
		}
	}
	return ""
}

// Columns of numbers end at their right side, and a missing value is a dash.
func ExampleNewText() {
	db, err := ask.Open(new(tables.Set), 1<<20)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	w := ask.NewText(os.Stdout)
	err = db.Ask(context.Background(), "select 'physics' as zone, 1.5 as self_ms union all select 'net', 12", w)
	fmt.Println(err, w.Close())
	// Output:
	// zone     self_ms
	// physics    1.500
	// net           12
	// <nil> <nil>
}
