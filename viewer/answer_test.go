//go:build !iprof_off

package viewer_test

import (
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// causeZones are the zones of the program with planted causes.
var causeZones = []gather.ZoneInfo{{Name: "(root)"},
	{Name: "update", File: "/src/game/world.go", Line: 40, Function: "game.update"},
	{Name: "pathfind", File: "/src/game/path.go", Line: 12, Function: "game.pathfind"},
	{Name: "render", File: "/src/game/render.go", Line: 80, Function: "game.render"},
	{Name: "sprites", File: "/src/game/render.go", Line: 121, Function: "game.sprites"},
	{Name: "present", Idle: true}, {Name: "decode", File: "/src/game/load.go", Line: 31, Function: "game.decode"},
	{Name: "GPU shadow"}, {Name: "join", File: "/src/game/world.go", Line: 66, Function: "game.join"},
	{Name: "autosave", File: "/src/game/save.go", Line: 5, Function: "game.autosave"}}

// causeFrame is a frame of that program, ms are ticks/10: update 3 with 2.4 in pathfind, render 5 with 2 in sprites,
// join 1, present the rest of 16; a loader decodes for 4, the GPU works for 6.
func causeFrame(index uint64) *gather.Frame {
	begin := platform.Ticks(index) * 2000
	node := func(id gather.NodeID, parent int32, zone gather.ZoneID, count uint32, self platform.Ticks) gather.Node {
		return gather.Node{ID: id, Parent: parent, Zone: zone, Count: count, Self: self}
	}
	return &gather.Frame{Index: index, Begin: begin, TicksPerSecond: 10_000, Zones: causeZones,
		Memory: gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 2e5}, Lanes: []gather.LaneFrame{
			{ID: 1, Name: "main goroutine", Updater: true, Begin: begin, Nodes: []gather.Node{
				node(1, -1, 0, 0, 2), node(2, 0, 1, 1, 6), node(3, 1, 2, 6, 24), node(4, 0, 3, 1, 30),
				node(5, 3, 4, 1, 20),
				node(6, 0, 8, 1, 10), node(7, 0, 5, 1, 68)}},
			{ID: 2, Name: "loader", Begin: begin, Nodes: []gather.Node{node(8, -1, 0, 0, 120), node(9, 0, 6, 1, 40)}},
			{ID: 3, Name: "GPU", Device: true, Begin: begin, Nodes: []gather.Node{
				node(10, -1, 0, 0, 100), node(11, 0, 7, 1, 60)}}}}
}

// Indexes of the nodes of the main goroutine.
const (
	nodeRoot = iota
	nodeUpdate
	nodePathfind
	nodeRender
	nodeSprites
	nodeJoin
	nodePresent
)

// planted are the causes: what makes the last frame slow, and the states that say why.
var plantedCauses = []struct {
	name  string
	plant planter
	wants string // "arrow", "track" or ""
}{
	{"self", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		return nil
	}, ""},
	{"calls", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodePathfind].Self, main[nodePathfind].Count = 320, 80
		return nil
	}, ""},
	{"child", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeSprites].Self += 1180
		return nil
	}, ""},
	{"newpath", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		f.Lanes[0].Nodes = append(main, gather.Node{ID: 20, Parent: nodeUpdate, Zone: 9, Count: 1, Self: 300})
		return nil
	}, ""},
	{"lock", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		f.Lanes[1].Nodes[1].Self = 306
		return []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "lock world", Waker: 2, At: "load.go:36",
			Begin: f.Begin + 6, End: f.Begin + 306}}
	}, "arrow"},
	{"channel", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeJoin].Self += 300
		return []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "chan receive", By: "game.load",
			At: "load.go:52", Begin: f.Begin + 80, End: f.Begin + 380}}
	}, "arrow"},
	{"worker", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeJoin].Self += 300
		f.Lanes[1].Nodes[1].Self += 350
		return nil
	}, "arrow"},
	{"traced worker", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeJoin].Self += 300
		f.Lanes[1].Nodes[1].Self += 350
		return []gather.LaneState{{Lane: 1, Kind: gather.StateWaiting, Reason: "chan receive", Waker: 2,
			By: "game.load", At: "load.go:52", Begin: f.Begin + 85, End: f.Begin + 385}}
	}, "arrow"},
	{"not running", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		f.CPU = 3 * time.Millisecond
		return nil
	}, "track"},
	{"syscall", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		return []gather.LaneState{{Lane: 1, Kind: gather.StateSyscall, Place: "save.go:7", Begin: f.Begin + 6,
			End: f.Begin + 306}}
	}, "track"},
	{"processor", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		return []gather.LaneState{{Lane: 1, Kind: gather.StateRunnable, Begin: f.Begin + 6, End: f.Begin + 306}}
	}, "track"},
	{"collector", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeSprites].Self += 300
		f.Memory.Pause, f.Memory.Cycles = 30*time.Millisecond, 1
		return nil
	}, "track"},
	{"allocated", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeSprites].Self += 300
		f.Memory.AllocBytes, f.Memory.Cycles, f.Memory.Assist = 180e6, 5, 6*time.Millisecond
		return nil
	}, "track"},
	{"GPU", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodePresent].Self += 300
		f.Lanes[2].Nodes[1].Self += 300
		return nil
	}, "arrow"},
	{"other programs", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeRender].Self += 300
		main[nodePathfind].Self += 120
		f.Away = gather.Away{Time: 30 * time.Millisecond, Known: gather.AwayExact}
		return nil
	}, "track"},
	{"other programs, at most", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeRender].Self += 300
		f.Away = gather.Away{Time: 31 * time.Millisecond, Known: gather.AwayAtMost}
		return nil
	}, "track"},
	{"machine", func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeRender].Self += 300
		return []gather.LaneState{{Kind: gather.StateGone, Reason: measure.ReasonStolen, Begin: f.Begin + 6,
			End: f.Begin + 306}}
	}, "track"},
}

