package history

import (
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Overview has the longest frame of each stretch of the run, and its late frames. Frames are identified by Frame.Seq.
// The zero value has no frames.
type Overview struct {
	Pending int // number of late frames whose causes have not been searched

	frames       uint64
	shift        uint8 // a stretch has 1<<shift frames
	stretches    []report.Stretch
	late         []report.LateFrame
	judgedFrames []report.LateFrame // scratch: the late frames before Judge
	groups       []report.LateGroup
	credit       int       // see Spend
	lengths      []float32 // scratch
	sections     sections
}

// The limits of an overview.
const (
	mostStretches  = 2048
	mostLateFrames = 2048
	mostLateGroups = 32
)

// Before a late frame loses its records, its cause is searched, but on average only once in searchEvery frames, so that
// a program whose frames are all late does not become slower.
const (
	searchEvery  = 32
	searchesLeft = 32 // greatest number of saved searches
)

// Take adds a frame of a section.
func (o *Overview) Take(p *Frame, of *gather.SectionInfo) {
	o.sections.take(p, of)
	at, judged := int(o.frames>>o.shift), p.Judged()
	if at == len(o.stretches) {
		if at == mostStretches {
			o.merge()
			at = int(o.frames >> o.shift)
		}
		o.stretches = append(o.stretches, report.Stretch{Judged: judged, Frame: o.frames, Group: report.LateUnknown})
	}
	s := &o.stretches[at]
	if judged > s.Judged {
		*s = report.Stretch{Judged: judged, Frame: o.frames, Group: report.LateUnknown}
	}
	if p.Over {
		o.addLate(p, s)
	}
	o.frames++
	o.credit = min(o.credit+1, searchEvery*searchesLeft)
}

// merge makes stretches twice as long.
func (o *Overview) merge() {
	half := o.stretches[:0]
	for i := 0; i+1 < len(o.stretches); i += 2 {
		a, b := o.stretches[i], o.stretches[i+1]
		if b.Judged > a.Judged {
			a = b
		}
		half = append(half, a)
	}
	o.stretches = half
	o.shift++
}

// addLate adds a late frame, which is in a stretch.
func (o *Overview) addLate(p *Frame, s *report.Stretch) {
	if len(o.late) == mostLateFrames {
		o.thin()
	}
	if s.Frame == o.frames {
		s.Group = report.LatePending
	}
	o.late = append(o.late, report.LateFrame{Frame: o.frames, Index: p.Index, Judged: p.Judged(),
		Group: report.LatePending})
	o.Pending++
}

// thin drops the shorter half of the late frames. Their groups still count them.
func (o *Overview) thin() {
	o.lengths = o.lengths[:0]
	for i := range o.late {
		o.lengths = append(o.lengths, o.late[i].Judged)
	}
	slices.Sort(o.lengths)
	limit, equal := o.lengths[mostLateFrames/2], o.lengths[0] == o.lengths[mostLateFrames-1]
	kept := o.late[:0]
	for i, f := range o.late {
		if f.Judged > limit || equal && i >= mostLateFrames/2 {
			kept = append(kept, f)
		} else if f.Group == report.LatePending {
			o.Pending--
		}
	}
	o.late = kept
}

// Waiting returns the newest late frame that is older than frame before and whose cause has not been searched, or nil.
func (o *Overview) Waiting(before int) (f *report.LateFrame, at int) {
	for at = min(before, len(o.late)) - 1; at >= 0 && o.Pending > 0; at-- {
		if o.late[at].Group == report.LatePending {
			return &o.late[at], at
		}
	}
	return nil, 0
}

// Leaving returns a late frame that is about to lose its records, if its cause should be searched now.
func (o *Overview) Leaving(p *Frame) *report.LateFrame {
	at := sort.Search(len(o.late), func(i int) bool { return o.late[i].Frame >= p.Seq })
	if at == len(o.late) || o.late[at].Index != p.Index || o.late[at].Group != report.LatePending {
		return nil
	}
	if o.credit < searchEvery {
		o.Explain(&o.late[at], report.LateUnknown)
		return nil
	}
	o.credit -= searchEvery
	return &o.late[at]
}

// Group returns the group of a cause, LateUnknown if there are too many.
func (o *Overview) Group(kind report.CauseKind, zone report.ZoneID, name string) int16 {
	for i := range o.groups {
		if g := &o.groups[i]; g.Kind == kind && g.Zone == zone && (zone >= 0 || g.Name == name) {
			return int16(i)
		}
	}
	if len(o.groups) == mostLateGroups {
		return report.LateUnknown
	}
	o.groups = append(o.groups, report.LateGroup{Kind: kind, Zone: zone, Name: name})
	return int16(len(o.groups) - 1)
}

// Explain gives a pending frame its group.
func (o *Overview) Explain(f *report.LateFrame, group int16) {
	f.Group = group
	o.Pending--
	if s := &o.stretches[f.Frame>>o.shift]; s.Frame == f.Frame {
		s.Group = group
	}
	if group >= 0 {
		o.groups[group].Count++
		o.groups[group].Longest = max(o.groups[group].Longest, f.Judged)
	}
}

// Judge judges the remaining late frames and the frames of the history by another budget.
func (o *Overview) Judge(over func(ms float64) bool, h *Ring) {
	old := o.late
	o.late, o.judgedFrames, o.Pending = o.judgedFrames[:0], old, 0
	for i := range o.groups {
		o.groups[i].Count, o.groups[i].Longest = 0, 0
	}
	at := 0
	for ; at < len(old) && old[at].Frame < h.First(); at++ {
		if over(float64(old[at].Judged)) {
			o.again(old[at])
		}
	}
	for seq := h.First(); seq < h.Next; seq++ {
		p := h.At(seq)
		f := report.LateFrame{Frame: seq, Index: p.Index, Judged: p.Judged(), Group: report.LatePending}
		for at < len(old) && old[at].Frame < seq {
			at++
		}
		if at < len(old) && old[at].Frame == seq {
			f = old[at]
		}
		if p.Over && seq < o.frames {
			o.again(f)
		}
	}
	for ; at < len(old); at++ {
		if old[at].Frame >= h.Next && over(float64(old[at].Judged)) {
			o.again(old[at])
		}
	}
}

// again adds a late frame that may already have a group.
func (o *Overview) again(f report.LateFrame) {
	if len(o.late) == mostLateFrames {
		o.thin()
	}
	group := f.Group
	f.Group = report.LatePending
	o.late = append(o.late, f)
	if o.Pending++; group != report.LatePending {
		o.Explain(&o.late[len(o.late)-1], group)
	}
}

// Fill copies the overview. It marks late frames from frame first on, and kept ones, as frames that can be shown.
func (o *Overview) Fill(dst *report.Overview, first uint64, kept *Slowest) {
	dst.Frames = o.frames
	dst.First = first
	dst.Each = 1 << o.shift
	dst.Pending = o.Pending
	dst.Stretches = append(dst.Stretches[:0], o.stretches...)
	dst.Late = append(dst.Late[:0], o.late...)
	dst.Groups = append(dst.Groups[:0], o.groups...)
	dst.Sections, dst.SectionsDropped = o.AppendSections(dst.Sections[:0]), o.sections.dropped
	for i := range dst.Late {
		f := &dst.Late[i]
		f.Here = f.Frame >= first || kept.Find(f.Index) != nil
	}
	if len(dst.Late) > 0 {
		findRhythms(dst)
	}
}

// rhythm has the distances and lengths of a group's frames.
type rhythm struct {
	last              uint64 // number of the previous frame
	frames, distances int
	gap, votes, equal int
	firstSum, lastSum float32 // sums of the first and the last third
}

// The least number of frames of a group with a rhythm, the least share of equal distances, and the least ratio of the
// last third of rising frames to the first.
const (
	rhythmFrames = 4
	rhythmShare  = 0.75
	risingBy     = 1.3
)

// near reports whether a distance is the usual one.
func (r *rhythm) near(gap int) bool {
	return max(gap-r.gap, r.gap-gap) <= max(1, r.gap/32)
}

// findRhythms finds groups whose frames come at regular distances, and groups whose frames get longer and longer.
func findRhythms(dst *report.Overview) {
	var all [mostLateGroups]rhythm
	for i := range dst.Late { // finds the only distance that most of them can have
		f := &dst.Late[i]
		if f.Group < 0 {
			continue
		}
		r := &all[f.Group]
		if r.frames++; r.frames > 1 {
			switch gap := int(f.Frame - r.last); {
			case r.votes == 0:
				r.gap, r.votes = gap, 1
			case r.near(gap):
				r.votes++
			default:
				r.votes--
			}
		}
		r.last = f.Frame
	}
	for i := range dst.Late {
		if f := &dst.Late[i]; f.Group >= 0 {
			all[f.Group].count(f)
		}
	}
	for i := range dst.Groups {
		g, r := &dst.Groups[i], &all[i]
		if r.frames < rhythmFrames || r.frames < g.Count { // the list may lack some frames of a large group
			continue
		}
		if float64(r.equal) >= rhythmShare*float64(r.frames-1) && r.gap > 1 {
			g.Every = r.gap
		}
		g.Rising = r.firstSum > 0 && r.lastSum >= risingBy*r.firstSum
	}
}

// count counts a frame in the second pass.
func (r *rhythm) count(f *report.LateFrame) {
	if r.distances > 0 && r.near(int(f.Frame-r.last)) {
		r.equal++
	}
	switch third := max(r.frames/3, 1); {
	case r.distances < third:
		r.firstSum += f.Judged
	case r.distances >= r.frames-third:
		r.lastSum += f.Judged
	}
	r.last = f.Frame
	r.distances++
}
