//go:build !iprof_off

package gather

import "example.com/iprof/platform"

// This file mutes zones. Begin of a muted zone returns at once: the entry is neither timed nor counted. Every few
// seconds muted zones are measured for one frame. In all other frames their nodes repeat the numbers of that frame, and
// the time comes from the zone around.

// SetMuted mutes a zone, or unmutes it. A muted zone is neither timed nor counted, but for a random frame every few
// seconds. In other frames its rows repeat that frame's numbers, and so do totals: docs/governor.md. NodeExtra.Age is
// the time since then, Node.Estimated EstimatedCount. Zones entered inside a muted zone appear below the zone around
// it. Muting acts at the end of the frame, which is measured. Other ids are ignored. Any goroutine may call it.
func SetMuted(zone ZoneID, on bool) {
	registry.mu.Lock() // so that the end of a frame keeps the zone's numbers on all lanes or on none
	defer registry.mu.Unlock()
	if on {
		if zone > 0 && int(zone) < len(zones.all()) && !zones.muted.has(zone) {
			zones.soon.put(zone, true)
		}
		return
	}
	if zones.soon.put(zone, false); zones.muted.put(zone, false) {
		zones.markMuted()
		changeSettings()
		registry.updates.measured.Begin(2) // the rest of this frame, and a whole one
		hush(false)
		followLanes()
	}
}

// Muted reports whether a zone is muted. Any goroutine may call it.
func Muted(zone ZoneID) bool { return zones.muted.has(zone) || zones.soon.has(zone) }

// SetMuted mutes the zone, or unmutes it: see the function SetMuted.
func (z *Zone) SetMuted(on bool) {
	if id, known := zones.of(z); known {
		SetMuted(id, on)
	}
}

func (t *zoneTable) markMuted() {
	t.each(func(z *Zone, id ZoneID) { z.mark(zoneMuted, t.muted.has(id)) })
}

// muteNow mutes the zones that were to be muted at the end of the frame. The registry's mutex is held.
func (u *updates) muteNow(now platform.Ticks) {
	if !zones.soon.hasAny() {
		return
	}
	if !zones.muted.hasAny() {
		u.measured.Skip(now)
	}
	zones.soon.moveTo(&zones.muted)
	zones.markMuted()
	changeSettings()
	followLanes()
}

// flagAsMuted sets or clears a node's flagMuted. The lane's goroutine calls it, with the mutex held.
//
//go:norace
func (l *laneTree) flagAsMuted(n *node) {
	if n.flag &^= flagMuted; zones.muted.has(l.seen[n.idx].zone) {
		n.flag |= flagMuted
	}
}

// hush chooses whether the entries of muted zones are left out. Otherwise they are measured.
//
//go:norace
func hush(on bool) {
	if on = on && zones.muted.hasAny(); (hushed != 0) == on {
		return
	}
	if hushed = 0; on {
		hushed = 1
	}
	setState()
}

// lastMuted has the numbers of a muted zone's node in the last measured frame.
type lastMuted struct {
	node  uint32 // index in the lane's seen
	self  platform.Ticks
	count uint32
	at    platform.Ticks // when that frame ended
}

// showMuted keeps the numbers of the muted zones' nodes if the frame is a measured one. Otherwise it adds the numbers
// kept to the frame, and returns how many entries these are. Zones muted from now on were measured in any case.
func (w *walk) showMuted() (untimed uint64) {
	l, last := w.lane, len(w.lane.muted)
	if w.move && (hushed == 0 || zones.soon.hasAny()) {
		for i, n := range w.out[w.start:] {
			if zones.soon.has(n.Zone) || hushed == 0 && zones.muted.has(n.Zone) {
				at := registry.updates.scratch.spots[i].node.idx
				l.muted = append(l.muted, lastMuted{at, n.Self, n.Count, w.now})
			}
		}
	}
	if hushed != 0 {
		for i := range l.muted[:last] {
			untimed += w.showLast(&l.muted[i])
		}
	}
	return untimed
}

// showLast adds a muted node to the frame if its parent is there, and returns its entries. Its time comes from the
// innermost node around it that is not muted.
func (w *walk) showLast(m *lastMuted) (entries uint64) {
	s, seen := &registry.updates.scratch, &w.lane.seen[m.node]
	parent := s.place[w.lane.above(m.node)]
	if parent < 0 {
		return 0
	}
	at := s.place[m.node]
	if at < 0 {
		at = int32(len(w.out) - w.start)
		w.out = append(w.out, Node{ID: seen.id, Zone: seen.zone, Parent: parent, Depth: seen.depth})
		s.place[m.node], s.spots = at, append(s.spots, spot{node: w.lane.node(m.node)})
	}
	nodes, around := w.out[w.start:], w.unmuted(parent)
	took := min(m.self, max(nodes[around].Self, 0))
	nodes[at].Self, nodes[around].Self = nodes[at].Self+took, nodes[around].Self-took
	nodes[at].Count += m.count
	nodes[at].Estimated, nodes[around].Estimated = EstimatedCount, max(nodes[around].Estimated, EstimatedTime)
	variance := float64(took) * float64(took)
	w.extra(at).add(&NodeExtra{Estimated: EstimatedCount, Variance: variance, Age: w.now - m.at})
	w.extra(around).add(&NodeExtra{Estimated: EstimatedTime, Variance: variance})
	return uint64(m.count)
}

// unmuted returns the innermost node that is not muted, from a node of the frame upwards. It notes that for all nodes
// on the way: a deep recursion of a muted zone has many that ask.
func (w *walk) unmuted(node int32) int32 {
	nodes, spots := w.out[w.start:], registry.updates.scratch.spots
	found := node
	for found > 0 && spots[found].unmuted == 0 && zones.muted.has(nodes[found].Zone) {
		found = nodes[found].Parent
	}
	if known := spots[found].unmuted; known > 0 {
		found = known - 1
	}
	for spots[node].unmuted == 0 && node != found {
		spots[node].unmuted = found + 1
		node = nodes[node].Parent
	}
	return found
}
