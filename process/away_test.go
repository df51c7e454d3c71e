//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// busyGame is a loop of three zones and a wait in frames of 20 ms. Its clock counts microseconds, and the run delays of
// its threads are the test's own.
type busyGame struct {
	now     int64
	threads []time.Duration // by thread, from 1
	thread  int
	waits   bool // before the zones that work
	session *process.Session
}

var busyZones = [...]gather.Zone{{Name: "physics"}, {Name: "ai"}, {Name: "render"}, {Name: "vsync", Idle: true}}

// The usual times of the zones, ms.
var busyUsual = [...]float64{3, 2, 5, 10}

func newBusyGame(t *testing.T) *busyGame {
	g := &busyGame{threads: make([]time.Duration, 4), thread: 1, session: process.NewSession()}
	g.session.SetFrameBudget(time.Second / 50)
	platform.SetClock(func() int64 { return g.now }, 1e6)
	platform.SetRunDelay(func(thread int) (int, time.Duration, bool) {
		if thread == 0 {
			thread = g.thread
		}
		return thread, g.threads[thread], true
	})
	t.Cleanup(func() {
		platform.SetRunDelay(nil)
		platform.SetClock(nil, 0)
	})
	return g
}

// frame runs the zones. work is the work of each zone, and away what the machine takes from it, in ms. With moves the
// goroutine is on another thread after each zone.
func (g *busyGame) frame(work, away [4]float64, moves bool) {
	for i := range busyZones {
		if g.waits {
			i = (i + len(busyZones) - 1) % len(busyZones)
		}
		z := busyZones[i].Begin()
		g.now += int64(1000 * (work[i] + away[i]))
		g.threads[g.thread] += time.Duration(away[i] * 1e6)
		z.End()
		if moves {
			g.thread = g.thread%3 + 1
		}
	}
	g.session.Update()
}

// usual runs a frame of usual length.
func (g *busyGame) usual(moves bool) { g.frame(busyUsual, [4]float64{}, moves) }

// ownOf returns the excess that a verdict gives a zone, and the time that it names beside it in the sentence.
func ownOf(v *report.Verdict, name string) (excess float64) {
	for i := range v.Causes {
		if c := &v.Causes[i]; c.Name == name {
			excess += c.Excess
		}
	}
	return excess
}

// TestTheMachineIsNamedForItsPart plants time away of each length, in each zone, beside a zone that is really slow and
// without one, for a goroutine that stays on its thread and one that does not, which waits after its work or before.
// The machine is named for its part, and the zone for the rest, to the clock's tick.
func TestTheMachineIsNamedForItsPart(t *testing.T) {
	for _, way := range [][2]bool{{false, false}, {true, false}, {false, true}} {
		for _, ms := range []float64{5, 20, 60} {
			for _, slow := range []float64{0, 12, 30, 80} {
				for where := range 5 { // the zones, the wait, and all zones by their work
					moves, waits := way[0], way[1]
					t.Run(fmt.Sprintf("moves %t, waits %t, away %v in %d, slow %v", moves, waits, ms, where, slow),
						func(t *testing.T) {
							g := newBusyGame(t)
							g.waits = waits
							work := busyUsual
							work[1] += slow
							g.testPart(t, moves, work, awayIn(where, ms), ms, slow)
						})
				}
			}
		}
	}
}

// awayIn returns the time away of each zone: all of it in one, or a part in each zone that works.
func awayIn(where int, ms float64) (away [4]float64) {
	if where < 4 {
		away[where] = ms
		return away
	}
	return [4]float64{0.3 * ms, 0.2 * ms, 0.5 * ms, 0}
}

