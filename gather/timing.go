//go:build !iprof_off

package gather

// While a block of a top's entries is timed, the lane's slot says so: then platform.FindTime reads the clock, where beginDemoted would
// first have to find out. The nodes say which entries are meant. Others are counted as ever, by way of a reading that they do not need,
// and anything out of the ordinary goes by extra.due, which asks the nodes only.

// timedNow are the flags of timed nodes whose entries need not be counted instead: see beginDemoted.
const timedNow = flagWithin | flagTiming

// mostWasted is how often the clock may be read for entries that are only counted while a block is timed: its zone may not be entered
// any more.
const mostWasted = 256

// startTiming has the next entries of n timed.
//
//go:norace
func (n *node) startTiming(entries uint32) {
	x := n.extra.Load().twin.extra.Load()
	x.stop = n.count + uint64(entries)
	n.flag |= flagTiming
	s := n.slot
	s.Time, s.Stop, s.Wasted = 1, uint16(x.stop), 0
}

// stopTiming ends that if they were. It reports whether none are to be timed any more.
//
//go:norace
//go:noinline
func (n *node) stopTiming() bool {
	if n.count < n.extra.Load().twin.extra.Load().stop {
		return false
	}
	n.flag &^= flagTiming
	n.slot.Time = 0
	return true
}

// wasted is how often the clock was read in vain while the latest entries of n were timed: not known if others of the lane were, too.
//
//go:norace
func (n *node) wasted() (times uint16, known bool) {
	s := n.slot
	return s.Wasted, s.Wasted < mostWasted && s.Stop == uint16(n.extra.Load().twin.extra.Load().stop)
}
