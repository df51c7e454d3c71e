//go:build !iprof_off

package gather

import (
	"runtime/metrics"
	"sync"

	"example.com/iprof/platform"
)

// The Go heap by zone: the runtime's count of bytes and objects ever allocated is read at each Begin and End, and what it has
// grown by since the last reading on any lane is charged to the zone that was innermost on this one. So each byte is charged
// once, and all zones together have what the frame has.
//
// Why this source: ReadMemStats is exact but stops the world; the memory profile is sampled, and late by two collections; there
// is no count by goroutine. This one is the program's as a whole, so what others allocate while a zone is open may be charged
// to it, and small objects are counted when the span they lie in is full or a collection runs: a zone may be off by a
// span, 8 kB for most sizes, for each size class in use on each P. Objects above 32 kB are exact at once.

// zoneMeter is what all lanes share.
type zoneMeter struct {
	mu      sync.Mutex
	samples [2]metrics.Sample // bytes, objects
	was     [2]uint64
	cost    platform.Ticks // of readings, since start
	told    platform.Ticks // of that, reported
}

var zoneHeap zoneMeter

// begin takes the counts as they are now for nothing.
func (m *zoneMeter) begin() { m.take() }

// take returns what was allocated since the last take.
func (m *zoneMeter) take() (grown [2]uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	start := platform.Now()
	m.samples[0].Name, m.samples[1].Name = memoryNames[0], memoryNames[1]
	metrics.Read(m.samples[:])
	for i := range grown {
		now := number(m.samples[i].Value)
		grown[i] = now - min(m.was[i], now)
		m.was[i] = now
	}
	m.cost += max(platform.Now()-start, 0)
	return grown
}

// spent returns the cost of the readings since it was last asked for.
func (m *zoneMeter) spent(move bool) platform.Ticks {
	m.mu.Lock()
	defer m.mu.Unlock()
	cost := m.cost - m.told
	if move {
		m.told = m.cost
	}
	return cost
}

// meter charges what was allocated since the last reading to a node of the lane. Only the lane's goroutine calls it.
//
//go:norace
func (l *Lane) meter(n *node) {
	if off != 0 {
		return
	}
	if grown := zoneHeap.take(); grown != [2]uint64{} {
		x := n.more()
		bump(&x.sums[sumHeapBytes], grown[0])
		bump(&x.sums[sumHeapObjects], grown[1])
	}
}

// border charges the zone that is innermost at a Begin, and returns the time after the reading, so that the zone that begins does
// not pay for it.
//
//go:norace
func (l *Lane) border(t platform.Ticks) platform.Ticks {
	if !l.metered {
		return t
	}
	l.meter(l.at())
	return platform.Now()
}

// meterRest charges what was allocated since the last border to the zone that is innermost on the lane that ends a frame.
//
//go:norace
func (l *Lane) meterRest() {
	if l != nil && l.metered {
		l.meter(l.at())
	}
}
