package viewer

import (
	"example.com/iprof/draw"
	"example.com/iprof/process"
)

// drawDepths draws how many entries a recursive zone has at each depth, the outermost first: a bar and a number each.
func drawDepths(c *canvas, depths []float64, r rect) {
	const heading = "calls by depth"
	c.left(r.x0, r.width(), r, draw.FaceSmall, heading, c.TextFaint)
	x, most := r.x0+c.Width(draw.FaceSmall, heading)+10*c.em, 0.0
	for _, n := range depths {
		most = max(most, n)
	}
	for i, n := range depths {
		c.buffer = draw.AppendCount(c.buffer[:0], n)
		if i == process.MostDepths-1 {
			c.buffer = append(c.buffer, '+')
		}
		width := c.BytesWidth(draw.FaceSmall, c.buffer)
		if x+width+6*c.em > r.x1 {
			return
		}
		if height := float32(n/max(most, 1)) * (r.height() - 4*c.em); height > 0 {
			c.Rect(x, r.y1-2*c.em-height, x+3*c.em, r.y1-2*c.em, c.TextFaint)
		}
		c.text(x+6*c.em, width, r, draw.FaceSmall, c.buffer, c.TextNormal)
		x += width + 14*c.em
	}
}
