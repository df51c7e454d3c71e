package viewer

import (
	"image/color"

	"example.com/iprof/draw"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/internal/answer"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/scene"
	"example.com/iprof/viewer/internal/strip"
	"example.com/iprof/viewer/internal/table"
	"example.com/iprof/viewer/internal/timeline"
)

// Source is a panel's view of a session, for tests with data of their own.
type Source = scene.Source

// Disable makes a panel look as in a program that was built with the tag iprof_off.
func Disable(p *Panel) { p.disabled = true }

// PanelOf returns a panel of a test's data.
func PanelOf(s Source) *Panel { return newPanel(s) }

// Change compares a record's hierarchical time with an earlier one, and returns the difference in ms and percent.
func Change(was float64, r *report.Record) (ms, percent string) {
	var c report.Comparison
	old := report.Record{Zone: 1, Path: -1}
	old.Values[report.ColumnHier] = was
	one := report.FrameInfo{Average: report.AverageInstant, Frames: 1}
	c.Pin(&report.Report{Frame: one, Records: []report.Record{old}}, nil)
	now := report.Report{Frame: one, View: report.View{Mode: report.ReportHierarchicalTime},
		Records: []report.Record{*r}}
	c.Compare(&now)
	d := &now.Records[0].Delta
	return string(draw.AppendDelta(nil, d, false, report.Milliseconds, 2)),
		string(draw.AppendDelta(nil, d, true, report.Milliseconds, 2))
}

// RoundUp returns the upper edge of a history's scale.
var RoundUp = strip.RoundUp

// Tip returns the text of the tip of the last Draw, "" if there is none.
func Tip(p *Panel) (title, words string) {
	if t := &p.canvas.Tip; t.Due {
		return t.Title, string(t.Number) + t.Words
	}
	return "", ""
}

// Explained returns a column's name and the words that explain it.
func Explained(c report.Column) (name, words string) {
	return table.HeadingOf(table.Describe(c)), table.ColumnTips[c] + table.Describe(c).Words
}

// Columns is the number of columns of the table.
const Columns = table.NumColumns

// SparkEnd returns the age of the last frame of the sparklines.
func SparkEnd(p *Panel) int { return p.scene.UntilAge }

// Newest returns the newest value of a series, of the call structure and of a row's history, in whole ms.
func Newest(p *Panel) [3]uint64 {
	d := &p.scene
	series, history := d.Series[0].Values, d.History(0)
	return [3]uint64{whole(series[len(series)-1]), whole(float32(d.Tree[1].Hier)), whole(history[len(history)-1])}
}

func whole(ms float32) uint64 { return uint64(ms + 0.5) }

// CountCalls follows the cursor as a command does.
func CountCalls(p *Panel) { p.card.countCalls() }

// SetFilter filters the rows.
func SetFilter(p *Panel, text string) { setFilter(p, text) }

// Step returns the record a number of lines below the cursor of the view.
func Step(p *Panel, v report.View, lines int) int { return p.table.step(v, lines) }

// These do what the mouse and the keyboard do.
func Zoom(p *Panel, x float32, notches float64) { p.zoom(x, notches) }
func Pan(p *Panel, dx, dy float32)              { p.pan(dx, dy) }
func Scroll(p *Panel, rows int)                 { p.scroll(rows) }
func ScrollTimeline(p *Panel, rows int)         { p.timeline.scroll(rows) }
func FrameAt(p *Panel, h Hit) (uint64, bool)    { return p.strip.frameAt(h) }
func ShowAge(p *Panel, age int)                 { p.strip.showAge(age) }
func EndTip(p *Panel)                           { p.endTip() }
func Type(p *Panel, r rune)                     { p.typeRune(r) }
func Erase(p *Panel)                            { p.erase() }
func CloseFilter(p *Panel)                      { p.closeFilter() }
func RunAt(p *Panel, name string, x, y float32) { p.runAt(name, x, y) }
func Dismiss(p *Panel) bool                     { return p.dismiss() }
func StartRibbon(p *Panel, x float32)           { p.strip.startRibbon(x) }
func DragRibbon(p *Panel, x float32)            { p.strip.dragRibbon(x) }
func EndRibbon(p *Panel)                        { p.strip.endRibbon() }
func StartRuler(p *Panel, x, y float32)         { p.timeline.startRuler(x, y) }
func DragRuler(p *Panel, x, y float32)          { p.timeline.dragRuler(x, y) }
func ZoomHistory(p *Panel, x float32, sideways, notches float64) {
	p.strip.zoomHistory(x, sideways, notches)
}

// Press clicks on a hit, on a panel that may have no session.
func Press(p *Panel, h Hit) { p.pressLeft(&press{hit: h}) }

// FitIcicle fits the bar of a path to the width of the screen.
func FitIcicle(p *Panel, path int32) { p.ice.fit(path) }

// SetHints sets the lines of the help.
func SetHints(p *Panel, keys []KeyHint) { p.change(func() { p.keys = keys }) }

// OpenItems opens a menu of the test's items.
func OpenItems(p *Panel, title string, items []MenuItem, x, y float32) {
	p.menu.openItems(title, items, x, y)
}

