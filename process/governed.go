package process

import (
	"fmt"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// saved is what was saved in a frame by counting entries instead of timing them, or by not even counting them, ms.
func (s *Session) saved(p *pastFrame) float64 {
	return (float64(p.untimed)*(s.cost-s.countCost) + float64(p.muted)*(s.cost-s.muteCost)) * p.perTick
}

// missedLimit says that measuring takes more than the overhead limit; the text is made anew only when its numbers change.
func (s *Session) missedLimit(i *FrameInfo) string {
	at := [2]int{int(s.limit * 1000), int(i.Overhead * 1000)}
	if r := &s.rows; r.missedOf != at || r.missed == "" {
		r.missedOf = at
		r.missed = fmt.Sprintf("limit %.3g %% missed: measuring costs %.1f %% of the frame", s.limit*100, i.Overhead*100)
	}
	return s.rows.missed
}

// untimedOf is how many entries of a frame were counted and not timed, and how many are believed to have been not even counted.
func untimedOf(f *gather.Frame) (untimed, muted uint64) {
	for i := range f.Lanes {
		untimed += f.Lanes[i].Untimed
		muted += f.Lanes[i].Muted
	}
	return untimed, muted
}

// spare adds what was saved in a frame, so many times.
func (t *tally) spare(f *gather.Frame, times platform.Ticks) {
	untimed, muted := untimedOf(f)
	t.untimed += uint64(times) * untimed
	t.muted += uint64(times) * muted
}

// saved is what was saved in all, in parts of a tick.
func (t *tally) saved(f *gather.Frame) float64 {
	return float64(t.untimed)*float64(f.ScopeCost-f.CountCost) + float64(t.muted)*float64(f.ScopeCost-f.MuteCost)
}
