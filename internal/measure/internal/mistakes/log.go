// Package mistakes counts the mistakes of a host program, and keeps sentences about some.
//
//	if log.Add(mistakes.ExtraEnd, zone) {
//		log.Note(mistakes.Sentence(mistakes.ExtraEnd, place))
//	}
package mistakes

import (
	"strconv"
	"sync/atomic"

	"example.com/iprof/internal/quiet"
)

// Kind is a mistake that a host can make.
type Kind int

// The kinds of mistakes.
const (
	ExtraEnd Kind = iota
	MissingEnd
	OtherLane
	ClockBack
	ClockJump
	DeferInLoop
	Piled // begun repeatedly in one call of a function: noted here, and counted as another kind once that is clear
	kinds
)

const (
	mostNotes = 8    // sentences kept
	mostNoted = 1000 // zones that get one
)

// Log counts mistakes and keeps sentences about the latest places. The zero value is empty. Any goroutine may call its
// methods.
type Log struct {
	counts   [kinds]atomic.Uint64
	mu       quiet.Mutex
	mistakes []zoneMistake
	notes    []string // replaced, never changed
}

type zoneMistake struct {
	kind Kind
	zone int32
}

// Count counts n mistakes without a place.
func (m *Log) Count(k Kind, n uint64) { m.counts[k].Add(n) }

// Counted returns the number of mistakes of a kind.
func (m *Log) Counted(k Kind) uint64 { return m.counts[k].Load() }

// Add counts a mistake. It reports whether it is the first of its kind for the zone, and should be noted. A negative
// zone is unknown, and never noted.
func (m *Log) Add(k Kind, zone int32) (first bool) {
	m.counts[k].Add(1)
	if zone < 0 {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	id := zoneMistake{k, zone}
	if len(m.mistakes) > mostNoted || m.has(id) || k == MissingEnd && m.has(zoneMistake{Piled, zone}) {
		return false
	}
	m.mistakes = append(m.mistakes, id)
	return true
}

// has reports whether a mistake was noted. The mutex is held.
func (m *Log) has(id zoneMistake) bool {
	for _, n := range m.mistakes {
		if n == id {
			return true
		}
	}
	return false
}

// Note keeps a sentence. It drops the oldest one if there are too many.
func (m *Log) Note(sentence string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	start := max(0, len(m.notes)+1-mostNotes)
	m.notes = append(append([]string(nil), m.notes[start:]...), sentence)
}

// Notes returns the latest sentences, oldest first. The slice is shared and never changes.
func (m *Log) Notes() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.notes
}

// Reset forgets everything.
func (m *Log) Reset() {
	m.mu.Lock()
	defer m.mu.Unlock()
	for i := range m.counts {
		m.counts[i].Store(0)
	}
	m.mistakes, m.notes = nil, nil
}

// Place is the place of a zone in the source.
type Place struct {
	Zone   string
	Site   string // "file.go:12", "" if unknown
	Public bool   // the zone is a variable; else it has only a name
}

// Sentence names the zone, its place and the remedy.
func Sentence(k Kind, at Place) string {
	name := strconv.Quote(at.Zone)
	s := "zone " + name
	if at.Site != "" {
		s += " (" + at.Site + ")"
	}
	switch k {
	case ExtraEnd:
		return s + ` was ended twice: one End for each Begin`
	case OtherLane:
		return s + ` was used on another goroutine than the one that began it`
	case Piled:
		return s + ` is begun again and again in one call of a function, and not ended: end it in the loop, or use Span`
	case DeferInLoop:
		return s + ` is deferred in a loop: use Span`
	}
	if at.Public {
		return s + ` never ended: did you mean defer z.Begin().End()?`
	}
	return s + ` never ended: did you mean defer iprof.Begin(` + name + `).End()?`
}
