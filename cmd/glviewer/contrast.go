package main

import (
	"fmt"
	"image/color"
	"slices"

	"github.com/go-gl/glfw/v3.3/glfw"

	"example.com/iprof/draw"
	"example.com/iprof/internal/changes"
)

// contrast is what has changed from one tab to another, in the words of iprof diff.
type contrast struct {
	title string
	*changes.Difference
	shown []changes.Change
	first int // line at the top
}

// compareTabs compares what two tabs show.
func compareTabs(before, after *tab) (*contrast, error) {
	was, err := changes.Take(before.name, before.session)
	if err != nil {
		return nil, err
	}
	is, err := changes.Take(after.name, after.session)
	if err != nil {
		return nil, err
	}
	d := changes.Between(was, is, changes.Percent)
	title := fmt.Sprintf("%s (%d frames) -> %s (%d frames): mean of all frames; Esc closes", before.name, was.Frames(),
		after.name, is.Frames())
	return &contrast{title: title, Difference: d, shown: d.Shown()}, nil
}

// contrastTabs compares the tab before the one that is shown with it.
func (v *application) contrastTabs() {
	if len(v.tabs) < 2 {
		v.panel.Note("there is one tab: Ctrl+O opens another capture to compare with")
		return
	}
	at := slices.Index(v.tabs, v.tab)
	c, err := compareTabs(v.tabs[(at+len(v.tabs)-1)%len(v.tabs)], v.tab)
	if err != nil {
		v.panel.Note("not compared: " + err.Error())
	}
	v.contrast = c
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
	c.first = max(min(c.first, len(c.shown)-1), 0)
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
	l.TextCut(x, y, end-x, draw.FaceText, c.title, p.TextBright)
	y += row
	columns := [len(changes.Headings)]float32{end - 440*scale, end - 350*scale, end - 260*scale, end - 170*scale,
		end - 85*scale, end}
	line := func(cells [len(columns)]string, name string, ink, nameInk color.NRGBA) {
		l.TextCut(x, y, columns[0]-x-80*scale, draw.FaceText, name, nameInk)
		for i, text := range cells {
			l.TextRight(columns[i], y, draw.FaceText, text, ink)
		}
		y += row
	}
	line(changes.Headings, changes.Zones, p.TextDim, p.TextDim)
	for i := c.first; i < len(c.shown) && y < height-55*scale; i++ {
		k := &c.shown[i]
		line(k.Cells(), k.Title(), verdictInk(p, k.Verdict), p.TextNormal)
	}
	l.TextCut(x, y, end-x, draw.FaceText, c.Summary(), p.TextDim)
}

// verdictInk is red for what takes longer, and green for what takes less.
func verdictInk(p *draw.Palette, verdict string) color.NRGBA {
	switch verdict {
	case "slower", "new":
		return p.Red
	case "faster", "gone":
		return p.Green
	}
	return p.TextDim
}
