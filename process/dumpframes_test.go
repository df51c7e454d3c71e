package process_test

import (
	"fmt"
	"io"
	"math"
	"slices"
	"testing"

	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
)

// A dump of chosen frames has their trees, as those of all frames are, and none of frames that are unknown.
func TestDumpHasTheTreesOfChosenFrames(t *testing.T) {
	s := process.NewSession()
	r := world.NewGame(3, s)
	for range 60 {
		must.Do(t, r.Step())
	}
	all := s.Dump(report.DumpOptions{AllFrames: true})
	if len(all.FrameTrees) < 50 {
		t.Fatalf("got %d trees of all frames; want more", len(all.FrameTrees))
	}
	for _, want := range [][]uint64{{}, {all.FrameTrees[7].Index}, {all.FrameTrees[3].Index, all.FrameTrees[40].Index,
		1 << 60}} {
		d := s.Dump(report.DumpOptions{Frames: want})
		var got []uint64
		for i := range d.FrameTrees {
			tree := &d.FrameTrees[i]
			got = append(got, tree.Index)
			at := slices.IndexFunc(all.FrameTrees, func(t report.FrameTree) bool { return t.Index == tree.Index })
			if !slices.Equal(tree.Nodes, all.FrameTrees[at].Nodes) {
				t.Errorf("frame %d: got other nodes than in the dump of all frames", tree.Index)
			}
		}
		if known := slices.DeleteFunc(slices.Clone(want),
			func(i uint64) bool { return i == 1<<60 }); !slices.Equal(got, known) {
			t.Errorf("got trees of %v; want %v", got, known)
		}
	}
}

// The slowest and the newest frames take turns.
func TestFramesByImportance(t *testing.T) {
	d := &report.Dump{}
	for i, busy := range []float32{1, 9, 2, 8, 3} {
		d.History = append(d.History, report.FrameSummary{Index: uint64(i), Busy: busy})
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: uint64(i)})
	}
	if got, want := d.ByImportance(), []int{1, 4, 3, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("got %v; want %v", got, want)
	}
}

// oneOfLength is a frame whose zone took as many ms as the frame's number says.
func oneOfLength(i uint64) *gather.Frame {
	end := platform.Ticks(i + 1)
	nodes := []gather.Node{{Parent: -1, Self: 1}, {ID: 1, Zone: 1, Parent: 0, Count: 1, Self: end - 1}}
	return &gather.Frame{Index: i, End: end, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: end, Nodes: nodes}}}
}

// Frames may end while a Dump is made: it lets them, and each tree is still that of its frame.
func TestFramesEndDuringADump(t *testing.T) {
	s := process.NewSession()
	for i := range uint64(300) {
		write(t, s, oneOfLength(i))
	}
	stop, done := make(chan bool), make(chan uint64)
	go func() {
		for i := uint64(300); ; i++ {
			select {
			case <-stop:
				done <- i
				return
			default:
				if err := s.WriteFrame(oneOfLength(i)); err != nil {
					t.Error(err)
				}
			}
		}
	}()
	trees := 0
	for range 20 {
		d := s.Dump(report.DumpOptions{AllFrames: true})
		for _, tree := range d.FrameTrees {
			trees++
			if got := tree.Nodes[0].Hier; got != float64(tree.Index+1) {
				t.Fatalf("frame %d: got the tree of a frame of %v ms", tree.Index, got)
			}
		}
	}
	close(stop)
	if last := <-done; trees == 0 {
		t.Errorf("got no tree while %d frames ended; want some", last-300)
	}
}

// TestDumpSeriesHaveTheSpikes has more steady zones than there are layers, and one that is there for a single frame.
func TestDumpSeriesHaveTheSpikes(t *testing.T) {
	s := process.NewSession()
	var names []string
	steady := ""
	for i := range 20 {
		names = append(names, fmt.Sprint("steady", i))
		steady += names[i] + " 1 1\n"
	}
	names = append(names, "autosave")
	for i := range 60 {
		text := steady
		if i == 30 {
			text += "autosave 25 1\n"
		}
		write(t, s, tree(uint64(i), names, text))
	}
	var got []string
	for _, one := range s.Dump(report.DumpOptions{}).Series {
		got = append(got, one.Name)
	}
	if !slices.Contains(got, "autosave") {
		t.Errorf("got series of %q; want autosave among them, which made the one slow frame", got)
	}
}

// TestDumpIsOfOneSideOfAReset resets while dumps are made. All frames between two resets have the same time in their
// zone, so that a dump tells which of them it is of.
func TestDumpIsOfOneSideOfAReset(t *testing.T) {
	s, done, ended := process.NewSession(), make(chan bool), make(chan bool)
	fill := func(generation int) {
		s.Reset()
		for i := range 12 {
			_ = s.WriteFrame(tree(uint64(i), []string{"a"}, "a "+string(rune('1'+generation%9))+" 1\n"))
		}
	}
	fill(0)
	go func() {
		defer close(ended)
		for generation := 1; ; generation++ {
			select {
			case <-done:
				return
			default:
				fill(generation)
			}
		}
	}()
	for range 300 {
		d := s.Dump(report.DumpOptions{AllFrames: true})
		if len(d.History) == 0 {
			continue
		}
		want := float64(d.History[0].Length)
		for _, tree := range d.FrameTrees {
			if math.Abs(tree.Nodes[0].Hier-want) > 1e-6 {
				t.Fatalf("got a tree of %v ms in a history of frames of %v ms", tree.Nodes[0].Hier, want)
			}
		}
		if d.Report != nil && d.Report.Frame.Frames > 0 && math.Abs(d.Report.Frame.Length-want) > 1e-6 {
			t.Fatalf("got a report of a frame of %v ms in a history of frames of %v ms", d.Report.Frame.Length, want)
		}
	}
	close(done)
	<-ended
}

