//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"time"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

// reading is what the reader keeps from frame to frame. registry.mu guards it.
var reading reader

type reader struct {
	clock   clockWatch
	memory  heap.Frame
	cpu     processTime
	set     *Set // whose frame is read
	judged  bool // the governor has changed something
	scratch scratch
	turn    turn // of the Collect under way
	counted countedValues

	calibrations governor.Repeats

	begin       platform.Ticks // when the latest Collect began
	processTime time.Duration  // processor time of the process then; 0: not read
	usual       governor.Usual // time of an Update: see EndUpdate
}

var _ = setHooks() // before the first zone of the program

func setHooks() bool {
	hooks.begin = func() { reading.cpu.begin() }
	hooks.calibrate = func(now platform.Ticks, rate float64) { reading.calibrate(now, rate) }
	hooks.merge = func(l *Lane) { runningPeek.readEarly(l) }
	hooks.forget = forgetAll
	return true
}

// forgetAll drops what was measured by a clock that was replaced. The registry's mutex is held.
func forgetAll() {
	runningPeek.active = false
	pendingMarks.drop() // later marks would wait until the new clock has passed their times
	reading = reader{}
	if firstSet.forget(); several.forget != nil {
		several.forget()
	}
	zoneHeap.Forget()
	counterTable.Forget()
	if s := spoken.Load(); s != nil {
		s.forget()
	}
	forgetSampled()
	lastCalibration.Store(governor.Calibration{})
}

// collect ends a frame of the set.
func (s *Set) collect(f *Frame, t turn) {
	own := updaterLane(t)
	lockRegistry()
	defer unlockRegistry()
	if several.end == nil {
		reading.collect(s, f, own, t)
		s.next(f.End)
		return
	}
	reading.collect(s, several.piece, own, t)
	several.end(s, f)
}

// updaterLane returns the lane of the goroutine that ends a frame, or nil.
func updaterLane(t turn) *Lane {
	update := t == noTurn // else the caller need not be the goroutine that ends frames
	return laneFor(update && !finding.manual.Load() && !Watched() && Recording())
}

// collect reads all lanes for a frame of a set.
func (r *reader) collect(s *Set, f *Frame, own *Lane, t turn) {
	if own != nil && own.ended { // another goroutine has just closed it
		own = nil
	}
	r.set = s
	r.begin, r.processTime = platform.Now(), 0
	if r.usual == 0 {
		r.processTime = platform.CPUTime()
	}
	r.take(t)
	registry.updates.inactive = 0
	now := r.beginReport(f, own, true, t)
	first := r.updater(own, t == noTurn)
	if first != nil {
		first.report(f, now, true, true)
	}
	r.reportOthers(f, first)
	r.endReport(f, now, true)
	endSampled()
	r.endFrame(now, f.TicksPerSecond)
	reportTexts(f, true)
	runningPeek.endFrame(f)
}

// reportOthers reports all lanes but the updater's. Records come last: they get the measurements of brief goroutines.
func (r *reader) reportOthers(f *Frame, first *Lane) {
	registry.updates.briefs.begin(r.turn == noTurn && !runningPeek.active && OverheadLimit() == 0)
	for _, l := range registry.awake {
		if l != first && !l.isRecord() && !registry.updates.takeBrief(l) {
			l.report(f, max(platform.Now(), registry.updates.reportEnd), false, true)
		}
	}
	registry.updates.briefs.turnTo(nil)
	for _, l := range registry.records {
		l.report(f, max(platform.Now(), registry.updates.reportEnd), false, true)
	}
}

// took returns the time of the Update that ends, in ticks, at least 0: the clock may have been set back, or replaced.
// The first Update waits for the clock's rate to be measured. Waiting is no cost, so of its time only what the process
// had of processors counts.
func (r *reader) took() float64 {
	took := float64(max(platform.Now()-r.begin, 0))
	if r.processTime > 0 && !platform.Custom() {
		took = min(took, (platform.CPUTime()-r.processTime).Seconds()*platform.TicksPerSecond())
	}
	return took
}

// lockRegistry locks the registry for a report. The lock also keeps the clock from being replaced.
func lockRegistry() {
	registry.mu.Lock()
	platform.KeepClock()
	newEpoch()
}

func unlockRegistry() {
	platform.ReleaseClock()
	registry.mu.Unlock()
}

// beginReport fills the fields that are read before the lanes, and returns the end of the frame.
func (r *reader) beginReport(f *Frame, own *Lane, move bool, t turn) (now platform.Ticks) {
	r.turn = t
	if own != nil {
		own.wakeNow()
	}
	f.TicksPerSecond = r.clock.rate(platform.Now()) // before the frame's end: the first call takes milliseconds
	r.calibrate(platform.Now(), f.TicksPerSecond)
	now = max(platform.Now(), registry.updates.end)
	beginFrames(now)
	if f.Away = (Away{}); move && !Watched() {
		f.Away = r.set.away.end(r.set.began(), now, f.TicksPerSecond, own.ID())
	}
	registry.updates.reportEnd = now
	registry.updates.takeWoken(now, move)
	f.Clock, f.CPU = platform.Chosen(), r.cpu.since(move)
	f.nodes, f.extras, f.Lanes = f.nodes[:0], f.extras[:0], f.Lanes[:0]
	r.counted.Begin(&counterTable)
	r.counted.AddTable(&counterTable, move) // before the lanes, because an ending lane gives the table its counts
	if move && own != nil && own.metered {
		own.meter(own.at())
	}
	f.Memory = r.readHeap(now, f.TicksPerSecond, move)
	if own != nil {
		unused(own.slot) // the reading that Calibrate left
	}
	cost := calibrated()
	f.OverheadLimit = OverheadLimit()
	f.ScopeCost = cost.Pair
	f.InsideCost = cost.Inside
	f.CountCost = cost.Counted
	return now
}

