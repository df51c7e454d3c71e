//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// A lane without activity for some frames goes to sleep: it leaves registry.awake, and Collect no longer visits it. So
// waiting goroutines cost frames nothing, whatever their number. First the lane dozes: it is sent to the slow path, as
// by poke. The slow path wakes it, with the lane's mutex held. Collect visits a dozing lane for some more frames. These
// frames see a Begin that started before the poke: it has written Read or the lane's nodes by then. Functions without
// the slow path (Alloc, Units, Count) check dozing after they have written.
//
// A sleeping lane without an open zone has nothing to report. Its time passes outside zones. When it wakes, its time in
// ended frames is left out. Lanes with open zones sleep in beds: see below.

// A lane dozes after dozeAfter frames without activity, and sleeps after sleepAfter.
const (
	dozeAfter  = 4
	sleepAfter = 7
)

// quietSince returns the time since which no sleeping lane has had an entry or an end. The registry's mutex is held.
func (u *updates) quietSince() platform.Ticks { return u.ends[(u.frames.Load()+1)%uint64(len(u.ends))] }

// laneSleep is a lane's state of sleep. The lane's mutex guards it.
type laneSleep struct {
	asleep   bool           // not in registry.awake; written with both mutexes held
	quiet    int32          // reports in a row without activity
	fellAt   uint64         // number of frames at its falling asleep, or at the last look at it
	wokeAt   platform.Ticks // time of waking
	nextWoke *Lane          // next in the stack woken
}

// woken is a stack of woken lanes. The next Collect takes them.
var woken atomic.Pointer[Lane]

// reportedTo is the end of the last frame, in ticks: sleeping lanes count as reported up to then.
var reportedTo atomic.Int64

// maySleep reports whether a lane without activity may sleep. The mutexes are held.
//
//go:norace
func (l *Lane) maySleep() bool {
	return !l.main && !l.ended && !l.retired && !l.isNobodys() && off == 0 && (l.at() == l.root || l.mayLie()) &&
		l.governed == nil && !l.mutes && len(l.late)+l.touched.number+len(l.credits) == 0 && (l.named || !l.isVacant())
}

// doze runs in each Collect that found no activity on the lane. Both mutexes are held.
func (l *Lane) doze() {
	if l.quiet++; l.quiet < dozeAfter || !l.maySleep() {
		return
	}
	switch {
	case !l.dozing.Load():
		l.dozing.Store(true)
		l.poke()
	case !asked(l.slot):
		l.quiet = dozeAfter // the lane's goroutine has overwritten the poke
		l.poke()
	case l.quiet >= sleepAfter && loadTicks(&l.slot.Read) == 0 && (l.at() == l.root || l.lie()):
		l.asleep, l.fellAt = true, registry.updates.frames.Load()
	}
}

// stayAwake runs in each Collect that found activity on the lane. Both mutexes are held.
func (l *Lane) stayAwake() {
	if l.quiet = 0; l.dozing.Load() {
		l.dozing.Store(false)
	}
}

// rouse wakes the lane at time t, if it dozes or sleeps. The lane's mutex is held.
func (l *Lane) rouse(t platform.Ticks) {
	if !l.dozing.Load() {
		return
	}
	l.stayAwake()
	if !l.asleep {
		return
	}
	end := platform.Ticks(reportedTo.Load())
	if l.slow.Load() && end > l.last { // as raise does for a lane that is awake
		if l.raised.to != l.last {
			l.raised.from = l.last
		}
		l.last, l.raised.to = end, end
	}
	l.wokeAt = max(t, end)
	if l.bed != nil {
		l.resume(end)
	} else {
		l.leaveOut(end)
	}
	quiet.Call(l.pushWoken)
}

// pushWoken adds the lane to woken.
func (l *Lane) pushWoken() {
	for {
		l.nextWoke = woken.Load()
		if woken.CompareAndSwap(l.nextWoke, l) {
			return
		}
	}
}

// stir wakes the lane for a function without the slow path, after its writes.
func (l *Lane) stir() {
	if l.dozing.Load() {
		l.stirSlow()
	}
}

//go:noinline
func (l *Lane) stirSlow() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.ended {
		l.rouse(platform.Now())
	}
}

// leaveOut excludes the time from the last report up to a frame's end from the lane's time.
func (l *Lane) leaveOut(end platform.Ticks) {
	if end = min(end, l.wokeAt); end > l.read {
		l.seen[0].hier += end - l.read
		l.read = end
	}
}

