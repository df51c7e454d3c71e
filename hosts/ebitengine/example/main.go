// Command example is a game for Ebitengine with the profiler's overlay. The profiler takes one line, in run.
//
//	cd hosts/ebitengine && go run ./example
//
// Its own screen has 320 x 180 pixels, which the engine enlarges. The overlay has the pixels of the window.
package main

import (
	"flag"
	"fmt"
	"image/color"
	"math"
	"os"

	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	profebiten "example.com/iprof/hosts/ebitengine"
	"example.com/iprof/input"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

var (
	frames = flag.Int("frames", 0, "stop after that many `frames`; 0 = when the window is closed")
	mode   = flag.Int("overlay", 1, "0 = off, 1 = one line, 2 = half, 3 = full; F1 changes it")
)

func main() {
	flag.Parse()
	if iprof.Enabled { // so that the panel is not linked with the tag iprof_off
		viewer.PanelFor(process.Default()).Change(func(o *viewer.Options) { o.Mode = viewer.PanelMode(*mode) })
	}
	if err := run(&game{}); err != nil {
		fmt.Fprintln(os.Stderr, "example:", err)
		os.Exit(1)
	}
	iprof.SetReportMode(report.ReportCallTree)
	iprof.WriteText(os.Stdout)
}

func run(g *game) error {
	ebiten.SetWindowSize(1000, 562) // 3.125 times the game's screen
	ebiten.SetWindowTitle("Ebitengine, profiled")
	return ebiten.RunGame(profebiten.Wrap(g)) // profiler
}

// game is a ring of discs that turns.
type game struct {
	angle float64
	frame int
}

// Update turns the ring.
func (g *game) Update() error {
	if *frames > 0 && g.frame >= *frames {
		return ebiten.Termination
	}
	if !input.Captured() && ebiten.IsKeyPressed(ebiten.KeyEscape) { // profiler: Escape may be the overlay's
		return ebiten.Termination
	}
	g.angle += 0.02
	return nil
}

// Draw draws the ring.
func (g *game) Draw(screen *ebiten.Image) {
	g.frame++
	screen.Fill(color.RGBA{16, 20, 30, 255})
	for i := range 12 {
		g.disc(screen, i)
	}
}

func (g *game) disc(screen *ebiten.Image, i int) {
	defer iprof.Begin("disc").End() // profiler
	turn := g.angle + float64(i)*math.Pi/6
	x, y := 160+60*math.Cos(turn), 90+60*math.Sin(turn)
	for dy := -8; dy <= 8; dy++ {
		for dx := -8; dx <= 8; dx++ {
			if dx*dx+dy*dy <= 64 {
				screen.Set(int(x)+dx, int(y)+dy, color.RGBA{uint8(20 * i), 160, 200, 255})
			}
		}
	}
}

// Layout gives the game a small screen of its own.
func (g *game) Layout(int, int) (int, int) { return 320, 180 }
