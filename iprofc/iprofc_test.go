//go:build cgo && unix && !iprof_off

package iprofc_test

import (
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/iprofc"
	"example.com/iprof/iprofc/internal/ccode"
	"example.com/iprof/platform"
)

type row struct {
	count  uint32
	self   platform.Ticks
	failed bool
}

// rows ends a frame, and returns it and the paths of the lanes whose names begin with lane.
func rows(t testing.TB, lane string) (map[string]row, *gather.Frame) {
	t.Helper()
	var f gather.Frame
	gather.Collect(&f)
	measure.Complete(&f, true)
	for i := range f.Lanes {
		l, sum := &f.Lanes[i], platform.Ticks(0)
		for k := range l.Nodes {
			sum += l.Nodes[k].Self
		}
		if sum != l.End-l.Begin {
			t.Errorf("lane %q: got self times of %d ticks; want %d", l.Name, sum, l.End-l.Begin)
		}
	}
	return pathsOf(&f, lane), &f
}

// pathsOf returns the paths of the lanes whose names begin with lane.
func pathsOf(f *gather.Frame, lane string) map[string]row {
	all := map[string]row{}
	for i := range f.Lanes {
		l := &f.Lanes[i]
		if !strings.HasPrefix(l.Name, lane) {
			continue
		}
		paths := make([]string, len(l.Nodes))
		for k, n := range l.Nodes {
			if k > 0 {
				paths[k] = strings.TrimPrefix(paths[n.Parent]+"/"+f.Zones[n.Zone].Name, "/")
			}
			r := all[paths[k]]
			all[paths[k]] = row{r.count + n.Count, r.self + n.Self, r.failed || n.Self < 0}
		}
	}
	return all
}

func begin(t testing.TB) {
	t.Helper()
	rows(t, "")
}

func ms(ticks platform.Ticks) float64 { return 1000 * float64(ticks) / platform.TicksPerSecond() }

// atLeast checks that a path has a count, and at least a time.
func atLeast(t *testing.T, got map[string]row, path string, count uint32, least float64) {
	t.Helper()
	if r := got[path]; r.count != count || ms(r.self) < least || r.failed {
		t.Errorf("%s: got %d entries of %.3f ms; want %d of at least %.3f", path, r.count, ms(r.self), count, least)
	}
}

var around = gather.Zone{Name: "around"}

