//go:build !iprof_off

package gather

import (
	"sync/atomic"
	"unsafe"

	"example.com/iprof/platform"
)

// What Begin and In go on with: the governor puts the functions below in their place while it has demoted anything. A call
// through a variable costs what a call costs, and a test would not. They are read plainly, as one word each.
var (
	enter  = begin
	within = in
)

// governing is set while enter and within are the governor's. The registry's mutex guards it.
var governing bool

// The answers of State.
const (
	Timing   uint32 = iota // every entry is timed
	Off                    // none is measured: see SetRecording
	Governed               // some are only counted
	Hushed                 // and some sites not even that: ask Silent first
)

// state is State's answer.
var state atomic.Uint32

// State says how a site is to be entered: by OpenSite, not at all, or, if it is not Silent, by CountSite, which may not need to
// know the time.
func State() uint32 { return state.Load() }

// setState follows a change of off, governing or muting. The registry's mutex is held.
func setState() {
	hushed, any := registry.updates.muting.applied, uint32(0)
	if hushed || !Recording() {
		any = 1
	}
	atomic.StoreUint32(&special, any)
	switch {
	case !Recording():
		state.Store(Off)
	case hushed && len(registry.updates.muting.sites) > 0:
		state.Store(Hushed)
	case governing:
		state.Store(Governed)
	default:
		state.Store(Timing)
	}
}

// switchTo sends zones the governor's way, or the usual one. The registry's mutex is held.
//
//go:norace
func switchTo(governor bool) {
	if governor == governing {
		return
	}
	governing = governor
	enter, within = begin, in
	if governor {
		enter, within = beginDemoted, inDemoted
	}
	setState()
}

// beginDemoted is begin while zones may be demoted: it decides whether to read the clock before it does. What counts an entry is
// found without a look at what would time it. But while the lane has entries timed the clock is read first, as begin does, before it is
// even asked whether the zone is demoted: else what is around them would seem to last longer than where all is timed.
//
//go:norace
//go:noinline
func beginDemoted(z *Zone) Scope {
	s, t := platform.FindTime()
	if s == nil {
		return beginAway(z)
	}
	key := uint64(uintptr(unsafe.Pointer(z)))
	if t != 0 {
		n := kid(s, key)
		switch {
		case n == nil || n.flag&timedNow == 0 || n.acc < 0 || t < s.Last:
			if n.timedElse(s, key) {
				return n.beginAt(s, t, z)
			}
			readInVain(s)
		case !n.timedEnough(s):
			n.enterTimed(s, t)
			return Scope{n}
		default:
			if counted := n.enterBehind(s, t); counted.n != nil {
				return counted
			}
			return n.extra.Load().first(s, begin(z))
		}
	}
	if z == nil || z.governed != zoneDemoted {
		return begin(z)
	}
	key ^= keyUntimed
	n := kid(s, key)
	if n == nil || asked(s) {
		return begin(z)
	}
	if n.flag&flagTop != 0 {
		if x := n.extra.Load(); x.skip > 0 {
			x.skip--
		} else if x.due() {
			return x.first(s, begin(z))
		}
	}
	return n.enterCounted(s)
}

// beginAt is begin at a time that was read already. The node may be nil.
//
//go:norace
//go:noinline
func (n *node) beginAt(s *platform.Slot, t platform.Ticks, z *Zone) Scope {
	switch {
	case n == nil || n.acc < 0 || t < s.Last && !logs(s, t):
		return beginSlow(s, t, entry{key: zoneKey(z), zone: z})
	case t < s.Last:
		logBegin(s, n, t)
	default:
		s.Last = t
	}
	s.Cur = unsafe.Pointer(n)
	n.count++
	storeTicks(&n.acc, n.acc-t)
	return Scope{n}
}

// kid returns the node with the key below the innermost open one, nil if there is none. begin, in and OpenSite write it out, as do pairOn
// and askOn, which take what those do: where the compiler puts it, it leaves an instruction more in each (BenchmarkBegin).
//
//go:norace
func kid(s *platform.Slot, key uint64) *node {
	n := (*node)(s.Cur).kids[key>>kidShift%kidSlots]
	for n != nil && n.key != key {
		n = n.sib
	}
	return n
}

