package viewer

import (
	"example.com/iprof/process"
	"example.com/iprof/viewer/internal/canvas"
	"example.com/iprof/viewer/internal/strip"
)

// historyPart is the history with its ribbon, and the strip below it.
type historyPart struct {
	*shared
	strip.Strip
	memory strip.Memory
	values strip.Values
}

// toggleScaleLock locks the scales of the history and of the memory strip, or unlocks them. An unlocked scale follows
// the largest value in sight.
func (h *historyPart) toggleScaleLock() {
	h.change(func() { h.memory.Lock(h.ToggleLock()) })
}

// clearSlowest empties the list of slowest frames. Later frames fill it again.
func (h *historyPart) clearSlowest() { h.change(h.source.ClearSlowest) }

// toggleLines draws the history as a line for each zone's self time, or as columns again.
func (h *historyPart) toggleLines() { h.change(h.ToggleLines) }

// frameOfAge returns the number of the frame of an age in the last drawn history.
func (h *historyPart) frameOfAge(age int) (index uint64, ok bool) {
	d := &h.scene
	if i := len(d.Frames) - 1 - age; age >= 0 && i >= 0 {
		return d.Frames[i].Index, true
	}
	if f := d.Column(age); f != nil {
		return f.Index, true
	}
	return 0, false
}

// zoomHistory zooms the history around x, in pixels: from 30 frames to all kept frames. A notch shows four fifths as
// many frames; negative notches show more. Sideways notches move it. Any goroutine may call it.
func (h *historyPart) zoomHistory(x float32, sideways, notches float64) {
	if notches == 0 && sideways == 0 {
		return
	}
	h.change(func() {
		if notches != 0 {
			h.Zoom(&h.scene, x, notches)
		}
		if sideways != 0 {
			h.Move(&h.scene, sideways)
		}
	})
}

// startRibbon begins to drag the window on the whole run, at x in pixels: a near edge, or the whole window. A press
// beside the window moves it there. Any goroutine may call it.
func (h *historyPart) startRibbon(x float32) {
	h.change(func() { h.Grab(&h.scene, x, h.canvas.Em) })
}

// dragRibbon moves the edge or window of StartRibbon to x, in pixels. Any goroutine may call it.
func (h *historyPart) dragRibbon(x float32) {
	h.change(func() { h.Drag(&h.scene, x) })
}

// endRibbon ends the drag. If the window shows frames that are only in the recording, EndRibbon reads them: see
// process.HistoryLimits. Any goroutine may call it.
func (h *historyPart) endRibbon() {
	var age int
	var elsewhere bool
	h.change(func() { age, elsewhere = h.Let(&h.scene) })
	if elsewhere && h.session != nil {
		showFrame(h.view, age)
	}
}

// slideHistory moves the history by dx pixels. Any goroutine may call it.
func (h *historyPart) slideHistory(dx float32) {
	h.change(func() { h.Slide(&h.scene, dx) })
}

// zoomHistoryBy zooms the history about its middle, or about the newest frame if that is in sight.
func zoomHistoryBy(notches float64) action {
	return onPanel(func(p *Panel) {
		p.change(func() {
			r := p.strip.Plot
			p.strip.Zoom(&p.scene, (r.X0+r.X1)/2, notches)
		})
	})
}

// moveHistory shows older frames in the history, or newer ones for steps below 0: a step is a tenth of the frames in
// sight.
func moveHistory(steps float64) action {
	return onPanel(func(p *Panel) { p.strip.zoomHistory(0, steps, 0) })
}

func wholeHistory(_ *process.Session, p *Panel) { p.change(func() { p.strip.Whole(&p.scene) }) }

// Strip is the content of the strip below the history.
type Strip uint8

// The contents of the second strip.
const (
	StripNone    Strip = iota
	StripSlowest       // the slowest frames
	StripMemory        // bytes allocated, live heap, garbage collections
	StripValues        // the program's own counts and levels
	numStrips    = iota
)

// secondHeight is the height of the strip in nominal pixels.
const secondHeight = 92

// drawSecond draws the second strip.
func (h *historyPart) drawSecond(r canvas.Rect) {
	switch h.options.Strip {
	case StripSlowest:
		strip.DrawSlowest(&h.canvas, &h.scene, r)
	case StripMemory:
		h.memory.Draw(&h.canvas, &h.scene, &h.Strip, r)
	case StripValues:
		h.values.Draw(&h.canvas, &h.scene, &h.Strip, r)
	}
}