func TestZonesOfCAreBelowThoseOfGo(t *testing.T) {
	begin(t)
	since := platform.Now()
	func() {
		defer around.Begin().End()
		iprofc.Call(func() { ccode.Nested(2 * time.Millisecond) })
	}()
	whole := ms(platform.Now() - since)
	got, f := rows(t, "")
	atLeast(t, got, "around", 1, 0)
	atLeast(t, got, "around/outer", 1, 2)
	atLeast(t, got, "around/outer/inner", 3, 6)
	if sum := ms(got["around/outer"].self + got["around/outer/inner"].self + got["around"].self); sum > whole {
		t.Errorf("got %.3f ms in all; want at most %.3f", sum, whole)
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.ClockBack+m.OtherLane != 0 {
		t.Errorf("got misuse %+v; want none", f.Misuse)
	}
}

func TestCallbackIsBelowTheZoneOfC(t *testing.T) {
	begin(t)
	iprofc.Call(func() {
		ccode.Calls(func() {
			iprofc.Callback(func() {
				defer around.Begin().End()
				iprofc.Call(func() { ccode.Nested(time.Millisecond) })
			})
		})
		ccode.Nested(time.Millisecond)
	})
	got, f := rows(t, "")
	for _, path := range []string{"back", "back/around"} {
		atLeast(t, got, path, 1, 0)
	}
	for _, below := range []string{"", "back/around/"} {
		atLeast(t, got, below+"outer", 1, 1)
		atLeast(t, got, below+"outer/inner", 3, 3)
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.ClockBack+m.OtherLane != 0 {
		t.Errorf("got misuse %+v; want none", f.Misuse)
	}
}

// A full ring leaves whole entries out, counts them, and the code after it is measured again.
func TestAFullRingLeavesOutWholeEntries(t *testing.T) {
	for name, fill := range map[string]func(n int){"many": ccode.Repeat, "deep": ccode.Deep} {
		t.Run(name, func(t *testing.T) {
			begin(t)
			const n = 100_000
			runtime.LockOSThread()
			defer runtime.UnlockOSThread()
			var before gather.Frame
			gather.Collect(&before)
			iprofc.Call(func() { fill(n) })
			iprofc.Call(func() { ccode.Nested(time.Millisecond) })
			got, f := rows(t, "")
			lost, counted := f.Dropped.Foreign-before.Dropped.Foreign, uint64(0)
			for path, r := range got {
				if path != "" {
					counted += uint64(r.count)
				}
			}
			if lost == 0 || counted+lost != n+4 {
				t.Errorf("got %d entries, %d left out; want %d in all, some left out", counted, lost, n+4)
			}
			atLeast(t, got, "outer/inner", got["outer/inner"].count, 3)
			if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.ClockBack != 0 {
				t.Errorf("got misuse %+v; want none", m)
			}
		})
	}
}

func TestMisuseInC(t *testing.T) {
	begin(t)
	iprofc.Call(ccode.Unended)
	iprofc.Call(ccode.Extra)
	iprofc.Call(func() { ccode.Nested(time.Millisecond) })
	got, _ := rows(t, "")
	atLeast(t, got, "outer", 2, 1)
	atLeast(t, got, "outer/inner", 4, 3)
	atLeast(t, got, "a\n\xff<b>", 1, 0)
	for path := range got {
		if strings.Count(path, "outer") > 1 {
			t.Errorf("got path %q; want the entries that were left open ended with their Call", path)
		}
	}
}

// Threads of C code, and calls without Call, have lanes of their own.
func TestThreadsOfC(t *testing.T) {
	begin(t)
	if !ccode.OnThread(5) {
		t.Skip("no thread")
	}
	iprofc.Collect()
	got, f := rows(t, "C thread")
	atLeast(t, got, "outer", 5, 0.5)
	atLeast(t, got, "outer/inner", 15, 1.5)
	if f.Dropped.Late != 0 {
		t.Errorf("got %d scopes late; want 0", f.Dropped.Late)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ccode.Nested(time.Millisecond)
	iprofc.Call(func() { ccode.Nested(time.Millisecond) })
	iprofc.Collect()
	if got, _ = rows(t, "C thread"); got["outer"].count != 1 {
		t.Errorf("without Call: got %+v; want one entry of outer", got)
	}
}

// Frames end on another goroutine while C code runs on several. No entry is lost, and all lanes' times add up.
func TestFramesDuringCalls(t *testing.T) {
	begin(t)
	const goroutines, calls = 4, 50
	var all sync.WaitGroup
	done := make(chan bool)
	counts := map[string]uint32{}
	add := func() {
		got, f := rows(t, "")
		for path, r := range got {
			counts[path] += r.count
			if r.failed {
				t.Errorf("%s: got a negative time", path)
			}
		}
		if f.Misuse.ClockBack+f.Misuse.ExtraEnd+f.Misuse.MissingEnd != 0 {
			t.Errorf("got misuse %+v; want none", f.Misuse)
		}
	}
	for range goroutines {
		all.Go(func() {
			for range calls {
				iprofc.Call(func() { ccode.Nested(50 * time.Microsecond) })
			}
		})
	}
	go func() { all.Wait(); close(done) }()
	for running := true; running; add() {
		select {
		case <-done:
			running = false
		default:
			runtime.Gosched()
		}
	}
	if want := uint32(goroutines * calls); counts["outer"] != want || counts["outer/inner"] != 3*want {
		t.Errorf("got %v; want %d of outer", slices.Sorted(maps.Keys(counts)), want)
	}
}

func TestRecordingOff(t *testing.T) {
	begin(t)
	gather.SetRecording(false)
	iprofc.Call(func() { ccode.Nested(time.Millisecond) })
	gather.SetRecording(true)
	iprofc.Call(func() { ccode.Nested(time.Millisecond) })
	got, f := rows(t, "")
	atLeast(t, got, "outer", 1, 1)
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd != 0 {
		t.Errorf("got misuse %+v; want none", m)
	}
}

func BenchmarkZone(b *testing.B) {
	const batch = 1000
	for range b.N / batch {
		iprofc.Call(func() { ccode.Repeat(batch) })
	}
}

func BenchmarkCall(b *testing.B) {
	b.Run("form=plain", func(b *testing.B) {
		for range b.N {
			ccode.Empty()
		}
	})
	b.Run("form=Call", func(b *testing.B) {
		for range b.N {
			iprofc.Call(ccode.Empty)
		}
	})
}
