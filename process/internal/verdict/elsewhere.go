package verdict

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// addGPU puts the GPU first among the causes if it explains the excess. That is the case if the program waited, or if
// the GPU was busy for almost the whole frame. In the latter case the driver blocked the program in some call.
func (f *Finder) addGPU(dst *report.Verdict) {
	mean := f.mean()
	more := mean.GPUMS - f.usual.gpu.mid
	waited := len(dst.Causes) == 0 || dst.Causes[0].Kind == report.CauseWaiting ||
		dst.Causes[0].Kind == report.CauseOutside
	if more < mainShare*dst.Excess ||
		!waited && (more < slackShare*dst.Excess || mean.GPUMS < report.BoundShare*mean.LengthMS) {
		return
	}
	path := f.worstOn(func(l *history.LaneRecords) bool { return l.Device })
	if path.path < 0 {
		return
	}
	second := report.Cause{}
	if len(dst.Causes) > 0 {
		second, dst.Causes = dst.Causes[0], dst.Causes[:0]
		second.Callers, second.Chosen = append([]string(nil), second.Callers...), false // it waited for the GPU
	}
	c := f.newCause(dst, report.CauseGPU, path.path)
	c.Self = true
	c.Time = path.self
	c.Usual = path.usual.self.mid
	c.Excess = path.selfExcess
	c.Count = path.count
	c.Spread = path.usual.self.spread
	if second.Kind != report.CauseNone {
		dst.Causes = append(dst.Causes, second)
	}
}

// worstOn returns the path on some lanes whose self time exceeds the usual most. Its path is -1 if there is none. A
// path that is open during the whole frames, usually and now, grows with the frames and does not count.
func (f *Finder) worstOn(which func(*history.LaneRecords) bool) candidate {
	f.restart(len(f.Tree.Paths))
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
	f.values = resize.To(f.values, paths*frames)
	clear(f.values)
	for k, p := range f.usual.frames {
		eachOn(p, which, func(r *history.Record) {
			path := int32(r.Path & history.PathMask)
			if int(path) < len(f.places) && f.places[path].stamp == f.stamp {
				f.values[int(f.places[path].at)*frames+k] += float32(float64(r.Self) * p.PerTick)
			}
		})
	}
	standing := f.standing(which)
	worst := candidate{pathTime: pathTime{path: -1}}
	for i := range f.times {
		q := candidate{pathTime: f.times[i]}
		q.usual.self = middleOf(f.values[i*frames:][:frames])
		if q.selfExcess = q.self - q.usual.self.mid; q.path > 0 && q.selfExcess > worst.selfExcess && !standing[i] &&
			!f.profilers(q.path) {
			worst = q
		}
	}
	return worst
}

