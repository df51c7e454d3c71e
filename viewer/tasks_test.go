//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// task is a question of a user, and the shortest way to its answer: keys, typed text and acts of the mouse, as the
// window passes them on. Each counts as one act, a typed character as one, too.
type task struct {
	name string
	open func(t *testing.T) *process.Session
	acts string   // see actor.do
	want []string // on the screen afterwards, in the order of drawing; no text may be there that begins with "not "
}

// tasks are the questions. Those that need files or tabs are in package desk.
var tasks = []task{
	{"slowest frame", spikes, "M D", []string{"Frame 420: +30.1 ms", "why frame 420 was slow", "game.update",
		"world.go:40"}},
	{"worker while main waited", planted("worker"), "D", []string{"loader was in decode", "load.go:31"}},
	{"worker on the timeline", planted("worker"), "W", []string{"timeline of frame|59|", "|loader|", "|decode|39.0|"}},
	{"GPU or CPU", planted("GPU"), "", []string{"The GPU worked longer: GPU shadow 36.0 (usually 6.0)"}},
	{"lock", planted("lock"), "D", []string{"it waited for lock world for 30.0 (usually not)",
		"loader was in decode for 30.6 (usually 4.0), then released it at load.go:36"}},
	{"list of locks", planted("lock"), "Alt+K",
		[]string{"|lock world|30.0 ms|1|30.0 ms|main goroutine|loader at load.go:36|"}},
	{"p99 of a zone", twoCallers, "Z",
		[]string{"|with callees, 700 of 700 frames until 699, ms|", "707 in 700 frames with events, average",
			"p99 2.2 ms", "called by", "update", "render"}},
	{"calls over 20 ms", twoCallers, "Ctrl+N", []string{"calls of sprites", "707 in 700 frames with events, 0 to 699",
		"|main goroutine|6.0 ms|3.2 ms|update|"}},
	{"which zone allocates", allocating, "Alt+A", []string{"~heap", "pathfind", "40 kB", "render", "2.0 kB"}},
	{"back to the columns before", allocating, "Alt+A Ctrl+Z", []string{"|ø|self ms|ø|GPU shadow|", "not ~heap"}},
	{"memory without zones", planted("allocated"), "Alt+A", []string{"bytes allocated, live heap",
		"not ~heap"}},
	{"memory by zone", planted("allocated"), "Alt+A Alt+H", []string{"the memory mode zone (Shift+O in the program)"}},
	{"ruler", planted("self"), "W Shift+drag:timeline", []string{"no ruler", "|4.1 ms|"}},
	{"undo", spikes, "X X Ctrl+X", []string{"all 700 frames", "|update|33.6|3.15|"}},
	{"search", twoCallers, "/ path Enter", []string{"|find|1|path|", "|pathfind|2.6|", "not |sprites|8.1|"}},
	{"search a package", kind(report.KindGame), "/ pkg:aud Enter",
		[]string{"|find|2|pkg:aud|", "|mix|0.74|", "|spatial|0.25|"}},
	{"a zone of another frame", once, "/ auto Enter", []string{"Shift+N to the one before"}},
	{"occurrence", once, "/ auto Enter Shift+N", []string{"autosave", "in frame 317"}},
	{"first frame of a slow-down", slower, "D", []string{"since frame 2600", "render"}},
	{"first frame of a small slow-down", slightly, "click:ribbon-2600 click:frame-2600",
		[]string{"Frame 2600: +2.4 ms of work, still on time. render itself 5.6 (usually 3.1)."}},
	{"calls of a route over its p99", kind(report.KindServer), "Shift+Q", []string{"slow calls of POST /users",
		"|interval|", "|360|worker 1|64.00 ms|1.700 ms|query POST /users 61.0 in 30 calls|"}},
	{"the moment of a slow call", kind(report.KindServer), "Shift+Q Enter",
		[]string{"|interval 360|", "why POST /users was slow, to scale"}},
	{"one goroutine from start to end", spikes, "L L Shift+0", []string{"timeline of frames|0 to 699|", "|GPU|",
		"not |main goroutine|"}},
	{"two ranges", spikes, "drag:440-450 B drag:600-610",
		[]string{"average of 11 frames", "|Δ %|", "|Δ ms|", "|update|"}},
	{"a light room", spikes, "Y Y Y", []string{"all 700 frames"}},
	{"10,000 zones", crowdedZones, "/ 9731 Enter", []string{"zone 9731", "not zone 9732"}},
	{"export", spikes, "Ctrl+E", nil},
	{"a link", spikes, "Alt+U", nil},
	{"phases of a command", kind(report.KindCommand), "", []string{"the whole run", "main", "load", "not fps"}},
	{"stacks of a profile", kind(report.KindProfile), "", []string{"the whole run", "mapassign", "not fps"}},
	{"goroutines of a trace", kind(report.KindTrace), "",
		[]string{"|10×|pool.go:112|(*Pool).work|at most 10 at work at once|",
			"|10×|fetch.go:31|fetch|at most 10 at work at once|", "not fps"}},
}

