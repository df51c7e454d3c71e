//go:build !iprof_off

package measure_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

func lanesOf(f *measure.Frame, name string) (lanes []measure.LaneFrame) {
	for _, l := range f.Lanes {
		if strings.HasPrefix(l.Name, name) {
			lanes = append(lanes, l)
		}
	}
	return lanes
}

var spawned = measure.Zone{Name: "spawned"}

// eachEnds runs a function on n goroutines, one after another, and waits until each has ended.
func eachEnds(t *testing.T, n int, do func()) {
	t.Helper()
	for range n {
		ids := make(chan [2]uint64)
		go func() {
			do()
			key, id := platform.Identity()
			ids <- [2]uint64{key, id}
		}()
		is := <-ids
		must.Until(t, "the goroutine ends", func() bool { return platform.Ended(is[0], is[1]) })
	}
}

func TestLanesAreNamedByTheirGoStatement(t *testing.T) {
	if !platform.Assembly {
		t.Skip("go statements are only known where the goroutine's record is")
	}
	var f measure.Frame
	measure.Collect(&f)
	stop, ready := make(chan bool), make(chan string)
	go func() {
		spawned.Begin().End()
		ready <- ""
		<-stop
	}()
	go func() {
		lane := measure.Register("by its own name")
		defer lane.Close()
		spawned.Begin().End()
		ready <- lane.Name()
		<-stop
	}()
	names := <-ready + <-ready
	measure.Collect(&f)
	close(stop)
	if names != "by its own name" || len(lanesOf(&f, "by its own name")) != 1 {
		t.Errorf("got %q; want the registered name to win", names)
	}
	const want = "measure_test.TestLanesAreNamedByTheirGoStatement spawn_test.go:"
	if got := lanesOf(&f, want); len(got) != 1 || !strings.Contains(got[0].Name, " #") {
		t.Errorf("got lanes %v; want one named %q with a line and a number", laneNames(&f), want)
	}
}

func laneNames(f *measure.Frame) (names []string) {
	for _, l := range f.Lanes {
		names = append(names, l.Name)
	}
	return names
}

// TestNoTimePassesOnALaneWithoutGoroutine lets a goroutine end and the clock go on.
func TestNoTimePassesOnALaneWithoutGoroutine(t *testing.T) {
	if !platform.Assembly {
		t.Skip("ended goroutines are only known where the goroutine's record is")
	}
	now := int64(1000)
	platform.SetClock(func() int64 { now++; return now }, 1e9)
	defer platform.SetClock(nil, 0)
	var f measure.Frame
	measure.Collect(&f)
	life := func() (sum platform.Ticks) {
		measure.Peek(&f)
		for _, l := range lanesOf(&f, "measure_test.eachEnds") {
			sum += l.End - l.Begin
		}
		return sum
	}
	eachEnds(t, 1, func() { s := spawned.Begin(); now += 500; s.End() })
	now += 1_000_000
	if got := life(); got < 500 || got > 600 {
		t.Errorf("got a life of %d ticks; want 500 and a few", got)
	}
	eachEnds(t, 1, func() { s := spawned.Begin(); now += 500; s.End() }) // may inherit the lane
	now += 1_000_000
	if got := life(); got < 1000 || got > 1200 {
		t.Errorf("two goroutines: got a life of %d ticks; want 1000 and a few", got)
	}
	measure.Collect(&f)
}

