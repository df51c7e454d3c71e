package process

import (
	"cmp"
	"slices"
)

// DumpScopes is the value of DumpOptions.Scopes for pages that people read. They take 8 MB of memory.
const DumpScopes = 500_000

// FrameTimeline is the timeline of one frame of a Dump.
type FrameTimeline struct {
	Lanes []FrameLane // those with scopes, in the order of AppendTimelineLanes
	Quiet int         // lanes without a scope in the frame, though their events are there
	Gone  int         // lanes whose events were overwritten
	Off   int         // lanes that keep no events
	Left  int         // scopes of the frame, if DumpOptions.Scopes had no room for them; then there are no Lanes
}

// FrameLane is the timeline of one lane in one frame.
type FrameLane struct {
	Name   string
	Device bool    // of a GPU or another device, not of a goroutine
	From   float32 // ms from the beginning of the frame: earlier events were overwritten; 0 if all are there
	Scopes []FrameScope
}

// FrameScope is one entry of a zone: a TimelineScope in less memory.
type FrameScope struct {
	Zone       ZoneID
	Begin, End float32 // ms from the beginning of the frame, clamped to it
	Level      uint16  // number of scopes around it: 0 is outermost; deeper ones than 65,535 have that
	Before     bool    // it began earlier, or its begin event was overwritten
	After      bool    // it was still open at the end of the frame
}

// ByImportance returns the indexes of FrameTrees: the slowest, the newest, the second slowest, the second newest, and
// so on. What has no room for all takes the first ones.
func (d *Dump) ByImportance() []int {
	busy := make(map[uint64]float32, len(d.History))
	for i := range d.History {
		busy[d.History[i].Index] = d.History[i].Busy
	}
	slow := make([]int, len(d.FrameTrees))
	for i := range slow {
		slow[i] = i
	}
	slices.SortStableFunc(slow, func(a, b int) int {
		return cmp.Compare(busy[d.FrameTrees[b].Index], busy[d.FrameTrees[a].Index])
	})
	order := make([]int, 0, len(slow))
	taken := make([]bool, len(slow))
	take := func(i int) {
		if !taken[i] {
			taken[i] = true
			order = append(order, i)
		}
	}
	for i := range slow {
		take(slow[i])
		take(len(slow) - 1 - i)
	}
	return order
}

// fillTimelines adds the timelines of the frames with trees, the most important frames first.
func fillTimelines(d *Dump, s dumpSource, scopes int) {
	for _, i := range d.ByImportance() {
		f := &d.FrameTrees[i]
		f.Timeline = s.dumpTimeline(f.Index, scopes)
		for l := range f.Timeline.Lanes {
			scopes -= len(f.Timeline.Lanes[l].Scopes)
		}
	}
}

// dumpTimeline unlocks the session for a moment: see dumpTree.
func (d *dumped) dumpTimeline(index uint64, scopes int) (t FrameTimeline) {
	s := d.Session
	s.mu.Unlock()
	s.mu.Lock()
	if s.totals.epoch != d.epoch {
		return t
	}
	r := s.reader()
	w, ok := r.windowOf(r.frameAt(index), 0, 0)
	if !ok {
		return t
	}
	lanes := r.appendTimelineLanes(r.listed[:0], w)
	r.listed = lanes
	for i := range lanes {
		switch l := &lanes[i]; l.State {
		case TimelineOff:
			t.Off++
		case TimelineGone:
			t.Gone++
		default:
			t.add(l, r.appendScopes(r.scopes[:0], l.ID, w), &scopes, &r.scopes)
		}
	}
	return t
}

// add adds a lane with its scopes, as long as there is room for them. The memory of all is kept for the next lane.
func (t *FrameTimeline) add(l *TimelineLane, all []TimelineScope, room *int, memory *[]TimelineScope) {
	*memory = all
	if len(all) == 0 {
		t.Quiet++
		return
	}
	if t.Left > 0 || len(all) > *room {
		t.Left += len(all)
		for i := range t.Lanes {
			t.Left += len(t.Lanes[i].Scopes)
			*room += len(t.Lanes[i].Scopes)
		}
		t.Lanes = nil
		return
	}
	*room -= len(all)
	lane := FrameLane{l.Name, l.Device, 0, make([]FrameScope, len(all))}
	if l.State == TimelineCut {
		lane.From = float32(l.From)
	}
	for i := range all {
		f := &all[i]
		lane.Scopes[i] = FrameScope{f.Zone, float32(f.Begin), float32(f.End), uint16(min(f.Level, 1<<16-1)),
			f.Before, f.After}
	}
	t.Lanes = append(t.Lanes, lane)
}
