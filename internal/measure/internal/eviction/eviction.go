// Package eviction chooses the nodes of a full tree that make room for new ones, by the clock (second-chance)
// algorithm.
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
// A hand goes round the nodes, from the newest to the oldest, and skips those used since its last visit. A full tree
// costs little: the hand moves once in many refused entries, and by a bounded number of nodes.
package eviction

import "example.com/iprof/platform"

// The hand moves once in refusals refused entries. It looks at mostLooks nodes and frees half as many as refusals. So
// quick refused entries always outnumber the entries that need a new node.
const (
	refusals  = 64
	mostLooks = 512
	mostFreed = refusals / 2
)

// A round that frees less than one node in fewFreed makes the hand accept warmer nodes.
const (
	fewFreed  = 8
	warmer    = 4
	leastCold = platform.Ticks(64)
	mostCold  = platform.Ticks(1 << 40)
)

// Hand is the state of one tree. The zero value is ready to use.
type Hand struct {
	at      uint32
	refused uint32
	visits  int            // in this move
	freed   int            // by this move
	round   int            // freed in this round
	cold    platform.Ticks // the most unreported time of a cold node
}

// Refuse counts a refused entry, and reports whether the hand should move.
func (h *Hand) Refuse() bool {
	h.refused++
	h.visits, h.freed = 0, 0
	return h.refused%refusals == 0
}

// Looks reports whether the hand looks at another node in this move.
func (h *Hand) Looks(nodes int) bool {
	h.visits++
	return h.visits <= min(nodes, mostLooks) && h.freed < mostFreed
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

// IsCold reports whether a node with this unreported time may be freed now.
func (h *Hand) IsCold(unreported platform.Ticks) bool {
	return unreported <= h.cold
}

// Freed counts a freed node.
func (h *Hand) Freed() { h.freed, h.round = h.freed+1, h.round+1 }

// Vacancies holds the freed nodes that were not reused, oldest first. The zero value is empty.
type Vacancies struct {
	waiting []vacancy
}

// vacancy is a node that waits until all events before a position are overwritten, because they refer to it.
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

// Waits reports whether more than most nodes wait for the overwriting of their events.
func (v *Vacancies) Waits(most int, overwrote func(position uint64) bool) bool {
	newest := len(v.waiting) - 1 - most // with at most most waiting, this one may be taken
	return newest >= 0 && !overwrote(v.waiting[newest].position)
}

// Len returns the number of nodes put and not taken.
func (v *Vacancies) Len() int { return len(v.waiting) }

// Take removes the oldest node.
func (v *Vacancies) Take() (node uint32) {
	node, v.waiting = v.waiting[0].node, v.waiting[1:]
	return node
}
