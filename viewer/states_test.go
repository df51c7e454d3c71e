package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// laneEvents are the events of lanes.
type laneEvents map[report.LaneID][]gather.Event

func (l laneEvents) AppendEvents(dst []gather.Event, lane report.LaneID, begin, end platform.Ticks) []gather.Event {
	for _, e := range l[lane] {
		if e.Time >= begin && e.Time <= end {
			dst = append(dst, e)
		}
	}
	return dst
}

func (l laneEvents) EventsSince(report.LaneID) (platform.Ticks, bool) { return 0, true }

// blocked is a session with a frame of 20 ms: main waits for a lock that the loader holds, and the world stops.
func blocked(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	scope := func(zone gather.ZoneID, level int32, begin, end platform.Ticks) []gather.Event {
		return []gather.Event{{Time: begin, Zone: zone, Level: level}, {Time: end, Zone: zone, Level: level, End: true}}
	}
	s.SetSources(func(c *process.Sources) {
		c.Events = laneEvents{1: append(scope(1, 0, 1000, 3000), scope(2, 0, 11000, 15000)...),
			2: append(scope(3, 0, 2000, 14800), scope(1, 1, 9500, 14700)...)}
	})
	node := func(zone gather.ZoneID, self platform.Ticks) []gather.Node {
		return []gather.Node{{ID: 10 * gather.NodeID(zone), Parent: -1, Self: 20000 - self},
			{ID: 10*gather.NodeID(zone) + 1, Zone: zone, Count: 1, Self: self}}
	}
	waiting := gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Begin: 11500, End: 14600, Reason: "mutex",
		Place: "world.go:42", Waker: 2, By: "main.load", At: "world.go:88"}
	must.Do(t, s.WriteFrame(&gather.Frame{Begin: 0, End: 20000, TicksPerSecond: 1e6,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "input"}, {Name: "physics"}, {Name: "stream"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, End: 20000, Nodes: node(2, 6000)},
			{ID: 2, Name: "loader", End: 20000, Nodes: node(3, 12000)}},
		States: []gather.LaneState{{Lane: 1, End: 11500}, waiting,
			{Lane: 1, Kind: gather.StateRunnable, Begin: 14600, End: 15400}, {Lane: 1, Begin: 15400, End: 20000},
			{Lane: 2, Kind: gather.StateSyscall, Begin: 2000, End: 9000, Place: "load.go:7"},
			{Lane: 2, Begin: 9000, End: 14600},
			{Kind: gather.StateStopped, Begin: 17000, End: 18000, Reason: "GC sweep termination"},
			{Kind: gather.StateMarking, Begin: 4000, End: 8000}}}))
	return s
}

// tipAt returns a place at which the tip has a title.
func tipAt(t *testing.T, p *viewer.Panel, title string) (x, y float32, words string) {
	t.Helper()
	for y := float32(60); y < 400; y += 2 {
		for x := float32(120); x < 1000; x += 40 {
			p.SetHover(x, y)
			settled(t, p, 1000, 500, 1)
			if got, words := viewer.Tip(p); got == title {
				return x, y, words
			}
		}
	}
	t.Fatalf("found no tip %q", title)
	return 0, 0, ""
}

func TestTheTimelineSaysWhyALaneDidNotRun(t *testing.T) {
	p := onTimeline(blocked(t).View(), viewer.TimelineLarge, 1000, 500, 1)
	x, y, words := tipAt(t, p, "waiting for mutex")
	if want := "3.100 ms, at world.go:42\nreleased by loader at world.go:88"; words != want {
		t.Errorf("got %q; want %q", words, want)
	}
	p.SetHover(x, y)
	settled(t, p, 1000, 500, 1)
	golden.Picture(t, "timeline-states.png", paint(t, p, 1000, 500, 1))
	if _, _, words := tipAt(t, p, "in a system call"); words != "7.000 ms, at load.go:7" {
		t.Errorf("got %q", words)
	}
	if _, _, words := tipAt(t, p, "waiting for a processor"); words != "0.800 ms" {
		t.Errorf("got %q", words)
	}
}

// The tip of a scope says for what it waited most of its time.
func TestAScopeSaysWhyItDidNotRun(t *testing.T) {
	p := onTimeline(blocked(t).View(), viewer.TimelineLarge, 1000, 500, 1)
	for y := float32(60); y < 300; y += 4 {
		for x := float32(120); x < 1000; x += 8 {
			if h := p.HitAt(x, y); h.Kind != hit.Timeline || h.Zone != 2 {
				continue
			}
			p.SetHover(x, y)
			all := strings.Join(wordsOf(p, 1000, 500), "\n")
			if !strings.Contains(all, "3.1 of 4.0 ms waiting for mutex\nreleased by loader at world.go:88") {
				t.Errorf("got %q; want for what it waited", all)
			}
			golden.Picture(t, "timeline-arrow.png", paint(t, p, 1000, 500, 1))
			return
		}
	}
	t.Fatal("found no scope of physics")
}

// The longest wait that another goroutine ended is known of any stretch of time, but not one that goes on after it.
func TestTheWaitThatAnotherLaneEnded(t *testing.T) {
	s := blocked(t)
	var snap process.Snapshot
	s.View().Snapshot(&snap, process.SnapshotOptions{Timeline: true})
	for _, c := range []struct {
		name       string
		lane       report.LaneID
		begin, end float64
		waker      report.LaneID
	}{
		{"whole frame", 1, 0, 20, 2}, {"its scope", 1, 11, 15, 2}, {"before its end", 1, 11, 14, 0},
		{"after it", 1, 15, 20, 0}, {"a system call", 2, 0, 20, 0}, {"no such lane", 7, 0, 20, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := report.LaneID(0)
			if q := snap.Timeline.EndedWait(c.lane, c.begin, c.end); q != nil {
				got = q.Waker
			}
			if got != c.waker {
				t.Errorf("got a wait that lane %d ended; want lane %d", got, c.waker)
			}
		})
	}
}

// The card of a zone says it, too, in a paused session.
func TestTheCardSaysWhyAZoneDidNotRun(t *testing.T) {
	s := blocked(t)
	s.Pause()
	s.View().SetReportMode(report.ReportSelfTime)
	p := viewer.PanelOf(s.View())
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("card")
	for range 4 {
		words := strings.Join(wordsOf(p, 1280, 900), "\n")
		if strings.Contains(words, "3.1 of 4.0 ms waiting for mutex\nreleased by loader at world.go:88") {
			return
		}
		s.View().MoveCursor(1)
	}
	t.Errorf("got %q; want for what physics waited", wordsOf(p, 1280, 900))
}

// A capture without events says so, and offers nothing that would change it.
func TestACaptureWithoutEventsOffersNoRecording(t *testing.T) {
	s := newSteps(t, 300, "work")
	for range 20 {
		s.frame(8)
	}
	p := s.panel()
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	words := ""
	for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
		words += w.Text + " "
	}
	if !strings.Contains(words, "came without events") || strings.Contains(words, "record them") {
		t.Errorf("got %q", words)
	}
}