// close sums up the ends of a frame's lanes.
func closeFrame(f *gather.Frame) {
	length := platform.Ticks(0)
	for _, n := range f.Lanes[0].Nodes {
		length += n.Self
	}
	f.End = f.Begin + length
	for i := range f.Lanes {
		l := &f.Lanes[i]
		l.End = f.End
		if i > 0 {
			l.Nodes[0].Self = max(length-l.Nodes[1].Self, 0)
		}
	}
}

// planter makes a frame slow, and returns the states that say why.
type planter = func(f *gather.Frame, main []gather.Node) []gather.LaneState

// plantCause returns a session whose newest frame has a cause.
func plantCause(t *testing.T, plant planter, source bool) (*process.Session, *viewer.Panel) {
	t.Helper()
	return plantCauseIn(t, func(*gather.Frame) {}, plant, source)
}

// plantCauseIn is plantCause in a program whose frames are changed.
func plantCauseIn(t *testing.T, change func(*gather.Frame), plant planter, source bool) (*process.Session,
	*viewer.Panel) {
	t.Helper()
	s := process.NewSession()
	events := &causeEvents{}
	if source {
		s.SetSources(func(c *process.Sources) { c.Events = events })
	}
	var states []gather.LaneState
	var end platform.Ticks
	for i := range uint64(60) {
		f := causeFrame(i)
		f.Lanes[0].Nodes[nodePresent].Self += platform.Ticks(i % 5)
		change(f)
		var planted []gather.LaneState
		if i == 59 {
			planted = plant(f, f.Lanes[0].Nodes)
		}
		closeFrame(f)
		if i < 59 || planted != nil { // else no trace knows the frame
			states = append(states, gather.LaneState{Lane: 1, Begin: f.Begin, End: f.Begin + 4})
		}
		states = append(states, planted...)
		events.frames = append(events.frames, f)
		must.Do(t, s.WriteFrame(f))
		end = f.End
	}
	s.AddStates(0, end, states)
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) {
		o.Mode, o.Focused, o.Title = viewer.PanelFull, true, "game"
		o.Source = func(zone gather.ZoneInfo) *report.Code {
			return &report.Code{First: zone.Line, Lines: []string{"\tmu.Unlock() // of " + filepath.Base(zone.File)}}
		}
	})
	hurried(p)
	return s, p
}

// causeEvents makes events of frames: nodes one after the other.
type causeEvents struct{ frames []*gather.Frame }

func (e *causeEvents) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

func (e *causeEvents) AppendEvents(dst []gather.Event, lane gather.LaneID, begin, end platform.Ticks) []gather.Event {
	for _, f := range e.frames {
		if f.End < begin || f.Begin > end {
			continue
		}
		for i := range f.Lanes {
			if f.Lanes[i].ID == lane {
				dst = enterNode(dst, f.Lanes[i].Nodes, 0, f.Begin, -1, begin, end)
			}
		}
	}
	return dst
}

