// Package eviction chooses which nodes of a full tree make room for new ones: a clock with a second chance.
//
//	if hand.Refuse() {
//		for hand.Looks(nodes) {
//			if i := hand.Next(nodes); !wasUsed(i) && hand.IsCold(unreported(i)) {
//				free(i)
//				hand.Freed()
//			}
//		}
//	}
//
// A hand goes round the nodes, from the newest to the oldest, and passes over those that were used since it last came.
// A full tree costs little: the hand moves once in many refused entries, and by a bounded number of nodes.
package eviction

import "example.com/iprof/platform"

// The hand moves once in refusals refused entries. It looks at mostLooks nodes and frees half of the refusals, so that
// the rest of the refused entries, which are quick, always outnumber those that need a new node.
const (
	refusals  = 64
	mostLooks = 512
	mostFreed = refusals / 2
)

// A round that frees less than one node in fewFreed makes the hand look for warmer ones.
const (
	fewFreed  = 8
	warmer    = 4
	leastCold = platform.Ticks(64)
	mostCold  = platform.Ticks(1 << 40)
)

// Hand has the state of one tree. The zero value is ready to use.
type Hand struct {
	at      uint32
	refused uint32
	looked  int            // in this move
	freed   int            // by this move
	round   int            // freed in this round
	cold    platform.Ticks // the most unreported time of a cold node
}

// Refuse counts a refused entry, and reports whether the hand is to move.
func (h *Hand) Refuse() bool {
	h.refused++
	h.looked, h.freed = 0, 0
	return h.refused%refusals == 0
}

// Looks reports whether the hand looks at another node in this move.
func (h *Hand) Looks(nodes int) bool {
	h.looked++
	return h.looked <= min(nodes, mostLooks) && h.freed < mostFreed
}

// Next moves the hand to the next of the nodes and returns its index.
func (h *Hand) Next(nodes int) uint32 {
	if h.at == 0 {
		h.at = uint32(nodes)
	}
	if h.at--; h.at == 0 {
		h.turn(nodes)
	}
	return h.at
}

// turn ends a round.
func (h *Hand) turn(nodes int) {
	if h.round*fewFreed >= nodes {
		h.cold /= warmer
	} else if h.cold < mostCold {
		h.cold = max(h.cold*warmer, leastCold)
	}
	h.round = 0
}

// IsCold reports whether a node with so much unreported time may be freed now.
func (h *Hand) IsCold(unreported platform.Ticks) bool {
	return unreported <= h.cold
}

// Freed counts a node that was freed.
func (h *Hand) Freed() { h.freed, h.round = h.freed+1, h.round+1 }

// Vacancies are the nodes that were freed and not taken again, the oldest first. The zero value has none.
type Vacancies struct {
	waiting []vacancy
}

// vacancy is a node that waits until all events before a position are overwritten, since they refer to it.
type vacancy struct {
	node     uint32
	position uint64
}

// Put adds a node. Events before the position refer to it.
func (v *Vacancies) Put(node uint32, position uint64) {
	v.waiting = append(v.waiting, vacancy{node, position})
}

// Any reports whether Take may be called: the events that refer to the oldest node are overwritten.
func (v *Vacancies) Any(overwrote func(position uint64) bool) bool {
	return len(v.waiting) > 0 && overwrote(v.waiting[0].position)
}

// Waits reports whether the events of more nodes than so many are not yet overwritten.
func (v *Vacancies) Waits(most int, overwrote func(position uint64) bool) bool {
	newest := len(v.waiting) - 1 - most // which may be taken if only so many wait
	return newest >= 0 && !overwrote(v.waiting[newest].position)
}

// Len returns the number of nodes that were put and not taken.
func (v *Vacancies) Len() int { return len(v.waiting) }

// Take removes the oldest node.
func (v *Vacancies) Take() (node uint32) {
	node, v.waiting = v.waiting[0].node, v.waiting[1:]
	return node
}
