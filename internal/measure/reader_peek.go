//go:build !iprof_off

package measure

import (
	"slices"
	"sort"
	"sync"

	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// A Peek may read many lanes. It unlocks the registry between lanes, so that no Collect and no new goroutine waits
// long. It must not miss or repeat a measurement, in spite of changes meanwhile:
//
//   - A Collect ends the frame that the Peek reads. It leaves the ended frame's part of the unread lanes to the Peek.
//   - An ended lane is merged into another one. The Peek gets both before.
//   - The clock is replaced. Then no measurements are left.

// peekPart is the number of nodes that a Peek reads before it unlocks the registry. A lane counts as laneWorth nodes.
const (
	peekPart  = 4096
	laneWorth = 16
)

var runningPeek peeking

// peeking is the state of the running Peek. The registry's mutex guards all fields except one.
type peeking struct {
	one        sync.Mutex // held by a Peek until its end; comes before the registry's mutex
	active     bool       // the frame goes on, with the same clock
	ended      bool       // the frame has ended
	first      *Lane      // the updater, or nil
	nextLane   LaneID     // lanes below it have been read
	endTime    platform.Ticks
	earlyLanes quiet.Index // of lanes read before their turn
	rest       Frame       // lanes that others have read for it
	part       int         // nodes read since it last unlocked the registry
	parts      uint64      // number of times that it unlocked the registry
	set        *Set
	began      func() // called at the beginning, with the registry locked; or nil
}

// peek fills f. If see is not nil, it gets each lane, and f has none afterwards.
func (s *Set) peek(f *Frame, t turn, see func(l *LaneFrame)) {
	p := &runningPeek
	if t != turnGovern {
		p.one.Lock()
	} else if !p.one.TryLock() { // the governor's next beat will do
		return
	}
	defer p.one.Unlock()
	p.set = s
	if several.peek != nil && t != turnGovern {
		several.peek(p, f, see)
		return
	}
	for !p.readAll(f, t, see) {
	}
}

// readAll reads all lanes. It returns false if the clock was replaced meanwhile.
func (p *peeking) readAll(f *Frame, t turn, see func(l *LaneFrame)) bool {
	own := laneFor(false)
	lockRegistry()
	if own != nil && own.ended {
		own = nil
	}
	r := &reading
	r.set = p.set
	p.endTime = r.beginReport(f, own, false, t)
	if p.began != nil {
		p.began()
	}
	p.active, p.ended, p.nextLane = true, false, 0
	if p.first = r.updater(own, false); p.first != nil {
		p.read(f, p.first, true)
	}
	for p.readPart(f, see) {
		unlockRegistry()
		f.give(see)
		registry.mu.letOthers()
		lockRegistry()
		if !p.active {
			break
		}
	}
	done := p.active || p.ended
	if done {
		p.end(f)
	}
	p.active = false
	p.first = nil
	p.rest = Frame{}
	p.earlyLanes = quiet.Index{}
	unlockRegistry()
	f.give(see)
	return done
}

// readPart reads some lanes. It returns false after the last one.
func (p *peeking) readPart(f *Frame, see func(l *LaneFrame)) (more bool) {
	p.part = 0
	at, _ := registry.awake.find(p.nextLane)
	for _, l := range registry.awake[at:] {
		if p.part >= peekPart || see != nil && len(f.Lanes) > 0 {
			p.parts++
			return true
		}
		if !p.has(l) {
			p.read(f, l, false)
		}
		p.nextLane = l.id + 1
	}
	return false
}

// has reports whether a lane has been read.
func (p *peeking) has(l *Lane) bool { return l == p.first || p.hasID(l.id) }

func (p *peeking) hasID(id LaneID) bool {
	_, early := p.earlyLanes.Find(uintptr(id) + 1)
	return id < p.nextLane || early
}

func (p *peeking) read(f *Frame, l *Lane, updater bool) {
	l.mu.Lock()
	p.part += laneWorth + len(l.base)
	l.mu.Unlock()
	upTo := p.endTime // the frame's end, even if this goroutine had to wait
	if !updater {
		upTo = max(platform.Now(), upTo)
	}
	l.report(f, upTo, updater, false)
}

// readEarly reads a lane for a running Peek before the lane gives or gets measurements. The registry's mutex is held.
func (p *peeking) readEarly(l *Lane) {
	if !p.active || p.has(l) {
		return
	}
	p.earlyLanes.Set(uintptr(l.id)+1, 0)
	p.read(&p.rest, l, false)
}

// endFrame leaves the unread lanes of the frame that has just ended to a running Peek.
func (p *peeking) endFrame(f *Frame) {
	if !p.active {
		return
	}
	p.active, p.ended = false, true
	lanes := p.rest.Lanes
	for _, l := range f.Lanes {
		if p.hasID(l.ID) || p.first != nil && l.ID == p.first.id {
			continue
		}
		l.Nodes, l.Extras, l.Updater = slices.Clone(l.Nodes), slices.Clone(l.Extras), l.Updater && p.first == nil
		lanes = append(lanes, l)
	}
	p.rest = *f
	p.rest.Lanes, p.rest.Values, p.rest.Marks = lanes, slices.Clone(f.Values), slices.Clone(f.Marks)
	p.rest.States, p.rest.SlowCalls = slices.Clone(f.States), slices.Clone(f.SlowCalls)
}

// end fills the fields that are read after the lanes, and adds the lanes that others have read.
func (p *peeking) end(f *Frame) {
	lanes := append(f.Lanes, p.rest.Lanes...)
	if p.ended {
		p.rest.nodes, p.rest.extras = f.nodes, f.extras
		*f = p.rest
		f.Lanes = lanes
	} else {
		f.Lanes = lanes
		reading.endReport(f, p.endTime, false)
		reportTexts(f, false)
	}
	if len(p.rest.Lanes) > 0 {
		sort.Sort(byUpdater(f.Lanes))
	}
}

// byUpdater sorts lanes: see byNode. The updater comes first.
type byUpdater []LaneFrame

func (b byUpdater) Len() int { return len(b) }
func (b byUpdater) Less(i, k int) bool {
	return b[i].Updater && !b[k].Updater || b[i].Updater == b[k].Updater && b[i].ID < b[k].ID
}
func (b byUpdater) Swap(i, k int) { b[i], b[k] = b[k], b[i] }

// give calls see with each lane of f, and then empties f. It does nothing if see is nil.
func (f *Frame) give(see func(l *LaneFrame)) {
	if see == nil {
		return
	}
	for i := range f.Lanes {
		see(&f.Lanes[i])
	}
	f.nodes, f.extras, f.Lanes = f.nodes[:0], f.extras[:0], f.Lanes[:0]
}
