//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/canvas"
)

// worldFrames is the number of frames of the worlds below.
const worldFrames = 360

// writeWorld writes frames of a program of main's zones and of workers, with hitches, and returns its paused session.
func writeWorld(t *testing.T, main, worker []worldZone, workers int) *process.Session {
	t.Helper()
	s, events, begin := process.NewSession(), &causeEvents{}, platform.Ticks(0)
	s.SetHistory(worldFrames, worldFrames)
	s.SetSources(func(c *process.Sources) { c.Events = events })
	random := rand.New(rand.NewPCG(5, 62))
	zones := worldZones(append(append([]worldZone{}, main...), worker...))
	for i := range uint64(worldFrames) {
		f := &gather.Frame{Index: i, Begin: begin, TicksPerSecond: 1e6, Zones: zones,
			Memory: gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 1e5 + 1000*(i%9)}}
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 1, Name: "main goroutine", Updater: true, Begin: begin,
			Nodes: worldNodes(random, main, 0, int(i))})
		for w := range workers {
			l := gather.LaneFrame{ID: gather.LaneID(w + 2), Name: fmt.Sprint("worker ", w+1), Begin: begin,
				Nodes: worldNodes(random, worker, len(main), int(i)+w*7)}
			for k := range l.Nodes {
				l.Nodes[k].ID += gather.NodeID(1000 * (w + 1))
			}
			f.Lanes = append(f.Lanes, l)
		}
		closeWorld(f)
		events.frames = append(events.frames, f)
		begin = f.End
		must.Do(t, s.WriteFrame(f))
	}
	return s
}

// worldZones describes the zones of a world. The first is the root.
func worldZones(of []worldZone) []gather.ZoneInfo {
	zones := []gather.ZoneInfo{{Name: "(root)"}}
	for _, z := range of {
		zones = append(zones, gather.ZoneInfo{Name: z.name, Idle: z.idle, File: "/src/world/" + z.pkg + ".go",
			Line:     10 * len(zones),
			Function: "example.com/world/" + z.pkg + ".(*State)." + strings.ReplaceAll(z.name, "/", " ")})
	}
	return zones
}

// closeWorld ends the lanes of a frame where the first one ends.
func closeWorld(f *gather.Frame) {
	f.End = f.Begin + whole(f.Lanes[0].Nodes, 0)
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if l.End = f.End; i == 0 {
			continue
		}
		busy := whole(l.Nodes, 0) - l.Nodes[0].Self
		for k := range l.Nodes[1:] {
			if busy > f.End-f.Begin {
				l.Nodes[k+1].Self = l.Nodes[k+1].Self * (f.End - f.Begin) / (busy + 1)
			}
		}
		l.Nodes[0].Self = f.End - f.Begin - (whole(l.Nodes, 0) - l.Nodes[0].Self)
	}
}

// worldZone is a zone of a world: its level, package, self time in ms and calls.
type worldZone struct {
	level     int
	pkg, name string
	ms        float64
	calls     uint32
	idle      bool
}

// worldNodes makes a lane's nodes of a frame: times wander, and every 90th frame one zone takes long.
func worldNodes(random *rand.Rand, zones []worldZone, first, frame int) []gather.Node {
	nodes := []gather.Node{{ID: gather.NodeID(first + 1), Parent: -1, Self: 5}}
	open := []int32{0}
	for i, z := range zones {
		open = open[:z.level+1]
		ms := z.ms * (1 + 0.15*math.Sin(float64(frame+31*i)/40) + 0.2*(random.Float64()-0.5))
		if frame%90 == 61 && i == frame/90%len(zones)+5 {
			ms += 22
		}
		nodes = append(nodes, gather.Node{ID: gather.NodeID(first + i + 2), Parent: open[z.level],
			Zone: gather.ZoneID(first + i + 1), Count: z.calls, Self: platform.Ticks(ms * 1000)})
		open = append(open, int32(len(nodes)-1))
	}
	return nodes
}