// Scale returns the upper end of the history's scale, ms.
func Scale(p *Panel) float32 { return p.strip.Top }

// Layers returns the zones of the history's columns from the bottom.
func Layers(p *Panel) (zones []report.ZoneID) {
	for i := range p.strip.Layers {
		zones = append(zones, p.strip.Layers[i].Zone)
	}
	return zones
}

// Behind returns the number of frames that have ended while the mouse held the picture.
func Behind(p *Panel) int { return p.strip.Behind }

// Report returns the report of the last Draw.
func Report(p *Panel) *report.Report { return &p.scene.Report }

// Past returns the part of the history that the last Draw showed.
func Past(p *Panel) *report.Past { return &p.scene.Past }

// Touch is two zones that touch in a picture, with their colours.
type Touch struct {
	Names  [2]string
	Colors [2]color.NRGBA
}

// Touching returns the zones that touch in the columns of the history and in the call structure.
func Touching(p *Panel) (all []Touch) {
	c, d := &p.canvas, &p.scene
	add := func(a, b string, x, y color.NRGBA) {
		if a != b {
			all = append(all, Touch{[2]string{a, b}, [2]color.NRGBA{x, y}})
		}
	}
	for i := range p.strip.Layers {
		zone, name := p.strip.Layers[i].Zone, p.strip.Layers[i].Name
		add(name, "other zones", d.ZoneColor(c, zone, name), draw.Mix(c.Grey, c.Surface, 0.35))
		if i > 0 {
			below := &p.strip.Layers[i-1]
			add(below.Name, name, d.ZoneColor(c, below.Zone, below.Name), d.ZoneColor(c, zone, name))
		}
	}
	last := map[int32]*report.TreeNode{}
	color := func(n *report.TreeNode) (string, color.NRGBA) {
		name := d.Zone(n.Zone).Name
		return name, d.ColorOf(c, n.Zone, name, n.Idle)
	}
	for i := range d.Tree {
		n := &d.Tree[i]
		name, col := color(n)
		for _, other := range []*report.TreeNode{last[n.Level], last[n.Level-1]} {
			if other == nil || other.Idle && n.Idle || zonecolor.IsGiven(name) {
				continue
			}
			if other.Level == n.Level && other.Parent != n.Parent {
				continue // the self time of their callers is between them
			}
			if its, x := color(other); !zonecolor.IsGiven(its) {
				add(its, name, x, col)
			}
		}
		last[n.Level] = n
	}
	return all
}

// ZoneColors returns the colours of the zones, by name.
func ZoneColors(p *Panel) map[string]color.NRGBA {
	all := map[string]color.NRGBA{}
	for i := range p.scene.Zones {
		if c, ok := p.scene.Colors.Of(int(p.options.Theme), report.ZoneID(i)); ok {
			all[p.scene.Zones[i].Name] = c
		}
	}
	return all
}

// ColorOf returns the colour in which the last Draw showed a zone.
func ColorOf(p *Panel, zone report.ZoneID) color.NRGBA {
	return p.scene.ZoneColor(&p.canvas, zone, p.scene.Zone(zone).Name)
}

// Swatches returns the colours of a theme's zones.
func Swatches(theme draw.Theme) []color.NRGBA { return zonecolor.Swatches(int(theme)) }

// Rest returns the greatest share of a column of the last Draw that belongs to no layer.
func Rest(p *Panel) float32 { return p.strip.Rest }

// OthersBand returns the place of the band of the other lanes in the last Draw: left, top, right, bottom.
func OthersBand(p *Panel) (place [4]float32, ok bool) {
	r := p.strip.Others.Plot
	return [4]float32{r.X0, r.Y0, r.X1, r.Y1}, r.Height() > 0
}

// Drawn and Blamed have the places of what was drawn of a verdict.
type (
	Drawn  = answer.Drawn
	Blamed = timeline.Blamed
)

// Answer returns what the last Draw drew of a verdict, apart from the timeline, and in it.
func Answer(p *Panel) (Drawn, Blamed) { return p.answer.Drawn, p.timeline.Blamed }

// OverviewOf returns the overview of the whole run that the last Draw showed.
func OverviewOf(p *Panel) *report.Overview { return &p.scene.Overview }

// Funnel returns the place of the columns that the timeline of the last Draw leads down from.
func Funnel(p *Panel) (x0, y0, x1, y1 float32) {
	r := p.timeline.Funnel.Columns
	return r.X0, r.Y0, r.X1, r.Y1
}

// NoteOf returns the note that was shown last.
func NoteOf(p *Panel) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.note
}

// Areas returns the places that react to the mouse, the topmost last.
func Areas(p *Panel) []canvas.Area { return p.canvas.Areas }

// ColumnPlace returns the sides of a column of the last drawn history.
func ColumnPlace(p *Panel, at int) (x [2]float32) {
	f := &p.scene.Past.Columns[at]
	x[0], x[1] = p.scene.Edges(p.strip.Plot, f.Oldest, f.Newest)
	return x
}
