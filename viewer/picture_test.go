package viewer_test

import (
	"image"
	"image/color"
	"math"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// paint draws until the scales have settled and plays the last list, over a host's picture where the panel is glass.
func paint(t *testing.T, p *viewer.Panel, width, height int, scale float32) *image.RGBA {
	t.Helper()
	return paintOver(t, p, width, height, scale, host)
}

// paintOver draws a panel over the picture that a host draws.
func paintOver(t *testing.T, p *viewer.Panel, width, height int, scale float32, host func(*image.RGBA)) *image.RGBA {
	t.Helper()
	var l draw.List
	hurried(p)
	for n := 0; n == 0 || p.Settling(); n++ {
		if n == 100 {
			if now := p.Options().Now; now().Equal(now()) { // a note is there for ever
				break
			}
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

// host is a picture of a game.
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

// panelOf returns a panel with the options of a program.
func panelOf(d *demo, m viewer.PanelMode) *viewer.Panel {
	p := viewer.PanelOf(d)
	p.Change(func(o *viewer.Options) { o.Mode = m })
	p.Change(func(o *viewer.Options) { o.Title = "voxel-engine" })
	p.Change(func(o *viewer.Options) { o.Focused = true })
	p.SetKeys(usualKeys())
	hurried(p)
	return p
}

// pictures are states of the panel. Those that are not unpainted have a golden picture of their name.
var pictures = []struct {
	name          string
	mode          viewer.PanelMode
	width, height int
	scale         float32
	set           func(*demo, *viewer.Panel)
}{
	{"full-live", viewer.PanelFull, 1280, 720, 1, func(d *demo, _ *viewer.Panel) { d.view.Cursor = 1 }},
	{"full-live@2x", viewer.PanelFull, 1920, 1120, 2, func(d *demo, _ *viewer.Panel) { d.view.Cursor = 1 }},
	{"full-paused", viewer.PanelFull, 1280, 720, 1, paused},
	{"full-small", viewer.PanelFull, 640, 360, 1,
		func(d *demo, _ *viewer.Panel) { d.view.Mode = report.ReportSelfTime }},
	{"full-callgraph", viewer.PanelFull, 800, 500, 1, func(d *demo, _ *viewer.Panel) {
		d.view.Mode, d.view.Cursor, d.budget = report.ReportCallGraph, 2, 12e6
		d.warn = []string{
			"zone \"load\" (assets.go:41) was never ended: did you mean defer iprof.Begin(\"load\").End()?",
			"measuring costs 5.1 % of the frame", "the timer is unstable"}
	}},
	{"full-help", viewer.PanelFull, 1280, 720, 1, func(_ *demo, p *viewer.Panel) { listsKeys(p) }},
	{"full-legend", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Run("help")
	}},
	{"full-empty", viewer.PanelFull, 800, 480, 1, func(d *demo, _ *viewer.Panel) { d.frames = 0 }},
	{"full-noupdate", viewer.PanelFull, 640, 360, 1, func(d *demo, _ *viewer.Panel) { d.frames, d.unended = 0, 9 }},
	{"full-help-small", viewer.PanelFull, 640, 360, 1, func(_ *demo, p *viewer.Panel) { listsKeys(p) }},
	{"full-gone", viewer.PanelFull, 800, 600, 1, func(d *demo, _ *viewer.Panel) { d.gone, d.paused = true, true }},
	{"hud", viewer.PanelHUD, 700, 42, 1, func(*demo, *viewer.Panel) {}},
	{"hud@2x", viewer.PanelHUD, 1400, 84, 2, func(d *demo, _ *viewer.Panel) { d.paused = true }},
	{"full-contrast", viewer.PanelFull, 800, 480, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeHighContrast })
	}},
	{"full-safe", viewer.PanelFull, 800, 480, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeColorBlind })
	}},
	{"full-light", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeLight })
	}},
	{"table-columns", viewer.PanelFull, 1280, 480, 1, columnsChosen},
	{"table-filter", viewer.PanelFull, 800, 400, 1, func(d *demo, p *viewer.Panel) {
		p.Run("find")
		for _, r := range "An" {
			viewer.Type(p, r)
		}
		viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnName)})
	}},
	{"slowest", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		d.memory[demoFrames-1-93].HasReport = false
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
	}},
	{"guide-offer", viewer.PanelFull, 1280, 720, 1, func(_ *demo, p *viewer.Panel) { p.OfferGuide() }},
	{"guide-history", viewer.PanelFull, 1280, 720, 1, func(_ *demo, p *viewer.Panel) { guideTo(p, 2) }},
	{"guide-structure", viewer.PanelFull, 1280, 720, 1, func(_ *demo, p *viewer.Panel) { guideTo(p, 5) }},
	{"guide-step", viewer.PanelFull, 640, 360, 1, func(_ *demo, p *viewer.Panel) { guideTo(p, 6) }},
	{"lines", viewer.PanelFull, 1280, 480, 1, func(d *demo, p *viewer.Panel) {
		p.Run("lines")
		laidOut(p, 1280, 480)
		p.SetHover(1150, 120)
	}},
	{"compare", viewer.PanelFull, 1280, 720, 1, compared},
	{"memory", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
		p.Run("lock-scale")
	}},
	{"memory-off", viewer.PanelFull, 1280, 480, 1, func(d *demo, p *viewer.Panel) {
		for i := range d.memory {
			f := &d.memory[i]
			f.Memory = gather.MemoryOwn
			f.AllocBytes = 0
			f.HeapLive = 0
			f.Cycles = 0
			f.HeapCost = 0
		}
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripMemory })
	}},
	{"values", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripValues })
	}},
	{"card", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		d.view.Cursor = 7
		p.Run("card")
	}},
	{"card-source", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		d.view.Cursor, d.coded = rowNamed(d, "physics_solve"), true
		p.Change(func(o *viewer.Options) { o.Source = d.source })
		p.Run("source")
	}},
	{"card-hot", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		d.view.Cursor, d.coded, d.hot = rowNamed(d, "physics_solve"), true, d.hotLines()
		p.Change(func(o *viewer.Options) { o.Source = d.source })
		p.Run("source")
	}},
	{"card-source-changed", viewer.PanelFull, 1000, 560, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		p.Change(func(o *viewer.Options) {
			o.Source = func(gather.ZoneInfo) *report.Code {
				return &report.Code{Why: "physics.go was changed since: its lines may be others"}
			}
		})
		p.Run("source")
	}},
	{"marks", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		marked(d)
		laidOut(p, 1280, 720)
		p.SetHover(753, 200)
	}},
	{"found", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		viewer.SetFilter(p, "ai_")
		d.view.Filter = "ai_"
	}},
	{"estimated", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		d.signed = map[string]gather.Estimated{"physics_solve": gather.EstimatedTime,
			"broadphase": gather.EstimatedTime, "lighting": gather.EstimatedTime,
			"simulate": gather.EstimatedTime}
		d.view.Cursor = 7
		p.Run("card")
	}},
	{"scaled", viewer.PanelFull, 960, 540, 1,
		func(d *demo, p *viewer.Panel) { paused(d, p); p.Change(func(o *viewer.Options) { o.Scale = 1.5 }) }},
	{"zoomed", viewer.PanelFull, 1000, 600, 1, func(d *demo, p *viewer.Panel) {
		paused(d, p)
		laidOut(p, 1000, 600)
		viewer.FitIcicle(p, int32(d.find("ai_think")))
		viewer.Zoom(p, 500, -2)
	}},
	{"crowded", viewer.PanelFull, 640, 360, 1, func(d *demo, p *viewer.Panel) {
		compared(d, p)
		p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
		p.Run("card")
		p.Run("lines")
		viewer.SetFilter(p, "s")
		d.view.Lane, d.view.Cursor = 1, 8
		d.warn = []string{"measuring costs 5.1 % of the frame"}
	}},
	{"menu-columns", viewer.PanelFull, 640, 360, 1,
		func(d *demo, p *viewer.Panel) { p.Run("columns"); viewer.Scroll(p, 12) }},
	{"menu-lanes", viewer.PanelFull, 640, 360, 1,
		func(d *demo, p *viewer.Panel) { d.view.Lane = 2; p.Run("pick-lane"); viewer.Scroll(p, 1) }},
	{"verdict", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		d.paused, d.view.Age, d.view.Cursor = true, demoSpike, 1
		laidOut(p, 1280, 720)
		p.SetHover(300, 61)
	}},
	{"verdict-small", viewer.PanelFull, 390, 844, 1,
		func(d *demo, p *viewer.Panel) { d.paused, d.view.Age = true, demoSpike }},
	{"verdict-over", viewer.PanelReportAndGraph, 1024, 640, 1,
		func(d *demo, p *viewer.Panel) { d.paused, d.view.Age = true, demoSpike }},
	{"verdict-hud", viewer.PanelHUD, 700, 72, 1,
		func(d *demo, p *viewer.Panel) { d.paused, d.view.Age = true, demoSpike }},
	{"over", viewer.PanelReportAndGraph, 1024, 640, 1,
		func(d *demo, _ *viewer.Panel) { d.view.Mode = report.ReportHierarchicalTime }},
	{"range", viewer.PanelFull, 1280, 720, 1, ranged},
	{"compare-range", viewer.PanelFull, 1000, 600, 1, func(d *demo, p *viewer.Panel) {
		d.paused = true
		d.view.Lens = report.Lens{Kind: report.LensRange, From: d.memory[40].Index, To: d.memory[150].Index}
		laidOut(p, 1000, 600)
		p.Run("baseline")
		d.view.Lens, d.view.Age = report.Lens{}, 93
	}},
	{"grouped", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		d.view.Mode, d.view.Cursor = report.ReportHierarchicalTime, 2
		p.Run("group")
	}},
	{"grouped-folded", viewer.PanelFull, 1000, 560, 1, func(d *demo, p *viewer.Panel) {
		d.view.Mode = report.ReportSelfTime
		p.Run("group")
		laidOut(p, 1000, 560)
		viewer.Press(p, viewer.Hit{Kind: hit.Package, Index: 0})
		viewer.Press(p, viewer.Hit{Kind: hit.Package, Index: 2})
	}},
	{"menu-row", viewer.PanelFull, 1280, 720, 1, func(d *demo, p *viewer.Panel) {
		viewer.OpenItems(p, "physics_solve", rowItems, 300, 480)
		viewer.Scroll(p, 5)
	}},
	{"menu-searched", viewer.PanelFull, 640, 360, 1, func(d *demo, p *viewer.Panel) {
		p.Run("menu")
		for _, r := range "Frame over" {
			viewer.Type(p, r)
		}
	}},
	{"menu-all", viewer.PanelFull, 640, 360, 1, func(d *demo, p *viewer.Panel) {
		viewer.OpenItems(p, "All commands", rowItems, nan, nan)
		viewer.Scroll(p, 14)
	}},
	{"note", viewer.PanelFull, 640, 360, 1, func(d *demo, p *viewer.Panel) {
		p.Change(func(o *viewer.Options) { o.Now = func() time.Time { return time.Time{} } })
		p.Run("save-picture")
	}},
	{"long-axis", viewer.PanelFull, 800, 480, 1, func(d *demo, p *viewer.Panel) {
		d.memory[200].Busy, d.memory[200].Length, d.memory[200].Over = 340, 341, true
		d.budget = 21e6
	}},
	{"lanes", viewer.PanelFull, 1000, 600, 1, func(d *demo, p *viewer.Panel) {
		for i := range d.memory {
			d.memory[i].Busy *= 0.6
		}
	}},
	{"signs", viewer.PanelFull, 1280, 480, 1, func(d *demo, p *viewer.Panel) {
		d.view.Lane, d.view.Lens, d.view.Pin = 2, report.Lens{Kind: report.LensOver}, []report.ZoneID{16, 17}
		p.Run("baseline")
	}},
	{"full-unbalanced", viewer.PanelFull, 1000, 600, 1, func(d *demo, p *viewer.Panel) {
		d.view.Mode = report.ReportSelfTime
		d.warn = []string{
			"End of \"physics_solve\" (physics.go:29) while \"ccd\" (ccd.go:71) was open: that one was ended too",
			"repaired since the start: 3 scopes never ended"}
	}},
	{"full-unrecorded", viewer.PanelFull, 800, 480, 1, func(d *demo, p *viewer.Panel) { d.stopped = true }},
	{"full-off", viewer.PanelFull, 640, 360, 1, func(d *demo, p *viewer.Panel) { viewer.Disable(p) }},
	{"empty-frame", viewer.PanelFull, 640, 360, 1,
		func(d *demo, p *viewer.Panel) { viewer.SetFilter(p, "no such zone") }},
	{"over-small", viewer.PanelReportAndGraph, 640, 360, 1, func(d *demo, p *viewer.Panel) { ranged(d, p) }},
}

