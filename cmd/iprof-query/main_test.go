package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/internal/must"
)

const asMain = "IPROF_QUERY_AS_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(asMain) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// ran runs the program in a folder. It returns its status and what it printed.
func ran(t *testing.T, dir string, args ...string) (status int, out, complaint string) {
	t.Helper()
	cmd := exec.Command(must.Get(os.Executable())(t), args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), asMain+"=1")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	_ = cmd.Run() // its status says it
	return cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()
}

// fleet writes three captures into a folder, and returns their paths there.
func fleet(t *testing.T) (dir string, names []string) {
	t.Helper()
	dir = t.TempDir()
	for _, path := range must.Get(machines.Fleet(dir, 3, 50))(t) {
		names = append(names, must.Get(filepath.Rel(dir, path))(t))
	}
	return dir, names
}

// Flags stand anywhere, and each form has the same rows.
func TestSQLInEachForm(t *testing.T) {
	dir, names := fleet(t)
	const query = "select file, count(*) as n, version from frames group by file, version order by file"
	for _, args := range [][]string{{"-csv", names[0], names[1], query}, {names[0], names[1], "--csv", query},
		{names[0], names[1], query, "-csv=true"}, {"-csv", "--", names[0], names[1], query}} {
		status, out, complaint := ran(t, dir, append([]string{"sql"}, args...)...)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if want := fmt.Sprintf("[[file n version] [%s 50 1.2] [%s 50 1.2]]", names[0], names[1]); status != 0 ||
			complaint != "" || err != nil || fmt.Sprint(rows) != want {
			t.Errorf("%q: got status %d, %v, %v, %q; want %s", args, status, rows, err, complaint, want)
		}
	}
	_, out, _ := ran(t, dir, "sql", "-json", names[0], query)
	var object struct {
		Format  string
		Version int
		Columns []string
		Rows    [][]any
	}
	must.Do(t, json.Unmarshal([]byte(out), &object))
	if got := fmt.Sprint(object); got != fmt.Sprintf("{iprof query 1 [file n version] [[%s 50 1.2]]}", names[0]) {
		t.Errorf("-json: got %s", got)
	}
	question := []byte("-- how many?\nselect count(*) as n from frames;\n")
	must.Do(t, os.WriteFile(filepath.Join(dir, "q.sql"), question, 0o600))
	if status, out, _ := ran(t, dir, "sql", "-query", "q.sql", names[0]); status != 0 || out != " n\n50\n" {
		t.Errorf("-query: got status %d, %q; want 50", status, out)
	}
	status, out, _ := ran(t, dir, "sql", "-tables")
	if status != 0 || !strings.Contains(out, "\n  self_ms ") || !strings.Contains(out, "day, service, version") {
		t.Errorf("-tables: got status %d, %q", status, out)
	}
}

// What is wrong is said in a line that names the next step.
func TestWrongCommandLinesAndFiles(t *testing.T) {
	dir, names := fleet(t)
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, "then a query", []string{"sql"}}, {2, "then a query", []string{"sql", names[0]}},
		{2, "lists the flags", []string{"sql", "-jsn", names[0], "select 1"}},
		{1, "the last argument is the query", []string{"sql", names[0], names[1]}},
		{1, "no such file", []string{"sql", "none.iprof", "select * from frames"}},
		{1, "the nearest is frames", []string{"sql", names[0], "select * from frame"}},
		{1, "-limits time=", []string{"sql", "-limits", "time=1ms", names[0],
			"select * from frames a, frames b, frames c"}},
		{2, "-out lake", []string{"parquet", names[0]}}, {2, "-out lake", []string{"parquet", "-out", "x"}},
		{2, "there is no table cals", []string{"parquet", "-out", "x", "-tables", "cals", names[0]}},
		{1, "no such file", []string{"parquet", "-out", "x", "none.iprof"}}, {2, "usage", []string{"other"}},
	} {
		status, out, complaint := ran(t, dir, c.args...)
		if status != c.status || out != "" || strings.Count(complaint, "\n") != 1 ||
			!strings.Contains(complaint, c.want) {
			t.Errorf("%q: got status %d, %q, %q; want %d and a line with %q", c.args, status, out, complaint, c.status,
				c.want)
		}
	}
}

// The commands of docs/fleet.md: captures become a lake, and then large files.
func TestParquetWritesAndJoins(t *testing.T) {
	dir, names := fleet(t)
	words := append([]string{"parquet", "-out", "lake", "-tables", "frames,calls"}, names...)
	status, out, complaint := ran(t, dir, words...)
	if status != 0 || !strings.HasPrefix(out, "6 files, ") || complaint != "" {
		t.Errorf("got status %d, %q, %q; want 6 files", status, out, complaint)
	}
	status, out, _ = ran(t, dir, "parquet", "-join", "-out", "lake")
	if status != 0 || !strings.HasPrefix(out, "2 files, ") {
		t.Errorf("-join: got status %d, %q; want 2 files", status, out)
	}
	const folders = "lake/*/day=2026-11-20/service=game/version=1.2"
	found := must.Get(filepath.Glob(filepath.Join(dir, folders, "joined-*.parquet")))(t)
	if len(found) != 2 {
		t.Errorf("got %q; want a joined file of each table", found)
	}
}
