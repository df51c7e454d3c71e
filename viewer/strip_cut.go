package viewer

import "example.com/iprof/draw"

// cuts are the columns that the scale does not reach. Each has a break mark. Their numbers stand beside them as far as
// there is room, the greatest first.
type cuts struct{ all []cut }

// cut is one column that is cut, or several side by side of which only the waiting parts are.
type cut struct {
	box   rect
	ms    float32 // of the longest
	waits bool    // only the waiting part is cut
	x     float32 // left edge of the number
	wide  float32 // width of the number; 0 if it has no room
}

func (k *cuts) begin() { k.all = k.all[:0] }

// mostCuts bounds the columns with a break mark. Beyond it, the scale fits nothing.
const mostCuts = 64

// add adds a column, and draws its break mark. Columns side by side share a number if only their waiting parts are cut,
// for these may be all columns.
func (k *cuts) add(c *canvas, box rect, ms float32, waits bool) {
	n := len(k.all)
	if last := k.all[max(n-1, 0):]; waits && n > 0 && last[0].waits && box.x0-last[0].box.x1 < 2*c.em {
		last[0].box.x1, last[0].ms = box.x1, max(last[0].ms, ms)
	} else if n < mostCuts {
		k.all = append(k.all, cut{box: box, ms: ms, waits: waits})
	}
	x0, x1 := box.x0-1.5*c.em, max(box.x1, box.x0+2*c.em)+1.5*c.em
	y := box.y0 + 12*c.em
	for range 2 {
		c.Segment(x0, y+2*c.em, x1, y-2*c.em, 2*c.em, 0.5, c.Surface)
		y += 4 * c.em
	}
}

// draw writes the numbers. A number has the side of its column on which it does not lie over another number or column.
func (k *cuts) draw(c *canvas, plot rect) {
	for range k.all {
		next := -1
		for i := range k.all {
			if t := &k.all[i]; t.wide == 0 && (next < 0 || t.ms > k.all[next].ms) {
				next = i
			}
		}
		if next < 0 {
			return
		}
		k.write(c, &k.all[next], plot)
	}
}

// labelRoom is the width at the left that the labels of the ms lines take, in nominal pixels.
const labelRoom = 120

// write writes one number, or marks it as having no room. That of wide waiting parts may lie on them.
func (k *cuts) write(c *canvas, t *cut, plot rect) {
	c.buffer = append(draw.AppendFixed(c.buffer[:0], float64(t.ms), 0), " ms"...)
	t.wide = c.ASCIIWidth(draw.FaceTiny, c.buffer) + 4*c.em
	places := [...]float32{t.box.x1 + 4*c.em, t.box.x0 - 2*c.em - t.wide, (t.box.x0 + t.box.x1 - t.wide) / 2}
	for i, x := range places {
		if i == 2 && t.box.width() < 1.5*t.wide {
			break
		}
		if x < plot.x0+labelRoom*c.em || x+t.wide > plot.x1 || !k.free(t, x) {
			continue
		}
		t.x = x
		y := plot.y0 + 2*c.em
		c.Rect(x-2*c.em, y, x+t.wide-2*c.em, y+13*c.em, draw.Fade(c.Surface, 0.85))
		c.ASCII(x, c.baseline(y, y+13*c.em, draw.FaceTiny), draw.FaceTiny, c.buffer, c.TextBright)
		return
	}
	t.wide = -1
}

// free reports whether a number at x lies over no other cut column and no other number.
func (k *cuts) free(t *cut, x float32) bool {
	for i := range k.all {
		o := &k.all[i]
		if o == t {
			continue
		}
		if x < o.box.x1 && x+t.wide > o.box.x0 || o.wide > 0 && x < o.x+o.wide && x+t.wide > o.x {
			return false
		}
	}
	return true
}
