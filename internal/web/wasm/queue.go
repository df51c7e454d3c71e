//go:build js && wasm

package main

// queue holds the user's events for the loop, which may be reading a large file. No key and no click is lost.
// Consecutive waiting movements become one, and few repeats of a held key wait. A browser's page has one thread, so
// queue needs no lock.
type queue struct {
	waiting []event
	ready   chan struct{} // something waits
}

// event is one thing that the user did.
type event struct {
	do     func()
	kind   eventKind
	dx, dy float64 // of a turn of the wheel
}

type eventKind uint8

const (
	eventOther eventKind = iota
	eventMove            // the last of some in a row is enough
	eventTurn            // some in a row are one by their sum
)

// mostRepeats is the length of the queue above which repeats of a held key are dropped.
const mostRepeats = 64

func newQueue() *queue { return &queue{ready: make(chan struct{}, 1)} }

// add has the loop do something.
func (q *queue) add(e event) {
	q.waiting = append(q.waiting, e)
	select {
	case q.ready <- struct{}{}:
	default:
	}
}

// last returns the last waiting event if it is of a kind, else nil.
func (q *queue) last(kind eventKind) *event {
	if n := len(q.waiting); n > 0 && q.waiting[n-1].kind == kind {
		return &q.waiting[n-1]
	}
	return nil
}

// take returns the oldest event. ok is false for an empty queue.
func (q *queue) take() (e event, ok bool) {
	if len(q.waiting) == 0 {
		q.waiting = nil
		return event{}, false
	}
	e = q.waiting[0]
	q.waiting = q.waiting[1:]
	return e, true
}

// enqueue has the loop do something.
func (p *page) enqueue(do func()) { p.events.add(event{do: do}) }

// repeated is later for a held key.
func (p *page) repeated(do func()) {
	if len(p.events.waiting) < mostRepeats {
		p.enqueue(do)
	}
}

// moved has the loop take the place of the mouse.
func (p *page) moved(x, y float64) {
	do := func() { p.cursor(x, y) }
	if e := p.events.last(eventMove); e != nil {
		e.do = do
		return
	}
	p.events.add(event{do: do, kind: eventMove})
}

// turned has the loop take a turn of the wheel, in notches.
func (p *page) turned(dx, dy float64) {
	if e := p.events.last(eventTurn); e != nil {
		e.dx, e.dy = e.dx+dx, e.dy+dy
		return
	}
	p.events.add(event{kind: eventTurn, dx: dx, dy: dy})
}

// happen does all that waits.
func (p *page) happen() {
	for e, ok := p.events.take(); ok && !p.closed; e, ok = p.events.take() {
		if e.kind == eventTurn {
			p.desk.Scroll(e.dx, e.dy)
		} else {
			e.do()
		}
		p.desk.Save()
	}
	p.wake()
}