func (g *busyGame) testPart(t *testing.T, moves bool, work, away [4]float64, ms, slow float64) {
	for range 60 {
		g.usual(moves)
	}
	g.frame(work, away, moves)
	var v report.Verdict
	if !g.session.VerdictOf(&v, 0) {
		t.Fatal("got no verdict")
	}
	text := v.String()
	words := "the machine gave the processor to other programs for "
	if moves {
		words += "at most "
	}
	words += fmt.Sprintf("%.1f of %.1f ms", ms, 20+ms+slow)
	first := v.Causes[0].Kind == report.CauseAway
	if small := ms < 0.05*(ms+slow); small != !strings.Contains(strings.ToLower(text), words) {
		t.Fatalf("got  %q\nwant %q: %t", text, words, !small)
	}
	if slow == 0 {
		orElse := moves && len(v.Causes) == 2 && v.Causes[1].Excess == 0 && strings.Contains(text, "; if it did not, ")
		if len(v.Causes) != 1 && !orElse || !first || v.Rest != 0 {
			t.Errorf("nothing is slow: got %q", text)
		}
		return
	}
	if got := ownOf(&v, "ai"); math.Abs(got-slow) > 0.06*slow+0.01 && ambiguous(away, ms, slow) == 0 {
		t.Errorf("ai: got %.1f ms more; want %.1f: %q", got, slow, text)
	}
	for i := range v.Causes {
		if c := &v.Causes[i]; c.Kind != report.CauseAway && c.Name != "ai" && ambiguous(away, ms, slow) == 0 {
			t.Errorf("got %q; want no cause but ai and the machine", text)
		}
	}
	if first != (ms >= slow) && ambiguous(away, ms, slow) == 0 {
		t.Errorf("got %q; want the greater part first", text)
	}
}

// ambiguous returns the zone that could as well be the slow one, 0 for none. It was away for longer than ai was slow,
// but not for all of the time away.
func ambiguous(away [4]float64, ms, slow float64) (zone int) {
	for i, lost := range away[:3] {
		if i != 1 && lost >= 0.9*slow && lost < ms {
			return i + 1
		}
	}
	return 0
}

// After many frames in which other programs had the processor, a zone is still compared with its own times. If all
// frames are disturbed, the machine is named where it took most.
func TestUsualTimesLeaveOutDisturbedFrames(t *testing.T) {
	away := [4]float64{0, 30, 0, 0}
	work := busyUsual
	work[1] += 12
	verdict := func(disturbed func(frame int) bool, work, away [4]float64) string {
		g := newBusyGame(t)
		for i := range 120 {
			if disturbed(i) {
				g.frame(busyUsual, [4]float64{0, 30, 0, 0}, false)
			} else {
				g.usual(false)
			}
		}
		g.frame(work, away, false)
		var v report.Verdict
		g.session.VerdictOf(&v, 0)
		return v.String()
	}
	most, all := func(i int) bool { return i%4 != 0 }, func(int) bool { return true }
	for _, c := range []struct {
		name       string
		busy       func(int) bool
		work, away [4]float64
		want       string
	}{
		{"slow among disturbed", most, work, [4]float64{}, "Frame 120: +12.0 ms. ai 14.0 (usually 2.0)."},
		{"disturbed among disturbed", most, busyUsual, away, "Frame 120: +30.0 ms. The machine gave the processor to " +
			"other programs for 30.0 of 50.0 ms."},
		{"all are", all, busyUsual, away, "Frame 120: 50.0 ms, as usual, over the budget of 20.0. The machine gave " +
			"the processor to other programs for 30.0 of 50.0 ms."},
	} {
		if got := verdict(c.busy, c.work, c.away); got != c.want {
			t.Errorf("%s: got  %q\nwant %q", c.name, got, c.want)
		}
	}
}

// Other goroutines' threads had no processor for as long as a zone took longer. The bound covers all of the excess, and
// the sentence has the zone, too. Time that is known to be away leaves no zone.
func TestABoundHidesNoZone(t *testing.T) {
	for _, c := range []struct {
		moves bool
		want  string
	}{
		{true, "Frame 60: +80.0 ms. The machine gave the processor to other programs for at most 85.0 of 100.0 ms; " +
			"if it did not, ai 82.0 (usually 2.0)."},
		{false, "Frame 60: +80.0 ms. The machine gave the processor to other programs for 85.0 of 100.0 ms."},
	} {
		g := newBusyGame(t)
		for range 60 {
			g.usual(c.moves)
		}
		work := busyUsual
		work[1] += 80
		g.threads[g.thread] += 85 * time.Millisecond // while ai worked on another one, if moves
		g.frame(work, [4]float64{}, c.moves)
		var v report.Verdict
		g.session.VerdictOf(&v, 0)
		if got := v.String(); got != c.want {
			t.Errorf("got  %q\nwant %q", got, c.want)
		}
	}
}

