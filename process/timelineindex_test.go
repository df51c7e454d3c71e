//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

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
