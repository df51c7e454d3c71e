package lake_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/cmd/iprof-query/ask"
	"example.com/iprof/cmd/iprof-query/internal/kept"
	"example.com/iprof/cmd/iprof-query/internal/machines"
	"example.com/iprof/cmd/iprof-query/lake"
	"example.com/iprof/cmd/iprof-query/tables"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// questions returns the queries of docs/fleet.md by their names.
func questions(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, path := range must.Get(filepath.Glob("../../../docs/fleet/*.sql"))(t) {
		text := must.Get(os.ReadFile(path))(t)
		all[strings.TrimSuffix(filepath.Base(path), ".sql")] = string(text)
	}
	if len(all) != 12 {
		t.Fatalf("got %d questions; want 12", len(all))
	}
	return all
}

// fleet returns the captures of a fleet, 2,000 machines in long tests.
func fleet(t *testing.T) (paths []string) {
	return must.Get(machines.Fleet(t.TempDir(), longtest.Pick(2000, 120), 60))(t)
}

// What was planted in the machines is what the questions find, in SQLite and in a second engine.
func TestQuestionsOfAFleet(t *testing.T) {
	paths := fleet(t)
	set := new(tables.Set)
	for _, path := range paths {
		must.Do(t, set.Read(path, tables.Limits{}, nil))
	}
	db := must.Get(ask.Open(set, 4<<30))(t)
	defer db.Close()
	answers := map[string]*kept.Answer{}
	for name, query := range questions(t) {
		r := new(kept.Answer)
		if err := db.Ask(t.Context(), query, r); err != nil || len(r.Rows) == 0 {
			t.Fatalf("%s: got %v, %d rows", name, err, len(r.Rows))
		}
		answers[name] = r
	}
	for name, want := range map[string][]any{
		"slower-zones":    {"1.4", "physics"},
		"machine-classes": {"linux/amd64, 4 cores"},
		"one-hitch":       {answers["one-hitch"].Rows[0][0], "load textures", "assets.Load", int64(120)},
		"waits":           {"mutex", "stream.go:42", "render.Draw"},
		"slower-versions": {"1.2"},
		"budget":          {"linux/amd64, 4 cores"},
		"worst-frame":     append(answers["worst-frame"].Rows[0][:2:2], "main", "load textures"),
	} {
		if got := fmt.Sprint(answers[name].Rows[0][:len(want)]); got != fmt.Sprint(want) {
			t.Errorf("%s: got %v first; want %v", name, got, want)
		}
	}
	for i, want := range []float64{1, 1, 1.17, 1.17} { // a third of the machines take half as long again
		row := answers["since-when"].Rows[i]
		if ratio := row[2].(float64); math.Abs(ratio-want) > 0.05 {
			t.Errorf("since-when: got %v; want about %v times the first day", row, want)
		}
	}
	inDuckDB(t, paths, answers)
}

// inDuckDB asks DuckDB the same, over files of Parquet. IPROF_DUCKDB is a folder with its package of npm.
func inDuckDB(t *testing.T, paths []string, want map[string]*kept.Answer) {
	packages := os.Getenv("IPROF_DUCKDB")
	if packages == "" {
		t.Log("SKIPPED: no second engine; make long has it if npm has its package")
		return
	}
	o := lake.Options{Folder: filepath.Join(t.TempDir(), "lake")}
	var done lake.Result
	for _, path := range paths {
		must.Do(t, o.Add(path, &done))
	}
	must.Do(t, o.Join(128<<20, &done))
	out := must.Run(t, exec.Command("node", "testdata/duckdb.cjs", packages, o.Folder, "../../../docs/fleet"))
	var got map[string][][]any
	must.Do(t, json.Unmarshal(out, &got))
	for name, r := range want {
		if len(got[name]) != len(r.Rows) {
			t.Errorf("%s: got %d rows; want %d", name, len(got[name]), len(r.Rows))
			continue
		}
		for i, row := range r.Rows {
			for k, v := range row {
				if !alike(got[name][i][k], v) && r.Names[k] != "file" {
					t.Errorf("%s, row %d: got %v; want %v", name, i, got[name][i], row)
					break
				}
			}
		}
	}
}

// alike compares a value of JSON with one of SQLite. Times of Parquet have 24 bits.
func alike(got, want any) bool {
	if s, text := got.(string); text { // large numbers, too
		if n, whole := want.(int64); whole {
			return s == fmt.Sprint(n)
		}
		return s == want
	}
	g, number := got.(float64)
	w, real := want.(float64)
	if n, whole := want.(int64); whole {
		w, real = float64(n), true
	}
	if number && real {
		return math.Abs(g-w) <= 1e-5*max(1, math.Abs(w))
	}
	return got == nil && want == nil
}