// unpainted are the states whose looks other pictures have, with words of their screens.
var unpainted = map[string][]string{
	"full-paused":          {"PAUSED", "frame\n30.86"},
	"full-help":            {"the keys that matter first"},
	"full-help-small":      {"the keys that matter first"},
	"full-noupdate":        {"Zones are measured, but no frame ends"},
	"full-gone":            {"This frame has left the history"},
	"full-unrecorded":      {"average of 0.8 s"},
	"full-off":             {"The profiler is compiled out"},
	"full-contrast":        {"levels 2 to 4 of 4"},
	"full-safe":            {"levels 2 to 4 of 4"},
	"full-small":           {"IProf\nSelf\nCallees"},
	"full-unbalanced":      {"that one was ended too"},
	"guide-history":        {"Each column is a frame"},
	"guide-structure":      {"Who calls whom"},
	"memory-off":           {"the heap is not measured in this memory mode"},
	"card":                 {"physics_solve"},
	"menu-all":             {"All commands"},
	"menu-lanes":           {"Goroutines"},
	"hud":                  {"p99\n24.4"},
	"card-source":          {"defer zoneSolve.Begin().End()"},
	"card-source-changed":  {"physics.go was changed since"},
	"scaled":               {"30.86"},
	"menu-searched":        {"Frame over\n"},
	"over":                 {"sort hier"},
	"over-small":           {"51 frames, 898.6 ms"},
	"compare-range":        {"Δ ms", "+0.31"},
	"grouped":              {"with callees\nø\nself ms"},
	"lanes":                {"newest"},
	"empty-frame":          {"No zone of that name in this view"},
	"full-legend":          {"What is on the screen"},
	"timeline-contrast":    {"worker 1"},
	"timeline-hover":       {"from 9.060 to 11.072 ms of the frame"},
	"timeline-found":       {"find\n1\nphys"},
	"timeline-many":        {"no events kept", "overwritten"},
	"timeline-groups-open": {"18×", "#1"},
	"timeline-lane":        {"worker 1\nstream"},
	"timeline-gone":        {"This frame's events are overwritten"},
	"timeline-empty":       {"No scope was open in this frame"},
	"timeline-off-small":   {"No events are recorded"},
	"timeline-off":         {"No events are recorded"},
	"full-live@2x":         {"average of 0.8 s", "render_world\n9.84\n9.06\n1\n8.69"},
	"guide-step":           {"5 of 6\nStop and step"},
	"found":                {"find\n1\nai_"},
	"menu-columns":         {"waiting\nmemory\ncalls\ntime\nusual\nColumns"},
	"verdict-over":         {"Frame 18249: +13.6 ms.", "sort hier"},
	"range":                {"range of frames", "51 frames, 898.6 ms"},
	"long-axis":            {"340 ms", "21.0 ms budget"},
	"timeline-zoomed":      {"12.81 ms"},
	"timeline-marks":       {"4.10 ms"},
}

