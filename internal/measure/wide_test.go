//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/measure/internal/governor"
	"example.com/iprof/platform"
)

// The table finds what was added and not removed, whatever lies behind it.
func TestWideTableOracle(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	type child struct {
		parent *node
		key    uint64
	}
	var w wide
	has, parents := map[child]*node{}, [3]node{}
	for step := range 20_000 {
		c := child{&parents[random.IntN(len(parents))], uint64(random.IntN(100+step/100)) << kidShift}
		if got := w.find(c.parent, c.key); got != has[c] {
			t.Fatalf("step %d: got %p; want %p", step, got, has[c])
		}
		switch n := has[c]; {
		case n == nil:
			has[c] = &node{parent: c.parent, key: c.key}
			w.add(has[c])
		case random.IntN(2) == 0:
			w.remove(n)
			w.remove(n) // no effect
			delete(has, c)
		}
		all, most := 0, uint32(0)
		for _, used := range w.used {
			all, most = all+int(used), max(most, used)
		}
		if all != len(has) || 2*slotsOfLine*int(most) > len(w.slots) {
			t.Fatalf("step %d: got %d nodes, at most %d of a ring, in %d slots; want %d, in twice as many", step, all,
				most, len(w.slots), len(has))
		}
	}
}

// Of zones beside each other in memory eight have slots in one line of the processor's cache, so that entering them in
// turn waits for memory eight times less often.
func TestNeighboursShareALine(t *testing.T) {
	const number = 10_000
	var w wide
	var parent node
	nodes, lines := make([]node, number), 0
	for i := range nodes {
		nodes[i] = node{parent: &parent, key: 1<<40 + uint64(i)<<kidShift}
		w.add(&nodes[i])
	}
	for at := 0; at < len(w.slots); at += slotsOfLine {
		line := w.slots[at : at+slotsOfLine]
		if slices.ContainsFunc(line, func(p unsafe.Pointer) bool { return p != nil }) {
			lines++
		}
	}
	if lines > number/slotsOfLine*5/4 {
		t.Errorf("got %d nodes in %d lines; want at most a quarter more than %d", number, lines, number/slotsOfLine)
	}
}

// A zone with many siblings takes no slow path once it has its node. It is entered on a goroutine whose home slot is
// free: on others each entry takes one.
func TestManySiblingsTakeNoSlowPath(t *testing.T) {
	if platform.Assembly && !platform.Direct() {
		t.Skip("with this machine's clock all entries take the slow path")
	}
	for entered := false; !entered; {
		done := make(chan bool)
		go func() {
			defer close(done)
			defer Register("siblings").Close()
			if entered = platform.Find() != nil; entered {
				zones := make([]Zone, 3000)
				enterSiblings(t, zones)
				l := laneFor(false)
				l.mu.Lock()
				l.governed = &governed{Policy: governor.New()} // as once the governor has acted on it
				l.mu.Unlock()
				enterSiblings(t, zones)
			}
		}()
		<-done
	}
}

func enterSiblings(t *testing.T, zones []Zone) {
	var f Frame
	slow := platform.Ticks(0)
	for try := range 100 { // a reader may send the goroutine to the slow path
		for i := range zones {
			zones[i].Begin().End()
		}
		Collect(&f)
		lane := laneNamed(&f, "siblings")
		entered := 0
		for _, n := range lane.Nodes {
			entered += int(n.Count)
		}
		if entered < len(zones) {
			t.Errorf("frame %d: got %d entries; want %d", try, entered, len(zones))
			return
		}
		if slow = lane.Slow; slow == 0 {
			return
		}
	}
	t.Errorf("got %d ticks in slow paths; want a frame with none", slow)
}

// TestQuietSiblingsAreNotVisited counts the nodes that the reader leaves out, of which every entry is still reported.
func TestQuietSiblingsAreNotVisited(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	zones := make([]Zone, 3000)
	enter := func(some []Zone) {
		t.Helper()
		for i := range some {
			some[i].Begin().End()
		}
		if Collect(&f); laneEntriesOf(&f.Lanes[0]) < uint32(len(some)) {
			t.Fatalf("got %d entries; want %d", laneEntriesOf(&f.Lanes[0]), len(some))
		}
	}
	l := laneFor(true)
	leftOut := func(want int) {
		t.Helper()
		if got := l.settled.count; got != want {
			t.Errorf("got %d of %d siblings left out; want %d", got, len(zones), want)
		}
	}
	enter(zones)
	for range 2 * quietAfter {
		enter(zones[:10])
	}
	inSlots := 0
	for i := range zones[10:] {
		if n := l.find(l.root, zoneKey(&zones[10+i])); l.root.hasInSlot(n) {
			inSlots++
		}
	}
	all := len(zones) - 10 - inSlots
	leftOut(all)
	enter(zones[100:200])
	leftOut(all - 100)
	zones[300].Hold().KeepIf(nil) // others look at all siblings
	leftOut(0)
	enter(zones)
}

// An entry beyond the limit of zones does not look up who calls: that takes a microsecond, and memory.
func TestEntriesBeyondTheLimitsAreQuick(t *testing.T) {
	defer SetLimits(Limits{})
	var f Frame
	Collect(&f)
	SetLimits(Limits{Zones: len(f.Zones) + 1})
	zones := make([]Zone, 50)
	enter := func() {
		for i := range zones {
			zones[i].Begin().End()
		}
	}
	enter()
	most := 0
	if !platform.Assembly { // then finding the goroutine's lane allocates
		most = len(zones)
	}
	if got := allocstest.PerRun(20, enter); got > float64(most) {
		t.Errorf("zones: got %v allocations; want %d", got, most)
	}
	Collect(&f)
	names := f.Dropped.Names
	if enter(); droppedSoFar().Names-names != uint64(len(zones)-1) {
		t.Errorf("got %d names dropped; want %d", droppedSoFar().Names-names, len(zones)-1)
	}
	other := 0
	Collect(&f)
	for _, n := range f.Lanes[0].Nodes {
		if f.Zones[n.Zone].Name == otherName {
			other += int(n.Count)
		}
	}
	if other != len(zones)-1 {
		t.Errorf("got %d entries of (other); want %d", other, len(zones)-1)
	}
}
