package desk

import "example.com/iprof/draw"

// bar is the bar of the tabs.
type bar struct {
	ends []float32 // right edges of the tabs, in pixels
	over bool      // the mouse is in the bar
	x, y float64   // the mouse's place in pixels
}

// BarHeight returns the height of the bar of the tabs in pixels, 0 with one tab. The screen of the tab is below it.
func (d *Desk) BarHeight() int {
	if len(d.tabs) < 2 {
		return 0
	}
	return int(26*d.host.Scale() + 0.5)
}

// Draw draws the bar, and the prompt, comparison or greeting over the screen, into an empty list for the whole window.
// With none of them the list stays empty.
func (d *Desk) Draw(l *draw.List, width, height int) {
	d.bar.ends = d.bar.ends[:0]
	bar := d.BarHeight()
	if bar == 0 && !d.prompt.open && d.contrast == nil && !d.Greets() {
		return
	}
	scale := d.host.Scale()
	l.Begin(scale)
	p := draw.PaletteOf(d.tab.panel.Options().Theme)
	if d.Greets() {
		d.greeting.draw(l, p, float32(width), float32(height), float32(bar),
			scale*d.tab.panel.Options().Scale)
	}
	if bar > 0 {
		d.drawTabs(l, p, float32(width), float32(bar), scale)
	}
	if d.contrast != nil {
		d.contrast.draw(l, d.tab.panel.Options().Theme, float32(width), float32(height), float32(bar), scale)
	}
	if d.prompt.open {
		d.prompt.draw(l, p, float32(width), float32(bar), scale)
	}
}

const widestTab = 220

func (d *Desk) drawTabs(l *draw.List, p *draw.Palette, width, height, scale float32) {
	l.Rect(0, 0, width, height, p.Background)
	each := min(widestTab*scale, width/float32(len(d.tabs)))
	for i, t := range d.tabs {
		x, end := float32(i)*each, float32(i+1)*each
		text := p.TextDim
		if t == d.tab {
			l.Rect(x, 0, end, height, p.Tab)
			l.Rect(x, height-2*scale, end, height, p.Accent)
			text = p.TextBright
		}
		l.TextCut(x+10*scale, height*0.68, each-16*scale, draw.FaceText, t.name, text)
		l.Rect(end-draw.Hairline(scale), 4*scale, end, height-4*scale, p.Outline)
		d.bar.ends = append(d.bar.ends, end)
	}
}

// clickBar shows the tab under the mouse. It reports whether the mouse is in the bar.
func (d *Desk) clickBar() bool {
	if !d.bar.over {
		return false
	}
	for i, end := range d.bar.ends {
		if float32(d.bar.x) < end && i < len(d.tabs) {
			d.switchTo(d.tabs[i])
			break
		}
	}
	return true
}
