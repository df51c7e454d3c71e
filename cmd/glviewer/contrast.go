package main

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/draw"
	"example.com/iprof/internal/changes"
	"example.com/iprof/process"
)

// contrast compares two tabs: the mean of all frames that each has, zone by zone.
type contrast struct {
	before, after string // names of the tabs
	frames        [2]float64
	lines         []contrastLine
	first         int // line at the top
}

// contrastLine is a zone in both tabs. Times are self time in ms a frame.
type contrastLine struct {
	name                 string
	before, after, noise float64
	verdict              string // slower, faster, new, gone or same
}

// leastPercent is the least change that counts, as a part of the time before.
const leastPercent = 5

type zonePlace struct{ name, function string }

// placeTimes are the self time and its deviation by place.
type placeTimes map[zonePlace][2]float64

// timesOf are those in the mean of all frames of a session.
func timesOf(s *process.Session) (times placeTimes, frames float64) {
	r := process.Report{Want: process.ColumnsOf(process.ColumnDeviationSelf)}
	s.AppendReportOf(&r, process.View{Mode: process.ReportSelfTime, Lens: process.Lens{Kind: process.LensAll}})
	times = placeTimes{}
	for i := range r.Records {
		k := &r.Records[i]
		if k.Idle {
			continue
		}
		at := zonePlace{k.Name, s.Zone(k.Zone).Function}
		was := times[at]
		times[at] = [2]float64{was[0] + k.Values[process.ColumnSelf],
			math.Hypot(was[1], k.Values[process.ColumnDeviationSelf])}
	}
	return times, float64(s.Info().Frames)
}

// compareTabs compares two sessions.
func compareTabs(before, after *tab) *contrast {
	c := &contrast{before: before.name, after: after.name}
	was, n := timesOf(before.session)
	is, m := timesOf(after.session)
	c.frames = [2]float64{n, m}
	for at, b := range was {
		a, there := is[at]
		l := contrastLine{name: at.name, before: b[0], after: a[0], verdict: "gone",
			noise: changes.Noise(changes.Sample{Frames: n, Deviation: b[1]},
				changes.Sample{Frames: m, Deviation: a[1]})}
		if there {
			l.verdict = changes.Judge(l.before, l.after, l.noise, leastPercent)
		}
		c.lines = append(c.lines, l)
	}
	for at, a := range is {
		if _, there := was[at]; !there {
			c.lines = append(c.lines, contrastLine{name: at.name, after: a[0], verdict: "new"})
		}
	}
	slices.SortFunc(c.lines, func(a, b contrastLine) int {
		return cmp.Or(cmp.Compare(math.Abs(b.after-b.before), math.Abs(a.after-a.before)), cmp.Compare(a.name, b.name))
	})
	return c
}

// contrastTabs compares the tab before the one that is shown with it.
func (v *application) contrastTabs() {
	if len(v.tabs) < 2 {
		v.panel.Note("there is one tab: Ctrl+O opens another capture to compare with")
		return
	}
	at := slices.Index(v.tabs, v.tab)
	v.contrast = compareTabs(v.tabs[(at+len(v.tabs)-1)%len(v.tabs)], v.tab)
}

// contrastKey takes a key while the table is there. It reports whether the key was for the table.
func (v *application) contrastKey(k glfw.Key) bool {
	c := v.contrast
	switch k {
	case glfw.KeyEscape:
		v.contrast = nil
	case glfw.KeyDown:
		c.first++
	case glfw.KeyUp:
		c.first--
	case glfw.KeyPageDown:
		c.first += 20
	case glfw.KeyPageUp:
		c.first -= 20
	default:
		return false
	}
	c.first = max(min(c.first, len(c.lines)-1), 0)
	return true
}

// draw draws the table over the window.
func (c *contrast) draw(l *draw.List, width, height, top, scale float32) {
	p := draw.PaletteOf(draw.ThemeDark)
	row := 22 * scale
	x, y, end := 20*scale, top+20*scale, width-20*scale
	l.Round(x, y, end, height-20*scale, 6*scale, p.Surface)
	l.Border(x, y, end, height-20*scale, 6*scale, p.Accent)
	x, end, y = x+14*scale, end-14*scale, y+row
	title := fmt.Sprintf("%s (%.0f frames) -> %s (%.0f frames): self ms a frame, mean of all frames; Esc closes",
		c.before, c.frames[0], c.after, c.frames[1])
	l.TextCut(x, y, end-x, draw.FaceText, title, p.TextBright)
	y += row
	columns := [...]float32{end - 340*scale, end - 250*scale, end - 170*scale, end - 85*scale, end}
	for i, head := range [...]string{"before", "after", "change", "noise", "verdict"} {
		l.TextRight(columns[i], y, draw.FaceText, head, p.TextDim)
	}
	for _, k := range c.lines[c.first:] {
		if y += row; y > height-30*scale {
			break
		}
		colour := map[string]color.NRGBA{"slower": p.Red, "new": p.Red, "faster": p.Green, "gone": p.Green}[k.verdict]
		if colour.A == 0 {
			colour = p.TextDim
		}
		l.TextCut(x, y, columns[0]-x-80*scale, draw.FaceText, k.name, p.TextNormal)
		for i, text := range [...]string{fmt.Sprintf("%.3f", k.before), fmt.Sprintf("%.3f", k.after),
			fmt.Sprintf("%+.3f", k.after-k.before), fmt.Sprintf("%.3f", k.noise), k.verdict} {
			l.TextRight(columns[i], y, draw.FaceText, text, colour)
		}
	}
}