// game and gameWorkers are the zones of a game.
var (
	game = []worldZone{
		{0, "game", "simulate", 0.2, 1, false}, {1, "ai", "ai_think", 0.9, 64, false},
		{2, "ai", "pathfind", 0.6, 12, false}, {2, "ai", "steer", 0.25, 64, false},
		{2, "ai", "perceive", 0.2, 64, false},
		{1, "physics", "integrate", 0.5, 2, false}, {1, "physics", "broadphase", 0.5, 2, false},
		{2, "physics", "sortAxis", 0.15, 2, false}, {1, "physics", "narrowphase", 0.7, 40, false},
		{1, "physics", "solve", 1.1, 8, false}, {2, "physics", "islands", 0.2, 8, false},
		{1, "game", "scripts", 0.35, 30, false}, {1, "game", "inventory", 0.05, 3, false},
		{0, "render", "renderWorld", 0.2, 1, false}, {1, "render", "cullFrustum", 0.5, 6, false},
		{1, "render", "gbuffer", 1.2, 1, false}, {2, "render", "terrain", 0.4, 12, false},
		{2, "render", "props", 0.3, 340, false}, {2, "render", "decals", 0.1, 9, false},
		{1, "render", "shadowCascades", 0.8, 4, false}, {2, "render", "cascade", 0.3, 4, false},
		{1, "render", "lighting", 1.6, 1, false}, {2, "render", "clustered", 0.3, 4, false},
		{2, "render", "volumetrics", 0.3, 1, false}, {1, "render", "post", 0.5, 1, false},
		{2, "render", "bloom", 0.25, 1, false}, {2, "render", "antialias", 0.2, 1, false},
		{0, "audio", "mix", 0.4, 1, false}, {1, "audio", "spatial", 0.2, 24, false},
		{0, "render", "present", 2.2, 1, true},
	}
	gameWorkers = []worldZone{
		{0, "load", "streamChunk", 1.2, 3, false}, {1, "load", "decode", 2.5, 3, false},
		{2, "load", "inflate", 1.5, 6, false}, {0, "load", "waitForWork", 3, 1, true},
	}
)

// server and serverRoutes are the zones of a server: its Update goroutine sleeps, requests run on others.
var (
	server       = []worldZone{{0, "server", "sleep", 99, 1, true}, {0, "iprof", "iprof update", 0.3, 1, false}}
	serverRoutes = func() (all []worldZone) {
		for i, route := range []string{"GET /", "GET /users/{id}", "POST /users", "GET /orders", "POST /orders",
			"GET /search", "GET /feed", "POST /login", "GET /static", "PUT /cart", "DELETE /cart", "GET /health"} {
			all = append(all, worldZone{0, "routes", route, 0.3 + 0.2*float64(i%5), uint32(2 + i%7), false},
				worldZone{1, "db", "query " + route, 1 + 0.4*float64(i%4), uint32(3 + i%7), false},
				worldZone{1, "render", "encode " + route, 0.3, uint32(2 + i%7), false})
		}
		return all
	}()
)

// worlds are the captures that the screens below show.
var worlds = []struct {
	name string
	open func(t *testing.T) *process.Session
}{
	{"game", func(t *testing.T) *process.Session { return writeWorld(t, game, gameWorkers, 4) }},
	{"server", func(t *testing.T) *process.Session { return writeWorld(t, server, serverRoutes, 6) }},
}

// views are what a user looks at.
var worldViews = []struct {
	name string
	open func(s *process.Session, p *viewer.Panel)
}{
	{"tree", func(s *process.Session, p *viewer.Panel) { s.View().SetReportMode(report.ReportCallTree) }},
	{"self", func(s *process.Session, p *viewer.Panel) { s.View().SetReportMode(report.ReportSelfTime) }},
	{"timeline", func(s *process.Session, p *viewer.Panel) {
		s.View().SetReportMode(report.ReportCallTree)
		p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineLarge })
	}},
	{"both", func(s *process.Session, p *viewer.Panel) {
		s.View().SetReportMode(report.ReportCallTree)
		p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown })
	}},
	{"verdict", func(s *process.Session, p *viewer.Panel) {
		s.View().SetReportMode(report.ReportCallTree)
		p.Run("slowest")
		p.Run("why")
	}},
}

var worldSizes = [][2]int{{390, 844}, {800, 500}, {1280, 720}, {3840, 2160}}

// openWorld returns the panel of a world's session.
func openWorld(s *process.Session) *viewer.Panel {
	s.Pause()
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) {
		o.Mode, o.Title = viewer.PanelFull, "world"
		o.Focused, o.Finished = true, true
	})
	p.SetKeys(usualKeys())
	hurried(p)
	return p
}

