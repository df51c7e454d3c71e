//go:build !iprof_off

package process_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// uttered is a remark as the test made it.
type uttered struct {
	of   int // index of the scope among all
	at   int64
	text string
}

// utter has open scopes of all players say something, and writes it down. Every third remark is a value.
func (l *live) utter(said []uttered, open map[report.LaneID][]int) []uttered {
	for _, p := range l.players {
		if len(p.scopes) == 0 || l.random.IntN(3) == 0 {
			continue
		}
		k, n := l.random.IntN(len(p.scopes)), len(said)
		u := uttered{open[p.lane][k], l.now, fmt.Sprint("chunk ", n)}
		if n%3 == 0 {
			u.text = fmt.Sprint("value ", n)
			p.run(func() { p.scopes[k].Value(float64(n)) })
		} else {
			p.run(func() { p.scopes[k].Text(u.text) })
		}
		said = append(said, u)
	}
	return said
}

// saidIn returns what was said of a scope in a stretch of time: the texts in their order, then the last value.
func saidIn(said []uttered, of int, from, to int64) string {
	var parts []string
	value := ""
	for _, u := range said {
		if u.of != of || u.at < from || u.at > to {
			continue
		}
		if strings.HasPrefix(u.text, "value ") {
			value = u.text
		} else {
			parts = append(parts, u.text)
		}
	}
	if value != "" {
		parts = append(parts, value)
	}
	return strings.Join(parts, ", ")
}

// TestRemarksAreThoseOfTheirScopes compares with what the test itself wrote down: by frame, and by call over the
// borders of frames.
func TestRemarksAreThoseOfTheirScopes(t *testing.T) {
	l, s := newLiveWithEvents(t)
	var all []entered
	var said []uttered
	open, borders := map[report.LaneID][]int{}, []int64{l.now}
	for frame := range 200 {
		for range 1 + frame%6 {
			all = l.watch(all, open, 1+frame%5)
			l.now++
			said = l.utter(said, open)
			l.now++
		}
		l.finish(t, s)
		borders = append(borders, l.now)
		from, to := borders[frame], borders[frame+1]
		var got, want []string
		for _, c := range s.AppendTimelineFrame(nil, 0, s.View().Info().Index) {
			for _, line := range told([]timeline.Scope{c}) {
				got = append(got, line+" "+string(c.Remark.AppendText(nil, nil)))
			}
		}
		for i, e := range all {
			for _, line := range within([]entered{e}, e.lane, from, to) {
				want = append(want, line+" "+saidIn(said, i, from, to))
			}
		}
		compare(t, fmt.Sprint("frame ", frame), got, want)
	}
	if len(said) < 500 {
		t.Fatalf("got %d remarks; want many", len(said))
	}
	for _, zone := range l.ids {
		var got, want []string
		for _, c := range search(s, timeline.CallQuery{Zone: zone, From: 1}).Found {
			got = append(got, fmt.Sprint(math.Round(c.Length()), " ", string(c.Remark.AppendText(nil, nil))))
		}
		for i, e := range all {
			if e.end < 0 {
				e.end = l.now
			}
			if e.zone == zone && e.end > e.begin {
				want = append(want, fmt.Sprint(e.end-e.begin, " ", saidIn(said, i, 0, l.now)))
			}
		}
		compare(t, fmt.Sprint("calls of zone ", zone), got, want)
	}
	checkRows(t, s, all, said, borders)
}

// checkRows compares the remarks of the rows of a snapshot's timeline: of the scopes that began in the last frames.
func checkRows(t *testing.T, s *process.Session, all []entered, said []uttered, borders []int64) {
	t.Helper()
	now, shown := borders[len(borders)-1], borders[len(borders)-2]
	var shot process.Snapshot
	for _, frames := range []int{1, 40, 3} { // the rows lose frames and get them again
		from := borders[len(borders)-1-frames]
		var got, want []string
		s.View().Snapshot(&shot, process.SnapshotOptions{Timeline: true, TimelineFrom: float64(from - shown)})
		for i := range shot.Timeline.Rows {
			r := &shot.Timeline.Rows[i]
			for k := r.From; k < len(r.At); k++ {
				m := r.Remark(k)
				if m == nil {
					m = new(report.Remark)
				}
				at, zero := r.At[k], shot.Timeline.Origin
				begin, end := math.Round(at.Begin-zero), math.Round(at.End-zero)
				if end > begin && begin >= float64(from-shown) && !r.Before(k) {
					got = append(got, fmt.Sprint(r.Lane, r.Level, r.Zone(k), end, " ", string(m.AppendText(nil, nil))))
				}
			}
		}
		for i, e := range all {
			if e.end < 0 {
				e.end = now
			}
			if e.begin >= from && e.end > e.begin {
				want = append(want, fmt.Sprint(e.lane, e.level, e.zone, e.end-shown, " ", saidIn(said, i, 0, now)))
			}
		}
		compare(t, fmt.Sprint(frames, " frames in sight"), got, want)
	}
}

