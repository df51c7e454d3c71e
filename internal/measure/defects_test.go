//go:build !iprof_off

package measure

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

// One test for each defect of the prototype this design comes from.

//go:noinline
func zoneOnTheStack(name string) {
	z := Zone{Name: name}
	z.Begin().End()
}

// dirtyStack overwrites what earlier calls left on the stack.
//
//go:noinline
func dirtyStack(n int) (sum byte) {
	var junk [512]byte
	for i := range junk {
		junk[i] = byte(i + n)
	}
	if n > 0 {
		sum = dirtyStack(n - 1)
	}
	return sum + junk[n]
}

func TestZoneOnTheStackMovesToTheHeap(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	names := map[string]bool{}
	for i := range 50 {
		name := strings.Repeat("s", i+1)
		names[name] = true
		zoneOnTheStack(name)
		dirtyStack(20)
		runtime.GC()
	}
	for name := range collect(t, &f) {
		delete(names, name)
	}
	if len(names) != 0 {
		t.Errorf("rows missing: got %d; want 0", len(names))
	}
}

func TestCopyOfAZoneIsAZoneOfItsOwn(t *testing.T) {
	useRealClock(t)
	original := Zone{Name: "original"}
	original.Begin().End()
	var f Frame
	Collect(&f)
	const copies = 200
	for i := range copies {
		z := new(Zone)
		z.Name, z.Idle = original.Name, original.Idle
		if i%2 == 0 {
			copyZone(z, &original)
		}
		z.Begin().End()
		if i%20 == 0 {
			runtime.GC()
		}
	}
	Collect(&f)
	seen := map[ZoneID]bool{}
	for _, n := range f.Lanes[0].Nodes[1:] {
		if seen[n.Zone] || n.Count != 1 {
			t.Errorf("zone %d: got it again, or %d entries; want each once", n.Zone, n.Count)
		}
		seen[n.Zone] = true
	}
	if len(seen) != copies {
		t.Errorf("zones: got %d; want %d", len(seen), copies)
	}
}

// copyZone copies a zone's every byte, as assignment does, but unseen by vet.
func copyZone(to, from *Zone) { reflect.ValueOf(to).Elem().Set(reflect.ValueOf(from).Elem()) }

func TestGoroutineThatEndsInAZoneHandsNothingOn(t *testing.T) {
	useRealClock(t)
	if !platform.Assembly {
		t.Skip("goroutine ids are no places here: nothing is ever handed on")
	}
	var f Frame
	Collect(&f)
	const goroutines = 10_000
	done := make(chan bool)
	for i := range goroutines {
		go func() {
			if i%7 == 0 {
				Register("dead")
			}
			zoneB.Begin().End()
			zoneA.Begin() // never ended
			done <- true
		}()
		<-done
		if i%1000 == 0 {
			Collect(&f)
			checkD3(t, &f)
		}
	}
	Collect(&f)
	checkD3(t, &f)
	if got := f.Misuse.MissingEnd; got < goroutines*9/10 {
		t.Errorf("scopes never ended: got %d; want nearly %d", got, goroutines)
	}
	wantNote(t, &f, `zone "a" (`, "_test.go:", "never ended: did you mean defer")
}

func checkD3(t *testing.T, f *Frame) {
	t.Helper()
	for i := range f.Lanes {
		for path := range rows(t, f, &f.Lanes[i]) {
			if strings.Contains(path, "/") {
				t.Fatalf("lane %q: got %q; want every zone at the root", f.Lanes[i].Name, path)
			}
		}
	}
}

func TestSuccessorHasNoName(t *testing.T) {
	useRealClock(t)
	var f Frame
	done := make(chan bool)
	for range 200 {
		go func() { Register("dead"); zoneA.Begin().End(); done <- true }()
		<-done
		go func() { zoneB.Begin().End(); done <- true }()
		<-done
	}
	Collect(&f)
	for i := range f.Lanes {
		if _, b := rows(t, &f, &f.Lanes[i])["b"]; b && f.Lanes[i].Name == "dead" {
			t.Fatal("a later goroutine's zone: got it under the name of a dead one")
		}
	}
}

func TestNodeLeftOpenByARaceIsClosedByTheNextBegin(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	clock.advance(5)
	l := laneFor(true)
	l.moveTo(l.root) // as if another goroutine's End had got in between
	clock.advance(5)
	zoneA.Begin().End()
	clock.advance(100)
	got := collect(t, &f)
	want(t, got, "a", 10, 2, false)
	if f.Misuse.MissingEnd != 1 || got["a"].errors != 1 {
		t.Errorf("missing ends: got %d, %d on the node; want 1, 1", f.Misuse.MissingEnd, got["a"].errors)
	}
	a.End()
	Collect(&f)
	if f.Misuse.ExtraEnd != 1 {
		t.Errorf("extra ends: got %d; want 1", f.Misuse.ExtraEnd)
	}
}

func TestIsSeenAtFullSpeedToo(t *testing.T) {
	useRealClock(t)
	zoneA.Begin().End()
	l := laneFor(true)
	for range 3 {
		zoneA.Begin()
		l.moveTo(l.root)
	}
	zoneA.Begin().End()
	var f Frame
	got := collect(t, &f)
	if a := got["a"]; a.count != 5 || a.open || a.self < 0 || a.self > f.End-f.Begin || f.Misuse.MissingEnd != 3 {
		t.Errorf("got %+v, %d missing; want 5 entries, closed, within the frame, 3", a, f.Misuse.MissingEnd)
	}
}

func TestRepairKeepsWhatWasReported(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	s := zoneA.Begin()
	clock.advance(1000)
	Collect(&f) // 1000 reported while open
	clock.advance(-800)
	zoneB.Begin().End()
	s.End()
	clock.advance(900)
	for i := range 4 { // the first frame has no earlier one to compare with
		s := zoneA.Begin()
		clock.advance(10)
		s.End()
		if got := collect(t, &f)["a"].self; got != 10 && i > 0 {
			t.Errorf("frame %d after the repair: got %d; want 10", i, got)
		}
	}
}

func TestPanicThroughSpanLeavesNothingOpen(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	outer := zoneC.Begin()
	func() {
		defer func() { _ = recover() }()
		for range zoneA.Span {
			clock.advance(3)
			panic("host's")
		}
	}()
	zoneB.Begin().End()
	outer.End()
	got := collect(t, &f)
	want(t, got, "c/a", 3, 1, false)
	want(t, got, "c/b", 0, 1, false)
	if m := f.Misuse; m.MissingEnd+m.ExtraEnd != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

// Repairs lose no time: the sums still telescope.
func TestRepairsKeepTheBooksStraight(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	var total platform.Ticks
	for i := range 20 {
		a := zoneA.Begin()
		clock.advance(1)
		zoneB.Begin()
		clock.advance(2)
		zoneC.Begin()
		clock.advance(4)
		if i%2 == 0 {
			Collect(&f)
			for _, r := range rows(t, &f, &f.Lanes[0]) {
				total += r.self
			}
		}
		a.End()
	}
	for _, r := range collect(t, &f) {
		total += r.self
	}
	if total != 140 {
		t.Errorf("sum of all self times: got %d; want 140", total)
	}
	if f.Misuse.MissingEnd != 40 {
		t.Errorf("missing ends: got %d; want 40", f.Misuse.MissingEnd)
	}
}
