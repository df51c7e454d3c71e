package process_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func TestCursorStartsOnWork(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, []string{"work", "vsync*"}, "work 5 1\nvsync 9 1\n"))
	var r report.Report
	s.View().AppendReport(&r)
	if r.Cursor != 0 || r.Records[0].Name != "work" || s.View().Get().Cursor != 0 {
		t.Fatalf("at first: got cursor %d, the view's %d, first row %q; want row 0, work, above the longer vsync",
			r.Cursor, s.View().Get().Cursor, r.Records[0].Name)
	}
	s.View().MoveCursor(1)
	if s.View().AppendReport(&r); r.Cursor != 1 {
		t.Errorf("moved down: got cursor %d; want 1, as the user said", r.Cursor)
	}
	s = process.NewSession()
	write(t, s, tree(0, []string{"work", "vsync*"}, "work 5 1\nvsync 9 1\n"))
	s.View().Set(report.View{})
	if s.View().AppendReport(&r); r.Cursor != 0 {
		t.Errorf("view set: got cursor %d; want 0", r.Cursor)
	}
}

func TestTitleTellsAverageAndPath(t *testing.T) {
	s := process.NewSession()
	must.Do(t, world.NewGame(1, s).Step())
	var r report.Report
	for average, want := range map[report.Average]string{report.AverageShort: "newest frame, average of 0.8 s",
		report.AverageLong: "average of 2.5 s", report.AverageInstant: "not smoothed"} {
		s.View().SetAverage(average)
		if s.View().AppendReport(&r); !strings.Contains(r.Title, want) || strings.Contains(r.Title, "below") {
			t.Errorf("average %v: got title %q; want %q in it and no path", average, r.Title, want)
		}
	}
	s.View().PinPath(1, 2)
	if s.View().AppendReport(&r); !strings.HasSuffix(r.Title, "  below "+s.Zone(2).Name) {
		t.Errorf("pinned: got title %q; want it to end with the path's zone %q", r.Title, s.Zone(2).Name)
	}
}

// TestBaselineSaysWhatItIs pins an average, single frames and frames of a lens.
func TestBaselineSaysWhatItIs(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(60) {
		write(t, s, workerFrame(i, 16, 12))
	}
	for want, choose := range map[string]func(){
		"vs average of 0.8 s to frame 59": func() { s.View().SetAverage(report.AverageShort) },
		"vs average of 2.5 s to frame 59": func() { s.View().SetAverage(report.AverageLong) },
		"vs frame 59":                     func() { s.View().SetAverage(report.AverageInstant) },
		"vs frame 56":                     func() { s.View().SetFrame(3) },
		"vs average of 60 frames":         func() { s.View().SetLens(report.Lens{Kind: report.LensAll}) },
		"vs frames 5 to 9": func() {
			s.View().SetLens(report.Lens{Kind: report.LensRange, From: 9, To: 5})
		},
	} {
		s.View().Set(report.View{})
		choose()
		s.View().PinBaseline()
		var r report.Report
		if s.View().AppendReport(&r); r.Baseline.Label != want || !strings.HasSuffix(r.Title, "  "+want) {
			t.Errorf("got %q, title %q; want %q", r.Baseline.Label, r.Title, want)
		}
	}
}

// TestRareEntriesAreShown has a zone that is entered in each tenth frame: its average count is 0.1, which is shown.
func TestRareEntriesAreShown(t *testing.T) {
	s := process.NewSession()
	for i := range 40 {
		text := "often 5 1\n"
		if i%10 == 0 {
			text += "rare 3 1\n"
		}
		write(t, s, tree(uint64(i), []string{"often", "rare"}, text))
	}
	s.View().SetLens(report.Lens{Kind: report.LensAll})
	var r report.Report
	s.View().AppendReport(&r)
	at := slices.IndexFunc(r.Records, func(r report.Record) bool { return r.Name == "rare" })
	if at < 0 {
		t.Fatalf("got %v; want a row of the rare zone", lines(&r))
	}
	rec := &r.Records[at]
	if got := rec.Values[report.ColumnCount]; got != 0.1 || !rec.Mask.Has(report.ColumnCount) {
		t.Errorf("got count %v; want 0.1", got)
	}
	if rec.Mask.Has(report.ColumnHierPerCall) {
		t.Error("got a time per call from a tenth of a call; want none")
	}
}

