package process

// addWorker adds what another goroutine did longer than usual while the frame waited, if that explains the wait. It
// is the second cause: that the one waited for the other is likely, and not known.
func (f *finder) addWorker(dst *Verdict) {
	if len(dst.Causes) != 1 || dst.Causes[0].Kind != CauseWaiting || !f.frames[0].led() {
		return
	}
	path := f.worstOn((*laneRecords).worker)
	if path.path < 0 || path.own < slackShare*dst.Causes[0].Excess || f.tree.paths[path.path].idle {
		return
	}
	c := f.newCause(dst, CauseWorker, path.path)
	c.Self, c.Time, c.Usual, c.Excess, c.Count = true, path.self, path.usual.self.mid, path.own, path.count
	c.Spread, c.Lane = path.usual.self.spread, f.laneMostIn(path.path)
}

// laneMostIn returns the name of the worker that was longest in a path, in the frames to explain.
func (f *finder) laneMostIn(path int32) (name string) {
	most := 0.0
	for _, p := range f.frames {
		for i := range p.lanes {
			l := &p.lanes[i]
			if !l.worker() {
				continue
			}
			sum := 0.0
			for at := l.from + 1; at < l.to; at++ {
				if r := &p.records[at]; int32(r.path&pathMask) == path {
					sum += float64(r.self) * p.perTick
				}
			}
			if sum > most {
				most, name = sum, f.lanes.list[l.place].name
			}
		}
	}
	return name
}
