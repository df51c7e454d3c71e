package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

func ticks(t int64) platform.Ticks { return platform.Ticks(t) }

// mapSource has all events of some lanes.
type mapSource struct {
	events map[report.LaneID][]gather.Event
}

func (m *mapSource) AppendEvents(
	dst []gather.Event, lane report.LaneID, begin, end platform.Ticks,
) []gather.Event {
	for _, e := range m.events[lane] {
		if e.Time >= begin && e.Time <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

func (m *mapSource) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }

// crowdZones are two zones that work and one that waits.
var crowdZones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "job"}, {Name: "part"}, {Name: "wait", Idle: true}}

// crowdEvents makes the events of a goroutine at random: scopes within scopes, some of them idle.
func crowdEvents(r *rand.Rand, begin, end int64) (events []gather.Event) {
	now := begin + r.Int64N((end-begin)/3)
	var inside func(level int32, until int64)
	inside = func(level int32, until int64) {
		for now < until && level < 3 {
			now += r.Int64N(9)
			zone, to := gather.ZoneID(1+r.IntN(3)), min(now+1+r.Int64N(until-begin), until)
			if now >= to {
				return
			}
			events = append(events, gather.Event{Zone: zone, Level: level, Time: ticks(now)})
			inside(level+1, to)
			now = max(now, to)
			events = append(events, gather.Event{Zone: zone, Level: level, End: true, Time: ticks(now)})
			now += 1 + r.Int64N(9)
		}
	}
	inside(0, end-40) // the inner ones may end some ticks later
	return events
}

// atWork reports whether a lane is in a zone at a time, and in none that is idle, by a look at all its scopes.
func atWork(scopes []timeline.Scope, lane report.LaneID, ms float64) bool {
	work := false
	for _, s := range scopes {
		if s.Lane == lane && s.Begin <= ms && ms < s.End {
			if crowdZones[s.Zone].Idle {
				return false
			}
			work = true
		}
	}
	return work
}

// crowdSession has main, a lane with a name, a goroutine alone, and goroutines of one go statement.
func crowdSession(t *testing.T, frames, length int64, lanes int) *process.Session {
	t.Helper()
	return namedSession(t, frames, length, lanes, "shop.serve server.go:42 #%d")
}

// namedSession has main, a lane with a name, a goroutine alone, and goroutines with names of a form.
func namedSession(t *testing.T, frames, length int64, lanes int, form string) *process.Session {
	t.Helper()
	r := rand.New(rand.NewPCG(24, 1))
	s := process.NewSession()
	source := &mapSource{events: map[report.LaneID][]gather.Event{}}
	s.SetSources(func(c *process.Sources) { c.Events = source })
	names := []string{"main", "loader", "shop.alone alone.go:7 #2"}
	for f := range frames {
		frame := &gather.Frame{Index: uint64(f), Begin: ticks(f * length), End: ticks((f + 1) * length),
			TicksPerSecond: 1e6, Zones: crowdZones}
		for i := range lanes {
			id := report.LaneID(1 + i)
			l := gather.LaneFrame{ID: id, Name: fmt.Sprintf(form, i), End: ticks(length)}
			if l.Updater = i == 0; i < len(names) {
				l.Name = names[i]
			}
			l.Nodes = []gather.Node{{ID: gather.NodeID(1 + i), Parent: -1, Self: ticks(length)}}
			frame.Lanes = append(frame.Lanes, l)
			source.events[id] = append(source.events[id], crowdEvents(r, f*length, (f+1)*length)...)
		}
		must.Do(t, s.WriteFrame(frame))
	}
	return s
}

// Goroutines of one go statement are a group. Its load is the number that a count of all scopes gives at each time.
func TestTimelineGroupsAndTheirLoad(t *testing.T) {
	checkGroup(t, "shop.serve server.go:42 #%d", "shop.serve server.go:42", 12)
}

// Many named goroutines are a group, whatever their names: of one pattern, or of none.
func TestManyNamedGoroutinesAreGroups(t *testing.T) {
	checkGroup(t, "worker %d", "worker *", 25)
	checkGroup(t, "10.0.7.1:%05d", "*.*.*.*:*", 25)
	checkGroup(t, "%c", "other goroutines", 90)
}

