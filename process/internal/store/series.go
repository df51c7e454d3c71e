package store

import (
	"cmp"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/totals"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// AppendFrames appends summaries of the newest frames, oldest first.
func (s *Store) AppendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary {
	for seq := s.Past.Since(frames); seq < s.Past.Next; seq++ {
		p := s.Past.At(seq)
		p.HasReport = !p.Lost
		dst = append(dst, p.FrameSummary)
	}
	return dst
}

// AppendAllSeries appends the self time of each zone in the newest frames, the largest mean first.
func (s *Store) AppendAllSeries(dst []report.Series, frames int) []report.Series {
	s.Digest()
	from := len(dst)
	first := s.Past.First()
	for i := range s.Past.Zones.Len() {
		if t := s.Past.Zones.At(i); t.Birth < s.Past.Next && t.Self.Sum(first) > 0 {
			dst = s.appendSeries(dst, report.ZoneID(i), frames)
		}
	}
	slices.SortFunc(dst[from:], func(a, b report.Series) int {
		x, y := s.Past.Zones.At(int(a.Zone)).Self.Sum(first), s.Past.Zones.At(int(b.Zone)).Self.Sum(first)
		return cmp.Or(cmp.Compare(y, x), cmp.Compare(a.Zone, b.Zone))
	})
	return dst
}

func (s *Store) appendSeries(dst []report.Series, zone report.ZoneID, frames int) []report.Series {
	return s.AppendSeriesOf(dst, zone, &s.Past.Zones.At(int(zone)).Self, frames)
}

// AppendSeriesOf appends the values of a series in the newest frames as the series of a zone.
func (s *Store) AppendSeriesOf(dst []report.Series, zone report.ZoneID, t *history.Series, frames int) []report.Series {
	var values []float32
	if n := len(dst); n < cap(dst) {
		values = dst[:n+1][n].Values[:0]
	}
	z, info := s.Past.Zones.At(int(zone)), &s.Zones[zone]
	values = s.Past.Append(values, t, z.Birth, frames)
	return append(dst, report.Series{Zone: zone, Name: info.Name, Package: info.Package(), Idle: info.Idle,
		Values: values, Estimated: z.Estimated(s.Past.Since(frames))})
}

// AppendZoneHistory appends the hierarchical time of a zone in the newest frames.
func (s *Store) AppendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32 {
	s.Digest()
	if zone < 0 || int(zone) >= s.Past.Zones.Len() {
		return dst
	}
	t := s.Past.Zones.At(int(zone))
	return s.Past.Append(dst, &t.Hier, t.Birth, frames)
}

// InHistory reports whether a zone occurs in the history.
func (s *Store) InHistory(zone report.ZoneID) bool {
	return zone >= 0 && int(zone) < s.Past.Zones.Len() && s.Past.Zones.At(int(zone)).Birth < s.Past.Next
}

// OwnSelf returns the series of a zone on the lane of the view. Without a lane it is the series on the lane that ends
// the frames. It is over all lanes if that lane is not known, and where AllLanes.
func (k *Looker) OwnSelf(zone report.ZoneID, lane report.LaneID) *history.Series {
	s := k.store
	if l := &k.Lane; lane != 0 && l.Of == lane && int(zone) < l.Past.Zones.Len() {
		return &l.Past.Zones.At(int(zone)).Self
	}
	if s.Own.Seen && int(zone) < s.Own.Zones.Len() && !s.AllLanes() {
		return s.Own.Zones.At(int(zone))
	}
	return &s.Past.Zones.At(int(zone)).Self
}

// Sums returns the totals, with the paths and lanes that they use.
func (s *Store) Sums() *totals.Tally {
	s.Totals.Stores = totals.Stores{Tree: &s.Tree, Lanes: &s.Lanes, Zones: s.Zones, Next: s.Past.Next}
	return &s.Totals
}

// Log makes records of a frame's nodes, and adds them to the totals if keep is set.
func (s *Store) Log(p *history.Frame, f *gather.Frame, keep bool) totals.Logged {
	s.Kinds.SeeFrame(f, len(s.Zones), keep)
	return s.Sums().Log(p, f, keep)
}

// DumpStatistics returns the statistics of all zones that were ever entered, by zone id.
func (s *Store) DumpStatistics() (list []report.ZoneStatistics) {
	s.Stats.Asked = true
	s.Digest()
	s.Calls.Read(s, &s.Past, 0)
	ms := s.MsPerTick()
	for zone := range s.Stats.Zones.Len() {
		p, calls := s.Stats.Zones.At(zone), s.Calls.Zones[report.ZoneID(zone)]
		z := report.ZoneStatistics{Zone: report.ZoneID(zone), Frames: s.Stats.Frames - p.Born}
		if p.Hier.Count == 0 && calls == nil {
			continue
		}
		z.Self, z.Hier = p.Self().Summary(z.Frames), p.Hier.Summary(z.Frames)
		if calls != nil {
			z.CallsCounted, z.CallsMissing = calls.Count, calls.Missing
			z.Calls = history.SummaryOf(func(k history.Statistic) float64 { return calls.Of(k) * ms })
			if calls.Counted() {
				z.CallBars = calls.Bars()
			}
		}
		list = append(list, z)
	}
	return list
}

// TakeMarks keeps the marks of a frame.
func (s *Store) TakeMarks(f *gather.Frame, p *history.Frame) {
	for i := range f.Marks[:min(len(f.Marks), measure.MaxMarks)] {
		m := &f.Marks[i]
		at := float64(min(max(m.Time, f.Begin), f.End)-f.Begin) * p.PerTick
		mark := report.FrameMark{Frame: p.Index, At: at, Lane: m.Lane, Text: m.Text}
		s.Marks.Add(history.KeptMark{FrameMark: mark, Seq: p.Seq})
	}
}

// TakeSlowCalls keeps the slow calls of a frame, with the remarks on them.
func (s *Store) TakeSlowCalls(f *gather.Frame, p *history.Frame) {
	if len(f.SlowCalls) == 0 {
		return
	}
	left := mostHeard // escapes
	for i := range f.SlowCalls[:min(len(f.SlowCalls), measure.MaxSlowCalls)] {
		c := &f.SlowCalls[i]
		if taken := s.Slowly.Take(c, p, s.Zones, s.LaneName(c.Lane)); taken != nil && s.say != nil {
			s.say(&s.Past, taken, p, &left)
		}
	}
}

// Listens adds remarks to slow calls, also to earlier ones. Programs without a viewer do not need remarks and do not
// link the code.
func (s *Store) Listens() {
	if s.say != nil {
		return
	}
	s.say = (*history.Ring).Say
	left := mostHeard
	for i, c := range s.Slowly.List {
		if p := s.Past.Find(c.Frame); p != nil {
			own := *c // copy it, because others hold the old one
			s.say(&s.Past, &own, p, &left)
			s.Slowly.List[i] = &own
		}
	}
}

// mostHeard is the greatest number of remarks that are searched for the slow calls of one frame.
const mostHeard = 1 << 16

// SlowOnes returns the slow calls, oldest first, their number since the start, and the end of the newest frame. Slow
// calls that a frame had no room for count, too.
func (s *Store) SlowOnes() (list []*report.SlowCall, seen uint64, now float64) {
	return s.Slowly.List, s.Slowly.Seen + s.Dropped.Slow, s.Past.Clock
}

// AppendMarksInSight appends the marks of a part of the history, and of the frames of a timeline.
func (s *Store) AppendMarksInSight(dst []report.MarkInSight, part *report.Past,
	shown []timeline.Frame) []report.MarkInSight {
	to := s.Past.Next - min(s.Past.Next, uint64(part.Skip))
	from := to - min(to, uint64(part.Frames))
	first, last := uint64(1), uint64(0)
	if n := len(shown); n > 0 {
		first, last = shown[0].Index, shown[n-1].Index
	}
	for i := range s.Marks.List {
		if m := &s.Marks.List[i]; m.Seq >= from && m.Seq < to || m.Frame >= first && m.Frame <= last {
			dst = append(dst, report.MarkInSight{FrameMark: m.FrameMark, Age: int(s.Past.Next - 1 - m.Seq)})
		}
	}
	return dst
}

// MemoryMode returns the mode of the running program, or of the newest frame.
func (s *Store) MemoryMode() gather.MemoryMode {
	if s.Running() {
		return gather.Memory()
	}
	if p := s.Past.Age(0); p != nil {
		return p.Memory
	}
	return gather.MemoryOff
}

// AppendValueSeries appends a series of each number in the newest frames, at most frames of them.
func (s *Store) AppendValueSeries(dst []report.ValueSeries, frames int) []report.ValueSeries {
	for at := range s.Numbers.List {
		t := &s.Numbers.List[at]
		if t.Known == 0 && !s.Numbers.Counted(at) {
			continue
		}
		var values []float32
		if n := len(dst); n < cap(dst) {
			values = dst[:n+1][n].Values[:0]
		}
		for seq := s.Past.Since(frames); seq < s.Past.Next; seq++ {
			values = append(values, t.Short(seq, s.Numbers.Next))
		}
		v := s.Numbers.Info(at)
		v.Value, _ = t.At(t.Last, s.Numbers.Next)
		v.Mean, v.Max, v.Total = t.Mean(), t.Max(), t.Sum
		dst = append(dst, report.ValueSeries{FrameValue: v, Values: values})
	}
	return dst
}

// Keep sets the number of kept frames: 0 for the default, below 0 none.
func (s *Store) Keep(frames int) {
	s.Slow.Most = min(frames, history.MaxKept)
	for len(s.Slow.Frames) > s.Slow.Limit() {
		s.Slow.Pop()
	}
	s.Reader().TrimSlow()
}

// AppendSlowest appends the slowest frames that are kept whole, the slowest first.
func (s *Store) AppendSlowest(dst []report.FrameSummary) []report.FrameSummary {
	for i := range s.Slow.Frames {
		f := s.Slow.Frames[i].FrameSummary
		f.HasReport = true
		dst = append(dst, f)
	}
	return dst
}

// AppendRanked appends the summaries of the slowest frames. Frames that are kept whole have a report.
func (s *Store) AppendRanked(dst []report.FrameSummary) []report.FrameSummary {
	for _, f := range s.Slow.Ranked {
		f.HasReport = s.Slow.Find(f.Index) != nil
		dst = append(dst, f)
	}
	return dst
}

// Shown returns the frame that a view shows, from the history or from the kept frames, or nil.
func (s *Store) Shown(v *report.View) *history.Frame {
	if v.Kept > 0 {
		return s.Slow.Find(v.Kept - 1)
	}
	return s.Past.Age(v.Age)
}

// AppendPictures appends the pictures of the slowest frames.
func (s *Store) AppendPictures(dst []report.FramePicture) []report.FramePicture {
	for i := range s.Slow.Frames {
		if f := &s.Slow.Frames[i]; f.Picture != nil {
			dst = append(dst, report.FramePicture{Frame: f.Index, Picture: f.Picture})
		}
	}
	return dst
}

// Picture returns the picture of a frame, or nil.
func (s *Store) Picture(index uint64) *report.Picture {
	if f := s.Slow.Find(index); f != nil {
		return f.Picture
	}
	return nil
}
