//go:build !iprof_off

package measure

// A brief goroutine starts and ends within a frame. A server may have thousands of them in a frame. The first few have
// their own lanes in the frame, for separate rows in small programs. The measurements of the others go to the record of
// their crowd, "main.serve server.go:42 (ended)". This is cheaper than lanes, also for the readers of the frame. No
// goroutine writes such a lane meanwhile: the next one that inherits it needs its mutex first.
//
// A lane with more than times and entries of zones has its own lane in the frame. So has a goroutine that has asked for
// the number of its lane, because a mark or a state may have this number.

// mostBrief is the number of brief goroutines of a frame that have their own lanes.
const mostBrief = 32

// briefs is the state of the present Collect. The registry's mutex guards it.
type briefs struct {
	merge  bool    // brief goroutines may share lanes
	number int     // brief goroutines so far
	record *Lane   // the last one that got measurements; its mutex is held
	to     []*node // of the record, by node of a lane
}

// begin begins a Collect, in which brief goroutines may share lanes or not.
func (b *briefs) begin(merge bool) {
	b.number, b.merge = 0, merge
}

// takeBrief gives the measurements of a brief goroutine to its crowd's record. It reports whether it did.
//
//go:norace
func (u *updates) takeBrief(l *Lane) (took bool) {
	if l.brief && u.briefs.merge {
		l.mu.Lock()
		took = l.isBrief() && u.merge(l)
		l.mu.Unlock()
	}
	return took
}

// isBrief reports whether the lane's goroutine is brief, and has only times and entries of zones. The mutex is held.
//
//go:norace
func (l *Lane) isBrief() bool {
	return l.brief && l.log == nil && l.governed == nil && l.counters == nil && l.counting == 0 && l.evictions == nil &&
		!l.holds && !l.mutes && !l.paused && !l.frozen && !l.metered && !l.named && l.settled.first == 0 &&
		len(l.lateEnds)+l.touched.number+len(l.credits) == 0 && !l.parking.Load() && l.isVacant()
}

// merge is takeBrief for the lane of a brief goroutine. Its mutex is held.
func (u *updates) merge(l *Lane) bool {
	b := &u.briefs
	if b.number++; b.number <= mostBrief {
		return false
	}
	if b.record == nil || b.record.spawn != l.spawn {
		b.turnTo(u.recordFor(l.spawn))
	}
	if b.record == nil || !b.match(l) {
		return false
	}
	b.take(l)
	return true
}

// turnTo makes another lane the record, or none.
func (b *briefs) turnTo(l *Lane) {
	if b.record != nil {
		b.record.mu.Unlock()
	}
	if b.record = l; l != nil {
		l.mu.Lock()
		l.applySettings()
	}
}

// match finds the record's nodes for a lane. It returns false if the lane has more than times and entries, or if the
// record is full.
//
//go:norace
func (b *briefs) match(l *Lane) bool {
	b.to = append(b.to[:0], b.record.root)
	for i := uint32(1); i < uint32(len(l.base)); i++ {
		n := l.node(i)
		under := b.to[n.parent.idx]
		to := b.record.find(under, n.key)
		if to == nil {
			to = b.record.partner(under, n.key, l.base[i].zone)
		}
		if to == under || to.flag&flagFolded != 0 || n.extra.Load() != nil {
			return false
		}
		b.to = append(b.to, to)
	}
	return l.root.extra.Load() == nil
}

// take moves the lane's measurements to the record's nodes.
//
//go:norace
func (b *briefs) take(l *Lane) {
	now := l.lastUsed()
	for i, to := range b.to {
		n, s := l.node(uint32(i)), &l.base[i]
		hier, count := n.acc, n.count
		if i == 0 {
			hier += now
		}
		if took := hier - s.hier; took > 0 {
			storeTicks(&to.acc, to.acc+took)
			s.hier = hier
		}
		to.count += count - s.count
		s.count = count
		s.setOpen(false)
	}
	b.record.slowTime.Add(l.slowTime.Since(true))
	l.brief = false
	l.fresh = false
	l.idle = 0
	l.quiet = 0
	l.idleAt = now
	l.reportedAt = now
	l.rest = stretch{now, now}
}
