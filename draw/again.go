package draw

// again is the last picture, kept so that an unchanged one need not be laid out once more.
type again struct {
	of    picture
	v     []Vertex
	atlas *Atlas
	valid bool
}

// picture is all that a picture is made from.
type picture struct {
	generation, serial   uint64
	width, height, scale float32
}

// pictureOf is what the next picture is made from.
func (p *Panel) pictureOf(width, height, scale float32) picture {
	return picture{p.source.Generation(), p.serial, width, height, scale}
}

// same reports whether the kept picture is the one asked for, and can go into the list.
func (a *again) same(l *List, now picture) bool {
	return a.valid && a.of == now && len(l.V) == 0
}

// keep keeps a picture that was drawn twice, unless the next one will be another. One that was drawn once may be of a program
// that runs: to keep each of those would cost more than it gains.
func (a *again) keep(l *List, now picture, moving bool) {
	twice := a.of == now
	a.of, a.valid = now, twice && !moving
	if !a.valid {
		return
	}
	a.atlas = l.Atlas
	a.v = append(a.v[:0], l.V...)
}
