//go:build !iprof_off

package integration_test

import (
	"fmt"
	"io"
	"math"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unicode/utf8"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// heapNow returns the bytes in live objects.
func heapNow() int {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// grown returns by how much the heap has grown, in MB, when work is done.
func grown(work func()) float64 {
	before := heapNow()
	work()
	return float64(heapNow()-before) / 1e6
}

// cutName returns five bytes of a text of a megabyte that nothing else refers to.
func cutName(i int) string { return strings.Repeat(fmt.Sprintf("%05d", i), 200_000)[:5] }

// A name keeps nothing of the text that it was cut from.
func TestNamesDoNotKeepTheirText(t *testing.T) {
	for name, enter := range map[string]func(string){
		"Begin":      func(name string) { iprof.Begin(name).End() },
		"Zone":       func(name string) { z := &iprof.Zone{Name: name}; z.Begin().End() },
		"Count":      iprof.Count,
		"Register":   func(name string) { iprof.Register(name) },
		"BeginFrame": func(name string) { iprof.BeginFrame(name); iprof.EndFrame() },
	} {
		t.Run(name, func(t *testing.T) {
			got := grown(func() {
				for i := range 50 {
					enter(cutName(i))
				}
				iprof.Update()
			})
			if got > 10 {
				t.Errorf("50 names of five bytes: the heap grew by %.1f MB; want less than 10", got)
			}
		})
	}
}

// A place is entered by texts that come and go, so that each comes to lie where another was: the text alone decides.
func TestNamesAtPassingAddresses(t *testing.T) {
	iprof.Reset()
	const entries = 20_000
	var kept string
	for i := range entries {
		name := strings.Clone("passing name.")
		if i%7 == 0 {
			kept = name
		}
		if i%2 == 0 {
			name = kept
		}
		if i%500 == 0 {
			runtime.GC()
		}
		// one place, one length: only the text differs
		for _, name := range []string{name, fmt.Sprintf("other name %d", i%5)} {
			iprof.Begin(name).End()
		}
	}
	iprof.Update()
	for name, want := range map[string]float64{"passing name.": entries, "other name 0": entries / 5,
		"other name 4": entries / 5} {
		t.Run(name, func(t *testing.T) {
			if got := countOf(name); got != want {
				t.Errorf("%s: got %v entries; want %v", name, got, want)
			}
		})
	}
}

// countOf returns the entries of all zones with a name, since Reset.
func countOf(name string) (sum float64) {
	d := process.Default().Dump(report.DumpOptions{})
	for i := range d.Merged {
		if d.Zones[d.Merged[i].Zone].Name == name {
			sum += d.Merged[i].Count
		}
	}
	return sum
}

// Names above 1,024 bytes are cut between two characters, marked, and counted.
func TestLongNamesAreCut(t *testing.T) {
	for _, char := range []string{"x", "é", "€", "\U0001F600", "\xff"} {
		t.Run(char, func(t *testing.T) {
			iprof.Reset()
			name := "long " + strings.Repeat(char, 2000)
			iprof.Begin(name).End()
			iprof.Begin(name).End()
			iprof.Update()
			found := false
			for _, z := range process.Default().Dump(report.DumpOptions{}).Zones {
				if len(z.Name) > 1024 {
					t.Fatalf("%q: got a name of %d bytes; want at most 1024", char, len(z.Name))
				}
				head, cut := strings.CutSuffix(z.Name, "…")
				if cut && strings.HasPrefix(name, head) && len(head) > 1000 &&
					(char == "\xff" || utf8.ValidString(head)) {
					found = true
				}
			}
			if !found {
				t.Errorf("%q: got no name that is cut and marked", char)
			}
		})
	}
	var out strings.Builder
	if err := iprof.WriteText(&out); err != nil || !strings.Contains(out.String(), "names at 1,024 bytes") {
		t.Errorf("got %v, %q; want a warning of names that were cut", err, out.String())
	}
}

// limited sets limits for a test, and has nothing measured before count.
func limited(t *testing.T, l gather.Limits) {
	t.Helper()
	iprof.Reset()
	gather.SetLimits(l)
	t.Cleanup(func() {
		iprof.SetEvents(0)
		gather.SetLimits(gather.Limits{})
		iprof.Reset()
	})
}

// step is the work of each goroutine, and the look at the state after all have done it.
type step struct{ work, look func() }

// crowd runs so many goroutines at once, which take the steps together.
func crowd(goroutines int, steps ...step) {
	var all sync.WaitGroup
	done := make([]sync.WaitGroup, len(steps))
	next := make([]chan bool, len(steps))
	for i := range steps {
		done[i].Add(goroutines)
		next[i] = make(chan bool)
	}
	for range goroutines {
		all.Go(func() {
			for i := range steps {
				steps[i].work()
				done[i].Done()
				<-next[i]
			}
		})
	}
	for i := range steps {
		done[i].Wait()
		steps[i].look()
		close(next[i])
	}
	all.Wait()
}

// warnings returns the warnings of a report, a line each.
func warnings() string {
	var r report.Report
	process.Default().View().AppendReport(&r)
	return strings.Join(r.Warnings, "\n")
}

// Events take memory as they come in, and never more than the limit allows, however many are asked for.
func TestEventsStayWithinTheLimit(t *testing.T) {
	limited(t, gather.Limits{Bytes: 16 << 20})
	before := heapNow()
	iprof.SetEvents(1 << 20)
	var zone iprof.Zone
	enter := func(times int) func() {
		return func() {
			for range times {
				zone.Begin().End()
			}
		}
	}
	heap := func() float64 { return float64(heapNow()-before) / 1e6 }
	crowd(200, step{enter(10), func() {
		if got := heap(); got > 4 {
			t.Errorf("20 events of each of 200 goroutines: the heap grew by %.1f MB; want less than 4", got)
		}
	}}, step{enter(20_000), func() {
		if got := heap(); got > 20 {
			t.Errorf("40,000 events of each of 200 goroutines: the heap grew by %.1f MB; want less than 20", got)
		}
		if m := gather.MemoryUsed(); m.Events < 3<<20 || m.Events > m.Limit/4 || m.Total() > m.Limit {
			t.Errorf("got %+v; want most of the quarter that events may have", m)
		}
		iprof.Update()
		if got := warnings(); !strings.Contains(got, "iprof.SetLimits allows more") {
			t.Errorf("got warnings %q; want one that names iprof.SetLimits", got)
		}
		iprof.SetEvents(0)
	}}, step{enter(1), func() {
		if m := gather.MemoryUsed(); m.Events > 1<<20 {
			t.Errorf("switched off: got %d bytes of events; want few", m.Events)
		}
	}})
}

// All events are there that a lane was asked to keep, however often its ring has grown.
func TestEventsGrow(t *testing.T) {
	limited(t, gather.Limits{})
	iprof.SetEvents(1 << 14)
	lane := iprof.Register("grows")
	defer lane.Close()
	var zones [4]iprof.Zone
	for round := range 5000 {
		for i := range zones {
			zones[i].Begin().End()
		}
		if round%longtest.Pick(1, 25) > 0 {
			continue
		}
		if e := gather.AppendEvents(nil, lane.ID(), 0, math.MaxInt64); len(e) < min(8, 1<<14-16) {
			t.Fatalf("got %d events", len(e))
		}
	}
	events := gather.AppendEvents(nil, lane.ID(), 0, math.MaxInt64)
	if len(events) > 1<<14 || len(events) < 1<<14-16 {
		t.Fatalf("got %d events; want %d, or a few less", len(events), 1<<14)
	}
	for i, e := range events[1:] {
		if e.End == events[i].End || e.Time < events[i].Time || e.End && e.Zone != events[i].Zone {
			t.Fatalf("event %d: got %+v after %+v; want begin and end in turn", i+1, e, events[i])
		}
	}
}

// What has no room is folded and counted, and the memory stays within the limit.
func TestNodesStayWithinTheLimit(t *testing.T) {
	limited(t, gather.Limits{Bytes: 8 << 20})
	zones := make([]iprof.Zone, 200)
	before := heapNow()
	const goroutines = 20
	crowd(goroutines, step{func() {
		for i := range zones {
			s := zones[i].Begin()
			for j := range zones {
				zones[j].Begin().End()
			}
			s.End()
		}
	}, func() {
		if got := float64(heapNow()-before) / 1e6; got > 12 {
			t.Errorf("the heap grew by %.1f MB; want less than 12", got)
		}
		if m := gather.MemoryUsed(); m.Total() > m.Limit+m.Limit/4 {
			t.Errorf("got %+v; want less than the limit and a little", m)
		}
	}})
	iprof.Update()
	if got := warnings(); !strings.Contains(got, "iprof.SetLimits allows more") {
		t.Errorf("got warnings %q; want one that names iprof.SetLimits", got)
	}
	var entries float64
	for _, n := range process.Default().Dump(report.DumpOptions{}).Merged {
		entries += n.Count
	}
	if want := float64(goroutines * len(zones) * (len(zones) + 1)); entries < want || entries > want+10 {
		t.Errorf("got %v entries; want %v, and those of the profiler itself", entries, want)
	}
}

// waves runs goroutines, so many at once, and ends a frame after each wave.
func waves(count, atOnce int, update bool, work func(i int)) {
	for first := 0; first < count; first += atOnce {
		var n atomic.Int64
		crowd(atOnce, step{func() { work(first + int(n.Add(1)) - 1) }, func() {}})
		if update {
			iprof.Update()
		}
	}
}

// Lanes that are named, end and come again take no memory for each, and no entry of them is lost.
func TestNamedLanesThatEndShareARecord(t *testing.T) {
	for _, update := range []bool{true, false} {
		t.Run(fmt.Sprint("update=", update), func(t *testing.T) {
			limited(t, gather.Limits{})
			const lanes = 50_000
			outer, inner := iprof.Zone{Name: "named outer"}, iprof.Zone{Name: "named inner"}
			got := grown(func() {
				waves(lanes, 500, update, func(i int) {
					defer iprof.Register(fmt.Sprint("worker ", i%10)).Close()
					defer outer.Begin().End()
					inner.Begin().End()
				})
			})
			if got > 5 {
				t.Errorf("%d lanes of ten names: the heap grew by %.1f MB; want less than 5", lanes, got)
			}
			iprof.Update()
			a := countOf("named outer")
			b := countOf("named inner")
			if a != lanes || b != lanes {
				t.Errorf("got %v and %v entries; want %d", a, b, lanes)
			}
			of := map[string]int{}
			for _, l := range process.Default().Dump(report.DumpOptions{}).Lanes {
				of[l.Name]++
			}
			if of["worker 3"] != 1 || of["worker 7"] != 1 {
				t.Errorf("got %d and %d lanes of two names; want one of each", of["worker 3"], of["worker 7"])
			}
		})
	}
}

// A lane that was merged has no time that it did not spend, and none goes on running.
func TestMergedLanesKeepTheirTime(t *testing.T) {
	limited(t, gather.Limits{})
	zone := iprof.Zone{Name: "merged work"}
	start := time.Now()
	waves(2000, 20, true, func(int) {
		defer iprof.Register("merged").Close()
		defer zone.Begin().End()
		time.Sleep(10 * time.Microsecond)
	})
	most := 20 * float64(time.Since(start).Microseconds()) / 1000
	time.Sleep(20 * time.Millisecond)
	iprof.Update()
	d := process.Default().Dump(report.DumpOptions{})
	for _, l := range d.Lanes {
		if l.Name != "merged" {
			continue
		}
		for _, n := range l.Nodes {
			if n.Hier < 0 || n.Self < 0 || n.Open && n.Level > 0 || n.Hier > most {
				t.Errorf("%s: got %+v; want a closed zone of 0 to %.1f ms", d.Zones[n.Zone].Name, n, most)
			}
		}
	}
	if got := countOf("merged work"); got != 2000 {
		t.Errorf("got %v entries; want 2000", got)
	}
}

// A crowd that goes through more stacks than all its lanes together could keep stays within the limit, and drops
// nothing.
func TestCrowdStaysWithinTheLimit(t *testing.T) {
	for _, update := range []bool{true, false} {
		t.Run(fmt.Sprint("update=", update), func(t *testing.T) {
			before := gather.MemoryUsed().Total() // by what other tests left behind
			limit := before + 4<<20
			limited(t, gather.Limits{Bytes: int(limit)})
			iprof.Update()
			folded := countOf("(other)")
			zones := make([]iprof.Zone, 100)
			const goroutines, atOnce, each = 40_000, 200, 20
			var most int64
			waves(goroutines, atOnce, update, func(i int) {
				outer := zones[i%20].Begin()
				for k := range each {
					zones[(i/20+k)%100].Begin().End()
				}
				outer.End()
				if i%atOnce == 0 {
					most = max(most, gather.MemoryUsed().Total())
				}
			})
			iprof.Update()
			var entries float64
			for _, n := range process.Default().Dump(report.DumpOptions{}).Merged {
				entries += n.Count
			}
			if got := countOf("(other)") - folded; got != 0 || most > limit {
				t.Errorf("got %v entries folded, %d bytes; want none, and at most %d", got, most, limit)
			}
			if want := float64(goroutines * (each + 1)); entries < want || entries > want+1000 {
				t.Errorf("got %v entries; want %v, and those of the profiler itself", entries, want)
			}
		})
	}
}

// A report of a program that never calls Update leaves nothing behind, and takes less than a hundred bytes for each of
// its stacks.
func TestReportsWithoutUpdateArePassing(t *testing.T) {
	limited(t, gather.Limits{})
	const goroutines, wide = 8, 20
	zones := make([]iprof.Zone, wide)
	crowd(goroutines, step{func() {
		for a := range zones {
			outer := zones[a].Begin()
			for b := range zones {
				inner := zones[b].Begin()
				for c := range zones {
					zones[c].Begin().End()
				}
				inner.End()
			}
			outer.End()
		}
	}, func() {
		if err := iprof.WriteTree(io.Discard); err != nil { // makes the paths
			t.Fatal(err)
		}
		live := heapNow()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		for range 4 {
			must.Do(t, iprof.WriteTree(io.Discard))
		}
		runtime.ReadMemStats(&after)
		const stacks = goroutines * (wide + wide*wide + wide*wide*wide)
		if got := (after.TotalAlloc - before.TotalAlloc) / 4; got > 100*stacks+8<<20 {
			t.Errorf("a report of %d stacks: got %d bytes allocated; want less than 100 a stack and 8 MB", stacks, got)
		}
		if got := heapNow() - live; got > 1<<20 {
			t.Errorf("got %d bytes left behind by four reports; want less than 1 MB", got)
		}
	}})
}