// Scopes that begin, say something and end in one tick of the clock say it themselves.
func TestRemarksInOneTick(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(1 << 10)
	defer gather.SetEvents(0)
	p, s := l.players[0], process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	p.run(func() { l.zones[0].Begin().End() })
	l.now++
	l.finish(t, process.NewSession())
	p.run(func() {
		a := l.zones[0].Begin()
		for i := range 2 {
			b := l.zones[1].Begin()
			b.Text(fmt.Sprint("inner ", i))
			l.zones[2].Begin().End()
			b.End()
			l.now++
		}
		a.Text("outer")
		a.End()
	})
	l.now++
	l.finish(t, s)
	var got []string
	for _, c := range s.AppendTimelineFrame(nil, p.lane, s.View().Info().Index) {
		got = append(got, string(c.Remark.AppendText(nil, nil)))
	}
	compare(t, "one tick", got, []string{"outer", "inner 0", "", "inner 1", ""})
}

// Rows drop scopes that are long out of sight. The others keep their own remarks.
func TestRemarksOfRowsThatMove(t *testing.T) {
	l := newLive(t)
	gather.SetEvents(1 << 10)
	defer gather.SetEvents(0)
	p, s, shot := l.players[0], process.NewSession(), new(process.Snapshot)
	s.SetSources(func(c *process.Sources) { c.Events = rings{} })
	n, moved := 0, 0
	for frame := range 150 {
		p.run(func() {
			for range 40 {
				scope := l.zones[0].Begin()
				if n++; n%2 == 0 {
					scope.Value(float64(n))
				}
				l.now++
				scope.End()
			}
		})
		l.finish(t, s)
		if s.View().Snapshot(shot, process.SnapshotOptions{Timeline: true}); frame < 2 {
			continue // the first one has no events
		}
		for i := range shot.Timeline.Rows {
			r := &shot.Timeline.Rows[i]
			moved = max(moved, r.Shifted)
			for k := r.From; k < len(r.At); k++ {
				want := float64(n - (len(r.At) - 1 - k))
				if m := r.Remark(k); (m != nil) != (int(want)%2 == 0) || m != nil && m.Value != want {
					t.Fatalf("frame %d, scope %d: got %+v; want %v, or nothing if it is odd", frame, k, m, want)
				}
			}
		}
	}
	if moved < 3 {
		t.Errorf("got rows that moved %d times; want some", moved)
	}
}

// Remarks of a hostile frame on scopes that it does not have change nothing, and those on one scope are bounded.
func TestRemarksOfWhatIsNotThere(t *testing.T) {
	f := &gather.Frame{Begin: 100, End: 200, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
		Lanes: []gather.LaneFrame{{ID: 1, Begin: 100, End: 200, Updater: true,
			Nodes: []gather.Node{{Self: 50, Parent: -1}, {Self: 50, ID: 1, Zone: 1, Count: 1}}}}}
	for _, m := range []gather.Remark{{Time: 150, Lane: 1, Zone: 1, Level: 7}, {Time: 150, Lane: 1, Zone: 9},
		{Time: 150, Lane: 2, Zone: 1}, {Time: 1, Lane: 1, Zone: 1}, {Time: platform.MaxTicks, Lane: 1, Zone: 1},
		{Time: 150, Lane: 1, Zone: 1, Level: -1}, {Time: 150, Lane: 1, Zone: 1, Valued: true, Value: math.Inf(1)}} {
		if m.Text = "not here"; m.Valued {
			m.Text = ""
		}
		f.Remarks = append(f.Remarks, m)
	}
	for range 100 {
		f.Remarks = append(f.Remarks, gather.Remark{Time: 160, Lane: 1, Zone: 1, Text: strings.Repeat("x", 99)})
	}
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = oneScope{} })
	write(t, s, f)
	scopes := s.AppendTimelineFrame(nil, 0, 0)
	if len(scopes) != 1 || scopes[0].Remark == nil {
		t.Fatalf("got %+v; want one scope with a text", scopes)
	}
	if m := scopes[0].Remark; len(m.Text) > 1030 || len(m.Text) < 900 || strings.Contains(m.Text, "here") || m.Valued {
		t.Errorf("got %+v; want about a kilobyte of its own text", m)
	}
}

// oneScope is the events of one scope.
type oneScope struct{}

func (oneScope) AppendEvents(dst []gather.Event, lane report.LaneID, _, _ platform.Ticks) []gather.Event {
	if lane != 1 {
		return dst
	}
	return append(dst, gather.Event{Time: 120, Zone: 1, Node: 1}, gather.Event{Time: 170, Zone: 1, Node: 1, End: true})
}

func (oneScope) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }

// What was dropped is said, and the memory of the others is part of the history's.
func TestRemarksAreBoundedInTheHistory(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
		Lanes: []gather.LaneFrame{{ID: 1, Begin: 0, End: 100, Nodes: []gather.Node{{Self: 100, Parent: -1}}}}}
	for range measure.MaxRemarks {
		f.Remarks = append(f.Remarks, gather.Remark{Lane: 1, Zone: 1, Text: strings.Repeat("x", 64)})
	}
	for f.Index < 250 {
		f.Begin = f.End
		f.End += 100
		f.Index++
		f.Dropped.Remarks = 7
		write(t, s, f)
	}
	var r report.Report
	s.View().AppendReport(&r)
	if all := strings.Join(r.Warnings, "\n"); !strings.Contains(all, "dropped 7 marks or texts of scopes") {
		t.Errorf("got %q; want a warning", all)
	}
	whole := 0
	for _, f := range s.AppendFrames(nil, 300) {
		if f.HasReport {
			whole++
		}
	}
	if whole < 100 || whole > 160 {
		t.Errorf("got %d whole frames of half a megabyte; want those of 64 MB", whole)
	}
}
