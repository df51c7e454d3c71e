package process

import (
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/totals"
)

// settle derives busy and idle time.
func (s *store) settle(p *history.Frame, sum totals.Logged) {
	p.SpanMS = min(float64(sum.Whole)*p.PerTick, p.LengthMS)
	p.BusyMS = max(0, p.LengthMS-float64(sum.Waiting)*p.PerTick)
	p.IdleMS = float64(sum.Waiting+sum.Others) * p.PerTick
	p.Busy, p.GPU, p.HasGPU = float32(p.BusyMS), float32(p.GPUMS), p.Devices
	p.Others, p.OtherLanes = float32(float64(sum.Working)*p.PerTick), sum.Workers
	p.Over = s.over(p.BusyMS)
	s.past.Clock += p.LengthMS / 1000
	p.Ended = s.past.Clock
}
