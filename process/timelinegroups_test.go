package process_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

func ticks(t int64) platform.Ticks { return platform.Ticks(t) }

// mapSource has all events of some lanes.
type mapSource struct {
	events map[process.LaneID][]gather.Event
}

func (m *mapSource) AppendEvents(
	dst []gather.Event, lane process.LaneID, begin, end platform.Ticks,
) []gather.Event {
	for _, e := range m.events[lane] {
		if e.Time >= begin && e.Time <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

func (m *mapSource) EventsSince(process.LaneID) (platform.Ticks, bool) { return 0, true }

// crowdZones are two zones that work and one that waits.
var crowdZones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "job"}, {Name: "part"}, {Name: "wait", Idle: true}}

// crowdEvents makes the events of a goroutine at random: scopes within scopes, some of them idle.
func crowdEvents(r *rand.Rand, lane gather.LaneID, begin, end int64) (events []gather.Event) {
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
	inside(0, end-2)
	return events
}

// atWork reports whether a lane is in a zone at a time, and in none that is idle, by a look at all its scopes.
func atWork(scopes []process.TimelineScope, lane process.LaneID, ms float64) bool {
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

// Goroutines of one go statement are a group. Its load is the number that a count of all scopes gives at each time.
func TestTimelineGroupsAndTheirLoad(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	s := process.NewSession()
	const frames, length, lanes = 40, 1000, 12
	source := &mapSource{events: map[process.LaneID][]gather.Event{}}
	s.SetEventSource(source)
	for f := range int64(frames) {
		frame := &gather.Frame{Index: uint64(f), Begin: ticks(f * length), End: ticks((f + 1) * length), TicksPerSecond: 1e6,
			Zones: crowdZones}
		for i := range lanes {
			id := process.LaneID(1 + i)
			l := gather.LaneFrame{ID: id, Name: fmt.Sprintf("shop.serve server.go:42 #%d", i), End: length}
			switch i {
			case 0:
				l.Name, l.Updater = "main", true
			case 1:
				l.Name = "loader" // registered
			case 2:
				l.Name = "shop.alone alone.go:7 #2"
			}
			l.Nodes = []gather.Node{{ID: gather.NodeID(1 + i), Parent: -1, Self: length}}
			frame.Lanes = append(frame.Lanes, l)
			source.events[id] = append(source.events[id], crowdEvents(r, id, f*length, (f+1)*length)...)
		}
		if err := s.WriteFrame(frame); err != nil {
			t.Fatal(err)
		}
	}
	var snap process.Snapshot
	s.SetFrame(frames / 2)
	s.Snapshot(&snap, process.SnapshotOptions{Timeline: true, TimelineFrom: -1e9, TimelineTo: 1e9})
	tl := &snap.Timeline
	grouped := 0
	var group *process.TimelineGroup
	for i := range tl.Bands {
		if g := tl.GroupOf(&tl.Bands[i]); g != nil {
			group, grouped = g, grouped+1
		}
	}
	if grouped != lanes-3 || group.Lanes != lanes-3 || group.Name != "shop.serve server.go:42" || group.First != 4 {
		t.Fatalf("got %d lanes in %+v; want the %d of server.go:42, not those with a name or alone", grouped, group, lanes-3)
	}
	all := s.AppendTimelineRange(nil, 0, frames/2, frames, frames)
	most := 0
	for ms := 0.0005; ms < tl.Length; ms += 0.001 {
		n := 0
		for id := process.LaneID(4); id <= lanes; id++ {
			if atWork(all, id, ms) {
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
	cells := group.AppendLoad(nil, tl.Origin+tl.Least, (tl.Most-tl.Least)/497, 497)
	for i, c := range cells {
		parts := group.AppendLoad(nil, tl.Origin+tl.Least+float64(i)*(tl.Most-tl.Least)/497, (tl.Most-tl.Least)/4970, 10)
		sum, most := 0.0, int32(0)
		for _, p := range parts {
			sum, most = sum+float64(p.Mean)/10, max(most, p.Most)
		}
		if math.Abs(sum-float64(c.Mean)) > 1e-3 || most != c.Most {
			t.Fatalf("cell %d: got %+v; want the sum of its parts, %.4f and %d", i, c, sum, most)
		}
	}
	buffer := cells[:0]
	if n := testing.AllocsPerRun(20, func() { buffer = group.AppendLoad(buffer[:0], tl.Origin, tl.Length/500, 500) }); n > 0 {
		t.Errorf("got %v allocations; want none", n)
	}
}
