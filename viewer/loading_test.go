//go:build !iprof_off

package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// lengths writes frames of these lengths in ms, with a mark in each tenth. The first has a number.
func lengths(t *testing.T, s *process.Session, first int, ms ...int) {
	t.Helper()
	s.View().SetAverage(report.AverageInstant)
	at := platform.Ticks(0)
	for i, length := range ms {
		f := &gather.Frame{Index: uint64(first + i), Begin: at, End: at + platform.Ticks(length), TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "load"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: at, End: at + platform.Ticks(length),
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 2},
					{ID: 2, Zone: 1, Count: 1, Self: platform.Ticks(length - 2)}}}}}
		if i%10 == 0 {
			f.Marks = []gather.MarkInfo{{Time: at + 1, Lane: 1, Text: []string{"level loaded", "saved"}[i/10%2]}}
		}
		must.Do(t, s.WriteFrame(f))
		at = f.End
	}
	s.Pause()
}

// ofLengths returns a paused session of such frames, and its panel.
func ofLengths(t *testing.T, first int, ms ...int) (*process.Session, *viewer.Panel) {
	t.Helper()
	s := process.NewSession()
	lengths(t, s, first, ms...)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused, o.Title = viewer.PanelFull, true, "game" })
	hurried(p)
	return s, p
}

// While older frames are read, numbers say so, and the search for the slowest frame goes on.
func TestNumbersSayThatFramesAreStillRead(t *testing.T) {
	late := slices.Repeat([]int{10}, 40)
	late[5], late[30] = 90, 40
	for _, leaves := range []bool{false, true} {
		s, p := ofLengths(t, 20, late[20:]...)
		p.Change(func(o *viewer.Options) { o.Loading = true })
		words := wordsOf(p, 1280, 720)
		for _, want := range []string{"20 frames so far", "numbers so far"} {
			if !slices.Contains(words, want) {
				t.Errorf("got %q; want %q", words, want)
			}
		}
		p.Run("slowest")
		if got := s.View().Info().Length; got != 40 {
			t.Fatalf("slowest so far: got a frame of %v ms; want 40", got)
		}
		if leaves {
			p.Run("older")
		}
		before := s.View().Info().Length
		whole := process.NewSession()
		lengths(t, whole, 0, late...)
		s.Adopt(whole)
		p.Loaded()
		want := 90.0
		if leaves { // elsewhere
			want = before
		}
		if got := s.View().Info().Length; got != want {
			t.Errorf("left %v: got a frame of %v ms when all were read; want %v", leaves, got, want)
		}
		if words := wordsOf(p, 1280, 720); slices.Contains(words, "numbers so far") || p.Options().Loading {
			t.Errorf("got %q; want numbers of all", words)
		}
	}
}

// The menu of all commands finds what the host knows, such as files.
func TestTheMenuFindsWhatTheHostHas(t *testing.T) {
	_, p := ofLengths(t, 0, 10, 12)
	opened := ""
	p.Change(func(o *viewer.Options) {
		o.Others = func() []viewer.Command {
			return []viewer.Command{
				{Action: "tab b.iprof", Do: func(*process.Session, *viewer.Panel) { opened = "b" }},
				{Action: "open late.iprof in /tmp", Do: func(*process.Session, *viewer.Panel) { opened = "late" }}}
		}
	})
	p.Run("menu")
	for _, r := range "late.ipr" {
		viewer.Type(p, r)
	}
	golden.Picture(t, "menu-files.png", paint(t, p, 800, 480, 1))
	if h := p.State().Choice; h.Kind != hit.Command || !p.Run(h.Name) || opened != "late" {
		t.Errorf("got %+v, which opened %q; want the file", h, opened)
	}
}

// The list in place of the table, with what is typed into it.
func TestTheListOfMarksLooksRight(t *testing.T) {
	_, p := ofLengths(t, 0, slices.Repeat([]int{10, 14}, 60)...)
	wordsOf(p, 1120, 600)
	p.Run("marks")
	p.Run("find")
	for _, r := range "load" {
		viewer.Type(p, r)
	}
	golden.Picture(t, "list-found.png", paint(t, p, 1120, 600, 1))
	if got := p.State(); got.List != "marks" || got.Listed != 6 {
		t.Errorf("got %d rows of %q; want the 6 marks of loaded levels", got.Listed, got.List)
	}
	for range "load" {
		viewer.Erase(p)
	}
	for _, r := range "nowhere" {
		viewer.Type(p, r)
	}
	const none = "nothing here has that; Backspace and Esc take it away"
	if got := wordsOf(p, 1120, 600); p.State().Listed != 0 || !slices.Contains(got, none) {
		t.Errorf("got %d rows, %q; want none, and a line that says so", p.State().Listed, got)
	}
}

// While frames come, rows keep their places for a while. When all frames of a file are there, none will come that ends
// that, so the rows are sorted at once.
func TestRowsOfALoadedFileAreSorted(t *testing.T) {
	s := newSteps(t, 1000, "first", "second")
	s.View().SetAverage(report.AverageInstant)
	for range 500 {
		s.frame(6, 3)
	}
	p := s.panel()
	highest := func() string {
		name, y := "", float32(1e6)
		for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
			if (w.Text == "first" || w.Text == "second") && w.X0 < 100 && w.Baseline > 400 && w.Baseline < y {
				name, y = w.Text, w.Baseline
			}
		}
		return name
	}
	if got := highest(); got != "first" {
		t.Fatalf("got %q above; want first", got)
	}
	s.frame(3, 6)
	if got := highest(); got != "first" {
		t.Errorf("one frame later: got %q above; want first, whose place is held", got)
	}
	p.Loaded()
	if got := highest(); got != "second" {
		t.Errorf("all frames are there: got %q above; want second", got)
	}
}
