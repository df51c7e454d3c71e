package console

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process"
)

// dump makes totals by hand: a tick is a microsecond, lanes are lists of milliseconds and entries in zone 1.
func dump(run time.Duration, lanes ...process.LaneTree) *process.Dump {
	return &process.Dump{RunTime: run, TicksPerSecond: 1e6, Lanes: lanes,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "pool", Public: true}, {Name: "own"}, {Name: "lock", Public: true}}}
}

// lane is one lane's tree: zones below each other.
func lane(id uint64, nodes ...process.TreeNode) process.LaneTree {
	all := []process.TreeNode{{Parent: -1, Hier: 1e6}}
	for i, n := range nodes {
		n.Parent, n.Level = int32(i), int32(i+1)
		all = append(all, n)
	}
	return process.LaneTree{ID: id, Name: fmt.Sprint("worker ", id), Nodes: all}
}

func in(zone int32, ms, count float64) process.TreeNode {
	return process.TreeNode{Zone: zone, Self: ms, Hier: ms, Count: count}
}

func TestLogLines(t *testing.T) {
	l := newLogger(nil, 64)
	for _, step := range []struct {
		what string
		d    *process.Dump
		want string
	}{
		{"the first look", dump(time.Second, lane(1, in(1, 5, 10))), ""},
		{"a second later", dump(2*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 6, 100))),
			"lane \"worker 1\" zone \"pool\": 7.103/1000 ms 0.7% 6481x\nlane \"worker 2\" zone \"pool\": 6.000/1000 ms 0.6% 100x\n"},
		{"one has stopped", dump(3*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 7, 101))), "lane \"worker 2\" zone \"pool\": 1.000/1000 ms 0.1% 1x\n"},
		{"both have", dump(4*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 7, 101))), ""},
		{"a call still running", dump(5*time.Second, lane(1, in(1, 1012.103, 6491)), lane(2, in(1, 7, 101))), "lane \"worker 1\" zone \"pool\": 1000.000/1000 ms 100.0% 0x\n"},
		{"paused", dump(5*time.Second, lane(1, in(1, 1012.103, 6491)), lane(2, in(1, 7, 101))), ""},
		{"reset", dump(time.Second/2, lane(2, in(1, 3, 3))), "lane \"worker 2\" zone \"pool\": 3.000/500 ms 0.6% 3x\n"},
		{"recursion, and a private zone", dump(3*time.Second/2, lane(2, in(1, 53, 4), in(2, 30, 9), in(1, 20, 6))), "lane \"worker 2\" zone \"pool\": 50.000/1000 ms 5.0% 7x\n"},
		{"two zones", dump(5*time.Second/2, lane(2, in(1, 153, 10), in(3, 75, 9))), "lane \"worker 2\" zone \"pool\": 100.000/1000 ms 10.0% 0x\nlane \"worker 2\" zone \"lock\": 75.000/1000 ms 7.5% 9x\n"},
	} {
		got := l.look(step.d)
		if got != step.want {
			t.Errorf("%s: got\n%swant\n%s", step.what, got, step.want)
		}
	}
}

