package hosts

import (
	"math"

	"example.com/iprof"
)

// Body is one part of the swarm.
type Body struct {
	X, Y, Z float32 // y is up
	Spin    float32 // radians
	Size    float32 // half the length of an edge
	R, G, B float32
}

// World is a swarm around the origin, within about 3 units. It depends on the number of frames only.
type World struct {
	Bodies []Body
	frame  int
}

// NewWorld returns the swarm at frame 0.
func NewWorld() *World { return &World{Bodies: make([]Body, 240)} }

// Step advances the swarm by one frame.
func (w *World) Step() {
	defer iprof.Begin("simulate").End() // profiler
	w.frame++
	w.orbit()
	w.avoid()
	w.paint()
}

func (w *World) orbit() {
	defer iprof.Begin("orbit").End() // profiler
	for i := range w.Bodies {
		b, t := &w.Bodies[i], float64(w.frame)/60
		ring := float64(i % 5)
		angle := float64(i)*2.399963 + t*(0.9-0.13*ring)
		radius := 0.7 + 0.45*ring + 0.12*math.Sin(t*1.7+float64(i))
		b.X, b.Z = float32(radius*math.Cos(angle)), float32(radius*math.Sin(angle))
		b.Y = float32(0.35 * math.Sin(2*angle+ring+t))
		b.Spin, b.Size = float32(angle*2+t), 0.05+0.02*float32(i%3)
	}
}

// avoid lifts bodies off each other.
func (w *World) avoid() {
	defer iprof.Begin("avoid").End() // profiler
	for i := range w.Bodies {
		a := &w.Bodies[i]
		for j := range w.Bodies[:i] {
			b := &w.Bodies[j]
			dx, dz := a.X-b.X, a.Z-b.Z
			if near := 0.03 - dx*dx - dz*dz; near > 0 {
				a.Y, b.Y = a.Y+2*near, b.Y-2*near
			}
		}
	}
}

func (w *World) paint() {
	defer iprof.Begin("paint").End() // profiler
	for i := range w.Bodies {
		b := &w.Bodies[i]
		hue := float64(i%5)*1.1 + float64(b.Y)
		b.R = float32(0.55 + 0.45*math.Cos(hue))
		b.G = float32(0.55 + 0.45*math.Cos(hue-2.1))
		b.B = float32(0.55 + 0.45*math.Cos(hue-4.2))
	}
}
