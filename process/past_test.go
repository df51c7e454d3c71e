package process_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// busyFrame is a frame in which zone 1 takes some milliseconds.
func busyFrame(index uint64, ms int) *gather.Frame {
	return &gather.Frame{Index: index, TicksPerSecond: 1000, End: platform.Ticks(ms), Zones: manyZones(2),
		Memory: gather.MemoryFrame{AllocBytes: uint64(ms * 7 % 13), Cycles: uint32(ms % 2)},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: platform.Ticks(ms),
			Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: platform.Ticks(ms)}}}}}
}

// Snapshot.Past is compared with the busiest frames of AppendFrames, while frames come in and the window changes.
func TestPastShowsTheBusiestFrameOfEachColumn(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(1000, 1000)
	r := rand.New(rand.NewPCG(1, 24))
	var snap process.Snapshot
	w := report.Window{}
	index := uint64(0)
	for step := range 3000 {
		write(t, s, busyFrame(index, 1+r.IntN(500)))
		index++
		if step == 1500 {
			s.Reset()
			index = 0
		}
		if step%7 != 0 {
			continue
		}
		if step%35 == 0 {
			w = report.Window{Frames: 1 + r.IntN(1200), Skip: r.IntN(300) * r.IntN(2), Columns: 1 + r.IntN(200)}
		}
		s.View().Snapshot(&snap, process.SnapshotOptions{Frames: 300, Series: 4, Past: w, Also: -1})
		comparePast(t, &snap.Past, s.AppendFrames(nil, 1<<20))
	}
}

func comparePast(t *testing.T, p *report.Past, all []report.FrameSummary) {
	t.Helper()
	covered, newest := 0, len(all)-1
	for i := range p.Columns {
		c := &p.Columns[i]
		best, bytes := c.Oldest, uint64(0)
		for age := c.Oldest; age >= c.Newest; age-- {
			if all[newest-age].Busy > all[newest-best].Busy {
				best = age
			}
			bytes = max(bytes, all[newest-age].AllocBytes)
		}
		covered += c.Oldest - c.Newest + 1
		if c.End < c.Begin {
			t.Fatalf("column %d: got %v to %v ms", i, c.Begin, c.End)
		}
		if c.Age != best || c.Index != all[newest-best].Index || c.Busy != all[newest-best].Busy ||
			c.AllocBytes != bytes {
			t.Fatalf("column %d of %d, ages %d to %d: got %+v; want frame %+v of age %d", i, len(p.Columns), c.Oldest,
				c.Newest, *c, all[newest-best], best)
		}
		if got := p.Series[0].Values[i]; math.Abs(float64(got-c.Busy)) > 1e-3 {
			t.Fatalf("column %d: got %v ms of the only zone; want %v", i, got, c.Busy)
		}
		if at := p.At((c.Oldest + c.Newest) / 2); at != i {
			t.Fatalf("At(%d): got %d; want %d", (c.Oldest+c.Newest)/2, at, i)
		}
	}
	if want := min(p.Frames, len(all)-p.Skip); covered != want || p.Kept != len(all) {
		t.Fatalf("got %d frames of %d kept; want %d of %d", covered, p.Kept, want, len(all))
	}
	if most := p.Frames/max(p.Group, 1) + 2; len(p.Columns) > most {
		t.Fatalf("got %d columns; want at most %d", len(p.Columns), most)
	}
	if p.At(-1) >= 0 || p.At(p.Skip+p.Frames) >= 0 {
		t.Fatal("ages out of range: got a column; want -1")
	}
}

// A zone of Keep has a series although others are greater.
func TestSnapshotKeepsSeries(t *testing.T) {
	s := process.NewSession()
	zones := manyZones(6)
	for i := range 20 {
		write(t, s, allZonesFrame(uint64(i), zones))
	}
	var snap process.Snapshot
	for range 2 {
		s.View().Snapshot(&snap, process.SnapshotOptions{Frames: 10, Series: 1, Keep: []report.ZoneID{3, 99, -1},
			Also: 3,
			Past: report.Window{Frames: 10}})
		if len(snap.Series) != 2 || snap.Series[1].Zone != 3 || len(snap.Past.Series) != 2 ||
			len(snap.Past.Shown) != 2 {
			t.Fatalf("got %d series, %d in columns, %d shown; want the first and zone 3", len(snap.Series),
				len(snap.Past.Series), len(snap.Past.Shown))
		}
	}
}
