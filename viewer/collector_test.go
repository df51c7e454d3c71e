package viewer_test

import (
	"fmt"
	"slices"
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

// collected is a session of frames of 16 ms, in some of which the collector worked.
func collected(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	s.View().SetAverage(report.AverageInstant)
	for i := range 120 {
		begin := platform.Ticks(i) * 16
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 16, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "physics"}, {Name: "render"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: begin, End: begin + 16,
				Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 4}, {ID: 2, Zone: 1, Count: 1, Self: 5},
					{ID: 3, Zone: 2, Count: 1, Self: 7}}}}}
		switch i % 40 {
		case 20, 21, 22:
			f.States = append(f.States, gather.LaneState{Kind: gather.StateMarking, Begin: begin, End: begin + 16})
		case 23:
			f.Memory = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, Cycles: 1}
			f.States = append(f.States, gather.LaneState{Kind: gather.StateMarking, Begin: begin, End: begin + 6},
				gather.LaneState{Lane: 1, Kind: gather.StateAssist, Begin: begin + 1, End: begin + 5},
				gather.LaneState{Kind: gather.StateStopped, Begin: begin + 6, End: begin + 8})
		}
		must.Do(t, s.WriteFrame(f))
	}
	s.Pause()
	s.View().SetFrame(16)
	return s
}

func TestTheHistoryShowsWhereTheCollectorWorked(t *testing.T) {
	p := onTimeline(collected(t).View(), viewer.TimelineShown, 1000, 700, 1)
	paint(t, p, 1000, 700, 1)
	want := "GC: 6 marking, 4 assist, 2 stopped"
	words := func() string {
		for x := float32(60); x < 800; x++ {
			p.SetHover(x, 200)
			if h := p.HitAt(x, 200); h.Kind == hit.Graph && h.Age == 16 {
				settled(t, p, 1000, 700, 1)
				return strings.Join(wordsOf(p, 1000, 700), "\n")
			}
		}
		t.Fatal("found no frame of age 16")
		return ""
	}
	if got := words(); !strings.Contains(got, want) {
		t.Errorf("got %q; want %q", got, want)
	}
	golden.Picture(t, "collector-tip.png", paint(t, p, 1000, 700, 1))
	p.SetHover(-1, -1)
	with := laidOut(p, 1000, 700)
	if p.Run("collector"); len(laidOut(p, 1000, 700).V) >= len(with.V) {
		t.Error("got the bands after the command that hides them")
	}
}

// wordsOf returns the words of a screen.
func wordsOf(p *viewer.Panel, width, height float32) (words []string) {
	for _, w := range laidOut(p, width, height).AppendWords(nil) {
		words = append(words, strings.TrimSpace(w.Text))
	}
	return words
}

func TestTheLineHasTheTimeOfTheGPU(t *testing.T) {
	for name, gpu := range map[string]bool{"with a GPU": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			s := process.NewSession()
			s.View().SetAverage(report.AverageInstant)
			must.Do(t, s.WriteFrame(&gather.Frame{Begin: 100, End: 130, TicksPerSecond: 1000,
				Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "blur"}},
				Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: 100, End: 130,
					Nodes: []gather.Node{{ID: 1, Parent: -1, Self: 30}}},
					{ID: 2, Name: "card", Device: gpu, Begin: 100, End: 130, Nodes: []gather.Node{
						{ID: 2, Parent: -1, Self: 7}, {ID: 3, Zone: 1, Count: 1, Self: 23}}}}}))
			p := viewer.PanelOf(s.View())
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
			line := strings.Join(wordsOf(p, 1120, 80), " ")
			if strings.Contains(line, "GPU 23 ") != gpu {
				t.Errorf("got %q; want the GPU's 23: %v", line, gpu)
			}
		})
	}
}

func TestTheTimelineMarksTheLanesOfGPUs(t *testing.T) {
	d := newDemo()
	s := manyLanes(d)
	s.lanes[1].Name, s.lanes[1].Device, s.lanes[1].Drift = "card", true, -12.5e-6
	p := onTimeline(s, viewer.TimelineLarge, 1280, 720, 1)
	words := wordsOf(p, 1280, 720)
	if at := slices.Index(words, "GPU"); at < 0 || !slices.Contains(words, "card") {
		t.Errorf("got %q; want a sign GPU and the lane's name", words)
	}
	drift := func() bool {
		p.SetHover(40, nameAt(p, 2)+2)
		hurried(p)
		for range 20 { // a tip appears when the mouse has rested
			words = wordsOf(p, 1280, 720)
		}
		return slices.ContainsFunc(words, func(w string) bool {
			return strings.Contains(w, "its clock differs by -12.50 µs a second")
		})
	}
	if !drift() {
		t.Errorf("got %q; want how the clock runs", words)
	}
	s.lanes[1].Device = false
	if words := wordsOf(onTimeline(s, viewer.TimelineLarge, 1280, 720, 1), 1280, 720); slices.Contains(words, "GPU") {
		t.Error("got a sign GPU at a goroutine")
	}
}

