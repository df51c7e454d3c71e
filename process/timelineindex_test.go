//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// inSight returns the scopes of a timeline in a stretch of time from its origin, cut to it.
func inSight(tl *timeline.Timeline, from, to float64) (lines []string) {
	for i := range tl.Rows {
		r := &tl.Rows[i]
		for at := r.Ending(tl.Origin + from + 0.5); at < len(r.At) && r.At[at].Begin < tl.Origin+to-0.5; at++ {
			begin, end := r.At[at].Begin-tl.Origin, r.At[at].End-tl.Origin
			if end < begin+0.5 {
				continue
			}
			before, after := r.Before(at) || begin < from-0.5, r.After(at) || end > to+0.5
			begin, end = max(begin, from), min(end, to)
			lines = append(lines, spell(r.Lane, r.Zone(at), r.Level, round(begin), round(end), before, after))
		}
	}
	return lines
}

func round(ms float64) int64 { return int64(math.Round(ms)) }

// TestTimelineRowsAreThoseOfAllFrames moves over the history at random while frames come in. It compares the rows,
// which grow, with the scopes read anew each time.
func TestTimelineRowsAreThoseOfAllFrames(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(1 << 14)
	defer gather.SetEvents(0)
	for _, p := range l.players {
		p.run(func() { l.zones[0].Begin().End() })
	}
	l.now++
	l.finish(t, process.NewSession())
	s := process.NewSession()
	s.SetHistory(100, 100)
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	var snap process.Snapshot
	for step := range 600 {
		l.now++ // an event in the tick of a border may come after the frame was read
		for range 1 + l.random.IntN(30) {
			l.step()
		}
		l.now++
		l.finish(t, s)
		if step%7 != 0 {
			s.View().SetFrame(l.random.IntN(step%100 + 1))
		}
		o := process.SnapshotOptions{Timeline: true}
		if step%3 != 0 {
			o.TimelineFrom, o.TimelineTo = -float64(l.random.IntN(1+step)), float64(l.random.IntN(300))
		}
		s.View().Snapshot(&snap, o)
		tl := &snap.Timeline
		from, to := max(min(o.TimelineFrom, 0), tl.Least), min(max(o.TimelineTo, tl.Length), tl.Most)
		begin, end, newer, want := rangeOf(t, s, tl, from, to)
		age := s.View().Get().Age
		// A range has the lanes of its last frame.
		got := slices.DeleteFunc(inSight(tl, begin, end), func(line string) bool {
			return !slices.ContainsFunc(s.AppendTimelineLanes(nil, age-newer), func(l timeline.Lane) bool {
				return strings.HasPrefix(line, fmt.Sprintf("lane %d ", l.ID))
			})
		})
		compare(t, fmt.Sprintf("step %d, age %d, from %g to %g", step, age, from, to), got, want)
		checkSums(t, tl, l.random.IntN)
	}
}

// rangeOf returns the ends of the frames in a stretch of time, how many of them are newer than the frame shown, and
// their scopes.
func rangeOf(t *testing.T, s *process.Session, tl *timeline.Timeline, from, to float64,
) (begin, end float64, newer int, scopes []string) {
	t.Helper()
	age := s.View().Get().Age
	frames := s.AppendTimelineFrames(nil, age, 1<<20, 1<<20)
	older := 0
	for _, f := range frames {
		if f.Age > age && f.End > from {
			older++
		}
		if f.Age < age && f.Begin < to {
			newer++
		}
	}
	if got, want := round(tl.Most-tl.Least), round(frames[len(frames)-1].End-frames[0].Begin); got != want {
		t.Fatalf("got %d ms to move over; want %d", got, want)
	}
	begin, end = 0.0, tl.Length
	for _, f := range frames {
		if f.Age <= age+older && f.Age >= age-newer {
			begin, end = min(begin, f.Begin), max(end, f.End)
		}
	}
	for _, sc := range s.AppendTimelineRange(nil, 0, age, older, newer) {
		if sc.End > sc.Begin+0.5 {
			line := spell(sc.Lane, sc.Zone, sc.Level, round(sc.Begin), round(sc.End), sc.Before, sc.After)
			scopes = append(scopes, line)
		}
	}
	return begin, end, newer, scopes
}

// checkSums compares the sums of groups with plain sums.
func checkSums(t *testing.T, tl *timeline.Timeline, random func(int) int) {
	t.Helper()
	for i := range tl.Rows {
		r := &tl.Rows[i]
		if r.Len() == 0 {
			continue
		}
		from := r.From + random(r.Len())
		to := from + 1 + random(len(r.At)-from)
		want, most := 0.0, -1.0
		for _, s := range r.At[from:to] {
			want, most = want+s.End-s.Begin, max(most, s.End-s.Begin)
		}
		sum, longest := r.Together(from, to)
		far := longest < from || longest >= to || r.At[longest].End-r.At[longest].Begin < most-1e-9
		if math.Abs(sum-want) > 1e-6 || far {
			t.Fatalf("row %d, %d..%d: got %g, longest %d; want %g, one of %g", i, from, to, sum, longest, want, most)
		}
	}
}

func TestTimelineOfARangeOfFrames(t *testing.T) {
	p := newPacer(t, 1<<10)
	for range 10 {
		p.frame(3, 2)
	}
	p.s.View().SetLens(report.Lens{Kind: report.LensRange, From: 4, To: 6})
	var snap process.Snapshot
	p.s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true})
	tl := &snap.Timeline
	if tl.Index != 4 || tl.Until != 6 || round(tl.Length) != 18 {
		t.Fatalf("got frames %d to %d, %g ms; want 4 to 6, 18 ms", tl.Index, tl.Until, tl.Length)
	}
	n := 0
	for _, line := range inSight(tl, 0, tl.Length) {
		if strings.HasPrefix(line, fmt.Sprintf("lane %d ", p.p.lane)) {
			n++
		}
	}
	if n != 9 {
		t.Errorf("got %d scopes; want the 9 of three frames", n)
	}
}

func TestTimelineSnapshotAllocatesNothing(t *testing.T) {
	p := newPacer(t, 1<<12)
	var snap process.Snapshot
	o := process.SnapshotOptions{Timeline: true, Brief: false, TimelineFrom: -60}
	step := func() {
		p.frame(20, 0)
		p.now += 5
		p.s.View().Snapshot(&snap, o)
	}
	for range 800 {
		step()
	}
	update := allocstest.PerRun(100, func() { p.s.Update(); p.now += 5 }) // some without assembly
	allocs := allocstest.PerRun(100, func() { p.s.Update(); p.now += 5; p.s.View().Snapshot(&snap, o) })
	if allocs > update+1 {
		t.Errorf("got %v allocations a frame; want the %v of Update", allocs, update)
	}
}
