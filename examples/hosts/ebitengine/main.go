// Ebitengine is a game in that engine with the profiler's overlay: a swarm of beads, and the overlay's draw list played
// through DrawTriangles. The engine keeps its graphics library to itself, so nothing here calls OpenGL.
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
)

// game is what the engine runs.
type game struct {
	options *hosts.Options
	world   *hosts.World
	bead    *ebiten.Image
	beads   []bead
	overlay overlay // profiler: the picture
	keys    keys    // profiler: keys and mouse
	scale   float64 // device pixels to a nominal one
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
	ebiten.SetTPS(ebiten.SyncWithFPS) // one Update, one Draw: a frame
	g := &game{options: o, world: hosts.NewWorld(), bead: newBead(32)}
	if err := ebiten.RunGame(g); err != nil {
		return err
	}
	return g.failed
}

// Update is called by the engine before Draw.
func (g *game) Update() error {
	if g.failed != nil || g.options.Frames > 0 && g.frame >= g.options.Frames {
		return ebiten.Termination
	}
	iprof.BeginFrame("") // profiler: the engine's own time stays outside the frame
	defer iprof.Begin("update").End()
	g.keys.poll()
	if !g.keys.used(ebiten.KeyEscape) && ebiten.IsKeyPressed(ebiten.KeyEscape) {
		return ebiten.Termination
	}
	g.world.Step()
	return nil
}

// Draw is called by the engine once a frame.
func (g *game) Draw(screen *ebiten.Image) {
	g.frame++
	g.render(screen)
	if g.failed == nil {
		g.failed = g.drawOverlay(screen)
	}
	iprof.EndFrame() // profiler
}

// drawOverlay draws the profiler's picture, and looks what it did if asked to.
func (g *game) drawOverlay(screen *ebiten.Image) error {
	if !g.options.Check {
		g.overlay.draw(screen, float32(g.scale))
	} else if err := g.checkOverlay(screen); err != nil {
		return fmt.Errorf("frame %d: %w", g.frame, err)
	}
	if g.frame == g.options.Frames {
		return hosts.Save(g.options.Screenshot, pixels(screen))
	}
	return nil
}

// checkOverlay draws the overlay, and fails if that changed a pixel outside it.
func (g *game) checkOverlay(screen *ebiten.Image) error {
	defer iprof.Begin("check").End()
	before := pixels(screen)
	g.overlay.draw(screen, float32(g.scale))
	return hosts.Compare(before, pixels(screen))
}

// LayoutF makes the screen as large as the window, in device pixels.
func (g *game) LayoutF(width, height float64) (float64, float64) {
	g.scale = ebiten.Monitor().DeviceScaleFactor()
	return width * g.scale, height * g.scale
}

// Layout is not called, since there is LayoutF.
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

// pixels returns the screen's picture.
func pixels(screen *ebiten.Image) *image.NRGBA {
	p := image.NewNRGBA(screen.Bounds())
	screen.ReadPixels(p.Pix)
	return p
}