// takeWoken adds the woken lanes to the visited ones. With move, the ending frame is the first that visits them. The
// registry's mutex is held.
func (u *updates) takeWoken(now platform.Ticks, move bool) {
	if move {
		reportedTo.Store(int64(now))
	}
	var first *Lane
	quiet.Call(func() { first = woken.Swap(nil) })
	for l := first; l != nil; {
		next := l.nextWoke
		if l.join() {
			u.lanes = append(u.lanes, l)
		}
		l = next
	}
	registry.awake.add(u.lanes)
	u.lanes = emptied(u.lanes)
}

// join ends the lane's sleep. It returns false if the lane was dropped meanwhile. The registry's mutex is held.
func (l *Lane) join() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextWoke, l.asleep = nil, false
	if l.bed != nil {
		l.rise()
	} else if !l.ended && !l.record { // a frame may have ended since the waking
		l.leaveOut(registry.updates.end)
	}
	return len(l.seen) > 0
}

// wakeAll wakes all lanes. The registry's mutex is held.
func (u *updates) wakeAll() {
	eachLane(func(l *Lane) { l.rouse(platform.Now()) })
	u.takeWoken(u.end, false)
}

// The number or share of sleeping lanes that a frame looks at.
const (
	leastLooked = 16
	lookShare   = 2048
)

// lookAtSleepers ends some of the sleeping lanes, as dropEnded does for others: lanes of ended goroutines, and long
// unused ones. A frame looks at few. The next frame drops them.
func (u *updates) lookAtSleepers(now platform.Ticks, rate float64, scarce bool) (ended bool) {
	number := max(leastLooked, len(registry.lanes)/lookShare)
	if scarce {
		number *= scarceHaste
	}
	if len(registry.lanes) == len(registry.awake) {
		return false
	}
	for range min(number, len(registry.lanes)) {
		at, _ := registry.lanes.find(u.looked + 1)
		if at == len(registry.lanes) {
			at = 0
		}
		l := registry.lanes[at]
		if u.looked = l.id; l.asleep {
			ended = l.endAsleep(now, rate, scarce) || ended
		}
	}
	return ended
}

// endAsleep ends an unneeded sleeping lane. It reports whether it did.
func (l *Lane) endAsleep(now platform.Ticks, rate float64, scarce bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	frames := registry.updates.frames.Load()
	if !l.dozing.Load() || l.named || l.bed != nil {
		return false
	}
	l.idle += int32(frames - l.fellAt)
	l.fellAt = frames
	if l.isUnused(now, rate, scarce) || l.idle >= vacantFrames && l.isVacant() && !l.log.Keeps() {
		l.finish()
		return true
	}
	return false
}

// A lane that sleeps inside zones spends each whole frame there. So Collect has one lane for all such lanes of a crowd:
// "main.serve server.go:42 (asleep)". Its nodes hold the number of lanes that sleep in them, and a frame adds this
// number times its length. A waking lane goes on from the end of the last frame: the crowd's lane has the time until
// then.
//
// Collect always visits lanes with a name. It also visits the first few others, for separate rows in small programs,
// and some more that keep events, because a timeline shows the lanes of a frame.

const (
	mostStanding = 32  // quiet lanes with open zones that Collect still visits
	mostKeeping  = 256 // the same for lanes that keep events
	mostBeds     = 256 // lanes of sleepers
)

// sleepersName is the name of the lane of sleepers with an unknown go statement.
const sleepersName = "(sleeping goroutines)"

// laneBed is the data of a lane that sleeps inside zones. Both mutexes guard it, except for resumed, which only the
// lane's guards.
type laneBed struct {
	bed      *Lane          // the crowd's lane, while it sleeps inside zones
	bedNode  uint32         // the innermost node there
	resumed  platform.Ticks // the time at which it goes on
	sleepers *sleepers      // of a crowd's lane itself
}

// sleepers are the lanes of a crowd that sleep inside zones. The registry's mutex guards it.
type sleepers struct {
	inside []sleeping // by node
}

// sleeping counts the lanes that sleep in a node or below. Their slept time that the node does not yet have is
// number*now - since. Both terms may wrap around; the difference is right.
type sleeping struct {
	number int32
	since  platform.Ticks // sum of the times at which the lanes came
}

// any reports whether a node has or owes the time of sleepers.
func (s *sleepers) any(node uint32) bool {
	return s != nil && int(node) < len(s.inside) && s.inside[node] != sleeping{}
}

// add adds a lane to a node and its ancestors, from a time on. With number -1 it removes one.
//
//go:norace
func (s *sleepers) add(n *node, number int32, t platform.Ticks) {
	for ; n != nil; n = n.parent {
		for len(s.inside) <= int(n.idx) {
			s.inside = append(s.inside, sleeping{})
		}
		in := &s.inside[n.idx]
		in.number += number
		in.since += platform.Ticks(number) * t
	}
}

