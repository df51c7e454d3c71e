//go:build !iprof_off

package measure

import "example.com/iprof/internal/measure/internal/governor"

// endSampled ends the frame of the bursts.
func endSampled() {
	if !zones.muted.hasAny() {
		return
	}
	sampled.Lock()
	defer sampled.Unlock()
	for _, b := range sampled.changed {
		b.changed = false
		b.EndFrame()
	}
	clear(sampled.changed)
	sampled.changed = sampled.changed[:0]
}

// untimed returns the number of the node's entries in the frame that were not timed.
func (w *walk) untimed(n *node, m *muted, entries uint64) uint64 {
	until, all := w.lane.base[n.idx].count, m.earlierEntries
	if w.frozen {
		until = loadEntries(n)
	} else if !w.move {
		until += entries
	}
	if n.flag&flagMuted != 0 && until > m.from {
		all += until - m.from
	}
	some := all - min(m.reported, all)
	if w.move {
		m.reported = all
	}
	return min(some, entries)
}

// countMuted finds the number of muted entries of each node in the frame. It returns their sum. With guess it estimates
// their time, too: reading a node's data is most of what a muted node costs, and then happens once.
func (w *walk) countMuted(guess bool) (all uint64) {
	scratch, nodes := &reading.scratch, w.out[w.start:]
	spots, extras := scratch.spots, w.extras[w.first:]
	scratch.enclosers = scratch.enclosers[:0]
	sampled.Lock()
	defer sampled.Unlock()
	for i := range nodes {
		s := &spots[i]
		x := s.node.extra.Load()
		if x == nil || x.muted == nil {
			continue
		}
		entries := uint64(nodes[i].Count)
		if len(extras) > 0 {
			if at, found := findExtra(extras, int32(i)); found {
				entries += uint64(extras[at].More) << 32
			}
		}
		s.muted = w.untimed(s.node, x.muted, entries)
		if all += s.muted; guess && s.muted > 0 {
			w.guessMuted(s, x.muted, nodes[i].Parent)
		}
	}
	return all
}

// estimateMuted moves time from enclosing zones to the nodes of muted zones. It makes as few passes over all nodes as
// it can: their spots exceed the processor's first caches. guessed says that countMuted has estimated the time.
func (w *walk) estimateMuted(guessed bool) {
	scratch, nodes := &reading.scratch, w.out[w.start:]
	spots := scratch.spots
	if !guessed {
		w.guessAllMuted()
	}
	for _, p := range scratch.enclosers {
		if spots[p].total > 0 {
			w.settle(int(p), &w.lane.enclosers)
		}
	}
	for i := range nodes {
		if spots[i].muted > 0 {
			w.takeMuted(i)
		}
	}
	w.addVariances()
}

// guessAllMuted estimates the self times after estimate, which has left data of its own.
func (w *walk) guessAllMuted() {
	nodes, spots := w.out[w.start:], reading.scratch.spots
	for i := range nodes {
		s := &spots[i]
		s.total = 0
		s.excess = 0
		s.guess = 0
		s.variance = 0
		s.gives = false
	}
	sampled.Lock()
	defer sampled.Unlock()
	for i := range nodes {
		if s := &spots[i]; s.muted > 0 {
			w.guessMuted(s, s.node.extra.Load().muted, nodes[i].Parent)
		}
	}
}

// guessMuted estimates the self time of a node. Without bursts the estimate may be any part of the enclosing zone's
// time.
func (w *walk) guessMuted(s *spot, m *muted, around int32) {
	known := false
	s.guess, s.variance, known = m.Estimate(float64(s.muted), &m.bursts.Sample, calibrated().Cost().Inside,
		w.lane.isNobodys())
	if !known {
		s.variance = governor.Square(max(float64(w.out[w.start+int(around)].Self), 1))
	}
	s.encloser, s.bias = around, &m.bias
	a := &reading.scratch.spots[around]
	if !a.gives {
		a.gives = true
		reading.scratch.enclosers = append(reading.scratch.enclosers, around)
	}
	if a.total += s.guess; known {
		a.excess += s.variance
	}
	if w.move {
		m.EndFrame()
	}
}

// takeMuted moves the estimated time to node i.
func (w *walk) takeMuted(i int) {
	spots, nodes := reading.scratch.spots, w.out[w.start:]
	s := &spots[i]
	if spots[s.encloser].total > 0 {
		w.take(i, s.bias)
		return
	}
	spots[s.encloser].variance += s.variance
	nodes[i].Estimated, nodes[s.encloser].Estimated = EstimatedTime, EstimatedTime
}
