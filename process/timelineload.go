package process

import (
	"cmp"
	"slices"
	"sort"
)

// TimelineLoad is how many goroutines were at work at once in a stretch of time.
type TimelineLoad struct {
	Mean float32
	Most int32
}

// load is a number that changes with time: how many are at work. Stretches of time are looked up by binary search, and
// the sums that are kept make any stretch as quick as another.
type load struct {
	steps   []loadStep
	highest []int32    // of each loadBlock steps
	changes []loadStep // of the frame that is being read; n is the change
	longest float64    // work in that frame, ms
}

// loadStep is a change of a load: from a time on, n are at work.
type loadStep struct {
	at   float64 // ms on the axis
	area float64 // of all before, in ms of one goroutine
	n    int32
}

const loadBlock = 64

// change adds n to the load from begin to end. The changes count from settle on.
func (l *load) change(begin, end float64, n int32) {
	if end > begin {
		l.changes = append(l.changes, loadStep{at: begin, n: n}, loadStep{at: end, n: -n})
	}
}

// settle sorts the changes of a frame, and appends them. Before them and after them nothing is at work.
func (l *load) settle() {
	slices.SortFunc(l.changes, func(a, b loadStep) int { return cmp.Compare(a.at, b.at) })
	n := int32(0)
	for i := range l.changes {
		n += l.changes[i].n
		if i+1 == len(l.changes) || l.changes[i+1].at > l.changes[i].at {
			l.add(l.changes[i].at, n)
		}
	}
	l.changes, l.longest = l.changes[:0], 0
}

func (l *load) add(at float64, n int32) {
	s := loadStep{at: at, n: n}
	if last := len(l.steps) - 1; last >= 0 {
		before := &l.steps[last]
		s.at = max(at, before.at)
		s.area = before.area + float64(before.n)*(s.at-before.at)
	}
	if l.steps = append(l.steps, s); len(l.steps) > loadBlock*len(l.highest) {
		l.highest = append(l.highest, n)
	} else {
		l.highest[len(l.highest)-1] = max(l.highest[len(l.highest)-1], n)
	}
}

// drop drops what is before a time, once that is most of it.
func (l *load) drop(before float64) {
	if from := l.upTo(before, 0); from > leastShift && from > len(l.steps)/2 {
		rest := append(l.steps[:0], l.steps[from:]...)
		l.steps, l.highest = l.steps[:0], l.highest[:0]
		for _, s := range rest {
			l.add(s.at, s.n)
		}
	}
}

func (l *load) clear() {
	l.steps, l.highest, l.changes = l.steps[:0], l.highest[:0], l.changes[:0]
}

// upTo returns the number of steps at or before a time. At least from are.
func (l *load) upTo(at float64, from int) int {
	low, high := from, len(l.steps)
	for step := 1; low+step < high; step *= 2 {
		if l.steps[low+step].at > at {
			high = low + step
			break
		}
	}
	return low + sort.Search(high-low, func(i int) bool { return l.steps[low+i].at > at })
}

// areaAt returns the area up to a time. n is upTo of that time.
func (l *load) areaAt(at float64, n int) float64 {
	if n == 0 {
		return 0
	}
	s := &l.steps[n-1]
	return s.area + float64(s.n)*(at-s.at)
}

// highestOf returns the greatest load of the steps from..to-1.
func (l *load) highestOf(from, to int) (most int32) {
	for i := max(from, 0); i < to; {
		if i%loadBlock == 0 && i+loadBlock <= to {
			most = max(most, l.highest[i/loadBlock])
			i += loadBlock
			continue
		}
		most = max(most, l.steps[i].n)
		i++
	}
	return most
}

// most returns the greatest load in a stretch of time.
func (l *load) most(begin, end float64) int {
	from := l.upTo(begin, 0)
	to := from + sort.Search(len(l.steps)-from, func(i int) bool { return l.steps[from+i].at >= end })
	return int(l.highestOf(from-1, to))
}

func (l *load) append(dst []TimelineLoad, begin, cell float64, n int) []TimelineLoad {
	from := l.upTo(begin, 0)
	area := l.areaAt(begin, from)
	for i := range n {
		end := begin + float64(i+1)*cell
		to := l.upTo(end, from)
		next := l.areaAt(end, to)
		within := to
		for within > from && l.steps[within-1].at >= end {
			within--
		}
		dst = append(dst, TimelineLoad{Mean: float32((next - area) / cell), Most: l.highestOf(from-1, within)})
		from, area = to, next
	}
	return dst
}
