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
	if s.totals.epoch == d.epoch {
		t = s.reader().ofFrame(index, scopes)
	}
	return t
}
