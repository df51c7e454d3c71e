package history

import (
	"math"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// BusyOf returns the time in ms in the zones of a lane that are not idle.
func (p *Frame) BusyOf(l *LaneRecords) (busy float64) {
	for _, r := range p.Records[l.From+1 : l.To] {
		if r.Path&IdleBit == 0 {
			busy += float64(r.Self)
		}
	}
	return busy * p.PerTick
}

// Waited reports whether the goroutine that ended the frame waited for a part of it that is worth a word.
func (p *Frame) Waited() bool { return p.LengthMS-p.BusyMS >= report.Alike*p.LengthMS }

// Likely returns what the goroutine that ended the frame is likely to have waited for, where states do not say it: a
// goroutine that worked just as long, in ms, and its place in Lanes.List; -1 if there is none.
func (p *Frame) Likely() (ms float64, lane int32) {
	lane = -1
	best := report.Alike * p.LengthMS
	for i := range p.Lanes {
		l := &p.Lanes[i]
		if !l.Worker() {
			continue
		}
		busy := p.BusyOf(l)
		if off := math.Abs(busy - (p.LengthMS - p.BusyMS)); off <= best && busy < report.BoundShare*p.LengthMS {
			ms, lane, best = busy, l.Place, off
		}
	}
	return ms, lane
}

// Waker is a goroutine that ended waits of another, and how long these were.
type Waker struct {
	Lane gather.LaneID
	Ms   float64
}
