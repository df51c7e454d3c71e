package system

// checkOutlines checks the outlines of TrueType: they do not overlap in the file, they have a bounded number of points,
// and none is composed of too many others.
func (t fontTables) checkOutlines() error {
	loca, glyf := t["loca"], t["glyf"]
	n := int(number16(t["maxp"], 4))
	place := func(i int) int { return 2 * int(number16(loca, 2*i)) }
	if number16(t["head"], 50) == 1 {
		place = func(i int) int { return int(number32(loca, 4*i)) }
	}
	c := composites{parts: make([]int, n), depth: make([]int, n), glyph: make([][]byte, n)}
	points := 0
	for i := range n {
		begin, end := place(i), place(i+1)
		if begin == end || end == 0 { // a space, or beyond the end of the table
			continue
		}
		if begin > end || end > len(glyf) {
			return errDamaged
		}
		c.glyph[i] = glyf[begin:end]
		if contours := int(int16(number16(c.glyph[i], 0))); contours > 0 {
			points += 1 + int(number16(c.glyph[i], 10+2*(contours-1)))
		}
	}
	if points > mostPoints {
		return errTooLarge
	}
	for i := range n {
		if err := c.visit(i, 0); err != nil {
			return err
		}
	}
	return nil
}

// composites counts the parts of composed glyphs. Each glyph is visited once.
type composites struct {
	glyph [][]byte
	parts []int // 0: not visited, -1: being visited
	depth []int
}

func (c *composites) visit(i, nested int) error {
	switch {
	case nested > mostNested || c.parts[i] < 0:
		return errDamaged // it is within itself, or too deep
	case c.parts[i] > 0:
		return nil
	}
	c.parts[i] = -1
	parts, depth := 1, 0
	for _, other := range components(c.glyph[i]) {
		if other >= len(c.glyph) {
			continue
		}
		if err := c.visit(other, nested+1); err != nil {
			return err
		}
		parts, depth = parts+c.parts[other], max(depth, c.depth[other]+1)
		if parts > mostParts || depth > mostNested {
			return errTooLarge
		}
	}
	c.parts[i], c.depth[i] = parts, depth
	return nil
}

// The flags of a part of a composed glyph.
const (
	wordArguments = 1 << 0
	oneScale      = 1 << 3
	morePartsFlag = 1 << 5
	twoScales     = 1 << 6
	fourScales    = 1 << 7
)

// components returns the glyphs that a glyph is composed of.
func components(glyph []byte) (all []int) {
	if int16(number16(glyph, 0)) >= 0 {
		return nil
	}
	for at := 10; at+4 <= len(glyph); {
		flags := number16(glyph, at)
		all = append(all, int(number16(glyph, at+2)))
		at += 6
		if flags&wordArguments != 0 {
			at += 2
		}
		switch {
		case flags&oneScale != 0:
			at += 2
		case flags&twoScales != 0:
			at += 4
		case flags&fourScales != 0:
			at += 8
		}
		if flags&morePartsFlag == 0 {
			break
		}
	}
	return all
}
