//go:build !iprof_off

package exectrace_test

import (
	"fmt"
	"maps"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

type (
	planted16  [2]uint64
	planted112 struct {
		next *planted112
		rest [13]uint64
	}
	plantedBig [100_000]byte
)

var (
	small, large = gather.Zone{Name: "small"}, gather.Zone{Name: "large"}
	keep16       []*planted16
	keep112      []*planted112
	keepBig      []*plantedBig
)

// spin computes for a microsecond, so that no allocation is near the border of a zone.
func spin() {
	for begin := time.Now(); time.Since(begin) < time.Microsecond; {
	}
}

//go:noinline
func plantSmall(n int) {
	defer small.Begin().End()
	spin()
	defer spin()
	for range n {
		keep16 = append(keep16, new(planted16))
	}
}

//go:noinline
func plantLarge(n, big int) {
	defer large.Begin().End()
	spin()
	defer spin()
	for range n {
		keep112 = append(keep112, new(planted112))
	}
	for range big {
		keepBig = append(keepBig, new(plantedBig))
	}
}

func forgetPlanted() { keep16, keep112, keepBig = nil, nil, nil }

// sum adds the rows of a zone and a type.
func sum(a *exectrace.Allocations, zone, kind string) (s exectrace.Allocation) {
	for _, r := range a.Rows {
		if r.Zone() == zone && r.Type == "exectrace_test."+kind {
			s.Objects, s.Bytes, s.Freed = s.Objects+r.Objects, s.Bytes+r.Bytes, s.Freed+r.Freed
		}
	}
	return s
}

func TestEachPlantedAllocationIsFound(t *testing.T) {
	s := process.Default()
	s.Update()
	defer forgetPlanted()
	debug := os.Getenv("GODEBUG")
	a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Frames: 2}))(t)
	if _, err := exectrace.TraceAllocations(s, exectrace.AllocationLimits{}); err == nil ||
		!strings.Contains(err.Error(), "stop it first") {
		t.Errorf("a second trace: got error %v; want what to do", err)
	}
	if got := os.Getenv("GODEBUG"); got != debug {
		t.Errorf("GODEBUG: got %q; want %q as before", got, debug)
	}
	func() {
		defer work.Begin().End()
		plantSmall(5000)
		plantLarge(1000, 10)
	}()
	s.Update()
	plantSmall(7)
	s.Update()
	<-a.Done()
	plantSmall(3) // after the last frame
	got := must.Get(a.Stop())(t)
	for _, want := range []struct {
		zone, kind     string
		objects, bytes uint64
	}{{"small", "planted16", 5007, 5007 * 16}, {"large", "planted112", 1000, 1000 * 112},
		{"large", "plantedBig", 10, 10 * 106496}} {
		if r := sum(got, want.zone, want.kind); r.Objects != want.objects || r.Bytes != want.bytes || r.Freed != 0 {
			t.Errorf("%s in %s: got %+v; want %d of %d bytes", want.kind, want.zone, r, want.objects, want.bytes)
		}
	}
	if len(got.Frames) != 2 || got.Pause <= 0 || got.Full {
		t.Errorf("got frames %v, pause %v, full %v; want two frames", got.Frames, got.Pause, got.Full)
	}
	for _, r := range got.Rows {
		if r.Type == "exectrace_test.planted16" && r.Objects == 7 && r.Frame != got.Frames[1] {
			t.Errorf("got %+v; want it in frame %d", r, got.Frames[1])
		}
	}
	keep := got.AppendText(nil, 1)
	if lines := strings.Split(string(keep), "\n"); len(lines) != 4 || !strings.Contains(lines[2], " more rows") {
		t.Errorf("got text\n%s\nwant a sum, one row, and the number of the others", keep)
	}
}

// A zone that is open across the border of two frames has the allocations in both.
func TestAllocationsAcrossFrames(t *testing.T) {
	t.Setenv("GODEBUG", "madvdontneed=1")
	s := process.Default()
	s.Update()
	defer forgetPlanted()
	a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Frames: 2}))(t)
	if got := os.Getenv("GODEBUG"); got != "madvdontneed=1" {
		t.Errorf("GODEBUG: got %q; want it as before", got)
	}
	scope := work.Begin()
	plantSmall(10)
	s.Update()
	plantSmall(20)
	scope.End()
	plantSmall(40)
	s.Update()
	got := must.Get(a.Stop())(t)
	objects := map[string]uint64{}
	for _, r := range got.Rows {
		if r.Type == "exectrace_test.planted16" {
			objects[fmt.Sprint(r.Frame-got.Frames[0], r.Zones)] += r.Objects
		}
	}
	want := map[string]uint64{"0 [work small]": 10, "1 [work small]": 20, "1 [small]": 40}
	if !maps.Equal(objects, want) {
		t.Errorf("got %v; want %v", objects, want)
	}
}