var nan = float32(math.NaN())

var rowItems = []viewer.MenuItem{
	{Name: "select", Text: "open its call graph", Keys: "Enter"},
	{Name: "callers", Text: "only its callers", Ticked: true},
	{Name: "card", Text: "card of the zone", Keys: "Z"}, {},
	{Name: "pin", Text: "count only below this path", Keys: "I"},
	{Name: "unpin", Text: "count all paths", Keys: "Shift+I", Ticked: true},
	{Name: "own-lane", Text: "only the goroutine it ran on longest", Keys: "J"}, {Text: "a heading among them"},
	{Name: "copy-row", Text: "copy the row", Keys: "Shift+C"},
	{Name: "copy-site", Text: "copy its place in the source"}, {},
	{Name: "save-picture", Text: "save a picture (PNG)", Keys: "Ctrl+S"},
	{Name: "save-report", Text: "save a page (HTML)", Keys: "Ctrl+E"},
	{Name: "columns", Text: "columns …", Keys: "K"}, {Name: "menu", Text: "more …", Keys: "Tab"},
	{Name: "reset", Text: "forget all measurements", Keys: "X"},
	{Name: "theme", Text: "colours", Keys: "Y"},
}

// ranged shows the frames around the spike.
func ranged(d *demo, p *viewer.Panel) {
	d.paused, d.view.Age = true, 120
	d.view.Lens = report.Lens{Kind: report.LensRange, From: d.memory[demoFrames-1-70].Index,
		To: d.memory[demoFrames-1-120].Index}
}

