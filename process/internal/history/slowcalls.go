package history

import (
	"strconv"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/process/report"
)

// SlowCalls has the slow calls of a session, oldest first.
type SlowCalls struct {
	List []*report.SlowCall
	Seen uint64 // number of slow calls ever taken
}

// Take keeps a slow call of a frame, and returns it. lane is the name of its lane. Inconsistent parts are left out.
func (l *SlowCalls) Take(c *gather.SlowCall, p *Frame, zones []gather.ZoneInfo, lane string) (out *report.SlowCall) {
	if uint32(c.Zone) >= uint32(len(zones)) || c.End <= c.Begin || c.Usual < 0 {
		return nil
	}
	out = &report.SlowCall{Zone: c.Zone, Name: zones[c.Zone].Name, Lane: c.Lane, LaneName: lane, Frame: p.Index,
		Ended: p.Ended, Begin: c.Begin, End: c.End, Time: float64(c.End-c.Begin) * p.PerTick,
		Usual: float64(c.Usual) * p.PerTick}
	for i := range c.Parts[:min(len(c.Parts), measure.MaxCallParts)] {
		if q := &c.Parts[i]; uint32(q.Zone) < uint32(len(zones)) {
			out.Parts = append(out.Parts, report.CallPart{Zone: q.Zone, Name: zones[q.Zone].Name, Level: int(q.Level),
				Count: q.Count, Time: float64(q.Time) * p.PerTick,
				Idle: zones[q.Zone].Idle && !zones[q.Zone].Blocked})
		}
	}
	l.Seen++
	if len(l.List) >= report.MaxSlowCalls {
		l.dropOne()
	}
	l.List = append(l.List, out)
	return out
}

// mostCallFrames is the number of frames before its last one that are searched for remarks on a slow call. When the
// remarks have mostSaid bytes, no more are added.
const mostCallFrames, mostSaid = 256, 512

// Say finds the remarks on a call that ended in a frame. For a zone that calls itself, the outermost call counts. left
// is the number of remarks that may still be searched.
func (h *Ring) Say(c *report.SlowCall, p *Frame, left *int) {
	first, level := p.Seq, int32(0)
	for first > h.First() && p.Seq-first < mostCallFrames && h.At(first-1).To > c.Begin {
		first--
	}
	for ; first <= p.Seq; first++ {
		list := h.At(first).Remarks
		for i := 0; list != nil && i < len(*list) && *left > 0; i++ {
			*left--
			m := &(*list)[i]
			if m.Lane != c.Lane || m.Zone != c.Zone || m.Time < c.Begin || m.Time > c.End {
				continue
			}
			text := m.Text
			if m.Valued {
				text = "value " + strconv.FormatFloat(m.Value, 'f', -1, 64)
			}
			if c.Said == "" || m.Level < level {
				c.Said, level = text, m.Level
			} else if m.Level == level && len(c.Said) < mostSaid {
				c.Said += ", " + text
			}
		}
	}
}

// dropOne drops the call with the least excess in the older half.
func (l *SlowCalls) dropOne() {
	least := 0
	for i := range l.List[:len(l.List)/2] {
		if l.List[i].Excess() < l.List[least].Excess() {
			least = i
		}
	}
	l.List = append(l.List[:least], l.List[least+1:]...)
}