// checkGroup fails if goroutines with names of a form are no group of a name with the right load.
func checkGroup(t *testing.T, form, name string, lanes int) {
	t.Helper()
	const frames = 40
	s := namedSession(t, frames, 1000, lanes, form)
	var snap process.Snapshot
	for _, age := range []int{3, frames / 2} { // the second time with the memory of the first
		s.View().SetFrame(age)
		s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true, TimelineFrom: -1e9, TimelineTo: 1e9})
	}
	tl := &snap.Timeline
	grouped := 0
	var group *timeline.Group
	for i := range tl.Bands {
		if g := tl.GroupOf(&tl.Bands[i]); g != nil {
			group, grouped = g, grouped+1
		}
	}
	want, first := lanes-3, report.LaneID(4)
	if name == timeline.OtherGoroutines { // also the named one
		want, first = want+1, 2
	}
	if group == nil || grouped != want || group.Lanes != want || group.Name != name || group.First != first ||
		group.Named != (report.Crowd(fmt.Sprintf(form, 1)) == "") {
		t.Fatalf("got %d lanes in groups, one of them %v; want %d in %q, the first %d", grouped,
			groupWords(group), want, name, first)
	}
	all := s.AppendTimelineRange(nil, 0, frames/2, frames, frames)
	most := 0
	for ms := 0.0005; ms < tl.Length; ms += 0.001 {
		n := 0
		for id := first; id <= report.LaneID(lanes); id++ {
			if id != 3 && atWork(all, id, ms) {
				n++
			}
		}
		got := group.AppendLoad(nil, tl.Origin+ms-0.0001, 0.0002, 1)[0]
		if math.Abs(float64(got.Mean)-float64(n)) > 1e-3 || int(got.Most) != n {
			t.Fatalf("at %.4f ms: got %+v; want %d at work", ms, got, n)
		}
		most = max(most, n)
	}
	if group.Most != most {
		t.Errorf("got at most %d at work in the frame; want %d", group.Most, most)
	}
}

// The load of a long stretch of time is that of its parts together, at any zoom.
func TestTimelineLoadAtEveryZoom(t *testing.T) {
	s := crowdSession(t, 40, 1000, 12)
	var snap process.Snapshot
	s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true, TimelineFrom: -1e9, TimelineTo: 1e9})
	tl := &snap.Timeline
	for i := range tl.Groups {
		group := &tl.Groups[i]
		for _, n := range []int{7, 97, 497, 1997} {
			cell := (tl.Most - tl.Least) / float64(n)
			for i, c := range group.AppendLoad(nil, tl.Origin+tl.Least, cell, n) {
				sum, most := 0.0, int32(0)
				for _, p := range group.AppendLoad(nil, tl.Origin+tl.Least+float64(i)*cell, cell/10, 10) {
					sum, most = sum+float64(p.Mean)/10, max(most, p.Most)
				}
				if math.Abs(sum-float64(c.Mean)) > 1e-3 || most != c.Most {
					t.Fatalf("%d cells, cell %d: got %+v; want the sum of its parts, %.4f and %d", n, i, c, sum, most)
				}
			}
		}
		buffer := group.AppendLoad(nil, tl.Origin, tl.Length/500, 500)
		fill := func() { buffer = group.AppendLoad(buffer[:0], tl.Origin, tl.Length/500, 500) }
		if n := allocstest.PerRun(20, fill); n > 0 {
			t.Errorf("got %v allocations; want none", n)
		}
	}
}

// A timeline has a lane with a single level of scopes in sight, although it ended before the frame shown. It has no
// lane without scopes in sight.
func TestTimelineHasLanesThatEnded(t *testing.T) {
	s := process.NewSession()
	scope := func(begin, end int64) []gather.Event {
		return []gather.Event{{Zone: 1, Time: ticks(begin)}, {Zone: 1, End: true, Time: ticks(end)}}
	}
	s.SetSources(func(c *process.Sources) {
		c.Events = &mapSource{map[report.LaneID][]gather.Event{1: scope(2100, 2200), 2: scope(1300, 1400),
			3: scope(100, 200)}}
	})
	for i := range 3 {
		f := &gather.Frame{Index: uint64(i), Begin: ticks(int64(i) * 1000), End: ticks(int64(i+1) * 1000),
			TicksPerSecond: 1e6, Zones: crowdZones}
		for id := range 3 - i {
			root := gather.Node{ID: gather.NodeID(1 + id), Parent: -1, Self: 1000}
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(1 + id), Name: fmt.Sprint("lane ", id),
				Updater: id == 0, End: ticks(1000), Nodes: []gather.Node{root}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	for from, want := range map[float64]int{-0.9: 2, -1.9: 3, 0: 1} {
		var snap process.Snapshot
		s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true, TimelineFrom: from, TimelineTo: 0.5})
		if got := len(snap.Timeline.Bands); got != want {
			t.Errorf("from %v ms on: got %d lanes; want %d", from, got, want)
		}
	}
}

func groupWords(g *timeline.Group) string {
	if g == nil {
		return "none"
	}
	return fmt.Sprintf("%q, first %d, %d lanes, named %v", g.Name, g.First, g.Lanes, g.Named)
}