// The sentences are as they were.
func TestNothingIsSaidWhereTheSystemDoesNotTell(t *testing.T) {
	g := newBusyGame(t)
	platform.SetRunDelay(nil)
	for range 60 {
		g.usual(false)
	}
	work := busyUsual
	work[1] += 30
	g.frame(work, [4]float64{}, false)
	var v report.Verdict
	g.session.VerdictOf(&v, 0)
	if got, want := v.String(), "Frame 60: +30.0 ms. ai 32.0 (usually 2.0)."; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if f := g.session.AppendFrames(nil, 1)[0]; f.AwayKnown != gather.AwayUnknown || f.Away != 0 {
		t.Errorf("got %v ms away, known %d; want none", f.Away, f.AwayKnown)
	}
}

// use uses processor time.
func use(d time.Duration) {
	for until := platform.CPUTime() + d; platform.CPUTime() < until; {
	}
}

// A dump has the processor time since start or Reset, without pauses.
func TestProcessorTime(t *testing.T) {
	if platform.CPUTime() == 0 {
		t.Skip("the system does not tell the processor time")
	}
	const some = 100 * time.Millisecond
	s := process.Default()
	now := func() time.Duration { return s.Dump(report.DumpOptions{NoHistory: true, NoTrees: true}).CPU }
	z := &gather.Zone{Name: "used"}
	z.Begin().End()
	s.Update()
	all, start := platform.CPUTime(), now()
	use(some)
	used := now() - start
	most := platform.CPUTime() - all
	if used < some || used > most {
		t.Errorf("got %v; want %v to %v", used, some, most)
	}
	before := now()
	s.Pause()
	use(some)
	paused := now()
	s.Resume()
	if got := max(now(), paused) - before; got >= some {
		t.Errorf("after a pause: got %v more; want less than the %v in it", got, some)
	}
	use(some)
	s.Reset()
	if got := now(); got >= some {
		t.Errorf("after Reset: got %v; want less than the %v before it", got, some)
	}
	if got := process.NewSession().Dump(report.DumpOptions{}).CPU; got != 0 {
		t.Errorf("session of another program: got %v; want 0", got)
	}
}

// Frames bring the processor time of the process, and of lanes whose goroutines are locked to a thread. It sums up in
// dumps, also when lanes are merged and folded, and is beside the lanes of a frame.
func TestProcessorTimeOfLanes(t *testing.T) {
	s := process.NewSession()
	feed := func(frame, lanes int, name string) {
		f := &gather.Frame{Index: uint64(frame), End: 10, TicksPerSecond: 1000, CPU: 15 * time.Millisecond,
			Zones: make([]gather.ZoneInfo, 2)}
		for i := range lanes {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: report.LaneID(i + 1), Name: name + strconv.Itoa(i+1),
				Updater: i == 0, End: 10, CPU: time.Duration(i) * time.Millisecond,
				Nodes: []gather.Node{{Parent: -1, Self: 4}, {ID: 1, Zone: 1, Self: 6, Count: 1}}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	for i := range 4 {
		feed(i, 3, "lane ")
	}
	d := s.Dump(report.DumpOptions{})
	for i, want := range []time.Duration{0, 4 * time.Millisecond, 8 * time.Millisecond} {
		if got := d.Lanes[i].CPU; got != want {
			t.Errorf("lane %d: got %v; want %v", i+1, got, want)
		}
	}
	flat := s.Dump(report.DumpOptions{NoTrees: true, NoHistory: true})
	if d.CPU != 60*time.Millisecond || flat.CPU != d.CPU {
		t.Errorf("process: got %v, and without trees %v; want 60 ms", d.CPU, flat.CPU)
	}
	for _, l := range s.View().AppendLanes(nil) {
		if want := float64(l.ID - 1); l.CPU != want {
			t.Errorf("lane %d in the frame: got %v ms; want %v", l.ID, l.CPU, want)
		}
	}
	i := s.View().Info()
	if i.CPU != 15 || i.Processors() != 1.5 {
		t.Errorf("frame: got %v ms, %v processors; want 15 and 1.5", i.CPU, i.Processors())
	}
	var r report.Report
	if s.View().AppendReport(&r); !strings.Contains(r.Title, "  all goroutines  1.50 processors") {
		t.Errorf("got title %q; want 1.50 processors at its end", r.Title)
	}
	s.Reset()
	feed(9, 12, "main.work work.go:4 #")
	d = s.Dump(report.DumpOptions{})
	if len(d.Lanes) != 1 || d.Lanes[0].CPU != 66*time.Millisecond || d.CPU != 15*time.Millisecond {
		t.Errorf("a crowd after Reset: got %d lanes, %v of %v; want one, 66ms of 15ms", len(d.Lanes), d.Lanes[0].CPU,
			d.CPU)
	}
}
