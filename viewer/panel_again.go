package viewer

import "example.com/iprof/draw"

// again keeps the last picture. An unchanged picture need not be laid out again.
type again struct {
	of    picture
	v     []draw.Vertex
	atlas *draw.Atlas
	valid bool
}

// picture identifies a picture: it is everything that the picture depends on.
type picture struct {
	generation, serial   uint64
	width, height, scale float32
}

// pictureOf identifies the next picture.
func (p *Panel) pictureOf(width, height, scale float32) picture {
	return picture{p.source.Generation(), p.serial, width, height, scale}
}

// same reports whether the kept picture is the one that Draw needs, and the list is empty.
func (a *again) same(l *draw.List, now picture) bool {
	return a.valid && a.of == now && len(l.V) == 0
}

// keep keeps a picture that was drawn twice, unless the next one will differ. A picture drawn once may be one of a
// running program. To keep each of those would cost more than it saves.
func (a *again) keep(l *draw.List, now picture, moving bool) {
	twice := a.of == now
	a.of, a.valid = now, twice && !moving
	if !a.valid {
		return
	}
	a.atlas = l.Atlas
	a.v = append(a.v[:0], l.V...)
}
