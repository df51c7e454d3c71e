//go:build !iprof_off

package gather

import (
	"slices"

	"example.com/iprof/gather/internal/numbers"
)

// For speed, the reader compares the lower 32 bits of counts. That is enough for most frames, because a lane begins
// fewer than 1<<32 scopes in a second. But a program that never calls Update may run for days in its first frame. So
// once a second, and in every frame of a second or more, addMore reads the whole counts of nodes whose lower half might
// overflow.

// addMore sets NodeExtra.More of nodes with more entries than Node.Count can hold. The lane's extras start at the index
// given.
func (w *walk) addMore(extras int) {
	l, nodes := w.lane, w.out[w.start:]
	for i := range uint32(len(l.seen)) {
		s, count := &l.seen[i], loadEntries(l.node(i))
		switch {
		case !numbers.IsLarge(count):
		case !inFrame(s, nodes):
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

// extra finds or makes the extra of a node in the frame.
func (w *walk) extra(extras int, node int32) *NodeExtra {
	at, found := findExtra(w.extras[extras:], node)
	if at += extras; !found {
		w.extras = slices.Insert(w.extras, at, NodeExtra{Node: node})
	}
	return &w.extras[at]
}

// more returns how many times 1<<32 entries of node i were begun beyond those in the frame. count is the node's count
// now, which may be more than when the frame ended.
func (w *walk) more(i uint32, count uint64, begun uint32) (more uint32) {
	l := w.lane
	if w.frozen {
		if more = uint32(l.large[i] >> 32); w.move {
			l.setReported(i, 0)
		}
		return more
	}
	low := l.seen[i].count // the lower half of the entries reported before this frame
	if w.move {
		low -= begun
	}
	more, reported := l.large.More(i, low, begun, count)
	if w.move {
		l.setReported(i, reported)
	}
	return more
}

// reported returns how many entries of node i have been reported. While recording is off, it is how many have not.
func (l *Lane) reported(i uint32) uint64 { return l.large.With(i, l.seen[i].count) }

// setReported sets what reported returns.
func (l *Lane) setReported(i uint32, entries uint64) {
	l.seen[i].count = uint32(entries)
	l.large.Set(i, entries)
}
