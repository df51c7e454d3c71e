//go:build !iprof_off

package measure

import (
	"runtime"
	"testing"
	"time"

	"example.com/iprof/platform"
)

func TestEventCopyOutlivesTheRing(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(64)
	own := laneFor(true).ID()
	begin := platform.Now()
	for range 20 {
		clock.advance(1)
		zoneA.Begin().End()
	}
	end := platform.Now()
	want := spelled(AppendEvents(nil, own, begin+3, end-2))
	var c EventCopy
	defer c.Drop()
	if !c.Take(begin, end) || c.Lanes() != 1 {
		t.Fatalf("got %d lanes; want the own lane", c.Lanes())
	}
	for range 200 {
		clock.advance(1)
		zoneB.Begin().End()
	}
	if left := AppendEvents(nil, own, begin, end); len(left) != 0 {
		t.Fatalf("ring: got %q; want it overwritten", spelled(left))
	}
	if got := spelled(c.AppendEvents(nil, own, begin+3, end-2)); got != want || got == "" {
		t.Errorf("copy: got %q; want %q", got, want)
	}
	if since, kept := c.EventsSince(own); since > begin || !kept {
		t.Errorf("since: got %d, %v; want %d or earlier", since, kept, begin)
	}
	if since, kept := c.EventsSince(own + 1); since != 0 || kept {
		t.Errorf("unknown lane: got %d, %v; want 0, false", since, kept)
	}
}

func TestEventCopiesStayWithinTheLimit(t *testing.T) {
	clock := useFakeClock(t)
	defer SetLimits(Limits{})
	const scopes = 20_000 // a copy takes more than all that other tests have left
	const size = 2 * scopes * 16
	SetEvents(2 * scopes)
	for range scopes {
		clock.advance(1)
		zoneA.Begin().End()
	}
	before := MemoryUsed()
	var c, other EventCopy
	if !c.Take(0, platform.MaxTicks) {
		t.Fatal("got no copy; want one")
	}
	if got, want := MemoryUsed().Copies-before.Copies, int64(size); got < want || got > want+want/6 {
		t.Errorf("held: got %d bytes; want about %d", got, want)
	}
	SetLimits(Limits{Bytes: int(MemoryUsed().Total() + size)})
	if other.Take(0, platform.MaxTicks) || other.Lanes() != 0 {
		t.Error("beyond a quarter of the limit: got a copy; want none")
	}
	SetLimits(Limits{Bytes: 7 * size})
	if other.Take(0, platform.MaxTicks) || !other.TakeBriefly(0, platform.MaxTicks) {
		t.Error("two copies of a seventh: got two that last, or none that is dropped soon")
	}
	other.Drop()
	c.Drop()
	if got := MemoryUsed().Copies; got != before.Copies {
		t.Errorf("dropped: got %d bytes; want %d", got, before.Copies)
	}
}

// A copy of the last frames looks at no parked lane, and knows that it was silent.
func TestEventCopyPassesOverSleepers(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(64)
	players := parked(t, clock, 20)
	silent := players[3].lane.ID()
	var f Frame
	frame := func() *EventCopy {
		clock.advance(10)
		Collect(&f)
		c := new(EventCopy)
		if !c.Take(f.Begin, f.End) {
			t.Fatal("got no copy; want one")
		}
		t.Cleanup(c.Drop)
		return c
	}
	c := frame()
	if since, kept := c.EventsSince(silent); c.Lanes() != 1 || since > f.Begin || !kept {
		t.Errorf("got %d lanes, and events of a parked lane since %d, %t; want the own lane, %d, true", c.Lanes(),
			since, kept, f.Begin)
	}
	if _, kept := c.EventsSince(silent + 1000); kept {
		t.Error("a lane that is not there yet: got events; want none")
	}
	if c.Take(0, platform.MaxTicks); c.Lanes() != 21 || len(c.AppendEvents(nil, silent, 0, platform.MaxTicks)) != 2 {
		t.Errorf("of all time: got %d lanes; want 21, with a parked lane's scope", c.Lanes())
	}
	c.Drop()
	players[3].do(func() { zoneB.Begin().End() })
	c = frame()
	if got := c.AppendEvents(nil, silent, f.Begin, f.End); c.Lanes() != 2 || len(got) != 2 {
		t.Errorf("awake: got %d lanes, %q; want two, and a scope", c.Lanes(), spelled(got))
	}
}

// A lane whose goroutine has not run since events were switched on keeps none: the copy says so, as the lane does.
func TestEventCopyKnowsLanesWithoutEvents(t *testing.T) {
	clock := useFakeClock(t)
	p := newPlayer("player")
	t.Cleanup(func() { close(p.orders) })
	p.do(func() { zoneA.Begin().End() })
	SetEvents(64)
	zoneB.Begin().End()
	var f Frame
	clock.advance(10)
	Collect(&f)
	var c EventCopy
	defer c.Drop()
	if !c.TakeBriefly(f.Begin, f.End) || c.Lanes() != 1 || c.Len() != 2 {
		t.Errorf("got %d lanes, %d events; want 1, 2", c.Lanes(), c.Len())
	}
	if _, kept := EventsSince(p.lane.ID()); kept {
		t.Fatal("the player keeps events; want none yet")
	}
	if since, kept := c.EventsSince(p.lane.ID()); since != 0 || kept {
		t.Errorf("got %d, %t; want 0, false", since, kept)
	}
}

