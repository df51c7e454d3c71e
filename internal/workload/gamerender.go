package workload

import (
	"image"
	"image/color"
	"math"
	"slices"

	"example.com/iprof"
)

// fieldOfView is half the picture's width at distance 1.
const fieldOfView = 0.8

// wallColours are the colours of walls, by the wall's number less one.
var wallColours = [...]color.RGBA{{92, 98, 112, 255}, {150, 88, 66, 255}, {82, 122, 96, 255}, {98, 104, 158, 255},
	{176, 148, 84, 255}}

// render draws the player's view.
func (g *game) render() {
	defer iprof.Begin("render").End()
	g.walls()
	g.sprites()
	g.flashes()
	g.minimap()
}

// walls casts a ray for every column of the picture, and draws the wall it meets, the sky and the floor.
func (g *game) walls() {
	defer iprof.Begin("walls").End()
	p, size := &g.robots[0], g.image.Rect.Size()
	sin, cos := math.Sincos(p.heading)
	for x := range size.X {
		across := (2*(float64(x)+0.5)/float64(size.X) - 1) * fieldOfView
		s := g.world.raycast(p.x, p.y, cos-sin*across, sin+cos*across, 64)
		g.depth[x] = s.distance
		g.column(x, s)
	}
}

// column draws one column: sky, wall, floor.
func (g *game) column(x int, s strike) {
	height := g.image.Rect.Dy()
	half := float64(height) * 0.75 / max(s.distance, 0.05)
	top, bottom := int(float64(height)/2-half), int(float64(height)/2+half)
	wall := wallColours[max(int(s.wall), 1)-1]
	light := 1 / (1 + 0.12*s.distance)
	if s.side {
		light *= 0.72
	}
	if s.position < 0.03 || s.position > 0.97 {
		light *= 0.6
	}
	for y := range height {
		var c color.RGBA
		switch {
		case y < top:
			c = shade(color.RGBA{58, 78, 116, 255}, 0.35+float64(y)/float64(height))
		case y < bottom:
			c = shade(wall, light*g.brick(y, top, bottom))
		default:
			c = shade(color.RGBA{70, 64, 58, 255}, float64(2*y-height)/float64(height))
		}
		g.image.SetRGBA(x, y, c)
	}
}

// brick returns a lower brightness for the joints between a wall's courses.
func (g *game) brick(y, top, bottom int) float64 {
	if fraction(float64(y-top)/float64(max(bottom-top, 1))*6) < 0.08 {
		return 0.75
	}
	return 1
}

func shade(c color.RGBA, k float64) color.RGBA {
	k = min(max(k, 0), 1.2)
	return color.RGBA{uint8(min(float64(c.R)*k, 255)), uint8(min(float64(c.G)*k, 255)), uint8(min(float64(c.B)*k, 255)),
		255}
}

// project returns the place of a map point in the picture: column, pixels per tile there, and distance. ahead is
// false for points behind the player.
func (g *game) project(x, y float64) (column, scale, distance float64, ahead bool) {
	p, size := &g.robots[0], g.image.Rect.Size()
	sin, cos := math.Sincos(p.heading)
	dx, dy := x-p.x, y-p.y
	distance = dx*cos + dy*sin
	if distance < 0.2 {
		return 0, 0, 0, false
	}
	across := (dy*cos - dx*sin) / distance
	return (across/fieldOfView + 1) * float64(size.X) / 2, float64(size.Y) * 1.5 / distance, distance, true
}

// sprites draws the visible robots, far ones first.
func (g *game) sprites() {
	defer iprof.Begin("sprites").End()
	g.order = g.order[:0]
	for i := range g.robots[1:] {
		g.order = append(g.order, int32(i+1))
	}
	p := &g.robots[0]
	slices.SortFunc(g.order, func(a, b int32) int {
		ra, rb := &g.robots[a], &g.robots[b]
		return int(math.Copysign(1, math.Hypot(rb.x-p.x, rb.y-p.y)-math.Hypot(ra.x-p.x, ra.y-p.y)))
	})
	for _, i := range g.order {
		g.sprite(&g.robots[i])
	}
}

// sprite draws a robot bone by bone, except where a wall hides it.
func (g *game) sprite(r *robot) {
	column, scale, distance, ahead := g.project(r.x, r.y)
	if !ahead || distance < 0.8 || distance > 24 || math.Abs(column) > 4096 {
		return
	}
	c := color.RGBA{210, 214, 222, 255}
	if r.alert > 0 {
		c = color.RGBA{236, 92, 70, 255}
	}
	c = shade(c, 1/(1+0.1*distance))
	ground := float64(g.image.Rect.Dy())/2 + scale/2
	thick := max(scale*0.024, 0.6)
	for i, j := range r.pose {
		from := joint{}
		if parent := skeleton[i].parent; parent >= 0 {
			from = r.pose[parent]
		}
		for k := range 6 {
			t := float64(k) / 5
			g.dot(column+(from.x+(j.x-from.x)*t)*scale, ground-(0.32+from.z+(j.z-from.z)*t)*scale, thick, distance,
				shade(c, 1-0.03*float64(i)))
		}
	}
}

// dot fills a small square, except where nearer walls hide it.
func (g *game) dot(x, y, half, distance float64, c color.RGBA) {
	b := g.image.Rect.Intersect(image.Rect(int(x-half), int(y-half), int(x+half)+1, int(y+half)+1))
	for px := b.Min.X; px < b.Max.X; px++ {
		if distance > g.depth[px] {
			continue
		}
		for py := b.Min.Y; py < b.Max.Y; py++ {
			g.image.SetRGBA(px, py, c)
		}
	}
}

// flashes draws the sparks.
func (g *game) flashes() {
	for _, s := range g.sparks {
		if column, scale, distance, ahead := g.project(s.x, s.y); ahead && math.Abs(column) < 4096 {
			ground := float64(g.image.Rect.Dy())/2 + scale/2
			g.dot(column, ground-s.z*scale, max(scale*0.015, 0.5), distance,
				color.RGBA{255, uint8(90 + 80*min(s.life, 2)), 60, 255})
		}
	}
}

// minimap draws the map into the top right corner, two pixels a tile.
func (g *game) minimap() {
	defer iprof.Begin("minimap").End()
	left := g.image.Rect.Dx() - 2*worldSize - 6
	if left < 0 || g.image.Rect.Dy() < 2*worldSize+12 {
		return
	}
	for i := range 4 * worldSize * worldSize {
		x, y := i%(2*worldSize), i/(2*worldSize)
		c := color.RGBA{24, 27, 34, 255}
		if wall := g.world.at(x/2, y/2); wall != 0 {
			c = shade(wallColours[wall-1], 0.8)
		}
		g.image.SetRGBA(left+x, 6+y, c)
	}
	for i := range g.robots {
		c := color.RGBA{200, 204, 210, 255}
		if i == 0 {
			c = color.RGBA{80, 220, 140, 255}
		}
		x, y := left+int(2*g.robots[i].x), 6+int(2*g.robots[i].y)
		g.image.SetRGBA(x, y, c)
		g.image.SetRGBA(x+1, y, c)
	}
}
