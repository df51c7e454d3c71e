package canvas

import "example.com/iprof/viewer/hit"

// AreaOf returns the place of the first area of a kind.
func (c *Canvas) AreaOf(kind hit.Kind) Rect {
	for i := range c.Areas {
		if c.Areas[i].Hit.Kind == kind {
			return c.Areas[i].Rect
		}
	}
	return Rect{}
}

// AreaAt returns the topmost area at a place, or nil.
func (c *Canvas) AreaAt(x, y float32) *Area {
	for i := len(c.Areas) - 1; i >= 0; i-- {
		if c.Areas[i].Contains(x, y) {
			return &c.Areas[i]
		}
	}
	return nil
}

// Area is a place on the screen with its hit.
type Area struct {
	Rect
	Hit    hit.Hit
	Frames int // number of frames side by side in a graph, the newest at the right
	Skip   int // age of the newest of them
}

// Add adds an area. Later areas lie above earlier ones.
func (c *Canvas) Add(r Rect, h hit.Hit) { c.Areas = append(c.Areas, Area{Rect: r, Hit: h}) }

// HitAt returns the hit of the topmost area at a place.
func (c *Canvas) HitAt(x, y float32) hit.Hit {
	for i := len(c.Areas) - 1; i >= 0; i-- {
		a := &c.Areas[i]
		if !a.Contains(x, y) {
			continue
		}
		h := a.Hit
		if a.Frames > 0 {
			column := int((x - a.X0) / (a.X1 - a.X0) * float32(a.Frames))
			h.Age = a.Skip + a.Frames - 1 - min(max(column, 0), a.Frames-1)
		}
		return h
	}
	return hit.Of(hit.None, 0)
}
