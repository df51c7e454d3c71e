package system

import "fmt"

// Tables of layout are trees of offsets from the beginning of a part. Parts may be shared, so a small table may be a
// tree without an end in sight. checkLayout counts what parsing visits. Each number of a list counts as one.

// visitsPerByte and freeVisits bound the visits of a table by its size: more than the fonts of systems need.
const (
	visitsPerByte = 16
	freeVisits    = 1 << 22
)

// lists says where a kind of subtable has its list of offsets, how many levels of lists there are, and how many numbers
// a part of the last one has.
type lists struct {
	count, levels int
	size          func(table []byte, at int) int
}

// subtables are the kinds with lists of offsets, by the table, the kind and the format.
var subtables = map[string]map[[2]int]lists{
	"GSUB": {{2, 1}: {4, 1, ofList}, {3, 1}: {4, 1, ofList}, {4, 1}: {4, 2, ofLigature}, {5, 1}: {4, 2, ofRule},
		{5, 2}: {6, 2, ofRule}, {6, 1}: {4, 2, ofChain}, {6, 2}: {10, 2, ofChain}},
	"GPOS": {{2, 1}: {8, 1, ofList}, {7, 1}: {4, 2, ofRule}, {7, 2}: {6, 2, ofRule}, {8, 1}: {4, 2, ofChain},
		{8, 2}: {10, 2, ofChain}},
}

func ofList(table []byte, at int) int     { return int(number16(table, at)) }
func ofLigature(table []byte, at int) int { return int(number16(table, at+2)) }
func ofRule(table []byte, at int) int     { return int(number16(table, at)) + int(number16(table, at+2)) }

// ofChain counts the glyphs before, in and behind a match.
func ofChain(table []byte, at int) (n int) {
	before := int(number16(table, at))
	at += 2 + 2*before
	in := int(number16(table, at))
	at += 2 * max(in, 1)
	behind := int(number16(table, at))
	return before + in + behind + int(number16(table, at+2+2*behind))
}

// extension is the kind of a subtable that has the place of another.
var extension = map[string]int{"GSUB": 7, "GPOS": 9}

func (t fontTables) checkLayout() error {
	for name, kinds := range subtables {
		v := visits{table: t[name], positions: name == "GPOS",
			left: visitsPerByte*len(t[name]) + freeVisits}
		v.scripts(int(number16(v.table, 4)))
		v.features(int(number16(v.table, 6)))
		v.lookups(int(number16(v.table, 8)), extension[name], kinds)
		if v.left < 0 {
			return fmt.Errorf("%w: table %s repeats the same parts too often", errDamaged, name)
		}
	}
	return nil
}

// visits counts the visits of a table.
type visits struct {
	table     []byte
	positions bool // it is GPOS
	left      int
}

// list visits a list of offsets from a base, with its count at a place, and calls a function with each. The offsets
// have a distance.
func (v *visits) list(base, count, distance int, visit func(at int)) {
	n := int(number16(v.table, count))
	for i := 0; i < n && v.left >= 0; i++ {
		v.left--
		if at := count + 2 + i*distance; at < len(v.table) {
			visit(base + int(number16(v.table, at+distance-2)))
		}
	}
}

// numbers visits a list of numbers.
func (v *visits) numbers(count int) { v.left -= 1 + int(number16(v.table, count)) }

func (v *visits) scripts(list int) {
	const tagged = 6 // a tag of four bytes before the offset
	v.list(list, list, tagged, func(script int) {
		v.numbers(script + int(number16(v.table, script)) + 4)
		v.list(script, script+2, tagged, func(language int) { v.numbers(language + 4) })
	})
}

func (v *visits) features(list int) {
	const tagged = 6
	v.list(list, list, tagged, func(feature int) { v.numbers(feature + 2) })
}

func (v *visits) lookups(list, extension int, kinds map[[2]int]lists) {
	v.list(list, list, 2, func(lookup int) {
		kind := int(number16(v.table, lookup))
		v.list(lookup, lookup+4, 2, func(at int) {
			kind := kind
			if kind == extension {
				kind = int(number16(v.table, at+2))
				at += int(number32(v.table, at+4))
			}
			v.subtable(at, kind, kinds)
		})
	})
}

// subtable visits a subtable: the glyphs that it covers, and its own list or those of its marks.
func (v *visits) subtable(at, kind int, kinds map[[2]int]lists) {
	format := int(number16(v.table, at))
	if _, listed := kinds[[2]int{kind, 2}]; listed && format == 3 { // a rule whose places have glyphs each
		v.places(at, at+2, kind == chained[v.positions])
		return
	}
	v.numbers(at + int(number16(v.table, at+2)) + 2) // the glyphs
	l, has := kinds[[2]int{kind, format}]
	switch {
	case has:
		v.below(at, at+l.count, l.levels, l.size)
	case v.positions && kind >= 4 && kind <= 6:
		v.marks(at, kind)
	default:
		v.numbers(at + 4)
	}
}

// chained is the kind of rules that look before and behind a match, in GPOS if true.
var chained = map[bool]int{false: 6, true: 8}

// places visits the glyphs of each place of a rule. A chained rule has three lists of places.
func (v *visits) places(at, count int, chain bool) {
	glyphs := func(at int) { v.numbers(at + 2) }
	v.list(at, count, 2, glyphs)
	if chain {
		for range 2 {
			count += 2 + 2*int(number16(v.table, count))
			v.list(at, count, 2, glyphs)
		}
		count += 2 * int(number16(v.table, count))
	}
	v.numbers(count + 2)
}

// below visits a list of offsets and the lists below it.
func (v *visits) below(base, count, levels int, size func([]byte, int) int) {
	v.list(base, count, 2, func(at int) {
		if levels > 1 {
			v.below(at, at, levels-1, size)
		} else {
			v.left -= 1 + size(v.table, at)
		}
	})
}

// marks visits the anchors of marks: a list of glyphs with one for each class.
func (v *visits) marks(at, kind int) {
	classes := int(number16(v.table, at+6))
	v.numbers(at + int(number16(v.table, at+8)))
	base := at + int(number16(v.table, at+10))
	if kind != 5 {
		v.left -= int(number16(v.table, base)) * classes
		return
	}
	v.list(base, base, 2, func(ligature int) { v.left -= int(number16(v.table, ligature)) * classes })
}
