package eventlog

import (
	"fmt"
	"testing"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/platform"
)

// said is an event of the tests: its place and its time.
type said struct {
	time  platform.Ticks
	place string
}

func (s *said) of() platform.Ticks { return s.time }

func say(place *string, e Event) said { return said{e.Time, fmt.Sprint(*place, e.What%2)} }

// TestCopyHasTheEventsOfTheTime copies a goroutine that goes on, with a place too many, and one that has ended.
func TestCopyHasTheEventsOfTheTime(t *testing.T) {
	platform.SetClock(func() int64 { return 0 }, 1000) // the log began at 0
	defer platform.SetClock(nil, 0)
	g := New(Least, nil)
	defer g.Free()
	for i := range 30 {
		g.Put(platform.Ticks(i), uint64(i%6)) // places 0, 1 and 2
	}
	ended := Ended[int, said]{Time: (*said).of}
	defer ended.Free()
	for _, key := range []int{3, 7} { // 7 has ended since it was copied
		ended.Save(key, 5, func(dst []said) []said { return append(dst, said{9, "x"}, said{10, "y"}, said{11, "z"}) })
	}
	var c Copy[int, string, said]
	defer c.Drop()
	if !c.Reserve(30, 2, 6) {
		t.Fatal("got no memory; want some")
	}
	first, last := g.Stretch(10, 15)
	c.Begin(7, g, 3, func(i int) string { return string(rune('a' + i)) })
	for at := first; at < last; {
		at = c.Take(g, at, min(at+4, last))
	}
	c.TakeEnded(&ended, 10, 20)
	for _, want := range []struct {
		key        int
		begin, end platform.Ticks
		events     string
	}{
		{7, 0, 99, "[{12 a0} {13 a1} {14 b0} {15 b1}]"}, // 10 and 11 are of the third place
		{7, 13, 14, "[{13 a1} {14 b0}]"},
		{3, 0, 99, "[{10 y} {11 z}]"},
		{3, 11, 99, "[{11 z}]"},
		{5, 0, 99, "[]"},
	} {
		t.Run(fmt.Sprint(want.key, want.begin, want.end), func(t *testing.T) {
			if got := fmt.Sprint(c.Append(nil, want.key, want.begin, want.end, say)); got != want.events {
				t.Errorf("%d from %d to %d: got %s; want %s", want.key, want.begin, want.end, got, want.events)
			}
		})
	}
	if since, found := c.Since(3); c.Len() != 2 || since != 5 || !found {
		t.Errorf("got %d goroutines, the first since %d, %t; want 2, 5, true", c.Len(), since, found)
	}
}

func TestCopyStaysWithinItsShare(t *testing.T) {
	defer budget.SetLimit(budget.Default)
	held := budget.Held(budget.Copies)
	budget.SetLimit(1 << 20)
	var c, other Copy[int, int, said]
	if !c.Reserve(16_000, 0, 0) || budget.Held(budget.Copies) != held+16_000*eventBytes {
		t.Errorf("got %d bytes; want %d", budget.Held(budget.Copies)-held, 16_000*eventBytes)
	}
	if other.Reserve(1000, 0, 0) {
		t.Error("beyond a quarter of the limit: got memory; want none")
	}
	if c.Reserve(10, 0, 0); budget.Held(budget.Copies) != held+10*eventBytes {
		t.Errorf("far less: got %d bytes; want %d", budget.Held(budget.Copies)-held, 10*eventBytes)
	}
	if c.Drop(); budget.Held(budget.Copies) != held {
		t.Errorf("dropped: got %d bytes; want 0", budget.Held(budget.Copies)-held)
	}
}
