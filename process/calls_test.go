//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

func TestCallsOfAZoneAreCounted(t *testing.T) {
	s := process.Default()
	callsZone := &gather.Zone{Name: "counted by call"} // its calls are kept, so a repeated test has another
	callsZone.Begin().End()
	s.Update()
	zone, _ := callsZone.ID()
	s.SetPerCall(zone, true)
	defer s.SetPerCall(zone, false)
	callsZone.Begin().End() // the lane learns it at this one
	for range 100 {
		callsZone.Begin().End()
	}
	calls, last := uint64(0), -1.0
	for _, b := range s.AppendCalls(nil, zone) {
		calls += b.Count
		if b.Low <= last || b.High <= b.Low {
			t.Errorf("bucket %v after one from %v on; want them in order", b, last)
		}
		last = b.Low
	}
	if calls < 99 || calls > 101 {
		t.Errorf("calls: got %d; want 100, or one more or less", calls)
	}
	r := report.Report{WantCalls: true}
	s.View().AppendReport(&r)
	bars := uint64(0)
	for _, c := range r.Calls {
		if c.Zone == zone {
			for _, n := range c.Bars {
				bars += n
			}
			// P50 is 0 with a coarse clock
			ordered := c.Times.P50 <= c.Times.P99 && c.Times.P99 <= c.Times.Max && c.Times.Max > 0
			if c.Name != callsZone.Name || c.Count != calls || !ordered {
				t.Errorf("row: got %+v; want %d calls", c, calls)
			}
		}
	}
	if bars != calls {
		t.Errorf("bars: got %d calls in %d rows; want %d", bars, len(r.Calls), calls)
	}
	if r.WantCalls = false; len(r.Calls) == 0 {
		t.Error("no rows")
	}
	if s.View().AppendReport(&r); len(r.Calls) != 0 {
		t.Errorf("not wanted: got %v", r.Calls)
	}
	if got := process.NewSession().AppendCalls(nil, zone); got != nil {
		t.Errorf("another session: got %v; want none", got)
	}
	var snap process.Snapshot
	s.View().SetCursorZone(zone)
	s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
	if !snap.Around.Counts {
		t.Error("the card of a running program cannot begin to count; want that it can")
	}
}

// What was counted before a Reset stays out, also when its lane ends.
func TestCallsBeforeResetDoNotComeBack(t *testing.T) {
	s := process.Default()
	zone := gather.Zone{Name: "counted before Reset"}
	zone.SetPerCall(true)
	defer zone.SetPerCall(false)
	worked, end, ended := make(chan bool), make(chan bool), make(chan bool)
	go func() {
		defer close(ended)
		lane := gather.Register("worker")
		defer lane.Close()
		for range 100 {
			zone.Begin().End()
		}
		worked <- true
		<-end
		for range 10 {
			zone.Begin().End()
		}
	}()
	<-worked
	s.Update()
	s.Reset()
	end <- true
	<-ended
	s.Update()
	s.Update()
	id, _ := zone.ID()
	counted := uint64(0)
	for _, z := range s.Dump(report.DumpOptions{}).Statistics {
		if z.Zone == id {
			counted = z.CallsCounted
		}
	}
	if counted != 10 {
		t.Errorf("calls since Reset: got %d; want 10", counted)
	}
}

// search finds calls in the whole history.
func search(s *process.Session, q timeline.CallQuery) *timeline.CallSearch {
	found := &timeline.CallSearch{Query: q}
	for _, f := range s.AppendFrames(nil, 1<<20) {
		found.Take(f.Index, s.AppendTimelineFrame(nil, 0, f.Index))
	}
	found.End()
	return found
}

// spellCall is a call as a line.
func spellCall(lane report.LaneID, parent report.ZoneID, frame uint64, begin, length int64, open bool) string {
	return fmt.Sprintf("lane %d in frame %d at %d for %d below %d open %v", lane, frame, begin, length, parent, open)
}

// callsOf spells the calls of a zone that the test saw. The first border is the beginning of the frame first.
func callsOf(all []entered, zone report.ZoneID, borders []int64, first uint64, least int64) (lines []string) {
	now := borders[len(borders)-1]
	for i, e := range all {
		end := e.end
		if end < 0 {
			end = now
		}
		if e.zone != zone || end-e.begin < least {
			continue
		}
		frame := len(borders) - 2
		for borders[frame] > e.begin {
			frame--
		}
		parent := report.ZoneID(0)
		for k := i - 1; k >= 0; k-- {
			if all[k].lane == e.lane && all[k].level == e.level-1 {
				parent = all[k].zone
				break
			}
		}
		lines = append(lines, spellCall(e.lane, parent, first+uint64(frame), e.begin-borders[frame], end-e.begin,
			e.end < 0))
	}
	return lines
}