// Choosing a lane changes the history, the headline, mean and max to those of the lane, also while paused.
func TestAChosenLaneIsTheWholeScreen(t *testing.T) {
	s, p := replayed(t)
	settled(t, p, 1120, 600, 1)
	s.Pause()
	s.View().SetFrame(20)
	settled(t, p, 1120, 600, 1)
	s.View().SetLane(2)
	words := settled(t, p, 1120, 600, 1).AppendWords(nil)
	var names []string
	for _, zone := range viewer.Layers(p) {
		names = append(names, s.Zone(zone).Name)
	}
	slices.Sort(names)
	if want := []string{"decompress", "load chunk", "mesh"}; !slices.Equal(names, want) {
		t.Errorf("layers of the history: got %q; want %q", names, want)
	}
	var f report.PastFrame
	s.FrameOf(&f, 2, 20)
	i := s.View().Info()
	if text := string(i.AppendParts(nil, 2)); f.Lane.Self < 1 || i.Busy-f.Lane.Self > 0.001 {
		t.Errorf("headline: got %q; want %.2f busy", text, f.Lane.Self)
	} else if _, ok := textColor(words, text); !ok {
		t.Errorf("the screen does not say %q", text)
	}
}

// A zone that only other goroutines have entered is not said to be in other frames.
func TestAZoneOfOtherGoroutines(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{End: 16e6, TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"},
		{Name: "decode"}}, Lanes: []gather.LaneFrame{
		{ID: 1, Name: "main", Updater: true, End: 16e6, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Count: 1, Self: 16e6}}},
		{ID: 2, Name: "worker", End: 16e6, Nodes: []gather.Node{{ID: 2, Parent: -1},
			{ID: 3, Zone: 2, Count: 1, Self: 16e6}}}}}
	must.Do(t, s.WriteFrame(f))
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	s.View().SetLane(1)
	p.Run("find")
	for _, r := range "decode" {
		viewer.Type(p, r)
	}
	var words []string
	for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
		words = append(words, w.Text)
	}
	all := strings.Join(words, "\n")
	if !strings.Contains(all, "entered on others") || strings.Contains(all, "in other frames") {
		t.Errorf("got\n%s\nwant that other goroutines have entered the zone", all)
	}
}

// running is a session in which a frame ends after every Snapshot and every Generation. In frame n each
// zone takes n ms.
type running struct {
	*process.View
	next      uint64
	snapshots int
}

func (r *running) frame() {
	f := gather.Frame{
		Index: r.next, Begin: 1, End: 1 + 3e6*1000, TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "first"}, {Name: "second"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Zone: 0, Parent: -1}}}},
	}
	for zone := gather.ZoneID(1); zone <= 2; zone++ {
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
			gather.Node{Zone: zone, Parent: 0, Count: 1, Self: platform.Ticks(r.next * 1e6), ID: gather.NodeID(zone)})
	}
	if err := r.View.Session().WriteFrame(&f); err != nil {
		panic(err)
	}
	r.next++
}

func (r *running) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	r.View.Snapshot(dst, o)
	r.snapshots++
	r.frame()
}

func (r *running) Generation() uint64 {
	g := r.View.Generation()
	r.frame()
	return g
}

// TestOneScreenIsOfOneFrame draws a program in which a frame ends at every call that the panel makes.
func TestOneScreenIsOfOneFrame(t *testing.T) {
	r := &running{View: process.NewSession().View(), next: 1}
	r.View.SetReportMode(report.ReportSelfTime)
	r.View.SetAverage(report.AverageInstant)
	for range 5 {
		r.frame()
	}
	p := viewer.PanelOf(r)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	for _, open := range []func(){
		func() {}, func() { p.Run("card") },
		func() { p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest }) },
		func() { p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory }) },
		func() { p.Change(func(o *viewer.Options) { o.Strip = viewer.StripValues }) },
		func() { p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown }) },
		func() { p.Run("pick-lane") },
	} {
		open()
		snapshots := r.snapshots
		laidOut(p, 1280, 1000)
		if r.snapshots != snapshots+1 {
			t.Errorf("got %d snapshots for a screen; want 1", r.snapshots-snapshots)
		}
		index, _ := viewer.FrameAt(p, viewer.Hit{Kind: hit.Graph})
		rows := p.TableText()
		if want := fmt.Sprintf("%d.00", index); strings.Count(rows, want) < 2 {
			t.Errorf("newest frame %d: got the rows\n%s\nwant %s ms twice", index, rows, want)
		}
		if mark := viewer.Newest(p); mark != [3]uint64{index, index, index} {
			t.Errorf("newest frame %d: got series, call structure and histories of the frames %v", index, mark)
		}
	}
}