// enterNode appends the events of a node that begins at a time.
func enterNode(dst []gather.Event, nodes []gather.Node, at int, now platform.Ticks, level int32,
	from, to platform.Ticks) []gather.Event {
	n := &nodes[at]
	put := func(t platform.Ticks, end bool) {
		if level >= 0 && t >= from && t <= to {
			dst = append(dst, gather.Event{Time: t, Zone: n.Zone, Node: n.ID, Level: level, End: end})
		}
	}
	calls := platform.Ticks(max(n.Count, 1))
	for c := range calls {
		put(now, false)
		if level >= 0 {
			now += n.Self*(c+1)/calls - n.Self*c/calls
		}
		for i := range nodes {
			if int(nodes[i].Parent) == at && c == 0 {
				dst = enterNode(dst, nodes, i, now, level+1, from, to)
				now += whole(nodes, i)
			}
		}
		put(now, true)
	}
	return dst
}

func whole(nodes []gather.Node, at int) (sum platform.Ticks) {
	sum = nodes[at].Self
	for i := range nodes {
		if int(nodes[i].Parent) == at {
			sum += whole(nodes, i)
		}
	}
	return sum
}

func save(t *testing.T, name string, m *image.RGBA) {
	t.Helper()
	f, err := os.Create(name)
	if err == nil {
		err = errors.Join(png.Encode(f, m), f.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// compareCause compares the card with the verdict.
func compareCause(t *testing.T, v *report.Verdict, drawn *viewer.Drawn, wants string) {
	t.Helper()
	if got, want := drawn.Now.Width()/drawn.Ghost.Width(), float32(v.Time/v.Usual); got < 0.9*want || got > 1.1*want {
		t.Errorf("got a frame %.2f times as long as its ghost; want %.2f", got, want)
	}
	if drawn.Mark.Height() < 10 {
		t.Errorf("got a mark of %v in the history; want it as high as the excess", drawn.Mark)
	}
	if c := v.Cause(); c.Path > 0 && c.Kind == report.CauseLonger {
		want := float32(c.Usual) / float32(c.Time)
		if got := drawn.Usual.Width() / drawn.Cause.Width(); got < want-0.02 || got > want+0.02 {
			t.Errorf("got a ghost %.3f times as long as the cause; want %.3f", got, want)
		}
	}
	if wants == "" {
		return
	}
	if w := drawn.Wait; w.Height() == 0 || w.Width() < 10 || w.X0 < drawn.Now.X0 {
		t.Errorf("got a wait at %v; want it below the bars", w)
	}
	from := drawn.From
	to := drawn.To
	if wants == "arrow" &&
		(!drawn.Scope.Contains(from.X, from.Y) || !drawn.Wait.Contains(to.X, to.Y)) {
		t.Errorf("got an arrow from %v to %v; want it from %v to %v", from, to, drawn.Scope, drawn.Wait)
	}
}

// compareBlame compares the mark in the timeline with the planted cause.
func compareBlame(t *testing.T, b *viewer.Blamed, name string) {
	t.Helper()
	if b.Bar.Width() < 100 {
		t.Errorf("got a scope of %v marked; want that of the cause", b.Bar)
	}
	shares := map[string]float32{"child": 2.0 / 120, "calls": 2.4 / 32, "worker": 4.0 / 39, "traced worker": 4.0 / 39,
		"GPU": 6.0 / 36, "newpath": 0}
	if want, known := shares[name]; known {
		if got := b.Ghost.Width() / b.Bar.Width(); got < want-0.01 || got > want+0.02 {
			t.Errorf("got a ghost of %.3f of the scope; want %.3f", got, want)
		}
	}
	if name != "lock" && !strings.HasSuffix(name, "worker") && name != "GPU" {
		return
	}
	from := b.From
	to := b.To
	if !b.Scope.Contains(from.X, from.Y) || !b.Wait.Contains(to.X, to.Y) {
		t.Errorf("got an arrow from %v to %v; want it from %v to %v", from, to, b.Scope, b.Wait)
	}
}

// In the light theme, too, the usual time beside its ghost can be read.
func TestDrawnVerdictInALightRoom(t *testing.T) {
	_, p := plantCause(t, plantedCauses[2].plant, true)
	p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeLight })
	p.Run("why")
	for n := 0; n < 60 && (n < 2 || p.Settling()); n++ {
		laidOut(p, 1280, 720)
	}
	picture := paint(t, p, 1280, 720, 1)
	_, blamed := viewer.Answer(p)
	words := image.Rect(int(blamed.Ghost.X1)+4, int(blamed.Bar.Y1)+3, int(blamed.Ghost.X1)+60, int(blamed.Bar.Y1)+16)
	ground := picture.RGBAAt(words.Min.X, words.Min.Y)
	most := 0.0
	for y := words.Min.Y; y < words.Max.Y; y++ {
		for x := words.Min.X; x < words.Max.X; x++ {
			most = max(most, contrast(color.NRGBA(picture.RGBAAt(x, y)), color.NRGBA(ground)))
		}
	}
	if most < 4.4 {
		t.Errorf("got words with a contrast of %.1f; want 4.4", most)
	}
}

// The drawn verdict is left to where the user was: frame, report, row, live.
func TestEscapeGoesBack(t *testing.T) {
	s, p := plantCause(t, plantedCauses[6].plant, true)
	for _, live := range []bool{true, false} {
		s.View().SetReportMode(report.ReportCallGraph)
		s.View().SetAverage(report.AverageLong)
		if !live {
			s.Pause()
			s.View().SetFrame(7)
		}
		laidOut(p, 1280, 720)
		before, options := s.View().Get(), p.Options()
		if !live { // from another frame the sentence leads to none
			s.View().SetFrame(0)
			before = s.View().Get()
		}
		p.Run("why")
		laidOut(p, 1280, 720)
		if q := p.State(); !q.Answer || !s.Paused() {
			t.Fatalf("live %v: got no verdict drawn", live)
		}
		var v report.Verdict
		s.View().Verdict(&v)
		words := strings.Join(wordsOf(p, 1280, 720), "\n")
		if !strings.Contains(words, "next: "+v.Causes[0].Name+": Space") {
			t.Errorf("live %v: got %q; want a button with the name of the next cause of %+v", live, words, v.Causes)
		}
		_, first := viewer.Answer(p)
		p.Run("next-cause")
		laidOut(p, 1280, 720)
		if _, next := viewer.Answer(p); next == first {
			t.Errorf("live %v: got the same picture for the next cause; want another", live)
		}
		s.View().MoveFrame(2)
		if !viewer.Dismiss(p) || p.State().Answer {
			t.Errorf("live %v: got it still drawn after Esc", live)
		}
		laidOut(p, 1280, 720)
		after := s.View().Get()
		if !reflect.DeepEqual(before, after) || s.Paused() == live || p.Options().Timeline != options.Timeline {
			t.Errorf("live %v: got view %+v, paused %v; want %+v", live, after, s.Paused(), before)
		}
	}
}

// The picture is steady.
func TestDrawingAVerdictAllocatesNothing(t *testing.T) {
	_, p := plantCause(t, plantedCauses[4].plant, true)
	p.Run("why")
	var l draw.List
	step := func() { l.Reset(); p.SetHover(3, 3); p.SetHover(4, 4); p.Draw(&l, 1280, 720, 1) }
	for range 60 {
		step()
	}
	if n := allocstest.PerRun(20, step); n > 0 {
		t.Errorf("got %v allocations; want none", n)
	}
}

// What is usually not there has words that say so, not a usual time of nothing.
func TestNoCauseUsuallyTakesNothing(t *testing.T) {
	for name, want := range map[string]string{"lock": "30.0 ms, usually not",
		"newpath": "usually not called here", "collector": "usually no stop here",
		"syscall": "30.0 ms, usually not", "first decode": "35.0 ms, usually not called"} {
		t.Run(name, func(t *testing.T) {
			plant, first := planter(nil), name == "first decode"
			for _, c := range plantedCauses {
				if c.name == name || first && c.name == "worker" {
					plant = c.plant
				}
			}
			_, p := plantCauseIn(t, func(f *gather.Frame) {
				if first { // the loader rests in all other frames
					f.Lanes[1].Nodes[1].Self, f.Lanes[1].Nodes[1].Count = 0, 0
				}
			}, plant, true)
			p.Run("why")
			var words []string
			found := false
			for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
				if strings.Contains(w.Text, "usually") {
					words = append(words, w.Text)
				}
				found = found || strings.Contains(w.Text, want)
				if strings.Contains(w.Text+" ", "usually 0.0 ") {
					t.Errorf("got %q; want words for what is usually not there", w.Text)
				}
			}
			if !found {
				t.Errorf("got %q; want %q among them", words, want)
			}
		})
	}
}

