//go:build !iprof_off

package debug_test

import (
	"math"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var (
	frameOfPage = regexp.MustCompile(`<p><a href="\?frame=(\d+)`)
	reportTitle = regexp.MustCompile(`<p class="note" dir="auto">([^<]*)</p>`)
)

// The page follows a choice of frames as the report does: it has the slowest of these frames, and the report of them.
func TestThePageFollowsAChoice(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	frames := s.AppendFrames(nil, math.MaxInt)
	first := strconv.FormatUint(frames[20].Index, 10)
	last := strconv.FormatUint(frames[60].Index, 10)
	for _, words := range []string{"all", "over", "within", "worst:3", "worst:12", first + "-" + last, first,
		first + "-" + last + ",worst:5", "over,worst:4", "within," + first + "-" + last, "undisturbed"} {
		lens := must.Get(s.View().ParseFrames(words))(t)
		var want, got []uint64
		slowest := lens.Choose(frames)
		report.SortBySlowness(slowest)
		for _, f := range slowest[:min(len(slowest), 10)] {
			want = append(want, f.Index)
		}
		page := get(h, "GET", "/debug/iprof/?by=count&frames="+url.QueryEscape(words)).Body.String()
		for _, m := range frameOfPage.FindAllStringSubmatch(page, -1) {
			n := must.Get(strconv.ParseUint(m[1], 10, 64))(t)
			got = append(got, n)
		}
		slices.Sort(got)
		if slices.Sort(want); !slices.Equal(got, want) {
			t.Errorf("frames=%s: got the frames %v; want %v", words, got, want)
		}
		own := process.NewView(s)
		own.SetLens(lens)
		var r report.Report
		if own.AppendReport(&r); !strings.Contains(page, lens.Words()) ||
			reportTitle.FindStringSubmatch(page) == nil && r.Len() > 0 {
			t.Errorf("frames=%s: got no report of %s", words, r.Title)
		}
		if !strings.Contains(page, "?frames="+strings.ReplaceAll(url.QueryEscape(lens.Words()), "-", "%2D")+"&amp;") &&
			words == lens.Words() {
			t.Errorf("frames=%s: got no links with the choice", words)
		}
	}
}

// The tables of a page have the means of the chosen frames, of a lane, and rows by zone, path and package.
func TestTablesOfThePageFollowAChoice(t *testing.T) {
	s, _ := played(t)
	h := (&debug.Server{Session: s}).Handler()
	page := func(query string) string { return get(h, "GET", "/debug/iprof/?"+query).Body.String() }
	whole := page("")
	for _, query := range []string{"frames=worst:1", "by=path", "by=package", "zone=pkg:nothing", "zone=%3E5ms"} {
		if got := page(query); !strings.Contains(got, "</html>") || got == whole {
			t.Errorf("%s: got the page of the whole run", query)
		}
	}
	zones := regexp.MustCompile(`(?s)<section id="top".*?</section>`)
	all := zones.FindString(whole)
	if some := zones.FindString(page("zone=pkg:nothing")); len(all) < 1000 || len(some) >= len(all)/2 {
		t.Errorf("got %d bytes of zones of no package, of %d; want fewer", len(some), len(all))
	}
	for query, want := range map[string]string{"frames=wurst": "did you mean worst?", "lane=nobody": "no goroutine has",
		"by=lanes": "did you mean lane?", "frames=all&frame=3": "want one of them"} {
		w := get(h, "GET", "/debug/iprof/report?"+query)
		if p := get(h, "GET", "/debug/iprof/?"+query); w.Code/100 != 4 || p.Code != w.Code ||
			!strings.Contains(w.Body.String(), want) || !strings.Contains(p.Body.String(), want) {
			t.Errorf("%s: got %d %q and %d %q; want %q", query, w.Code, w.Body, p.Code, p.Body, want)
		}
	}
}
