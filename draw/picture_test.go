package draw_test

import (
	"image"
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
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
	{"card", draw.Full, 1280, 720, 1, func(d *demo, p *draw.Panel) { paused(d, p); d.view.Cursor = 7; p.SetSource(source); p.ToggleCard() }},
	{"card-small", draw.Full, 640, 360, 1, func(d *demo, p *draw.Panel) { paused(d, p); d.view.Cursor = 7; p.ToggleCard() }},
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
}

func TestPictures(t *testing.T) {
	for _, c := range pictures {
		t.Run(c.name, func(t *testing.T) {
			d := newDemo()
			p := panelOf(d, c.mode)
			c.set(d, p)
			golden.Picture(t, c.name+".png", paint(t, p, c.width, c.height, c.scale))
		})
	}
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
