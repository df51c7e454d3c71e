package draw_test

import (
	"image"
	"image/color"
	"math"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process"
)

// paint draws until the scales have settled and plays the last list, over a host's picture where the panel is glass.
func paint(t *testing.T, p *draw.Panel, width, height int, scale float32) *image.RGBA {
	t.Helper()
	var l draw.List
	for n := 0; n == 0 || p.Settling(); n++ {
		if n == 100 {
			t.Fatal("the scale did not settle within 100 frames")
		}
		l.Reset()
		p.Draw(&l, float32(width), float32(height), scale)
	}
	m := image.NewRGBA(image.Rect(0, 0, width, height))
	host(m)
	soft.Render(m, &l)
	return m
}

// host is what a game might show.
func host(m *image.RGBA) {
	for y := range m.Rect.Dy() {
		for x := range m.Rect.Dx() {
			c := color.RGBA{uint8(60 + 60*y/m.Rect.Dy()), uint8(90 + 40*y/m.Rect.Dy()), 120, 255}
			if (x/40+y/40)%2 == 0 {
				c.R, c.G, c.B = c.R+18, c.G+18, c.B+18
			}
			m.SetRGBA(x, y, c)
		}
	}
}

// panelOf is a panel as a program sets it up.
func panelOf(d *demo, m draw.PanelMode) *draw.Panel {
	p := draw.NewPanel(d)
	p.SetMode(m)
	p.SetTitle("voxel-engine")
	p.SetFocused(true)
	p.SetKeys(demoKeys)
	return p
}

var demoKeys = []draw.KeyHint{
	{Keys: "↑ ↓", Action: "move"}, {Keys: "Enter", Action: "open zone"}, {Keys: "Backspace", Action: "parent"},
	{Keys: "← →", Action: "frame"}, {Keys: "Space", Action: "pause"}, {Keys: "1 2 3 4 5", Action: "mode"},
	{Keys: "A", Action: "average"}, {Keys: "P", Action: "precision"}, {Keys: "?", Action: "help"},
	{Keys: "[ ]", Action: "frame over budget"}, {Keys: "M", Action: "slowest frame"}, {Keys: "Shift+← Shift+→", Action: "10 frames"},
	{Keys: "Home", Action: "oldest frame"}, {Keys: "End", Action: "live"}, {Keys: "PgUp PgDn", Action: "page"},
	{Keys: "F1", Action: "overlay: off, line, half, full"}, {Keys: "F2", Action: "keys to the overlay or the program"},
}

