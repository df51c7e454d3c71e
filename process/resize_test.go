package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// twoZones are the times of a frame: of the zone beat itself, and of late, which it enters from the lateFrom-th frame
// on.
type twoZones struct{ beat, late float64 }

const lateFrom = 7

// naiveHistory is a list of all frames, and which of them a history of that size holds.
type naiveHistory struct {
	all        []twoZones
	size, full int
	first      int  // of those held
	lost       int  // frames before it have no report any more
	again      bool // after a Reset, which leaves zones known
}

// trim lets frames go as a history of that size has to.
func (h *naiveHistory) trim() {
	h.first = max(h.first, len(h.all)-h.size)
	h.lost = max(h.lost, h.first, len(h.all)-h.full)
}

func (h *naiveHistory) resize(s *process.Session, size, full int) {
	h.size, h.full = size, min(full, size)
	h.trim()
	s.SetHistory(size, full)
}

func (h *naiveHistory) reset(s *process.Session) {
	*h = naiveHistory{size: h.size, full: h.full, again: h.again || len(h.all) > lateFrom}
	s.Reset()
}

// add makes a frame.
func (h *naiveHistory) add(t *testing.T, s *process.Session, random *rand.Rand) {
	f := twoZones{beat: float64(1 + random.IntN(40))}
	text := fmt.Sprintf("beat %v 1\n", f.beat)
	if len(h.all) >= lateFrom {
		f.late = float64(1 + random.IntN(40))
		text += fmt.Sprintf("  late %v 1\n", f.late)
	}
	write(t, s, tree(uint64(len(h.all)), []string{"beat", "late"}, text))
	h.all = append(h.all, f)
	h.trim()
}

// TestHistoryThatChangesItsSize compares what is told of the frames held with a naive list, while the history grows,
// shrinks and goes on, looked at after each step or seldom.
func TestHistoryThatChangesItsSize(t *testing.T) {
	for seed := range uint64(100) {
		random := rand.New(rand.NewPCG(seed, 3))
		s, h := process.NewSession(), &naiveHistory{}
		h.resize(s, 5, 5)
		for range 60 {
			switch n := random.IntN(40); {
			case n < 6:
				h.resize(s, 2+random.IntN(12), 2+random.IntN(12))
			case n < 7:
				h.reset(s)
			default:
				h.add(t, s, random)
			}
			if seed%3 == 0 || random.IntN(8) == 0 {
				h.compare(t, s, seed)
			}
		}
		h.compare(t, s, seed)
	}
}

func (h *naiveHistory) compare(t *testing.T, s *process.Session, seed uint64) {
	t.Helper()
	what := fmt.Sprintf("history %d: frames %d..%d, reports from %d, size %d, %d",
		seed, h.first, len(h.all), h.lost, h.size, h.full)
	h.compareFrames(t, s, what)
	h.compareSeries(t, s, what)
	if len(h.all) > h.first {
		h.compareReports(t, s, what)
		h.compareStatistics(t, s, what)
	}
}

// compareFrames compares the summaries, and how far one can move.
func (h *naiveHistory) compareFrames(t *testing.T, s *process.Session, what string) {
	t.Helper()
	got, held := s.AppendFrames(nil, 1000), h.all[h.first:]
	if len(got) != len(held) {
		t.Fatalf("%s: got %d summaries; want %d", what, len(got), len(held))
	}
	for i, want := range held {
		if f := got[i]; f.Index != uint64(h.first+i) || f.Length != float32(want.beat+want.late) ||
			f.HasReport != (h.first+i >= h.lost) {
			t.Fatalf("%s: got %+v; want frame %d of %v ms", what, f, h.first+i, want)
		}
	}
	s.View().MoveFrame(-1000)
	if got, want := s.View().Get().Age, max(len(held)-1, 0); got != want {
		t.Fatalf("%s: moved %d frames back; want %d", what, got, want)
	}
	s.View().MoveFrame(1000)
}

// times are a zone's in the frames held, NaN in those from before it was known.
func (h *naiveHistory) times(zone report.ZoneID) (self, hier []float32) {
	for i, f := range h.all[h.first:] {
		times := twoZones{f.beat, f.beat + f.late}
		if zone == 2 {
			times = twoZones{f.late, f.late}
			if !h.again && h.first+i < lateFrom {
				times = twoZones{math.NaN(), math.NaN()}
			}
		}
		self, hier = append(self, float32(times.beat)), append(hier, float32(times.late))
	}
	return self, hier
}

// compareSeries compares each zone's times in the frames held.
func (h *naiveHistory) compareSeries(t *testing.T, s *process.Session, what string) {
	t.Helper()
	for _, series := range append(s.AppendSeries(nil, 1000), s.AppendTopSeries(nil, 1000, 9, 2)...) {
		if self, _ := h.times(series.Zone); series.Zone > 0 && !equalTimes(series.Values, self) {
			t.Fatalf("%s: got series %v of %s; want %v", what, series.Values, series.Name, self)
		}
	}
	for zone := report.ZoneID(1); zone <= 2; zone++ {
		if got := s.AppendZoneHistory(nil, zone, 1000); len(got) > 0 {
			if _, hier := h.times(zone); !equalTimes(got, hier) {
				t.Fatalf("%s: got history %v of zone %d; want %v", what, got, zone, hier)
			}
		}
		if got := s.AppendPathHistory(nil, int32(zone), 1000); len(got) > 0 { // each has one path, of the same number
			if _, hier := h.times(zone); !equalTimes(got, hier) {
				t.Fatalf("%s: got history %v of path %d; want %v", what, got, zone, hier)
			}
		}
	}
}

func equalTimes(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(a, b float32) bool { return a == b || a != a && b != b })
}

// compareReports compares the report of every frame held.
func (h *naiveHistory) compareReports(t *testing.T, s *process.Session, what string) {
	t.Helper()
	for age := range len(h.all) - h.first {
		f, i := h.all[len(h.all)-1-age], len(h.all)-1-age
		var r report.Report
		s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant, Age: age})
		if r.Frame.Gone != (i < h.lost) {
			t.Fatalf("%s: report of frame %d: gone %v; want %v", what, i, r.Frame.Gone, i < h.lost)
		}
		for _, rec := range r.Records {
			want := map[string]float64{"beat": f.beat, "late": f.late}[rec.Name]
			if got := rec.Values[report.ColumnSelf]; !r.Frame.Gone && got != want {
				t.Fatalf("%s: got %v ms of %s in frame %d; want %v", what, got, rec.Name, i, want)
			}
		}
	}
	if got := s.AppendFrames(nil, 1); got[0].Index != uint64(len(h.all)-1) {
		t.Fatalf("%s: got frame %d; want the newest", what, got[0].Index)
	}
}

// compareStatistics compares the statistics over the history: those of a zone, and of frames.
func (h *naiveHistory) compareStatistics(t *testing.T, s *process.Session, what string) {
	t.Helper()
	self, hier := h.times(1)
	r := beat(t, s, append(hierColumns[:], selfColumns[:]...)...)
	compareStats(t, what, r, hierColumns, doubles(hier), 1e-5)
	compareStats(t, what, r, selfColumns, doubles(self), 1e-5)
	if got, want := s.View().Info().P99, slices.Max(hier); float32(got) != want { // of fewer than 100, the greatest
		t.Fatalf("%s: got %v as the longest frame; want %v", what, got, want)
	}
}

func doubles(v []float32) (d []float64) {
	for _, x := range v {
		d = append(d, float64(x))
	}
	return d
}

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
