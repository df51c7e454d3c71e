//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"

	"example.com/iprof/platform"
)

// parked makes players, each on its own goroutine, and ends frames until Collect visits none of them.
func parked(t *testing.T, clock *fakeClock, number int) (all []*player) {
	t.Helper()
	for i := range number {
		p := newPlayer(fmt.Sprint("player ", i))
		t.Cleanup(func() { close(p.orders) })
		p.do(func() { zoneA.Begin().End() })
		all = append(all, p)
	}
	silentFor(t, clock)
	return all
}

// silentFor ends frames of ten ticks until Collect visits only its caller's lane.
func silentFor(t *testing.T, clock *fakeClock) {
	t.Helper()
	var f Frame
	for range 2 * parkedAfter {
		clock.advance(10)
		Collect(&f)
	}
	if got := len(registry.awake); got != 1 {
		t.Fatalf("lanes that Collect visits: got %d of %d; want 1", got, len(registry.lanes))
	}
}

func TestParkedLanesWake(t *testing.T) {
	var f Frame
	for _, test := range []struct {
		name string
		wake func()
		got  func(l *LaneFrame) uint64
	}{
		{"zone", func() { zoneA.Begin().End() }, func(l *LaneFrame) uint64 { return uint64(l.Nodes[1].Count) }},
		{"new zone", func() { zoneB.Begin().End() }, func(l *LaneFrame) uint64 { return uint64(l.Nodes[1].Count) }},
		{"hold", func() { zoneB.Hold().Keep(true) }, func(l *LaneFrame) uint64 { return uint64(l.Nodes[1].Count) }},
		{"alloc", func() { Alloc(1) }, func(l *LaneFrame) uint64 { return l.Extra(0).AllocBytes }},
		{"units", func() { Units(1) }, func(l *LaneFrame) uint64 { return l.Extra(0).Units }},
		{"name", func() { Register("player 3") }, func(l *LaneFrame) uint64 { return uint64(len(l.Nodes)) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			clock := useFakeClock(t)
			players := parked(t, clock, 20)
			for round := range 2 {
				clock.advance(4)
				players[3].do(test.wake)
				clock.advance(6)
				Collect(&f)
				l := laneNamed(&f, "player 3")
				if l == nil || len(f.Lanes) != 2 {
					t.Fatalf("round %d: got %d lanes; want the updater's and the one that woke", round, len(f.Lanes))
				}
				if got := test.got(l); got != 1 {
					t.Errorf("round %d: got %d; want 1", round, got)
				}
				if rows(t, &f, l); l.End-l.Begin != 10 || l.End != f.End {
					t.Errorf("round %d: got a lane from %d to %d; want the frame's %d to %d", round, l.Begin, l.End,
						f.Begin, f.End)
				}
				silentFor(t, clock)
			}
		})
	}
}

func TestParkedLanesCount(t *testing.T) {
	clock := useFakeClock(t)
	players := parked(t, clock, 5)
	var f Frame
	for _, frames := range []int{0, 0, 2 * parkedAfter} { // the name is new, then known, then the lane is parked again
		for range frames {
			Collect(&f)
		}
		players[2].do(func() { CountN("woken", 7) })
		if Collect(&f); len(f.Values) != 1 || f.Values[0].Value != 7 {
			t.Fatalf("got values %v; want one of 7", f.Values)
		}
	}
}

// Time during which nothing is recorded is left out for a lane that was parked meanwhile, too.
func TestParkedLanesAndRecording(t *testing.T) {
	clock := useFakeClock(t)
	players := parked(t, clock, 5)
	SetRecording(false)
	var f Frame
	clock.advance(100)
	Collect(&f)
	clock.advance(3)
	SetRecording(true)
	clock.advance(1)
	players[1].do(func() { zoneA.Begin().End() })
	clock.advance(4)
	Collect(&f)
	if l := laneNamed(&f, "player 1"); l == nil || l.End-l.Begin != 5 {
		t.Errorf("got lane %v; want 5 ticks", l)
	}
}

// The lanes of goroutines that end while they are parked are given up.
func TestParkedLanesEnd(t *testing.T) {
	if !platform.Assembly {
		t.Skip("whether a goroutine has ended is not known")
	}
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	last := make(chan bool)
	for range 50 {
		entered := make(chan bool)
		go func() {
			zoneA.Begin().End()
			entered <- true
			<-last
		}()
		<-entered
	}
	silentFor(t, clock)
	if got := len(registry.lanes); got < 50 {
		t.Fatalf("got %d lanes; want 50 parked ones", got)
	}
	close(last)
	wait(t, func() bool { Collect(&f); return len(registry.lanes) < 10 })
}

// A goroutine may read the clock, lose its processor, and wake its lane only after the frame has ended. The time before
// the end belongs to no frame: the lane was parked in it.
func TestLanesWakeAtTheEndOfTheFrame(t *testing.T) {
	clock := useFakeClock(t)
	p := parked(t, clock, 1)[0]
	var f Frame
	clock.advance(10)
	Collect(&f)
	clock.advance(-5) // the reading from before the end
	p.do(func() { zoneA.Begin().End() })
	clock.advance(15)
	Collect(&f)
	l := laneNamed(&f, "player 0")
	if l == nil {
		t.Fatal("got no lane; want the one that woke")
	}
	if rows(t, &f, l); l.Begin != f.Begin || l.End != f.End {
		t.Errorf("got a lane from %d to %d; want the frame's %d to %d", l.Begin, l.End, f.Begin, f.End)
	}
}
