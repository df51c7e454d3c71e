//go:build !iprof_off

package console

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

var poolZone, alsoPool = gather.Zone{Name: "test pool"}, gather.Zone{Name: "test pool"}

// Update is never called here: the lines come from the unfinished frame.
func TestLogEveryWhileFramesStandStill(t *testing.T) {
	var out lines
	stop := LogEvery(process.Default(), &out, 10*time.Millisecond, &poolZone)
	defer stop()
	release, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		defer gather.Register("in the pool").Close()
		alsoPool.Begin().End() // the same name, not the same zone
		defer poolZone.Begin().End()
		<-release
	}()
	must.Until(t, "a line with the call", func() bool { return strings.Contains(out.String(), "1x\n") })
	must.Until(t, "two lines of a call still running", func() bool { return strings.Count(out.String(), " 0x\n") >= 2 })
	close(release)
	<-ended
	stop()
	stop()
	got := out.String()
	if n := strings.Count(got, " 1x\n"); n != 1 {
		t.Errorf("got %d lines with the entry; want 1:\n%s", n, got)
	}
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, `on "in the pool" zone "test pool": `) {
			t.Errorf("got line %q", line)
		}
	}
	time.Sleep(30 * time.Millisecond)
	if later := out.String(); later != got {
		t.Errorf("after stop: got another %q", later[len(got):])
	}
}

// stop writes what happened since the last lines, by lanes that have ended too.
func TestStopWritesTheLastLines(t *testing.T) {
	var out lines
	stop := LogEvery(process.Default(), &out, time.Hour, &poolZone)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		defer gather.Register("short").Close()
		for range 5 {
			poolZone.Begin().End()
		}
	}()
	<-ended
	process.Default().Update() // the frame in which the lane ended
	stop()
	if got := out.String(); !strings.Contains(got, `on "short" zone "test pool"`) || !strings.Contains(got, " 5x\n") {
		t.Errorf("got %q; want a line of five entries", got)
	}
}

func TestLogEveryEndsWithItsWriter(t *testing.T) {
	w := &broken{}
	stop := LogEvery(process.Default(), w, time.Nanosecond, &poolZone)
	must.Until(t, "a failed write", func() bool { poolZone.Begin().End(); return w.count() > 0 })
	stop()
	if got := w.count(); got != 1 {
		t.Errorf("got %d writes to a broken writer; want 1", got)
	}
}

type broken struct {
	mu sync.Mutex
	n  int
}

func (b *broken) Write([]byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.n++
	return 0, errors.New("broken")
}

func (b *broken) count() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.n
}

// Looking at the totals, as LogEvery does, moves nothing: the next frame is whole.
func TestLookingDisturbsNoFrame(t *testing.T) {
	s := process.Default()
	defer gather.Register("the frame's").Close()
	poolZone.Begin().End()
	s.Update()
	var out lines
	stop := LogEvery(s, &out, 10*time.Millisecond, &poolZone)
	for range 1000 {
		poolZone.Begin().End()
	}
	must.Until(t, "lines", func() bool { return out.String() != "" })
	stop()
	s.Update()
	id, _ := poolZone.ID()
	var r report.Report
	s.View().AppendReportOf(&r, report.View{Average: report.AverageInstant})
	for _, record := range r.Records {
		if record.Zone == id && record.Values[report.ColumnCount] != 1000 {
			t.Errorf("the frame has %v entries; want 1000", record.Values[report.ColumnCount])
		}
	}
}

// Neither a writer that is nil nor one that panics may end the program, or keep stop from returning.
func TestLogEveryWithBadWriters(t *testing.T) {
	for name, w := range map[string]io.Writer{"nil": nil, "panicking": panicking{}} {
		t.Run("writer="+name, func(t *testing.T) {
			stop := LogEvery(process.Default(), w, 10*time.Millisecond, &poolZone)
			for range 5 {
				poolZone.Begin().End()
				time.Sleep(10 * time.Millisecond)
			}
			poolZone.Begin().End()
			stop()
		})
	}
}

type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("the writer's own") }

// stuck is a writer that never returns.
type stuck chan bool

func (s stuck) Write([]byte) (int, error) {
	s <- true
	select {}
}

func TestStopDoesNotWaitForAStuckWriter(t *testing.T) {
	w := make(stuck)
	stop := LogEvery(process.Default(), w, 10*time.Millisecond, &poolZone)
	poolZone.Begin().End()
	<-w
	stopped := make(chan bool)
	go func() { stop(); close(stopped) }()
	select {
	case <-stopped:
	case <-time.After(5 * time.Minute):
		t.Fatal("stop waits for ever")
	}
}

func TestLogEveryHasMarks(t *testing.T) {
	process.Default().Update()
	process.Default().Mark("before")
	process.Default().Update()
	var out lines
	stop := LogEvery(process.Default(), &out, time.Hour, &poolZone)
	for range 100 {
		process.Default().Mark("level\x1b loaded")
	}
	process.Default().Update()
	stop()
	got := out.String()
	if strings.Contains(got, "before") || strings.Count(got, `mark "level\x1b loaded" `) != lanesASecond ||
		!strings.Contains(got, "36 more marks\n") {
		t.Errorf("got:\n%s\nwant 64 marks, and the number of the others", got)
	}
}

// manyZones make 64,000 distinct stacks, three deep.
var manyZones [40]gather.Zone

// enterAll enters every stack once.
func enterAll() {
	for a := range manyZones {
		outer := manyZones[a].Begin()
		for b := range manyZones {
			middle := manyZones[b].Begin()
			for c := range manyZones {
				manyZones[c].Begin().End()
			}
			middle.End()
		}
		outer.End()
	}
}

// BenchmarkUpdateBesideLogEvery is Update at 64,000 nodes on each of some lanes, while LogEvery reads them a hundred
// times a second, and without it. The metric is the longest Update.
func BenchmarkUpdateBesideLogEvery(b *testing.B) {
	for _, lanes := range []int{1, 4} {
		for _, log := range []bool{false, true} {
			b.Run(fmt.Sprintf("lanes=%d/log=%v", lanes, log), func(b *testing.B) { updateBeside(b, lanes, log) })
		}
	}
}

func updateBeside(b *testing.B, lanes int, log bool) {
	for i := range manyZones {
		manyZones[i].Name = fmt.Sprint("many ", i)
	}
	s, done, ended := process.Default(), make(chan bool), make(chan bool)
	s.Reset()
	for i := range lanes {
		go func() {
			lane := gather.Register(fmt.Sprint("many ", i))
			enterAll()
			ended <- true
			<-done
			lane.Close()
			ended <- true
		}()
		<-ended
	}
	s.Update()
	if log {
		defer LogEvery(s, io.Discard, 10*time.Millisecond, &manyZones[0])()
		time.Sleep(50 * time.Millisecond)
	}
	longest := time.Duration(0)
	for b.Loop() {
		time.Sleep(time.Millisecond)
		began := time.Now()
		s.Update()
		longest = max(longest, time.Since(began))
	}
	b.ReportMetric(float64(longest.Microseconds()), "longest-µs")
	close(done)
	for range lanes {
		<-ended
	}
	s.Update()
}
