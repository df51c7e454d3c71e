package workload

import (
	"math"

	"example.com/iprof"
)

// zoneRaycast is one row for all users of rays: physics, AI and rendering.
var zoneRaycast = iprof.Zone{Name: "raycast"}

// strike is the point where a ray met a wall.
type strike struct {
	distance float64
	wall     uint8
	side     bool    // on a wall facing north or south
	position float64 // 0..1 across the wall's face
}

// raycast walks from tile to tile until it meets a wall or reaches the limit. At the limit strike.wall is 0.
func (w *world) raycast(x, y, dx, dy, limit float64) strike {
	defer zoneRaycast.Begin().End()
	tx, ty := int(math.Floor(x)), int(math.Floor(y))
	stepX, nextX, deltaX := axis(x, dx)
	stepY, nextY, deltaY := axis(y, dy)
	for {
		var s strike
		if nextX < nextY {
			s.distance, tx, nextX = nextX, tx+stepX, nextX+deltaX
		} else {
			s.distance = nextY
			ty += stepY
			nextY += deltaY
			s.side = true
		}
		if s.distance > limit {
			return strike{distance: limit}
		}
		if s.wall = w.at(tx, ty); s.wall != 0 {
			s.position = fraction(x + dx*s.distance)
			if !s.side {
				s.position = fraction(y + dy*s.distance)
			}
			return s
		}
	}
}

// axis prepares the walk along one axis: its direction, the distance to the first border, and from border to border.
func axis(at, d float64) (step int, next, delta float64) {
	switch {
	case d > 0:
		return 1, (math.Floor(at) + 1 - at) / d, 1 / d
	case d < 0:
		return -1, (math.Floor(at) - at) / d, -1 / d
	}
	return 0, math.Inf(1), math.Inf(1)
}

func fraction(v float64) float64 { return v - math.Floor(v) }

// sees reports whether no wall stands between two points.
func (w *world) sees(x0, y0, x1, y1 float64) bool {
	dx, dy := x1-x0, y1-y0
	length := math.Hypot(dx, dy)
	if length < 1e-9 {
		return true
	}
	return w.raycast(x0, y0, dx/length, dy/length, length).wall == 0
}
