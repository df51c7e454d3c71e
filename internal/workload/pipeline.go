package workload

import (
	"fmt"
	"image"
	"math"
	"math/cmplx"
	"sync"
	"time"

	"example.com/iprof"
)

// pipeline draws a fractal with many goroutines. One deals out tiles, and registered workers compute them. Then
// goroutines that live for one frame colour bands of the finished picture.
type pipeline struct {
	image   *image.RGBA
	levels  []float32 // how soon each pixel's point escapes, 0..1
	angle   float64   // of the fractal's parameter
	areas   []image.Rectangle
	tiles   chan tile
	done    chan struct{}
	workers sync.WaitGroup
	closing sync.Once
}

// tile is a piece of work.
type tile struct {
	area image.Rectangle
	c    complex128
}

const (
	workerCount = 6
	tileSize    = 36
	bandCount   = 8
	escapeLimit = 80
)

// The places where goroutines wait are idle zones, so they do not count against a budget.
var (
	zoneReceive = iprof.Zone{Name: "receive", Idle: true}
	zoneCollect = iprof.Zone{Name: "collect", Idle: true}
	zoneJoin    = iprof.Zone{Name: "join", Idle: true}
)

func newPipeline(o Options) *pipeline {
	p := &pipeline{image: o.picture(320, 180), angle: 2 + float64(o.Seed%628)/100}
	p.levels = make([]float32, p.image.Rect.Dx()*p.image.Rect.Dy())
	p.cut()
	p.tiles = make(chan tile, len(p.areas))
	p.done = make(chan struct{}, len(p.areas))
	for i := range workerCount {
		p.workers.Add(1)
		go p.work(fmt.Sprintf("worker %d", i+1))
	}
	return p
}

func (p *pipeline) Step(dt time.Duration) error {
	defer iprof.Begin("pipeline").End()
	p.angle += 0.25 * dt.Seconds()
	p.deal(edge(p.angle))
	p.tone()
	return nil
}

// edge returns a point just outside the cardioid of the Mandelbrot set, where Julia sets have the most detail.
func edge(angle float64) complex128 {
	rim := cmplx.Rect(1, angle)
	return (rim/2 - rim*rim/4) * 1.025
}

// deal sends the tiles and waits until all are computed. Both channels hold a whole picture, so only collect waits.
func (p *pipeline) deal(c complex128) {
	defer iprof.Begin("deal").End()
	for _, area := range p.areas {
		p.tiles <- tile{area, c}
	}
	defer zoneCollect.Begin().End()
	for range p.areas {
		<-p.done
	}
}

// cut divides the picture into tiles.
func (p *pipeline) cut() {
	for y := 0; y < p.image.Rect.Dy(); y += tileSize {
		for x := 0; x < p.image.Rect.Dx(); x += tileSize {
			p.areas = append(p.areas, image.Rect(x, y, x+tileSize, y+tileSize).Intersect(p.image.Rect))
		}
	}
}

// work computes tiles until the channel is closed.
func (p *pipeline) work(name string) {
	defer p.workers.Done()
	lane := iprof.Register(name)
	defer lane.Close()
	for {
		t, more := p.receive()
		if !more {
			return
		}
		p.compute(t)
		p.done <- struct{}{}
	}
}

func (p *pipeline) receive() (tile, bool) {
	defer zoneReceive.Begin().End()
	t, more := <-p.tiles
	return t, more
}

func (p *pipeline) compute(t tile) {
	defer iprof.Begin("tile").End()
	for y := t.area.Min.Y; y < t.area.Max.Y; y++ {
		p.row(t, y)
	}
}

// row computes how soon each point of a tile's row escapes.
func (p *pipeline) row(t tile, y int) {
	defer iprof.Begin("row").End()
	size := p.image.Rect.Size()
	zoom := 2.1 / float64(min(size.X, size.Y))
	for x := t.area.Min.X; x < t.area.Max.X; x++ {
		zr, zi := (float64(x)-float64(size.X)/2)*zoom, (float64(y)-float64(size.Y)/2)*zoom
		n := 0
		for ; n < escapeLimit && zr*zr+zi*zi < 16; n++ {
			zr, zi = zr*zr-zi*zi+real(t.c), 2*zr*zi+imag(t.c)
		}
		p.levels[y*size.X+x] = smooth(n, zr*zr+zi*zi)
	}
}

// smooth makes an escape count continuous.
func smooth(count int, size float64) float32 {
	if count == escapeLimit {
		return 1
	}
	return float32(max(float64(count)+1-math.Log2(math.Log2(max(size, 2))/2), 0) / escapeLimit)
}

// tone colours the picture. Each band has a goroutine of its own that ends with the frame.
func (p *pipeline) tone() {
	defer iprof.Begin("tone").End()
	var bands sync.WaitGroup
	height := p.image.Rect.Dy()
	for i := range bandCount {
		bands.Add(1)
		go func() {
			defer bands.Done()
			p.band(i*height/bandCount, (i+1)*height/bandCount)
		}()
	}
	defer zoneJoin.Begin().End()
	bands.Wait()
}

// band colours the rows from top to bottom.
func (p *pipeline) band(top, bottom int) {
	defer iprof.Begin("band").End()
	width := p.image.Rect.Dx()
	for i := top * width; i < bottom*width; i++ {
		v := math.Sqrt(float64(p.levels[i]))
		p.image.Pix[4*i+0] = display(2.2*v*v*v + 0.02)
		p.image.Pix[4*i+1] = display(1.1*v*v + 0.01)
		p.image.Pix[4*i+2] = display(0.05 + 0.9*v*(1-0.7*v))
		p.image.Pix[4*i+3] = 255
	}
}

func (p *pipeline) Picture() *image.RGBA { return p.image }
func (p *pipeline) Replays() bool        { return false }

func (p *pipeline) Close() {
	p.closing.Do(func() { close(p.tiles) })
	p.workers.Wait()
}
