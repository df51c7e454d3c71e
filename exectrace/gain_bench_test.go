//go:build !iprof_off

package exectrace_test

import (
	"bytes"
	"fmt"
	"math"
	"runtime"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/tables"
	"example.com/iprof/process"
)

// program is a program of some shape, one of whose zones can be made faster.
type program struct {
	name       string
	processors int // 0: all
	start      func(keep float64) (frame, stop func())
}

// partZone is the zone that is made faster.
var partZone = gather.Zone{Name: "part"}

var (
	otherZone = gather.Zone{Name: "other"}
	afterZone = gather.Zone{Name: "after"}
	vsyncZone = gather.Zone{Name: "vsync", Idle: true}
)

// roundsPerMS is the number of rounds of compute in a millisecond.
var roundsPerMS = sync.OnceValue(func() float64 {
	best := time.Duration(math.MaxInt64)
	for range 20 {
		begin := time.Now()
		compute(1e6)
		best = min(best, time.Since(begin))
	}
	return 1e6 / (best.Seconds() * 1000)
})

var computed [64]uint64

//go:noinline
func compute(rounds float64) (x uint64) {
	for n := uint64(rounds); n > 0; n-- {
		x = x*6364136223846793005 + n
	}
	return x
}

// in computes for some ms in a zone.
func in(z *gather.Zone, ms float64) {
	defer z.Begin().End()
	computed[0] += compute(ms * roundsPerMS())
}

// workers starts goroutines that do jobs.
func workers(n int, do func(job int)) (jobs chan int, done chan bool, stop func()) {
	jobs, done = make(chan int, 64), make(chan bool, 64)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			for job := range jobs {
				do(job)
				done <- true
			}
		})
	}
	return jobs, done, func() { close(jobs); all.Wait() }
}

var programs = []program{
	{"alone", 0, func(keep float64) (frame, stop func()) {
		return func() { in(&otherZone, 3); in(&partZone, 4*keep); in(&afterZone, 2) }, func() {}
	}},
	{"worker", 0, func(keep float64) (frame, stop func()) { // the part is partly beside a worker
		jobs, done, stop := workers(1, func(int) { in(&otherZone, 5) })
		return func() { jobs <- 1; in(&partZone, 7*keep); <-done; in(&afterZone, 1) }, stop
	}},
	{"lock", 0, func(keep float64) (frame, stop func()) {
		var lock sync.Mutex
		jobs, done, stop := workers(1, func(int) {
			lock.Lock()
			in(&partZone, 5*keep)
			lock.Unlock()
			in(&otherZone, 1)
		})
		return func() {
			jobs <- 1
			in(&afterZone, 0.5)
			lock.Lock()
			in(&afterZone, 2)
			lock.Unlock()
			<-done
		}, stop
	}},
	{"fork and join", 0, func(keep float64) (frame, stop func()) {
		return func() {
			var all sync.WaitGroup
			all.Go(func() { in(&partZone, 6*keep) })
			all.Go(func() { in(&otherZone, 3.5) })
			all.Wait()
			in(&afterZone, 1.5)
		}, func() {}
	}},
	{"pool", 0, func(keep float64) (frame, stop func()) {
		jobs, done, stop := workers(2, func(job int) {
			in(&otherZone, 0.5)
			in(&partZone, keep)
		})
		return func() {
			for job := range 8 {
				jobs <- job
			}
			for range 8 {
				<-done
			}
			in(&afterZone, 1)
		}, stop
	}},
	{"pipeline", 0, func(keep float64) (frame, stop func()) {
		second, out := make(chan int, 2), make(chan int, 2)
		first := make(chan int, 2)
		var all sync.WaitGroup
		all.Go(func() {
			for n := range first {
				in(&otherZone, 3)
				second <- n
			}
			close(second)
		})
		all.Go(func() {
			for n := range second {
				in(&partZone, 5*keep)
				out <- n
			}
		})
		first <- 0
		return func() { first <- 1; <-out }, func() { close(first); <-out; all.Wait() }
	}},
	{"GPU-bound", 0, func(keep float64) (frame, stop func()) { // the device takes 8 ms for a frame
		jobs, done, end := workers(1, func(int) { time.Sleep(8 * time.Millisecond) })
		jobs <- 0
		return func() { in(&partZone, 4*keep); in(&otherZone, 1); jobs <- 1; <-done }, func() { <-done; end() }
	}},
	{"display-bound", 0, func(keep float64) (frame, stop func()) {
		tick := time.NewTicker(10 * time.Millisecond)
		return func() {
			in(&partZone, 4*keep)
			scope := vsyncZone.Begin()
			<-tick.C
			scope.End()
		}, tick.Stop
	}},
	{"processors short", 1, func(keep float64) (frame, stop func()) {
		return func() {
			var all sync.WaitGroup
			for range 3 {
				all.Go(func() { in(&partZone, 1.5*keep); in(&otherZone, 1) })
			}
			in(&afterZone, 1)
			all.Wait()
		}, func() {}
	}},
}

