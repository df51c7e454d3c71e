package workload

import "example.com/iprof/platform"

// Scan lines with two raw timestamps in place of each zone, the least cost of measuring.

// stamps stores the timestamps, so that the compiler keeps them.
type stamps struct {
	pairs int
	spent platform.Ticks
}

func (s *stamps) add(begin platform.Ticks) {
	s.pairs++
	s.spent += platform.Now() - begin
}

func (t *tracer) lineBare(y int) {
	begin := platform.Now()
	for x := range t.camera.width {
		var c vec
		for point := range raysOfPixel {
			c = c.add(t.traceBare(t.camera.ray(x, y, point), t.bounces))
		}
		t.set(x, y, c)
	}
	t.stamps.add(begin)
}

func (t *tracer) traceBare(r ray, bounces int) vec {
	begin := platform.Now()
	intersect := platform.Now()
	hit, distance := t.scene.nearest(r)
	t.stamps.add(intersect)
	if hit < 0 {
		t.stamps.add(begin)
		return sky(r)
	}
	s := t.scene.surface(r, hit, distance)
	lit := s.facing > 0
	if lit {
		intersect = platform.Now()
		lit = !t.scene.blocked(s.shadowRay())
		t.stamps.add(intersect)
	}
	c := s.light(r, lit)
	if bounces > 0 {
		c = c.mix(t.traceBare(s.mirrorRay(r), bounces-1), mirror)
	}
	t.stamps.add(begin)
	return c
}
