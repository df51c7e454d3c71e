//go:build js && wasm

package main

import (
	"math"
	"syscall/js"
	"time"

	"example.com/iprof/input"
)

// mouse passes on the mouse, and fingers as a mouse. A tap clicks, and a long tap is the right button. A finger moving
// up or down scrolls, a finger moving sideways drags, and two fingers zoom at their place.
func (p *page) mouse(canvas js.Value) {
	f := &fingers{page: p, at: map[int][2]float64{}}
	for _, event := range []string{"pointerdown", "pointermove", "pointerup", "pointercancel"} {
		on(canvas, event, func(e js.Value) {
			x, y := e.Get("clientX").Float(), e.Get("clientY").Float()
			if e.Get("pointerType").String() == "touch" {
				f.touch(event, e.Get("pointerId").Int(), x, y)
				return
			}
			if event == "pointerdown" {
				canvas.Call("setPointerCapture", e.Get("pointerId"))
			}
			p.moved(x, y)
			if event != "pointermove" {
				button, mods := e.Get("button").Int(), modsOf(e)
				p.enqueue(func() { p.button(event == "pointerdown", button, mods) })
			}
		})
	}
}

func (p *page) cursor(x, y float64) { p.desk.Cursor(x, y, float64(p.screen.scale)) }

// button takes a button by the browser's number: left, middle, right.
func (p *page) button(down bool, number int, mods input.Mods) {
	if number < 0 || number > 2 {
		return
	}
	action := input.ActionRelease
	if down {
		action = input.ActionPress
	}
	p.desk.Button([...]input.Button{input.ButtonLeft, input.ButtonMiddle, input.ButtonRight}[number], action, mods)
}

// fingers are those on the screen.
type fingers struct {
	*page
	at      map[int][2]float64
	first   [2]float64 // where the only finger came down
	pressed time.Time
	moving  int     // of the only finger: not yet, scrolls, drags
	latest  float64 // distance of two fingers
}

const (
	movesNot = iota
	movesRows
	movesDrag
	movesNoMore // it was one of two
)

const (
	slack    = 8.0 // pixels that a finger moves without a wish
	rowOf    = 24.0
	longTap  = time.Second / 2
	zoomStep = 1.25 // of a notch of the wheel, so that the content follows the fingers
)

func (f *fingers) touch(event string, id int, x, y float64) {
	switch event {
	case "pointerdown":
		f.at[id] = [2]float64{x, y}
		f.first, f.pressed, f.moving = f.at[id], time.Now(), movesNot
		f.latest = f.distance()
	case "pointermove":
		if before, ok := f.at[id]; ok {
			f.at[id] = [2]float64{x, y}
			f.move(before, x, y)
		}
	default:
		f.lift(x, y)
		delete(f.at, id)
		f.moving = movesNoMore
	}
}

// distance is how far two fingers are from each other, 0 for another number of them.
func (f *fingers) distance() float64 {
	if len(f.at) != 2 {
		return 0
	}
	var all [][2]float64
	for _, at := range f.at {
		all = append(all, at)
	}
	return math.Hypot(all[0][0]-all[1][0], all[0][1]-all[1][1])
}

func (f *fingers) move(before [2]float64, x, y float64) {
	if distance := f.distance(); distance > 0 && f.latest > 0 {
		f.moving = movesNoMore
		notches := math.Log(distance/f.latest) / math.Log(zoomStep)
		f.latest = distance
		f.enqueue(func() { f.cursor(x, y); f.desk.Scroll(0, notches) })
		return
	}
	dx, dy := math.Abs(x-f.first[0]), math.Abs(y-f.first[1])
	first := f.first
	switch {
	case f.moving == movesNot && max(dx, dy) < slack:
	case f.moving == movesNot && dy > dx:
		f.moving = movesRows
		f.enqueue(func() { f.cursor(first[0], first[1]) })
	case f.moving == movesNot:
		f.moving = movesDrag
		f.enqueue(func() { f.cursor(first[0], first[1]); f.button(true, 0, 0); f.cursor(x, y) })
	case f.moving == movesRows:
		f.turned(0, (y-before[1])/rowOf)
	case f.moving == movesDrag:
		f.moved(x, y)
	}
}

func (f *fingers) lift(x, y float64) {
	switch f.moving {
	case movesDrag:
		f.enqueue(func() { f.button(false, 0, 0) })
	case movesNot:
		button := 0
		if time.Since(f.pressed) > longTap {
			button = 2
		}
		f.enqueue(func() { f.cursor(x, y); f.button(true, button, 0); f.button(false, button, 0) })
	}
}
