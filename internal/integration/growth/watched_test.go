package growth

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/debug"
	"example.com/iprof/internal/must"
)

const (
	watchedZones  = 1000
	watchedParked = 10_000
	framesEach    = 60 // a second
)

// BenchmarkWatched measures Update in a game and a server in one, watched by a viewer, a poller and a recorder at once.
// An iteration is a frame, so this takes ten minutes:
//
//	go test -run '^$' -bench Watched -benchtime 36000x -timeout 20m ./internal/integration/growth
//
// The figures are quantiles of time, which other programs lengthen, and of processor time (cpu). The late ones leave
// out the first 1,000 frames.
func BenchmarkWatched(b *testing.B) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	zones := zonesOf(watchedZones + 1)
	park(watchedParked, &zones[watchedZones])
	recorder := must.Get(iprof.Record(filepath.Join(b.TempDir(), "watched.iprof")))(b)
	address := serve()
	var seen reading
	go seen.follow(address + "live")
	go seen.poll(address + "report")
	var times, busy []time.Duration
	next := time.Now()
	for b.Loop() {
		game(zones[:watchedZones])
		next = next.Add(time.Second / framesEach)
		time.Sleep(time.Until(next))
		begin, before := time.Now(), worked()
		iprof.Update()
		times, busy = append(times, time.Since(begin)), append(busy, worked()-before)
	}
	must.Do(b, recorder.Close())
	spread(b, "", times)
	spread(b, "cpu-", busy)
	b.ReportMetric(float64(recorder.Dropped()), "dropped")
	seen.report(b)
}

// park starts goroutines that enter a zone once and then sleep.
func park(n int, zone *iprof.Zone) {
	var begun sync.WaitGroup
	begun.Add(n)
	for range n {
		go func() {
			zone.Begin().End()
			begun.Done()
			select {}
		}()
	}
	begun.Wait()
}

// serve serves the pages of the profiler, and returns where.
func serve() (address string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	go func() { fail(http.Serve(l, debug.Handler())) }()
	return fmt.Sprintf("http://%v/debug/iprof/", l.Addr())
}

// reading counts the reads of the viewer and the poller.
type reading struct {
	sync.Mutex
	streamed int64
	reports  int
	failed   error
}

// follow reads the live stream, as a viewer does.
func (r *reading) follow(address string) {
	answer, err := http.Get(address)
	if err != nil {
		r.fail(err)
		return
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := answer.Body.Read(buffer)
		r.Lock()
		r.streamed += int64(n)
		r.Unlock()
		if err != nil {
			r.fail(err)
			return
		}
	}
}

// poll asks for the report twice a second.
func (r *reading) poll(address string) {
	for range time.Tick(time.Second / 2) {
		answer, err := http.Get(address)
		if err != nil {
			r.fail(err)
			return
		}
		_, err = io.Copy(io.Discard, answer.Body)
		answer.Body.Close()
		if err != nil || answer.StatusCode != http.StatusOK {
			r.fail(fmt.Errorf("report: %s, %w", answer.Status, err))
			return
		}
		r.Lock()
		r.reports++
		r.Unlock()
	}
}

func (r *reading) fail(err error) {
	r.Lock()
	defer r.Unlock()
	r.failed = err
}

func (r *reading) report(b *testing.B) {
	r.Lock()
	defer r.Unlock()
	b.ReportMetric(float64(r.reports), "reports")
	b.ReportMetric(float64(r.streamed)/1e6, "MB-streamed")
	if r.failed != nil {
		b.Error(r.failed)
	}
}

// spread reports quantiles of times.
func spread(b *testing.B, prefix string, of []time.Duration) {
	late := slices.Max(of[min(1000, len(of)-1):])
	slices.Sort(of)
	report := func(name string, d time.Duration) { b.ReportMetric(float64(d)/1e6, prefix+name+"-ms") }
	report("median", of[len(of)/2])
	report("p99", of[len(of)*99/100])
	report("longest", of[len(of)-1])
	report("late", late)
}