// Each task takes as few acts as the table says, and its answer is on the screen.
func TestTasks(t *testing.T) {
	for i := range tasks {
		k := &tasks[i]
		if i%longtest.Pick(1, 3) > 0 {
			continue
		}
		t.Run(k.name, func(t *testing.T) {
			s := k.open(t)
			a := &actor{T: t, p: openWorld(s)}
			a.p.ShowFirst()
			a.see()
			for _, act := range strings.Fields(k.acts) {
				a.do(act)
				a.see()
			}
			all := "|" + strings.Join(a.words, "|") + "|"
			for _, want := range k.want {
				words, absent := strings.CutPrefix(want, "not ")
				if absent == strings.Contains(all, words) {
					t.Errorf("got %q; want %q there: %v", all, words, !absent)
				}
			}
			if dir := os.Getenv("IPROF_PICTURES"); dir != "" {
				save(t, filepath.Join(dir, strings.ReplaceAll(k.name, " ", "-")+".png"), paint(t, a.p, 1280, 720, 1))
			}
		})
	}
}

// actor uses a panel as a window does.
type actor struct {
	*testing.T
	p     *viewer.Panel
	words []string
	at    time.Time
}

// see draws the screen until it rests.
func (a *actor) see() {
	a.Helper()
	a.words = a.words[:0]
	for _, w := range settled(a.T, a.p, 1280, 720, 1).AppendWords(nil) {
		a.words = append(a.words, w.Text)
	}
}

// do does one act: a key such as "Ctrl+N", text in lower case, "Shift+drag:timeline" over the middle of the timeline,
// "drag:100-110" over frames of the history.
func (a *actor) do(act string) {
	a.Helper()
	var first, last int
	switch n, _ := fmt.Sscanf(act, "drag:%d-%d", &first, &last); {
	case n == 2:
		newest := int(a.p.View().Session().View().Info().Frames) - 1
		x0, y := find(a.T, a.p, graphOf(newest-first))
		x1, _ := find(a.T, a.p, graphOf(newest-last))
		a.drag(x0+0.5, x1+0.5, y+40, false)
	case strings.HasPrefix(act, "click:"):
		_, of, _ := strings.Cut(act, "-")
		frame, _ := strconv.Atoi(of)
		frames := int(a.p.View().Session().View().Info().Frames)
		x, y := find(a.T, a.p, ribbonHit)
		if strings.Contains(act, "ribbon") {
			x1 := x
			for a.p.HitAt(x1, y).Kind == hit.Ribbon {
				x1++
			}
			x += (x1 - x) * float32(frame) / float32(frames)
		} else {
			x, y = find(a.T, a.p, graphOf(frames-1-frame))
		}
		a.drag(x+0.5, x+0.5, y+4, false)
	case act == "Shift+drag:timeline":
		x, y := find(a.T, a.p, func(h viewer.Hit) bool { return h.Kind == hit.Timeline })
		a.drag(x+100, x+200, y+8, true)
	case act == strings.ToLower(act) && len(act) > 1:
		for _, r := range act {
			a.p.Key(viewer.KeyEvent{Key: strings.ToUpper(string(r)), Char: r})
			a.p.Key(viewer.KeyEvent{Char: r})
		}
	default:
		a.key(act)
	}
}

// key presses and releases a key.
func (a *actor) key(name string) {
	char := rune(0)
	if len(name) == 1 {
		char = rune(strings.ToLower(name)[0])
	}
	a.p.Key(viewer.KeyEvent{Key: name, Char: char})
	if char != 0 {
		a.p.Key(viewer.KeyEvent{Char: char})
	}
	a.p.Key(viewer.KeyEvent{Key: name, Up: true})
}

// drag moves the mouse with the left button from x0 to x1.
func (a *actor) drag(x0, x1, y float32, shift bool) {
	a.at = a.at.Add(time.Second)
	e := viewer.MouseEvent{Action: viewer.MousePress, Button: viewer.ButtonLeft, X: x0, Y: y, Shift: shift, Time: a.at}
	a.p.Mouse(e)
	e.Action = viewer.MouseMove
	for i := range 5 {
		e.X = x0 + (x1-x0)*float32(i+1)/5
		a.p.Mouse(e)
		a.see()
	}
	e.Action = viewer.MouseRelease
	a.p.Mouse(e)
}

func kind(k report.Kind) func(t *testing.T) *process.Session {
	return func(t *testing.T) *process.Session { return ofKind(t, k) }
}

// planted is a game whose newest frame has a cause.
func planted(name string) func(t *testing.T) *process.Session {
	return func(t *testing.T) *process.Session {
		for i := range plantedCauses {
			if c := &plantedCauses[i]; c.name == name {
				s, _ := plantCause(t, c.plant, true)
				return s
			}
		}
		t.Fatal("no such cause")
		return nil
	}
}

