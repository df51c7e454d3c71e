package process

import (
	"iter"
	"math"
	"math/bits"

	"example.com/iprof/platform"
)

// choose chooses the nodes to keep: those with the most time, and the nodes above them. It sorts by classes of time
// that differ by at most 1.6 %, which takes no memory. Of the last class it keeps the older nodes.
func (m *treeMaker) choose(most int) {
	m.kept = m.alive
	left := m.alive.count()
	most = max(most, 1) // the root
	if left <= most {
		return
	}
	var sizes [64 << classBits]int
	for at := range m.alive.all() {
		sizes[class(m.hier[at])]++
	}
	least, room := leastKept(sizes[:], left, most)
	m.kept = m.chosen.cleared(len(m.alive))
	m.chosen = m.kept
	for at := range m.alive.all() {
		c := class(m.hier[at])
		if c < least || c == least && room == 0 {
			continue
		}
		if c == least {
			room--
		}
		for ; at >= 0 && !m.kept.has(at); at = m.parent(at) {
			m.kept.set(at)
		}
	}
}

// leastKept returns the class below which nodes are left out, and how many of that class there is room for. sizes has
// the number of nodes of each class, and left their sum.
func leastKept(sizes []int, left, most int) (least, room int) {
	for ; left-sizes[least] > most; least++ {
		left -= sizes[least]
	}
	return least, most - (left - sizes[least])
}

// classBits is the number of binary digits after the first that a class tells apart.
const classBits = 6

// class returns the class of a time, whatever its sign. The least number, which has no opposite, counts as the next.
func class(t platform.Ticks) int {
	t = max(t, -math.MaxInt64)
	v := uint64(max(t, -t))
	digits := bits.Len64(v)
	if digits <= classBits {
		return int(v)
	}
	return digits<<classBits&^(1<<classBits-1) | int(v>>(digits-1-classBits))&(1<<classBits-1)
}

// bitset is a set of slots.
type bitset []uint64

func (b bitset) has(i int32) bool { return b[i/64]&(1<<(i%64)) != 0 }

func (b bitset) set(i int32) { b[i/64] |= 1 << (i % 64) }

// cleared returns an empty set of so many words, in the memory of b if there is enough.
func (b bitset) cleared(words int) bitset {
	b = resized(b, words)
	clear(b)
	return b
}

func (b bitset) count() (n int) {
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// all iterates over the slots in ascending order.
func (b bitset) all() iter.Seq[int32] {
	return func(yield func(int32) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(int32(i*64 + bits.TrailingZeros64(w))) {
					return
				}
			}
		}
	}
}

// rankTable has, for each word of a bitset, the number of slots before it.
type rankTable []int32

func (b bitset) appendRanks(dst rankTable) rankTable {
	n := int32(0)
	for _, w := range b {
		dst = append(dst, n)
		n += int32(bits.OnesCount64(w))
	}
	return dst
}

// of returns the number of slots of b before i.
func (r rankTable) of(b bitset, i int32) int32 {
	return r[i/64] + int32(bits.OnesCount64(b[i/64]&(1<<(i%64)-1)))
}
