package html

import (
	"math"
	"strconv"

	"example.com/iprof/process/report"
)

// perMs is the number of units of time of a timeline in a millisecond: a unit is 10 ns.
const perMs = 100_000

// laneNames lists the names of lanes: timelines have their indexes, because each name is in many frames.
type laneNames struct {
	list  []string
	index map[string]int
}

func (n *laneNames) of(name string) int {
	at, known := n.index[name]
	if !known {
		at = len(n.list)
		n.index[name] = at
		n.list = append(n.list, name)
	}
	return at
}

// isTimed reports whether a frame has a timeline, or had one that the dump left out.
func isTimed(t *report.FrameTree) bool { return len(t.Timeline.Lanes) > 0 || t.Timeline.Left > 0 }

// append appends the timeline of a frame: its index, the lanes without scopes by their reasons, the number of scopes
// left out, and [name, device, from, scopes, remarks] for each lane, without the last if there are no remarks.
func (n *laneNames) append(b []byte, t *report.FrameTree) []byte {
	f := &t.Timeline
	b = strconv.AppendUint(append(b, `{"i":`...), t.Index, 10)
	keys := [...]string{`,"quiet":`, `,"gone":`, `,"off":`, `,"left":`}
	for i, v := range [...]int{f.Quiet, f.Gone, f.Off, f.Left} {
		b = strconv.AppendInt(append(b, keys[i]...), int64(v), 10)
	}
	b = appendList(append(b, `,"lanes":`...), f.Lanes, func(b []byte, l *report.FrameLane) []byte {
		b = strconv.AppendInt(append(b, '['), int64(n.of(l.Name)), 10)
		b = appendFlag(append(b, ','), l.Device)
		b = strconv.AppendInt(append(b, ','), units(l.From), 10)
		b = appendScopes(append(b, ','), l.Scopes)
		if len(l.Remarks) > 0 {
			b = appendList(append(b, ','), l.Remarks, appendRemark)
		}
		return append(b, ']')
	})
	return append(b, '}')
}

// appendRemark appends the number of a scope, and the remark on it.
func appendRemark(b []byte, m *report.FrameRemark) []byte {
	b = append(strconv.AppendInt(append(b, '['), int64(m.Scope), 10), ',')
	return append(appendText(b, string(m.AppendText(nil, nil))), ']')
}

// appendScopes appends four numbers for each scope: its begin relative to the previous scope's, its length, its zone,
// and four times its level, plus 2 if it began before the frame and 1 if it was open at the end.
func appendScopes(b []byte, scopes []report.FrameScope) []byte {
	b = append(b, '[')
	last := int64(0)
	for i := range scopes {
		s := &scopes[i]
		begin := units(s.Begin)
		level := 4 * int64(s.Level)
		if s.Before {
			level += 2
		}
		if s.After {
			level++
		}
		for _, v := range [...]int64{begin - last, max(units(s.End)-begin, 0), int64(s.Zone), level} {
			b = append(strconv.AppendInt(b, v, 10), ',')
		}
		last = begin
	}
	if len(scopes) > 0 {
		b = b[:len(b)-1]
	}
	return append(b, ']')
}

// units converts milliseconds, at most a few hours of them.
func units(ms float32) int64 {
	if v := math.Round(float64(ms) * perMs); math.Abs(v) < 1<<50 {
		return int64(v)
	}
	return 0
}

// appendTo appends [name, go statement] for each lane: see report.Crowd.
func (n *laneNames) appendTo(b []byte) []byte {
	return appendList(b, n.list, func(b []byte, s *string) []byte {
		b = appendText(append(b, '['), *s)
		return append(appendText(append(b, ','), report.Crowd(*s)), ']')
	})
}
