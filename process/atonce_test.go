package process_test

import (
	"math"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// sideBySide has a frame of 10 ms, in which the updating lane is 4 ms outside zones and 6 ms in "wait". Each of the
// workers is in "job" for 9 ms.
func sideBySide(index uint64, workers int) *gather.Frame {
	const ms = 1000
	f := &gather.Frame{Index: index, TicksPerSecond: 1000 * ms, Begin: 10 * ms, End: 20 * ms,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "wait"}, {Name: "job"}}}
	lane := func(id, zone int, outside, inside int64) {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(id), Name: "lane", Updater: id == 1,
			Nodes: []gather.Node{{ID: gather.NodeID(2 * id), Parent: -1, Self: platform.Ticks(outside)},
				{ID: gather.NodeID(2*id + 1), Zone: gather.ZoneID(zone), Count: 1, Self: platform.Ticks(inside)}}})
	}
	lane(1, 1, 4*ms, 6*ms)
	for i := range workers {
		lane(2+i, 2, 1*ms, 9*ms)
	}
	return f
}

func TestRootIsTheRunOfTheUpdatingLane(t *testing.T) {
	s := process.NewSession()
	const frames, workers = 5, 15
	for i := range uint64(frames) {
		must.Do(t, s.WriteFrame(sideBySide(i, workers)))
	}
	d := s.Dump(report.DumpOptions{})
	if d.RunTime != 50*time.Millisecond {
		t.Fatalf("got a run of %v; want 50ms", d.RunTime)
	}
	root := d.Merged[0]
	if differs(root.Hier, 50) || differs(root.Self, 20) {
		t.Errorf("got a root of %g ms, %g of its own; want 50 and 20, those of the updating lane", root.Hier, root.Self)
	}
	for _, n := range d.Merged[1:] {
		want := 0.0 // one lane has no more than the run
		if d.Zones[n.Zone].Name == "job" {
			want = 0.9 * workers
		}
		if got := d.AtOnce(n.Hier); math.Abs(got-want) > 1e-9 {
			t.Errorf("%s: got %g lanes at once; want %g", d.Zones[n.Zone].Name, got, want)
		}
	}
	if got := d.Lanes[1].Nodes[0].Hier; differs(got, 50) {
		t.Errorf("got %g ms for the root of a worker; want 50, the lane's life", got)
	}
	for _, z := range report.AppendZoneTotals(nil, d.Merged) {
		if z.Zone == 0 && differs(z.Hier, 50) {
			t.Errorf("got %g ms for the root's zone; want 50", z.Hier)
		}
	}
}

func TestLanesAtOnceAreAColumn(t *testing.T) {
	for name, c := range map[string]struct {
		workers int
		devices bool
		shown   bool
	}{"one worker": {1, false, false}, "a crowd": {15, false, true}, "a GPU whose times came late": {2, true, false}} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			f := sideBySide(0, c.workers)
			for i := range f.Lanes {
				f.Lanes[i].Device = c.devices && !f.Lanes[i].Updater
			}
			must.Do(t, s.WriteFrame(f))
			r := new(report.Report)
			s.View().AppendReport(r)
			shown := false
			for _, column := range r.Columns {
				shown = shown || column == report.ColumnAtOnce
			}
			if shown != c.shown || r.AtOnce != c.shown {
				t.Errorf("got the column: %v, AtOnce: %v; want %v", shown, r.AtOnce, c.shown)
			}
			for _, record := range r.Records {
				want := record.Values[report.ColumnHier] / 10
				if c.shown && differs(record.Values[report.ColumnAtOnce], want) {
					t.Errorf("%s: got %g at once; want %g", record.Name, record.Values[report.ColumnAtOnce], want)
				}
			}
		})
	}
}

func differs(a, b float64) bool { return math.Abs(a-b) > 1e-9*math.Abs(b) }

func TestOverheadIncludesSlowPaths(t *testing.T) {
	s := process.NewSession()
	f := sideBySide(0, 2)
	for i := range f.Lanes {
		f.Lanes[i].Slow = 700 // us
	}
	f.ScopeCost = 100 * 1024
	must.Do(t, s.WriteFrame(f))
	const want = 3 * (0.7 + 0.1) // ms: each lane has one entry
	if got := s.Dump(report.DumpOptions{}).Overhead; differs(got.Seconds()*1000, want) {
		t.Errorf("got an overhead of %v; want %g ms", got, want)
	}
	if got := s.View().Info().Overhead; differs(got, want/10) {
		t.Errorf("got an overhead of %g of the frame; want %g", got, want/10)
	}
}

// Lanes are counted in a time of any length, and not in no time.
func TestLanesAtOnceInShortTimes(t *testing.T) {
	for passed, want := range map[time.Duration]float64{0: 0, time.Microsecond: 400, 400 * time.Microsecond: 1,
		time.Millisecond: 0.4} {
		if want <= report.MinAtOnce {
			want = 0
		}
		if got := report.AtOnce(0.4, passed); math.Abs(got-want) > 1e-9 {
			t.Errorf("0.4 ms in %v: got %g lanes at once; want %g", passed, got, want)
		}
	}
}
