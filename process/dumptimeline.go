package process

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
	if s.totals.Epoch == d.epoch {
		t = s.reader().Dump(index, scopes)
	}
	return t
}
