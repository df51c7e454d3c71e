//go:build !iprof_off

package measure

// merge adds the mirrors in the frame to the nodes that they mirror. It drops mirrors without anything to report.
func (w *walk) merge() {
	s, nodes, next := &reading.scratch, w.out[w.start:], int32(0)
	for _, x := range w.extras[w.first:] {
		s.spots[x.Node].busy = true
	}
	for i := len(nodes) - 1; i > 0; i-- {
		n, up := &nodes[i], &s.spots[nodes[i].Parent].busy
		s.spots[i].busy = s.spots[i].busy || n.Count != 0 || n.Self != 0 || n.Open
		*up = *up || s.spots[i].busy
	}
	for i := range s.place {
		s.place[i] = -1
	}
	for i := range nodes {
		spot, n := s.spots[i], nodes[i]
		if s.forms[i].moved = -1; i > 0 && !spot.busy && spot.node.flag&flagMirror != 0 {
			continue
		}
		if i > 0 {
			n.Parent = s.forms[n.Parent].moved
		}
		spot.node = spot.node.mirrored()
		at := s.place[spot.node.idx]
		if at < 0 {
			at, next = next, next+1
			s.place[spot.node.idx] = at
			n.ID = w.lane.base[spot.node.idx].id
			nodes[at], s.spots[at].node, s.spots[at].variance = n, spot.node, spot.variance
			s.spots[at].muted = spot.muted
		} else {
			nodes[at].add(&n)
			s.spots[at].variance += spot.variance
			s.spots[at].muted += spot.muted
		}
		s.forms[i].moved = at
	}
	w.out = w.out[:w.start+int(next)]
	w.moveExtras()
}

// moveExtras moves the lane's extras with their nodes, and adds the variances.
func (w *walk) moveExtras() {
	s, was := &reading.scratch, w.takeExtras()
	for i := range was {
		w.extra(s.forms[was[i].Node].moved).Add(&was[i])
	}
	w.addVariances()
}

// takeExtras moves the lane's extras out of the frame.
func (w *walk) takeExtras() []NodeExtra {
	s := &reading.scratch
	s.extras = append(s.extras[:0], w.extras[w.first:]...)
	w.extras = w.extras[:w.first]
	return s.extras
}

// addVariances adds the variances of all nodes with an estimated time to their extras. It goes once through both.
func (w *walk) addVariances() {
	was, spots := w.takeExtras(), reading.scratch.spots
	for i, n := range w.out[w.start:] {
		is := n.Estimated != EstimatedNone
		x := NodeExtra{Node: int32(i)}
		if len(was) > 0 && was[0].Node == x.Node {
			x, was = was[0], was[1:]
		} else if !is {
			continue
		}
		if is {
			x.Estimated = max(x.Estimated, n.Estimated)
			x.Variance += max(spots[i].variance, 0) // a frame may take back some of an earlier one's error
		}
		w.extras = append(w.extras, x)
	}
}
