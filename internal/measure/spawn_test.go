//go:build !iprof_off

package measure_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/measure"
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
		for until := time.Now().Add(5 * time.Minute); !platform.Ended(is[0],
			is[1]); time.Sleep(100 * time.Microsecond) {
			if time.Now().After(until) {
				t.Fatal("the goroutine has not ended")
			}
		}
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
