//go:build !iprof_off

package process_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// TestTimelineStaysWhilePaused lets the rings be overwritten while the frames stand still.
func TestTimelineStaysWhilePaused(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(64)
	defer gather.SetEvents(0)
	s := process.NewSession()
	p := l.players[1]
	work := func(entries int) {
		p.run(func() {
			for range entries {
				z := l.zones[2].Begin()
				l.now++
				z.End()
			}
		})
	}
	work(1)
	s.Update()
	work(10)
	s.Update()
	s.Pause()
	work(500)
	if got := s.AppendTimeline(nil, p.lane, 0); len(got) != 10 {
		t.Errorf("paused: got %d scopes; want the 10 of the frame", len(got))
	}
	s.Resume()
	if got := s.AppendTimeline(nil, p.lane, 0); len(got) != 0 {
		t.Errorf("resumed: got %d scopes; want none, for they are overwritten", len(got))
	}
}

// liar is a source whose events contradict themselves.
type liar struct{ events []gather.Event }

func (l liar) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }
func (l liar) AppendEvents(dst []gather.Event, _ report.LaneID, _, _ platform.Ticks) []gather.Event {
	return append(dst, l.events...)
}

func TestTimelineOfEventsThatLie(t *testing.T) {
	s := process.NewSession()
	f := tree(0, []string{"a"}, "a 16 1\n")
	write(t, s, f)
	for seed := range int64(2000) {
		l := newLiar(seed, f)
		s.SetEventSource(l)
		scopes := s.AppendTimeline(nil, 0, 0)
		if len(scopes) > len(l.events)+1 {
			t.Fatalf("seed %d: got %d scopes of %d events; want no more than one each", seed, len(scopes),
				len(l.events))
		}
	}
}

func newLiar(seed int64, f *gather.Frame) (l liar) {
	r := uint64(seed)*0x9e3779b97f4a7c15 + 1
	next := func(n uint64) int64 { r ^= r << 13; r ^= r >> 7; r ^= r << 17; return int64(r % n) }
	for range next(30) {
		e := gather.Event{Time: f.Begin + platform.Ticks(next(16000)), Zone: report.ZoneID(next(2)),
			Level: int32(next(5)) - 1, End: next(2) == 0}
		if next(50) == 0 {
			e.Level = math.MaxInt32
		}
		l.events = append(l.events, e)
	}
	slices.SortFunc(l.events, func(a, b gather.Event) int { return cmp.Compare(a.Time, b.Time) })
	return l
}

func TestTimelineAllocatesNothing(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(1 << 10)
	defer gather.SetEvents(0)
	s := process.NewSession()
	s.SetEventSource(rings{})
	l.watch(nil, map[report.LaneID][]int{}, 400)
	l.finish(t, s)
	l.watch(nil, map[report.LaneID][]int{}, 400)
	l.finish(t, s)
	var scopes []timeline.Scope
	var lanes []timeline.Lane
	ask := func() {
		scopes = s.AppendTimeline(scopes[:0], 0, 0)
		lanes = s.AppendTimelineLanes(lanes[:0], 0)
	}
	ask()
	if got := allocstest.PerRun(50, ask); got != 0 || len(scopes) == 0 || len(lanes) < 3 {
		t.Errorf("got %v allocations, %d scopes, %d lanes; want 0, some, at least 3", got, len(scopes), len(lanes))
	}
}

// BenchmarkTimeline asks for a frame of 5,000 scopes while the ring holds a million events.
func BenchmarkTimeline(b *testing.B) {
	gather.SetEvents(1 << 20)
	defer gather.SetEvents(0)
	s := process.NewSession()
	s.SetEventSource(rings{})
	z := gather.Zone{Name: "timeline benchmark"}
	var f gather.Frame
	for range 520_000 / 5000 {
		for range 5000 {
			z.Begin().End()
		}
		gather.Collect(&f)
		s.WriteFrame(&f)
	}
	var scopes []timeline.Scope
	b.ReportAllocs()
	for b.Loop() {
		scopes = s.AppendTimeline(scopes[:0], timeline.OwnLane, 1)
	}
	b.ReportMetric(float64(len(scopes)), "scopes")
}

// TestTimelineWhileLanesGoOn asks from several goroutines while lanes overwrite their rings and frames end.
func TestTimelineWhileLanesGoOn(t *testing.T) {
	gather.SetEvents(512)
	defer gather.SetEvents(0)
	s := process.NewSession()
	var zones [4]gather.Zone
	stop, wait := make(chan bool), sync.WaitGroup{}
	for i := range 2 {
		wait.Add(1)
		go func() {
			defer wait.Done()
			lane := gather.Register(fmt.Sprint("busy ", i))
			defer lane.Close()
			for {
				select {
				case <-stop:
					return
				default:
					a := zones[0].Begin()
					zones[1+i].Begin().End()
					zones[3].Begin().End()
					a.End()
				}
			}
		}()
	}
	ask := func() {
		var scopes []timeline.Scope
		var lanes []timeline.Lane
		for age := range 40 {
			scopes = s.AppendTimelineRange(scopes[:0], 0, age%3, age%2, 1)
			lanes = s.AppendTimelineLanes(lanes[:0], 0)
			checkOrder(t, scopes)
			checkInside(t, scopes)
		}
	}
	wait.Add(1)
	go func() {
		defer wait.Done()
		for range 100 {
			s.Update()
			s.TogglePause()
			s.TogglePause()
		}
	}()
	for range 3 {
		ask()
	}
	close(stop)
	wait.Wait()
}

// checkInside wants every scope to lie within the one it was opened in.
func checkInside(t *testing.T, scopes []timeline.Scope) {
	t.Helper()
	around := map[int32]timeline.Scope{}
	for i, s := range scopes {
		if up, ok := around[s.Level-1]; s.Level > 0 && ok && up.Lane == s.Lane &&
			(s.Begin < up.Begin || s.End > up.End) {
			t.Errorf("scope %d: got %+v in %+v; want it inside", i, s, up)
			return
		}
		around[s.Level] = s
	}
}