// TestPictures draws each state.
func TestPictures(t *testing.T) {
	for _, c := range pictures {
		if unpainted[c.name] != nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) { pictureOf(t, c.name, c.mode, c.width, c.height, c.scale, c.set) })
	}
}

func pictureOf(
	t *testing.T, name string, m viewer.PanelMode, width, height int, scale float32, set func(*demo, *viewer.Panel),
) {
	d := newDemo()
	p := panelOf(d, m)
	set(d, p)
	if !gather.Enabled && d.frames == 0 {
		t.Skip("nothing is measured, of which there is another picture")
	}
	golden.Picture(t, name+".png", paint(t, p, width, height, scale))
}

// compared shows the spike, with an ordinary frame as the baseline.
func compared(d *demo, p *viewer.Panel) {
	d.paused, d.view.Age = true, 40
	p.Run("baseline")
	d.view.Age, d.view.Cursor = 93, 7
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(viewer.ColumnDelta)})
}

func columnsChosen(d *demo, p *viewer.Panel) {
	setColumns(p, report.ColumnHier, report.ColumnSelf, report.ColumnSelfPercent, report.ColumnHierPerCall,
		report.ColumnMax,
		report.ColumnP99, report.ColumnDeviation, report.ColumnAllocBytes, viewer.ColumnSpark)
	viewer.Press(p, viewer.Hit{Kind: hit.Header, Index: int(report.ColumnMax)})
	d.view.Lane, d.view.Cursor = 1, 3
}

// paused shows the spike.
func paused(d *demo, _ *viewer.Panel) { d.paused, d.view.Age, d.view.Cursor = true, 93, 8 }

// listsKeys opens the list of all keys.
func listsKeys(p *viewer.Panel) {
	p.SetKeys(usualKeys())
	p.Run("help")
	p.Run("help")
}

// usualKeys are the keys of the table of commands.
func usualKeys() (keys []viewer.KeyName) {
	for _, c := range viewer.Commands() {
		for _, key := range strings.Fields(c.Keys) {
			keys = append(keys, viewer.KeyName{Key: strings.TrimPrefix(key, "Keypad"), Command: c.Name})
		}
	}
	return keys
}
