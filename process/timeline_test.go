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

// rings are the running program's own, for a session that is fed.
type rings struct{}

func (rings) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	return gather.AppendEvents(dst, lane, begin, end)
}

func (rings) EventsSince(lane report.LaneID) (platform.Ticks, bool) { return gather.EventsSince(lane) }

// entered is a scope as the test has seen it; end is -1 while it is open.
type entered struct {
	lane       report.LaneID
	zone       report.ZoneID
	level      int32
	begin, end int64
}

// watch does steps and writes down which scopes they open and close.
func (l *live) watch(all []entered, open map[report.LaneID][]int, steps int) []entered {
	for range steps {
		l.step()
		for _, p := range l.players {
			for was := open[p.lane]; len(was) > len(p.scopes); was = was[:len(was)-1] {
				all[was[len(was)-1]].end = l.now
			}
			open[p.lane] = open[p.lane][:min(len(open[p.lane]), len(p.scopes))]
			if len(p.scopes) > len(open[p.lane]) {
				open[p.lane] = append(open[p.lane], len(all))
				all = append(all, entered{p.lane, p.stack[len(p.stack)-1], int32(len(p.scopes) - 1), l.now, -1})
			}
		}
	}
	return all
}

// within is what of the scopes lies between two times: each as a line, those of no length left out.
func within(all []entered, lane report.LaneID, from, to int64) (lines []string) {
	for _, e := range all {
		end := e.end
		if end < 0 || end > to {
			end = to
		}
		if begin := max(e.begin, from); e.lane == lane && begin < end {
			lines = append(lines, spell(lane, e.zone, e.level, begin-from, end-from, e.begin < from, e.end < 0 ||
				e.end > to))
		}
	}
	return lines
}

func spell(lane report.LaneID, zone report.ZoneID, level int32, begin, end int64, before, after bool) string {
	return fmt.Sprintf("lane %d level %d from %4d to %4d zone %d before %v after %v", lane, level, begin, end, zone,
		before, after)
}

// told is what a session says.
func told(scopes []timeline.Scope) (lines []string) {
	for _, s := range scopes {
		if s.End > s.Begin {
			lines = append(lines, spell(s.Lane, s.Zone, s.Level, int64(math.Round(s.Begin)), int64(math.Round(s.End)),
				s.Before, s.After))
		}
	}
	return lines
}

func compare(t *testing.T, what string, got, want []string) {
	t.Helper()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Fatalf("%s: got\n%q\nwant\n%q", what, got, want)
	}
}

// checkOrder wants scopes of a level one after the other.
func checkOrder(t *testing.T, scopes []timeline.Scope) {
	t.Helper()
	type place struct {
		lane  report.LaneID
		level int32
	}
	end := map[place]float64{}
	for i, s := range scopes {
		at := place{s.Lane, s.Level}
		if s.After && s.Begin == s.End {
			t.Fatalf("scope %d: got one that begins at the end; want it in the next frame only", i)
		}
		if last, ok := end[at]; ok && s.Begin < last {
			t.Fatalf("scope %d: got it from %g after one to %g; want the order of time", i, s.Begin, last)
		}
		end[at] = s.End
	}
}

func TestTimelineStates(t *testing.T) {
	l := newLive(t)
	defer gather.SetEvents(0)
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	p := l.players[0]
	p.run(func() { l.zones[0].Begin() }) // stays open
	frame := func(entries int) {
		p.run(func() {
			for range entries {
				l.now++
				l.zones[1].Begin().End()
			}
		})
		l.now++
		l.finish(t, s)
	}
	state := func(age int) timeline.Lane {
		for _, lane := range s.AppendTimelineLanes(nil, age) {
			if lane.ID == p.lane {
				return lane
			}
		}
		return timeline.Lane{}
	}
	if got := s.AppendTimelineLanes(nil, 0); len(got) != 0 {
		t.Errorf("no frames: got %v; want nothing", got)
	}
	frame(3)
	if got := state(0); got.State != timeline.Off || got.Name != "player 0" ||
		len(s.AppendTimeline(nil, 0, 0)) != 0 {
		t.Errorf("off: got %+v; want TimelineOff, and no scopes", got)
	}
	gather.SetEvents(64)
	l.now++
	frame(10)
	if got := state(0); got.State != timeline.Cut || math.Round(got.From) != 2 {
		t.Errorf("frame in which they were switched on: got %+v; want TimelineCut from 2 ms on", got)
	}
	if got := state(1).State; got != timeline.Gone {
		t.Errorf("frame before they were switched on: got %v; want TimelineGone", got)
	}
	frame(10)
	if got := state(0); got.State != timeline.Whole || got.From != 0 ||
		len(s.AppendTimeline(nil, p.lane, 0)) != 11 {
		t.Errorf("whole: got %+v; want TimelineWhole, 11 scopes", got)
	}
	frame(20)
	cut, scopes := state(1), s.AppendTimeline(nil, 0, 1)
	if cut.State != timeline.Cut || len(scopes) < 4 || len(scopes) > 9 || scopes[0].Begin != cut.From ||
		!scopes[0].Before || !scopes[0].After {
		t.Errorf("partly overwritten: got %+v, %v; want TimelineCut, the scope that stays open from then on, and the "+
			"later ones", cut, scopes)
	}
	frame(200)
	if got := state(1); got.State != timeline.Gone || len(s.AppendTimeline(nil, 0, 1)) != 0 ||
		len(s.AppendTimelineFrames(nil, 99, 0, 0)) != 0 {
		t.Errorf("overwritten: got %+v; want TimelineGone, no scopes", got)
	}
}

