//go:build !iprof_off

package gather

import (
	"unsafe"

	"example.com/iprof/platform"
)

// While a block of a top's entries is timed, the lane's slot says so: then platform.FindTime reads the clock, where beginDemoted would
// first have to find out. The nodes say which entries are meant. Others are counted as ever, by way of a reading that they do not need,
// and anything out of the ordinary goes by extra.due, which asks the nodes only.

// timedNow are the flags of timed nodes whose entries need not be counted instead: see beginDemoted.
const timedNow = flagWithin | flagTiming

// mostOthers is how often other zones may be entered while a block is timed, and the clock be read for them: the block's may not be
// entered any more. And fewOthers, for each pair of the block, is how often ones that are timed always if the block is to tell what
// timing adds: they may take a tick more or less.
const (
	mostOthers = 4096
	fewOthers  = 2
)

// startTiming has the next entries of the timed form timed. x is the other's.
//
//go:norace
func (x *extra) startTiming(entries uint32) {
	n := x.twin
	x.stop = n.count + uint64(entries)
	n.flag |= flagTiming
	s := n.slot
	s.Stop, s.Others, s.Wasted = uint16(x.stop), 0, 0
	s.SetTimed(true)
}

// stopTiming ends that if they were. It reports whether none are to be timed any more.
//
//go:norace
//go:noinline
func (x *extra) stopTiming() bool {
	n := x.twin
	if n.count < x.stop {
		return false
	}
	n.flag &^= flagTiming
	n.slot.SetTimed(false)
	return true
}

// enterTimed opens n at a time that was read while entries are timed. The compiler puts it, and readInVain, where they are called: what
// is done between the reading and the zone's own work is told for the zone, so a call would be.
//
//go:norace
func (n *node) enterTimed(s *platform.Slot, t platform.Ticks) {
	s.Cur = unsafe.Pointer(n)
	s.Last = t
	n.count++
	storeTicks(&n.acc, n.acc-t)
}

// timedEnough reports whether as many entries of n were timed as should be. What is inside the last one is timed as ever, and what
// comes then goes the way of the last one of a block that is counted: so two blocks differ by little but what timing is.
//
//go:norace
func (n *node) timedEnough(s *platform.Slot) bool {
	return n.flag&flagTiming != 0 && int16(uint16(n.count)-s.Stop) >= 0
}

// timedElse reports whether an entry is to be timed that is not like most of a block's: one of another zone, where that is not
// demoted, or one that is logged, too. The node may be nil.
//
//go:norace
func (n *node) timedElse(s *platform.Slot, key uint64) bool {
	if kid(s, key^keyUntimed) == nil {
		noteOther(s)
		return true
	}
	return n != nil && n.flag&timedNow != 0 && !n.timedEnough(s)
}

// readInVain notes that the time was read for an entry that is not timed.
//
//go:norace
func readInVain(s *platform.Slot) {
	s.Wasted++
	noteOther(s)
}

//go:norace
func noteOther(s *platform.Slot) {
	if s.Others++; s.Others == mostOthers {
		s.SetTimed(false)
	}
}

// wasted is how often that was while the latest entries of the timed form were timed, of which there were so many pairs: not known if
// others of the lane were, too, the block was cut short, or so much else was entered that little would be told.
//
//go:norace
func (x *extra) wasted(pairs uint64) (times uint16, known bool) {
	s := x.twin.slot
	return s.Wasted, s.Others < mostOthers && uint64(s.Others-s.Wasted) <= fewOthers*pairs && s.Stop == uint16(x.stop)
}
