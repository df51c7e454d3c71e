package whatif

import (
	"container/heap"
	"math"

	"example.com/iprof/gather"
)

// Faster returns the factors of paths, by number: those of some paths work a share of their time less.
func Faster(paths []bool, share float64) []float64 {
	factors := make([]float64, len(paths))
	for i, chosen := range paths {
		if factors[i] = 1; chosen {
			factors[i] = 1 - share
		}
	}
	return factors
}

// Frames returns the number of frames.
func (p *Program) Frames() int { return p.frames }

// Gain is by how many ticks a frame or a call would be shorter in the mean.
type Gain struct {
	Least, Most float64
	Then        gather.LaneID // for its work the lane that ends the frames then waits longer; 0: none
}

// Gain computes the gain of factors for the work in paths.
func (p *Program) Gain(factors []float64) Gain {
	low, high := p.play(factors, false), p.play(factors, true)
	a, b := p.base[0].mean-low.mean, p.base[1].mean-high.mean
	g := Gain{Least: min(a, b), Most: max(a, b)}
	most := 0.0
	for i, t := range high.waited {
		if more := t - p.base[1].waited[i]; more > most {
			most, g.Then = more, p.lanes[i].id
		}
	}
	if most < (b-low.mean+high.mean)/100 || most < p.base[1].mean*float64(p.frames)/1000 {
		g.Then = 0
	}
	return g
}

// played is what a replay found.
type played struct {
	mean   float64   // time of a frame or a call; NaN: it stood still
	waited []float64 // by the lane that ended them: waits of the lane that ends the frames
}

// player plays a program.
type player struct {
	*Program
	factors  []float64
	most     bool // for the upper bound
	now      float64
	events   events
	sequence int
	ready    []int32 // lanes that need a processor
	busy     int     // processors
	given    []bool  // tokens
	waiters  []int32 // by token: 1 + the lane that waits for it
	lanes    []playing
	noted    []float64
	waited   []float64
}

// playing is how far a lane is.
type playing struct {
	at      int
	begun   bool    // the step at has begun
	running bool    // has a processor
	left    float64 // of its work
	turns   float64 // time for which it had the processor
	turn    float64 // for which it has the processor
	since   float64 // beginning of its wait
}

// play plays the program.
func (p *Program) play(factors []float64, most bool) played {
	y := &player{Program: p, factors: factors, most: most, given: make([]bool, len(p.givers)),
		waiters: make([]int32, len(p.givers)), lanes: make([]playing, len(p.lanes)),
		noted: make([]float64, p.notes), waited: make([]float64, len(p.lanes))}
	for i := range y.noted {
		y.noted[i] = math.NaN()
	}
	for i := range y.lanes {
		y.later(int32(i), 0)
	}
	for len(y.events) > 0 {
		e := heap.Pop(&y.events).(event)
		y.now = e.at
		if y.resume(e.lane); len(y.events) == 0 || y.events[0].at > y.now {
			y.dispatch()
		}
	}
	return played{y.mean(), y.waited}
}

// mean returns the mean time that is asked.
func (y *player) mean() float64 {
	if len(y.calls) == 0 {
		return (y.noted[y.frames] - y.noted[0]) / float64(y.frames)
	}
	sum := 0.0
	for _, c := range y.calls {
		sum += y.noted[c[1]] - y.noted[c[0]]
	}
	return sum / float64(len(y.calls))
}

// later has a lane go on after a time.
func (y *player) later(lane int32, after float64) {
	y.sequence++
	heap.Push(&y.events, event{y.now + after, y.sequence, lane})
}

// resume goes on with a lane whose step, or turn of the processor, has ended.
func (y *player) resume(lane int32) {
	l := &y.lanes[lane]
	if l.running {
		l.turns += l.turn
		if l.left -= l.turn; l.left > 0 {
			if l.running = len(y.ready) == 0; l.running {
				y.run(lane)
				return
			}
			y.busy--
			y.ready = append(y.ready, lane)
			return
		}
	}
	if l.begun {
		l.at, l.begun = l.at+1, false
	}
	y.advance(lane)
}