// TestLaneTotalsAreThoseOfDump compares the totals of random programs with what a Dump says of them.
func TestLaneTotalsAreThoseOfDump(t *testing.T) {
	var got totals.LaneTotals
	for seed := range uint64(200) {
		p, s := world.NewRandom(seed), process.NewSession()
		for range 1 + seed%5 {
			write(t, s, p.Frame())
		}
		s.LaneTotals(&got)
		d := s.Dump(report.DumpOptions{NoHistory: true})
		if len(got.Lanes) != len(d.Lanes) || math.Abs(float64(got.Ticks)-d.RunTime.Seconds()*d.TicksPerSecond) > 0.5 {
			t.Fatalf("program %d: got %d lanes, %d ticks; want %d, %v", seed, len(got.Lanes), got.Ticks, len(d.Lanes),
				d.RunTime)
		}
		for i := range d.Lanes {
			compareLane(t, seed, &got.Lanes[i], report.AppendZoneTotals(nil, d.Lanes[i].Nodes))
		}
	}
}

func compareLane(t *testing.T, seed uint64, got *totals.LaneZones, want []report.ZoneTotal) {
	t.Helper()
	zones := map[report.ZoneID]totals.ZoneTime{}
	for _, z := range got.Zones {
		zones[z.Zone] = z
	}
	if len(zones) != len(want) {
		t.Fatalf("program %d, %s: got %d zones; want %d", seed, got.Name, len(zones), len(want))
	}
	for _, w := range want { // a tick is a nanosecond
		if z := zones[w.Zone]; math.Abs(float64(z.Hier)/1e6-w.Hier) > 1e-6 || float64(z.Count) != w.Count {
			t.Fatalf("program %d, %s, zone %d: got %+v; want %+v", seed, got.Name, w.Zone, z, w)
		}
	}
}

func TestLaneTotalsTellAReset(t *testing.T) {
	s := process.NewSession()
	var before, after totals.LaneTotals
	write(t, s, tree(0, []string{"a"}, "a 5 1\n"))
	s.LaneTotals(&before)
	s.Reset()
	s.LaneTotals(&after)
	if before.Epoch == after.Epoch || len(before.Lanes) != 1 || len(after.Lanes) != 0 {
		t.Errorf("got epochs %d and %d, %d and %d lanes; want two epochs, one lane and none", before.Epoch, after.Epoch,
			len(before.Lanes), len(after.Lanes))
	}
}

// A session whose times are at the ends of their type is dumped, whole and cut.
func TestDumpsOfExtremeTimes(t *testing.T) {
	for _, self := range []platform.Ticks{math.MinInt64, math.MinInt64 + 1, -1, 0, math.MaxInt64 / 2, math.MaxInt64} {
		for _, rate := range []float64{1, 1e9, 1e-300, 1e300} {
			f := gather.Frame{TicksPerSecond: rate, End: math.MaxInt64,
				Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}}}
			for lane := range 3 {
				f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(lane + 1), Updater: lane == 0,
					Nodes: []gather.Node{{ID: gather.NodeID(2 * lane), Parent: -1, Self: self},
						{ID: gather.NodeID(2*lane + 1), Zone: 1, Self: self}}})
			}
			f.CPU, f.Lanes[0].CPU = math.MaxInt64-1, math.MaxInt64-1
			s := process.NewSession()
			for range 4 { // longer than 292 years together
				must.Do(t, s.WriteFrame(&f))
			}
			for _, o := range []report.DumpOptions{{}, {NoTrees: true}, {NoHistory: true}} {
				d := s.Dump(o)
				if d.RunTime < 1<<62 && rate != 1e300 || d.RunTime < 0 || d.Overhead < 0 || d.CPU < 1<<62 {
					t.Errorf("times of %d at %g ticks a second: got a run of %d ns, overhead %d, processor %d; "+
						"want none below 0, and 292 years", self, rate, d.RunTime, d.Overhead, d.CPU)
				}
			}
			for _, nodes := range []int{0, 1, 2} {
				if err := text.WriteJSON(io.Discard, s.Dump(report.DumpOptions{Nodes: nodes})); err != nil {
					t.Errorf("times of %d at %g ticks a second, %d nodes: %v", self, rate, nodes, err)
				}
			}
		}
	}
}

// A limit of 292 years stays one.
func TestTheHistoryKeepsTheLongestTime(t *testing.T) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Within: math.MaxInt64})
	if got := s.HistoryLimits().Within; got != math.MaxInt64 {
		t.Errorf("got %d; want %d", got, math.MaxInt64)
	}
}

// A clock that counts seconds can count more of them than a Duration holds.
func ExampleDurationOf() {
	fmt.Println(report.DurationOf(1.5), report.DurationOf(1e300) == math.MaxInt64, report.DurationOf(math.NaN()))
	// Output: 1.5s true 0s
}
