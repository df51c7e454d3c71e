package workload

// Scan lines without measuring, the base that the cost of measuring is compared with.

func (t *tracer) linePlain(y int) {
	for x := range t.camera.width {
		var c vec
		for point := range raysOfPixel {
			c = c.add(t.tracePlain(t.camera.ray(x, y, point), t.bounces))
		}
		t.set(x, y, c)
	}
}

func (t *tracer) tracePlain(r ray, bounces int) vec {
	hit, distance := t.scene.nearest(r)
	if hit < 0 {
		return sky(r)
	}
	s := t.scene.surface(r, hit, distance)
	lit := s.facing > 0
	if lit {
		lit = !t.scene.blocked(s.shadowRay())
	}
	c := s.light(r, lit)
	if bounces > 0 {
		c = c.mix(t.tracePlain(s.mirrorRay(r), bounces-1), mirror)
	}
	return c
}
