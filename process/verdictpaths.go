package process

// pathTime is the time of a path per frame, in ms, on the lane that ends the frames.
type pathTime struct {
	path              int32
	up                int32 // index of the parent in the same list, -1 for the root
	self, hier, count float64
}

// suspect is a path with enough time to explain an excess, with its usual time.
type suspect struct {
	pathTime
	usual struct{ self, hier middle }
	often float64 // usual number of entries
	own   float64 // excess of self time
	more  float64 // excess of hierarchical time that no cause explains yet
	named bool    // it or a path below it is a cause
}

// mostSuspects bounds the suspects. Parents come first, so a long chain loses its end.
const mostSuspects = 256

// trial is the scratch memory of verdicts.
type trial struct {
	usual    usualTimes
	frames   []*pastFrame // frames to explain; valid while the session is locked
	times    []pathTime   // of all paths in frames, parents before children
	suspects []suspect    // the same order; the first is the root
	places   []stamped    // by path
	stamp    uint32
	values   []float32 // by suspect and usual frame: hier, then self, then count
	rows     []float64 // scratch: hier, self and count of each suspect in one frame
	now      watch
	last     answer
	sums     []stateSum // scratch
}

// stamped is the index of a path in a list. It is valid only with the list's stamp.
type stamped struct {
	stamp uint32
	at    int32
}

// restart voids all indexes.
func (t *trial) restart(paths int) {
	t.places = resized(t.places, paths)
	if t.stamp++; t.stamp == 0 {
		clear(t.places[:cap(t.places)])
		t.stamp = 1
	}
}

// weigh computes the times of the paths in trial.frames.
func (t *trial) weigh(tree *tree) {
	t.restart(len(tree.paths))
	t.times = t.times[:0]
	t.spot(tree, 0)
	for _, p := range t.frames {
		p.ownLanes(func(records []record) {
			for i := range records {
				r := &records[i]
				path := int32(r.path & pathMask)
				if int(path) >= len(t.places) { // a damaged file's
					continue
				}
				at := t.spot(tree, path)
				t.times[at].self += float64(r.self) * p.perTick
				t.times[at].count += float64(r.count)
			}
		})
	}
	n := float64(len(t.frames))
	for i := len(t.times) - 1; i >= 0; i-- {
		p := &t.times[i]
		p.self, p.count = p.self/n, p.count/n
		if p.hier += p.self; p.up >= 0 {
			t.times[p.up].hier += p.hier
		}
	}
}

// spot returns the index of a path in times. It adds a new path after its parent.
func (t *trial) spot(tree *tree, path int32) int32 {
	if p := t.places[path]; p.stamp == t.stamp {
		return p.at
	}
	up := int32(-1)
	if parent := tree.paths[path].parent; parent >= 0 {
		up = t.spot(tree, parent)
	}
	at := int32(len(t.times))
	t.times = append(t.times, pathTime{path: path, up: up})
	t.places[path] = stamped{t.stamp, at}
	return at
}

// suspect lists the paths with at least that time. The paths above take longer, so they are suspects as well.
func (t *trial) suspect(least float64) {
	t.suspects = t.suspects[:0]
	for i := range t.times {
		p := &t.times[i]
		at, above := int32(-1), int32(-1)
		if p.up >= 0 {
			above = t.places[t.times[p.up].path].at
		}
		if i == 0 || above >= 0 && p.hier >= least && len(t.suspects) < mostSuspects {
			at = int32(len(t.suspects))
			t.suspects = append(t.suspects, suspect{pathTime: *p})
			t.suspects[at].up = above
		}
		t.places[p.path] = stamped{t.stamp, at}
	}
}

// compare computes the usual times of the suspects. Paths that are no suspects count in the nearest suspect above.
func (t *trial) compare(tree *tree) {
	t.restart(len(tree.paths))
	for i := range t.suspects {
		t.places[t.suspects[i].path] = stamped{t.stamp, int32(i)}
	}
	frames, n := len(t.usual.frames), len(t.suspects)
	t.values, t.rows = resized(t.values, 3*n*frames), resized(t.rows, 3*n)
	for k, p := range t.usual.frames {
		t.row(tree, p)
		for i, v := range t.rows {
			t.values[i*frames+k] = float32(v)
		}
	}
	column := func(kind, i int) middle { return middleOf(t.values[(kind*n+i)*frames:][:frames]) }
	for i := range t.suspects {
		q := &t.suspects[i]
		q.usual.hier, q.usual.self, q.often = column(0, i), column(1, i), column(2, i).mid
		q.own, q.more = q.self-q.usual.self.mid, q.hier-q.usual.hier.mid
	}
}

// row computes the times of the suspects in a frame.
func (t *trial) row(tree *tree, p *pastFrame) {
	clear(t.rows)
	n := len(t.suspects)
	hier, self, count := t.rows[:n], t.rows[n:2*n], t.rows[2*n:]
	p.ownLanes(func(records []record) {
		for i := range records {
			r := &records[i]
			path := int32(r.path & pathMask)
			at := t.nearest(tree, path)
			ms := float64(r.self) * p.perTick
			hier[at] += ms
			if t.suspects[at].path == path {
				self[at] += ms
				count[at] += float64(r.count)
			}
		}
	})
	for i := n - 1; i > 0; i-- {
		hier[t.suspects[i].up] += hier[i]
	}
}

// nearest returns the index of the innermost suspect on a path. The root is always one.
func (t *trial) nearest(tree *tree, path int32) int32 {
	if p := t.places[path]; p.stamp == t.stamp {
		return p.at
	}
	at := int32(0)
	if parent := tree.paths[path].parent; parent >= 0 {
		at = t.nearest(tree, parent)
	}
	t.places[path] = stamped{t.stamp, at}
	return at
}
