package history

import (
	"math/bits"
)

// Touched has the values of a lane, or of all lanes, in one frame, by path and by zone. It visits only the paths and
// zones in the frame, so the number of known ones costs nothing.
type Touched struct {
	values  List[Value]     // by path; 0 for paths that are not in the frame
	zones   List[ZoneValue] // by zone; 0 for zones that are not in the frame
	charges ChargeList      // of values and zones
	paths   set             // paths in the frame, with their ancestors
	zoneSet set             // zones of these paths
}

// set is a set of numbers. Walking it in order takes time in proportion to its size.
type set struct {
	low  []uint64
	high []uint64 // which words of low are not 0
}

// grow makes room for the numbers below n.
func (b *set) grow(n int) {
	for len(b.low)*64 < n {
		b.low = append(b.low, 0)
	}
	for len(b.high)*64 < len(b.low) {
		b.high = append(b.high, 0)
	}
}

// add adds a number, and reports whether it is new.
func (b *set) add(i int32) bool {
	word, bit := uint32(i)/64, uint64(1)<<(uint32(i)%64)
	if b.low[word]&bit != 0 {
		return false
	}
	b.low[word] |= bit
	b.high[word/64] |= 1 << (word % 64)
	return true
}

// each calls do with each number, the least first.
func (b *set) each(do func(i int32)) {
	for h, words := range b.high {
		for ; words != 0; words &= words - 1 {
			at := h*64 + bits.TrailingZeros64(words)
			for rest := b.low[at]; rest != 0; rest &= rest - 1 {
				do(int32(at*64 + bits.TrailingZeros64(rest)))
			}
		}
	}
}

// down calls do with each number, the greatest first.
func (b *set) down(do func(i int32)) {
	for h := len(b.high) - 1; h >= 0; h-- {
		for words := b.high[h]; words != 0; {
			word := 63 - bits.LeadingZeros64(words)
			words &^= 1 << word
			for rest := b.low[h*64+word]; rest != 0; {
				bit := 63 - bits.LeadingZeros64(rest)
				rest &^= 1 << bit
				do(int32((h*64+word)*64 + bit))
			}
		}
	}
}

// clear removes all numbers.
func (b *set) clear() {
	for h, words := range b.high {
		for ; words != 0; words &= words - 1 {
			b.low[h*64+bits.TrailingZeros64(words)] = 0
		}
		b.high[h] = 0
	}
}

// Take replaces the contents by a frame of one lane, or of all lanes. The tree has its paths, and zones is the number
// of known zones.
func (t *Touched) Take(p *Frame, lane int32, tree *Tree, zones int) {
	t.paths.each(func(i int32) { *t.values.At(int(i)) = Value{} })
	t.zoneSet.each(func(i int32) { *t.zones.At(int(i)) = ZoneValue{} })
	t.paths.clear()
	t.zoneSet.clear()
	t.charges.Reset()
	t.values.Grow(len(tree.Paths))
	t.zones.Grow(zones)
	t.paths.grow(len(tree.Paths))
	t.zoneSet.grow(zones)
	p.Sum(lane, func(path int32) *Value {
		for at := path; at >= 0 && t.paths.add(at); {
			at = tree.Paths[at].Parent
		}
		return t.values.At(int(path))
	}, &t.charges)
	if len(tree.Paths) > 0 {
		t.paths.add(0)
	}
	t.rise(p, tree)
	if lane == EveryLane && len(tree.Paths) > 0 {
		t.values.At(0).Hier = p.SpanMS
	}
	t.gather(tree)
}

// rise converts ticks, and adds the time of paths to their ancestors.
func (t *Touched) rise(p *Frame, tree *Tree) {
	t.paths.each(func(i int32) {
		v := t.values.At(int(i))
		v.Self *= p.PerTick
		v.Hier = v.Self
	})
	t.paths.down(func(i int32) {
		if up := tree.Paths[i].Parent; up >= 0 {
			t.values.At(int(up)).Hier += t.values.At(int(i)).Hier
		}
	})
}

// gather sums paths by zone.
func (t *Touched) gather(tree *Tree) {
	t.paths.each(func(i int32) {
		p, v := &tree.Paths[i], t.values.At(int(i))
		t.zoneSet.add(int32(p.Zone))
		z := t.zones.At(int(p.Zone))
		z.Self += v.Self
		z.Count += v.Count
		if v.Noted {
			z.Note(v)
		}
		t.charges.Merge(&z.Extra, v.Extra)
		if p.Same < 0 {
			z.Hier += v.Hier
		}
	})
}

// Stock takes memory ahead for as many paths and zones as there are: see List.Stock.
func (t *Touched) Stock(paths, zones int, ahead *int) {
	t.values.Stock(paths, ahead)
	t.zones.Stock(zones, ahead)
}

// Sum sums a frame's records of one lane, or of all lanes, by path: time in ticks, count, open, errors. at returns the
// sum of a path. In the merged view the root has only the updating lane's time, because time outside zones on other
// lanes is idle.
func (p *Frame) Sum(lane int32, at func(path int32) *Value, charges *ChargeList) {
	for _, l := range p.Lanes {
		if lane >= 0 && l.Place != lane {
			continue
		}
		records := p.Records[l.From:l.To]
		if lane < 0 && !l.Updater {
			records = records[1:]
		}
		for i := range records {
			r := &records[i]
			v := at(int32(r.Path & PathMask))
			v.Self += float64(r.Self)
			v.Count += float64(r.Count)
			v.Open = v.Open || r.Path&OpenBit != 0
		}
	}
	p.sumExtras(lane, at, charges)
}

// sumExtras adds the rare numbers of nodes.
func (p *Frame) sumExtras(lane int32, at func(path int32) *Value, charges *ChargeList) {
	for i := range p.Extras {
		x := &p.Extras[i]
		r, l := &p.Records[x.Node], p.LaneOf(x.Node)
		if lane >= 0 && l.Place != lane || lane < 0 && x.Node == l.From && !l.Updater {
			continue
		}
		v := at(int32(r.Path & PathMask))
		v.Extend(x, p.PerTick, charges)
	}
}
