//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/platform"
)

// Replayed is the beginning or the end of an entry whose time was read before.
type Replayed struct {
	Zone *Zone // nil for an end
	At   platform.Ticks
}

// Replay enters and ends zones on the calling goroutine's lane, as C code did that the goroutine had called. The times
// must be later than the goroutine's latest Begin or End, and ascend. open are the entries that earlier calls left
// open, outermost first; Replay returns those that are open now. An end without an open entry is an ExtraEnd. A time
// before the end of a reported frame counts from there. Entries of muted zones are counted, but not timed. Entries of a
// goroutine without a lane are counted in Dropped.Foreign.
//
//go:norace
func Replay(open []Scope, list []Replayed) []Scope {
	l := (*Lane)(nil)
	if off == 0 {
		l = charged()
	}
	if l == nil {
		return replayNothing(open, list)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended {
		return replayNothing(open, list)
	}
	if l.metered {
		l.meter(l.at()) // C code allocates nothing of Go's
	}
	for i := range list {
		open = l.replay(open, &list[i])
	}
	return open
}

// replayNothing follows the nesting without measuring.
func replayNothing(open []Scope, list []Replayed) []Scope {
	for _, e := range list {
		switch {
		case e.Zone != nil:
			open = append(open, Scope{})
			if off == 0 {
				dropped.foreign.Add(1)
			}
		case len(open) > 0:
			open = open[:len(open)-1]
		}
	}
	return open
}

//go:norace
func (l *Lane) replay(open []Scope, e *Replayed) []Scope {
	if e.Zone == nil && len(open) == 0 {
		noteMisuse(mistakes.ExtraEnd, unknownZone)
		return open
	}
	t := e.At
	if last := l.lastRead(); last < platform.MaxTicks {
		t = max(t, last) // the reader has reported the lane until then
	}
	t = l.catchUp(t)
	if e.Zone == nil {
		last := len(open) - 1
		n := open[last].node()
		open = open[:last]
		if n != nil {
			l.end(n, t)
			l.endLate(t, t)
		}
	} else if n := l.mutedAt(e.Zone); n != nil {
		n.count++
		open = append(open, Scope{})
	} else {
		open = append(open, l.enter(l.at(), t, entry{key: zoneKey(e.Zone), zone: e.Zone}))
	}
	l.rearm(t)
	return open
}

// mutedAt returns the node of a muted zone below the innermost open one, or nil.
func (l *Lane) mutedAt(z *Zone) *node {
	if !l.mutes {
		return nil
	}
	if n := l.find(l.at(), zoneKey(z)); n != nil && n.flag&flagMuted != 0 {
		return n
	}
	return nil
}
