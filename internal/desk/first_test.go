package desk_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// A file opens with the first screen of its kind, and a link to a view of it with that view.
func TestAFileOpensWithTheScreenOfItsKind(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	t.Cleanup(func() { // the first tab has the program's own session
		process.Default().Adopt(process.NewSession())
		process.Default().View().Set(report.View{})
		viewer.PanelFor(process.Default()).Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineHidden })
		process.Default().Resume()
	})
	file := func(name, text string) string {
		path := filepath.Join(t.TempDir(), name)
		must.Do(t, os.WriteFile(path, []byte(text), 0o600))
		return path
	}
	profile := file("cpu.folded", "main;load 3000000000\nmain;rank 2000000000\n")
	trace := file("trace.json", `[{"ph":"X","name":"load","ts":0,"dur":90000}]`)
	d := desk.New(desk.Options{Limits: budget.Usual, Lines: io.Discard}, desk.Host{Wake: func() {},
		Title: func(string) {}, Scale: func() float32 { return 1 }, Size: func() (int, int) { return 800, 600 }})
	t.Cleanup(d.Close)
	d.NewTab("first")
	for _, c := range []struct {
		path     string
		mode     report.ReportMode
		lens     report.LensKind
		timeline viewer.TimelineMode
	}{
		{profile, report.ReportCallTree, report.LensAll, viewer.TimelineHidden},
		{trace, report.ReportHierarchicalTime, report.LensAll, viewer.TimelineLarge},
		{manyFrames(t, 60, 40), report.ReportSelfTime, report.LensOff, viewer.TimelineHidden},
		{file("other.folded", "main;load 3000000000\n") + "#view=self", report.ReportSelfTime, report.LensOff,
			viewer.TimelineHidden},
	} {
		d.ShowFile(c.path)
		d.Watch()
		d.Watch()
		v, o := d.Tab().Session().View().Get(), d.Tab().Panel().Options()
		if v.Mode != c.mode || v.Lens.Kind != c.lens || o.Timeline != c.timeline {
			t.Errorf("%s: got mode %v, lens %v, timeline %v; want %+v", c.path, v.Mode, v.Lens, o.Timeline, c)
		}
	}
}
