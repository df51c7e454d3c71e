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

// Waited reports whether the goroutine that ended the frame waited for a notable part of it.
func (p *Frame) Waited() bool { return p.LengthMS-p.BusyMS >= report.Alike*p.LengthMS }

// Likely returns the likely goroutine that the frame waited for, if states do not show it: one that worked as long as
// the frame waited. It returns that time in ms, and the place in Lanes.List, or -1.
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

// Waker is a goroutine that ended waits of another, with their total length.
type Waker struct {
	Lane gather.LaneID
	Ms   float64
}