// longGame writes frames of a program, each changed, and returns its session.
func longGame(t *testing.T, frames int, change func(f *gather.Frame, main []gather.Node)) *process.Session {
	t.Helper()
	s, events, begin := process.NewSession(), &causeEvents{}, platform.Ticks(0)
	s.SetHistory(frames, frames)
	s.SetSources(func(c *process.Sources) { c.Events = events })
	random := rand.New(rand.NewPCG(1, 2))
	for i := range uint64(frames) {
		f := causeFrame(i)
		f.Begin, f.Memory.Mode = begin, gather.MemoryHeapPerZone
		for k := range f.Lanes {
			f.Lanes[k].Begin = begin
		}
		main := f.Lanes[0].Nodes
		for k := range main {
			main[k].Self += platform.Ticks(float64(main[k].Self) * 0.1 * random.Float64())
		}
		change(f, main)
		closeFrame(f)
		events.frames = append(events.frames, f)
		if begin = f.End; s.WriteFrame(f) != nil {
			t.Fatal("the frame is refused")
		}
	}
	return s
}

func spikes(t *testing.T) *process.Session {
	return longGame(t, 700, func(f *gather.Frame, main []gather.Node) {
		if f.Index%300 == 120 {
			main[nodeUpdate].Self += 200 + platform.Ticks(f.Index/4)
		}
	})
}

func twoCallers(t *testing.T) *process.Session {
	s := longGame(t, 700, func(f *gather.Frame, main []gather.Node) {
		if f.Index%100 == 7 {
			f.Lanes[0].Nodes = append(main, gather.Node{ID: 20, Parent: nodeUpdate, Zone: 4, Count: 1, Self: 60})
		}
	})
	s.View().SetCursorZone(4)
	return s
}

func allocating(t *testing.T) *process.Session {
	return longGame(t, 300, func(f *gather.Frame, main []gather.Node) {
		f.Lanes[0].Extras = []gather.NodeExtra{{Node: nodeUpdate, HeapObjects: 3, HeapBytes: 400},
			{Node: nodePathfind, HeapObjects: 200, HeapBytes: 40_000},
			{Node: nodeRender, HeapObjects: 10, HeapBytes: 2_000}}
	})
}

func slower(t *testing.T) *process.Session {
	return longGame(t, 4000, func(f *gather.Frame, main []gather.Node) {
		if f.Index >= 2600 {
			main[nodeRender].Self += 90
		}
	})
}

func slightly(t *testing.T) *process.Session {
	return longGame(t, 4000, func(f *gather.Frame, main []gather.Node) {
		if f.Index >= 2600 {
			main[nodeRender].Self += 25
			main[nodePresent].Self -= 25
		}
	})
}

func once(t *testing.T) *process.Session {
	return longGame(t, 1000, func(f *gather.Frame, main []gather.Node) {
		if f.Index == 317 {
			f.Lanes[0].Nodes = append(main, gather.Node{ID: 20, Parent: nodeUpdate, Zone: 9, Count: 1, Self: 9})
		}
	})
}

// crowdedZones is a program of 10,000 zones.
func crowdedZones(t *testing.T) *process.Session {
	t.Helper()
	s, zones := process.NewSession(), []gather.ZoneInfo{{Name: "(root)"}}
	nodes := []gather.Node{{ID: 1, Parent: -1, Self: 1}}
	for i := range 10_000 {
		zones = append(zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 2), Zone: gather.ZoneID(i + 1), Count: 1, Self: 1})
	}
	for i := range platform.Ticks(20) {
		f := &gather.Frame{Index: uint64(i), Begin: i * 10_001, End: (i + 1) * 10_001, TicksPerSecond: 1e6,
			Zones: zones, Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Begin: i * 10_001, End: (i + 1) * 10_001,
				Nodes: nodes}}}
		if s.WriteFrame(f) != nil {
			t.Fatal("the frame is refused")
		}
	}
	return s
}

// A run that takes longer for good is higher in the ribbon from then on.
func TestTheRibbonHasTheStepOfASlowDown(t *testing.T) {
	p := openWorld(slightly(t))
	l := settled(t, p, 1120, 700, 1)
	x, y := find(t, p, ribbonHit)
	palette, top := draw.PaletteOf(draw.ThemeDark), [2]float32{}
	ink := draw.Mix(palette.Grey, palette.Surface, 0.45)
	for side, x := range [2]float32{x + 100, x + 900} {
		for i := 0; i+4 <= len(l.V); i += 4 {
			a, c := &l.V[i], &l.V[i+2]
			if (color.NRGBA{R: a.R, G: a.G, B: a.B, A: a.A}) == ink && a.X <= x && c.X > x && c.Y > y {
				top[side] = a.Y
			}
		}
	}
	if top[0] == 0 || top[0]-top[1] < 3 {
		t.Errorf("got the run %v pixels from the top before, %v after; want a step", top[0], top[1])
	}
}
