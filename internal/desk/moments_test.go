package desk_test

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// manyFrames writes a capture whose older frames a window reads later. Its frames take 1 ms in the zone step, the ones
// given twenty times as much, or more, in another zone.
func manyFrames(t *testing.T, frames int, hitches ...int) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "many.iprof")
	s := process.NewSession()
	to := must.Get(os.Create(path))(t)
	r := must.Get(capture.Record(s, capture.RecordOptions{To: to}))(t)
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}, {Name: "hit&run #1"}}
	for i := range frames {
		f := gather.Frame{Index: uint64(i),
			Begin: platform.Ticks(i * 10000), End: platform.Ticks(i*10000 + 100), TicksPerSecond: 1e5,
			Zones: zones,
			Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{Parent: -1, Self: 10},
				{ID: 1, Zone: 1, Count: 1, Self: 90}}}}}
		if at := slices.Index(hitches, i); at >= 0 {
			f.End += 2000 + platform.Ticks(at)*1000
			f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
				gather.Node{ID: 2, Zone: 2, Count: 1, Self: 2000 + platform.Ticks(at)*1000})
		}
		s.WriteFrame(&f)
	}
	must.Do(t, r.Close())
	must.Do(t, to.Close())
	return path
}

// window returns a desk of 800 by 600 pixels, and a channel that gets a value for each picture that it wants.
func window(t *testing.T, clipboard func(text string)) (d *desk.Desk, woken <-chan struct{}) {
	wakes := make(chan struct{}, 1000)
	d = desk.New(desk.Options{Limits: budget.Usual, Lines: io.Discard}, desk.Host{
		Wake:  func() { wakes <- struct{}{} },
		Title: func(string) {}, Scale: func() float32 { return 1 }, Clipboard: clipboard,
		Size: func() (int, int) { return 800, 600 }})
	t.Cleanup(func() { // the first tab has the program's own session
		d.Close()
		process.Default().Adopt(process.NewSession())
		process.Default().View().Set(report.View{})
		process.Default().Resume()
	})
	return d, wakes
}

// readAll waits until the shown tab has all frames of its capture.
func readAll(d *desk.Desk, woken <-chan struct{}) {
	for d.Tab().Panel().Options().Loading {
		<-woken
	}
	d.Watch()
}

// A link opens a capture at its moment, also at a frame that is read later, and a copied link leads there again.
func TestALinkOpensACaptureAtItsMoment(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path, copied := manyFrames(t, 6000, 140), ""
	open := func(name string) *desk.Desk {
		d, woken := window(t, func(text string) { copied = text })
		must.Do(t, d.Open(d.NewTab("many"), name))
		readAll(d, woken)
		return d
	}
	d := open(path + "#frame=140&zone=hit%26run%20%231&view=callgraph")
	view, info := d.Tab().Session().View().Get(), d.Tab().Session().View().Info()
	if info.Index != 140 || d.Tab().Session().Zone(view.Focus).Name != "hit&run #1" ||
		view.Mode != report.ReportCallGraph {
		t.Errorf("got frame %d, %+v; want the call graph of hit&run #1 in frame 140", info.Index, view)
	}
	d.Key('U', input.ActionPress, input.ModAlt)
	want := "iprof view '" + path + "#frame=140&zone=hit%26run%20%231&view=callgraph'"
	if copied != want {
		t.Errorf("got %s; want %s", copied, want)
	}
	if got := d.Moment(); !strings.HasSuffix(want, got+"'") || got == "" {
		t.Errorf("got %s; want the end of %s", got, want)
	}
	d.GoTo("#frame=99999")
	if got := d.Tab().Session().View().Info().Index; got != 140 {
		t.Errorf("a frame that is not there: got %d; want 140 as before", got)
	}
}

// A picture of a paused tab makes no report for its link, unless what it shows has changed.
func TestTheMomentIsAskedForOnce(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	d, woken := window(t, nil)
	must.Do(t, d.Open(d.NewTab("many"), manyFrames(t, 300, 140)))
	readAll(d, woken)
	last := ""
	for i, step := range []func(v *process.View){
		func(v *process.View) { v.SetFrame(10) }, func(v *process.View) { v.SetReportMode(report.ReportCallTree) },
		func(v *process.View) { v.SetCursor(1) }, func(v *process.View) { v.SetFrame(11) }} {
		step(d.Tab().Session().View())
		got := d.Moment()
		if got == last || got == "" {
			t.Errorf("step %d: got %q after %q; want another", i, got, last)
		}
		if n := testing.AllocsPerRun(10, func() { d.Moment() }); n > 0 {
			t.Errorf("step %d: got %v allocations for the same moment; want none", i, n)
		}
		last = got
	}
}
