package process_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// charge gives a node of the frame's first lane what the numbers say: allocs, bytes, frees, bytes, units, objects,
// bytes.
func charge(f *gather.Frame, zone string, n ...uint64) *gather.Frame {
	l := &f.Lanes[0]
	for i := range l.Nodes {
		if f.Zones[l.Nodes[i].Zone].Name == zone {
			l.Extras = append(l.Extras, gather.NodeExtra{Node: int32(i), Allocs: n[0], AllocBytes: n[1], Frees: n[2],
				FreeBytes: n[3],
				Units:     n[4], HeapObjects: n[5], HeapBytes: n[6]})
		}
	}
	return f
}

var instant = report.View{Average: report.AverageInstant}

func with(v report.View, mode report.ReportMode, focus report.ZoneID) report.View {
	v.Mode, v.Focus = mode, focus
	return v
}

// cells returns a record's values in columns, NaN where it shows none.
func cells(s *process.Session, v report.View, name string, group report.Group,
	columns ...report.Column) (got []float64) {
	var r report.Report
	s.View().AppendReportOf(&r, v)
	for _, rec := range r.Records {
		if rec.Name != name || rec.Group != group {
			continue
		}
		for _, c := range columns {
			if v := math.NaN(); !rec.Mask.Has(c) {
				got = append(got, v)
			} else {
				got = append(got, rec.Values[c])
			}
		}
		return got
	}
	return nil
}

func equalCells(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if math.Abs(a[i]-b[i]) > 1e-9 || math.IsNaN(a[i]) != math.IsNaN(b[i]) {
			return false
		}
	}
	return true
}

var chargeNames = []string{"load", "parse", "draw"}

const chargeTree = `
load 1 1
  parse 2 4
draw 3 1
  parse 4 6
`

func TestChargesReachEveryReport(t *testing.T) {
	s := process.NewSession()
	f := charge(charge(tree(0, chargeNames, chargeTree), "load", 1, 100, 0, 0, 0, 0, 0), "parse", 2, 30, 1, 10, 500, 7,
		4096)
	write(t, s, f)
	charged := []report.Column{report.ColumnAllocs, report.ColumnAllocBytes, report.ColumnFrees,
		report.ColumnFreeBytes,
		report.ColumnUnits, report.ColumnPerUnit, report.ColumnHeapObjects, report.ColumnHeapBytes}
	none := math.NaN()
	both := []float64{4, 60, 2, 20, 1000, 6e6 / 1000, none, none} // one frame is too short for the heap
	for _, c := range []struct {
		view  report.View
		name  string
		group report.Group
		want  []float64
	}{
		{instant, "parse", report.GroupFocus, both},
		{report.View{}, "parse", report.GroupFocus, both},
		{report.View{Average: report.AverageLong}, "parse", report.GroupFocus, both},
		{report.View{Average: report.AverageInstant, Recursion: report.RecursionSpread}, "parse", report.GroupFocus,
			both},
		{report.View{Average: report.AverageInstant, Lane: 1}, "parse", report.GroupFocus, both},
		{report.View{Lane: 1}, "parse", report.GroupFocus, both},
		{report.View{Lens: report.Lens{Kind: report.LensAll}}, "parse", report.GroupFocus, both},
		{report.View{Kept: 1}, "parse", report.GroupFocus, both},
		{instant, "load", report.GroupFocus, []float64{1, 100, none, none, none, none, none, none}},
		{instant, "draw", report.GroupFocus, []float64{none, none, none, none, none, none, none, none}},
		{with(instant, report.ReportCallGraph, 2), "parse", report.GroupFocus, both},
		{with(instant, report.ReportCallGraph, 2), "draw", report.GroupParent,
			[]float64{2, 30, 1, 10, 500, 4e6 / 500, none, none}},
		{with(instant, report.ReportCallGraph, 1), "parse", report.GroupChild,
			[]float64{2, 30, 1, 10, 500, 2e6 / 500, none, none}},
		{with(instant, report.ReportCallTree, 0), "load", report.GroupFocus,
			[]float64{1, 100, none, none, none, none, none, none}},
		{report.View{Average: report.AverageInstant, Pin: []report.ZoneID{1}}, "parse", report.GroupFocus,
			[]float64{2, 30, 1, 10, 500, 2e6 / 500, none, none}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := cells(s, c.view, c.name, c.group, charged...); !equalCells(got, c.want) {
				t.Errorf("%+v: %s: got %v; want %v", c.view, c.name, got, c.want)
			}
		})
	}
}

// heapFrames writes 20 frames, each with 8192 bytes of a zone's heap.
func heapFrames(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	for i := range uint64(20) {
		f := charge(tree(i, chargeNames, chargeTree), "parse", 0, 0, 0, 0, 0, 7, 4096)
		f.Memory.Mode = gather.MemoryHeapPerZone
		write(t, s, f)
	}
	return s
}