// isStill reports whether the lane has only stayed in its open zones. Its mutex is held.
func (w *walk) isStill() bool {
	for i := range w.out[w.start+1:] {
		if n := &w.out[w.start+1+i]; !n.Open || n.Count != 0 {
			return false
		}
	}
	return len(w.out) > w.start+1 && len(w.extras) == w.first
}

// stand runs in each Collect that found the lane still. Both mutexes are held.
func (l *Lane) stand() {
	most := mostStanding
	if l.log.Keeps() {
		most = mostKeeping
	}
	u := &registry.updates
	if u.standing++; u.standing > most {
		l.doze()
	} else {
		l.stayAwake()
	}
}

// mayLie reports whether the lane may sleep inside its open zones: all must be ordinary.
//
//go:norace
func (l *Lane) mayLie() bool {
	for n := l.at(); n != l.root; n = n.parent {
		if n.flag&^flagQuiet != 0 {
			return false
		}
	}
	return !l.named && !l.metered && l.nest == 0
}

// lie puts the lane among its crowd's sleepers. It returns false if there is no room. The mutexes are held.
//
//go:norace
func (l *Lane) lie() bool {
	bed := bedOf(l.spawn)
	if bed == nil {
		return false
	}
	bed.mu.Lock()
	defer bed.mu.Unlock()
	at := l.partnerIn(bed, l.at())
	bed.sleepers.add(at, 1, l.read)
	l.bed, l.bedNode = bed, at.idx
	return true
}

// partnerIn returns the node of another lane for the stack of node n.
//
//go:norace
func (l *Lane) partnerIn(other *Lane, n *node) *node {
	if n == l.root {
		return other.root
	}
	under := l.partnerIn(other, n.parent)
	if under.flag&flagFolded != 0 {
		return under
	}
	return other.partner(under, n.key, l.seen[n.idx].zone)
}

// resume makes the lane go on from a frame's end. Its crowd's lane has the time until then. The mutex is held.
//
//go:norace
func (l *Lane) resume(end platform.Ticks) {
	end = max(end, l.read)
	for n := l.at(); n != nil; n = n.parent {
		l.seen[n.idx].hier += end - l.read
	}
	l.read, l.resumed = end, end
}

// rise takes the lane away from its crowd's sleepers. The mutexes are held.
func (l *Lane) rise() {
	l.bed.sleepers.add(l.bed.node(l.bedNode), -1, l.resumed)
	l.bed = nil
}

// passTo gives the nodes of a crowd's lane the time of the lanes that sleep in them, up to a frame's end. It returns
// that end. The mutexes are held.
//
//go:norace
func (l *Lane) passTo(end platform.Ticks) platform.Ticks {
	end = max(end, l.read)
	for i := range l.sleepers.inside {
		in := &l.sleepers.inside[i]
		n, slept := l.node(uint32(i)), platform.Ticks(in.number)*end
		if *in == (sleeping{}) || n.acc+slept-in.since < 0 { // a negative time would look open: it is added later
			continue
		}
		if n.flag&flagQuiet != 0 {
			l.unsettle(n)
		}
		storeTicks(&n.acc, n.acc+slept-in.since)
		in.since = slept
	}
	return end
}

// showOpen marks the nodes of the frame in which lanes sleep as open.
func (w *walk) showOpen() {
	l, nodes := w.lane, w.out[w.start:]
	if l.sleepers == nil {
		return
	}
	for i := range l.sleepers.inside {
		if s := &l.seen[i]; i > 0 && l.sleepers.inside[i].number > 0 && inFrame(s, nodes) {
			nodes[s.out].Open = true
		}
	}
}

// bedOf returns the lane for the sleepers of a go statement, or nil if there is no room for another. Limits.Lanes is
// for goroutines and does not count these. The registry's mutex is held.
func bedOf(spawn uintptr) *Lane {
	u := &registry.updates
	for _, l := range u.beds {
		if l.spawn == spawn {
			return l
		}
	}
	if len(u.beds) >= mostBeds || !budget.HasRoom(laneBytes+chunkBytes) {
		return nil
	}
	name := spawnNames.Asleep(spawn)
	if name == "" {
		name = sleepersName
	}
	l := u.nobodys(spawn, name)
	l.sleepers = new(sleepers)
	u.beds = append(u.beds, l)
	return l
}

// forgetBed forgets a crowd's lane that is dropped. The registry's mutex is held.
func (u *updates) forgetBed(l *Lane) {
	for i, bed := range u.beds {
		if bed == l {
			u.beds = append(u.beds[:i], u.beds[i+1:]...)
			return
		}
	}
}