// enterCounted opens n, which is not timed.
//
//go:norace
func (n *node) enterCounted(s *platform.Slot) Scope {
	n.count++
	s.Cur = unsafe.Pointer(n)
	return Scope{n}
}

// asked reports whether the lane's goroutine is to come the slow way, as other zones see by the time they read: see Lane.poke.
//
//go:norace
func asked(s *platform.Slot) bool { return s.Last == platform.MaxTicks && s.Real == platform.MaxTicks }

//go:norace
//go:noinline
func inDemoted(z *Zone, lane *Lane) Scope {
	if z == nil || z.governed == zoneTimed {
		return in(z, lane)
	} else if z.governed == zoneMuted {
		return Scope{}
	}
	return beginDemoted(z)
}

// Silent reports whether the entries of a site are not even counted now.
//
//go:norace
func Silent(pc uintptr, name string) bool {
	at := &mutedSites[siteSlot(pc, name)]
	return at.pc == pc && at.text == unsafe.StringData(name) && at.length == len(name)
}

// CountSite is OpenSite while zones may be demoted, for a site that is not Silent, as beginDemoted is begin: the slot, time and pc are
// platform.FindCaller's.
//
//go:norace
//go:noinline
func CountSite(s *platform.Slot, t platform.Ticks, pc uintptr, name string) Scope {
	key := siteKey(pc, name)
	if s == nil {
		return siteAway(pc, name, key)
	}
	if t != 0 {
		n := kid(s, key)
		switch {
		case n == nil || n.flag&timedNow == 0 || n.acc < 0 || t < s.Last:
			if n.timedElse(s, key) {
				return OpenSite(s, t, pc, name)
			}
			readInVain(s)
		case !n.timedEnough(s):
			n.enterTimed(s, t)
			return Scope{n}
		default:
			if counted := n.enterBehind(s, t); counted.n != nil {
				return counted
			}
			return n.extra.Load().first(s, timeSite(pc, name))
		}
	}
	key ^= keyUntimed
	n := kid(s, key)
	if n == nil || asked(s) {
		return timeSite(pc, name)
	}
	if n.flag&flagTop != 0 {
		if x := n.extra.Load(); x.skip > 0 {
			x.skip--
		} else if x.due() {
			return x.first(s, timeSite(pc, name))
		}
	}
	return n.enterCounted(s)
}

//go:norace
//go:noinline
func timeSite(pc uintptr, name string) Scope {
	s, t := platform.Enter()
	return OpenSite(s, t, pc, name)
}

// untimed is the same decision for the slow path, at the time that was read for the entry of n: it returns the node to count it in if it
// is not to be timed, else nil.
//
//go:norace
func (n *node) untimed(t platform.Ticks) *node {
	if n.flag&flagUntimed != 0 {
		return n
	}
	if n.flag&flagTop == 0 {
		return nil
	}
	u := n.extra.Load().twin
	x := u.extra.Load()
	x.behind(t)
	if x.skip > 0 {
		x.skip--
	} else if x.due() {
		return nil
	}
	return u
}

// enterBehind is the entry behind a block that is timed. It opens no scope if that is to be timed, too. It has a way of its own, on which
// nothing is ever left to skip: where entries are counted something nearly always is, and a processor that has just been surprised by the
// block's end would be once more, which would be told for the zone around.
//
//go:norace
//go:noinline
func (n *node) enterBehind(s *platform.Slot, t platform.Ticks) Scope {
	u := n.untimed(t)
	if u == nil {
		return Scope{}
	}
	return u.enterCounted(s)
}

// due is asked at the top of a demoted subtree when no more entries are to be skipped. It reports whether this one is to be timed.
//
//go:norace
func (x *extra) due() bool {
	return x.draw == nil || !x.stopTiming() || x.draw.next(x)
}