// One command draws each planted cause: the frame above the ghost of the usual one, the mark in the history, and the
// arrow, whose ends lie on the wait and on the scope that ended it.
func TestEachCauseIsDrawn(t *testing.T) {
	for _, c := range plantedCauses {
		for _, timed := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: "/timeline"}[timed], func(t *testing.T) {
				s, p := plantCause(t, c.plant, timed)
				var v report.Verdict
				s.VerdictOf(&v, 0)
				p.Run("why")
				for n := 0; n < 60 && (n < 2 || p.Settling()); n++ {
					laidOut(p, 1280, 720)
				}
				if dir := os.Getenv("IPROF_PICTURES"); dir != "" { // to look at
					save(t, filepath.Join(dir, c.name+map[bool]string{true: "-timeline"}[timed]+".png"),
						paint(t, p, 1280, 720, 1))
				}
				drawn, blamed := viewer.Answer(p)
				compareCause(t, &v, &drawn, c.wants)
				if timed && c.name != "machine" && c.name != "other programs, at most" { // these blame no zone
					compareBlame(t, &blamed, c.name)
				}
			})
		}
	}
}

// Times of seconds are no thousands of ms, and their usual time beside them says ms.
func TestLongCausesHaveTheirUnit(t *testing.T) {
	for _, c := range plantedCauses {
		if c.name != "lock" && c.name != "worker" {
			continue
		}
		_, p := plantCause(t, func(f *gather.Frame, main []gather.Node) []gather.LaneState {
			states := c.plant(f, main)
			for _, i := range []int{nodeUpdate, nodeJoin} {
				if main[i].Self > 300 {
					main[i].Self += 300_000
				}
			}
			f.Lanes[1].Nodes[1].Self += 300_000
			for i := range states {
				states[i].End += 300_000
			}
			return states
		}, true)
		p.Run("why")
		all := ""
		for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
			all += w.Text + "\n"
		}
		for _, want := range []string{"+30.03 s", "30.05 s", " ms"} {
			if !strings.Contains(all, want) {
				t.Errorf("%s: got no %q; want it in\n%s", c.name, want, all)
			}
		}
		for _, w := range strings.Fields(all) {
			if v, err := strconv.ParseFloat(strings.TrimPrefix(w, "+"), 64); err == nil && v > 20_000 {
				t.Errorf("%s: got %q; want seconds", c.name, w)
			}
		}
	}
}

