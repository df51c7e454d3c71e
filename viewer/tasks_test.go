//go:build !iprof_off

package viewer_test

import (
	"image/color"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// The tests of this file do what a user does who has a question, by commands and clicks, and check that the screen has
// the answer.

// task is a panel with a window of a size, and a session below it.
type task struct {
	*testing.T
	s    *process.Session
	p    *viewer.Panel
	name string
	step int
}

// see draws the screen, and returns its words. With IPROF_PICTURES it saves a picture.
func (k *task) see() (words []string) {
	k.Helper()
	for _, w := range settled(k.T, k.p, 1120, 700, 1).AppendWords(nil) {
		words = append(words, w.Text)
	}
	if dir := os.Getenv("IPROF_PICTURES"); dir != "" {
		k.step++
		save(k.T, filepath.Join(dir, k.name+string(rune('0'+k.step))+".png"), paint(k.T, k.p, 1120, 700, 1))
	}
	return words
}

// choose types words into the menu of all commands, and chooses the line that it proposes.
func (k *task) choose(words string) {
	k.Helper()
	k.p.Run("menu")
	for _, r := range words {
		viewer.Type(k.p, r)
	}
	k.see()
	h := k.p.State().Choice
	viewer.Press(k.p, h)
	if !k.p.Run(h.Name) {
		k.Errorf("%q: got %q, which does nothing", words, h.Name)
	}
}

// newTask returns a task in a program that was just read.
func newTask(t *testing.T, name string, s *process.Session) *task {
	k := &task{T: t, s: s, p: viewer.PanelFor(s), name: name}
	k.p.Change(func(o *viewer.Options) { o.Mode, o.Focused, o.Title = viewer.PanelFull, true, "game" })
	s.Pause()
	k.see()
	return k
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

// Which zone allocates: one choice of columns says so, the greatest first.
func TestTaskWhichZoneAllocates(t *testing.T) {
	k := newTask(t, "allocates", longGame(t, 300, func(f *gather.Frame, main []gather.Node) {
		f.Lanes[0].Extras = []gather.NodeExtra{{Node: nodeUpdate, HeapObjects: 3, HeapBytes: 400},
			{Node: nodePathfind, HeapObjects: 200, HeapBytes: 40_000},
			{Node: nodeRender, HeapObjects: 10, HeapBytes: 2_000}}
	}))
	before := k.s.View().Get().Order
	k.choose("memory")
	words := k.see()
	first := k.row(0)
	second := k.row(1)
	if first != "pathfind" || second != "render" {
		t.Errorf("got the rows %s, %s; want pathfind, render", first, second)
	}
	if !slices.Contains(words, "40 kB") || !slices.Contains(words, "200") {
		t.Errorf("got %q; want 40 kB in 200 objects among them", words)
	}
	k.p.Run("back")
	if got := k.s.View().Get().Order; got != before {
		t.Errorf("back: got the order %+v; want %+v", got, before)
	}
	k.choose("memory")
	k.p.Run("usual-columns")
	if got := k.s.View().Get().Order; got != before {
		t.Errorf("the usual columns: got the order %+v; want %+v", got, before)
	}
}

// A program without memory by zone shows that of its frames, and how zones get it.
func TestTaskMemoryWithoutZones(t *testing.T) {
	k := newTask(t, "memory", longGame(t, 60, func(f *gather.Frame, _ []gather.Node) {
		f.Memory.Mode = gather.MemoryHeapPerFrame
	}))
	k.p.Run("columns-memory")
	words := strings.Join(k.see(), "|")
	k.p.Run("messages")
	if said := strings.Join(k.see(), "|"); !strings.Contains(said, "the memory mode zone") ||
		!strings.Contains(words, "bytes allocated, live heap") || strings.Contains(words, "~heap") {
		t.Errorf("got %q; want words on memory by zone, and the strip of memory", words)
	}
}

// row returns the name of the zone of a row from the top.
func (k *task) row(at int) string {
	seen := map[int]bool{}
	for y := float32(400); y < 700; y += 2 {
		if h := k.p.HitAt(300, y); h.Kind == hit.Record && !seen[h.Index] {
			if seen[h.Index] = true; len(seen) == at+1 {
				return k.s.Zone(h.Zone).Name
			}
		}
	}
	return ""
}

// What is the p99 of a zone: the card counts the calls that the list has, of all frames, and tells callers apart.
func TestTaskQuantilesOfAZone(t *testing.T) {
	k := newTask(t, "p99", longGame(t, 700, func(f *gather.Frame, main []gather.Node) {
		if f.Index%100 == 7 {
			f.Lanes[0].Nodes = append(main, gather.Node{ID: 20, Parent: nodeUpdate, Zone: 4, Count: 1, Self: 60})
		}
	}))
	k.s.View().SetCursorZone(4)
	k.p.Run("card")
	words := strings.Join(k.see(), "|")
	if !strings.Contains(words, "|707 in 700 frames with events, average ") {
		t.Errorf("got %q; want the calls of all frames", words)
	}
	if _, after, _ := strings.Cut(words, "|called by|"); !strings.Contains(after, "|update|2.06|render|calls|") {
		t.Errorf("got %q; want both callers, also that of another frame", words)
	}
	k.p.Run("call-list")
	if words := strings.Join(k.see(), "|"); !strings.Contains(words, "|707 in 700 frames with events, 0 to 699") {
		t.Errorf("got %q; want as many calls in the list", words)
	}
}

// Where did a slow-down begin: a press on the step of the whole run, and one on the first higher column.
func TestTaskFirstFrameOfASlowDown(t *testing.T) {
	k := newTask(t, "slowdown", longGame(t, 4000, func(f *gather.Frame, main []gather.Node) {
		if f.Index >= 2600 {
			main[nodeRender].Self += 25
			main[nodePresent].Self -= 25
		}
	}))
	x0, y := find(t, k.p, ribbonHit)
	x1 := x0
	for k.p.HitAt(x1, y).Kind == hit.Ribbon {
		x1++
	}
	viewer.StartRibbon(k.p, x0+5+(x1-x0-10)*2600/4000)
	viewer.EndRibbon(k.p)
	k.see()
	x, y := find(t, k.p, graphOf(3999-2600))
	viewer.ShowAge(k.p, k.p.HitAt(x, y).Age)
	words := strings.Join(k.see(), " ")
	if !strings.Contains(words, "render itself 5.6 (usually 3.1)") {
		t.Errorf("got %q; want the zone that takes longer now", words)
	}
	low := k.ribbonTop(x0 + 100)
	high := k.ribbonTop(x1 - 100)
	if low-high < 3 {
		t.Errorf("got the run %v pixels from the top before, %v after; want a step", low, high)
	}
}

// ribbonTop returns the upper edge of the run at x.
func (k *task) ribbonTop(x float32) float32 {
	k.Helper()
	l := settled(k.T, k.p, 1120, 700, 1)
	p := draw.PaletteOf(draw.ThemeDark)
	for i := 0; i+4 <= len(l.V); i += 4 {
		a, c := &l.V[i], &l.V[i+2]
		if (color.NRGBA{R: a.R, G: a.G, B: a.B, A: a.A}) == draw.Mix(p.Grey, p.Surface, 0.45) && a.X <= x && c.X > x {
			return a.Y
		}
	}
	k.Fatal("the run is not drawn there")
	return 0
}

// One scope among all of a long run: its zone is found by name, though the frame shown has none of it, and Shift+N goes
// there.
func TestTaskOneScopeAmongAll(t *testing.T) {
	k := newTask(t, "scope", longGame(t, 1000, func(f *gather.Frame, main []gather.Node) {
		if f.Index == 317 {
			f.Lanes[0].Nodes = append(main, gather.Node{ID: 20, Parent: nodeUpdate, Zone: 9, Count: 1, Self: 9})
		}
	}))
	k.choose("autosave")
	if words := strings.Join(k.see(), " "); !strings.Contains(words, "Shift+N to the one before") {
		t.Errorf("got %q; want words on how to go to it", words)
	}
	k.p.Run("previous-occurrence")
	words := strings.Join(k.see(), " ")
	if !strings.Contains(words, "autosave in frame 317") {
		t.Errorf("got %q; want the frame of the scope", words)
	}
	find(t, k.p, func(h viewer.Hit) bool { return h.Kind == hit.Timeline && h.Zone == 9 })
}
