//go:build !iprof_off

package measure

import (
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// spelled writes a lane's events as one line: +a begins a, -a ends it.
func spelled(events []Event) string {
	var b strings.Builder
	for _, e := range events {
		sign := "+"
		if e.End {
			sign = "-"
		}
		fmt.Fprintf(&b, "%s%s@%d/%d ", sign, zones.info(e.Zone).Name, e.Time, e.Level)
	}
	return strings.TrimSpace(b.String())
}

// allEvents returns all events of the calling goroutine's lane.
func allEvents() []Event { return AppendEvents(nil, laneFor(true).ID(), 0, platform.MaxTicks) }

func TestEventsAreTheBeginningAndEndOfEveryScope(t *testing.T) {
	clock := useFakeClock(t)
	zoneC.Begin().End() // before events are wanted
	if got := allEvents(); len(got) != 0 {
		t.Errorf("off: got %q; want none", spelled(got))
	}
	open := zoneC.Begin()
	SetEvents(64)
	start := platform.Now()
	clock.advance(1)
	a := zoneA.Begin()
	clock.advance(2)
	b := zoneB.In(laneFor(true))
	clock.advance(3)
	named("n").End()
	b.End()
	a.End()
	open.End()
	want := "+a@1/1 +b@3/2 +n@6/3 -n@6/3 -b@6/2 -a@6/1 -c@6/0"
	shift := func(events []Event) []Event {
		for i := range events {
			events[i].Time -= start
		}
		return events
	}
	if got := spelled(shift(allEvents())); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	if got := spelled(shift(AppendEvents(nil, laneFor(true).ID(), start+2, start+5))); got != "+b@3/2" {
		t.Errorf("part of the time: got %q; want +b@3/2", got)
	}
	if got := AppendEvents(nil, 1<<60, 0, platform.MaxTicks); len(got) != 0 {
		t.Errorf("unknown lane: got %q; want none", spelled(got))
	}
	var f Frame
	Collect(&f)
	node := f.Lanes[0].Nodes[2]
	if got := allEvents()[0].Node; got != node.ID || f.Zones[node.Zone].Name != "a" {
		t.Errorf("node of the first event: got %d; want %d", got, node.ID)
	}
	SetEvents(0)
	zoneA.Begin().End()
	if got := allEvents(); len(got) != 0 {
		t.Errorf("switched off: got %q; want none", spelled(got))
	}
}

func TestEventsOverwriteTheOldest(t *testing.T) {
	clock := useFakeClock(t)
	SetEvents(-1)
	SetEvents(100) // rounded up to 128
	for range 1000 {
		clock.advance(1)
		zoneA.Begin().End()
	}
	got := allEvents()
	if want := 128 - eventlog.InFlight; len(got) != want || got[len(got)-1].Time != platform.Now() ||
		!got[len(got)-1].End {
		t.Errorf("got %d events; want the latest %d", len(got), want)
	}
	var f Frame
	for range 2 {
		if Collect(&f); f.Dropped.Events != 2000-128 {
			t.Errorf("overwritten: got %d; want %d", f.Dropped.Events, 2000-128)
		}
	}
	SetEvents(256)
	zoneA.Begin().End()
	SetEvents(1)
	if got := len(allEvents()); got != 2 {
		t.Errorf("new size: got %d events; want those since", got)
	}
	zoneA.Begin().End()
	if got := laneFor(true).log.Len(); got != eventlog.Least {
		t.Errorf("room: got %d; want %d", got, eventlog.Least)
	}
}

// Repairs write events, too, so that later events are not misread.
func TestRepairsWriteEvents(t *testing.T) {
	useFakeClock(t)
	SetEvents(64)
	a := zoneA.Begin()
	zoneB.Begin() // never ended
	zoneC.Begin() // nor this
	a.End()
	zoneC.Begin()
	l := laneFor(true)
	l.moveTo(l.root) // as if another goroutine's End had got in between
	zoneC.Begin().End()
	h := zoneA.Hold()
	zoneB.Begin().End()
	h.Keep(false)
	const want = "+a/0 +b/1 +c/2 -c/2 -b/1 -a/0 +c/0 -c/0 +c/0 -c/0 +a/0 +b/1 -b/1 -a/0"
	if got := strings.ReplaceAll(spelled(allEvents()), "@1", ""); got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

// startWriter calls write again and again on a goroutine with a lane. stop waits for its end, and returns the lane.
func startWriter(write func(*Lane)) (id LaneID, stop func() *Lane) {
	var stopped atomic.Bool
	begun, done := make(chan LaneID), make(chan *Lane)
	go func() {
		l := Register("writer")
		begun <- l.ID()
		for !stopped.Load() {
			write(l)
		}
		done <- l
	}()
	return <-begun, func() *Lane {
		stopped.Store(true)
		return <-done
	}
}

// TestEventsAtFullSpeed reads them from another goroutine while they are written, on the path through the assembly.
func TestEventsAtFullSpeed(t *testing.T) {
	useRealClock(t)
	SetEvents(1024)
	var entered atomic.Uint64
	id, stop := startWriter(func(l *Lane) {
		a := zoneA.Begin()
		b := zoneB.In(l)
		named("n").End()
		b.End()
		a.End()
		if entered.Add(3); raceEnabled && entered.Load()%512 == 0 {
			// else a reader as slow as the race detector makes it is always overtaken
			time.Sleep(100 * time.Microsecond)
		}
	})
	var events []Event
	read, rounds := 0, 2000
	if raceEnabled || !platform.Assembly {
		rounds = 100
	}
	for round := 0; round < rounds || read == 0 || entered.Load() < 1024; round++ { // until the ring has wrapped
		events = AppendEvents(events[:0], id, 0, platform.MaxTicks)
		read += len(events)
		checkNesting(t, events)
	}
	stop()
	var f Frame
	Collect(&f)
	want := 2*entered.Load() - 1024
	if got := laneNamed(&f, "writer"); read == 0 || got == nil || f.Dropped.Events != want {
		t.Errorf("read %d events, overwritten: got %d; want some, %d", read, f.Dropped.Events, want)
	}
	allocs := allocstest.PerRun(10, func() { zoneA.Begin().End(); events = AppendEvents(events[:0], id, 0, 0) })
	if allocs != 0 && platform.Assembly {
		t.Errorf("allocations: got %v; want 0", allocs)
	}
}

// checkNesting checks that every event follows from the one before.
func checkNesting(t *testing.T, events []Event) {
	t.Helper()
	for i := 1; i < len(events); i++ {
		was, is := events[i-1], events[i]
		deeper := is.Level - was.Level
		if is.Time < was.Time || !was.End && !is.End && deeper != 1 ||
			was.End && is.End && deeper != -1 || was.End != is.End && deeper != 0 {
			t.Fatalf("event %d of %d: got %+v after %+v; want one that can follow it", i, len(events), is, was)
		}
	}
}

// TestEventsOfAStretchOfTime checks the search against a walk, with the ring wrapped and equal times in it.
func TestEventsOfAStretchOfTime(t *testing.T) {
	clock := useFakeClock(t)
	if _, kept := EventsSince(laneFor(true).ID()); kept || OwnLane() != laneFor(true).ID() {
		t.Error("off: got events kept, or another lane; want none kept, and the own lane")
	}
	clock.advance(5)
	SetEvents(128)
	zoneA.Begin().End() // the ring is made at this Begin
	if since, kept := EventsSince(OwnLane()); since != 0 || !kept || Events() != 128 {
		t.Errorf("since: got %d, kept %v, %d events; want 0, as there were none before, and 128", since, kept, Events())
	}
	SetEvents(0)
	zoneA.Begin().End()
	clock.advance(5)
	SetEvents(128)
	zoneA.Begin().End() // and another one at this
	if since, kept := EventsSince(OwnLane()); since != platform.Now() || !kept {
		t.Errorf("since: got %d, kept %v; want %d, when the ring was made", since, kept, platform.Now())
	}
	for i := range 300 {
		clock.advance(int64(i % 3))
		zoneA.Begin().End()
	}
	all := allEvents()
	if since, _ := EventsSince(OwnLane()); since != all[0].Time {
		t.Errorf("since: got %d; want %d, the oldest event's", since, all[0].Time)
	}
	for begin := all[0].Time - 2; begin < all[len(all)-1].Time+2; begin++ {
		for end := begin - 1; end < begin+9; end += 3 {
			var want []Event
			for _, e := range all {
				if e.Time >= begin && e.Time <= end {
					want = append(want, e)
				}
			}
			if got := AppendEvents(nil, OwnLane(), begin, end); spelled(got) != spelled(want) {
				t.Fatalf("from %d to %d: got %q; want %q", begin, end, spelled(got), spelled(want))
			}
		}
	}
	if since, kept := EventsSince(1 << 60); since != 0 || kept {
		t.Errorf("unknown lane: got %d, %v; want 0, false", since, kept)
	}
}

// The oracle is a list of the times of all events of each lane.
func TestEndedLanesKeepTheLatestEvents(t *testing.T) {
	held := budget.Held(budget.Events)
	var e endedRing
	var all [][]Event
	now := platform.Ticks(0)
	for key, count := range []int{10, 4000, 1, 5000, 0, 60000, 100, 3, 70000, 2000} {
		since := now
		var events []Event
		for range count {
			now++
			events = append(events, Event{Time: now})
		}
		all = append(all, events)
		e.save(LaneID(key), since, func(dst []Event) []Event { return append(dst, events...) })
		left := mostEnded // events that the ring has room for
		for k := key; k >= 0; k-- {
			want := all[k][max(len(all[k])-mostEnded, 0):]
			left -= len(want)
			s, found := e.find(LaneID(k))
			if found != (len(want) > 0 && left >= 0) || found && s.len() != len(want) {
				t.Fatalf("after %d: lane %d: got %t, %d events; want %d", key, k, found, s.len(), len(want))
			}
			if !found {
				continue
			}
			begin, end := want[len(want)/3].Time, want[len(want)*2/3].Time
			if got := e.appendTo(nil, s, begin, end); !slices.Equal(got, want[len(want)/3:len(want)*2/3+1]) {
				t.Fatalf("lane %d from %d to %d: got %d events", k, begin, end, len(got))
			}
			e.each(begin, end, func(at LaneID, _ span) {
				if at != LaneID(k) {
					t.Errorf("%d to %d: got lane %d; want %d", begin, end, at, k)
				}
			})
		}
	}
	if len(e.spans) != e.lanes() || e.len() != mostEnded {
		t.Errorf("got %d lanes in the map, %d in order", len(e.spans), e.lanes())
	}
	if s, _ := e.find(8); s.since != 0 {
		t.Errorf("got a lane whose events are overwritten")
	}
	if e.free(); budget.Held(budget.Events) != held || e.used() != 0 {
		t.Errorf("freed: got %d bytes, %d events", budget.Held(budget.Events)-held, e.used())
	}
}
