package process_test

import (
	"fmt"
	"runtime"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Frames that lost their records before anybody looked are gaps, not what was in their place before.
func TestFramesThatNobodyTookIn(t *testing.T) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: 10, Bytes: 200})
	pulse(t, s, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9)
	s.AppendSeries(nil, 10)
	for range 6 {
		write(t, s, tree(0, []string{"beat", "rest*"}, "beat 0.01 1\n")) // too short to be taken in without a reader
	}
	got, unknown := s.AppendZoneHistory(nil, 1, 10), 0
	for i, v := range got {
		if v != v {
			unknown++
		} else if want := float32(9); i >= 4 && v == want {
			t.Errorf("%d frames ago: got %v; want what that frame took, or nothing", len(got)-1-i, v)
		}
	}
	if unknown == 0 {
		t.Errorf("got %v; want gaps", got)
	}
}

// zonesFrame is a frame in which zone 1 takes index+1 ticks of a millisecond, and others are known.
func zonesFrame(index uint64, zones []gather.ZoneInfo) *gather.Frame {
	return &gather.Frame{Index: index, TicksPerSecond: 1000, End: 1, Zones: zones, Lanes: []gather.LaneFrame{{
		ID: 1, Updater: true, End: 1,
		Nodes: []gather.Node{{Parent: -1}, {ID: 1, Zone: 1, Count: 1, Self: platform.Ticks(index + 1)}}}}}
}

// allZonesFrame is a frame in which every zone was entered.
func allZonesFrame(index uint64, zones []gather.ZoneInfo) *gather.Frame {
	f := zonesFrame(index, zones)
	for i := 2; i < len(zones); i++ {
		n := gather.Node{ID: gather.NodeID(i), Zone: gather.ZoneID(i), Count: 1, Self: 1}
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, n)
	}
	return f
}

func manyZones(n int) []gather.ZoneInfo {
	zones := []gather.ZoneInfo{{Name: "(root)"}}
	for i := range n {
		zones = append(zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
	}
	return zones
}

// heapMB returns the megabytes in live objects.
func heapMB() float64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return float64(m.HeapAlloc) / 1e6
}

// A long history of many zones takes memory as frames come in, and not without end.
func TestHistoryTakesMemoryAsFramesComeIn(t *testing.T) {
	zones := manyZones(2000)
	s := process.NewSession()
	before := heapMB()
	s.SetHistory(100_000, 100_000)
	write(t, s, allZonesFrame(0, zones))
	s.View().Info()
	if got := heapMB() - before; got > 25 {
		t.Errorf("one frame: the heap grew by %.1f MB; want less than 25", got)
	}
	const frames = 8000
	for i := range frames {
		write(t, s, zonesFrame(uint64(i+1), zones))
	}
	s.View().Info()
	if got := heapMB() - before; got > 100 {
		t.Errorf("%d frames: the heap grew by %.1f MB; want less than 100", frames, got)
	}
	if got := s.HistoryLimits().Frames; got != 100_000 {
		t.Errorf("got a history of %d frames; want what was set", got)
	}
	checkNewest(t, s, frames, 1000)
	s.Reset()
	if got := heapMB() - before; got > 25 {
		t.Errorf("after Reset: the heap is larger by %.1f MB; want less than 25", got)
	}
}

// checkNewest compares the newest frames of zone 1 with what was written.
func checkNewest(t *testing.T, s *process.Session, last uint64, frames int) {
	t.Helper()
	for _, series := range s.AppendSeries(nil, frames) {
		if series.Zone != 1 {
			continue
		}
		if len(series.Values) != frames {
			t.Fatalf("got %d frames; want %d", len(series.Values), frames)
		}
		for i, v := range series.Values {
			if want := float32(last + 1 - uint64(frames-1-i)); v != want {
				t.Fatalf("frame %d: got %v ms; want %v", i, v, want)
			}
		}
		return
	}
	t.Fatal("got no series of zone 1")
}

// A history that grows loses no frame, and one in which zones become many keeps the newest.
func TestHistoryGrowsAndShrinks(t *testing.T) {
	s := process.NewSession()
	s.SetHistory(5000, 5000)
	zones := manyZones(5)
	for i := range 5000 {
		write(t, s, zonesFrame(uint64(i), zones))
		if i%1000 == 999 {
			checkNewest(t, s, uint64(i), i+1)
		}
	}
	for i := 5000; i < 5100; i++ {
		zones = append(zones, manyZones(200)[1:]...)
		write(t, s, zonesFrame(uint64(i), zones))
	}
	checkNewest(t, s, 5099, 200)
	if d := s.Dump(report.DumpOptions{}); d.Merged[1].Self != 5100*5101/2 {
		t.Errorf("got %v ms in all; want %v", d.Merged[1].Self, 5100*5101/2)
	}
}

// A program of which nothing was entered yet has frames, too. They are digested when later ones have made the root
// known, as those of a capture.
func TestFramesBeforeTheFirstLane(t *testing.T) {
	s := process.NewSession()
	s.SetHistoryLimits(process.HistoryLimits{Frames: 100_000, Bytes: 256 << 20})
	zones := manyZones(1)
	for i := range uint64(2) {
		f := zonesFrame(i, zones)
		f.Begin = platform.Ticks(i)
		f.End = platform.Ticks(i + 1)
		if i < 1 {
			f.Lanes = nil
		}
		must.Do(t, s.WriteFrame(f))
	}
	d := s.Dump(report.DumpOptions{NoFrames: true})
	if got := d.ZoneTotals()[0]; got.Zone != 1 || got.Count != 1 || got.Self != 2 {
		t.Errorf("got %+v; want the entry of the second frame", got)
	}
}
