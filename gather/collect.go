//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"time"

	"example.com/iprof/platform"
)

// updates is what Collect remembers from frame to frame; registry.mu guards it.
type updates struct {
	frames  uint64
	end     platform.Ticks
	wall    time.Duration
	refined platform.Ticks
	memory  memoryMeter
	judged  bool // the governor has changed something
	muting  muting
	counted counted

	calibrations int
	calibrated   platform.Ticks // when that was last
}

// Unused lanes are given up in two steps of this many frames and seconds: first nobody can find them any more, then they
// are dropped. Variables for the tests.
var (
	idleFrames  = int32(600)
	idleSeconds = 10.0
)

// torn bounds what reading a node beside its goroutine can misjudge, in parts of a second: that goroutine may have read the
// clock before us and write the sum after us.
const torn = 1000

// refineEvery is how often the clock's rate is measured again, in seconds: doing so costs a microsecond.
const refineEvery = 0.1

// Collect ends a frame: it fills f with what was measured since the last Collect, on all lanes, and begins the next. The
// calling goroutine's lane is the frame's Updater and comes first. f's memory is used again. Any goroutine may call it, while
// all others go on measuring; a goroutine's first zone waits for it, no other does.
func Collect(f *Frame) { report(f, true) }

// Peek fills f as Collect would, but ends no frame: the same measurements are part of the next Collect too. It gives the
// calling goroutine no lane.
func Peek(f *Frame) { report(f, false) }

func report(f *Frame, move bool) {
	own := laneFor(move && !registry.manual.Load() && Recording())
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	if own != nil && own.ended { // somebody closed it before this goroutine got here
		own = nil
	}
	u := &registry.updates
	f.TicksPerSecond = u.rate(platform.Now()) // before the frame's end is read: the first time it takes milliseconds
	u.calibrate(platform.Now(), f.TicksPerSecond)
	now := max(platform.Now(), u.end)
	if registry.start == 0 {
		registry.start = now
	}
	f.nodes, f.extras, f.Lanes = f.nodes[:0], f.extras[:0], f.Lanes[:0]
	f.Counters = counterNames.all()
	u.counted.begin(len(f.Counters))
	if move {
		own.meterRest()
	}
	f.Memory = u.memory.read(move)
	if own != nil {
		own.report(f, now, true, move)
	}
	for _, l := range registry.lanes {
		if l != own {
			l.report(f, max(platform.Now(), now), false, move)
		}
	}
	f.Label, f.Between = "", 0
	f.Index, f.Begin, f.End = u.frames, max(registry.start, u.end), now
	unmeasured.report(f, move)
	f.Zones = zones.all()
	counterNames.read(&u.counted, f.Counters, move)
	u.counted.report(f)
	f.ScopeCost, f.InsideCost = platform.Ticks(calibrated.Load()), platform.Ticks(calibratedInside.Load())
	f.CountCost, f.MuteCost, f.OverheadLimit = platform.Ticks(calibratedCount.Load()), platform.Ticks(calibratedMute.Load()), OverheadLimit()
	if move {
		u.govern()
		u.finish(now, f.TicksPerSecond)
	}
	f.Misuse = misuse.report()
	f.Dropped = Dropped{Names: dropped.names.Load(), Nodes: dropped.nodes.Load(), Lanes: dropped.lanes.Load(), Events: dropped.events.Load(), Counters: dropped.counters.Load()}
}

// rate returns the clock's rate, measured again now and then.
func (u *updates) rate(now platform.Ticks) float64 {
	rate := platform.TicksPerSecond()
	if float64(now-u.refined) > refineEvery*rate {
		u.refined = now
		platform.Refine()
		rate = platform.TicksPerSecond()
	}
	return rate
}

// finish ends the frame: it checks the clock and drops what has ended.
func (u *updates) finish(now platform.Ticks, rate float64) {
	wall := time.Since(birth)
	if u.frames > 0 && !platform.Custom() && jumped(float64(now-u.end)/rate, (wall-u.wall).Seconds()) {
		misuse.counts[clockJump].Add(1)
	}
	u.frames, u.end, u.wall = u.frames+1, now, wall
	u.sweep(now, rate)
}

// birth is when the process began, by Go's clock.
var birth = time.Now()

