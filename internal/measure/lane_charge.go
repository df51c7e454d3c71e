//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/heap"
	"example.com/iprof/platform"
)

// In MemoryHeapPerZone, each Begin and End reads the heap's counts. The reading lane charges the growth to its
// innermost zone, so the sum over all zones is the frame's figure. All lanes share the meter.
var zoneHeap heap.Meter

// meter charges the allocations since the last reading to a node of the lane. Only the lane's goroutine calls it.
//
//go:norace
func (l *Lane) meter(n *node) {
	if off != 0 {
		return
	}
	if bytes, objects := zoneHeap.Take(); bytes != 0 || objects != 0 {
		x := n.more()
		x.sums.bump(sumHeapBytes, bytes)
		x.sums.bump(sumHeapObjects, objects)
	}
}

// border charges the innermost zone at a Begin. It returns the time after the reading: the new zone begins there.
//
//go:norace
func (l *Lane) border(t platform.Ticks) platform.Ticks {
	if !l.metered {
		return t
	}
	l.meter(l.at())
	return platform.Now()
}

// here returns the calling goroutine's lane if the quick lookup finds it, else nil.
//
//go:norace
func here() *Lane {
	if s := platform.Find(); s != nil {
		return (*Lane)(s.Lane)
	}
	return nil
}

// charged returns the lane whose innermost open node is charged, or nil if the calling goroutine is not measured.
//
//go:norace
func charged() *Lane {
	if l := here(); l != nil {
		return l
	}
	return locate()
}
