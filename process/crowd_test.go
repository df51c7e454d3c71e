package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
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

// randomTree appends a tree below a parent, in preorder, and returns it. path is the names above.
func randomTree(r *rand.Rand, nodes []report.TreeNode, parent int32, level int32) []report.TreeNode {
	at := int32(len(nodes))
	n := report.TreeNode{Zone: gather.ZoneID(1 + r.IntN(4)), Parent: parent, Level: level, Self: r.Float64()}
	if parent < 0 {
		n.Zone = 0
	}
	n.Idle = n.Zone == 4
	nodes = append(nodes, n)
	for range r.IntN(4) {
		if level < 6 {
			nodes = randomTree(r, nodes, at, level+1)
		}
	}
	return nodes
}

// namesOf returns the names from below the root to a node.
func namesOf(d *report.Dump, nodes []report.TreeNode, i int32) (names []string) {
	for ; nodes[i].Parent >= 0; i = nodes[i].Parent {
		names = append(names, d.Zones[nodes[i].Zone].Name)
	}
	slices.Reverse(names)
	return names
}

// TestForksSumUp: in random lanes, each time is that of an oracle, which looks at the names of each node's whole path.
// What is spawned by all go statements is all busy time outside the main goroutine.
func TestForksSumUp(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}, {Name: "b"}, {Name: "a"}, {Name: "w"}}
		d := &report.Dump{Zones: zones}
		names := []string{"main goroutine", "main.run x.go:1 #2", "main.run x.go:1 (ended)", "main.run x.go:12 #3"}
		for _, name := range names {
			d.Lanes = append(d.Lanes, report.LaneTree{Name: name, Nodes: randomTree(r, nil, -1, 0)})
		}
		spawns := []report.Spawn{
			{Crowd: "main.run x.go:1", Path: []string{"a"}},
			{Crowd: "main.run x.go:12", Path: []string{"a", "b"}},
			{Crowd: "nobody", Path: nil},
		}
		forks, busy := report.TimesOfSpawns(d, spawns), 0.0
		for i, s := range spawns {
			want := oracleFork(d, s)
			near := func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }
			if got := forks[i]; !near(got.Own, want.Own) || !near(got.Waited, want.Waited) ||
				!near(got.Spawned, want.Spawned) {
				t.Fatalf("%+v: got %+v; want %+v", s, got, want)
			}
			busy -= forks[i].Spawned
		}
		for _, l := range d.Lanes[1:] {
			for _, n := range l.Nodes {
				if n.Parent >= 0 && !n.Idle {
					busy += n.Self
				}
			}
		}
		if math.Abs(busy) > 1e-9 {
			t.Fatalf("%v ms of the goroutines are in no row", busy)
		}
	}
}

func oracleFork(d *report.Dump, s report.Spawn) (f report.SpawnTimes) {
	for _, l := range d.Lanes {
		for i, n := range l.Nodes {
			path := namesOf(d, l.Nodes, int32(i))
			switch inside := len(s.Path) > 0 && len(path) >= len(s.Path) &&
				slices.Equal(path[:len(s.Path)], s.Path); {
			case inside && n.Idle:
				f.Waited += n.Self
			case inside:
				f.Own += n.Self
			}
			if report.Crowd(l.Name) == s.Crowd && len(path) > 0 && !n.Idle {
				f.Spawned += n.Self
			}
		}
	}
	return f
}

func ExampleTimesOfSpawns() {
	d := &report.Dump{
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "step"}, {Name: "wait for done"}, {Name: "work"}},
		Lanes: []report.LaneTree{
			{Name: "main goroutine", Nodes: []report.TreeNode{
				{Parent: -1}, {Zone: 1, Level: 1, Self: 2}, {Zone: 2, Parent: 1, Level: 2, Self: 30, Idle: true},
			}},
			{Name: "main.step main.go:7 #2", Nodes: []report.TreeNode{{Parent: -1}, {Zone: 3, Level: 1, Self: 29}}},
		},
	}
	forks := report.TimesOfSpawns(d, []report.Spawn{{Crowd: "main.step main.go:7", Path: []string{"step"}}})
	fmt.Printf("own %v, spawned %v, waited %v ms\n", forks[0].Own, forks[0].Spawned, forks[0].Waited)
	// Output: own 2, spawned 29, waited 30 ms
}

// laneFrame is a frame in which so many lanes, from a number on, each spent a tick in a zone.
func laneFrame(index uint64, first, lanes int) *gather.Frame {
	f := &gather.Frame{Index: index, TicksPerSecond: 1000, End: 1,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}}}
	for i := first; i < first+lanes; i++ {
		id := gather.NodeID(2 * (i % 50_000))
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(i + 1), Name: fmt.Sprint("lane ", i),
			Updater: i == first, End: 1,
			Nodes: []gather.Node{{ID: id, Parent: -1}, {ID: id + 1, Zone: 1, Parent: 0, Count: 1, Self: 1}}})
	}
	return f
}

// Lanes that come and go by the thousand are folded into one, and nothing of them is lost.
func TestTotalsOfManyLanes(t *testing.T) {
	s := process.NewSession()
	for i := range 100 {
		write(t, s, laneFrame(uint64(i), 200*i, 300))
	}
	d := s.Dump(report.DumpOptions{})
	if got := d.Merged[1].Count; got != 30_000 {
		t.Errorf("entries: got %v; want 30000", got)
	}
	if got := len(d.Lanes); got > 3000 {
		t.Errorf("got %d lanes; want few", got)
	}
	var sum float64
	folded := false
	for _, l := range d.Lanes {
		sum += l.Nodes[1].Count
		folded = folded || strings.Contains(l.Name, "earlier")
	}
	if sum != 30_000 || !folded {
		t.Errorf("entries of all goroutines: got %v, folded %v; want 30000, some", sum, folded)
	}
}

// Lanes in use are never folded: they would be back with the next frame.
func TestLanesInUseStay(t *testing.T) {
	s := process.NewSession()
	for i := range 3 {
		write(t, s, laneFrame(uint64(i), 0, 3000))
	}
	if d := s.Dump(report.DumpOptions{}); len(d.Lanes) != 3000 || d.Lanes[7].Nodes[1].Count != 3 {
		t.Errorf("got %d lanes; want all 3000, with 3 entries each", len(d.Lanes))
	}
	f := laneFrame(3, 0, 3000)
	write(t, s, f)
	if got := allocstest.PerRun(5, func() { write(t, s, f) }); got > 300 {
		t.Errorf("got %v allocations a frame; want hardly any", got)
	}
}

// Totals begin anew with a Reset, on lanes and nodes that go on.
func TestTotalsAfterAReset(t *testing.T) {
	s := process.NewSession()
	for i := range 5 {
		if i == 3 {
			s.Reset()
		}
		write(t, s, laneFrame(uint64(i), 0, 2))
	}
	if d := s.Dump(report.DumpOptions{}); len(d.Merged) < 2 || d.Merged[1].Count != 4 || d.Merged[1].Self != 4 {
		t.Errorf("two frames after a reset: got %+v; want 4 entries, 4 ms", d.Merged)
	}
}