// Most of each screen has content: at most a tenth of it is more than 16 pixels from all content. No text lies on
// another or leaves the screen.
func TestScreensAreFull(t *testing.T) {
	for _, w := range worlds {
		for _, v := range worldViews {
			if w.name == "server" && v.name == "verdict" {
				continue // its longest interval slept, as the program chose: there is no verdict to draw
			}
			t.Run(w.name+"-"+v.name, func(t *testing.T) {
				s := w.open(t)
				p := openWorld(s)
				settled(t, p, 1280, 720, 1)
				v.open(s, p)
				p.Act(func(*process.Session, *viewer.Panel) {}) // ends the tip of the frame
				for _, size := range worldSizes {
					if testing.Short() && size[0] > 2000 && v.name != "tree" {
						continue
					}
					for range 3 {
						settled(t, p, float32(size[0]), float32(size[1]), 1)
						p.Change(func(o *viewer.Options) { o.Now = func() time.Time { return time.Unix(1e9, 0) } })
						p.Change(func(o *viewer.Options) { o.Now = nil })
					}
					m := paint(t, p, size[0], size[1], 1)
					name := fmt.Sprintf("%s-%s-%d", w.name, v.name, size[0])
					if dir := os.Getenv("IPROF_PICTURES"); dir != "" {
						save(t, filepath.Join(dir, name+".png"), m)
					}
					got := emptyShare(p, m)
					if dir := os.Getenv("IPROF_PICTURES"); dir != "" {
						save(t, filepath.Join(dir, name+"-empty.png"), m)
					}
					apartOnScreen(t, p, float32(size[0]), float32(size[1]))
					if got > 0.1 {
						t.Errorf("%v: got %.1f %% of the screen empty; want at most 10", size, 100*got)
					}
				}
			})
		}
	}
}

// Colours that touch on these screens, in bands, bars and scopes, are far apart in each theme.
func TestNeighboursOnScreensAreFarApart(t *testing.T) {
	for _, w := range worlds {
		for _, v := range worldViews {
			t.Run(w.name+"-"+v.name, func(t *testing.T) {
				s := w.open(t)
				p := openWorld(s)
				settled(t, p, 1280, 720, 1)
				v.open(s, p)
				touchingFar(t, p)
			})
		}
	}
}

// margin is the greatest distance of an empty pixel from content that is not wasted, in pixels.
const margin = 16

// emptyShare returns the share of a picture's pixels that are more than a margin from all content and from the edge,
// and paints them. The ground, lines of a grid and the sides of cards are no content. A column of a history is content
// up to the top of the scale, and a row of bars from side to side: its gaps are data.
func emptyShare(p *viewer.Panel, m *image.RGBA) float64 {
	w, h := m.Rect.Dx(), m.Rect.Dy()
	full := make([]bool, w*h)
	palette := draw.PaletteOf(p.Options().Theme)
	for y := range h {
		for x := range w {
			at := m.RGBAAt(x, y)
			full[y*w+x] = far(at, palette.Background) && far(at, palette.Surface) && far(at, palette.Outline) &&
				far(at, palette.GridLine) && far(at, palette.Stripe)
		}
	}
	for _, a := range viewer.Areas(p) {
		at := image.Rect(int(a.X0), int(a.Y0), int(a.X1), int(a.Y1)).Intersect(m.Rect)
		switch a.Hit.Kind {
		case hit.Graph:
			fill(full[at.Min.Y*w+at.Min.X:], at.Dx(), at.Dy(), 1, w)
		case hit.Timeline, hit.Structure:
			fill(full[at.Min.Y*w+at.Min.X:], at.Dy(), at.Dx(), w, 1)
		}
	}
	empty := 0
	for i, near := range spread(spread(full, w, h, 1, w), h, w, w, 1) {
		if !near {
			m.SetRGBA(i%w, i/w, color.RGBA{200, 0, 60, 255})
			empty++
		}
	}
	return float64(empty) / float64(w*h)
}

// fill makes each line of a chart that has content full: across lines, of length along, with steps between neighbours.
func fill(full []bool, across, along, line, step int) {
	for l := range across {
		n := 0
		for i := range along {
			if full[l*line+i*step] {
				n++
			}
		}
		for i := 0; n > 0 && i < along; i++ {
			full[l*line+i*step] = true
		}
	}
}

// spread returns which pixels are within a margin of a full one along an axis: steps between neighbours and lines.
func spread(full []bool, along, lines, step, line int) []bool {
	near := make([]bool, len(full))
	for l := range lines {
		last := -1 // the edge of the screen
		for i := range along {
			if full[l*line+i*step] {
				last = i
			}
			near[l*line+i*step] = i-last <= margin
		}
		last = along
		for i := along - 1; i >= 0; i-- {
			if full[l*line+i*step] {
				last = i
			}
			near[l*line+i*step] = near[l*line+i*step] || last-i <= margin
		}
	}
	return near
}

// far reports whether a pixel can be told from a ground.
func far(a color.RGBA, b color.NRGBA) bool {
	d := func(x, y uint8) int { return max(int(x)-int(y), int(y)-int(x)) }
	return max(d(a.R, b.R), d(a.G, b.G), d(a.B, b.B)) > 2
}