// gainFrames is the number of frames of a run.
const gainFrames = 100

// length runs a program, and returns the mean length of a frame in ms.
func (p *program) length(keep float64) float64 {
	if p.processors > 0 {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(p.processors))
	}
	frame, stop := p.start(keep)
	defer stop()
	s := process.Default()
	frame()
	s.Update()
	begin := time.Now()
	for range gainFrames {
		frame()
		s.Update()
	}
	return time.Since(begin).Seconds() * 1000 / gainFrames
}

// record runs a program with a trace, and returns its capture.
func (p *program) record(t testing.TB) []byte {
	t.Helper()
	s := process.Default()
	s.Reset()
	gather.SetEvents(1 << 14)
	defer gather.SetEvents(0)
	var raw, file, annotated bytes.Buffer
	must.Do(t, trace.Start(&raw))
	exectrace.MarkClock()
	w := framefile.NewWriter(&file, framefile.ThisProgram())
	remove := s.AddSink(w)
	p.length(1)
	remove()
	trace.Stop()
	must.Do(t, w.WriteTrace(&raw))
	must.Do(t, w.Close())
	must.Do(t, exectrace.Annotate(bytes.NewReader(file.Bytes()), &annotated))
	return annotated.Bytes()
}

// BenchmarkGain compares the gains that a replay finds with the truth: with runs of programs whose zone works less. The
// metrics are ms of a frame.
func BenchmarkGain(b *testing.B) {
	for _, p := range programs {
		for i, share := range []float64{0.2, 0.5, 1} {
			b.Run(fmt.Sprintf("%s/%v", p.name, share), func(b *testing.B) {
				var whole, cut []float64
				file := bytes.NewReader(p.record(b))
				table, err := tables.Read(file, &tables.Choice{Kind: tables.Find("gain")})
				if err != nil {
					b.Fatal(err)
				}
				for range 5 * b.N {
					whole, cut = append(whole, p.length(1)), append(cut, p.length(1-share))
				}
				a, ofA := meanAndError(whole)
				c, ofC := meanAndError(cut)
				b.ReportMetric(a, "frame")
				b.ReportMetric(a-c, "true")
				b.ReportMetric(math.Hypot(ofA, ofC), "error")
				for _, row := range table.Rows {
					if row.Name == partZone.Name {
						b.ReportMetric(row.Values[2*i], "least")
						b.ReportMetric(row.Values[2*i+1], "most")
					}
				}
				for _, note := range table.Notes {
					b.Log(note)
				}
				b.ReportMetric(0, "ns/op")
			})
		}
	}
}

// meanAndError returns the mean and its standard error.
func meanAndError(list []float64) (mean, standardError float64) {
	for _, v := range list {
		mean += v / float64(len(list))
	}
	for _, v := range list {
		standardError += (v - mean) * (v - mean)
	}
	n := float64(len(list))
	return mean, math.Sqrt(standardError / (n - 1) / n)
}
