package process_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

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

func BenchmarkManyLanes(b *testing.B) {
	s, f := process.NewSession(), laneFrame(0, 0, 10_000)
	b.ReportAllocs()
	for range b.N {
		must.Do(b, s.WriteFrame(f))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/10_000, "ns/lane")
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