// TestCrowdWithoutUpdate has many goroutines at once, time and again, in a program that never calls Update.
func TestCrowdWithoutUpdate(t *testing.T) {
	if os.Getenv("IPROF_CROWD") == "" {
		ownProcess(t, "TestCrowdWithoutUpdate", "IPROF_CROWD=1")
		return
	}
	if !platform.Assembly {
		return
	}
	const rounds, crowd = 20, 100
	for range rounds { // each go statement of the two has its own crowd
		stop, done := make(chan bool), make(chan bool)
		for i := range crowd {
			work := func() { spawned.Begin().End(); done <- true; <-stop; done <- true }
			if i%2 == 0 {
				go work()
			} else {
				go work()
			}
		}
		for range crowd {
			<-done
		}
		close(stop)
		for range crowd {
			<-done
		}
	}
	var f measure.Frame
	measure.Peek(&f)
	var count uint64
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			if f.Zones[n.Zone].Name == spawned.Name {
				count += uint64(n.Count)
			}
		}
	}
	if count != rounds*crowd {
		t.Errorf("got %d entries; want %d", count, rounds*crowd)
	}
	places := crowd + 64*runtime.GOMAXPROCS(0) // the runtime keeps goroutines that have ended, on each processor
	if got := len(f.Lanes); got > min(3*places, rounds*crowd/2) {
		t.Errorf("got %d lanes; want no more than a few for each goroutine that was alive at once", got)
	}
	if len(lanesOf(&f, "measure_test.TestCrowdWithoutUpdate spawn_test.go:")) < crowd/2 {
		t.Errorf("got lanes %q; want the crowds' names", laneNames(&f))
	}
	if f.Dropped != (measure.Dropped{}) {
		t.Errorf("got %+v; want nothing dropped", f.Dropped)
	}
}

var briefZones = [...]measure.Zone{{Name: "brief 0"}, {Name: "brief 1"}, {Name: "brief 2"}}

// briefCrowd is the beginning of the names of briefly's lanes.
const briefCrowd = "measure_test.briefly spawn_test.go:"

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
		must.Until(t, "the goroutine ends", func() bool { return platform.Ended(is[0], is[1]) })
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

var bubbled = measure.Zone{Name: "bubbled"}

// In a bubble of testing/synctest, package time stands still while any goroutine runs, and jumps ahead while all sleep.
// Neither may disturb the profiler, even if it is first used in a bubble. So each test is a process of its own.
func TestFirstUseInABubble(t *testing.T) {
	const child = "IPROF_BUBBLE_CHILD"
	if os.Getenv(child) != "" {
		inBubble(t)
		return
	}
	for _, clock := range []string{"counter", "go"} {
		t.Run(clock, func(t *testing.T) {
			ownProcess(t, "TestFirstUseInABubble", child+"=1", "IPROF_CLOCK="+clock)
		})
	}
}

// ownProcess runs a test alone in a process, with variables set in its environment.
func ownProcess(t *testing.T, test string, variables ...string) {
	t.Helper()
	limit, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	child := exec.CommandContext(limit, os.Args[0], "-test.run=^"+test+"$")
	child.Env = append(os.Environ(), variables...)
	out, err := child.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("the system cannot start this program: an emulator runs it")
	}
	if err != nil {
		t.Errorf("in a process of its own: %v\n%s", err, out)
	}
}

func inBubble(t *testing.T) {
	var f measure.Frame
	var ticks float64
	begin := time.Now()
	synctest.Test(t, func(*testing.T) {
		measure.Collect(&f)
		time.Sleep(time.Hour)
		measure.Collect(&f)
		s := bubbled.Begin()
		for from := platform.Now(); float64(platform.Now()-from) < 0.05*platform.TicksPerSecond(); {
		}
		s.End()
		time.Sleep(time.Hour)
		measure.Collect(&f)
		for i := range f.Lanes {
			for _, n := range f.Lanes[i].Nodes {
				if f.Zones[n.Zone].Name == "bubbled" {
					ticks += float64(n.Self)
				}
			}
		}
	})
	ms, most := ticks/f.TicksPerSecond*1000, float64(time.Since(begin).Milliseconds())
	if ms < 49 || ms > most+1 {
		t.Errorf("zone of 50 ms: got %v ms in %v ms", ms, most)
	}
	if f.Misuse.ClockJump != 0 || f.Misuse.ClockBack != 0 {
		t.Errorf("jumps and steps back of the clock: got %d and %d; want none", f.Misuse.ClockJump, f.Misuse.ClockBack)
	}
}
