package process

import "example.com/iprof/process/internal/history"

// addWorker adds what another goroutine did longer than usual while the frame waited, if that explains the wait. It
// is the second cause: that the one waited for the other is likely, and not known.
func (f *finder) addWorker(dst *Verdict) {
	if len(dst.Causes) != 1 || dst.Causes[0].Kind != CauseWaiting || !f.frames[0].Led() {
		return
	}
	path := f.worstOn((*history.LaneRecords).Worker)
	if path.path < 0 || path.own < slackShare*dst.Causes[0].Excess || f.tree.Paths[path.path].Idle {
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
		for i := range p.Lanes {
			l := &p.Lanes[i]
			if !l.Worker() {
				continue
			}
			sum := 0.0
			for at := l.From + 1; at < l.To; at++ {
				if r := &p.Records[at]; int32(r.Path&history.PathMask) == path {
					sum += float64(r.Self) * p.PerTick
				}
			}
			if sum > most {
				most, name = sum, f.lanes.List[l.Place].Name
			}
		}
	}
	return name
}