// Averages and lenses have the heap of a zone, and single frames never. A single frame says so where its column is
// wanted.
func TestHeapByZoneIsOfStretchesOnly(t *testing.T) {
	s := heapFrames(t)
	const warning = "one frame is too short for the heap by zone: an average or a lens has it"
	heap := report.ColumnSet{}.With(report.HeapColumns...)
	byHeap := report.View{Age: 3}
	byHeap.Order = report.Order{Chosen: true, By: report.ColumnHeapBytes}
	for name, c := range map[string]struct {
		view report.View
		has  bool
	}{
		"average":                 {report.View{}, true},
		"long average of a lane":  {report.View{Average: report.AverageLong, Lane: 1}, true},
		"all frames":              {report.View{Lens: report.Lens{Kind: report.LensAll}}, true},
		"some frames":             {report.View{Lens: report.Lens{Kind: report.LensRange, From: 3, To: 4}}, true},
		"a range of one":          {report.View{Lens: report.Lens{Kind: report.LensRange, From: 3, To: 3}}, false},
		"the slowest":             {report.View{Lens: report.Lens{Kind: report.LensSlowest, Slowest: 1}}, false},
		"newest, not smoothed":    {instant, false},
		"an older frame":          {report.View{Age: 3}, false},
		"a kept frame":            {report.View{Kept: 1}, false},
		"an older frame's lane":   {report.View{Age: 3, Lane: 1}, false},
		"an older frame, by size": {byHeap, false},
	} {
		t.Run(name, func(t *testing.T) {
			want := []float64{math.NaN(), math.NaN()}
			if c.has {
				want = []float64{14, 8192}
			}
			got := cells(s, c.view, "parse", report.GroupFocus, report.HeapColumns...)
			for i := range got {
				got[i] = math.Round(got[i]*1e6) / 1e6
			}
			if !equalCells(got, want) {
				t.Errorf("table: got %v; want %v", got, want)
			}
			if got := sumOf(s.View().AppendTree(nil, c.view)); (math.Abs(got.HeapBytes-8192) < 1e-6) != c.has ||
				(got.HeapBytes == 0) == c.has {
				t.Errorf("tree: got %v bytes; want some: %t", got.HeapBytes, c.has)
			}
			if !c.view.Order.Chosen {
				c.view.Columns = heap
			}
			var r report.Report
			if s.View().AppendReportOf(&r, c.view); slices.Contains(r.Warnings, warning) == c.has {
				t.Errorf("got warnings %q; want the one about one frame: %t", r.Warnings, !c.has)
			}
		})
	}
}

func TestHeapByZoneInDumps(t *testing.T) {
	d := heapFrames(t).Dump(report.DumpOptions{AllFrames: true})
	if got := sumOf(d.Merged).HeapBytes; got != 20*8192 {
		t.Errorf("dump: got %v bytes in all; want %v", got, 20*8192)
	}
	for _, f := range d.FrameTrees {
		if got := sumOf(f.Nodes).HeapBytes; got != 0 {
			t.Errorf("frame %d of the dump: got %v bytes; want none", f.Index, got)
		}
	}
}

func TestColumnsOfChargesAppearWithThem(t *testing.T) {
	s := process.NewSession()
	var r report.Report
	for i, c := range []struct {
		charge []uint64
		want   []report.Column
	}{
		{nil, nil},
		{[]uint64{0, 0, 0, 0, 3, 0, 0}, []report.Column{report.ColumnUnits, report.ColumnPerUnit}},
		{nil, []report.Column{report.ColumnUnits, report.ColumnPerUnit}},
		{[]uint64{1, 0, 0, 0, 0, 0, 0}, []report.Column{report.ColumnAllocs, report.ColumnAllocBytes,
			report.ColumnFrees,
			report.ColumnFreeBytes, report.ColumnUnits, report.ColumnPerUnit}},
	} {
		t.Run(fmt.Sprint(c.charge), func(t *testing.T) {
			f := tree(uint64(i), chargeNames, chargeTree)
			if c.charge != nil {
				charge(f, "draw", c.charge...)
			}
			write(t, s, f)
			s.View().AppendReport(&r)
			if got := r.Columns[3:]; fmt.Sprint(got) != fmt.Sprint(c.want) {
				t.Errorf("frame %d: got columns %v; want %v", i, got, c.want)
			}
		})
	}
	s.Reset()
	write(t, s, tree(9, chargeNames, chargeTree))
	if s.View().AppendReport(&r); len(r.Columns) != 3 {
		t.Errorf("after Reset: got columns %v; want three", r.Columns)
	}
}

