//go:build !iprof_off

package gather

import (
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
)

// What the host can do wrong.
const (
	extraEnd = iota
	missingEnd
	otherLane
	clockBack
	clockJump
	deferInLoop
	mistakes
)

// mostNotes is how many sentences are kept.
const mostNotes = 8

// misuseLog counts mistakes, and keeps a sentence about the latest places. Its mutex is taken before the zones'.
type misuseLog struct {
	counts [mistakes]atomic.Uint64
	mu     sync.Mutex
	told   map[noteID]bool
	notes  []string // replaced, never changed
}

type noteID struct {
	mistake int
	zone    int32
}

var misuse misuseLog

// dropped counts what limits kept out.
var dropped struct {
	names, nodes, lanes, events, counters atomic.Uint64
}

// note counts a mistake and says where it was, once for each zone.
func (m *misuseLog) note(mistake int, zone int32) {
	m.counts[mistake].Add(1)
	if zone < 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	id := noteID{mistake, zone}
	if m.told[id] || len(m.told) > 1000 {
		return
	}
	if m.told == nil {
		m.told = make(map[noteID]bool)
	}
	m.told[id] = true
	start := max(0, len(m.notes)+1-mostNotes)
	m.notes = append(append([]string(nil), m.notes[start:]...), sentence(mistake, zones.info(zone)))
}

func (m *misuseLog) report() Misuse {
	m.mu.Lock()
	defer m.mu.Unlock()
	return Misuse{
		ExtraEnd:    m.counts[extraEnd].Load(),
		MissingEnd:  m.counts[missingEnd].Load(),
		OtherLane:   m.counts[otherLane].Load(),
		ClockBack:   m.counts[clockBack].Load(),
		ClockJump:   m.counts[clockJump].Load(),
		DeferInLoop: m.counts[deferInLoop].Load(),
		Notes:       m.notes,
	}
}

// sentence names the zone, its place, and the remedy.
func sentence(mistake int, zone ZoneInfo) string {
	name := strconv.Quote(zone.Name)
	s := "zone " + name
	if zone.File != "" {
		s += " (" + filepath.Base(zone.File) + ":" + strconv.Itoa(zone.Line) + ")"
	}
	switch mistake {
	case extraEnd:
		return s + ` was ended twice: one End for each Begin`
	case otherLane:
		return s + ` was used on another goroutine than the one that began it`
	case deferInLoop:
		return s + ` is deferred in a loop: use Span`
	}
	if zone.Public {
		return s + ` never ended: did you mean defer z.Begin().End()?`
	}
	return s + ` never ended: did you mean defer iprof.Begin(` + name + `).End()?`
}
