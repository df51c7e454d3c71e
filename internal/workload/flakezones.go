package workload

import "example.com/iprof"

// Scan lines with zones: on the line, on each ray, and on each search for the ray's target.

var (
	zoneLine    = iprof.Zone{Name: "scanline"}
	zoneTrace   = iprof.Zone{Name: "trace"}
	zonePrimary = iprof.Zone{Name: "intersect"}
	zoneShadow  = iprof.Zone{Name: "intersect shadow"}
)

func (t *tracer) lineZones(y int) {
	defer zoneLine.Begin().End()
	for x := range t.camera.width {
		var c vec
		for point := range raysOfPixel {
			c = c.add(t.traceZones(t.camera.ray(x, y, point), t.bounces))
		}
		t.set(x, y, c)
	}
}

func (t *tracer) traceZones(r ray, bounces int) vec {
	defer zoneTrace.Begin().End()
	z := zonePrimary.Begin()
	hit, distance := t.scene.nearest(r)
	z.End()
	if hit < 0 {
		return sky(r)
	}
	s := t.scene.surface(r, hit, distance)
	lit := s.facing > 0
	if lit {
		z = zoneShadow.Begin()
		lit = !t.scene.blocked(s.shadowRay())
		z.End()
	}
	c := s.light(r, lit)
	if bounces > 0 {
		c = c.mix(t.traceZones(s.mirrorRay(r), bounces-1), mirror)
	}
	return c
}
