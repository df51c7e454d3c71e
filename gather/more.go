//go:build !iprof_off

package gather

import (
	"cmp"
	"slices"
)

// The reader compares the lower halves of numbers of entries, which is quicker, and enough for frames: a lane begins no 1<<32
// scopes in a second. But a program that never calls Update may run for days in its first frame. So once a second, and in
// every frame that lasts as long, it looks at the whole numbers of those nodes whose lower half may run over before it does so again.

// largeCount is the number of entries from which on a node is looked at: half of what may be begun in between.
const largeCount = 1 << 31

// addMore tells of nodes that began more in the frame than Node.Count can say. The lane's extras begin at the index given.
func (w *walk) addMore(extras int) {
	l, nodes := w.lane, w.out[w.start:]
	for i := range uint32(len(l.seen)) {
		s, count := &l.seen[i], loadEntries(l.node(i))
		switch {
		case count < largeCount:
		case !told(s, nodes):
			l.setReported(i, l.reported(i))
		default:
			if more := w.more(i, count, nodes[s.out].Count); more > 0 {
				w.extra(extras, s.out).More = more
			}
		}
	}
	if w.move {
		l.counted = w.now
	}
}

// extra finds or makes the extra of a node of the frame.
func (w *walk) extra(extras int, node int32) *NodeExtra {
	at, found := slices.BinarySearchFunc(w.extras[extras:], node, func(x NodeExtra, node int32) int { return cmp.Compare(x.Node, node) })
	if at += extras; !found {
		w.extras = slices.Insert(w.extras, at, NodeExtra{Node: node})
	}
	return &w.extras[at]
}

// more returns how many times 1<<32 entries of node i were begun besides those that the frame tells of; in all it has had count
// now, which may be more than when the frame was cut.
func (w *walk) more(i uint32, count uint64, begun uint32) (more uint32) {
	l := w.lane
	if w.frozen {
		if more = uint32(l.large[i] >> 32); w.move {
			l.setReported(i, 0)
		}
		return more
	}
	low := l.seen[i].count // of the entries reported before this frame
	if w.move {
		low -= begun
	}
	reported := l.withLow(i, low)
	count -= uint64(uint32(count) - low - begun)
	if count > reported { // not where half of a count was read before it was written, on a machine of 32 bits
		more = uint32((count - reported) >> 32)
	}
	if w.move {
		l.setReported(i, reported+uint64(begun)+uint64(more)<<32)
	}
	return more
}

// reported returns how many entries of node i have been reported; of those not reported, while recording is off.
func (l *Lane) reported(i uint32) uint64 { return l.withLow(i, l.seen[i].count) }

// withLow returns a number of node i's entries, not below the one remembered, of which the lower half is known.
func (l *Lane) withLow(i, low uint32) uint64 {
	was := l.large[i]
	return was + uint64(low-uint32(was))
}

func (l *Lane) setReported(i uint32, entries uint64) {
	l.seen[i].count = uint32(entries)
	switch {
	case entries >= largeCount:
		if l.large == nil {
			l.large = make(map[uint32]uint64)
		}
		l.large[i] = entries
	case l.large != nil:
		delete(l.large, i)
	}
}
