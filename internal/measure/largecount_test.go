//go:build !iprof_off

package measure

import (
	"math"
	"sync/atomic"
	"testing"
)

// entriesOf are the entries of a zone in a frame.
func entriesOf(f *Frame, name string) (n uint64) {
	for _, l := range f.Lanes {
		for i := range l.Nodes {
			if f.Zones[l.Nodes[i].Zone].Name == name {
				n += uint64(l.Nodes[i].Count) + uint64(l.Extra(i).More)<<32
			}
		}
	}
	return n
}

// entered makes it so many entries of a's more.
func entered(clock *fakeClock, more uint64) {
	l := laneFor(true)
	n := l.find(l.root, zoneKey(&zoneA))
	atomic.AddUint64(&n.count, more)
	s := zoneA.Begin()
	clock.advance(1000)
	s.End()
}

func TestMoreEntriesThanThirtyTwoBits(t *testing.T) {
	for _, sweeps := range []int{0, 4} {
		t.Cleanup(func(was int) func() { return func() { sweepPays = was } }(sweepPays))
		sweepPays = sweeps
		clock := useFakeClock(t)
		var f Frame
		zoneA.Begin().End()
		Collect(&f)
		var got uint64
		for i, more := range []uint64{5, 1 << 32, 7<<32 - 3, 0, math.MaxUint32, math.MaxUint32, 3 << 32, 1} {
			entered(clock, more)
			Peek(&f)
			if n := entriesOf(&f, "a"); n != more+1 {
				t.Errorf("sweep %d, frame %d, peeked: got %d entries; want %d", sweeps, i, n, more+1)
			}
			Collect(&f)
			if n := entriesOf(&f, "a"); n != more+1 {
				t.Errorf("sweep %d, frame %d: got %d entries; want %d", sweeps, i, n, more+1)
			}
			got += entriesOf(&f, "a")
		}
		if l := laneFor(true); got != l.find(l.root, zoneKey(&zoneA)).count-1 {
			t.Errorf("all frames: got %d entries; want %d", got, l.find(l.root, zoneKey(&zoneA)).count-1)
		}
	}
}

func TestMoreEntriesThanThirtyTwoBitsWhileRecordingIsOff(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	zoneA.Begin().End()
	Collect(&f)
	entered(clock, 5<<32)
	SetRecording(false)
	for i, want := range []uint64{5<<32 + 1, 0} {
		Collect(&f)
		if got := entriesOf(&f, "a"); got != want {
			t.Errorf("frame %d while off: got %d entries; want %d", i, got, want)
		}
	}
	SetRecording(true)
	entered(clock, 3<<32)
	Collect(&f)
	if got, want := entriesOf(&f, "a"), uint64(3<<32+1); got != want {
		t.Errorf("switched on again: got %d entries; want %d", got, want)
	}
}

// What a 32-bit machine may read while a count is between its halves comes right in the next frame.
func TestHalfACountIsNoStepBack(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	zoneA.Begin().End()
	entered(clock, 2<<32-3)
	Collect(&f)
	l := laneFor(true)
	n := l.find(l.root, zoneKey(&zoneA))
	n.count -= 1<<32 - 5 // the lower half is new, the upper is not
	clock.advance(1000)
	n.acc++
	Collect(&f)
	got := entriesOf(&f, "a")
	n.count += 1 << 32
	n.acc++
	clock.advance(1000)
	Collect(&f)
	if got += entriesOf(&f, "a"); got != 5 {
		t.Errorf("got %d entries; want 5", got)
	}
}

func TestHoldWithMoreEntriesThanThirtyTwoBits(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	h := zoneB.Hold()
	zoneA.Begin().End()
	l := laneFor(true)
	l.find(l.at(), zoneKey(&zoneA)).count += 3 << 32
	clock.advance(1000)
	h.Keep(true)
	Collect(&f)
	if got, want := entriesOf(&f, "a"), uint64(3<<32+1); got != want {
		t.Errorf("got %d entries; want %d", got, want)
	}
}

// Between two looks frames go on, and lower halves run over.
func TestLowerHalfRunsOverInShortFrames(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	zoneA.Begin().End()
	entered(clock, 1<<32-1<<30-2)
	Collect(&f)
	l := laneFor(true)
	n, got := l.find(l.root, zoneKey(&zoneA)), entriesOf(&f, "a")
	for range 40 {
		atomic.AddUint64(&n.count, 1<<28)
		s := zoneA.Begin()
		clock.advance(150)
		s.End()
		Collect(&f)
		got += entriesOf(&f, "a")
	}
	if got != n.count {
		t.Errorf("got %d entries; want %d", got, n.count)
	}
}
