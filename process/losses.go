package process

import (
	"sync"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// losses follows the time that the machine took away: the hypervisor, or the CPU quota of a container. The system tells
// how much, not when. So it is read at most ten times a second, beside the program's frames, and is taken for a part of
// the longest frame since.
type losses struct {
	mu    sync.Mutex // beats may overlap
	meter platform.LossMeter
	read  platform.Ticks // when it was read last, 0 for never
}

const (
	lossesEvery = 0.1                  // seconds
	leastLoss   = 5 * time.Millisecond // less is no reason for a late frame
)

// noteLosses reads what was lost, if it is time for that. The session is not locked.
func noteLosses(s *Session) {
	m := &s.heart.losses
	m.mu.Lock()
	defer m.mu.Unlock()
	now, rate := platform.Now(), platform.TicksPerSecond()
	if m.read != 0 && float64(now-m.read) < lossesEvery*rate {
		return
	}
	lost, since := m.meter.Read(), m.read
	if m.read = now; since == 0 {
		return
	}
	if lost.Stolen >= leastLoss {
		noteLoss(s, gather.ReasonStolen, lost.Stolen, since, now)
	}
	if lost.Throttled >= leastLoss {
		noteLoss(s, gather.ReasonThrottled, lost.Throttled, since, now)
	}
}

// noteLoss adds the state of a loss between two times.
func noteLoss(s *Session, reason string, lost time.Duration, since, now platform.Ticks) {
	s.mu.Lock()
	begin, end := s.longestFrame(since, now)
	s.mu.Unlock()
	end = min(end, begin+platform.Ticks(lost.Seconds()*platform.TicksPerSecond()))
	gather.AddState(gather.LaneState{Kind: gather.StateGone, Begin: begin, End: end, Reason: reason})
}

// longestFrame returns the longest frame that overlaps a stretch of time. The frame under way is one. The session is
// locked.
func (s *intake) longestFrame(since, now platform.Ticks) (begin, end platform.Ticks) {
	begin, end = since, now
	if s.past.Next > s.past.First() {
		begin = max(begin, s.past.At(s.past.Next-1).To)
	}
	for seq := s.past.Next; seq > s.past.First(); seq-- {
		p := s.past.At(seq - 1)
		if p.To <= since {
			break
		}
		if p.To-p.From > end-begin {
			begin, end = p.From, p.To
		}
	}
	return begin, end
}