// framesInARow shows the timeline of the frame of age 9, and highlights a zone. Each frame begins where the one before
// ends.
func framesInARow(t *testing.T, zone report.ZoneID) (*process.Session, *viewer.Panel) {
	t.Helper()
	next := platform.Ticks(0)
	s, p := plantCauseIn(t, func(f *gather.Frame) {
		f.Begin = next
		for i := range f.Lanes {
			f.Lanes[i].Begin = next
		}
		next += whole(f.Lanes[0].Nodes, 0)
	}, plantedCauses[0].plant, true)
	s.Pause()
	s.View().SetFrame(9)
	s.View().SetCursorZone(zone)
	p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	settled(t, p, 1280, 720, 1)
	return s, p
}

// N to a scope that is not in the frame shown goes to its frame.
func TestAScopeInAnotherFrameShowsThatFrame(t *testing.T) {
	s, p := framesInARow(t, 3)
	for i, step := range []struct {
		command string
		age     int
	}{{"next-occurrence", 8}, {"next-occurrence", 7}, {"previous-occurrence", 8}, {"previous-occurrence", 9}} {
		p.Run(step.command)
		settled(t, p, 1280, 720, 1)
		settled(t, p, 1280, 720, 1)
		if got := s.View().Get().Age; got != step.age {
			t.Errorf("step %d, %s: got the frame of age %d; want %d", i, step.command, got, step.age)
		}
	}
}

// A scope that begins where a frame ends is in the next one.
func TestAScopeAtTheBorderIsOfTheFrameThatItBegins(t *testing.T) {
	s, p := framesInARow(t, 1)
	for i, age := range []int{9, 10, 11} {
		p.Run("previous-occurrence")
		settled(t, p, 1280, 720, 1)
		settled(t, p, 1280, 720, 1)
		if got := s.View().Get().Age; got != age {
			t.Errorf("step %d: got the frame of age %d; want %d", i, got, age)
		}
	}
}