// advance takes the steps of a lane until one takes time.
func (y *player) advance(lane int32) {
	l := &y.lanes[lane]
	steps := y.Program.lanes[lane].steps
	for ; l.at < len(steps); l.at++ {
		s := &steps[l.at]
		if after, blocked := y.begin(lane, s); blocked || after > 0 {
			l.begun = true
			if s.kind == work {
				l.left, l.turns = after, 0
				y.needProcessor(lane)
				return
			}
			if y.release(lane); !blocked {
				y.later(lane, after)
			}
			return
		}
	}
	y.release(lane)
}

// begin begins a step. It returns the time that it takes, or that it waits for a token.
func (y *player) begin(lane int32, s *step) (after float64, blocked bool) {
	switch s.kind {
	case work, rest:
		return y.length(s), false
	case pause, moment:
		if s.kind == pause && y.most && !y.paced {
			return float64(s.length), false
		}
		return float64(s.at-y.Program.begin) - y.now, false
	case note:
		y.noted[s.from] = y.now
	case wake:
		y.give(s.from)
	case await, join:
		if y.given[s.from] || s.kind == join && y.most {
			return 0, false
		}
		y.waiters[s.from] = lane + 1
		y.lanes[lane].since = y.now
		return 0, true
	}
	return 0, false
}

// length returns the time of work or rest.
func (y *player) length(s *step) (length float64) {
	for _, q := range y.parts[s.from:s.to] {
		if int(q.path) < len(y.factors) {
			length += float64(q.length) * y.factors[q.path]
		} else {
			length += float64(q.length)
		}
	}
	return length
}

// give gives a token.
func (y *player) give(token int32) {
	y.given[token] = true
	if lane := y.waiters[token] - 1; lane >= 0 {
		if lane == y.updater {
			y.waited[y.givers[token]] += y.now - y.lanes[lane].since
		}
		y.later(lane, 0)
	}
}

// needProcessor has a lane work as soon as a processor is free.
func (y *player) needProcessor(lane int32) {
	if y.lanes[lane].running {
		y.run(lane)
		return
	}
	y.ready = append(y.ready, lane)
}

// run gives a lane a turn of its processor.
func (y *player) run(lane int32) {
	l := &y.lanes[lane]
	l.turn = min(l.left, y.turn)
	y.later(lane, l.turn)
}

// release takes the processor from a lane.
func (y *player) release(lane int32) {
	if l := &y.lanes[lane]; l.running {
		l.running = false
		y.busy--
	}
}

// recorded returns the recorded time of what a lane is to do.
func (y *player) recorded(lane int32) float64 {
	l := &y.lanes[lane]
	return float64(y.Program.lanes[lane].steps[l.at].at) + l.turns
}

// dispatch gives free processors to the lanes that need one, in the recorded order. It is called once all lanes have
// got to a moment.
func (y *player) dispatch() {
	for y.busy < y.processors && len(y.ready) > 0 {
		next := 0
		for i := range y.ready {
			if y.recorded(y.ready[i]) < y.recorded(y.ready[next]) {
				next = i
			}
		}
		lane := y.ready[next]
		y.ready = append(y.ready[:next], y.ready[next+1:]...)
		y.busy++
		y.lanes[lane].running = true
		y.run(lane)
	}
}

// event is when a lane goes on.
type event struct {
	at       float64
	sequence int
	lane     int32
}

// events is a heap.
type events []event

func (e events) Len() int      { return len(e) }
func (e events) Swap(i, k int) { e[i], e[k] = e[k], e[i] }
func (e events) Less(i, k int) bool {
	return e[i].at < e[k].at || e[i].at == e[k].at && e[i].sequence < e[k].sequence
}
func (e *events) Push(x any) { *e = append(*e, x.(event)) }
func (e *events) Pop() (x any) {
	last := len(*e) - 1
	x = (*e)[last]
	*e = (*e)[:last]
	return x
}
