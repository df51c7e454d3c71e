package foreign

import (
	"slices"

	"example.com/iprof/platform"
)

// MaxWaiting limits the scopes in a Queue.
const MaxWaiting = 1 << 16

// Queue holds the self times of scopes until a frame takes them. The index of its node identifies a scope, 0 is the
// root. The zero value is empty. The caller guards it with a mutex.
type Queue struct {
	open   []openScope // scopes that may contain the next one
	latest platform.Ticks
	closed []closedScope // in the order of Open
	sums   []Sum
}

// openScope is an open scope.
type openScope struct {
	node uint32
	end  platform.Ticks
	at   int // index in done, -1 if absent
}

// closedScope is the time of a scope.
type closedScope struct {
	node   uint32
	issued platform.Ticks
	self   platform.Ticks
}

// Log receives the beginning (what is 0) or the end (1) of a scope. The times never decrease.
type Log func(node uint32, t platform.Ticks, what uint64)

// CloseTo closes the innermost scopes down to a level: 0 closes all. It returns the node of the scope then innermost.
func (q *Queue) CloseTo(level int, log Log) (node uint32) {
	for len(q.open) > max(level, 0) {
		last := q.open[len(q.open)-1]
		q.open = q.open[:len(q.open)-1]
		q.log(log, last.node, last.end, 1)
	}
	if len(q.open) == 0 {
		return 0
	}
	return q.open[len(q.open)-1].node
}

// Open opens a scope of a node below the innermost one. It cuts the times to the enclosing scope's. It returns false if
// it drops the time: the queue is full, or keep is false.
func (q *Queue) Open(node uint32, keep bool, begin, end, issued platform.Ticks, log Log) (kept bool) {
	around := openScope{end: platform.MaxTicks - 1, at: -1}
	if len(q.open) > 0 {
		around = q.open[len(q.open)-1]
	}
	begin = min(max(begin, q.latest), around.end)
	s := openScope{node: node, end: min(max(end, begin), around.end), at: -1}
	if keep = keep && len(q.closed) < MaxWaiting; keep {
		s.at = len(q.closed)
		q.closed = append(q.closed, closedScope{node, issued, s.end - begin})
		if around.at >= 0 {
			q.closed[around.at].self -= s.end - begin
		}
	}
	q.log(log, node, begin, 0)
	q.open = append(q.open, s)
	return keep
}

func (q *Queue) log(log Log, node uint32, t platform.Ticks, what uint64) {
	q.latest = max(q.latest, t)
	log(node, q.latest, what)
}

// Sum is the part of a node in a frame.
type Sum struct {
	Self  platform.Ticks
	Count uint32
	Shown bool // the node has scopes, or one below has
}

// Take removes the scopes that were issued before the end of a frame. It returns their sums by node, their total time,
// and the number issued before the frame began. parent returns the parent of a node, which has a smaller number. The
// sums are valid until the next Take, and nil without such scopes.
func (q *Queue) Take(begin, end platform.Ticks, nodes int, parent func(i uint32) uint32) (
	sums []Sum, work platform.Ticks, late int,
) {
	n := 0
	for n < len(q.closed) && q.closed[n].issued < end {
		n++
	}
	if n == 0 {
		return nil, 0, 0
	}
	sums = slices.Grow(q.sums[:0], nodes)[:nodes]
	clear(sums)
	for _, d := range q.closed[:n] {
		sums[d.node].Self += d.self
		sums[d.node].Count++
		work += d.self
		if d.issued < begin {
			late++
		}
	}
	q.closed = append(q.closed[:0], q.closed[n:]...)
	for i := nodes - 1; i > 0; i-- {
		if s := &sums[i]; s.Count > 0 || s.Shown {
			s.Shown, sums[parent(uint32(i))].Shown = true, true
		}
	}
	q.sums = sums
	return sums, work, late
}

// Forget removes all scopes that are not open.
func (q *Queue) Forget() { q.closed = q.closed[:0] }
