package history

import "example.com/iprof/gather"

// BusyOf returns the time in ms in the zones of a lane that are not idle.
func (p *Frame) BusyOf(l *LaneRecords) (busy float64) {
	for _, r := range p.Records[l.From+1 : l.To] {
		if r.Path&IdleBit == 0 {
			busy += float64(r.Self)
		}
	}
	return busy * p.PerTick
}

// Waker is a goroutine that ended waits of another, and how long these were.
type Waker struct {
	Lane gather.LaneID
	Ms   float64
}
