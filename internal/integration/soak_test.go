//go:build !iprof_off

package integration_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// soakEntries is how many zones TestSoakCounts enters: ten million, or what IPROF_SOAK says ("make soak": 1e9).
func soakEntries(t *testing.T) int {
	t.Helper()
	text := os.Getenv("IPROF_SOAK")
	switch {
	case text != "":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil || n < 1e3 || n > 1e12 {
			t.Fatalf("IPROF_SOAK=%s: want a number of entries, 1e3 to 1e12", text)
		}
		return int(n)
	case testing.Short() || raceEnabled:
		return 200_000
	}
	return 10_000_000
}

// soaked are the zones of the soak: some entered alone, some within each other.
var soaked = [...]iprof.Zone{{Name: "soak 0"}, {Name: "soak 1"}, {Name: "soak 2"}, {Name: "soak 3"}, {Name: "soak 4"}}

// soakTurn enters ten zones, five at the most within each other.
func soakTurn() {
	defer soaked[0].Begin().End()
	for i := 1; i < len(soaked); i++ {
		soaked[i].Begin().End()
	}
	a := soaked[1].Begin()
	b := soaked[2].Begin()
	soaked[2].Begin().End() // recursion
	c := soaked[3].Begin()
	iprof.Begin("soak").End()
	c.End()
	b.End()
	a.End()
}

// perTurn is how often soakTurn enters each zone.
var perTurn = map[string]int{"soak 0": 1, "soak 1": 2, "soak 2": 3, "soak 3": 2, "soak 4": 1, "soak": 1}

// life is when a lane began, as seen from outside: between two readings of the clock.
type life struct{ before, began time.Time }

// soakLane does a goroutine's share, and stays until it may leave; all in a zone, as frames leave out lanes at rest.
func soakLane(name string, turns int, running *sync.WaitGroup, leave chan bool) (l life) {
	l.before = time.Now()
	lane := iprof.Register(name)
	l.began = time.Now()
	defer lane.Close()
	defer iprof.Begin("soaking").End()
	for range turns {
		soakTurn()
	}
	running.Done()
	<-leave
	return l
}

// TestSoakCounts enters very many zones on several goroutines while frames go by: counts are exact to the unit, and on
// each lane the self times sum to the wall clock's time.
func TestSoakCounts(t *testing.T) {
	const lanes = 3
	turns := soakEntries(t) / 10 / lanes
	iprof.Reset()
	lives, leave := make([]life, lanes), make(chan bool)
	var running, all sync.WaitGroup
	for i := range lanes {
		running.Add(1)
		all.Go(func() { lives[i] = soakLane(fmt.Sprint("soak lane ", i), turns, &running, leave) })
	}
	done := make(chan bool)
	go func() { running.Wait(); close(done) }()
	frames := time.NewTicker(10 * time.Millisecond)
	defer frames.Stop()
	for going := true; going; {
		select {
		case <-frames.C:
			iprof.Update()
		case <-done:
			going = false
		}
	}
	ending := time.Now()
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
	ended := time.Now()
	close(leave)
	all.Wait()
	checkSoakCounts(t, d, turns*lanes)
	for i, l := range lives {
		checkSoakLane(t, d, fmt.Sprint("soak lane ", i), ending.Sub(l.began), ended.Sub(l.before))
	}
}

func checkSoakCounts(t *testing.T, d *report.Dump, turns int) {
	t.Helper()
	counts := map[string]float64{}
	for _, n := range d.Merged {
		counts[d.Zones[n.Zone].Name] += n.Count
	}
	for name, each := range perTurn {
		if want := float64(each * turns); counts[name] != want {
			t.Errorf("entries of %q: got %.0f; want %.0f", name, counts[name], want)
		}
	}
}

// checkSoakLane compares a lane's self times with how long it lived, at least and at most.
func checkSoakLane(t *testing.T, d *report.Dump, name string, least, most time.Duration) {
	t.Helper()
	at := slices.IndexFunc(d.Lanes, func(l report.LaneTree) bool { return l.Name == name })
	if at < 0 {
		t.Errorf("%s: got no lane; want one", name)
		return
	}
	self := 0.0
	for _, n := range d.Lanes[at].Nodes {
		self += n.Self / 1000
	}
	if !(self >= least.Seconds()*0.999 && self <= most.Seconds()*1.001) {
		t.Errorf("%s: got self times of %.6f s; want %v to %v, give or take 0.1 %%", name, self, least, most)
	}
}
