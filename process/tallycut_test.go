package process_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"testing"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// randomLanes is a frame in which lanes share a random tree of zones: each has a part of it, and times of its own.
func randomLanes(rng *rand.Rand, lanes, nodes, zones int) *gather.Frame {
	f := &gather.Frame{TicksPerSecond: 1000, End: 50, Zones: make([]gather.ZoneInfo, zones)}
	for i := range f.Zones {
		f.Zones[i].Name = fmt.Sprint("zone ", i)
	}
	id := gather.NodeID(0)
	for l := range lanes {
		lane := gather.LaneFrame{ID: report.LaneID(l + 1), Updater: l == 0, End: 50,
			Name: fmt.Sprintf("main.crowd main.go:%d #%d", l%2, l)}
		lane.Nodes = append(lane.Nodes, gather.Node{ID: id, Parent: -1})
		known := map[[2]int32]bool{}
		for range nodes {
			parent := rng.Int32N(int32(len(lane.Nodes)))
			zone := 1 + rng.Int32N(int32(zones-1))
			if known[[2]int32{parent, zone}] {
				continue
			}
			known[[2]int32{parent, zone}] = true
			id++
			n := gather.Node{ID: id, Parent: parent, Zone: report.ZoneID(zone), Count: uint32(rng.IntN(3))}
			if rng.IntN(3) > 0 {
				n.Self = 1 << rng.IntN(20)
			}
			for up := parent; up >= 0; up = lane.Nodes[up].Parent {
				if lane.Nodes[up].Zone == n.Zone {
					n.Depth = lane.Nodes[up].Depth + 1
					break
				}
			}
			lane.Nodes = append(lane.Nodes, n)
		}
		id++
		f.Lanes = append(f.Lanes, lane)
	}
	return f
}

// A cut tree has the nodes with the most time, and says how many it leaves out, and their time.
func TestTreesAreCut(t *testing.T) {
	for seed := range uint64(100) {
		rng := rand.New(rand.NewPCG(seed, 4))
		s := process.NewSession()
		write(t, s, randomLanes(rng, 1+rng.IntN(25), 1+rng.IntN(60), 2+rng.IntN(8)))
		most := 1 + rng.IntN(100)
		none := s.Dump(report.DumpOptions{NoTrees: true})
		all, cut := s.Dump(report.DumpOptions{}), s.Dump(report.DumpOptions{Nodes: most})
		compareDumps(t, seed, all, cut, none, most)
		if len(cut.FrameTrees) == 1 { // of the one frame
			compareFrame(t, seed, all.FrameTrees[0].Nodes, cut.FrameTrees[0].Nodes, most)
		}
	}
}

// compareDumps compares a cut Dump and one without trees with the whole one.
func compareDumps(t *testing.T, seed uint64, all, cut, none *report.Dump, most int) {
	t.Helper()
	compareCut(t, seed, all.Merged, cut.Merged, most)
	if len(cut.Lanes) > len(all.Lanes) || len(cut.Lanes) == 0 != (len(all.Lanes) == 0) {
		t.Fatalf("seed %d: got %d of %d lanes with at most %d nodes", seed, len(cut.Lanes), len(all.Lanes), most)
	}
	for i := range cut.Lanes {
		compareCut(t, seed, all.Lanes[i].Nodes, cut.Lanes[i].Nodes, len(cut.Lanes[i].Nodes))
	}
	compareTotals(t, seed, cut.Totals, report.AppendZoneTotals(nil, all.Merged))
	compareTotals(t, seed, none.Totals, all.Totals)
	if none.Calls != all.Calls || none.RunTime != all.RunTime || none.LaneCount != all.LaneCount ||
		none.Overhead != all.Overhead || len(none.Merged)+len(none.Lanes) > 0 {
		t.Fatalf("seed %d: got %+v without trees; want %+v", seed, none, all)
	}
	if cut.Calls != all.Calls || cut.RunTime != all.RunTime || cut.LaneCount != all.LaneCount ||
		cut.Overhead != all.Overhead || !reflect.DeepEqual(cut.Recursion, all.Recursion) {
		t.Fatalf("seed %d: got %+v cut; want %+v", seed, cut, all)
	}
}

// compareCut compares a cut tree with the whole one.
func compareCut(t *testing.T, seed uint64, all, cut []report.TreeNode, most int) {
	t.Helper()
	whole, deepest, left := map[int32]report.TreeNode{}, int32(0), 0
	for _, n := range all {
		whole[n.Path], deepest = n, max(deepest, n.Level)
	}
	shortest := math.Inf(1)
	for i := range cut {
		n := cut[i]
		left += n.Left
		if n.Level > 0 {
			shortest = min(shortest, n.Hier)
		}
		below := n.Hier - n.Self - n.LeftHier
		for _, kid := range cut {
			if kid.Parent == int32(i) {
				below -= kid.Hier
			}
		}
		if n.Level > 0 && math.Abs(below) > 1e-6 {
			t.Fatalf("seed %d: %+v: the children and those left out differ from its time by %v ms", seed, n, below)
		}
		n.Left, n.LeftHier, n.Parent = 0, 0, whole[n.Path].Parent
		if n != whole[n.Path] {
			t.Fatalf("seed %d: got %+v; want %+v", seed, n, whole[n.Path])
		}
		delete(whole, n.Path)
	}
	if left != len(whole) || len(cut) > max(1, most)+int(deepest) || len(cut) < min(most, len(all)) && most < len(all) {
		t.Fatalf("seed %d: got %d of %d nodes with at most %d, and %d more", seed, len(cut), len(all), most, left)
	}
	for _, n := range whole {
		if n.Hier > 1.04*shortest && shortest > 0 {
			t.Fatalf("seed %d: %+v is left out, a node of %v ms is not", seed, n, shortest)
		}
	}
}

