package history

import "example.com/iprof/process/internal/resize"

// This file brings statistics to the records of reports.

// Windows are the sorted histories for exact statistics.
type Windows struct {
	Zones []WindowPair
	Paths []WindowPair
	Self  selfTraces
	Spare sortedWindow // for histories beyond windowBytes, sorted anew each time
	Picks []float32    // scratch: the values in the frames of a lens
	Sums  []float64    // scratch: of some paths in each frame
	Bytes int          // of the sorted histories
}

// WindowBytes bounds the sorted histories of a session.
const WindowBytes = 32 << 20

type WindowPair struct{ Self, Hier sortedWindow }

// selfTraces are traces of self time of paths that are one of several of their zone. They are made from the records on
// request, because common reports do not show them.
type selfTraces struct {
	traces []Series
	next   uint64 // next frame to add
	from   uint64 // first frame in the traces
}

// Of returns the trace of a path and its first frame, or nil.
func (t *selfTraces) Of(h *Ring, paths *Tree, st *Statistics, path int32) (*Series, uint64) {
	if path >= TracedPaths {
		return nil, 0
	}
	t.catchUp(h, paths, st)
	return &t.traces[path], max(paths.Paths[path].Birth, t.from)
}

// catchUp adds the frames since the last call, or all frames if a path is new.
func (t *selfTraces) catchUp(h *Ring, paths *Tree, st *Statistics) {
	if t.grow(h, paths, st) || t.next < h.First() || t.next > h.Next || t.next < h.Next && h.At(t.next).Lost {
		t.next = h.First()
		for t.next < h.Next && h.At(t.next).Lost {
			t.next++
		}
		t.from = t.next
	}
	for ; t.next < h.Next; t.next++ {
		t.take(h.At(t.next))
	}
}

// grow makes room, and reports whether any trace is new.
func (t *selfTraces) grow(h *Ring, paths *Tree, st *Statistics) (fresh bool) {
	t.traces = resize.To(t.traces, min(len(paths.Paths), TracedPaths))
	for i := range t.traces {
		several := i < st.Known && st.Only[paths.Paths[i].Zone] == SeveralPaths
		if several && len(t.traces[i].Values) != len(h.Frames) {
			t.traces[i].Values, fresh = make([]float32, len(h.Frames)), true
		}
	}
	return fresh
}

func (t *selfTraces) take(p *Frame) {
	for i := range t.traces {
		if v := t.traces[i].Values; v != nil {
			v[p.Seq%uint64(len(v))] = 0
		}
	}
	for i := range p.Records {
		r := &p.Records[i]
		if path := int(r.Path & PathMask); path < len(t.traces) {
			if v := t.traces[path].Values; v != nil { // the root has none: it is all of its zone
				v[p.Seq%uint64(len(v))] += float32(float64(r.Self) * p.PerTick)
			}
		}
	}
}
