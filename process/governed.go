package process

import (
	"fmt"

	"example.com/iprof/gather"
)

// saved is what was saved in a frame by counting entries instead of timing them, ms.
func (s *Session) saved(p *pastFrame) float64 {
	return float64(p.untimed) * (s.cost - s.countCost) * p.perTick
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

// untimedOf is how many entries of a frame were counted and not timed.
func untimedOf(f *gather.Frame) (n uint64) {
	for i := range f.Lanes {
		n += f.Lanes[i].Untimed
	}
	return n
}
