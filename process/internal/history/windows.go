package history

import "example.com/iprof/process/internal/resize"

// This file brings statistics to the records of reports.

// Windows has the sorted histories for exact statistics.
type Windows struct {
	Zones  []WindowPair
	Paths  []WindowPair
	Self   selfSeries
	Spare  sortedWindow // for histories beyond windowBytes, sorted each time
	Picks  []float32    // scratch: the values in the frames of a lens
	Sums   []float64    // scratch: of some paths in each frame
	Bytes  int          // of the sorted histories
	Frames int          // number of frames in the history at the beginning
}

// WindowBytes bounds the sorted histories of a session.
const WindowBytes = 32 << 20

type WindowPair struct{ Self, Hier sortedWindow }

// selfSeries has the series of self time of paths whose zone has several paths. They are made from the records on
// request, because common reports do not show them.
type selfSeries struct {
	series List[Series]
	has    []bool // by path: its zone has several paths
	memory *Chunks
	sums   []float32 // scratch: by path
	next   uint64    // next frame to add
	from   uint64    // first frame in the series
}

// Of returns the series of a path and its first frame, or nil.
func (t *selfSeries) Of(h *Ring, paths *Tree, st *Statistics, path int32) (*Series, uint64) {
	if path >= pathsWithSeries {
		return nil, 0
	}
	t.catchUp(h, paths, st)
	return t.series.At(int(path)), max(paths.Paths[path].Birth, t.from)
}

// catchUp adds the frames since the last call, or all frames if a path is new.
func (t *selfSeries) catchUp(h *Ring, paths *Tree, st *Statistics) {
	if t.grow(paths, st) || t.next < h.First() || t.next > h.Next || t.next < h.Next && h.At(t.next).Lost {
		t.begin(h)
	}
	for ; t.next < h.Next; t.next++ {
		t.take(h.At(t.next))
	}
	t.memory.trim(h.First())
}

// begin empties the series, to begin with the first frame that has records.
func (t *selfSeries) begin(h *Ring) {
	t.memory = new(Chunks)
	for i := range t.series.Len() {
		*t.series.At(i) = t.memory.NewSeries(nil)
	}
	t.next = h.First()
	for t.next < h.Next && h.At(t.next).Lost {
		t.next++
	}
	t.from = t.next
}

// grow makes room, and reports whether any series is new.
func (t *selfSeries) grow(paths *Tree, st *Statistics) (fresh bool) {
	n := min(len(paths.Paths), pathsWithSeries)
	t.series.Grow(n)
	for len(t.has) < n {
		t.has = append(t.has, false)
	}
	for i := range t.has {
		if !t.has[i] && i < st.Known && st.Only[paths.Paths[i].Zone] == SeveralPaths {
			t.has[i], fresh = true, true
		}
	}
	return fresh || t.memory == nil
}

func (t *selfSeries) take(p *Frame) {
	t.sums = resize.To(t.sums, len(t.has))
	clear(t.sums)
	for i := range p.Records {
		r := &p.Records[i]
		if path := int(r.Path & PathMask); path < len(t.has) && t.has[path] { // the root is the only path of its zone
			t.sums[path] += float32(float64(r.Self) * p.PerTick)
		}
	}
	for path, ms := range t.sums {
		t.series.At(path).Put(p.Seq, ms)
	}
}
