package history

import (
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// SlowCalls are the slow calls of a session, oldest first.
type SlowCalls struct {
	List []*report.SlowCall
	Seen uint64 // ever taken
}

// Take keeps a slow call of a frame. lane is the name of its lane. What contradicts itself is left out.
func (l *SlowCalls) Take(c *gather.SlowCall, p *Frame, zones []gather.ZoneInfo, lane string) {
	if uint32(c.Zone) >= uint32(len(zones)) || c.End <= c.Begin || c.Usual < 0 {
		return
	}
	out := &report.SlowCall{Zone: c.Zone, Name: zones[c.Zone].Name, Lane: c.Lane, LaneName: lane, Frame: p.Index,
		Ended: p.Ended, Begin: c.Begin, End: c.End, Time: float64(c.End-c.Begin) * p.PerTick,
		Usual: float64(c.Usual) * p.PerTick}
	for i := range c.Parts[:min(len(c.Parts), gather.MostCallParts)] {
		if q := &c.Parts[i]; uint32(q.Zone) < uint32(len(zones)) {
			out.Parts = append(out.Parts, report.CallPart{Zone: q.Zone, Name: zones[q.Zone].Name, Level: int(q.Level),
				Count: q.Count, Time: float64(q.Time) * p.PerTick})
		}
	}
	l.Seen++
	if len(l.List) >= report.MostSlowCalls {
		l.dropOne()
	}
	l.List = append(l.List, out)
}

// dropOne drops the call least over its usual of the older half.
func (l *SlowCalls) dropOne() {
	least := 0
	for i := range l.List[:len(l.List)/2] {
		if l.List[i].Excess() < l.List[least].Excess() {
			least = i
		}
	}
	l.List = append(l.List[:least], l.List[least+1:]...)
}