// TestCursorFollowsItsRecord has the rows change places, go and come back, and the report change.
func TestCursorFollowsItsRecord(t *testing.T) {
	zones := []string{"a", "b", "c"}
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	var r report.Report
	index := uint64(0)
	at := func(text, want, why string) {
		t.Helper()
		write(t, s, tree(index, zones, text))
		index++
		if s.View().AppendReport(&r); r.Cursor < 0 || r.Records[r.Cursor].Name != want ||
			s.View().Get().Cursor != r.Cursor {
			t.Errorf("%s: got the cursor on row %d of %d, the view's on %d; want it on %q", why, r.Cursor,
				len(r.Records), s.View().Get().Cursor, want)
		}
	}
	at("a 9 1\nb 5 1\nc 1 1\n", "a", "at first")
	at("a 9 1\nb 20 1\nc 1 1\n", "b", "before anybody pointed, another first")
	s.View().SetCursor(0)
	at("a 9 1\nb 5 1\nc 1 1\n", "b", "chosen, then second")
	at("a 9 1\nc 10 1\n", "a", "gone: what is in its place")
	at("a 9 1\nb 5 1\nc 10 1\n", "b", "back")
	s.View().SetReportMode(report.ReportCallTree)
	at("b 5 1\na 9 1\n  b 5 1\nc 10 1\n", "b", "in the tree")
	s.View().MoveCursor(-1)
	name := func() string { s.View().AppendReport(&r); return r.Records[r.Cursor].Name }
	chosen := name()
	s.View().SetReportMode(report.ReportSelfTime)
	if got := name(); got != chosen {
		t.Errorf("moved in the tree, back in the list: got %q; want %q", got, chosen)
	}
	s.View().Set(report.View{Average: report.AverageInstant, Cursor: 2})
	last := name()
	at("c 100 1\nb 50 1\na 10 1\n", last, "a view set, then other places")
}

// TestCursorOfARecursiveZone has the zone recurse deeper in the next frame.
func TestCursorOfARecursiveZone(t *testing.T) {
	zones := []string{"a", "b", "walk"}
	for _, c := range []struct {
		what          string
		mode          report.ReportMode
		recursion     report.Recursion
		before, after string
	}{
		{"tree", report.ReportCallTree, report.RecursionSpread, "a 1 1\n  walk 9 1\nb 1 1\n  walk 3 1\n",
			"a 1 1\n  walk 9 1\n    walk 1 1\nb 1 1\n  walk 3 1\n"},
		{"list", report.ReportSelfTime, report.RecursionSpread, "a 1 1\n  walk 3 1\n",
			"a 1 1\n  walk 3 1\n    walk 7 1\n"},
		{"list, flattened", report.ReportSelfTime, report.RecursionFlattened, "a 1 1\n  walk 3 1\n",
			"a 1 1\n  walk 3 1\n    walk 7 1\n"},
		{"graph", report.ReportCallGraph, report.RecursionFlattened, "a 1 1\n  walk 3 1\n    walk 2 1\n",
			"a 1 1\n  walk 3 1\n    walk 2 1\n      walk 2 1\n"},
	} {
		t.Run(c.what, func(t *testing.T) {
			s := process.NewSession()
			s.View().Set(report.View{Mode: c.mode, Average: report.AverageInstant, Recursion: c.recursion, Focus: 3})
			write(t, s, tree(0, zones, c.before))
			var r report.Report
			s.View().AppendReport(&r)
			for i := range r.Records {
				s.View().SetCursor(i)
				s.View().AppendReport(&r)
				was := r.Records[r.Cursor]
				write(t, s, tree(1, zones, c.after))
				s.View().AppendReport(&r)
				got := r.Records[r.Cursor]
				if got.Zone != was.Zone || got.Group != was.Group || got.Path != was.Path ||
					c.recursion == report.RecursionSpread && max(got.Depth, 1) != max(was.Depth, 1) {
					t.Errorf("%s, row %d: got %+v; want what %+v was", c.what, i, got, was)
				}
				write(t, s, tree(2, zones, c.before))
				s.View().AppendReport(&r)
			}
		})
	}
}