// endReport fills the fields that are read after the lanes.
func (r *reader) endReport(f *Frame, now platform.Ticks, move bool) {
	f.Label, f.Between = "", 0
	f.Index, f.Begin, f.End = r.set.frames.Load(), r.set.began(), now
	f.Origin = Origin{program, atomic.LoadUint32(&finding.epoch)}
	reportUnmeasured(f, move)
	r.counted.report(f)
	if r.judged {
		r.judged = false
		followLanes()
	}
}

// reportTexts fills the rest of a frame, its zones last: others may enter new zones and use them meanwhile.
func reportTexts(f *Frame, move bool) {
	f.Misuse, f.Dropped = misuseSoFar(), droppedSoFar()
	reportMarks(f, move)
	reportSlowCalls(f, move)
	f.Zones = zones.all()
}

// take begins a turn of a Collect.
func (r *reader) take(t turn) {
	if t == turnPause || t == turnResume {
		registry.updates.paused = t == turnPause
	}
	if t != noTurn && t != turnGovern {
		registry.updates.wakeAll()
	}
}

// updater returns the lane that ends the frame. For a Collect it is the caller's own. For a Peek, and for a change of
// the session, it is the updater of the last frame: see Peek. With SetWatched it is the main goroutine's for all.
func (r *reader) updater(own *Lane, update bool) *Lane {
	if update && !Watched() {
		r.set.updatedBy = own.ID()
		return own
	}
	for _, l := range registry.awake {
		if !l.ended && (l.id == r.set.updatedBy && l.id != 0 && !Watched() ||
			(r.set.frames.Load() == 0 || Watched()) && atomic.LoadUint64(&l.slot.ID) == mainGoroutine) {
			return l
		}
	}
	return own
}

// endFrame ends the frame. It follows the clock and drops the lanes that have ended.
func (r *reader) endFrame(now platform.Ticks, rate float64) {
	registry.updates.end = now
	wakeBeat()
	r.followClock()
	registry.updates.ends[registry.updates.frames.Add(1)%uint64(len(registry.updates.ends))] = now
	registry.updates.dropEnded(now, rate)
}

// report adds the lane to the frame if it was active.
func (l *Lane) report(f *Frame, now platform.Ticks, updater, move bool) {
	if l.foreign { // see Complete
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.turnHolds(reading.turn)
	l.prepare()
	w := walk{lane: l, now: l.upTo(now), frozen: off != 0, move: move}
	w.start = len(f.nodes)
	w.out = f.nodes
	w.first = len(f.extras)
	w.extras = f.extras
	switch {
	case w.frozen:
		w.now = l.reportedAt
	case l.proxied != nil:
		w.now = l.passTo(registry.updates.reportEnd)
	case l.isVacant():
		w.now = l.lastUsed()
	}
	w.visit(0)
	w.descend()
	if w.overdrawn {
		w.balance()
	}
	length := w.length
	active := len(w.out) > w.start+1
	still := active && !updater && w.isStill()
	w.showOpen()
	if reading.counted.AddCells(l.counters, move) && move {
		still = false
		l.idle, l.idleAt = 0, w.now
		l.stayAwake()
	}
	if !active && !updater && !l.fresh && len(w.extras) == w.first {
		if move {
			l.rests(w.length)
			if l.reportedAt = w.now; !l.named || l.record {
				l.idle++
			}
			l.park()
			l.brief = false
		}
		f.nodes = w.out[:w.start] // keeps the memory that the walk has added
		return
	}
	l.busyNodes = len(w.out) - w.start
	untimed := w.govern()
	l.thread.follow(updater && move, reading.set.frames.Load())
	f.nodes, f.extras = w.out, w.extras
	f.Lanes = append(f.Lanes, w.laneFrame(length, updater, untimed))
	if move {
		l.wasActive(w.now, still)
	}
}

// prepare asks the lane's goroutine for what it owes, and its log for what it has lost.
func (l *Lane) prepare() {
	if len(l.lateEnds) > 0 {
		l.poke()
	}
	l.pokeStale()
	l.log.Retry()
	dropped.events.Add(l.log.Lost())
}

// wasActive notes that the lane has been reported up to a time. still is the result of isStill.
func (l *Lane) wasActive(now platform.Ticks, still bool) {
	l.touched.clear()
	l.brief = false
	l.fresh = false
	l.idle = 0
	l.idleAt = now
	l.reportedAt = now
	l.rest = stretch{now, now}
	if still {
		l.parkStill()
	} else {
		l.stayAwake()
	}
}

// laneFrame returns the walk's result for its lane. length is the lane's part of the frame.
func (w *walk) laneFrame(length platform.Ticks, updater bool, untimed uint64) LaneFrame {
	l, last, end := w.lane, len(w.out), len(w.extras)
	return LaneFrame{ID: l.id, Name: l.label(), Updater: updater, Begin: w.now - length, End: w.now,
		Goroutine: l.goroutine(), CPU: l.thread.since(w.move), Untimed: untimed,
		Slow: l.slowTime.Since(w.move && !w.frozen), ScopeCost: governor.Ticks(w.inPlace.Pair),
		CountCost: governor.Ticks(w.inPlace.Counted), rest: reading.set.restOf(l),
		Nodes: w.out[w.start:last:last], Extras: w.extras[w.first:end:end]}
}
