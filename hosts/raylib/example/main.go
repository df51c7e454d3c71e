// Command example is a program for raylib with the profiler's overlay. The profiler takes the line with EndDrawing.
//
//	cd hosts/raylib && go run -tags x11 ./example
package main

import (
	"flag"
	"fmt"
	"math"
	"os"

	rl "github.com/gen2brain/raylib-go/raylib"

	"example.com/iprof"
	profraylib "example.com/iprof/hosts/raylib"
	"example.com/iprof/input"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

var (
	frames     = flag.Int("frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	screenshot = flag.String("screenshot", "", "write the last picture to this PNG `file`")
	mode       = flag.Int("overlay", 1, "0 = off, 1 = one line, 2 = half, 3 = full; F1 changes it")
)

func main() {
	flag.Parse()
	if iprof.Enabled { // so that the panel is not linked with the tag iprof_off
		viewer.PanelFor(process.Default()).Change(func(o *viewer.Options) { o.Mode = viewer.PanelMode(*mode) })
	}
	rl.SetTraceLogLevel(rl.LogWarning)
	rl.InitWindow(960, 540, "raylib, profiled")
	if !rl.IsWindowReady() {
		fmt.Fprintln(os.Stderr, "example: no window: is there a display?")
		os.Exit(1)
	}
	defer rl.CloseWindow()
	rl.SetTargetFPS(60)
	for frame := 1; !rl.WindowShouldClose() && (*frames == 0 || frame <= *frames); frame++ {
		rl.BeginDrawing()
		draw(float64(frame) / 50)
		if err := profraylib.EndDrawing(); err != nil { // profiler
			fmt.Fprintln(os.Stderr, "example:", err)
			os.Exit(1)
		}
	}
	save()
	iprof.SetReportMode(report.ReportCallTree)
	iprof.WriteText(os.Stdout)
}

// draw draws a ring of discs that turns. A is held to stop it.
func draw(turn float64) {
	defer iprof.Begin("draw").End() // profiler
	if !input.Captured() && rl.IsKeyDown(rl.KeyA) {
		turn = 0
	}
	rl.ClearBackground(rl.NewColor(16, 20, 30, 255))
	for i := range 24 {
		disc(turn+float64(i)*math.Pi/12, uint8(10*i))
	}
}

func disc(turn float64, red uint8) {
	defer iprof.Begin("disc").End() // profiler
	x, y := 480+180*math.Cos(turn), 270+180*math.Sin(turn)
	rl.DrawCircle(int32(x), int32(y), 20, rl.NewColor(red, 160, 200, 255))
}

// save writes the last picture.
func save() {
	if *screenshot == "" {
		return
	}
	p := rl.LoadImageFromScreen()
	defer rl.UnloadImage(p)
	rl.ExportImage(*p, *screenshot)
}