// The frames of a capture fill the width of the history, however few or many they are.
func TestTheHistoryFitsItsFrames(t *testing.T) {
	for _, frames := range []int{12, 30, 90, 300, 420, 3000} {
		for _, width := range []float32{800, 1280, 3840} {
			t.Run(fmt.Sprint(frames, " in ", width), func(t *testing.T) {
				s := newSteps(t, 4000, "update")
				for range frames {
					s.frame(8)
				}
				p := s.panel()
				s.Pause()
				settled(t, p, width, 720, 1)
				columns := viewer.Past(p).Columns
				plot := plotOf(p)
				if first := viewer.ColumnPlace(p, 0)[0]; first-plot.X0 > 3 {
					t.Errorf("got %d columns from %v on; want them from %v", len(columns), first, plot.X0)
				}
				shown := columns[0].Oldest + 1
				if each := plot.Width() / float32(shown); frames > shown && each > 4 {
					t.Errorf("got %v pixels for each of %d frames; want more of the %d", each, shown, frames)
				}
			})
		}
	}
}

// A panel that shows the timeline, the card or the verdict before its first frame says that there are no frames.
func TestEachViewIsDrawnBeforeTheFirstFrame(t *testing.T) {
	for _, v := range worldViews {
		t.Run(v.name, func(t *testing.T) {
			s := process.NewSession()
			p := viewer.PanelFor(s)
			p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
			v.open(s, p)
			if words := wordsOf(p, 1280, 720); !slices.Contains(words, "No frames yet") {
				t.Errorf("got %q; want that there are no frames", words)
			}
		})
	}
}

// Texts stand out from what they lie on, on each screen and in each theme. The most frequent colour around a text is
// what it lies on.
func TestTextsStandOutOnScreens(t *testing.T) {
	for _, v := range worldViews {
		t.Run(v.name, func(t *testing.T) {
			s := writeWorld(t, game, gameWorkers, 4)
			p := openWorld(s)
			settled(t, p, 1280, 720, 1)
			v.open(s, p)
			for theme := range draw.Theme(draw.NumThemes) {
				p.Change(func(o *viewer.Options) { o.Theme = theme })
				words := settled(t, p, 1280, 720, 1).AppendWords(nil)
				m := paint(t, p, 1280, 720, 1)
				for _, w := range words {
					ground := groundOf(m, image.Rect(int(w.X0)-1, int(w.Baseline)-10, int(w.X1)+1, int(w.Baseline)+3))
					if got := contrast(over(w.Color, ground), ground); got < 4.5 {
						t.Errorf("theme %d, %q at %v, %v: got %v on %v, a contrast of %.2f; want 4.5", theme, w.Text,
							w.X0, w.Baseline, w.Color, ground, got)
					}
				}
			}
		})
	}
}

// groundOf returns the most frequent colour of a part of a picture.
func groundOf(m *image.RGBA, r image.Rectangle) color.NRGBA {
	seen, best := map[color.RGBA]int{}, color.RGBA{}
	r = r.Intersect(m.Rect)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			at := m.RGBAAt(x, y)
			if seen[at]++; seen[at] > seen[best] {
				best = at
			}
		}
	}
	return color.NRGBA(best)
}

// over returns an ink on a ground.
func over(ink, ground color.NRGBA) color.NRGBA {
	ink, share := color.NRGBA{ink.R, ink.G, ink.B, 255}, float32(ink.A)/255
	return draw.Mix(ground, ink, share)
}

// The tip of a band's name in the history covers none of the names.
func TestTheTipOfANameCoversNoName(t *testing.T) {
	p := openWorld(writeWorld(t, game, gameWorkers, 4))
	settled(t, p, 1280, 720, 1)
	p.Act(func(*process.Session, *viewer.Panel) {}) // ends the tip of the frame
	var names []canvas.Rect
	for _, a := range viewer.Areas(p) {
		if a.Hit.Kind == hit.Legend {
			names = append(names, a.Rect)
		}
	}
	for _, name := range names {
		p.SetHover(name.X0+9, (name.Y0+name.Y1)/2)
		found := false
		for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
			if w.Text != "the zone's colour in the history" {
				continue
			}
			found = true
			for _, other := range names {
				if w.X1 > other.X0 && w.X0 < other.X1 && w.Baseline > other.Y0 && w.Baseline-30 < other.Y1 {
					t.Errorf("%v: the tip at %.0f to %.0f, %.0f covers %v", name, w.X0, w.X1, w.Baseline, other)
				}
			}
		}
		if !found {
			t.Errorf("name at %v: got no tip", name)
		}
	}
	if len(names) < 5 {
		t.Errorf("got %d names; want more", len(names))
	}
}
