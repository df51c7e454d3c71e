package exectrace

import (
	"slices"

	"example.com/iprof/gather"
)

// State is the state of a goroutine in a stretch of time. Times are nanoseconds of the trace's clock.
type State struct {
	Goroutine  uint64 // 0: the whole program
	Kind       gather.StateKind
	Begin, End int64
	Reason     string // of a wait: "chan receive", "select", "sync", "sleep", "network", …
	Place      string // the line where it waited: "world.go:42", "" if not known
	Waker      uint64 // the goroutine that ended the wait, or made this one; 0 for a timer or the network
	By         string // the function that ended the wait: "main.load"
	At         string // its line: "world.go:88"
}

// States are the states of a trace. They do not change. Any goroutine may call the methods.
type States struct {
	Begin, End int64 // the time that the trace covers, in nanoseconds of its clock
	Events     int   // number of events read
	Lost       int   // number of states beyond MaxStates; the later ones are lost
	Unplaced   int   // number of samples of other goroutines, without a goroutine, and beyond MaxSamples
	order      []uint64
	samples    []sample
	states     map[uint64][]State
	clock      clock
}

// MaxStates bounds the states of a trace in memory, which then take about 100 MB.
const MaxStates = 1 << 20

// Goroutines returns the numbers of the goroutines with states, ascending. 0 stands for the whole program.
func (s *States) Goroutines() []uint64 { return s.order }

// Of returns the states of a goroutine, by their beginnings. Do not change them.
func (s *States) Of(goroutine uint64) []State { return s.states[goroutine] }

// In returns the states of a goroutine that overlap the time from begin to end, by their beginnings.
func (s *States) In(goroutine uint64, begin, end int64) (in []State) {
	for _, q := range s.states[goroutine] {
		if q.Begin < end && q.End > begin {
			in = append(in, q)
		}
	}
	return in
}

// Time returns the time of a goroutine in states of a kind, in nanoseconds.
func (s *States) Time(goroutine uint64, kind gather.StateKind) (ns int64) {
	for _, q := range s.states[goroutine] {
		if q.Kind == kind {
			ns += q.End - q.Begin
		}
	}
	return ns
}

// sorted fills in the order.
func (s *States) sorted() {
	for goroutine, list := range s.states {
		s.order = append(s.order, goroutine)
		slices.SortStableFunc(list, func(a, b State) int { return int(min(max(a.Begin-b.Begin, -1), 1)) })
	}
	slices.Sort(s.order)
}
