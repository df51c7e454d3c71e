//go:build !iprof_off

package measure

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/must"
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
	must.Until(t, "lanes are given up", func() bool { Collect(&f); return len(registry.lanes) < 10 })
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

// guests are players without names.
func guests(t *testing.T, number int) (all []*player) {
	for range number {
		p := newPlayer("")
		t.Cleanup(func() { close(p.orders); <-p.done })
		all = append(all, p)
	}
	return all
}

// visited returns how many lanes Collect visits, without the caller's.
func visited() int {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	return len(registry.awake) - 1
}

// parkIn has guests enter zones and ends frames until they are parked there.
func parkIn(t *testing.T, clock *fakeClock, all []*player, zones ...*Zone) {
	t.Helper()
	for _, g := range all {
		for _, z := range zones {
			g.enter(z)
		}
	}
	var f Frame
	for range 2 * parkedAfter {
		clock.advance(10)
		Collect(&f)
	}
}

// However many goroutines wait inside a zone, Collect visits the same number of lanes.
func TestLanesParkedInsideZonesHaveOneProxy(t *testing.T) {
	for _, test := range []struct{ events, number, want int }{
		{0, mostStill, mostStill},
		{0, mostStill + 10, mostStill + 1},
		{0, 500, mostStill + 1},
		{64, mostKeeping, mostKeeping},
		{64, 500, mostKeeping + 1},
	} {
		clock := useFakeClock(t)
		SetEvents(test.events)
		parkIn(t, clock, guests(t, test.number), &zoneA, &zoneB)
		if got := visited(); got != test.want {
			t.Errorf("%d waiting goroutines: Collect visits %d lanes; want %d", test.number, got, test.want)
		}
	}
}

// A proxy has the time of all its lanes, and their zones are open.
func TestProxiesHaveTheLengthOfTheFrame(t *testing.T) {
	for _, number := range []int{mostStill + 10, 500} {
		clock := useFakeClock(t)
		parkIn(t, clock, guests(t, number), &zoneA, &zoneB)
		var f Frame
		clock.advance(10)
		Collect(&f)
		l := &f.Lanes[len(f.Lanes)-1]
		if !strings.HasSuffix(l.Name, "(parked)") && l.Name != parkedName {
			t.Errorf("got a last lane %q; want a proxy", l.Name)
		}
		got := rows(t, &f, l)
		want(t, got, "a/b", 10*platform.Ticks(number-mostStill), 0, true)
		want(t, got, "a", 0, 0, true)
		want(t, got, "", 0, 0, false)
	}
}

// What wakes a lane parked inside a zone, and what it has in that frame.
func TestLanesParkedInsideZonesWake(t *testing.T) {
	for name, wake := range map[string]func(g *player){
		"inner zone": func(g *player) { g.do(func() { zoneB.Begin().End() }) },
		"end":        func(g *player) { g.leave() },
		"end by another goroutine": func(g *player) {
			EndElsewhere(g.scopes[0])
		},
		"units": func(g *player) { g.do(func() { Units(1) }) },
		"count": func(g *player) { g.do(func() { CountN("woken", 1) }) },
		"alloc": func(g *player) { g.do(func() { Alloc(1) }) },
	} {
		t.Run(name, func(t *testing.T) {
			clock := useFakeClock(t)
			all := guests(t, mostStill+20)
			for range 20 {
				CountN("woken", 1) // from then on a lane keeps the name
			}
			parkIn(t, clock, all, &zoneA)
			before := visited()
			clock.advance(4)
			wake(all[len(all)-1])
			clock.advance(6)
			var f Frame
			Collect(&f)
			if got := visited(); got != before+1 {
				t.Fatalf("got %d visited lanes after one woke; want %d", got, before+1)
			}
			woken := &f.Lanes[len(f.Lanes)-1]
			if strings.HasSuffix(woken.Name, "(parked)") || woken.Name == parkedName {
				woken = &f.Lanes[len(f.Lanes)-2]
			}
			if rows(t, &f, woken); woken.End != f.End || woken.Begin != f.Begin {
				t.Errorf("got a lane from %d to %d; want the frame's %d to %d", woken.Begin, woken.End, f.Begin, f.End)
			}
		})
	}
}

// A pause of recording is in no lane, and a reset wakes all.
func TestParkedInsideZonesAndRecording(t *testing.T) {
	clock := useFakeClock(t)
	all := guests(t, mostStill+20)
	parkIn(t, clock, all, &zoneA)
	clock.advance(3)
	SetRecording(false)
	clock.advance(100)
	var f Frame
	SetRecording(true)
	clock.advance(2)
	Collect(&f)
	got := platform.Ticks(0)
	for i := range f.Lanes {
		got += rows(t, &f, &f.Lanes[i])["a"].self
	}
	if want := platform.Ticks(5 * len(all)); got != want {
		t.Errorf("got %d ticks in a; want %d", got, want)
	}
}

// A proxy goes when it has long had no lanes.
func TestProxiesAreDropped(t *testing.T) {
	defer func(frames int32, seconds float64) { idleFrames, idleSeconds = frames, seconds }(idleFrames, idleSeconds)
	idleFrames, idleSeconds = 20, 0.1
	clock := useFakeClock(t)
	all := guests(t, mostStill+20)
	parkIn(t, clock, all, &zoneA)
	var f Frame
	for range 100 {
		clock.advance(10)
		Collect(&f)
	}
	if len(registry.updates.proxies) != 1 || len(registry.lanes) != len(all)+2 {
		t.Fatalf("got %d lanes, %d proxies; want that all stay", len(registry.lanes), len(registry.updates.proxies))
	}
	for _, g := range all {
		g.leave()
	}
	for range 100 {
		clock.advance(10)
		Collect(&f)
	}
	if len(registry.updates.proxies) != 0 ||
		slices.ContainsFunc(registry.lanes, func(l *Lane) bool { return l.record }) {
		t.Errorf("got %d proxies; want none", len(registry.updates.proxies))
	}
}

// A named lane, and one inside a muted zone, is always visited.
func TestSomeLanesAreNeverParkedInsideZones(t *testing.T) {
	clock := useFakeClock(t)
	all := guests(t, mostStill+20)
	for _, g := range all {
		g.do(func() { Register("guest") })
	}
	parkIn(t, clock, all, &zoneA)
	if got := visited(); got != len(all) {
		t.Errorf("got %d visited lanes; want all %d, which have names", got, len(all))
	}
}
