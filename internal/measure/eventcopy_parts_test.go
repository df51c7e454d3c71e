//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/eventlog"
	"example.com/iprof/platform"
)

// TestCopyHasTheEventsOfTheTime copies a lane that goes on, with a node too many, and two that have ended, one of them
// while the other lanes were copied.
func TestCopyHasTheEventsOfTheTime(t *testing.T) {
	platform.SetClock(func() int64 { return 0 }, 1000) // the log began at 0
	defer platform.SetClock(nil, 0)
	defer endedEvents.free()
	goesOn := new(Lane)
	goesOn.id, goesOn.log = 7, eventlog.New(eventlog.Least, nil)
	goesOn.base = []baseline{{zone: 1}, {zone: 2}, {zone: 3}}
	defer goesOn.log.Free()
	for i := range 30 {
		goesOn.log.Put(platform.Ticks(i), uint64(i%6)) // nodes 0, 1 and 2
	}
	for _, lane := range []LaneID{3, 7, 9} { // 7 has ended since it was copied
		endedEvents.save(lane, 5, func(dst []Event) []Event {
			return append(dst, Event{Time: 9}, Event{Time: 10, Zone: 8}, Event{Time: 11, Zone: 9})
		})
	}
	var c EventCopy
	defer c.Drop()
	if !c.reserve(30, 2, 9) {
		t.Fatal("got no memory; want some")
	}
	first, last := goesOn.log.Stretch(10, 15)
	c.begin(goesOn, true)
	for at := first; at < last; {
		at = c.takeRecords(goesOn.log, at, min(at+4, last))
	}
	ended := new(Lane)
	if ended.id = 9; !c.take(ended, 10, 15) {
		t.Error("a lane that has no log any more: got no room for it")
	}
	c.takeEnded(10, 20)
	for _, want := range []struct {
		lane       LaneID
		begin, end platform.Ticks
		events     string
	}{
		{7, 0, 99, "12:1/false 13:1/true 14:2/false 15:2/true "}, // 10 and 11 are of the third node
		{7, 13, 14, "13:1/true 14:2/false "},
		{3, 0, 99, "10:8/false 11:9/false "},
		{3, 11, 99, "11:9/false "},
		{9, 0, 99, "10:8/false 11:9/false "},
		{5, 0, 99, ""},
	} {
		t.Run(fmt.Sprint(want.lane, want.begin, want.end), func(t *testing.T) {
			got := ""
			for _, e := range c.AppendEvents(nil, want.lane, want.begin, want.end) {
				got += fmt.Sprintf("%d:%d/%t ", e.Time, e.Zone, e.End)
			}
			if got != want.events {
				t.Errorf("%d from %d to %d: got %s; want %s", want.lane, want.begin, want.end, got, want.events)
			}
		})
	}
	if since, found := c.EventsSince(3); c.Lanes() != 3 || since != 5 || !found {
		t.Errorf("got %d lanes, the first since %d, %t; want 3, 5, true", c.Lanes(), since, found)
	}
}

// A lane without events in the time has nothing in the copy but since when it keeps them: its nodes are not looked at.
func TestCopyLeavesQuietLanesAlone(t *testing.T) {
	platform.SetClock(func() int64 { return 0 }, 1000) // the logs began at 0
	defer platform.SetClock(nil, 0)
	quiet, busy := new(Lane), new(Lane)
	for i, l := range []*Lane{quiet, busy} {
		l.id, l.log, l.base = LaneID(i+1), eventlog.New(eventlog.Least, nil), []baseline{{zone: 1}, {zone: 2}}
		defer l.log.Free()
		for k := range 10 {
			l.log.Put(platform.Ticks(100*i+k), uint64(k%4))
		}
	}
	var c EventCopy
	defer c.Drop()
	c.sources = []*Lane{quiet, busy}
	if records, places := c.count(100, 109); records != 10 || places != 2 {
		t.Errorf("got %d records and %d places; want 10 and 2", records, places)
	}
	if c.takeAll(100, 109, false) {
		t.Error("without memory: got all; want that there is no room")
	}
	if !c.reserve(10, 2, 0) || !c.takeAll(100, 109, false) || len(c.copied) != 2 || len(c.places) != 2 {
		t.Errorf("got %d lanes with %d places; want 2 with 2", len(c.copied), len(c.places))
	}
	if got := len(c.AppendEvents(nil, 2, 100, 104)); got != 5 {
		t.Errorf("got %d events; want 5", got)
	}
}

func TestCopyStaysWithinItsShare(t *testing.T) {
	defer budget.SetLimit(budget.Default)
	held, size := budget.Held(budget.Copies), int64(unsafe.Sizeof(eventlog.Event{}))
	limit := 4 * (budget.Total() + 1<<18)
	most := (limit/4 - held) / size
	budget.SetLimit(limit)
	var c, other EventCopy
	if !c.reserve(int(most), 0, 0) || budget.Held(budget.Copies) != held+most*size {
		t.Errorf("got %d bytes; want %d", budget.Held(budget.Copies)-held, most*size)
	}
	if other.reserve(1000, 0, 0) {
		t.Error("beyond a quarter of the limit: got memory; want none")
	}
	if c.reserve(10, 0, 0); budget.Held(budget.Copies) != held+10*size {
		t.Errorf("far less: got %d bytes; want %d", budget.Held(budget.Copies)-held, 10*size)
	}
	if c.Drop(); budget.Held(budget.Copies) != held {
		t.Errorf("dropped: got %d bytes; want 0", budget.Held(budget.Copies)-held)
	}
}