// The clock's rate gets known better while a program runs. Sums of a day change by it, the time since the last look must not.
func TestLogLinesCountInTicks(t *testing.T) {
	l := newLogger(nil, 64)
	for i, rate := range []float64{1e6, 1.00001e6} {
		ticks := 86400e6 + float64(i)*1e6
		d := dump(time.Duration(ticks/rate*1e9), lane(1, in(1, (ticks/2)/rate*1000, float64(1+i))))
		d.TicksPerSecond = rate
		got := l.look(d)
		if want := "lane \"worker 1\" zone \"pool\": 499.995/1000 ms 50.0% 1x\n"; i == 1 && got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

// 64 lanes have lines, those with the most time; all together are the sum.
func TestLogLinesOfManyLanes(t *testing.T) {
	l := newLogger(nil, 64)
	l.look(dump(time.Second))
	var lanes []process.LaneTree
	for _, i := range rand.Perm(100) {
		lanes = append(lanes, lane(uint64(i+1), in(1, float64(i+1), 1), in(3, 0.5, 2)))
	}
	lines := strings.Split(strings.TrimSpace(l.look(dump(2*time.Second, lanes...))), "\n")
	if len(lines) != 2*64+2 {
		t.Fatalf("got %d lines; want 128 and 2 sums", len(lines))
	}
	if want := `lane "worker 100" zone "pool": 100.000/1000 ms 10.0% 1x`; lines[0] != want {
		t.Errorf("first line: got %q; want %q", lines[0], want)
	}
	for i, want := range []string{`36 other lanes zone "pool": 666.000/1000 ms 66.6% 36x`, `36 other lanes zone "lock": 18.000/1000 ms 1.8% 72x`} {
		if got := lines[len(lines)-2+i]; got != want {
			t.Errorf("sum: got %q; want %q", got, want)
		}
	}
}

// The session merges lanes when there are too many. What the merged ones did before is not told again, what they did since
// the last look is.
func TestLogLinesOfMergedLanes(t *testing.T) {
	l := newLogger(nil, 64)
	l.look(dump(time.Second, lane(1, in(1, 100, 10)), lane(2, in(1, 200, 20))))
	got := l.look(dump(2*time.Second, lane(0, in(1, 100, 10)), lane(2, in(1, 200, 20)), lane(3, in(1, 50, 5))))
	if want := "lane \"worker 3\" zone \"pool\": 50.000/1000 ms 5.0% 5x\n"; got != want {
		t.Errorf("lane 1 was merged: got\n%swant\n%s", got, want)
	}
	got = l.look(dump(3*time.Second, lane(0, in(1, 340, 37)), lane(3, in(1, 50, 5))))
	if want := "other lanes zone \"pool\": 40.000/1000 ms 4.0% 7x\n"; got != want {
		t.Errorf("lane 2 was merged after 40 more: got\n%swant\n%s", got, want)
	}
}

func TestLogLinesOfHostileNames(t *testing.T) {
	for _, name := range sampledump.HostileNames {
		l := newLogger(nil, 64)
		l.look(dump(time.Second))
		d := dump(2*time.Second, lane(1, in(1, 5, 5)))
		d.Zones[1].Name, d.Lanes[0].Name = name, name
		got := l.look(d)
		if strings.Count(got, "\n") != 1 || len(got) > 2000 || strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && r < ' ' || r == 0x202e || r == 0x2028 }) {
			t.Errorf("got %.300q; want one harmless line", got)
		}
	}
}

// lines collects what is written, for several goroutines.
type lines struct {
	mu sync.Mutex
	b  strings.Builder
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// until waits for something that takes a moment.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(10 * time.Second); !done(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("still not: %s", what)
		}
	}
}

var poolZone, alsoPool = gather.Zone{Name: "test pool"}, gather.Zone{Name: "test pool"}

// Update is never called here: the lines come from the unfinished frame.
func TestLogEveryWhileFramesStandStill(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
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
	until(t, "a line with the call", func() bool { return strings.Contains(out.String(), "1x\n") })
	until(t, "two lines of a call still running", func() bool { return strings.Count(out.String(), " 0x\n") >= 2 })
	close(release)
	<-ended
	stop()
	stop()
	got := out.String()
	if n := strings.Count(got, " 1x\n"); n != 1 {
		t.Errorf("got %d lines with the entry; want 1:\n%s", n, got)
	}
	for line := range strings.Lines(got) {
		if !strings.HasPrefix(line, `lane "in the pool" zone "test pool": `) {
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
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
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
	if got := out.String(); !strings.Contains(got, `lane "short" zone "test pool"`) || !strings.Contains(got, " 5x\n") {
		t.Errorf("got %q; want a line of five entries", got)
	}
}

func TestLogEveryEndsWithItsWriter(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	w := &broken{}
	stop := LogEvery(process.Default(), w, time.Nanosecond, &poolZone)
	until(t, "a failed write", func() bool { poolZone.Begin().End(); return w.count() > 0 })
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
	if !gather.Enabled {
		t.Skip("nothing is measured")
	}
	s := process.Default()
	defer gather.Register("the frame's").Close()
	poolZone.Begin().End()
	s.Update()
	var out lines
	stop := LogEvery(s, &out, 10*time.Millisecond, &poolZone)
	for range 1000 {
		poolZone.Begin().End()
	}
	until(t, "lines", func() bool { return out.String() != "" })
	stop()
	s.Update()
	id, _ := poolZone.ID()
	var r process.Report
	s.AppendReportOf(&r, process.View{Average: process.Instant})
	for _, record := range r.Records {
		if record.Zone == id && record.Values[process.ColumnCount] != 1000 {
			t.Errorf("the frame has %v entries; want 1000", record.Values[process.ColumnCount])
		}
	}
}

// BenchmarkLook is what LogEvery costs each interval, on its own goroutine, at 10,000 nodes.
func BenchmarkLook(b *testing.B) {
	d := sampledump.Dump(4, 10000, 1000)
	for i := range d.Zones {
		d.Zones[i].Public = i%10 == 0
	}
	l := newLogger(nil, 64)
	b.ReportAllocs()
	for b.Loop() {
		l.look(d)
	}
}
