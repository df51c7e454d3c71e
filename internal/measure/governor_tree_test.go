//go:build !iprof_off

package measure

import (
	"testing"

	"example.com/iprof/platform"
)

// governedUntil runs frames at the machine's own speed while the governor is at work, until something is so.
func governedUntil(t *testing.T, f *Frame, what string, body func(), so func() bool) {
	t.Helper()
	for range 400 {
		func() {
			defer whole.Begin().End()
			body()
		}()
		if Collect(f); so() {
			return
		}
	}
	t.Errorf("after 400 frames: got %d entries untimed; want %s", f.Lanes[0].Untimed, what)
}

func useRealGovernor(t *testing.T) {
	t.Helper()
	useRealClock(t)
	SetOverheadLimit(0.02)
	t.Cleanup(func() { SetOverheadLimit(0) })
}

// TestManySiblingsAreCounted has more zones demoted in one place than Begin looks at; one of them stops being for a
// while.
func TestManySiblingsAreCounted(t *testing.T) {
	useRealGovernor(t)
	var many [100]Zone
	odd := &many[3]
	odd.Name = "odd"
	var f Frame
	const entries = 96 // where timing them costs less than half a microsecond, a zone is not demoted
	body := func() {
		for range entries {
			for i := range many {
				many[i].Begin().End()
			}
			for range 4 { // so that none is demoted before it
				odd.Begin().End()
			}
		}
	}
	isDemoted := func() bool { return nodeOf(&f, "odd").Estimated != EstimatedNone }
	most := func() bool {
		estimated := 0
		for _, n := range f.Lanes[0].Nodes[2:] {
			if n.Estimated != EstimatedNone {
				estimated++
			}
			if n.Count != entries && n.Count != 5*entries {
				t.Errorf("got %d entries; want %d", n.Count, entries)
			}
		}
		return estimated > 80
	}
	governedUntil(t, &f, "most zones demoted", body, most)
	governedUntil(t, &f, "odd demoted", body, isDemoted)
	odd.SetPerCall(true)
	governedUntil(t, &f, "odd timed", body, func() bool { return !isDemoted() })
	odd.SetPerCall(false)
	governedUntil(t, &f, "odd demoted again", body, isDemoted)
}

// asStranger calls body on a goroutine whose place in the table of slots another has.
func asStranger(t *testing.T, body func()) {
	t.Helper()
	end := make(chan bool)
	defer close(end)
	for range 1000 {
		answer := make(chan bool)
		go func() {
			whole.Begin().End()
			stranger := platform.Find() == nil
			if stranger {
				body()
			}
			answer <- stranger
			<-end
		}()
		if <-answer {
			return
		}
	}
	t.Error("no two of 1000 goroutines have the same place; want some to have")
}

// TestWhatWasTimedBelowUntimedEntriesMayBeDemotedToo enters a zone seldom inside one that is demoted, and then each
// time.
func TestWhatWasTimedBelowUntimedEntriesMayBeDemotedToo(t *testing.T) {
	useRealGovernor(t)
	t.Run("at home", demotedBelow)
	t.Run("stranger", func(t *testing.T) { asStranger(t, func() { demotedBelow(t) }) })
}

func demotedBelow(t *testing.T) {
	var f Frame
	const entries = 1600
	every := entries / 4
	body := func() {
		for i := range entries {
			s := part.Begin()
			if i%every == 0 {
				tiny.Begin().End()
			}
			s.End()
		}
	}
	governedUntil(t, &f, "nearly all of part's", body, func() bool { return f.Lanes[0].Untimed >= entries*8/10 })
	every = 1
	governedUntil(t, &f, "nearly all", body, func() bool { return f.Lanes[0].Untimed >= 2*entries*8/10 })
}
