//go:build !iprof_off

package exectrace_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/draw/text"
	"example.com/iprof/exectrace"
	"example.com/iprof/internal/allocated"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// A user asks a session for a trace. JSON and the table of a recording have the planted objects, and marks the frames.
func TestATraceThatAUserAsksFor(t *testing.T) {
	s := process.Default()
	s.Update()
	exectrace.Offer(s)
	s.SetSources(func(c *process.Sources) { c.Allocated = nil })
	defer s.SetSources(func(c *process.Sources) { c.Tracer, c.Allocated = nil, nil })
	defer forgetPlanted()
	path := filepath.Join(t.TempDir(), "run.iprof")
	recorder := must.Get(capture.Record(s, capture.RecordOptions{Path: path}))(t)
	s.Update()
	for _, q := range [][2]string{{"", "stops the program for about"}, {"3 lines", `"lines" is no limit`},
		{"900MB", "is no limit"}, {"off", "no allocations are traced"},
		{"2 frames", "traced at most 2 frames or 8 MB; a trace of allocations stops"},
		{"", "allocations are traced: 0 frames"}, {"slow", "allocations off ends that"}} {
		answer, err := allocated.Ask(s.Sources().Tracer, q[0])
		if got := fmt.Sprint(answer, err); !strings.Contains(got, q[1]) {
			t.Errorf("%q: got %q; want %q", q[0], got, q[1])
		}
	}
	func() {
		defer work.Begin().End()
		plantSmall(5000)
		plantLarge(1000, 10)
	}()
	s.Update()
	s.Update()
	must.Until(t, "the trace ends", func() bool { return s.Sources().Allocated != nil })
	s.Update()
	must.Do(t, recorder.Close())
	d := s.Dump(report.DumpOptions{})
	checkPlantedJSON(t, d)
	checkPlantedTable(t, s, path)
	marks := fmt.Sprint(s.AppendMarks(nil, 0, math.MaxUint64))
	if !strings.Contains(marks, "allocations are traced from here") ||
		!strings.Contains(marks, "trace of allocations ended") {
		t.Errorf("got marks %s; want the first and the last of the disturbed frames", marks)
	}
}

func checkPlantedJSON(t *testing.T, d *report.Dump) {
	t.Helper()
	var out bytes.Buffer
	must.Do(t, text.WriteJSON(&out, d))
	var got struct {
		Allocations struct {
			Start float64 `json:"start_ms"`
			Rows  []struct {
				Path    []string
				Type    string
				Objects int
			}
		}
	}
	must.Do(t, json.Unmarshal(out.Bytes(), &got))
	found := map[string]int{}
	for _, r := range got.Allocations.Rows {
		found[fmt.Sprint(r.Path, r.Type)] += r.Objects
	}
	if found["[work small]exectrace_test.planted16"] != 5000 ||
		found["[work large]exectrace_test.planted112"] != 1000 ||
		found["[work large]exectrace_test.plantedBig"] != 10 || got.Allocations.Start <= 0 {
		t.Errorf("JSON: got %v; want the planted objects", found)
	}
}

func checkPlantedTable(t *testing.T, s *process.Session, path string) {
	t.Helper()
	var sum allocated.Sum // with the slices that keep them
	for _, r := range allocated.Of(s.Sources().Allocated).Rows {
		if s.Zone(r.Zone()).Name == "large" {
			sum.Add(r.Sum)
		}
	}
	zone := fmt.Sprint([]float64{float64(sum.Bytes), float64(sum.Objects), float64(sum.Freed), 0, 0, 0, 0})
	for _, q := range []struct{ by, row, want string }{
		{"type", "exectrace_test.planted112", "[112000 1000 0 0 0 0 0]"}, {"zone", "large", zone},
		{"type", "exectrace_test.planted16", "[80000 5000 0 0 0 0 0]"}, {"path", "large", zone}} {
		table := must.Get(tables.Read(bytes.NewReader(must.Get(os.ReadFile(path))(t)), &tables.Choice{
			Kind: tables.Find("memory"), By: q.by}))(t)
		got := ""
		for _, r := range table.Rows {
			if r.Name == q.row {
				got = fmt.Sprint(r.Values)
			}
		}
		if got != q.want || len(table.Notes) != 1 || !strings.Contains(table.Notes[0], "2 chosen frames") {
			t.Errorf("memory -by %s: got %s of %s, notes %q; want %s", q.by, got, q.row, table.Notes, q.want)
		}
	}
}
