package iproftest

import (
	"time"

	"example.com/iprof/process/report"
)

// Disturbed returns the number of disturbed frames: for more than a tenth of such a frame the machine gave the
// processor to other programs. Budgets and baselines leave these frames out, so that they fail for the code and not for
// its neighbours. It is 0 where the system does not report it.
func (r *Result) Disturbed() (n int) {
	for i := range r.frames {
		if r.frames[i].disturbed {
			n++
		}
	}
	return n
}

// fewestFrames is the least number of undisturbed frames that stand for all.
const fewestFrames = 10

// settled returns the times of Times of the undisturbed frames, and their indices in r.frames. If there are too few, it
// returns all frames, each without the time that was away: the code alone took no less.
func (r *Result) settled(zone string) (times []time.Duration, frames []int) {
	all := r.Times(zone)
	few := len(all)-r.Disturbed() < min(fewestFrames, len(all))
	for i, took := range all {
		switch f := &r.frames[i]; {
		case few:
			times, frames = append(times, max(0, took-f.away)), append(frames, i)
		case !f.disturbed:
			times, frames = append(times, took), append(frames, i)
		}
	}
	return times, frames
}

// ofDisturbed returns words for the end of a failure, or "".
func (r *Result) ofDisturbed() string {
	if words := report.DisturbedWords(r.Disturbed(), len(r.frames)); words != "" {
		return " (" + words + ")"
	}
	return ""
}