func TestTimelineOfTheCallerAndOfAnotherProgram(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(64)
	defer gather.SetEvents(0)
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	p := l.players[2]
	p.run(func() { l.zones[0].Begin().End() })
	l.now += 2
	l.finish(t, s)
	var own, others []timeline.Scope
	p.run(func() { l.zones[1].Begin(); l.now += 3; l.finishBy(s) })
	p.run(func() { own = s.AppendTimeline(nil, timeline.OwnLane, 0) })
	go func() { others = s.AppendTimeline(nil, timeline.OwnLane, 0); p.done <- struct{}{} }()
	<-p.done
	if len(own) != 1 || own[0].Lane != p.lane || !own[0].After || len(others) != 0 {
		t.Errorf("got own %+v, of a goroutine without a lane %+v; want the open scope, and none", own, others)
	}
	s.SetSources(func(c *process.Sources) { c.Events = nil })
	if got := s.AppendTimeline(nil, 0, 0); len(got) != 0 {
		t.Errorf("frames of another program: got %+v from this one's rings; want nothing", got)
	}
}

// finishBy is finish on the calling goroutine.
func (l *live) finishBy(s *process.Session) {
	gather.Collect(&l.frame)
	s.WriteFrame(&l.frame)
}

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
		s.SetSources(func(c *process.Sources) { c.Events = l })
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
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
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
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
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
			s.Pause()
			s.Resume()
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

// scopesOfDump returns the timelines of a dump as scopes of a lane named by its place, by the index of the frame.
func scopesOfDump(d *report.Dump) (all map[uint64][]timeline.Scope, n int) {
	all = map[uint64][]timeline.Scope{}
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		for _, l := range f.Timeline.Lanes {
			for _, s := range l.Scopes {
				n++
				all[f.Index] = append(all[f.Index], timeline.Scope{Zone: s.Zone, Level: int32(s.Level),
					Begin: float64(s.Begin), End: float64(s.End), Before: s.Before, After: s.After})
			}
		}
	}
	return all, n
}

// A dump has the timeline of each frame as AppendTimelineFrame has it.
func TestDumpHasTimelines(t *testing.T) {
	p := newPacer(t, 64)
	p.s.SetSlowest(0)
	for i := range 20 {
		p.frame(1+i%4, 2)
	}
	d := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: 1000})
	got, n := scopesOfDump(d)
	gone := 0
	for i := range d.FrameTrees {
		f := &d.FrameTrees[i]
		want := p.s.AppendTimelineFrame(nil, 0, f.Index)
		for i := range want {
			want[i].Lane = 0
			want[i].Begin, want[i].End = float64(float32(want[i].Begin)), float64(float32(want[i].End))
		}
		compare(t, "frame", told(got[f.Index]), told(want))
		gone += f.Timeline.Gone
		if lanes := p.s.AppendTimelineFrameLanes(nil, f.Index); len(f.Timeline.Lanes)+f.Timeline.Quiet+
			f.Timeline.Gone+f.Timeline.Off != len(lanes) {
			t.Errorf("frame %d: got %+v; want %d lanes", f.Index, f.Timeline, len(lanes))
		}
	}
	if n == 0 || gone == 0 {
		t.Errorf("got %d scopes, and %d lanes without their events; want some of each", n, gone)
	}
	if _, n := scopesOfDump(p.s.Dump(report.DumpOptions{AllFrames: true})); n != 0 {
		t.Errorf("got %d scopes that nobody asked for", n)
	}
}

// A dump has no more scopes than it may, all of a frame or none, and says how many it lacks.
func TestDumpLimitsItsScopes(t *testing.T) {
	p := newPacer(t, 1<<10)
	for range 20 {
		p.frame(10, 1)
	}
	whole := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: 10_000})
	all, total := scopesOfDump(whole)
	for limit := 1; limit < total+20; limit += 17 {
		d := p.s.Dump(report.DumpOptions{AllFrames: true, Scopes: limit})
		some, n := scopesOfDump(d)
		left := 0
		for i := range d.FrameTrees {
			f := &d.FrameTrees[i]
			left += f.Timeline.Left
			if got := len(some[f.Index]); got != 0 && got != len(all[f.Index]) {
				t.Errorf("limit %d, frame %d: got %d scopes; want all %d or none", limit, f.Index, got,
					len(all[f.Index]))
			}
		}
		if n > limit || n+left != total || n+10 < min(limit, total-10) {
			t.Errorf("limit %d: got %d scopes, and %d left out; want %d in all", limit, n, left, total)
		}
	}
}