// pictures are the states of the display, each with a golden picture of its name.
var pictures = []struct {
	name          string
	mode          draw.PanelMode
	width, height int
	scale         float32
	set           func(*demo, *draw.Panel)
}{
	{"full-live", draw.Full, 1280, 720, 1, func(d *demo, _ *draw.Panel) { d.view.Cursor = 1 }},
	{"full-live@2x", draw.Full, 1920, 1120, 2, func(d *demo, _ *draw.Panel) { d.view.Cursor = 1 }},
	{"full-paused", draw.Full, 1280, 720, 1, paused},
	{"full-small", draw.Full, 640, 360, 1, func(d *demo, _ *draw.Panel) { d.view.Mode = process.SelfTime }},
	{"full-callgraph", draw.Full, 1000, 640, 1, func(d *demo, _ *draw.Panel) {
		d.view.Mode, d.view.Cursor, d.budget = process.CallGraph, 2, 12e6
		d.warn = []string{"zone \"load\" (assets.go:41) was never ended: did you mean defer iprof.Begin(\"load\").End()?", "measuring costs 5.1 % of the frame", "the timer is unstable"}
	}},
	{"full-help", draw.Full, 1280, 720, 1, func(_ *demo, p *draw.Panel) { p.ToggleHelp() }},
	{"full-empty", draw.Full, 800, 480, 1, func(d *demo, _ *draw.Panel) { d.frames = 0 }},
	{"full-noupdate", draw.Full, 640, 360, 1, func(d *demo, _ *draw.Panel) { d.frames, d.unended = 0, 9 }},
	{"full-help-small", draw.Full, 640, 360, 1, func(_ *demo, p *draw.Panel) { p.ToggleHelp() }},
	{"full-gone", draw.Full, 800, 600, 1, func(d *demo, _ *draw.Panel) { d.gone, d.paused = true, true }},
	{"hud", draw.HUD, 700, 42, 1, func(*demo, *draw.Panel) {}},
	{"hud@2x", draw.HUD, 1400, 84, 2, func(d *demo, _ *draw.Panel) { d.paused = true }},
	{"full-contrast", draw.Full, 800, 480, 1, func(d *demo, p *draw.Panel) { paused(d, p); p.SetTheme(draw.ThemeHighContrast) }},
	{"full-safe", draw.Full, 800, 480, 1, func(d *demo, p *draw.Panel) { paused(d, p); p.SetTheme(draw.ThemeColorBlind) }},
	{"table-columns", draw.Full, 1280, 480, 1, columnsChosen},
	{"table-filter", draw.Full, 800, 400, 1, func(d *demo, p *draw.Panel) {
		p.OpenFilter()
		for _, r := range "An" {
			p.Type(r)
		}
		p.SortBy(draw.ColumnName)
	}},
	{"slowest", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) {
		d.memory[demoFrames-1-93].HasReport = false
		p.SetSecond(draw.SecondSlowest)
	}},
	{"lines", draw.Full, 1280, 480, 1, func(d *demo, p *draw.Panel) {
		p.ToggleLines()
		laidOut(p, 1280, 480)
		p.SetHover(1150, 120)
	}},
	{"compare", draw.Full, 1280, 720, 1, compared},
	{"compare-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { compared(d, p); d.view.Mode = process.SelfTime }},
	{"memory", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) { paused(d, p); p.SetSecond(draw.SecondMemory); p.ToggleScaleLock() }},
	{"memory-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.SetSecond(draw.SecondMemory) }},
	{"memory-off", draw.Full, 1280, 480, 1, func(d *demo, p *draw.Panel) {
		for i := range d.memory {
			f := &d.memory[i]
			f.Memory, f.AllocBytes, f.HeapLive, f.Cycles, f.HeapCost = gather.MemoryOwn, 0, 0, 0, 0
		}
		p.SetSecond(draw.SecondMemory)
	}},
	{"values", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) { paused(d, p); p.SetSecond(draw.SecondValues) }},
	{"values-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.SetSecond(draw.SecondValues) }},
	{"card", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) { paused(d, p); d.view.Cursor = 7; p.SetSource(source); p.ToggleCard() }},
	{"card-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { paused(d, p); d.view.Cursor = 7; p.ToggleCard() }},
	{"estimated", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) {
		paused(d, p)
		d.signed = map[string]gather.Estimated{"physics_solve": gather.EstimatedTime, "broadphase": gather.EstimatedCount, "lighting": gather.EstimatedTime,
			"simulate": gather.EstimatedTime}
		d.view.Cursor = 7
		p.ToggleCard()
	}},
	{"scaled", draw.Full, 960, 540, 1, func(d *demo, p *draw.Panel) { paused(d, p); p.SetUIScale(1.5) }},
	{"zoomed", draw.Full, 1000, 600, 1, func(d *demo, p *draw.Panel) {
		paused(d, p)
		laidOut(p, 1000, 600)
		p.FitIcicle(int32(d.find("ai_think")))
		p.ZoomIcicle(500, -2)
	}},
	{"crowded", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) {
		compared(d, p)
		p.SetSecond(draw.SecondSlowest)
		p.ToggleCard()
		p.ToggleLines()
		p.SetFilter("s")
		d.view.Lane, d.view.Cursor = 1, 8
		d.warn = []string{"measuring costs 5.1 % of the frame"}
	}},
	{"menu-columns", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.OpenColumns(); p.MoveMenu(12) }},
	{"menu-lanes", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { d.view.Lane = 2; p.OpenLanes(); p.MoveMenu(1) }},
	{"over", draw.ReportAndGraph, 1024, 640, 1, func(d *demo, _ *draw.Panel) { d.view.Mode = process.HierarchicalTime }},
	{"range", draw.Full, 1280, 720, 1, ranged},
	{"range-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { ranged(d, p); d.view.Lens.From = d.view.Lens.To }},
	{"compare-range", draw.Full, 1000, 600, 1, func(d *demo, p *draw.Panel) {
		d.paused = true
		d.view.Lens = process.Lens{Kind: process.LensRange, From: d.memory[40].Index, To: d.memory[150].Index}
		laidOut(p, 1000, 600)
		p.PinBaseline()
		d.view.Lens, d.view.Age = process.Lens{}, 93
	}},
	{"grouped", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) {
		d.view.Mode, d.view.Cursor = process.HierarchicalTime, 2
		p.ToggleGrouped()
	}},
	{"grouped-folded", draw.Full, 1000, 560, 1, func(d *demo, p *draw.Panel) {
		d.view.Mode = process.SelfTime
		p.ToggleGrouped()
		laidOut(p, 1000, 560)
		p.ToggleFold(0)
		p.ToggleFold(2)
	}},
	{"menu-row", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) { p.OpenMenu("physics_solve", rowItems, 300, 480); p.MoveMenu(5) }},
	{"menu-all", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.OpenMenu("All commands", rowItems, nan, nan); p.MoveMenu(14) }},
	{"note", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.Save(draw.SavePicture) }},
	{"long-axis", draw.Full, 800, 480, 1, func(d *demo, p *draw.Panel) {
		d.memory[200].Busy, d.memory[200].Length, d.memory[200].Over = 340, 341, true
		d.budget = 21e6
	}},
	{"lanes", draw.Full, 1000, 600, 1, func(d *demo, p *draw.Panel) {
		for i := range d.memory {
			d.memory[i].Busy *= 0.6
		}
	}},
	{"signs", draw.Full, 1280, 480, 1, func(d *demo, p *draw.Panel) {
		d.view.Lane, d.view.Lens, d.view.Pin = 2, process.Lens{Kind: process.LensOver}, []int32{16, 17}
		p.PinBaseline()
	}},
	{"full-unbalanced", draw.Full, 1000, 600, 1, func(d *demo, p *draw.Panel) {
		d.view.Mode = process.SelfTime
		d.warn = []string{"End of \"physics_solve\" (physics.go:29) while \"ccd\" (ccd.go:71) was open: that one was ended too", "repaired since the start: 3 scopes never ended"}
	}},
	{"full-unrecorded", draw.Full, 800, 480, 1, func(d *demo, p *draw.Panel) { d.stopped = true }},
	{"full-off", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { draw.Disable(p) }},
	{"empty-frame", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { p.SetFilter("no such zone") }},
	{"over-small", draw.ReportAndGraph, 640, 360, 1, func(d *demo, p *draw.Panel) { ranged(d, p) }},
}

