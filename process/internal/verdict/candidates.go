package verdict

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// pathTime is the time of a path per frame, in ms, on the lane that ends the frames.
type pathTime struct {
	_                 [0]func() // not comparable: the code of == would be in each program
	path              int32
	parent            int32 // index of the parent in the same list, -1 for the root
	self, hier, count float64
}

// candidate is a path with enough time to explain an excess, with its usual time.
type candidate struct {
	_ history.Incomparable
	pathTime
	usual              struct{ self, hier middle }
	entries            float64 // usual number of entries
	selfExcess         float64 // excess of self time
	excess             float64 // excess of hierarchical time that no cause explains yet
	awayTime, awaySelf float64 // the part of its time that was away
	named              bool    // this path or a path below is a cause
}

// mostCandidates bounds the candidates. Parents come first, so a long chain loses its end.
const mostCandidates = 256

// Finder finds the causes of slow frames. It keeps its memory, and the last verdicts, from call to call.
type Finder struct {
	Stores
	usual       usualTimes
	away        away
	own         float64          // excess of the profiler's own zones, ms a frame
	frames      []*history.Frame // frames to explain; valid while the session is locked
	times       []pathTime       // of all paths in frames, parents before children
	candidates  []candidate      // the same order; the first is the root
	places      []stamped        // by path
	stamp       uint32
	values      []float32 // by candidate and usual frame: hier, then self, then count
	rows        []float64 // scratch: hier, self and count of each candidate in one frame
	watched     watch
	last        answer
	sums        []stateSum // scratch
	ofOne       []stateSum // scratch, of a usual frame
	stateTimes  []float32  // scratch, of a state by usual frame
	inAllFrames []bool     // scratch, as stateCounts
	stateCounts []int32
	series      series // scratch
	span        span   // the frames of a range
	slower      slower
}

// Stores has the data that a finder reads.
type Stores struct {
	Past   *history.Ring     // the frames of the history
	Tree   *history.Tree     // the paths of records
	Lanes  *history.Lanes    // the lanes of records
	States *history.States   // states of goroutines
	Zones  []gather.ZoneInfo // by id
	Budget float64           // ms a frame may take
	Wanted float64           // the same as it was set: an excess is judged by it
	Gen    uint64            // changes with the measurements
}

// over reports whether a judged time, in ms, is over budget.
func (s *Stores) over(ms float64) bool { return ms > report.OverFactor*s.Budget }

// zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *Stores) zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(s.Zones) {
		return gather.ZoneInfo{}
	}
	return s.Zones[id]
}

// stamped is the index of a path in a list. It is valid only with the list's stamp.
type stamped struct {
	stamp uint32
	at    int32
}

// restart voids all indexes.
func (f *Finder) restart(paths int) {
	f.places = resize.To(f.places, paths)
	if f.stamp++; f.stamp == 0 {
		clear(f.places[:cap(f.places)])
		f.stamp = 1
	}
}

// weigh computes the times of the paths in frames.
func (f *Finder) weigh() {
	f.restart(len(f.Tree.Paths))
	f.times = f.times[:0]
	f.spot(0)
	for _, p := range f.frames {
		ownLanes(p, func(records []history.Record) {
			for i := range records {
				r := &records[i]
				path := int32(r.Path & history.PathMask)
				if int(path) >= len(f.places) { // a path of a damaged file
					continue
				}
				at := f.spot(path)
				f.times[at].self += float64(r.Self) * p.PerTick
				f.times[at].count += float64(r.Count)
			}
		})
	}
	n := float64(len(f.frames))
	for i := len(f.times) - 1; i >= 0; i-- {
		p := &f.times[i]
		p.self, p.count = p.self/n, p.count/n
		if p.hier += p.self; p.parent >= 0 {
			f.times[p.parent].hier += p.hier
		}
	}
}

// spot returns the index of a path in times. It adds a new path after its parent.
func (f *Finder) spot(path int32) int32 {
	if p := f.places[path]; p.stamp == f.stamp {
		return p.at
	}
	up := int32(-1)
	if parent := f.Tree.Paths[path].Parent; parent >= 0 {
		up = f.spot(parent)
	}
	at := int32(len(f.times))
	f.times = append(f.times, pathTime{path: path, parent: up})
	f.places[path] = stamped{f.stamp, at}
	return at
}

// choose lists the paths with at least that time. Their ancestors take longer, so they are candidates as well.
func (f *Finder) choose(least float64) {
	f.candidates = f.candidates[:0]
	for i := range f.times {
		p := &f.times[i]
		at, above := int32(-1), int32(-1)
		if p.parent >= 0 {
			above = f.places[f.times[p.parent].path].at
		}
		if i == 0 || above >= 0 && p.hier >= least && len(f.candidates) < mostCandidates {
			at = int32(len(f.candidates))
			f.candidates = append(f.candidates, candidate{pathTime: *p})
			f.candidates[at].parent = above
		}
		f.places[p.path] = stamped{f.stamp, at}
	}
}

// compare computes the usual times of the candidates. Other paths count in their nearest ancestor among the candidates.
func (f *Finder) compare() {
	f.restart(len(f.Tree.Paths))
	for i := range f.candidates {
		f.places[f.candidates[i].path] = stamped{f.stamp, int32(i)}
	}
	frames, n := len(f.usual.frames), len(f.candidates)
	f.values, f.rows = resize.To(f.values, 3*n*frames), resize.To(f.rows, 3*n)
	for k, p := range f.usual.frames {
		f.row(p)
		for i, v := range f.rows {
			f.values[i*frames+k] = float32(v)
		}
	}
	column := func(kind, i int) middle { return middleOf(f.values[(kind*n+i)*frames:][:frames]) }
	for i := range f.candidates {
		q := &f.candidates[i]
		q.usual.hier, q.usual.self, q.entries = column(0, i), column(1, i), column(2, i).mid
		q.selfExcess, q.excess = q.self-q.usual.self.mid, q.hier-q.usual.hier.mid
	}
}

// row computes the times of the candidates in a frame.
func (f *Finder) row(p *history.Frame) {
	clear(f.rows)
	n := len(f.candidates)
	hier, self, count := f.rows[:n], f.rows[n:2*n], f.rows[2*n:]
	ownLanes(p, func(records []history.Record) {
		for i := range records {
			r := &records[i]
			path := int32(r.Path & history.PathMask)
			at := f.nearest(path)
			ms := float64(r.Self) * p.PerTick
			hier[at] += ms
			if f.candidates[at].path == path {
				self[at] += ms
				count[at] += float64(r.Count)
			}
		}
	})
	for i := n - 1; i > 0; i-- {
		hier[f.candidates[i].parent] += hier[i]
	}
}

// nearest returns the index of the innermost candidate on a path. The root is always one.
func (f *Finder) nearest(path int32) int32 {
	if p := f.places[path]; p.stamp == f.stamp {
		return p.at
	}
	at := int32(0)
	if parent := f.Tree.Paths[path].Parent; parent >= 0 {
		at = f.nearest(parent)
	}
	f.places[path] = stamped{f.stamp, at}
	return at
}
