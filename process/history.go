package process

import "example.com/iprof/process/internal/history"

// settle derives busy and idle time.
func (s *store) settle(p *history.Frame, sum logged) {
	p.SpanMS = min(float64(sum.whole)*p.PerTick, p.LengthMS)
	p.BusyMS = max(0, p.LengthMS-float64(sum.waiting)*p.PerTick)
	p.IdleMS = float64(sum.waiting+sum.others) * p.PerTick
	p.Busy, p.GPU, p.HasGPU = float32(p.BusyMS), float32(p.GPUMS), p.Devices
	p.Others, p.OtherLanes = float32(float64(sum.working)*p.PerTick), sum.workers
	p.Over = s.over(p.BusyMS)
	s.past.Clock += p.LengthMS / 1000
	p.Ended = s.past.Clock
}