var nan = float32(math.NaN())

var rowItems = []draw.MenuItem{
	{Name: "select", Text: "open its call graph", Keys: "Enter"}, {Name: "callers", Text: "only its callers", Ticked: true},
	{Name: "card", Text: "card of the zone", Keys: "Z"}, {},
	{Name: "pin", Text: "count only below this path", Keys: "I"}, {Name: "unpin", Text: "count all paths", Keys: "Shift+I", Ticked: true},
	{Name: "own-lane", Text: "only the lane it ran on longest", Keys: "J"}, {Text: "a heading among them"},
	{Name: "copy-row", Text: "copy the row", Keys: "Shift+C"}, {Name: "copy-site", Text: "copy its place in the source"}, {},
	{Name: "save-picture", Text: "save a picture (PNG)", Keys: "Ctrl+S"}, {Name: "save-report", Text: "save a page (HTML)", Keys: "Ctrl+E"},
	{Name: "columns", Text: "columns …", Keys: "K"}, {Name: "menu", Text: "more …", Keys: "Tab"}, {Name: "reset", Text: "forget all measurements", Keys: "X"},
	{Name: "theme", Text: "colours", Keys: "Y"},
}

// ranged looks at the frames round the spike.
func ranged(d *demo, p *draw.Panel) {
	d.paused, d.view.Age = true, 120
	d.view.Lens = process.Lens{Kind: process.LensRange, From: d.memory[demoFrames-1-70].Index, To: d.memory[demoFrames-1-120].Index}
}

// TestPictures draws each state at its size, and at twice the scale on a screen of the same pixels or more.
func TestPictures(t *testing.T) {
	for _, c := range pictures {
		t.Run(c.name, func(t *testing.T) { pictureOf(t, c.name, c.mode, c.width, c.height, c.scale, c.set) })
		if c.scale == 1 && c.height <= 720 && c.name != "hud" && c.name != "full-live" {
			t.Run(c.name+"@2x", func(t *testing.T) {
				height := max(c.height, 720)
				pictureOf(t, c.name+"@2x", c.mode, max(c.width, 1280), height, 2, c.set)
			})
		}
	}
}

func pictureOf(t *testing.T, name string, m draw.PanelMode, width, height int, scale float32, set func(*demo, *draw.Panel)) {
	d := newDemo()
	p := panelOf(d, m)
	set(d, p)
	if !gather.Enabled && d.frames == 0 {
		t.Skip("nothing is measured, of which there is another picture")
	}
	golden.Picture(t, name+".png", paint(t, p, width, height, scale))
}

func source(file string, line int) []string {
	return []string{"defer iprof.Begin(\"physics_solve\").End()", "for i := range bodies {", "\tbodies[i].step(dt) // " + file, "}", "world.settle()", "return"}
}

// compared looks at the spike beside a common frame.
func compared(d *demo, p *draw.Panel) {
	d.paused, d.view.Age = true, 40
	p.PinBaseline()
	d.view.Age, d.view.Cursor = 93, 7
	p.SortBy(draw.ColumnDelta)
}

func columnsChosen(d *demo, p *draw.Panel) {
	p.SetColumns(process.ColumnHier, process.ColumnSelf, process.ColumnSelfPercent, process.ColumnHierPerCall, process.ColumnMax,
		process.ColumnP99, process.ColumnDeviation, process.ColumnAllocBytes, draw.ColumnSpark)
	p.SortBy(process.ColumnMax)
	d.view.Lane, d.view.Cursor = 1, 3
}

// paused looks at the spike.
func paused(d *demo, _ *draw.Panel) { d.paused, d.view.Age, d.view.Cursor = true, 93, 8 }
