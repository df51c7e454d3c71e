package viewer_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// moving returns a panel with a timeline whose frames the test makes.
func moving(d *demo, n int) (*timedFrozen, *viewer.Panel) {
	s := &timedFrozen{frozen: &frozen{demo: d}, timed: crowd(d, n)}
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	laidOut(p, 1280, 720)
	return s, p
}

// nameAt returns the y of a lane's name, -1 if there is none.
func nameAt(p *viewer.Panel, lane report.LaneID) float32 {
	for y := float32(0); y < 720; y++ {
		if h := p.HitAt(40, y); h.Kind == hit.TimelineLane && h.Lane == lane {
			return y
		}
	}
	return -1
}

func TestTimelineBandsKeepTheirPlaces(t *testing.T) {
	s, p := moving(newDemo(), 400)
	before := nameAt(p, 4)
	all := *s.timed
	s.timed.lanes, s.timed.scopes = append(s.timed.lanes[:1:1], s.timed.lanes[2:]...), nil
	for _, scope := range all.scopes {
		if scope.Lane != 2 && scope.Level < 2 {
			s.timed.scopes = append(s.timed.scopes, scope)
		}
	}
	for _, frames := range []uint64{1, 40} {
		t.Run(fmt.Sprint(frames), func(t *testing.T) {
			s.moves = frames
			laidOut(p, 1280, 720)
			if got := nameAt(p, 4); got != before {
				t.Errorf("%d frames after a lane ended and levels went: got lane 4 at %v; want it at %v", frames, got,
					before)
			}
		})
	}
	s.moves = 200
	laidOut(p, 1280, 720)
	if got := nameAt(p, 4); got >= before || nameAt(p, 2) >= 0 {
		t.Errorf("after 200 frames: got lane 4 at %v, lane 2 at %v; want it above %v, the other gone", got,
			nameAt(p, 2), before)
	}
	s.timed.lanes, s.timed.scopes = all.lanes, all.scopes
	s.moves = 201
	laidOut(p, 1280, 720)
	if got := nameAt(p, 4); got != before {
		t.Errorf("when they come again: got lane 4 at %v; want it at %v", got, before)
	}
}

func TestTimelineLightsUpInTheNextFrameToo(t *testing.T) {
	d := newDemo()
	s, p := moving(d, 4000)
	p.SetHover(1150, 174)
	laidOut(p, 1280, 720)
	s.timed = crowd(d, 4400)
	s.step()
	laidOut(p, 1280, 720)
	got := laidOut(p, 1280, 720)
	_, fresh := moving(d, 4400)
	fresh.SetHover(1150, 174)
	laidOut(fresh, 1280, 720)
	want := laidOut(fresh, 1280, 720)
	if len(got.V) != len(want.V) {
		t.Fatalf("got %d quads; want %d, as in a fresh panel", got.Quads(), want.Quads())
	}
	for i := range got.V {
		if got.V[i] != want.V[i] {
			t.Fatalf("vertex %d: got %+v; want %+v, as in a fresh panel", i, got.V[i], want.V[i])
		}
	}
}

func TestTimelineHitsTheLongestInAPixel(t *testing.T) {
	d := newDemo()
	s := &timed{demo: d, lanes: []timeline.Lane{{ID: 1, Name: "thin", State: timeline.Whole}}}
	for zone, at := range [...]float64{4, 4.001, 4.004, 4.005} {
		if zone > 0 {
			s.scopes[zone-1].End = at
		}
		s.scopes = append(s.scopes, timeline.Scope{Lane: 1, Zone: report.ZoneID(zone + 1), Begin: at,
			End: at + 0.001})
	}
	p := onTimeline(s, viewer.TimelineShown, 1280, 720, 1)
	first, last, at := float32(-1), float32(-1), float32(-1)
	for y := float32(300); y < 420; y += 5 {
		for x := float32(380); x < 420; x += 0.0625 {
			if h := p.HitAt(x, y); h.Kind == hit.Timeline && h.Zone >= 0 {
				if first < 0 {
					first = x
				}
				last, at = x, y
			}
		}
	}
	for x := first + 0.8; x < last-0.8; x += 0.0625 {
		if h := p.HitAt(x, at); h.Zone != 2 || h.Lane != 1 {
			t.Errorf("at %v, from %v to %v: got %+v; want zone 2, the longest within the pixel", x, first, last, h)
		}
	}
	if last-first < 2 {
		t.Errorf("got scopes from %v to %v; want them for a pixel round about", first, last)
	}
}

