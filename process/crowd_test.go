package process_test

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

func TestCrowdOfAName(t *testing.T) {
	for lane, want := range map[string]string{
		"main.serve server.go:42 #7":      "main.serve server.go:42",
		"main.serve server.go:42 (ended)": "main.serve server.go:42",
		"main goroutine":                  "", "unnamed goroutine 7": "", "worker #x": "", "#": "", "": "",
	} {
		if got := report.Crowd(lane); got != want {
			t.Errorf("%q: got %q; want %q", lane, got, want)
		}
	}
}

// A lane of goroutines that have ended stands for an unknown number of them.
func TestMergedLanesAreSeveralGoroutines(t *testing.T) {
	for ending, want := range map[string][2]string{
		" #39":      {"main.many main.go:1 (40 goroutines)", "41"},
		" (ended)":  {"main.many main.go:1 (40+ goroutines)", "41+"},
		" (parked)": {"main.many main.go:1 (40+ goroutines)", "41+"},
		" (asleep)": {"main.many main.go:1 (40+ goroutines)", "41+"}, // of older captures
	} {
		s, f := process.NewSession(), sideBySide(0, 40)
		for i := range f.Lanes[1:] {
			f.Lanes[1+i].Name = fmt.Sprintf("main.many main.go:1 #%d", i)
		}
		f.Lanes[40].Name = "main.many main.go:1" + ending
		must.Do(t, s.WriteFrame(f))
		d := s.Dump(report.DumpOptions{})
		none := s.Dump(report.DumpOptions{NoLanes: true})
		if d.Lanes[1].Name != want[0] || d.Goroutines() != want[1] || none.Goroutines() != want[1] {
			t.Errorf("got %q of %s, %s without lanes; want %q", d.Lanes[1].Name, d.Goroutines(), none.Goroutines(),
				want)
		}
	}
}

// TestCrowdsAreOneTree has lanes of two go statements and one that is named. All lanes but the first have 1 ms outside
// zones and 9 ms in "job".
func TestCrowdsAreOneTree(t *testing.T) {
	s := process.NewSession()
	const many, few = 40, 8
	f := sideBySide(0, many+few)
	f.Lanes[0].Name = "by its own name"
	for i := range f.Lanes[1:] {
		name := fmt.Sprintf("main.many main.go:1 #%d", i)
		if i >= many {
			name = fmt.Sprintf("main.few main.go:2 #%d", i)
		}
		f.Lanes[1+i].Name = name
	}
	must.Do(t, s.WriteFrame(f))
	d := s.Dump(report.DumpOptions{})
	if len(d.Lanes) != 1+1+few || d.LaneCount != 1+many+few {
		t.Fatalf("got %d trees of %d lanes; want %d of %d", len(d.Lanes), d.LaneCount, 2+few, 1+many+few)
	}
	crowd := d.Lanes[1]
	if crowd.Name != "main.many main.go:1 (40 goroutines)" {
		t.Errorf("got the name %q", crowd.Name)
	}
	if len(crowd.Nodes) != 2 || differs(crowd.Nodes[0].Hier, 10*many) || differs(crowd.Nodes[1].Self, 9*many) ||
		crowd.Nodes[1].Count != many {
		t.Errorf("got %+v; want the sums of %d lanes", crowd.Nodes, many)
	}
	if all := s.Dump(report.DumpOptions{AllLanes: true}); len(all.Lanes) != 1+many+few {
		t.Errorf("AllLanes: got %d trees; want %d", len(all.Lanes), 1+many+few)
	}
	if none := s.Dump(report.DumpOptions{NoLanes: true}); len(none.Lanes) != 0 || none.LaneCount != d.LaneCount ||
		none.Calls != d.Calls || len(none.Merged) != len(d.Merged) {
		t.Errorf("NoLanes: got %d trees of %d lanes, %d calls; want no tree of %d, %d calls", len(none.Lanes),
			none.LaneCount, none.Calls, d.LaneCount, d.Calls)
	}
}
