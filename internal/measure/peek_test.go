//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"testing"
)

// crew is goroutines. Each runs the functions sent to it, which enter zoneA.
type crew []chan func()

func newCrew(t *testing.T, n int) (c crew) {
	for range n {
		turn := make(chan func())
		go func() {
			for do := range turn {
				do()
				turn <- nil
			}
		}()
		c = append(c, turn)
	}
	t.Cleanup(func() {
		for _, turn := range c {
			close(turn)
		}
	})
	return c
}

func (c crew) each(do func()) {
	for _, turn := range c {
		turn <- do
		<-turn
	}
}

// laneEntriesOf returns the entries of a lane's zones.
func laneEntriesOf(l *LaneFrame) (count uint32) {
	for i := range l.Nodes {
		count += l.Nodes[i].Count
	}
	return count
}

// TestAFrameEndsWhileSomebodyReads stops a reader at each lane while another goroutine ends the frame. The reader has
// all of that frame, each lane once, and nothing of the next.
func TestAFrameEndsWhileSomebodyReads(t *testing.T) {
	clock := useFakeClock(t)
	var f, peeked Frame
	Collect(&f)
	const size, entries = 12, 3
	c := newCrew(t, size)
	work := func() {
		for range entries {
			s := zoneA.Begin()
			clock.advance(2)
			s.End()
			Count("jobs")
		}
	}
	for stop := range size + 2 {
		c.each(work)
		index, at, seen := f.Index+1, 0, map[LaneID]uint32{}
		PeekEach(&peeked, func(l *LaneFrame) {
			if at == stop {
				elsewhere(t, func() { Collect(&f) })
				c.each(work) // in the next frame
			}
			at++
			if _, twice := seen[l.ID]; twice {
				t.Errorf("stopped at %d: got lane %d twice", stop, l.ID)
			}
			if seen[l.ID] = laneEntriesOf(l); seen[l.ID] != entries && seen[l.ID] != 0 {
				t.Errorf("stopped at %d: got %d entries on lane %d; want %d", stop, seen[l.ID], l.ID, entries)
			}
			rows(t, &Frame{Zones: zones.all()}, l)
		})
		sum := uint32(0)
		for _, n := range seen {
			sum += n
		}
		if got := valuesOf(&peeked)["jobs"]; sum != size*entries || got != size*entries || peeked.Index != index {
			t.Errorf("stopped at %d: got %d entries, %v jobs of frame %d; want %d, %d of %d",
				stop, sum, got, peeked.Index, size*entries, size*entries, index)
		}
		Collect(&f)
	}
}

// TestLanesEndWhileSomebodyReads has lanes merged while a reader stops. It has all measurements, each once.
func TestLanesEndWhileSomebodyReads(t *testing.T) {
	clock := useFakeClock(t)
	var f, peeked Frame
	Collect(&f)
	const size = 30
	random := rand.New(rand.NewPCG(1, 1))
	for turn := range 20 {
		c := newCrew(t, size)
		lanes := make(chan *Lane, size)
		c.each(func() {
			lanes <- Register("worker")
			s := zoneA.Begin()
			clock.advance(3)
			s.End()
			Count("jobs")
		})
		random.Shuffle(size, func(i, j int) { c[i], c[j] = c[j], c[i] })
		sum, at := uint32(0), 0
		PeekEach(&peeked, func(l *LaneFrame) {
			for more := random.IntN(4); more > 0 && at < size; more-- {
				c[at : at+1].each(func() { laneFor(false).Close() })
				at++
			}
			sum += laneEntriesOf(l)
		})
		if got := valuesOf(&peeked)["jobs"]; sum != size || got != size {
			t.Errorf("turn %d: got %d entries, %v jobs; want %d", turn, sum, got, size)
		}
		Collect(&f)
	}
}

// TestAPeekLetsOthersHaveTheRegistry counts how often it does, by the nodes read in between.
func TestAPeekLetsOthersHaveTheRegistry(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	const size = 3 * peekPart / laneWorth
	newCrew(t, size).each(func() { zoneA.Begin().End() })
	before := runningPeek.parts
	Peek(&f)
	if got := runningPeek.parts - before; got < 3 {
		t.Errorf("%d lanes: got %d pauses; want 3", size, got)
	}
	if len(f.Lanes) < size {
		t.Errorf("got %d lanes; want %d", len(f.Lanes), size)
	}
}
