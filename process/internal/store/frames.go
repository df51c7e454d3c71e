package store

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
)

// PruneLanes drops the lanes that no frame of the history mentions, if there are many.
func (s *Store) PruneLanes() {
	if !s.Lanes.Many() {
		return
	}
	s.Lanes.Prune(func(move func(lanes []history.LaneRecords)) {
		for _, m := range []*Measured{&s.Measured, &s.Aside.Measured} {
			for seq := m.Past.First(); seq < m.Past.Next; seq++ {
				move(m.Past.At(seq).Lanes)
			}
			for i := range m.Slow.Frames {
				move(m.Slow.Frames[i].Lanes)
			}
		}
	})
	s.Totals.ForgetPlaces()
}

// Digest adds the frames logged since the last call to averages and series. Frames that have lost their records are
// missing there.
func (s *Store) Digest() {
	if s.digested < s.Past.First() {
		s.Stats.Missed += s.Past.First() - s.digested
		s.digested = s.Past.First()
		s.Live = history.Smoother{}
		s.Past.Blank()
	}
	for s.digested < s.Past.Next {
		s.digestNext()
	}
	s.spare.Clear(s.Past.Clock)
}

// digestNext adds one frame.
func (s *Store) digestNext() {
	p := s.Past.At(s.digested)
	if p.Lost {
		s.missNext()
		return
	}
	s.digested++
	s.Touched.Take(p, history.EveryLane, &s.Tree, len(s.Zones))
	s.Past.Remember(p.Seq, &s.Touched, &s.Tree)
	s.Stats.Take(&s.Tree, &s.Touched, p)
	s.Live.Add(p.LengthMS/1000, &s.Tree, &s.Touched, p.Seq)
	p.JoinedMS, _ = s.WaitedFor(p)
	s.Live.Length(p)
}

// Sum fills s.Values from a frame's records of one lane, or of all lanes: self time, count, open, errors.
func (s *Store) Sum(p *history.Frame, lane int32) {
	s.Values = resize.To(s.Values, len(s.Tree.Paths))
	clear(s.Values)
	s.Charged.Reset()
	p.Sum(lane, func(path int32) *history.Value { return &s.Values[path] }, &s.Charged)
	for i := range s.Values {
		s.Values[i].Self *= p.PerTick
	}
}

// rise derives hierarchical times: a parent's time includes its children's.
func (s *Store) rise() {
	for i := range s.Values {
		v := &s.Values[i]
		v.Hier = v.Self
		v.Alive = v.Self != 0 || v.Count > 0 || v.Open || v.Errors > 0 || v.Extra != 0
	}
	for i := len(s.Values) - 1; i > 0; i-- {
		if up := s.Tree.Paths[i].Parent; up >= 0 && !s.outside(up) {
			v, above := &s.Values[i], &s.Values[up]
			above.Hier += v.Hier
			above.Alive = above.Alive || v.Alive
		}
	}
}

// gatherZones fills s.ByZone from s.Values. A zone is seen if one of its paths existed by frame seq.
func (s *Store) gatherZones(seq uint64) {
	s.ByZone = resize.To(s.ByZone, len(s.Zones))
	for i := range s.ByZone {
		s.ByZone[i] = history.ZoneValue{}
	}
	for i := range s.Tree.Paths {
		p, v := &s.Tree.Paths[i], &s.Values[i]
		z := &s.ByZone[p.Zone]
		z.Seen = z.Seen || p.Birth <= seq
		z.Self += v.Self
		z.Count += v.Count
		if v.Noted {
			z.Note(v)
		}
		s.Charged.Merge(&z.Extra, v.Extra)
		z.Open = z.Open || v.Open
		if p.Same < 0 || s.outside(p.Same) {
			z.Hier += v.Hier
		}
		if v.Count > 0.25 || v.Hier > 0 {
			z.Depth = max(z.Depth, p.Depth)
		}
	}
}

// Stock takes a little memory ahead for the zones and paths of frames that are not digested yet.
func (s *Store) Stock() {
	paths, zones := len(s.Tree.Paths), len(s.Zones)
	ahead := history.StockBytes
	s.Past.Stock(paths, zones, &ahead)
	s.Stats.Stock(zones, &ahead)
	s.Live.Stock(paths, zones, &ahead)
	s.Touched.Stock(paths, zones, &ahead)
}

// keepUp digests frames before they lose their records. losing is the frame that loses them next. Only frames that
// history.Spare has no time for are missing in the statistics.
func (s *Store) keepUp(losing uint64) {
	s.explainLeaving(losing)
	for s.digested <= losing && s.digested >= s.Past.First() && s.digested < s.Past.Next {
		p := s.Past.At(s.digested)
		if !s.spare.Takes(p, s.Past.Clock) && !s.Stats.Asked {
			s.missNext()
			continue
		}
		s.digestNext()
	}
}

// missNext leaves the next frame out of averages and series.
func (s *Store) missNext() {
	p := s.Past.At(s.digested)
	s.digested++
	s.Stats.Missed++
	s.Past.Skip(p)
}