// compareFrame compares the cut tree of a frame with the whole one.
func compareFrame(t *testing.T, seed uint64, all, cut []report.TreeNode, most int) {
	t.Helper()
	left := 0
	for i := range cut {
		n := cut[i]
		left += n.Left
		at := slices.IndexFunc(all, func(a report.TreeNode) bool { return a.Path == n.Path })
		below := n.LeftHier
		for j := range all {
			if int(all[j].Parent) == at {
				below -= all[j].Hier
			}
		}
		for _, kid := range cut {
			if int(kid.Parent) == i {
				below += kid.Hier
			}
		}
		if math.Abs(below) > 1e-6 {
			t.Fatalf("seed %d: %+v: the children differ from those of the whole tree by %v ms", seed, n, below)
		}
		n.Left, n.LeftHier, n.Parent = 0, 0, all[at].Parent
		if n != all[at] {
			t.Fatalf("seed %d: got %+v; want %+v", seed, n, all[at])
		}
	}
	if left+len(cut) != len(all) || len(cut) > max(1, most) {
		t.Fatalf("seed %d: got %d of %d nodes with at most %d, and %d more", seed, len(cut), len(all), most, left)
	}
}

func compareTotals(t *testing.T, seed uint64, got, want []report.ZoneTotal) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("seed %d: got %d zones; want %d", seed, len(got), len(want))
	}
	for _, w := range want {
		at := slices.IndexFunc(got, func(z report.ZoneTotal) bool { return z.Zone == w.Zone })
		if at < 0 {
			t.Fatalf("seed %d: zone %d is missing", seed, w.Zone)
		}
		g := got[at]
		if differs(g.Self, w.Self) || differs(g.Hier, w.Hier) {
			t.Fatalf("seed %d: got %+v; want %+v", seed, g, w)
		}
		g.Self = w.Self
		g.Hier = w.Hier
		if g != w {
			t.Fatalf("seed %d: got %+v; want %+v", seed, g, w)
		}
	}
}

// millionStacks returns a session with a million stacks on 16 lanes.
func millionStacks(t testing.TB) *process.Session {
	const lanes, zones, nodes = 16, 300, 1 << 16
	s := process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1000, End: 50, Zones: make([]gather.ZoneInfo, zones)}
	for l := range lanes {
		lane := gather.LaneFrame{ID: report.LaneID(l + 1), Name: fmt.Sprint("lane ", l), Updater: l == 0, End: 50}
		for i := range int32(nodes) { // zone l is the one below the root, then as many as there are below each
			n := gather.Node{ID: gather.NodeID(nodes*l + int(i)), Parent: (i - 1) / (zones - 1), Count: 1, Self: 1000}
			n.Zone = report.ZoneID((i-1)%(zones-1) + 1)
			if i <= 1 {
				n.Parent, n.Zone = i-1, report.ZoneID(int32(l+1)*i)
			} else {
				n.Parent = max(n.Parent, 1)
			}
			lane.Nodes = append(lane.Nodes, n)
		}
		f.Lanes = append(f.Lanes, lane)
	}
	write(t, s, f)
	return s
}

// A report about a million stacks takes at most 64 MB of memory beside what it writes.
func TestReportsOfAMillionStacksAreSmall(t *testing.T) {
	longtest.Skip(t)
	s := millionStacks(t)
	const calls = 1 << 20
	var before runtime.MemStats
	for i, shown := range []func(w io.Writer) error{
		func(w io.Writer) error {
			zones := report.DumpOptions{NoHistory: true, NoTrees: true}
			s.Dump(zones) // what remains: sums of lanes
			runtime.ReadMemStats(&before)
			return text.WriteZones(w, s.Dump(zones), text.Options{})
		},
		func(w io.Writer) error {
			s.Dump(report.DumpOptions{Nodes: 1}) // what remains: averages, memory of verdicts
			runtime.ReadMemStats(&before)
			d := s.Dump(report.DumpOptions{NoFrames: true, Nodes: report.DumpNodes})
			if n := d.Merged[0]; len(d.Merged) > 1.1*report.DumpNodes || d.Calls != calls {
				t.Errorf("got %d nodes, %d calls, root %+v", len(d.Merged), d.Calls, n)
			}
			return text.WriteTree(w, d, text.Options{})
		},
		func(w io.Writer) error {
			return text.WriteJSON(w, s.Dump(report.DumpOptions{Nodes: report.DumpNodes}))
		},
		func(w io.Writer) error {
			return html.Write(w, s.Dump(report.DumpPage), html.Options{})
		},
		func(w io.Writer) error { // of all nodes
			d := s.Dump(report.DumpOptions{NoFrames: true})
			runtime.ReadMemStats(&before)
			return text.WriteJSON(w, d)
		},
	} {
		checkReport(t, i, &before, shown)
	}
}

// checkReport writes a report. It takes at most 64 MB beside what it writes: since the beginning, or since it has read
// before anew.
func checkReport(t *testing.T, number int, before *runtime.MemStats, report func(w io.Writer) error) {
	t.Helper()
	var out counter
	runtime.ReadMemStats(before)
	must.Do(t, report(&out))
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	got := int64(after.TotalAlloc-before.TotalAlloc) - int64(out)
	t.Logf("%d: %.1f MB beside %.1f MB", number, float64(got)/1e6, float64(out)/1e6)
	if got > 64<<20 {
		t.Errorf("report %d: got %d bytes allocated beside %d written; want at most 64 MB", number, got, out)
	}
}

// counter counts bytes.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
