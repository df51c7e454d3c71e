package workload

import (
	"hash/fnv"
	"image"
	"image/color"
	"math"
	"time"

	"example.com/iprof"
)

// tracer draws a flake into an image, scan line by scan line.
type tracer struct {
	scene   *flake
	camera  camera
	bounces int // most reflections of a ray
	image   *image.RGBA
	stamps  stamps
}

// set stores the sum of a pixel's four rays.
func (t *tracer) set(x, y int, c vec) {
	c = c.scale(0.25)
	t.image.SetRGBA(x, y, color.RGBA{display(c.x), display(c.y), display(c.z), 255})
}

// flakeWorkload traces a few scan lines a frame. When the picture is complete it starts again from another side.
type flakeWorkload struct {
	tracer
	turn float64
	next int // scan line
}

// The viewer's flake is small enough for several steps a second on a slow machine, and deep enough to look like a
// flake.
const (
	viewLevels   = 5
	viewBounces  = 2
	linesPerStep = 8
)

func newFlake(o Options) *flakeWorkload {
	w := &flakeWorkload{turn: float64(o.Seed%360) * math.Pi / 180}
	w.tracer = tracer{scene: newFlakeScene(viewLevels), bounces: viewBounces, image: o.picture(480, 270)}
	w.aim()
	return w
}

func (w *flakeWorkload) aim() {
	size := w.image.Rect.Size()
	w.camera = newCamera(size.X, size.Y, w.turn)
	w.next = 0
}

func (w *flakeWorkload) Step(time.Duration) error {
	defer iprof.Begin("sphereflake").End()
	for range linesPerStep {
		if w.next == w.camera.height {
			w.turn += math.Pi / 9
			w.aim()
		}
		w.lineZones(w.next)
		w.next++
	}
	return nil
}

func (w *flakeWorkload) Picture() *image.RGBA { return w.image }
func (w *flakeWorkload) Replays() bool        { return false }
func (w *flakeWorkload) Close()               {}

// Hooks selects how a Flake measures itself.
type Hooks uint8

// The hooks: nothing, two raw timestamps, a zone. Each has separate loops, so no hook pays for another.
const (
	NoHooks Hooks = iota
	Timestamps
	Zones
)

// Flake is the sphere flake as a benchmark. All hooks draw the same picture. Use it from one goroutine.
type Flake struct{ tracer }

// NewFlake makes a flake for a square picture. levels is clamped to 1..7 (66,430 spheres at 6); pixels is the
// picture's side. At level 6 and 1,024 pixels a run enters about ten million zones.
func NewFlake(levels, pixels int) *Flake {
	pixels = min(max(pixels, 1), 4096)
	return &Flake{tracer{
		scene:  newFlakeScene(min(max(levels, 1), 7)),
		camera: newCamera(pixels, pixels, 0.3),
		image:  image.NewRGBA(image.Rect(0, 0, pixels, pixels)),
	}}
}

// Lines returns the number of scan lines of the picture.
func (f *Flake) Lines() int { return f.camera.height }

// Line traces one scan line. y must be in 0..Lines()-1.
func (f *Flake) Line(y int, h Hooks) {
	switch h {
	case NoHooks:
		f.linePlain(y)
	case Timestamps:
		f.lineBare(y)
	case Zones:
		f.lineZones(y)
	}
}

// Run traces the whole picture.
func (f *Flake) Run(h Hooks) {
	for y := range f.Lines() {
		f.Line(y, h)
	}
}

// Zones returns the number of zones that Run(Zones) enters. It counts them in a run with Timestamps.
func (f *Flake) Zones() int {
	f.stamps = stamps{}
	f.Run(Timestamps)
	return f.stamps.pairs
}

// Checksum returns a hash of the picture.
func (f *Flake) Checksum() uint64 {
	h := fnv.New64a()
	h.Write(f.image.Pix)
	return h.Sum64()
}
