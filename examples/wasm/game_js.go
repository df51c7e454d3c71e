package main

import (
	"fmt"
	"image"
	"image/draw"
	"math"
	"os"
	"syscall/js"

	"example.com/iprof"
	lists "example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/input"
	"example.com/iprof/viewer"
)

const width, height = 960, 600

var (
	waiting = iprof.Zone{Name: "wait for the browser", Idle: true}
	drawing = iprof.Zone{Name: "iprof draw", Idle: true} // the profiler's work, not the program's
	picture = image.NewRGBA(image.Rect(0, 0, width, height))
	list    lists.List
	balls   [4000]struct{ x, y, vx, vy float64 }
)

func main() {
	for i := range balls {
		b := &balls[i]
		b.vy, b.vx = math.Sincos(float64(i))
	}
	if js.Global().Get("document").IsUndefined() { // not in a page: some frames, and the report as text
		for range 60 {
			simulate()
			iprof.Update()
		}
		_ = iprof.WriteText(os.Stdout)
		return
	}
	show()
}

// show draws a frame whenever the browser asks for one.
func show() {
	panel := viewer.PanelFor(iprof.Default())
	panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	listen(input.ControllerFor(iprof.Default()))
	canvas := js.Global().Get("document").Call("getElementById", "canvas")
	context := canvas.Call("getContext", "2d")
	bytes := js.Global().Get("Uint8ClampedArray").New(len(picture.Pix))
	next := make(chan struct{}, 1)
	again := js.FuncOf(func(js.Value, []js.Value) any { next <- struct{}{}; return nil })
	for frames := 0; ; frames++ {
		js.Global().Call("requestAnimationFrame", again)
		for range waiting.Span {
			<-next
		}
		simulate()
		render(panel)
		js.CopyBytesToJS(bytes, picture.Pix)
		context.Call("putImageData", js.Global().Get("ImageData").New(bytes, width, height), 0, 0)
		canvas.Set("title", fmt.Sprint("frame ", frames, " paused ", iprof.Paused(), " quads ", list.Quads()))
		iprof.Update()
	}
}

func simulate() {
	defer iprof.Begin("simulate").End()
	for i := range balls {
		b := &balls[i]
		b.x, b.y = b.x+b.vx, b.y+b.vy
		b.vx, b.vy = b.vx-b.x/1000, b.vy-b.y/1000
	}
}

func render(panel *viewer.Panel) {
	defer drawing.Begin().End()
	draw.Draw(picture, picture.Rect, image.Black, image.Point{}, draw.Src)
	list.Reset()
	list.Begin(1)
	panel.Draw(&list, width, height, 1)
	soft.Render(picture, &list)
}

// listen passes some of the page's keys on, and the mouse.
func listen(c *input.Controller) {
	named := map[string]input.Key{"ArrowUp": input.KeyUp, "ArrowDown": input.KeyDown, "ArrowLeft": input.KeyLeft,
		"ArrowRight": input.KeyRight, "Enter": input.KeyEnter, " ": input.KeySpace, "k": 'K', "g": 'G'}
	on := func(event string, do func(e js.Value)) {
		f := js.FuncOf(func(_ js.Value, e []js.Value) any { do(e[0]); return nil })
		js.Global().Call("addEventListener", event, f)
	}
	on("keydown", func(e js.Value) { c.Key(named[e.Get("key").String()], input.ActionPress, 0) })
	on("mousemove", func(e js.Value) { c.Cursor(e.Get("offsetX").Float(), e.Get("offsetY").Float()) })
	on("mousedown", func(js.Value) { c.Button(input.ButtonLeft, input.ActionPress, 0) })
	on("mouseup", func(js.Value) { c.Button(input.ButtonLeft, input.ActionRelease, 0) })
}