func TestFreedAllocations(t *testing.T) {
	s := process.Default()
	s.Update()
	a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{}))(t)
	plantLarge(1000, 0)
	forgetPlanted()
	runtime.GC()
	runtime.GC()
	s.Update()
	got := must.Get(a.Stop())(t)
	if r := sum(got, "large", "planted112"); r.Objects != 1000 || r.Freed < 990 {
		t.Errorf("got %+v; want 1000 objects, nearly all freed", r)
	}
}

// A trace that is too large, one that ends at a slow frame, and one that is stopped.
func TestAllocationLimits(t *testing.T) {
	s := process.Default()
	s.Update()
	defer forgetPlanted()
	a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Frames: 1000, Bytes: 1 << 20}))(t)
	for range 100 {
		plantSmall(10_000)
		s.Update()
	}
	<-a.Done()
	if got, err := a.Stop(); err != nil || !got.Full || len(got.Frames) == 0 || len(got.Frames) >= 100 {
		t.Errorf("1 MB: got full %v, %d frames, error %v; want some frames", got.Full, len(got.Frames), err)
	}
	was := s.FrameBudget()
	defer s.SetFrameBudget(was)
	s.SetFrameBudget(time.Second)
	s.Update()
	a = must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Frames: 1000, UntilSlow: true}))(t)
	for range 3 {
		s.Update()
	}
	s.SetFrameBudget(time.Millisecond)
	end := func() bool {
		plantSmall(1000)
		time.Sleep(2 * time.Millisecond)
		s.Update()
		select {
		case <-a.Done():
			return true
		default:
			return false
		}
	}
	must.Until(t, "a slow frame ends the trace", end)
	if got, err := a.Stop(); err != nil || len(got.Frames) < 4 {
		t.Errorf("until slow: got frames %v, error %v; want at least 4", got.Frames, err)
	}
	a = must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Frames: 1000}))(t)
	s.Update()
	if got, err := a.Stop(); err != nil || len(got.Frames) != 1 {
		t.Errorf("stopped: got frames %v, error %v; want 1", got.Frames, err)
	}
}

func ExampleTraceAllocations() {
	s := process.Default()
	s.Update()
	trace, err := exectrace.TraceAllocations(s, exectrace.AllocationLimits{})
	if err != nil {
		fmt.Println(err)
		return
	}
	plantSmall(1000)
	s.Update() // ends the frame, and the trace
	<-trace.Done()
	a, err := trace.Stop()
	for _, r := range a.Rows {
		if r.Zone() == "small" && r.Type == "exectrace_test.planted16" {
			fmt.Println(r.Zones, r.Type, r.Objects, r.Bytes, err)
		}
	}
	// Output: [small] exectrace_test.planted16 1000 16000 <nil>
}

func BenchmarkTraceAllocations(b *testing.B) {
	for _, traced := range []bool{false, true} {
		b.Run(fmt.Sprint("traced=", traced), func(b *testing.B) {
			s := process.Default()
			s.Update()
			if traced {
				a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Bytes: 1 << 30}))(b)
				defer a.Stop()
			}
			b.ResetTimer()
			for range b.N {
				keep112 = append(keep112[:0], new(planted112))
			}
			b.StopTimer()
		})
	}
}

// The start stops the program for a time that grows with the objects alive.
func BenchmarkStartOfAllocations(b *testing.B) {
	for _, alive := range []int{1 << 10, 1 << 18} {
		b.Run(fmt.Sprint("alive=", alive), func(b *testing.B) {
			s := process.Default()
			defer forgetPlanted()
			for range alive {
				keep112 = append(keep112, new(planted112))
			}
			for range b.N {
				a := must.Get(exectrace.TraceAllocations(s, exectrace.AllocationLimits{Bytes: 1 << 30}))(b)
				b.StopTimer()
				s.Update()
				<-a.Done()
				b.StartTimer()
			}
		})
	}
}

// A user asks for the trace of some frames, by the words of the console's command.
func ExampleOffer_allocations() {
	s := process.Default()
	exectrace.Offer(s)
	defer s.SetSources(func(c *process.Sources) { c.Tracer = nil })
	var out strings.Builder
	for _, line := range []string{"2 frames", "off"} {
		answer, err := s.Sources().Tracer.(interface {
			Allocations(limits string) (string, error)
		}).Allocations(line)
		words, _, _ := strings.Cut(answer, ";")
		fmt.Fprintln(&out, words, err)
	}
	fmt.Print(out.String())
	// Output:
	// allocations are traced at most 2 frames or 8 MB <nil>
	// no allocations are traced <nil>
}
