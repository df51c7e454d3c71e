//go:build !iprof_off

package integration_test

import (
	"bytes"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"testing"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/debug"
	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Every page has the timelines of the frames whose events are kept: the program's own, the one that package debug
// serves, and that of a capture, which iprof html writes.
func TestPagesHaveTimelines(t *testing.T) {
	limited(t, gather.Limits{})
	iprof.SetEvents(1 << 10)
	lane := iprof.Register("timed")
	defer lane.Close()
	iprof.Update()
	file := filepath.Join(t.TempDir(), "frames.iprof")
	record := must.Get(capture.Record(process.Default(), capture.RecordOptions{Path: file}))(t)
	var zone iprof.Zone
	for range 5 {
		zone.Begin().End()
		iprof.Update()
	}
	var own, replayed bytes.Buffer
	must.Do(t, iprof.WriteHTML(&own))
	served := func(query string) string {
		w := httptest.NewRecorder()
		debug.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/debug/iprof/"+query, nil))
		return w.Body.String()
	}
	live := ""
	for _, link := range regexp.MustCompile(`<p><a href="([^"]*)">frame`).FindAllStringSubmatch(served(""), -1) {
		live += served(link[1])
	}
	must.Do(t, record.Close())
	s, _ := must.Two(capture.Open(file))(t)
	must.Do(t, html.Write(&replayed, s.Dump(report.DumpPage), html.Options{}))
	for name, page := range map[string]string{"WriteHTML": own.String(), "debug": live,
		"capture": replayed.String()} {
		t.Run(name, func(t *testing.T) {
			if n := len(regexp.MustCompile(`<h3>Timeline of frame \d+`).FindAllString(page, -1)); n < 5 {
				t.Errorf("got %d timelines; want those of all five frames", n)
			}
		})
	}
}
