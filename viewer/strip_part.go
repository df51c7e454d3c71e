package viewer

import "slices"

// part moves layers that lie on one of their own colour, as few as it takes. There are more zones than colours, and
// zones that are far apart in the call structure may have the same. It moves nothing if all differ already, so that
// layers keep their places.
func (s *strip) part(c *canvas) {
	for i := 1; i < len(s.layers); i++ {
		if s.clash(c, i) && !s.bringOther(c, i) {
			s.moveDown(c, i)
		}
	}
}

// clash reports whether a layer has the colour of the one below it.
func (s *strip) clash(c *canvas, i int) bool {
	return i > 0 && i < len(s.layers) && c.alike(s.layers[i-1].name, s.layers[i].name)
}

// bringOther brings the next layer above that may lie at a place there.
func (s *strip) bringOther(c *canvas, at int) bool {
	for j := at + 1; j < len(s.layers); j++ {
		if !c.alike(s.layers[at-1].name, s.layers[j].name) {
			l := s.layers[j]
			s.layers = slices.Insert(slices.Delete(s.layers, j, j+1), at, l)
			return true
		}
	}
	return false
}

// moveDown moves a layer to the highest place below where it lies between other colours.
func (s *strip) moveDown(c *canvas, from int) {
	name := s.layers[from].name
	for at := from - 1; at >= 0; at-- {
		if !c.alike(s.layers[at].name, name) && (at == 0 || !c.alike(s.layers[at-1].name, name)) {
			l := s.layers[from]
			s.layers = slices.Insert(slices.Delete(s.layers, from, from+1), at, l)
			return
		}
	}
}
