package workload

import (
	"math"
	"math/rand/v2"
)

// worldSize is the side of the square map, in tiles of length 1.
const worldSize = 48

// cell is a tile of the map.
type cell struct{ x, y int }

func (c cell) centre() (x, y float64) { return float64(c.x) + 0.5, float64(c.y) + 0.5 }

// world is the map: walls and floor.
type world struct {
	wall [worldSize * worldSize]uint8 // 0 = floor, else the wall's colour
}

// newWorld builds rooms with doors, and pillars in the rooms.
func newWorld(r *rand.Rand) *world {
	w := &world{}
	for i := range worldSize {
		for _, edge := range []cell{{i, 0}, {i, worldSize - 1}, {0, i}, {worldSize - 1, i}} {
			w.set(edge, 1)
		}
	}
	for wall := 8; wall < worldSize-1; wall += 8 {
		for i := 1; i < worldSize-1; i++ {
			w.set(cell{wall, i}, uint8(2+i/8%3))
			w.set(cell{i, wall}, uint8(2+wall/8%3))
		}
	}
	for wall := 8; wall < worldSize-1; wall += 8 {
		for room := 0; room < worldSize; room += 8 {
			w.door(cell{wall, room + 2 + r.IntN(4)}, 0, 1)
			w.door(cell{room + 2 + r.IntN(4), wall}, 1, 0)
		}
	}
	for range worldSize {
		w.set(cell{2 + r.IntN(worldSize-4)&^1, 2 + r.IntN(worldSize-4)&^1}, 5)
	}
	return w
}

// door opens a gap two tiles wide.
func (w *world) door(c cell, dx, dy int) {
	w.set(c, 0)
	if next := (cell{c.x + dx, c.y + dy}); next.x < worldSize-1 && next.y < worldSize-1 {
		w.set(next, 0)
	}
}

func (w *world) set(c cell, colour uint8) { w.wall[c.y*worldSize+c.x] = colour }

// at returns the wall at a tile. Everything outside the map is wall.
func (w *world) at(x, y int) uint8 {
	if uint(x) >= worldSize || uint(y) >= worldSize {
		return 1
	}
	return w.wall[y*worldSize+x]
}

func (w *world) solid(x, y float64) bool {
	return w.at(int(math.Floor(x)), int(math.Floor(y))) != 0
}

// floor returns a random free tile.
func (w *world) floor(r *rand.Rand) cell {
	for {
		c := cell{r.IntN(worldSize), r.IntN(worldSize)}
		if w.at(c.x, c.y) == 0 {
			return c
		}
	}
}
