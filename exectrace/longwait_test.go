package exectrace_test

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

// A wait keeps its reason and its length while the trace goes on: the trace repeats all states about once a second, and
// whenever it is taken.
func TestALongWaitIsOneState(t *testing.T) {
	g := newGame(t)
	lane, done := make(chan gather.LaneID), make(chan bool)
	go func() {
		defer g.worker("sleeper")()
		lane <- measure.OwnLane()
		<-done
	}()
	id := <-lane
	defer close(done)
	begin := time.Now()
	for range 4 {
		g.frame(func() { time.Sleep(50 * time.Millisecond) })
		must.Do(t, g.watch.Take())
	}
	least := time.Since(begin).Seconds() / 2
	for age := range 4 {
		longest := gather.LaneState{}
		for _, q := range g.session.AppendStates(nil, age) {
			if q.Lane == id && q.End-q.Begin > longest.End-longest.Begin {
				longest = q
			}
		}
		seconds := float64(longest.End-longest.Begin) / platform.TicksPerSecond()
		if longest.Reason != "chan receive" || seconds < least {
			t.Errorf("age %d: got %+v of %.3f s; want a wait for the channel of %.3f", age, longest, seconds, least)
		}
	}
}