// A new copy takes as much memory as the last one had. Only where that is too little, or far too much, are the lanes
// counted first.
func TestEventCopiesAreTakenInOnePass(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(1024)
	for i, test := range []struct{ scopes, counts int }{{20, 1}, {20, 0}, {21, 0}, {200, 1}, {190, 0}, {3, 1}} {
		clock.advance(10)
		begin := platform.Now()
		for range test.scopes {
			zoneA.Begin().End()
		}
		c := new(EventCopy)
		defer c.Drop()
		if i == 0 {
			lastCopied = copiedSize{}
		}
		if !c.Take(begin, platform.Now()) || c.counts != test.counts {
			t.Errorf("%d scopes: counted %d times; want %d", test.scopes, c.counts, test.counts)
		}
		if got := c.AppendEvents(nil, laneFor(true).ID(), begin, platform.Now()); len(got) != 2*test.scopes {
			t.Errorf("%d scopes: got %d events", test.scopes, len(got))
		}
	}
}

// A copy that is no longer reachable does not count as held memory.
func TestCollectedEventCopiesHoldNothing(t *testing.T) {
	useFakeClock(t)
	SetEvents(64)
	zoneA.Begin().End()
	before := MemoryUsed().Copies
	func() {
		c := new(EventCopy)
		if !c.Take(0, platform.MaxTicks) || MemoryUsed().Copies == before {
			t.Fatal("got an empty copy; want one that holds memory")
		}
	}()
	for deadline := time.Now().Add(time.Minute); MemoryUsed().Copies != before; time.Sleep(time.Millisecond) {
		if runtime.GC(); time.Now().After(deadline) {
			t.Fatalf("got %d bytes held; want %d", MemoryUsed().Copies, before)
		}
	}
}

// onShortLane calls do on a goroutine whose lane ends with it, and returns the lane's number.
func onShortLane(do func()) LaneID {
	done := make(chan LaneID)
	go func() {
		l := Register("short")
		do()
		id := l.ID()
		l.Close()
		done <- id
	}()
	return <-done
}

// TestEventsOfEndedLanes ends goroutines and looks at their events after the frame.
func TestEventsOfEndedLanes(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(64)
	var f Frame
	Collect(&f)
	var ids []LaneID
	for range 3 {
		ids = append(ids, onShortLane(func() {
			clock.advance(1)
			zoneA.Begin().End()
		}))
	}
	Collect(&f)
	Collect(&f)
	var c EventCopy
	defer c.Drop()
	c.Take(0, platform.MaxTicks)
	for i, id := range ids {
		events := AppendEvents(nil, id, 0, platform.MaxTicks)
		if _, kept := EventsSince(id); len(events) != 2 || !kept {
			t.Errorf("lane %d: got %q, kept %v; want a scope of a", i, spelled(events), kept)
		}
		if got := c.AppendEvents(nil, id, 0, platform.MaxTicks); spelled(got) != spelled(events) {
			t.Errorf("copy of lane %d: got %q; want %q", i, spelled(got), spelled(events))
		}
	}
	SetEvents(0)
	if got := AppendEvents(nil, ids[0], 0, platform.MaxTicks); len(got) != 0 || endedEvents.len() != 0 {
		t.Errorf("switched off: got %q; want none", spelled(got))
	}
}

// TestEventsOfManyEndedLanes ends more lanes than the ring has room for.
func TestEventsOfManyEndedLanes(t *testing.T) {
	useFakeClock(t)
	SetEvents(1 << 10)
	var f Frame
	var ids []LaneID
	for range 100 {
		ids = append(ids, onShortLane(func() {
			for range 512 {
				zoneA.Begin().End()
			}
		}))
		Collect(&f)
	}
	size, lanes := endedEvents.len(), endedEvents.lanes()
	if size != mostEnded || lanes > mostEnded/1000 {
		t.Errorf("got %d events, %d lanes; want the ring full, and those that fit it", size, lanes)
	}
	if got := AppendEvents(nil, ids[0], 0, platform.MaxTicks); len(got) != 0 {
		t.Errorf("first lane: got %d events; want none", len(got))
	}
	if got := AppendEvents(nil, ids[99], 0, platform.MaxTicks); len(got) < 1000 {
		t.Errorf("last lane: got %d events; want all that its ring had", len(got))
	}
}

// TestEventCopyAtFullSpeed copies while a lane writes.
func TestEventCopyAtFullSpeed(t *testing.T) {
	useRealClock(t)
	SetEvents(1 << 14)
	id, stop := startWriter(func(l *Lane) {
		a := zoneA.Begin()
		zoneB.In(l).End()
		a.End()
	})
	var c EventCopy
	defer c.Drop()
	for range 50 {
		now := platform.Now()
		if !c.Take(0, now) {
			t.Fatal("got no copy; want one")
		}
		since, _ := c.EventsSince(id)
		checkNesting(t, c.AppendEvents(nil, id, since, now))
	}
	stop().Close()
}
