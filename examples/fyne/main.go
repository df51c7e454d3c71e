// Command fyne profiles a program with widgets. The profiler's panel is a widget, too: it is drawn into an image, and
// takes keys and the mouse. Each step of the animation is a frame; the time between them is the toolkit's, and waiting.
//
//	cd examples/fyne && go run .
package main

import (
	"flag"
	"image"
	"image/color"
	"image/draw"
	"log"
	"math"
	"os"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"

	"example.com/iprof"
	"example.com/iprof/viewer"
)

var frames = flag.Int("frames", 0, "stop after that many `frames`; 0 = when the window is closed")

func main() {
	flag.Parse()
	iprof.Default().SetEventDriven(true) // time outside zones is the toolkit's
	viewer.PanelFor(iprof.Default()).Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	window := app.New().NewWindow("Fyne, profiled")
	waves := image.NewRGBA(image.Rect(0, 0, 240, 600))
	left, panel := canvas.NewImageFromImage(waves), newPanel()
	left.SetMinSize(fyne.NewSize(240, 600))
	window.SetContent(container.NewBorder(nil, nil, left, nil, panel))
	window.Resize(fyne.NewSize(1240, 600))
	window.Canvas().SetOnTypedKey(panel.key)
	window.SetPadded(false)
	n := 0
	animation := fyne.NewAnimation(time.Second, func(float32) {
		n++
		step(waves, float64(n)/20)
		left.Refresh()
		panel.show()
		iprof.Update() // one line a frame
		if n == *frames {
			window.Close()
		}
	})
	animation.RepeatCount = fyne.AnimationRepeatForever
	animation.Start()
	window.ShowAndRun()
	if err := iprof.WriteText(os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// step is the program's own work.
func step(to *image.RGBA, t float64) {
	defer iprof.Begin("step").End()
	draw.Draw(to, to.Rect, image.Black, image.Point{}, draw.Src)
	for i := range 12 {
		wave(to, t+float64(i)/4, uint8(20*i))
	}
}

func wave(to *image.RGBA, t float64, red uint8) {
	defer iprof.Begin("wave").End()
	for y := range to.Rect.Dy() {
		x := 120 + int(80*math.Sin(t+float64(y)/90))
		to.SetRGBA(x, y, color.RGBA{red, 160, 220, 255})
	}
}
