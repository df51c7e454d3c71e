//go:build !iprof_off

package measure_test

import (
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

var briefZones = [...]measure.Zone{{Name: "brief 0"}, {Name: "brief 1"}, {Name: "brief 2"}}

// briefCrowd is the beginning of the names of briefly's lanes.
const briefCrowd = "measure_test.briefly brief_test.go:"

// crowded is a number of brief goroutines that share a lane.
const crowded = 300

// briefly runs a function on goroutines that all live at once, in one after another. It waits until all have ended.
func briefly(t *testing.T, number int, do func()) {
	t.Helper()
	var one sync.Mutex
	open, ids := make(chan bool), make(chan [2]uint64, number)
	for range number {
		go func() {
			spawned.Begin().End() // makes the lane while all others live
			key, id := platform.Identity()
			ids <- [2]uint64{key, id}
			<-open
			one.Lock()
			defer one.Unlock()
			do()
		}()
	}
	var all [][2]uint64
	for range number {
		all = append(all, <-ids)
	}
	close(open)
	for _, is := range all {
		for until := time.Now().Add(5 * time.Minute); !platform.Ended(is[0], is[1]); time.Sleep(50 * time.Microsecond) {
			if time.Now().After(until) {
				t.Fatal("the goroutine has not ended")
			}
		}
	}
}

// briefClock is a clock that only the test moves. Without goroutines' records it skips the test.
func briefClock(t *testing.T) *atomic.Int64 {
	if !platform.Assembly {
		t.Skip("ended goroutines are only known where the goroutine's record is")
	}
	now := new(atomic.Int64)
	platform.SetClock(func() int64 { return now.Load() }, 1e9)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	measure.Collect(new(measure.Frame))
	return now
}

// briefSums sums the self times and the entries of the zones over briefly's lanes, and checks the lanes.
func briefSums(t *testing.T, lanes []measure.LaneFrame, zones []measure.ZoneInfo) (self [3]platform.Ticks,
	count [3]int) {
	t.Helper()
	for _, l := range lanes {
		whole := platform.Ticks(0)
		for _, n := range l.Nodes {
			whole += n.Self
			for i := range briefZones {
				if zones[n.Zone].Name == briefZones[i].Name {
					self[i], count[i] = self[i]+n.Self, count[i]+int(n.Count)
				}
			}
		}
		if whole != l.End-l.Begin {
			t.Errorf("%s: got self times of %d ticks; want %d, as long as the lane", l.Name, whole, l.End-l.Begin)
		}
	}
	return self, count
}

func TestBriefGoroutinesShareALane(t *testing.T) {
	now := briefClock(t)
	var f measure.Frame
	for frame := range 3 {
		inner := &briefZones[1+frame%2] // lanes get further nodes
		work := func() {
			outer := briefZones[0].Begin()
			now.Add(5)
			s := inner.Begin()
			now.Add(3)
			s.End()
			outer.End()
		}
		briefly(t, crowded, work)
		measure.Peek(&f)
		selfBefore, countBefore := briefSums(t, lanesOf(&f, briefCrowd), f.Zones)
		measure.Collect(&f)
		lanes := lanesOf(&f, briefCrowd)
		self, count := briefSums(t, lanes, f.Zones)
		want := [3]int{crowded, 0, 0}
		want[1+frame%2] = crowded
		if self[0] != 5*crowded || self[1]+self[2] != 3*crowded || count != want {
			t.Errorf("frame %d: got %d ticks in %d entries; want 5 and 3 for each of %d", frame, self, count, crowded)
		}
		if self != selfBefore || count != countBefore {
			t.Errorf("frame %d: got %d ticks in %d entries from Peek", frame, selfBefore, countBefore)
		}
		if last := len(lanes) - 1; last < 8 || last > crowded/2 || !strings.HasSuffix(lanes[last].Name, " (ended)") {
			t.Errorf("frame %d: got lanes %q; want some, and one for all others", frame, laneNames(&f))
		}
	}
	if measure.Collect(&f); len(lanesOf(&f, briefCrowd)) > 0 {
		t.Errorf("without goroutines: got lanes %q", laneNames(&f))
	}
}

// TestBriefGoroutinesWithMoreHaveTheirLanes has goroutines with more than times and entries of zones.
func TestBriefGoroutinesWithMoreHaveTheirLanes(t *testing.T) {
	test := func(name string, more func()) {
		t.Run(name, func(t *testing.T) {
			briefClock(t)
			var f measure.Frame
			briefly(t, crowded, func() { s := briefZones[0].Begin(); more(); s.End() })
			measure.Collect(&f)
			lanes := lanesOf(&f, briefCrowd)
			if _, count := briefSums(t, lanes, f.Zones); len(lanes) != crowded || count[0] != crowded {
				t.Errorf("got %d lanes, %d entries; want %d", len(lanes), count[0], crowded)
			}
		})
	}
	test("allocations", func() { measure.Alloc(7) })
	test("counters", func() { measure.Count("brief") })
	test("holds", func() { briefZones[1].Hold().Keep(true) })
	test("number of lane", func() { measure.OwnLane() })
	defer measure.SetOverheadLimit(measure.OverheadLimit())
	test("overhead limit", func() { measure.SetOverheadLimit(0.9) })
}

// TestBriefGoroutinesDuringAPeek ends the frame while a Peek reads the lanes.
func TestBriefGoroutinesDuringAPeek(t *testing.T) {
	briefClock(t)
	var f measure.Frame
	briefly(t, crowded, func() { briefZones[0].Begin().End() })
	entries, lanes := 0, 0
	measure.PeekEach(&f, func(l *measure.LaneFrame) {
		if !strings.HasPrefix(l.Name, briefCrowd) {
			return
		}
		for _, n := range l.Nodes {
			entries += int(n.Count)
		}
		if lanes++; lanes == crowded/2 {
			ended := make(chan bool)
			go func() { measure.Collect(new(measure.Frame)); close(ended) }()
			<-ended
		}
	})
	if want := 2 * crowded; entries != want { // each has entered two zones
		t.Errorf("got %d entries; want %d", entries, want)
	}
}
