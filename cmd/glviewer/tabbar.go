package main

import (
	"github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof/draw"
	profgl "example.com/iprof/draw/gl"
)

// chrome draws what the window has besides the panel: the bar of the tabs and the prompt.
type chrome struct {
	renderer *profgl.Renderer
	list     draw.List
	ends     []float32 // right edges of the tabs in the bar, in pixels
	over     bool      // the mouse is in the bar
	x        float64   // the mouse's place in pixels
}

// barHeight is the height of the bar of the tabs in pixels, 0 with one tab.
func (v *application) barHeight() int {
	if len(v.tabs) < 2 {
		return 0
	}
	return int(26*v.contentScale() + 0.5)
}

const widestTab = 220

// drawChrome draws the bar and the prompt over the viewport of the whole window.
func (v *application) drawChrome(width, height int) error {
	c := &v.chrome
	c.ends = c.ends[:0]
	bar := v.barHeight()
	if bar == 0 && !v.prompt.open && v.contrast == nil {
		return nil
	}
	gl.Viewport(0, 0, int32(width), int32(height))
	l, scale := &c.list, v.contentScale()
	l.Reset()
	l.Begin(scale)
	if bar > 0 {
		v.drawTabs(l, float32(width), float32(bar), scale)
	}
	if v.contrast != nil {
		v.contrast.draw(l, float32(width), float32(height), float32(bar), scale)
	}
	if v.prompt.open {
		v.prompt.draw(l, float32(width), float32(bar), scale)
	}
	if c.renderer == nil {
		r, err := profgl.NewRenderer()
		if err != nil {
			return err
		}
		c.renderer = r
	}
	return c.renderer.Draw(l, nil, profgl.BlendAlpha, false)
}

func (v *application) drawTabs(l *draw.List, width, height, scale float32) {
	p := draw.PaletteOf(v.panel.Options().Theme)
	l.Rect(0, 0, width, height, p.Background)
	each := min(widestTab*scale, width/float32(len(v.tabs)))
	for i, t := range v.tabs {
		x, end := float32(i)*each, float32(i+1)*each
		text := p.TextDim
		if t == v.tab {
			l.Rect(x, 0, end, height, p.Tab)
			l.Rect(x, height-2*scale, end, height, p.Accent)
			text = p.TextBright
		}
		l.TextCut(x+10*scale, height*0.68, each-16*scale, draw.FaceText, t.name, text)
		l.Rect(end-draw.Hairline(scale), 4*scale, end, height-4*scale, p.Outline)
		v.chrome.ends = append(v.chrome.ends, end)
	}
}

// clickBar shows the tab under the mouse. It reports whether the mouse is in the bar.
func (v *application) clickBar() bool {
	if !v.chrome.over {
		return false
	}
	for i, end := range v.chrome.ends {
		if float32(v.chrome.x) < end && i < len(v.tabs) {
			v.switchTo(v.tabs[i])
			break
		}
	}
	return true
}
