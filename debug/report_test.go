//go:build !iprof_off

package debug_test

import (
	"bytes"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/draw/text"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// written returns the report of a view as text.
func written(t *testing.T, s *process.Session, v *process.View) string {
	t.Helper()
	r := report.Report{WantCalls: true}
	v.AppendReport(&r)
	var b bytes.Buffer
	must.Do(t, text.WriteReport(&b, &r, text.Options{Zone: s.Zone}))
	return b.String()
}

// TestReportOfARequestHasItsOwnView compares reports of requests with those of views that make the same choices. The
// view of the program stays as it is.
func TestReportOfARequestHasItsOwnView(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	s.View().SetReportMode(report.ReportCallTree)
	s.View().SetFrame(3)
	s.View().SetCursor(2)
	before, generation := s.View().Get(), s.View().Generation()
	byCount := func(a *report.Arrangement) { a.Order = report.Order{Chosen: true, By: report.ColumnCount} }
	graph := func(v *process.View, zone string) {
		var now process.Snapshot
		v.Snapshot(&now, process.SnapshotOptions{Brief: true})
		for i := range now.Zones {
			if now.Zones[i].Name == zone {
				v.Set(report.View{Mode: report.ReportCallGraph, Focus: report.ZoneID(i)})
			}
		}
	}
	for query, choose := range map[string]func(v *process.View){
		"?by=count":           func(v *process.View) { v.Arrange(byCount) },
		"?zone=render_world":  func(v *process.View) { graph(v, "render_world") },
		"?zone=3":             func(v *process.View) { v.Set(report.View{Mode: report.ReportCallGraph, Focus: 3}) },
		"?frame=45":           func(v *process.View) { v.ShowFrame(45); v.SetAverage(report.AverageInstant) },
		"?frame=99":           func(v *process.View) { v.ShowFrame(99); v.SetAverage(report.AverageInstant) },
		"?frame=099&by=count": func(v *process.View) { v.SetAverage(report.AverageInstant); v.Arrange(byCount) },
		"?zone=decompress&frame=45": func(v *process.View) {
			graph(v, "decompress")
			v.ShowFrame(45)
		},
	} {
		own := process.NewView(s)
		choose(own)
		want := written(t, s, own)
		if w := get(h, "GET", "/debug/iprof/report"+query); w.Code != 200 || w.Body.String() != want {
			t.Errorf("%s: got %d,\n%s\nwant\n%s", query, w.Code, w.Body, want)
		}
	}
	if got, want := get(h, "GET", "/debug/iprof/report").Body.String(), written(t, s, s.View()); got != want {
		t.Errorf("without choices: got\n%s\nwant the report of the program\n%s", got, want)
	}
	if got := s.View().Get(); !reflect.DeepEqual(got, before) || s.View().Generation() != generation {
		t.Errorf("got the program's view %+v; want it as before, %+v", got, before)
	}
	for query, want := range map[string]struct {
		code  int
		words string
	}{
		"?frame=x":            {http.StatusBadRequest, "want the number of a frame"},
		"?by=x":               {http.StatusBadRequest, "want self, hier, count, average or name"},
		"?zone=nobody":        {http.StatusNotFound, "no zone has this name"},
		"?frame=4500":         {http.StatusNotFound, "frame 4500 is not in the history any more"},
		"?zone=%1b[31m&by=up": {http.StatusBadRequest, "want self"},
		"?zone=%1b[31m":       {http.StatusNotFound, `zone="\x1b[31m"`},
	} {
		w := get(h, "GET", "/debug/iprof/report"+query)
		if w.Code != want.code || !strings.Contains(w.Body.String(), want.words) {
			t.Errorf("%s: got %d, %q; want %d, %q", query, w.Code, w.Body, want.code, want.words)
		}
	}
}
