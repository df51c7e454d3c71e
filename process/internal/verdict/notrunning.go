package verdict

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/report"
)

// A clock of processor time that counts the system's ticks of 1/64 s may be late by one tick for each of its two parts,
// the program's and the system's.
const (
	coarseTick = 1000.0 / 64 // ms
	coarseLate = 2 * coarseTick
)

// addNotRunning adds the time in which the goroutine did not run, if that explains the excess, and no state says why.
// That time is known from processor times, so work with allocations is not taken for it.
func (f *Finder) addNotRunning(dst *report.Verdict) {
	n := len(dst.Causes)
	if n == 0 || !f.frames[0].Led() || f.traced() {
		return
	}
	zones := 0.0
	for i := range dst.Causes {
		c := &dst.Causes[i]
		if zones += c.Time; c.Kind == report.CauseWaiting || c.Kind == report.CauseLargest || !hasTimes(c) {
			return
		}
	}
	stood, known := stoodIn(f.frames)
	if !known || stood < slackShare*dst.Excess {
		return
	}
	usual := middle{}
	if _, known = stoodIn(f.usual.frames); known {
		usual = f.usual.of(standingOf)
	}
	if stood-usual.mid < max(slackShare*dst.Excess, restSpreads*usual.spread) {
		return
	}
	c := f.newCause(dst, report.CauseNotRunning, max(dst.Causes[0].Path, 0))
	c.Time = min(stood, zones)
	if c.Usual = usual.mid; !known {
		c.Usual = -1
	}
	c.Spread = usual.spread
	c.Excess = c.Time - usual.mid
}

// traced reports whether an execution trace knows the states of the goroutine in the frames to explain. Package wait
// knows only some of its waits.
func (f *Finder) traced() (traced bool) {
	if !f.States.Traced {
		return false
	}
	for _, p := range f.frames {
		updater := p.UpdatedBy(f.Lanes)
		f.States.Each(p.From, p.To, func(q *gather.LaneState) {
			traced = traced || q.Lane == updater && q.Kind != gather.StateWaiting
		})
	}
	return traced
}

// stoodIn returns the mean of standingOf in frames. known reports whether all of them have processor times.
func stoodIn(frames []*history.Frame) (mean float64, known bool) {
	known = len(frames) > 0
	for _, p := range frames {
		mean += standingOf(p) / float64(len(frames))
		known = known && p.CPUMS > 0
	}
	return mean, known
}

// standingOf returns the least time, in ms, in which the goroutine that ends the frames did not run in a frame, without
// the zones that wait and the time away. It is 0 if it is not known.
//
// The processor time of the process is a bound of the goroutine's. That of its thread is its own, if it is locked to
// it.
func standingOf(p *history.Frame) float64 {
	ran := p.CPUMS
	for i := range p.Lanes {
		if l := &p.Lanes[i]; l.Updater && l.CPU > 0 {
			ran = min(ran, l.CPU)
		}
	}
	if ran <= 0 {
		return 0
	}
	if ran-coarseTick*math.Floor(ran/coarseTick) < 1e-6 { // math.Mod is more code in every program
		ran += coarseLate
	}
	return max(0, p.BusyMS-ran-p.AwayMS)
}
