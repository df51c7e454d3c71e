package process

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// addGPU puts the GPU first among the causes if it explains the excess. That is the case if the program waited, or
// if the GPU was busy for almost all of the frame: then the driver stopped the program in some call.
func (f *finder) addGPU(dst *Verdict) {
	length, gpu := 0.0, 0.0
	for _, p := range f.frames {
		length, gpu = length+p.LengthMS/float64(len(f.frames)), gpu+p.GPUMS/float64(len(f.frames))
	}
	more := gpu - f.usual.gpu.mid
	waited := len(dst.Causes) == 0 || dst.Causes[0].Kind == CauseWaiting || dst.Causes[0].Kind == CauseOutside
	if more < mainShare*dst.Excess || !waited && (more < slackShare*dst.Excess || gpu < report.BoundShare*length) {
		return
	}
	path := f.worstOn(func(l *history.LaneRecords) bool { return l.Device })
	if path.path < 0 {
		return
	}
	second := Cause{}
	if len(dst.Causes) > 0 {
		second, dst.Causes = dst.Causes[0], dst.Causes[:0]
		second.Callers = append([]string(nil), second.Callers...)
	}
	c := f.newCause(dst, CauseGPU, path.path)
	c.Self, c.Time, c.Usual, c.Excess, c.Count = true, path.self, path.usual.self.mid, path.own, path.count
	c.Spread = path.usual.self.spread
	if second.Kind != CauseNone {
		dst.Causes = append(dst.Causes, second)
	}
}

// worstOn returns the path on some lanes whose self time exceeds the usual most. Its path is -1 if there is none.
func (f *finder) worstOn(which func(*history.LaneRecords) bool) candidate {
	f.restart(len(f.tree.Paths))
	f.times = f.times[:0]
	n := float64(len(f.frames))
	for _, p := range f.frames {
		eachOn(p, which, func(r *history.Record) {
			if path := int32(r.Path & history.PathMask); int(path) < len(f.places) {
				at := f.spot(path)
				f.times[at].self += float64(r.Self) * p.PerTick / n
				f.times[at].count += float64(r.Count) / n
			}
		})
	}
	paths, frames := len(f.times), len(f.usual.frames)
	f.values = resized(f.values, paths*frames)
	clear(f.values)
	for k, p := range f.usual.frames {
		eachOn(p, which, func(r *history.Record) {
			path := int32(r.Path & history.PathMask)
			if int(path) < len(f.places) && f.places[path].stamp == f.stamp {
				f.values[int(f.places[path].at)*frames+k] += float32(float64(r.Self) * p.PerTick)
			}
		})
	}
	worst := candidate{pathTime: pathTime{path: -1}}
	for i := range f.times {
		q := candidate{pathTime: f.times[i]}
		q.usual.self = middleOf(f.values[i*frames:][:frames])
		if q.own = q.self - q.usual.self.mid; q.path > 0 && q.own > worst.own {
			worst = q
		}
	}
	return worst
}

// eachOn calls do with the records of some lanes, without their roots.
func eachOn(p *history.Frame, which func(*history.LaneRecords) bool, do func(*history.Record)) {
	for i := range p.Lanes {
		if l := &p.Lanes[i]; which(l) {
			for at := l.From + 1; at < l.To; at++ {
				do(&p.Records[at])
			}
		}
	}
}
