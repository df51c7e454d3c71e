package process

// Adopt takes over the frames, names, totals and limits that another session has, and forgets its own. The view of s
// stays: the chosen record and what is folded are found again by their zones; a pinned baseline is forgotten. The other
// session is empty afterwards and must not be used any more. It is for a capture whose newest frames are shown while
// the rest is read into another session. Adopting itself does nothing. Any goroutine may call it.
func (s *Session) Adopt(other *Session) {
	if s == other {
		return
	}
	s.change()
	defer s.mu.Unlock()
	other.lock()
	defer other.mu.Unlock()
	s.marked.path = other.tree.Same(&s.tree, s.marked.path)
	folded := make(map[int32]bool, len(s.folded))
	for path, is := range s.folded {
		if at := other.tree.Same(&s.tree, path); at >= 0 {
			folded[at] = is
		}
	}
	s.folded = folded
	s.compared, s.arranger = Comparison{}, Arranger{}
	s.takeMeasures(other)
	s.takeNames(other)
	other.ready = false
	s.clamp(&s.view)
}

// takeMeasures takes what is counted and timed.
func (s *builder) takeMeasures(o *Session) {
	epoch, version := s.totals.Epoch+o.totals.Epoch+1, s.totals.Version+o.totals.Version+1
	timeline := s.timeline.Epoch + o.timeline.Epoch + 1
	s.dropAside()
	take(&s.measured, &o.measured)
	s.feed.source, s.hot.given = o.feed.source, o.hot.given
	take(&s.events, &o.events)
	take(&s.timeline, &o.timeline)
	s.totals.Epoch, s.totals.Version, s.timeline.Epoch = epoch, version, timeline
}

// takeNames takes zones, lanes and paths, and what has their numbers.
func (s *builder) takeNames(o *Session) {
	take(&s.tree, &o.tree)
	take(&s.zones, &o.zones)
	take(&s.lanes, &o.lanes)
	take(&s.values, &o.values)
	take(&s.byZone, &o.byZone)
	take(&s.charged, &o.charged)
	take(&s.rows, &o.rows)
	s.misuse, s.dropped, s.limit, s.cost = o.misuse, o.dropped, o.limit, o.cost
	s.fed, s.budget = true, o.budget
}

// take moves a value.
func take[T any](to, from *T) {
	var none T
	*to, *from = *from, none
}