// workerFrame is a frame whose main lane works 2 ms and waits for a worker that works for so many ms.
func workerFrame(index uint64, length, worker platform.Ticks) *gather.Frame {
	begin := platform.Ticks(index) * 100
	return &gather.Frame{Index: index, Begin: begin, End: begin + length, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "game"}, {Name: "join", Idle: true}, {Name: "simulate"}},
		Lanes: []gather.LaneFrame{
			{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + length, Nodes: []gather.Node{
				{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: 2},
				{ID: 3, Zone: 2, Count: 1, Self: length - 2}}},
			{ID: 2, Name: "worker 7", Begin: begin, End: begin + length, Nodes: []gather.Node{
				{ID: 4, Parent: -1, Self: length - worker}, {ID: 5, Zone: 3, Count: 1, Self: worker}}}}}
}

// A hidden zone has no row in any report but its own call graph, and no series. Its callers keep its time.
func TestHiddenZonesHaveNoRows(t *testing.T) {
	s := process.NewSession()
	for i := range 20 {
		write(t, s, tree(uint64(i), []string{"a", "b", "c"}, "a 1 1\n  b 2 1\n    c 3 1\n"))
	}
	zone := func(name string) report.ZoneID {
		for id := report.ZoneID(0); ; id++ {
			if s.Zone(id).Name == name {
				return id
			}
		}
	}
	s.SetHidden(zone("b"), true)
	s.SetHidden(zone("b"), true) // once is enough
	for mode := range report.ReportMode(report.NumReportModes) {
		s.View().SetReportMode(mode)
		var r report.Report
		s.View().AppendReport(&r)
		for line := range r.Len() {
			row, _ := r.Line(line)
			subject := row.Group == report.GroupFocus && mode == report.ReportCallGraph
			if row.Name == "b" && !subject {
				t.Errorf("mode %d: got a row of the hidden zone", mode)
			}
		}
		if !strings.Contains(r.Title, "1 hidden") {
			t.Errorf("mode %d: got the title %q; want it to say that 1 zone is hidden", mode, r.Title)
		}
	}
	for _, series := range s.AppendTopSeries(nil, 10, 8, -1) {
		if series.Name == "b" {
			t.Error("got a series of the hidden zone")
		}
	}
	v := report.View{Mode: report.ReportHierarchicalTime, Average: report.AverageInstant}
	if got := value(s, v, "a", report.ColumnHier); got != 6 {
		t.Errorf("its caller: got %v ms; want 6", got)
	}
	for id := range report.ZoneID(1000) {
		s.SetHidden(id, true)
	}
	if n := s.ShowHidden(); n != 256 || len(s.View().Get().Hidden) != 0 {
		t.Errorf("ShowHidden: got %d, then %d hidden; want 256, 0", n, len(s.View().Get().Hidden))
	}
}

func ExampleSession_SetHidden() {
	s := process.NewSession()
	_ = s.WriteFrame(tree(0, []string{"step", "vsync"}, "step 2 1\nvsync 14 1\n"))
	s.SetHidden(2, true)
	var r report.Report
	s.View().AppendReport(&r)
	for line := range r.Len() {
		row, _ := r.Line(line)
		fmt.Println(row.Name)
	}
	// Output:
	// step
	// (root)
}
