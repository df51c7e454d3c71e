package workload

import "example.com/iprof"

// pathfinder searches the map breadth first. All searches share its memory.
type pathfinder struct {
	from  [worldSize * worldSize]int32 // the tile that a tile was reached from, +1
	queue []cell
}

var neighbours = [4]cell{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}

// find appends the tiles from start to goal, goal first. It appends nothing if there is no way.
func (p *pathfinder) find(w *world, start, goal cell, path []cell) []cell {
	defer iprof.Begin("pathfind").End()
	p.flood(w, start, goal)
	return p.trace(start, goal, path)
}

// flood spreads from start until it reaches goal.
func (p *pathfinder) flood(w *world, start, goal cell) {
	defer iprof.Begin("flood").End()
	clear(p.from[:])
	p.queue = append(p.queue[:0], start)
	p.from[start.y*worldSize+start.x] = int32(start.y*worldSize+start.x) + 1
	for head := 0; head < len(p.queue) && p.queue[max(head-1, 0)] != goal; head++ {
		c := p.queue[head]
		for _, d := range neighbours {
			n := cell{c.x + d.x, c.y + d.y}
			if w.at(n.x, n.y) == 0 && p.from[n.y*worldSize+n.x] == 0 {
				p.from[n.y*worldSize+n.x] = int32(c.y*worldSize+c.x) + 1
				p.queue = append(p.queue, n)
			}
		}
	}
}

// trace follows the way back from goal.
func (p *pathfinder) trace(start, goal cell, path []cell) []cell {
	path = path[:0]
	for c := goal; c != start; {
		at := p.from[c.y*worldSize+c.x]
		if at == 0 {
			return path[:0]
		}
		path = append(path, c)
		c = cell{int(at-1) % worldSize, int(at-1) / worldSize}
	}
	return path
}