// A wait stands where it was in the frame, as the longest of several, and with events the zone that waited stands above
// it.
func TestAWaitIsDrawnWhenItHappened(t *testing.T) {
	const before = 86.0 // ticks of the frame before join
	for _, begin := range []platform.Ticks{80, 90, 110} {
		for _, timed := range []bool{false, true} {
			s, p := plantCause(t, func(f *gather.Frame, main []gather.Node) []gather.LaneState {
				main[nodeJoin].Self += 300
				state := func(from, to platform.Ticks) gather.LaneState {
					return gather.LaneState{Lane: 1, Kind: gather.StateWaiting, Reason: "chan receive", By: "game.load",
						Begin: f.Begin + from, End: f.Begin + to}
				}
				return []gather.LaneState{state(10, 40), state(begin, begin+270)}
			}, timed)
			p.Run("why")
			for n := 0; n < 60 && (n < 2 || p.Settling()); n++ {
				laidOut(p, 1280, 720)
			}
			drawn, _ := viewer.Answer(p)
			perTick := drawn.Now.Width() / float32(s.AppendFrames(nil, 1)[0].Length*10)
			want := drawn.Now.X0 + float32(begin)*perTick
			if w := drawn.Wait; w.X0 < want-2 || w.X0 > want+2 || w.Width() < 268*perTick || w.Width() > 272*perTick {
				t.Errorf("begin %d, events %t: got a wait at %v; want it from %v, 270 of %v", begin, timed, w, want,
					drawn.Now)
			}
			if want := drawn.Now.X0 + before*perTick; timed && (drawn.Cause.X0 < want-8*perTick ||
				drawn.Cause.X0 > want+8*perTick) {
				t.Errorf("begin %d: got join at %v; want it from %v", begin, drawn.Cause, want)
			}
		}
	}
}

// In a small window the drawn verdict of a deep stack has its cause in sight, and no number of the history lies on
// another.
func TestASmallWindowHasTheCauseInSight(t *testing.T) {
	deep := func(f *gather.Frame) {
		main := &f.Lanes[0].Nodes
		for i := range 9 {
			*main = append(*main, gather.Node{ID: gather.NodeID(40 + i), Parent: int32(max(nodeRender, len(*main)-1)),
				Zone: 4, Count: 1, Self: 1})
		}
	}
	_, p := plantCauseIn(t, deep, func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 760
		return nil
	}, true)
	settled(t, p, 800, 500, 1)
	p.Run("why")
	last := float32(-20)
	for _, w := range settled(t, p, 800, 500, 1).AppendWords(nil) {
		if plot := plotOf(p); w.X1 < plot.X0 && w.Baseline > plot.Y0 && w.Baseline < plot.Y1+8 {
			if last > 0 && last-w.Baseline < 10 {
				t.Errorf("got %q %v pixels above the number below it; want 10", w.Text, last-w.Baseline)
			}
			last = w.Baseline
		}
	}
	find(t, p, func(h viewer.Hit) bool { return h.Kind == hit.Timeline && h.Zone == 1 })
}

// The profiler's own time is no part of the excess that the sentence has, and stands beside it in the picture.
func TestTheProfilersTimeStandsBesideTheExcess(t *testing.T) {
	named := func(f *gather.Frame) {
		f.Zones = append([]gather.ZoneInfo{}, f.Zones...)
		f.Zones[9] = gather.ZoneInfo{Name: "iprof update"}
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes, gather.Node{ID: 20, Zone: 9, Count: 1, Self: 1})
	}
	_, p := plantCauseIn(t, named, func(f *gather.Frame, main []gather.Node) []gather.LaneState {
		main[nodeUpdate].Self += 300
		main[len(main)-1].Self += 250
		return nil
	}, false)
	settled(t, p, 1280, 720, 1)
	p.Run("why")
	words := strings.Join(wordsOf(p, 1280, 720), "|")
	if !strings.Contains(words, "Frame 59: +30.2 ms. ") || !strings.Contains(words, "|+30.2 ms, profiler 25.0 ms|") {
		t.Errorf("got %q; want +30.0 in both places", words)
	}
}