// A charge of one kind brings the columns of its kind, whichever of its numbers is 0.
func TestColumnsOfOneChargeAppear(t *testing.T) {
	for _, c := range []struct {
		charge []uint64
		want   []report.Column
	}{
		{[]uint64{2, 64, 0, 0, 0, 0, 0}, report.OwnColumns},
		{[]uint64{0, 0, 1, 64, 0, 0, 0}, report.OwnColumns},
		{[]uint64{0, 0, 0, 0, 0, 1, 64}, report.HeapColumns},
		{[]uint64{0, 0, 0, 0, 0, 0, 64}, report.HeapColumns},
		{[]uint64{0, 0, 0, 0, 0, 1, 0}, report.HeapColumns},
		{[]uint64{0, 0, 0, 0, 1, 0, 0}, report.UnitColumns},
	} {
		s := process.NewSession()
		write(t, s, charge(tree(0, chargeNames, chargeTree), "draw", c.charge...))
		var r report.Report
		s.View().AppendReport(&r)
		if got := r.Columns[len(report.UsualColumns):]; !slices.Equal(got, c.want) {
			t.Errorf("%v: got columns %v; want %v", c.charge, got, c.want)
		}
	}
}

// The averages of charges take on 90 % of a change in 0.8 s, as those of times do.
func TestChargesSettle(t *testing.T) {
	s := process.NewSession()
	for i := range 2000 {
		write(t, s, tree(uint64(i), []string{"a"}, "a 16 1\n"))
	}
	for i := range 50 {
		write(t, s, charge(tree(uint64(2000+i), []string{"a"}, "a 16 1\n"), "a", 1, 1000, 0, 0, 0, 0, 0))
	}
	if got := cells(s, report.View{}, "a", report.GroupFocus, report.ColumnAllocBytes); len(got) != 1 ||
		math.Abs(got[0]-900) > 10 {
		t.Errorf("got %v; want 900", got)
	}
	if got := cells(s, instant, "a", report.GroupFocus, report.ColumnAllocBytes); len(got) != 1 || got[0] != 1000 {
		t.Errorf("got %v; want 1000", got)
	}
}

func sumOf(nodes []report.TreeNode) (sum report.Charges) {
	for i := range nodes {
		sum.Add(&nodes[i].Charges)
	}
	return sum
}

func TestFramesWithBadExtrasAndValuesAreRefused(t *testing.T) {
	for name, spoil := range map[string]func(f *gather.Frame){
		"unknown node":    func(f *gather.Frame) { f.Lanes[0].Extras = []gather.NodeExtra{{Node: 99}} },
		"negative node":   func(f *gather.Frame) { f.Lanes[0].Extras = []gather.NodeExtra{{Node: -1}} },
		"node twice":      func(f *gather.Frame) { f.Lanes[0].Extras = []gather.NodeExtra{{Node: 1}, {Node: 1}} },
		"unknown counter": func(f *gather.Frame) { f.Values = []gather.CounterValue{{Counter: 0}} },
		"no number": func(f *gather.Frame) {
			f.Counters = []gather.CounterInfo{{Name: "x"}}
			f.Values = []gather.CounterValue{{Counter: 0, Value: math.NaN()}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := tree(0, chargeNames, chargeTree)
			if spoil(f); process.NewSession().WriteFrame(f) == nil {
				t.Errorf("%s: got no error; want one", name)
			}
		})
	}
}

// TestChargesOfANodeWithoutTime charges a zone in a frame in which it has neither time nor entries: on a coarse clock a
// lane that ends leaves such nodes.
func TestChargesOfANodeWithoutTime(t *testing.T) {
	s := process.NewSession()
	write(t, s, tree(0, chargeNames, "draw 1 1\n  parse 1 1\n  load 1 1\n"))
	write(t, s, charge(tree(1, chargeNames, "draw 1 1\n  parse 1 1\n  load 0 0\n"), "load", 1, 100, 0, 0, 500, 0, 0))
	columns := []report.Column{report.ColumnAllocs, report.ColumnAllocBytes, report.ColumnUnits}
	want := []float64{1, 100, 500}
	for _, view := range []report.View{instant,
		{Average: report.AverageInstant, Recursion: report.RecursionSpread},
		with(instant, report.ReportCallTree, 0),
		with(instant, report.ReportCallGraph, 3),
		{Average: report.AverageInstant, Lane: 1},
	} {
		t.Run(fmt.Sprint(view), func(t *testing.T) {
			group := report.GroupFocus
			if view.Mode == report.ReportCallGraph {
				group = report.GroupChild
			}
			if got := cells(s, view, "load", group, columns...); !equalCells(got, want) {
				t.Errorf("got %v; want %v", got, want)
			}
		})
	}
	merged := s.Dump(report.DumpOptions{}).Merged
	units := 0.0
	for _, n := range merged {
		units += n.Charges.Units
	}
	if units != 500 {
		t.Errorf("dump: got %v units; want 500", units)
	}
}
