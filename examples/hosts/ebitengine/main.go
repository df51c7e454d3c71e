// Command ebitengine shows the profiler's overlay in a game that uses Ebitengine. The game is a swarm of beads. The
// engine keeps its graphics library to itself, so the overlay's draw list is played through DrawTriangles, and
// nothing here calls OpenGL. A game that does not check itself has this in one line: see package
// example.com/iprof/hosts/ebitengine.
package main

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"slices"

	"github.com/go-gl/mathgl/mgl32"
	"github.com/hajimehoshi/ebiten/v2"

	"example.com/iprof"
	"example.com/iprof/examples/hosts"
	profebiten "example.com/iprof/hosts/ebitengine"
	"example.com/iprof/input"
)

// game is the program that the engine runs.
type game struct {
	options *hosts.Options
	world   *hosts.World
	bead    *ebiten.Image
	beads   []bead
	overlay profebiten.Overlay // profiler: the picture
	scale   float64            // device pixels per nominal pixel
	frame   int
	failed  error
}

// bead is a body on the screen.
type bead struct {
	x, y, radius, depth float32
	r, g, b             float32
}

func main() {
	options, err := hosts.Parse()
	if err == nil {
		err = run(options)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "Ebitengine:", err)
		os.Exit(1)
	}
}

func run(o *hosts.Options) error {
	ebiten.SetWindowSize(960, 540)
	ebiten.SetWindowTitle("Ebitengine")
	ebiten.SetTPS(ebiten.SyncWithFPS) // one Update and one Draw make a frame
	g := &game{options: o, world: hosts.NewWorld(), bead: newBead(32)}
	if err := ebiten.RunGame(g); err != nil {
		return err
	}
	return g.failed
}

// Update advances the game. The engine calls it before Draw.
func (g *game) Update() error {
	if g.failed != nil || g.options.Frames > 0 && g.frame >= g.options.Frames {
		return ebiten.Termination
	}
	iprof.BeginFrame("") // profiler: the engine's own time stays outside the frame
	defer iprof.Begin("update").End()
	x, y := ebiten.CursorPosition()
	profebiten.Poll(float64(x), float64(y)) // profiler: keys and mouse
	if !input.Captured() && ebiten.IsKeyPressed(ebiten.KeyEscape) {
		return ebiten.Termination
	}
	g.world.Step()
	return nil
}

// Draw draws the game. The engine calls it once a frame.
func (g *game) Draw(screen *ebiten.Image) {
	g.frame++
	g.render(screen)
	if g.failed == nil {
		g.failed = g.drawOverlay(screen)
	}
	iprof.EndFrame() // profiler
}

// drawOverlay draws the overlay, and with -check verifies that it changed nothing else.
func (g *game) drawOverlay(screen *ebiten.Image) error {
	if !g.options.Check {
		g.overlay.Draw(screen, g.scale)
	} else if err := g.checkOverlay(screen); err != nil {
		return fmt.Errorf("frame %d: %w", g.frame, err)
	}
	if g.frame == g.options.Frames {
		return hosts.Save(g.options.Screenshot, pixels(screen))
	}
	return nil
}

// checkOverlay draws the overlay and returns an error if a pixel outside it changed.
func (g *game) checkOverlay(screen *ebiten.Image) error {
	defer iprof.Begin("check").End()
	before := pixels(screen)
	g.overlay.Draw(screen, g.scale)
	return hosts.Compare(before, pixels(screen), hosts.Cover(before.Rect))
}

// LayoutF makes the screen as large as the window, in device pixels.
func (g *game) LayoutF(width, height float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	return width * g.scale, height * g.scale
}

// Layout is never called, because there is LayoutF. The engine's interface requires it.
func (g *game) Layout(width, height int) (int, int) { return width, height }

// render draws the swarm, the farthest first.
func (g *game) render(screen *ebiten.Image) {
	defer iprof.Begin("render").End() // profiler
	size := screen.Bounds().Size()
	screen.Fill(color.RGBA{R: 13, G: 16, B: 23, A: 255})
	camera := g.world.Camera(size.X, size.Y)
	g.beads = g.beads[:0]
	for _, b := range g.world.Bodies {
		at := camera.Mul4x1(mgl32.Vec4{b.X, b.Y, b.Z, 1})
		g.beads = append(g.beads, bead{(at[0]/at[3] + 1) / 2 * float32(size.X), (1 - at[1]/at[3]) / 2 * float32(size.Y),
			1.6 * b.Size / at[3] * 1.3 * float32(size.Y), at[3], b.R, b.G, b.B})
	}
	slices.SortFunc(g.beads, func(a, b bead) int {
		if a.depth > b.depth {
			return -1
		}
		return 1
	})
	for _, b := range g.beads {
		var o ebiten.DrawImageOptions
		o.GeoM.Translate(-16, -16)
		o.GeoM.Scale(float64(b.radius/16), float64(b.radius/16))
		o.GeoM.Translate(float64(b.x), float64(b.y))
		o.ColorScale.Scale(b.r, b.g, b.b, 1)
		o.Filter = ebiten.FilterLinear
		screen.DrawImage(g.bead, &o)
	}
}

// newBead draws a white ball, lit from above.
func newBead(size int) *ebiten.Image {
	pixels := make([]byte, 4*size*size)
	for y := range size {
		for x := range size {
			u, v := (float32(x)+0.5)/float32(size)*2-1, (float32(y)+0.5)/float32(size)*2-1
			inside := min(max((1-u*u-v*v)*float32(size)/5, 0), 1)
			light := inside * (0.72 - 0.28*v - 0.3*(u*u+v*v)*0.5)
			i := 4 * (y*size + x)
			for c := range 3 {
				pixels[i+c] = byte(255 * min(max(light, 0), inside))
			}
			pixels[i+3] = byte(255 * inside)
		}
	}
	bead := ebiten.NewImage(size, size)
	bead.WritePixels(pixels)
	return bead
}

// pixels returns the screen as a picture.
func pixels(screen *ebiten.Image) *image.NRGBA {
	p := image.NewNRGBA(screen.Bounds())
	screen.ReadPixels(p.Pix)
	return p
}
