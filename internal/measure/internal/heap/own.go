package heap

import (
	"runtime/metrics"
	"sync"
	"time"

	"example.com/iprof/internal/measure/internal/budget"
)

// counts are numbers of bytes and of objects.
type counts [2]uint64

// own counts the profiler's allocations outside budget.Taken.
var own struct {
	mu    sync.Mutex
	work  stretch
	all   counts // in stretches, by an estimate
	taken counts // see Took
}

// stretch is the current work of the profiler, with the heap at its start.
type stretch struct {
	samples [2]metrics.Sample
	depth   int       // number of open calls of BeginOwn
	most    uint64    // bytes: of the latest call
	from    time.Time // beginning of the uncounted part
	heap    counts    // at that time
	known   counts    // knownOwn at that time
	rate    [2]float64
}

// Took declares an allocation of the profiler with its bytes and objects. Declared allocations need no estimate. Any
// goroutine may call it.
func Took(bytes, objects uint64) {
	own.mu.Lock()
	defer own.mu.Unlock()
	own.taken[0] += bytes
	own.taken[1] += objects
}

// knownOwn returns the profiler's allocations counted exactly. The mutex of own is held.
func knownOwn() counts {
	bytes, objects := budget.Taken()
	return counts{own.taken[0] + bytes, own.taken[1] + objects}
}

// BeginOwn begins work of the profiler. Frames and zones leave out the growth of the heap until the call of end, except
// for the program's share, which is estimated from its rate before. Growth by more than most bytes plus those of Took
// counts as the program's: a buffer that it took at that moment. Stretches may nest and overlap. Any goroutine may call
// it.
func BeginOwn(most int) (end func()) {
	own.mu.Lock()
	defer own.mu.Unlock()
	w := &own.work
	if w.depth++; w.depth == 1 {
		w.begin()
	} else {
		w.count()
	}
	before := w.most
	w.most = uint64(most)
	return func() { endOwn(before) }
}

// endOwn ends a stretch. before is the limit of the enclosing one.
func endOwn(before uint64) {
	own.mu.Lock()
	defer own.mu.Unlock()
	own.work.count()
	own.work.most = before
	own.work.depth--
}

// ownSoFar returns the profiler's allocations so far: those counted by package budget, and those of stretches.
func ownSoFar() counts {
	own.mu.Lock()
	defer own.mu.Unlock()
	own.work.count()
	known := knownOwn()
	return counts{own.all[0] + known[0], own.all[1] + known[1]}
}

// read reads the time, the heap and budget.Taken.
func (w *stretch) read() (now time.Time, heap, known counts) {
	w.samples[0].Name, w.samples[1].Name = names[0], names[1]
	metrics.Read(w.samples[:])
	return time.Now(), counts{number(w.samples[0].Value), number(w.samples[1].Value)}, knownOwn()
}

// begin notes the program's rate of allocation since the last stretch.
func (w *stretch) begin() {
	now, heap, known := w.read()
	for i := range heap {
		w.rate[i] = 0
		if seconds := now.Sub(w.from).Seconds(); !w.from.IsZero() && seconds > 0 {
			w.rate[i] = max(w.grown(i, heap, known), 0) / seconds
		}
	}
	w.from, w.heap, w.known = now, heap, known
}

// count counts the allocations since from, if a stretch is open. The limit is of the whole growth. Less the program's
// usual share, a buffer of the program could be within it.
func (w *stretch) count() {
	if w.depth == 0 {
		return
	}
	now, heap, known := w.read()
	if w.grown(0, heap, known) <= float64(w.most) {
		for i := range heap {
			program := w.rate[i] * now.Sub(w.from).Seconds()
			own.all[i] += uint64(max(w.grown(i, heap, known)-program, 0))
		}
	}
	w.from, w.heap, w.known = now, heap, known
}

// grown returns the growth of the heap since from in bytes or objects, without the exactly counted ones.
func (w *stretch) grown(i int, heap, known counts) float64 {
	return float64(heap[i]-w.heap[i]) - float64(known[i]-w.known[i])
}

// payer subtracts the profiler's part from the growth of the heap. The runtime shows small objects only when their span
// is full. So up to a span may be missing, and is subtracted later.
type payer struct{ subtracted counts }

const span = 8 << 10 // bytes, for most sizes

// begin leaves out earlier allocations.
func (p *payer) begin() { p.subtracted = ownSoFar() }

// less returns grown without the profiler's part. Without move nothing changes.
func (p *payer) less(grown counts, move bool) counts {
	now := ownSoFar()
	if now[0]-p.subtracted[0] < span {
		return grown
	}
	for i := range grown {
		part := min(now[i]-p.subtracted[i], grown[i])
		grown[i] -= part
		if move {
			p.subtracted[i] += part
		}
	}
	return grown
}
