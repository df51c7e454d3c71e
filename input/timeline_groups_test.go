package input

import (
	"fmt"
	"slices"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// script has events of lanes: each frame of 10 ms, a goroutine is in the zone "job" for a while, and main in "join",
// waiting.
type script struct{}

func (s script) AppendEvents(
	dst []gather.Event, lane report.LaneID, begin, end platform.Ticks,
) []gather.Event {
	for at := begin / 10000 * 10000; at < end; at += 10000 {
		zone, from, to := gather.ZoneID(1), at+500*platform.Ticks(lane), at+500*platform.Ticks(lane)+3000
		if lane == 1 {
			zone, from, to = 2, at+100, at+9900
		}
		dst = append(dst, gather.Event{Zone: zone, Time: from}, gather.Event{Zone: zone, Time: to, End: true})
	}
	return slices.DeleteFunc(dst, func(e gather.Event) bool { return e.Time < begin || e.Time > end })
}

func (s script) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }

// scripted returns a controller of a session with main and goroutines of one go statement, on the large timeline.
func scripted(t *testing.T, frames, goroutines int) *Controller {
	t.Helper()
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = script{} })
	for n := range frames {
		f := &gather.Frame{Index: uint64(n), Begin: platform.Ticks(n * 10000), End: platform.Ticks((n + 1) * 10000),
			TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "job"}, {Name: "join", Idle: true}}}
		for i := range goroutines + 1 {
			l := gather.LaneFrame{ID: gather.LaneID(i + 1), End: 10000}
			l.Name = fmt.Sprintf("shop.serve server.go:42 #%d", i)
			zone := gather.ZoneID(1)
			if i == 0 {
				l.Name, l.Updater, zone = "main", true, 2
			}
			l.Nodes = []gather.Node{{ID: gather.NodeID(2 * i), Parent: -1, Self: 7000},
				{ID: gather.NodeID(2*i + 1), Zone: zone, Self: 3000, Count: 1}}
			f.Lanes = append(f.Lanes, l)
		}
		must.Do(t, s.WriteFrame(f))
	}
	c := NewController(viewer.PanelFor(s))
	c.clock()
	c.panel.Change(func(o *viewer.Options) {
		o.Mode, o.Focused, o.Timeline = viewer.PanelFull, true, viewer.TimelineLarge
	})
	c.panel.View().Session().Pause()
	c.settle()
	return c
}

// lanes returns the lanes with a name in the timeline, and the places of the groups.
func (c *Controller) lanes() (lanes []report.LaneID, groups map[string][2]float64) {
	groups = map[string][2]float64{}
	for y := float32(0); y < testHeight; y += 2 {
		switch h := c.panel.HitAt(60, y); {
		case h.Kind != hit.TimelineLane:
		case h.Name != "":
			groups[h.Name] = [2]float64{60, float64(y)}
		case !slices.Contains(lanes, h.Lane):
			lanes = append(lanes, h.Lane)
		}
	}
	return lanes, groups
}

func TestTimelineGroupsOpenAndFold(t *testing.T) {
	c := scripted(t, 20, 5)
	const statement = "shop.serve server.go:42"
	lanes, groups := c.lanes()
	at, there := groups[statement]
	if !slices.Equal(lanes, []report.LaneID{1}) || !there {
		t.Fatalf("got the lanes %v and the groups %v; want main, and one group of the others", lanes, groups)
	}
	c.tap(at[0], at[1])
	c.settle()
	if lanes, _ = c.lanes(); !slices.Equal(lanes, []report.LaneID{1, 2, 3, 4, 5, 6}) {
		t.Errorf("click on the group: got the lanes %v; want all", lanes)
	}
	c.on(t, "job")
	c.tap(at[0], at[1])
	c.settle()
	if lanes, _ = c.lanes(); len(lanes) != 1 {
		t.Errorf("another click: got the lanes %v; want main alone", lanes)
	}
	c.strike('L', ModAlt)
	c.settle()
	if lanes, _ = c.lanes(); len(lanes) != 6 {
		t.Errorf("Alt+L: got the lanes %v; want all", lanes)
	}
	c.strike('L', ModAlt)
	c.settle()
	if lanes, _ = c.lanes(); len(lanes) != 1 {
		t.Errorf("Alt+L again: got the lanes %v; want main alone", lanes)
	}
}

func TestTimelineGroupsAreBounded(t *testing.T) {
	c := scripted(t, 3, 400)
	c.strike('L', ModAlt)
	c.settle()
	if got := c.panel.State().TimelineSeats; got != 102 {
		t.Errorf("got %d places for lanes and groups; want main, the group, and 100 of its 400 goroutines", got)
	}
}

// A search in a folded group opens it.
func TestTimelineFindOpensTheGroup(t *testing.T) {
	c := scripted(t, 20, 5)
	c.panel.View().SetCursorZone(1)
	c.settle()
	c.strike('N', ModShift)
	c.settle()
	c.layOut()
	if lanes, _ := c.lanes(); len(lanes) != 6 {
		t.Errorf("Shift+N: got the lanes %v; want all, because the scope is in the group", lanes)
	}
}
