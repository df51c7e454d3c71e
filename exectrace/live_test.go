package exectrace_test

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// States are taken while frames run that are neither slow nor paused, if they are asked for.
func TestStatesAreTakenAgainAndAgain(t *testing.T) {
	g := newGame(t)
	g.session.SetFrameBudget(time.Hour)
	defer g.session.SetFrameBudget(0)
	g.watch.TakeEvery(time.Millisecond)
	if state, _ := g.session.Sources().Tracing(); state.Every != 250*time.Millisecond {
		t.Errorf("every %v; want the shortest, 250 ms", state.Every)
	}
	play := func() { g.frame(func() { time.Sleep(5 * time.Millisecond) }) }
	for state, _ := g.session.Sources().Tracing(); !state.Measured; state, _ = g.session.Sources().Tracing() {
		play() // until the one reading that counts the events
	}
	for taken, first := 0, g.session.View().Info().Index; taken < 2; { // the test's own limit ends it
		play()
		for age := range int(g.session.View().Info().Index - first) {
			if slept(g.session.AppendStates(nil, age)) {
				taken, first = taken+1, g.session.View().Info().Index
				break
			}
		}
	}
	g.watch.TakeEvery(0)
	if state, _ := g.session.Sources().Tracing(); state.Every != 0 {
		t.Errorf("every %v; want none", state.Every)
	}
}

// slept reports whether this goroutine slept.
func slept(states []gather.LaneState) bool {
	for _, q := range states {
		if q.Reason == "sleep" && q.Lane == measure.OwnLane() {
			return true
		}
	}
	return false
}