// standing reports, for each of the times on some lanes, whether its path was open during all of the frames to explain,
// on every lane that has it, and also in most of the usual frames that have it.
func (f *Finder) standing(which func(*history.LaneRecords) bool) []bool {
	f.inAllFrames, f.stateCounts = resize.To(f.inAllFrames, len(f.times)), resize.To(f.stateCounts, len(f.times))
	clear(f.stateCounts)
	vote := func(frames []*history.Frame) {
		for _, p := range frames {
			eachOn(p, which, func(r *history.Record) {
				path := int32(r.Path & history.PathMask)
				if int(path) >= len(f.places) || f.places[path].stamp != f.stamp {
					return
				}
				if at := f.places[path].at; r.Count == 0 && r.Path&history.OpenBit != 0 {
					f.stateCounts[at]++
				} else {
					f.stateCounts[at]--
				}
			})
		}
	}
	vote(f.usual.frames)
	for i := range f.inAllFrames {
		f.inAllFrames[i] = f.stateCounts[i] > 0
	}
	clear(f.stateCounts)
	vote(f.frames)
	for i := range f.inAllFrames {
		f.inAllFrames[i] = f.inAllFrames[i] && f.stateCounts[i] > 0
	}
	return f.inAllFrames
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

// stateSum is the time in states of one kind and reason, on the lane that ends the frames.
type stateSum struct {
	_            history.Incomparable
	kind         gather.StateKind
	reason       string
	ms, greatest float64
	longest      gather.LaneState
}

// addState adds the state that explains the excess, if states are known from package wait or an execution trace. It
// comes after the zones, and replaces a hint. A state that always takes long explains nothing.
func (f *Finder) addState(dst *report.Verdict) {
	if len(dst.Causes) == 0 || dst.Causes[0].Kind == report.CauseSpread || dst.Causes[0].Kind == report.CauseGPU {
		return
	}
	best, most, often := f.longestState(dst, false)
	if best < 0 {
		return
	}
	if len(dst.Causes) > 1 && (dst.Causes[1].Kind == report.CauseWaiting || !hasTimes(&dst.Causes[1])) {
		dst.Causes = dst.Causes[:1]
	}
	c := f.newCause(dst, report.CauseState, max(dst.Causes[0].Path, 0))
	c.State = f.sums[best].longest
	c.Time = most
	c.Usual = often
	c.Excess = most - max(often, 0)
	if c.Lane = c.State.By; c.State.Waker != 0 {
		if at, ok := f.Lanes.Index[c.State.Waker]; ok {
			c.Lane = f.Lanes.List[at].Name
		}
	}
}

// longestState returns the index in f.sums of the state that explains an excess, -1 for none, its time, and its usual
// time, below 0 if that is not known. It is one that the program chose, or another one.
func (f *Finder) longestState(dst *report.Verdict, chosen bool) (best int, most, often float64) {
	best, often = -1, -1
	if !f.States.Any() {
		return best, 0, often
	}
	f.sums, _ = f.stateSums(f.sums[:0], f.frames)
	n, usual, known := float64(len(f.frames)), []stateSum(nil), 0
	if len(f.sums) > 0 {
		usual, known = f.stateSums(nil, f.usual.frames)
	}
	for i := range f.sums {
		if measure.Chosen(&f.sums[i].longest) != chosen {
			continue
		}
		ms, least, before := f.sums[i].ms/n, f.sums[i].share()*dst.Excess, -1.0
		if chosen {
			least = leastPart * dst.Excess
		}
		gone := f.sums[i].kind == gather.StateGone // independent of the goroutine's work
		if known < leastUsual && !gone {
			least = max(least, dst.Time/2)
		} else if known >= leastUsual {
			if before = 0; ms >= least && ms > most && slices.IndexFunc(usual, f.sums[i].like) >= 0 {
				before = f.usualState(&f.sums[i], known)
			}
			least += before
		}
		if ms < least || ms <= most && !gone {
			continue
		}
		best = i
		most = ms
		often = before
		if gone {
			break
		}
	}
	return best, most, often
}

// usualState returns how long states like a sum's usually take in a frame, ms: the mean of the usual frames without the
// tenth in which they took longest. So one long wait before does not make the next one usual. known is the number of
// frames that have states.
func (f *Finder) usualState(a *stateSum, known int) float64 {
	f.stateTimes = f.stateTimes[:0]
	for k := range f.usual.frames {
		one, any := f.stateSums(f.ofOne[:0], f.usual.frames[k:k+1])
		f.ofOne = one
		if at := slices.IndexFunc(one, a.like); at >= 0 && any > 0 {
			f.stateTimes = append(f.stateTimes, float32(one[at].ms))
		}
	}
	slices.Sort(f.stateTimes)
	rare := (known + 9) / 10
	sum := float32(0)
	for _, ms := range f.stateTimes[:max(len(f.stateTimes)-rare, 0)] {
		sum += ms
	}
	return float64(sum) / float64(max(known-rare, 1))
}

// addMachine adds time that the machine took away to the causes of an excess, if it explains a large part, and reports
// whether it does. The zone in which that time passed is not known. So the other causes stay, unless the time leaves
// little to explain. It comes first, but after a cause that is greater without any of that time.
func (f *Finder) addMachine(dst *report.Verdict) bool {
	f.machineTook()
	sums := f.sums
	for i := range sums {
		q, ms := &sums[i], sums[i].ms/float64(len(f.frames))
		if q.kind == gather.StateGone && q.longest.OfMachine() && ms >= mainShare*dst.Excess {
			rest := f.besideMachine(dst, min(ms, dst.Excess))
			c := f.newCause(dst, report.CauseState, 0)
			c.State = q.longest
			c.Time = ms
			c.Usual = -1
			c.Excess = min(ms, dst.Excess)
			last := len(dst.Causes) - 1
			if first := &dst.Causes[0]; first.Taken > 0 || first.Excess <= c.Excess {
				machine := *c
				copy(dst.Causes[1:], dst.Causes[:last])
				dst.Causes[0] = machine
			}
			if dst.Rest = rest; rest < leastRest*dst.Excess {
				dst.Rest = 0
			}
			return true
		}
	}
	return false
}

// machineTook returns the time that the hypervisor or the CPU quota took, in ms a frame, and the reason. It leaves the
// states in f.sums.
func (f *Finder) machineTook() (ms float64, reason string) {
	f.sums = f.sums[:0]
	if !f.States.Any() {
		return 0, ""
	}
	f.sums, _ = f.stateSums(f.sums, f.frames)
	for i := range f.sums {
		if q := &f.sums[i]; q.longest.OfMachine() && q.ms/float64(len(f.frames)) > ms {
			ms, reason = q.ms/float64(len(f.frames)), q.reason
		}
	}
	return ms, reason
}

// besideMachine keeps the causes that have an excess of their own besides the time that the machine took. It returns
// the unexplained rest. The part of that time that does not fit outside the causes was taken inside them, most likely
// in the longest one.
func (f *Finder) besideMachine(dst *report.Verdict, taken float64) (rest float64) {
	rest = dst.Excess - taken
	if rest < leastRest*dst.Excess || len(dst.Causes) == 0 || dst.Causes[0].Kind == report.CauseSpread {
		dst.Causes = dst.Causes[:0]
		return rest
	}
	sum := 0.0
	for i := range dst.Causes {
		sum += dst.Causes[i].Excess
	}
	within := taken - max(dst.Excess-sum, 0)
	for i := range dst.Causes {
		c := &dst.Causes[i]
		part := max(min(within, c.Excess), 0)
		if within -= part; part >= leastRest*dst.Excess {
			c.Taken = part
		}
		c.Excess -= part
		rest -= c.Excess
	}
	return rest
}

// share is the least share of an excess that a state explains. For the collector it is the same as for its pauses. A
// stop of the process is never usual.
func (a *stateSum) share() float64 {
	switch a.kind {
	case gather.StateAssist, gather.StateStopped:
		return leastPart
	case gather.StateGone:
		return mainShare
	case gather.StateSyscall: // often several calls, with work between them
		return mostOf
	}
	return slackShare
}

// like reports whether two sums are of the same kind and reason.
func (a *stateSum) like(b stateSum) bool { return a.kind == b.kind && a.reason == b.reason }

// stateSums sums the states of the updating lane in frames, without running. known is the number of frames in which it
// has states.
func (f *Finder) stateSums(sums []stateSum, frames []*history.Frame) (_ []stateSum, known int) {
	for _, p := range frames {
		updater, any := p.UpdatedBy(f.Lanes), false
		f.States.Each(p.From, p.To, func(q *gather.LaneState) {
			own := q.Lane == updater && updater != 0
			any = any || own
			whole := q.Lane == 0 && (q.Kind == gather.StateStopped || q.Kind == gather.StateGone)
			if q.Kind == gather.StateRunning || !own && !whole {
				return
			}
			ms := float64(min(q.End, p.To)-max(q.Begin, p.From)) * p.PerTick
			at := slices.IndexFunc(sums, func(a stateSum) bool { return a.kind == q.Kind && a.reason == q.Reason })
			if at < 0 {
				at = len(sums)
				sums = append(sums, stateSum{kind: q.Kind, reason: q.Reason})
			}
			sum := &sums[at]
			if sum.ms += ms; ms > sum.greatest {
				sum.greatest, sum.longest = ms, *q
			}
		})
		if any {
			known++
		}
	}
	return sums, known
}

// addWaits adds a hint: the waits of all goroutines for a processor or for locks, if they explain the excess, and
// nothing else but one zone is known. The sum may come from other goroutines, so it is never the first cause.
func (f *Finder) addWaits(dst *report.Verdict) {
	n := len(dst.Causes)
	if n == 2 && dst.Causes[1].Kind == report.CauseNotRunning {
		n = 1
	}
	if n != 1 || dst.Causes[0].Kind == report.CauseSpread {
		return
	}
	mean := f.mean()
	kind, time, usual := report.CauseProcessor, mean.QueueMS, f.usual.queue
	if mean.LocksMS-f.usual.locks.mid > mean.QueueMS-usual.mid {
		kind, time, usual = report.CauseLocks, mean.LocksMS, f.usual.locks
	}
	if time-usual.mid < slackShare*dst.Excess {
		return
	}
	c := f.newCause(dst, kind, 0)
	c.Name = ""
	c.Time = time
	c.Usual = usual.mid
	c.Spread = usual.spread
	c.Excess = time - usual.mid
	if c.Count = report.WaitingAtOnce(time, mean.LengthMS); c.Count > 0 {
		c.Often = usual.mid / max(f.usual.length.mid, 1e-9)
	}
}

// addWorker adds a zone of another goroutine that took longer than usual meanwhile, if that explains the cause: a wait,
// or a zone that may have waited, which took as much longer. It is the last cause, because it is only likely that one
// goroutine waited for the other. If the goroutine that ended the wait is known, the zone is its own.
func (f *Finder) addWorker(dst *report.Verdict) {
	if len(dst.Causes) == 0 || !f.frames[0].Led() {
		return
	}
	first, last := &dst.Causes[0], &dst.Causes[len(dst.Causes)-1]
	if last.Kind == report.CauseState {
		if q := &last.State; q.Kind != gather.StateWaiting || q.Waker == 0 && q.By == "" {
			return
		}
		lane := f.Lanes.PlaceOf(last.State.Waker)
		own := f.worstOn(func(l *history.LaneRecords) bool { return l.Worker() && l.Place == lane })
		if own.path >= 0 && own.selfExcess >= mainShare*last.Excess && !f.Tree.Paths[own.path].Idle {
			f.worker(dst, &own, f.Lanes.List[lane].Name)
			return
		}
	}
	if len(dst.Causes) > 1 && last.Kind != report.CauseState || !mayWait(first) {
		return
	}
	path := f.worstOn((*history.LaneRecords).Worker)
	if path.path < 0 || path.selfExcess < slackShare*first.Excess || f.Tree.Paths[path.path].Idle {
		return
	}
	if first.Kind != report.CauseWaiting && path.selfExcess > first.Excess/slackShare {
		return
	}
	f.worker(dst, &path, f.laneMostIn(path.path))
}

// worker adds a path of another lane as a cause.
func (f *Finder) worker(dst *report.Verdict, path *candidate, lane string) {
	c := f.newCause(dst, report.CauseWorker, path.path)
	c.Self = true
	c.Time = path.self
	c.Usual = path.usual.self.mid
	c.Excess = path.selfExcess
	c.Count = path.count
	c.Spread, c.Lane = path.usual.self.spread, lane
	dst.Causes[0].Chosen = false // it waited for this
}

// mayWait reports whether a cause may be a wait for another goroutine: an idle zone, or a zone with the excess in its
// self time.
func mayWait(c *report.Cause) bool {
	switch c.Kind {
	case report.CauseWaiting, report.CauseLonger, report.CauseNewPath, report.CauseOutside:
		return true
	}
	return false
}

// The limits of a burst of allocations.
const (
	leastBurst = 4 << 20 // bytes
	manyBytes  = 4       // in times of the usual
)

// addAllocated adds a hint as the second cause: the frames allocated far more than usual, which caused work for the
// collector.
func (f *Finder) addAllocated(dst *report.Verdict) {
	if len(dst.Causes) != 1 || dst.Causes[0].Kind == report.CauseCollector ||
		dst.Causes[0].Kind == report.CauseWaiting {
		return
	}
	bytes := 0.0
	cycles := 0.0
	took := 0.0
	n := float64(len(f.frames))
	for _, p := range f.frames {
		bytes, cycles = bytes+float64(p.AllocBytes)/n, cycles+float64(p.Cycles)/n
		took += float64(p.Assist+p.Pause) / n
	}
	usual := f.usual.bytes
	if cycles == 0 || bytes < max(leastBurst, manyBytes*usual.mid, usual.mid+restSpreads*usual.spread) {
		return
	}
	c := f.newCause(dst, report.CauseAllocated, 0)
	c.Name = ""
	c.Bytes = bytes
	c.OftenBytes = usual.mid
	c.Count = cycles
	c.Time = took
	c.Excess = min(took, dst.Excess)
}

// laneMostIn returns the name of the worker with the most time in a path, in the frames to explain.
func (f *Finder) laneMostIn(path int32) (name string) {
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
				most, name = sum, f.Lanes.List[l.Place].Name
			}
		}
	}
	return name
}