// The columns of the frames that the timeline shows lead down to it, and no others do. A slow frame attracts the mouse
// from beside its column.
func TestColumnsLeadToTheTimeline(t *testing.T) {
	for _, c := range []struct {
		name string
		set  func(*demo) viewer.Source
		then func(p *viewer.Panel)
		of   func(age int) (oldest, newest int)
	}{
		{"live", live, nil, func(int) (int, int) { return 0, 0 }},
		{"past", spike, nil, func(age int) (int, int) { return age, age }},
		{"memory", spike, func(p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
		}, func(age int) (int, int) { return age, age }},
		{"slowest between", spike, func(p *viewer.Panel) {
			p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDemo()
			p := onTimeline(c.set(d), viewer.TimelineShown, 1280, 720, 1)
			if c.then != nil {
				c.then(p)
			}
			settled(t, p, 1280, 720, 1)
			x0, y0, x1, y1 := viewer.Funnel(p)
			if c.of == nil {
				if y1 > y0 {
					t.Fatalf("got a funnel from %v to %v; want none", x0, x1)
				}
				return
			}
			oldest, newest := c.of(d.view.Age)
			first, _ := firstAge(p, hit.Graph, oldest, 0)
			if y1 <= y0 || x0 > first+4 || x0 < first-1.5 {
				t.Errorf("got the funnel from x %v, height %v; want x %v", x0, y1-y0, first)
			}
			next, _ := firstAge(p, hit.Graph, newest-1, 0)
			if newest > 0 && (x1 > next+1.5 || x1 < next-4) {
				t.Errorf("got the funnel up to x %v; want %v", x1, next)
			}
		})
	}
}

// The lane picker shows goroutines that one go statement started as one line with their number and time, which opens.
func TestGoroutinesOfOneStatementAreOneLine(t *testing.T) {
	s := process.NewSession()
	f := &gather.Frame{End: 1e4, CPU: 17 * time.Millisecond, TicksPerSecond: 1e6,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}}}
	for i := range 13 {
		l := gather.LaneFrame{ID: gather.LaneID(i + 1), Name: fmt.Sprintf("main.serve server.go:42 #%d", i), End: 1e4}
		if i == 0 {
			l.Name, l.Updater, l.CPU = "main", true, 2500*time.Microsecond // locked to its thread
		}
		l.Nodes = []gather.Node{{ID: gather.NodeID(2 * i), Parent: -1, Self: 9000},
			{ID: gather.NodeID(2*i + 1), Zone: 1, Self: 1000, Count: 1}}
		f.Lanes = append(f.Lanes, l)
	}
	must.Do(t, s.WriteFrame(f))
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.Run("pick-lane")
	lines := func() (lanes []viewer.Hit, group viewer.Hit) {
		settled(t, p, 1120, 600, 1)
		for h := range scan(p, 1120, 600) {
			switch {
			case h.Kind == hit.Lane && h.Name != "":
				group = h
			case h.Kind == hit.Lane && h.Lane != 0:
				lanes = append(lanes, h)
			}
		}
		return lanes, group
	}
	lanes, group := lines()
	if len(lanes) != 1 || lanes[0].Lane != 1 || group.Name != "main.serve server.go:42" {
		t.Fatalf("got the lanes %v and the group %q; want one lane, and one group of the others", lanes, group.Name)
	}
	words := ""
	for _, w := range settled(t, p, 1120, 600, 1).AppendWords(nil) {
		words += w.Text + "|"
	}
	for _, want := range []string{"12 goroutines", "12.00", "CPU 2.50 ms"} {
		if !strings.Contains(words, want) {
			t.Errorf("got %q; want %q in it", words, want)
		}
	}
	pictured(t, "lanegroups", p)
	viewer.Press(p, group)
	if lanes, _ = lines(); len(lanes) != 13 {
		t.Errorf("opened: got %d lanes; want 13", len(lanes))
	}
	viewer.Press(p, group)
	if lanes, _ = lines(); len(lanes) != 1 {
		t.Errorf("folded again: got %d lanes; want 1", len(lanes))
	}
}