// jumped reports whether two clocks differ by more than a second about the length of a frame: one of them was suspended.
func jumped(ticks, wall float64) bool { return ticks-wall > 1 || wall-ticks > 1 }

// sweep drops the lanes that have ended, and gives up those long unused.
func (u *updates) sweep(now platform.Ticks, rate float64) {
	kept := registry.lanes[:0]
	retired := false
	var counted []*Lane
	for _, l := range registry.lanes {
		switch {
		case l.ended, l.retired && l.isUnused(now, rate):
			if l.counting > 0 {
				counted = append(counted, l)
				continue
			}
			l.drop()
			continue
		case l.isUnused(now, rate):
			l.retire(now)
			retired = true
		}
		kept = append(kept, l)
	}
	clear(registry.lanes[len(kept):])
	if len(kept) < len(registry.lanes)/2 && cap(kept) > 1024 {
		kept = append([]*Lane(nil), kept...)
	}
	registry.lanes, registry.endings = kept, 0
	if counted != nil {
		keepCalls(counted)
	}
	if retired {
		rebuild(registry.table.Load())
	}
	registry.sealed.Store(len(kept) >= limits().Lanes)
}

// isUnused reports whether the lane may be given up. Those in home slots stay: they serve all goroutines that come to have
// the same place.
func (l *Lane) isUnused(now platform.Ticks, rate float64) bool {
	return l.idle >= idleFrames && float64(now-l.idleAt) >= idleSeconds*rate && platform.Home(l.slot.Key) != l.slot
}

// retire takes the lane out of its goroutine's sight. The goroutine may be just inside a Begin, so what it still writes
// is read on for a while.
func (l *Lane) retire(now platform.Ticks) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.retired, l.idle, l.idleAt = true, 0, now
	l.leaveSlot()
}

// hierOf returns a node's time up to now, and whether it is open.
func (l *Lane) hierOf(n *node, now platform.Ticks) (hier platform.Ticks, open bool) {
	acc := platform.Ticks(atomic.LoadInt64((*int64)(&n.acc)))
	if acc >= 0 {
		return acc, false
	}
	if len(l.late) > 0 {
		if t, ended := l.endedAt(n); ended {
			return acc + min(now, t), false
		}
	}
	return acc + now, true
}

// report adds the lane to the frame if it has anything to tell.
func (l *Lane) report(f *Frame, now platform.Ticks, updater, move bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.late) > 0 {
		l.poke()
	}
	l.ask()
	l.countLost()
	w := walk{lane: l, now: max(now, l.read), frozen: off != 0, move: move, start: len(f.nodes), out: f.nodes, extras: f.extras,
		slack: platform.Ticks(f.TicksPerSecond / torn)}
	if w.frozen {
		w.now = l.read
	}
	w.visit(0)
	w.descend()
	if w.frozen || float64(w.now-l.counted) >= f.TicksPerSecond {
		w.addMore(len(f.extras))
	}
	length := w.length
	active := len(w.out) > w.start+1 || l.governed.speaks()
	if u := &registry.updates; l.readCounters(&u.counted, f.Counters, move) && move {
		l.idle, l.idleAt = 0, w.now
	}
	if !active && !updater && !l.fresh && len(w.extras) == len(f.extras) {
		l.rested(w.now, move)
		return
	}
	l.busy = len(w.out) - w.start
	var untimed, muted uint64
	if l.id != 0 {
		untimed, muted = w.govern(f)
	}
	extras := w.extras[len(f.extras):len(w.extras):len(w.extras)]
	f.nodes, f.extras = w.out, w.extras
	f.Lanes = append(f.Lanes, LaneFrame{ID: l.id, Name: l.label(), Updater: updater, Begin: w.now - length, End: w.now,
		Untimed: untimed, Muted: muted, ScopeCost: fractions(w.inPlace.pair), CountCost: fractions(w.inPlace.counted + w.inPlace.choosing),
		Nodes: w.out[w.start:len(w.out):len(w.out)], Extras: extras})
	if move {
		clear(l.touched)
		l.fresh, l.idle, l.idleAt, l.read = false, 0, w.now, w.now
	}
}

// rested notes a frame without activity.
func (l *Lane) rested(now platform.Ticks, move bool) {
	if !move {
		return
	}
	l.read = now
	if !l.named {
		l.idle++
	}
}
