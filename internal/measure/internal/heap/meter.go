package heap

import (
	"runtime/metrics"
	"sync"

	"example.com/iprof/platform"
)

// Meter reads the runtime's counts of bytes and objects ever allocated. A reading goroutine gets the growth since the
// last reading by any goroutine, so each byte is charged once. The zero value is ready. Any goroutine may use it.
//
// Go has no count for each goroutine. ReadMemStats is exact but stops the world. The memory profile is sampled and two
// collections late. The counts used here are the whole program's, so a zone may be charged for allocations of other
// goroutines. The runtime counts small objects when their span is full or a collection runs, so a zone may be off by a
// span (8 kB for most sizes) for each size class on each P. Objects above 32 kB are exact at once.
type Meter struct {
	mu       sync.Mutex
	samples  [2]metrics.Sample // bytes, objects
	last     counts
	payer    payer
	cost     platform.Ticks // time taken by readings since start
	reported platform.Ticks // the part of cost already reported
}

// Take returns the allocations since the last Take, without the profiler's: see BeginOwn.
func (m *Meter) Take() (bytes, objects uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	epoch, start := platform.Epoch(), platform.Now()
	m.samples[0].Name, m.samples[1].Name = names[0], names[1]
	metrics.Read(m.samples[:])
	var grown counts
	for i := range grown {
		now := number(m.samples[i].Value)
		grown[i] = now - min(m.last[i], now)
		m.last[i] = now
	}
	grown = m.payer.less(grown, true)
	if took := max(platform.Now()-start, 0); platform.Epoch() == epoch {
		m.cost += took
	}
	return grown[0], grown[1]
}

// Cost returns the time spent in Take since the last Cost with move.
func (m *Meter) Cost(move bool) platform.Ticks {
	m.mu.Lock()
	defer m.mu.Unlock()
	cost := m.cost - m.reported
	if move {
		m.reported = m.cost
	}
	return cost
}

// Forget drops the unreported cost after a replacement of the clock: it is in ticks of the old one.
func (m *Meter) Forget() { m.Cost(true) }
