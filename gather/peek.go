//go:build !iprof_off

package gather

import (
	"slices"
	"sort"
	"sync"

	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// A Peek may read many lanes. It gives the registry to others between lanes, so that no Collect and no new goroutine
// waits for it long. What others do meanwhile must not make it miss a measurement, or have one twice:
//
//   - A Collect ends the frame that the Peek reads. It leaves to the Peek what the ended frame has of the other lanes.
//   - An ended lane is merged into another one. Both are read for the Peek before.
//   - The clock is replaced. Then there are no measurements any more.

// Peek fills f as Collect does, but does not end the frame: the next Collect reports the same measurements again. If
// another goroutine ends the frame meanwhile, f has the rest of that frame. It makes no lane for the calling goroutine.
// The Updater is the lane that ended the last frame; before the first frame it is the main goroutine's lane, or else
// the caller's. Any goroutine may call it. Collect does not wait for it longer than for some thousand nodes.
func Peek(f *Frame) { peek(f, noTurn, nil) }

// PeekEach is Peek for frames with very many nodes: it calls see with one lane after another, and needs memory for one
// only. The lane is valid during the call. f has no lanes afterwards. Frames may end meanwhile, but another Peek waits
// for this one. see must not call this package.
func PeekEach(f *Frame, see func(l *LaneFrame)) { peek(f, noTurn, see) }

// peekPart is how many nodes a Peek reads before it lets others have the registry. A lane counts as laneWorth nodes.
const (
	peekPart  = 4096
	laneWorth = 16
)

// peeking is the Peek that is under way. The registry's mutex guards it, but for one.
type peeking struct {
	one    sync.Mutex // held by a Peek until it ends; it comes before the registry's mutex
	active bool       // neither the frame has ended, nor has the clock been replaced
	ended  bool       // the frame has ended
	first  *Lane      // the updater, or nil
	next   LaneID     // lanes below it have been read
	now    platform.Ticks
	early  quiet.Index // of lanes read before their turn
	rest   Frame       // what others have read for it
	part   int         // nodes read since others had the registry
	parts  uint64      // how often others had it, in all
}

// peek fills f. If see is not nil, it gets each lane, and f has none afterwards.
func peek(f *Frame, t turn, see func(l *LaneFrame)) {
	p := &registry.peek
	if t != turnGovern {
		p.one.Lock()
	} else if !p.one.TryLock() { // the governor's next beat will do
		return
	}
	defer p.one.Unlock()
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
	u := &registry.updates
	p.now = u.beginReport(f, own, false, t)
	p.active, p.ended, p.next = true, false, 0
	if p.first = u.updater(own, false); p.first != nil {
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
	p.active, p.first, p.rest, p.early = false, nil, Frame{}, quiet.Index{}
	unlockRegistry()
	f.give(see)
	return done
}

// readPart reads some lanes. It returns false after the last one.
func (p *peeking) readPart(f *Frame, see func(l *LaneFrame)) (more bool) {
	p.part = 0
	at, _ := registry.awake.find(p.next)
	for _, l := range registry.awake[at:] {
		if p.part >= peekPart || see != nil && len(f.Lanes) > 0 {
			p.parts++
			return true
		}
		if !p.has(l) {
			p.read(f, l, false)
		}
		p.next = l.id + 1
	}
	return false
}

// has reports whether a lane has been read.
func (p *peeking) has(l *Lane) bool { return l == p.first || p.hasID(l.id) }

func (p *peeking) hasID(id LaneID) bool {
	_, early := p.early.Find(uintptr(id) + 1)
	return id < p.next || early
}

func (p *peeking) read(f *Frame, l *Lane, updater bool) {
	l.mu.Lock()
	p.part += laneWorth + len(l.seen)
	l.mu.Unlock()
	upTo := p.now // the frame's end, also if this goroutine had to wait
	if !updater {
		upTo = max(platform.Now(), upTo)
	}
	l.report(f, upTo, updater, false)
}

// readEarly reads a lane for the Peek under way, if there is one, as the lane is about to give or get measurements. The
// registry's mutex is held.
func (p *peeking) readEarly(l *Lane) {
	if !p.active || p.has(l) {
		return
	}
	p.early.Set(uintptr(l.id)+1, 0)
	p.read(&p.rest, l, false)
}

// endFrame leaves to the Peek under way, if there is one, what it has not yet read of the frame that has just ended.
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

// end fills the fields that are read after the lanes, and adds the lanes of other readers.
func (p *peeking) end(f *Frame) {
	lanes := append(f.Lanes, p.rest.Lanes...)
	if p.ended {
		p.rest.nodes, p.rest.extras = f.nodes, f.extras
		*f = p.rest
		f.Lanes = lanes
	} else {
		f.Lanes = lanes
		registry.updates.endReport(f, p.now, false)
		f.Misuse, f.Dropped = misuseSoFar(), droppedSoFar()
		reportMarks(f, false)
		reportSlowCalls(f, false)
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
