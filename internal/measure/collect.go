//go:build !iprof_off

package measure

import (
	"sync/atomic"
	"time"

	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

// updates is the state that Collect keeps from frame to frame. registry.mu guards it.
type updates struct {
	frames  atomic.Uint64
	end     platform.Ticks
	ends    [parkedAfter + 1]platform.Ticks // of recent frames: see quietSince
	clock   clockWatch
	memory  heap.Frame
	cpu     processTime
	away    awayMeter
	judged  bool // the governor has changed something
	scratch scratch
	turn    turn           // of the Collect under way
	now     platform.Ticks // the frame's end
	paused  bool           // frames are discarded

	updatedBy LaneID // the lane that ended the last frame

	lanes  []*Lane // memory for a list
	looked LaneID  // the last parked lane looked at; an index would skip lanes as others are dropped

	still   int     // lanes so far that neither entered nor left a zone
	proxies []*Lane // see proxyOf

	briefs  briefs
	counted countedValues

	calibrations governor.Repeats

	begun platform.Ticks // when the latest Collect began
	spent time.Duration  // processor time of the process then; 0: not read
	usual governor.Usual // time of an Update: see EndUpdate
}

// Collect ends a frame and begins the next. It fills f with the measurements of all lanes since the last Collect. The
// lane of the calling goroutine comes first and is the frame's Updater. It reuses the memory of f. Any goroutine may
// call it, and all others go on meanwhile. Only a goroutine at its first zone has to wait for it.
func Collect(f *Frame) { collectTurn(f, noTurn) }

func collectTurn(f *Frame, t turn) {
	update := t == noTurn // else the caller need not be the goroutine that ends frames
	own := laneFor(update && !registry.manual.Load() && !Watched() && Recording())
	lockRegistry()
	defer unlockRegistry()
	if own != nil && own.ended { // another goroutine has just closed it
		own = nil
	}
	u := &registry.updates
	u.begun, u.spent = platform.Now(), 0
	if u.usual == 0 {
		u.spent = platform.CPUTime()
	}
	u.take(t)
	u.still = 0
	now := u.beginReport(f, own, true, t)
	first := u.updater(own, update)
	if first != nil {
		first.report(f, now, true, true)
	}
	u.reportOthers(f, first)
	u.endReport(f, now, true)
	endSampled()
	u.endFrame(now, f.TicksPerSecond)
	reportTexts(f, true)
	registry.peek.endFrame(f)
}

// reportOthers reports all lanes but the updater's. Records come last: they get the measurements of brief goroutines.
func (u *updates) reportOthers(f *Frame, first *Lane) {
	u.briefs.begin(u.turn)
	for _, l := range registry.awake {
		if l != first && !l.isRecord() && !u.takeBrief(l) {
			l.report(f, max(platform.Now(), u.now), false, true)
		}
	}
	u.briefs.turnTo(nil)
	for _, l := range registry.records {
		l.report(f, max(platform.Now(), u.now), false, true)
	}
}

// EndUpdate ends the scope of an Update. It counts the time since the beginning of the latest Collect as overhead of
// the caller's lane: LaneFrame.Slow has it. Of a time far above the usual only twice the usual counts, because
// the system may have taken the processor away. Any goroutine may call it.
func EndUpdate(s Scope) {
	s.End()
	if l := laneFor(false); l != nil {
		registry.mu.Lock()
		u := &registry.updates
		l.slowTime.Add(platform.Ticks(u.usual.Mostly(u.took())))
		registry.mu.Unlock()
	}
}

// took returns the time of the Update that ends, in ticks, at least 0: the clock may have been set back, or replaced.
// The first Update waits for the clock's rate to be measured. Waiting is no cost, so of its time only what the process
// had of processors counts.
func (u *updates) took() float64 {
	took := float64(max(platform.Now()-u.begun, 0))
	if u.spent > 0 && !platform.Custom() {
		took = min(took, (platform.CPUTime()-u.spent).Seconds()*platform.TicksPerSecond())
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
func (u *updates) beginReport(f *Frame, own *Lane, move bool, t turn) (now platform.Ticks) {
	u.turn = t
	if own != nil {
		own.wakeNow()
	}
	f.TicksPerSecond = u.clock.rate(platform.Now()) // before the frame's end: the first call takes milliseconds
	u.calibrate(platform.Now(), f.TicksPerSecond)
	now = max(platform.Now(), u.end)
	u.begin(now)
	if f.Away = (Away{}); move && !Watched() {
		f.Away = u.away.end(max(registry.start, u.end), now, f.TicksPerSecond, own.ID())
	}
	u.now = now
	u.takeWoken(now, move)
	f.Clock, f.CPU = platform.Chosen(), u.cpu.since(move)
	f.nodes, f.extras, f.Lanes = f.nodes[:0], f.extras[:0], f.Lanes[:0]
	u.counted.Begin(&counterTable)
	u.counted.AddTable(&counterTable, move) // before the lanes, because an ending lane gives the table its counts
	if move && own != nil && own.metered {
		own.meter(own.at())
	}
	f.Memory = u.readHeap(now, f.TicksPerSecond, move)
	if own != nil {
		unused(own.slot) // the reading that Calibrate left
	}
	cost := calibrated()
	f.ScopeCost, f.InsideCost, f.CountCost, f.OverheadLimit = cost.Pair, cost.Inside, cost.Counted, OverheadLimit()
	return now
}

// endReport fills the fields that are read after the lanes.
func (u *updates) endReport(f *Frame, now platform.Ticks, move bool) {
	f.Label, f.Between = "", 0
	f.Index, f.Begin, f.End = u.frames.Load(), max(registry.start, u.end), now
	f.Origin = Origin{program, atomic.LoadUint32(&registry.epoch)}
	reportUnmeasured(f, move)
	u.counted.report(f)
	if u.judged {
		u.judged = false
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
func (u *updates) take(t turn) {
	if t == turnPause || t == turnResume {
		u.paused = t == turnPause
	}
	if t != noTurn && t != turnGovern {
		u.wakeAll()
	}
}

// begin notes the beginning of the first frame. Later calls do nothing.
func (u *updates) begin(now platform.Ticks) {
	if registry.start == 0 {
		registry.start = now
		u.cpu.begin()
	}
}

// updater returns the lane that ends the frame. For a Collect it is the caller's own. For a Peek, and for a change of
// the session, it is the updater of the last frame: see Peek. With SetWatched it is the main goroutine's for all.
func (u *updates) updater(own *Lane, update bool) *Lane {
	if update && !Watched() {
		u.updatedBy = own.ID()
		return own
	}
	for _, l := range registry.awake {
		if !l.ended && (l.id == u.updatedBy && l.id != 0 && !Watched() ||
			(u.frames.Load() == 0 || Watched()) && atomic.LoadUint64(&l.slot.ID) == mainGoroutine) {
			return l
		}
	}
	return own
}

// endFrame ends the frame. It follows the clock and drops the lanes that have ended.
func (u *updates) endFrame(now platform.Ticks, rate float64) {
	u.end = now
	wakeBeat()
	u.followClock()
	u.ends[u.frames.Add(1)%uint64(len(u.ends))] = now
	u.dropEnded(now, rate)
}

// report adds the lane to the frame if it was active.
func (l *Lane) report(f *Frame, now platform.Ticks, updater, move bool) {
	if l.foreign { // see Complete
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	defer l.turnHolds(registry.updates.turn)
	if len(l.late) > 0 {
		l.poke()
	}
	l.pokeStale()
	l.log.Retry()
	dropped.events.Add(l.log.Lost())
	w := walk{lane: l, now: l.upTo(now), frozen: off != 0, move: move}
	w.start, w.out, w.first, w.extras = len(f.nodes), f.nodes, len(f.extras), f.extras
	switch {
	case w.frozen:
		w.now = l.read
	case l.proxied != nil:
		w.now = l.passTo(registry.updates.now)
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
	if registry.updates.counted.AddCells(l.counters, move) && move {
		still = false
		l.idle, l.idleAt = 0, w.now
		l.stayAwake()
	}
	if !active && !updater && !l.fresh && len(w.extras) == w.first {
		if move {
			if l.read = w.now; !l.named || l.record {
				l.idle++
			}
			l.park()
			l.brief = false
		}
		f.nodes = w.out[:w.start] // keeps the memory that the walk has added
		return
	}
	l.busy = len(w.out) - w.start
	untimed := w.govern()
	l.thread.follow(updater && move, registry.updates.frames.Load())
	f.nodes, f.extras = w.out, w.extras
	f.Lanes = append(f.Lanes, w.laneFrame(length, updater, untimed))
	if move {
		l.wasActive(w.now, still)
	}
}

// wasActive notes that the lane has been reported up to a time. still is the result of isStill.
func (l *Lane) wasActive(now platform.Ticks, still bool) {
	l.touched.clear()
	l.brief, l.fresh, l.idle, l.idleAt, l.read = false, false, 0, now, now
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
		CountCost: governor.Ticks(w.inPlace.Counted),
		Nodes:     w.out[w.start:last:last], Extras: w.extras[w.first:end:end]}
}
