package viewer

import (
	"example.com/iprof/viewer/hit"
	"example.com/iprof/viewer/internal/strip"
)

// A Hit describes what lies at a place on the screen: see package hit.
type Hit = hit.Hit

// HitAt returns the hit at a place of the last Draw, in pixels. Outside the panel it is hit.None.
func (p *Panel) HitAt(x, y float32) Hit {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hit(x, y)
}

// frameAt returns the number (FrameSummary.Index) of the frame of a hit in the last Draw: of its Age for hit.Graph and
// hit.Axis, and of its rank for hit.Slow. ok is false for other hits, without such a frame, and if View.ShowFrame
// cannot show the slow frame. Any goroutine may call it.
func (h *historyPart) frameAt(of Hit) (index uint64, ok bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch of.Kind {
	case hit.Graph, hit.Axis:
		return h.frameOfAge(of.Age)
	case hit.Slow:
		return strip.SlowFrame(&h.scene, of.Index)
	}
	return 0, false
}

// hit returns the hit at a place. On the timeline it includes the scope.
func (p *Panel) hit(x, y float32) Hit {
	h := p.canvas.HitAt(x, y)
	if p.scene.ByTime && (h.Kind == hit.Graph || h.Kind == hit.Axis) {
		h.Age = p.scene.AgeAt(p.strip.Plot, x)
	}
	switch h.Kind {
	case hit.Timeline:
		if s, ok := p.timeline.ScopeUnder(x, y); ok {
			h.Index, h.Zone, h.Lane = s.At, s.Zone(), s.Lane
		}
		h.Age = p.timeline.AgeUnder(x)
	case hit.Graph:
		if y >= p.strip.Plot.Y1 {
			break // in the strip below, where other columns are high
		}
		h.Age = p.strip.Snap(&p.scene, x, p.canvas.Em, h.Age)
	}
	return h
}