// marked adds marks to the demo: one at an age, many in the frame of the spike, and hostile ones.
func marked(d *demo) {
	add := func(age int, at float64, text string) {
		d.marks = append(d.marks, report.MarkInSight{Age: age,
			FrameMark: report.FrameMark{Frame: d.memory[demoFrames-1-age].Index, At: at, Text: text}})
	}
	add(250, 1, "saved")
	add(133, 0.5, "\x1b[2J\n\u202e"+strings.Repeat("long ", 50))
	add(132, 4.25, "level loaded")
	for i := range 6 {
		add(demoSpike, 3+float64(i)/2, fmt.Sprintf("WARN connection lost\ntry=%d %s", i, strings.Repeat("x", 300)))
	}
	add(12, 1, "")
}

// columnOf returns where the column of a frame begins and ends.
func columnOf(p *viewer.Panel, age int) (from, to float32) {
	from, y := float32(1280), topOf(p, [2]float32{1280, 720}, hit.Graph)+20
	for x := float32(0); x < 1280; x += 0.5 {
		if h := p.HitAt(x, y); h.Kind == hit.Graph && h.Age == age {
			from, to = min(from, x), max(to, x)
		}
	}
	return from, to
}

// The number of a column that the scale does not reach lies beside the flag of a mark on that column.
func TestTheNumberOfACutColumnLiesBesideItsFlag(t *testing.T) {
	s := newSteps(t, 100, "update")
	for i := range 100 {
		if i != 50 {
			s.frame(4)
			continue
		}
		s.marks = []gather.MarkInfo{{Text: "level loaded"}}
		s.frame(400)
	}
	p := s.panel()
	words := settled(t, p, 1280, 720, 1).AppendWords(nil)
	from, to := columnOf(p, 49)
	flag, found := (from+to)/2, false
	for _, w := range words {
		if w.Face == draw.FaceTiny && w.Text == "400 ms" {
			if found = true; w.X0 < flag+8 && w.X1 > flag {
				t.Errorf("got the number from %v to %v; want it beside the flag at %v", w.X0, w.X1, flag)
			}
		}
	}
	if !found {
		t.Errorf("got no number of 400 ms; want it beside the column from %v to %v", from, to)
	}
}

// The numbers of neighbouring columns that the scale does not reach lie over no such column, no flag and no number. One
// without room is left out.
func TestNumbersOfCutColumnsLieBesideEachOther(t *testing.T) {
	s := newSteps(t, 100, "update")
	for i := range 100 {
		switch i {
		case 50, 53, 56:
			s.marks = []gather.MarkInfo{{Text: "level loaded"}}
			s.frame(400 + float64(i))
		default:
			s.frame(4)
		}
	}
	p := s.panel()
	words := settled(t, p, 1280, 720, 1).AppendWords(nil)
	var taken [][2]float32
	for _, age := range []int{49, 46, 43} {
		from, to := columnOf(p, age)
		taken = append(taken, [2]float32{from, to}, [2]float32{(from + to) / 2, (from+to)/2 + 9})
	}
	numbers := 0
	for _, w := range words {
		if w.Face != draw.FaceTiny || !strings.HasPrefix(w.Text, "45") || !strings.HasSuffix(w.Text, " ms") {
			continue
		}
		numbers++
		for _, other := range taken {
			if w.X0 < other[1] && w.X1 > other[0] {
				t.Errorf("got %s from %v to %v, over what lies from %v to %v", w.Text, w.X0, w.X1, other[0], other[1])
			}
		}
		taken = append(taken, [2]float32{w.X0, w.X1})
	}
	if numbers == 0 {
		t.Error("got no number; want one at least")
	}
}
