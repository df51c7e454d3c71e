package process

// reader returns what reads scopes, with the frames as they are now.
func (s *Session) reader() *reader {
	s.timeline.timelineStores = timelineStores{&s.past, &s.slow, &s.tree, &s.lanes, s.fed, s.zones,
		s.budget.Seconds() * 1000}
	return &s.timeline
}

// snapshotTimeline brings the timeline up to date.
func (s *Session) snapshotTimeline(dst *Snapshot, o SnapshotOptions) {
	first, last := s.timelineShown(&s.view)
	dst.Timeline.update(s.reader(), &s.states, first, last, s.view.Lane, o.TimelineFrom, o.TimelineTo)
}

// timelineShown returns the first and the last of the frames that a view shows. They are nil if there are none.
func (s *Session) timelineShown(v *View) (first, last *pastFrame) {
	if l := v.lens(); l.Kind == LensRange {
		for seq := s.past.first(); seq < s.past.next; seq++ {
			if p := s.past.at(seq); l.takes(p) && p.to > p.from {
				if first == nil || !adjoin(last, p) {
					first = p
				}
				last = p
			}
		}
	}
	if first == nil {
		first = s.shown(v)
		last = first
	}
	if first == nil || first.to <= first.from {
		return nil, nil
	}
	return first, last
}