// TestCallsOfAZoneByLength compares with what the test wrote down itself. Calls cross the borders of frames.
func TestCallsOfAZoneByLength(t *testing.T) {
	l, s := newLiveWithEvents(t)
	var all []entered
	open, borders := map[report.LaneID][]int{}, []int64{l.now}
	for frame := range 100 {
		all = l.watch(all, open, 3+frame%30)
		l.now++
		l.finish(t, s)
		borders = append(borders, l.now)
	}
	first := s.View().Info().Index - 99
	for _, least := range []int64{1, 30} {
		for _, zone := range l.ids {
			found := search(s, timeline.CallQuery{Zone: zone, From: float64(least)})
			var got []string
			for i := range found.Found {
				c := &found.Found[i]
				got = append(got, spellCall(c.Lane, c.Parent, c.Frame, int64(math.Round(c.Begin)),
					int64(math.Round(c.Length())), c.After))
			}
			want := callsOf(all, zone, borders, first, least)
			if len(want) < 3 {
				t.Fatalf("got %d calls of %d ms; want some", len(want), least)
			}
			compare(t, fmt.Sprintf("zone %d, %d ms", zone, least), got, want)
			if found.Count != len(want) || found.Frames != 100 {
				t.Errorf("got %d calls of %d frames; want %d of 100", found.Count, found.Frames, len(want))
			}
		}
	}
}

// TestCallsOfKeepTheNewest bounds what is kept, and counts all.
func TestCallsOfKeepTheNewest(t *testing.T) {
	p := newPacer(t, 1<<12)
	for i := range 50 {
		p.frame(4, i)
	}
	found := search(p.s, timeline.CallQuery{Zone: p.ids[2], Most: 10, From: 5, To: 40})
	lengths := []float64{}
	for i := range found.Found {
		lengths = append(lengths, math.Round(found.Found[i].Length()))
	}
	want := []float64{38, 38, 39, 39, 39, 39, 40, 40, 40, 40}
	if !slices.Equal(lengths, want) || found.Count != 4*36 {
		t.Errorf("got %v of %d; want %v of 144", lengths, found.Count, want)
	}
}

// Calls end where the next frame does not follow the last. They are found once, and are not joined with those of later
// frames.
func TestCallsEndAtAGap(t *testing.T) {
	const zone = 1
	s := timeline.CallSearch{Query: timeline.CallQuery{Zone: zone}}
	scope := func(lane report.LaneID, before bool) timeline.Scope {
		return timeline.Scope{Zone: zone, Lane: lane, Begin: 1, End: 4, Before: before, After: true}
	}
	s.Take(3, []timeline.Scope{scope(1, false), scope(2, false)})
	s.Take(7, []timeline.Scope{scope(1, true)})
	s.Take(9, nil)
	s.End()
	var got []string
	for _, c := range s.Found {
		got = append(got, fmt.Sprint(c.Frame, c.Lane, c.Length()))
	}
	slices.Sort(got)
	if want := []string{"3 1 3", "3 2 3", "7 1 3"}; !slices.Equal(got, want) || s.Count != len(want) {
		t.Errorf("got %q, %d in all; want %q", got, s.Count, want)
	}
}

// A card shows who calls a zone, also of a view in which nobody has chosen anything.
func TestAroundOfAViewWithoutChoices(t *testing.T) {
	around := func(choose func(v *process.View)) (names []string) {
		v := bumpy(t).View()
		choose(v)
		var now process.Snapshot
		v.Snapshot(&now, process.SnapshotOptions{Around: true})
		for i := range now.Around.Report.Records {
			names = append(names, now.Around.Report.Records[i].Name)
		}
		return names
	}
	got := around(func(*process.View) {})
	want := around(func(v *process.View) { v.SetReportMode(report.ReportSelfTime) })
	if !slices.Equal(got, want) || len(want) != 3 {
		t.Errorf("got %q around the zone; want %q, as after a choice", got, want)
	}
}
