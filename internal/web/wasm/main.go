//go:build js && wasm

// Command wasm is the viewer in a page of a browser. Package web builds and serves it. The command iprof view opens it.
package main

import (
	"syscall/js"

	"example.com/iprof/draw"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
)

func main() {
	p := &page{screen: newScreen(), events: newQueue(), frames: make(chan struct{}, 1)}
	p.desk = desk.New(desk.Options{Viewer: "iprof view", Limits: budget.Usual, Out: "/home", Lines: discard{},
		Browser: true, KeyLabel: p.keyLabel()}, p.host())
	draw.SetScripts(new(letters).layout)
	p.heed()
	if err := p.open(js.Global().Get("iprofSession")); err != nil {
		say(err.Error())
		return
	}
	p.listen()
	p.followAddress()
	say("")
	p.run()
	p.desk.Close()
}

// page is the running viewer.
type page struct {
	desk          *desk.Desk
	screen        *screen
	log           *desk.Log // for tests, else nil
	list          draw.List
	over          draw.List
	events        *queue
	frames        chan struct{} // the browser is ready for a picture
	requested     bool          // for a picture
	request       js.Func
	closed        bool
	drawn         int
	reducedMotion bool     // the user wishes that nothing moves by itself
	labels        js.Value // what the layout prints on keys, by the browser's names for their places
	preferences
	address
	mirrored
}

// run draws until the user quits. A picture is drawn only when the browser asks for it, which it does not for a hidden
// page, and when something may have changed.
func (p *page) run() {
	p.request = js.FuncOf(func(js.Value, []js.Value) any {
		p.requested = false
		select {
		case p.frames <- struct{}{}:
		default:
		}
		return nil
	})
	p.wake()
	for !p.closed {
		select {
		case <-p.events.ready:
			p.happen()
		case <-p.frames:
			p.picture()
		}
	}
}

// wake has the browser ask for a picture. Any goroutine may call it.
func (p *page) wake() {
	if !p.requested && p.request.Truthy() {
		p.requested = true
		js.Global().Call("requestAnimationFrame", p.request)
	}
}

// picture draws, and asks for the next picture if there will be another one.
func (p *page) picture() {
	p.desk.Watch()
	p.draw()
	p.drawn++
	p.log.Note(p.desk, p.drawn)
	p.showAddress()
	p.showMirror()
	if t := p.desk.Tab(); !t.Session().Paused() || t.Panel().Settling() {
		p.wake()
	}
}

func (p *page) draw() {
	width, height, scale := p.screen.fit()
	p.desk.SetScale(scale)
	bar := p.desk.BarHeight()
	p.panel(float32(width), float32(height-bar), scale)
	p.over.Reset()
	p.desk.Draw(&p.over, width, height)
	p.screen.clear()
	p.screen.play(&p.list, bar)
	p.screen.play(&p.over, 0)
	p.screen.show()
}

// mostSteps is the greatest number of left out steps of a movement.
const mostSteps = 60

// panel draws the screen into the list. With reduced motion it draws the ends of movements.
func (p *page) panel(width, height, scale float32) {
	panel := p.desk.Tab().Panel()
	for step := 0; step == 0 || p.reducedMotion && step < mostSteps && panel.Settling(); step++ {
		p.list.Reset()
		p.list.Begin(scale)
		panel.Draw(&p.list, width, height, scale)
	}
}

// discard is where lines about saved files go: the window shows them, too.
type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
