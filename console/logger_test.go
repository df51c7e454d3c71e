package console

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// dump makes totals by hand: a tick is a microsecond, lanes are lists of milliseconds and entries in zone 1.
func dump(run time.Duration, lanes ...report.LaneTree) *report.Dump {
	return &report.Dump{RunTime: run, TicksPerSecond: 1e6, Lanes: lanes,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "pool", Public: true}, {Name: "own"},
			{Name: "lock", Public: true}}}
}

// totalsOf turns a dump into what a session tells LogEvery.
func totalsOf(d *report.Dump) *process.LaneTotals {
	ticks := func(ms float64) int64 { return int64(math.Round(ms * d.TicksPerSecond / 1000)) }
	t := &process.LaneTotals{Ticks: ticks(d.RunTime.Seconds() * 1000), TicksPerSecond: d.TicksPerSecond, Zones: d.Zones}
	for _, l := range d.Lanes {
		zones, totals := process.LaneZones{ID: l.ID, Name: l.Name}, report.AppendZoneTotals(nil, l.Nodes)
		zones.Zones = slices.Grow(zones.Zones, len(totals))[:len(totals)]
		for i, z := range totals {
			to := &zones.Zones[i]
			to.Zone, to.Hier, to.Count = z.Zone, ticks(z.Hier), uint64(z.Count)
		}
		t.Lanes = append(t.Lanes, zones)
	}
	return t
}

// lane is one lane's tree: zones below each other.
func lane(id report.LaneID, nodes ...report.TreeNode) report.LaneTree {
	all := []report.TreeNode{{Parent: -1, Hier: 1e6}}
	for i, n := range nodes {
		n.Parent, n.Level = int32(i), int32(i+1)
		all = append(all, n)
	}
	return report.LaneTree{ID: id, Name: fmt.Sprint("worker ", id), Nodes: all}
}

func in(zone report.ZoneID, ms, count float64) report.TreeNode {
	return report.TreeNode{Zone: zone, Self: ms, Hier: ms, Count: count}
}

func TestLogLines(t *testing.T) {
	l := newLogger(nil, 64)
	for _, step := range []struct {
		what string
		d    *report.Dump
		want string
	}{
		{"the first look", dump(time.Second, lane(1, in(1, 5, 10))), ""},
		{"a second later", dump(2*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 6, 100))),
			"on \"worker 1\" zone \"pool\": 7.103/1000 ms 0.7% 6481x\n" +
				"on \"worker 2\" zone \"pool\": 6.000/1000 ms 0.6% 100x\n"},
		{"one has stopped", dump(3*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 7, 101))),
			"on \"worker 2\" zone \"pool\": 1.000/1000 ms 0.1% 1x\n"},
		{"both have", dump(4*time.Second, lane(1, in(1, 12.103, 6491)), lane(2, in(1, 7, 101))), ""},
		{"a call still running", dump(5*time.Second, lane(1, in(1, 1012.103, 6491)), lane(2, in(1, 7, 101))),
			"on \"worker 1\" zone \"pool\": 1000.000/1000 ms 100.0% 0x\n"},
		{"paused", dump(5*time.Second, lane(1, in(1, 1012.103, 6491)), lane(2, in(1, 7, 101))), ""},
		{"reset", dump(time.Second/2, lane(2, in(1, 3, 3))), "on \"worker 2\" zone \"pool\": 3.000/500 ms 0.6% 3x\n"},
		{"recursion, and a private zone", dump(3*time.Second/2, lane(2, in(1, 53, 4), in(2, 30, 9), in(1, 20, 6))),
			"on \"worker 2\" zone \"pool\": 50.000/1000 ms 5.0% 7x\n"},
		{"two zones", dump(5*time.Second/2, lane(2, in(1, 153, 10), in(3, 75, 9))),
			"on \"worker 2\" zone \"pool\": 100.000/1000 ms 10.0% 0x\n" +
				"on \"worker 2\" zone \"lock\": 75.000/1000 ms 7.5% 9x\n"},
	} {
		got := l.linesFor(totalsOf(step.d))
		if got != step.want {
			t.Errorf("%s: got\n%swant\n%s", step.what, got, step.want)
		}
	}
}

// A lane that ends goes on as part of an earlier lane of its name. What it had lines for has none again.
func TestLogLinesOfLanesThatMerge(t *testing.T) {
	named := func(name string, l report.LaneTree) report.LaneTree { l.Name = name; return l }
	other := lane(9, in(1, 3, 3))
	l := newLogger(nil, 64)
	for _, step := range []struct {
		what string
		d    *report.Dump
		want string
	}{
		{"the first look", dump(time.Second, named("pool", lane(1, in(1, 5, 10))), other), ""},
		{"another of the name", dump(2*time.Second, named("pool", lane(1, in(1, 5, 10))),
			named("pool", lane(2, in(1, 300, 2))), other),
			"on \"pool\" zone \"pool\": 300.000/1000 ms 30.0% 2x\n"},
		{"it ended", dump(3*time.Second, named("pool", lane(1, in(1, 325, 13))), other),
			"on \"pool\" zone \"pool\": 20.000/1000 ms 2.0% 1x\n"},
		{"nothing more", dump(4*time.Second, named("pool", lane(1, in(1, 325, 13))), other), ""},
		{"two at once", dump(5*time.Second, named("pool", lane(1, in(1, 325, 13))),
			named("pool", lane(3, in(1, 10, 1))),
			named("pool", lane(4, in(1, 20, 2))), other),
			"on \"pool\" zone \"pool\": 20.000/1000 ms 2.0% 2x\n" +
				"on \"pool\" zone \"pool\": 10.000/1000 ms 1.0% 1x\n"},
		{"both ended as they were", dump(6*time.Second, named("pool", lane(1, in(1, 355, 16))), other), ""},
	} {
		if got := l.linesFor(totalsOf(step.d)); got != step.want {
			t.Errorf("%s: got\n%swant\n%s", step.what, got, step.want)
		}
	}
}

// The clock's rate gets known better while a program runs. Sums of a day change by it, the time since the last look
// must not.
func TestLogLinesCountInTicks(t *testing.T) {
	l := newLogger(nil, 64)
	for i, rate := range []float64{1e6, 1.00001e6} {
		ticks := 86400e6 + float64(i)*1e6
		d := dump(time.Duration(ticks/rate*1e9), lane(1, in(1, (ticks/2)/rate*1000, float64(1+i))))
		d.TicksPerSecond = rate
		got := l.linesFor(totalsOf(d))
		if want := "on \"worker 1\" zone \"pool\": 499.995/1000 ms 50.0% 1x\n"; i == 1 && got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

// 64 lanes have lines, those with the most time; all together are the sum.
func TestLogLinesOfManyLanes(t *testing.T) {
	l := newLogger(nil, 64)
	l.linesFor(totalsOf(dump(time.Second)))
	var lanes []report.LaneTree
	for _, i := range rand.Perm(100) {
		lanes = append(lanes, lane(report.LaneID(i+1), in(1, float64(i+1), 1), in(3, 0.5, 2)))
	}
	lines := strings.Split(strings.TrimSpace(l.linesFor(totalsOf(dump(2*time.Second, lanes...)))), "\n")
	if len(lines) != 2*64+2 {
		t.Fatalf("got %d lines; want 128 and 2 sums", len(lines))
	}
	if want := `on "worker 100" zone "pool": 100.000/1000 ms 10.0% 1x`; lines[0] != want {
		t.Errorf("first line: got %q; want %q", lines[0], want)
	}
	for i, want := range []string{`36 other goroutines zone "pool": 666.000/1000 ms 66.6% 36x`,
		`36 other goroutines zone "lock": 18.000/1000 ms 1.8% 72x`} {
		if got := lines[len(lines)-2+i]; got != want {
			t.Errorf("sum: got %q; want %q", got, want)
		}
	}
}

// The session merges lanes when there are too many. The log has only the time of the merged lanes since the last lines.
func TestLogLinesOfMergedLanes(t *testing.T) {
	l := newLogger(nil, 64)
	l.linesFor(totalsOf(dump(time.Second, lane(1, in(1, 100, 10)), lane(2, in(1, 200, 20)))))
	got := l.linesFor(totalsOf(dump(2*time.Second, lane(0, in(1, 100, 10)), lane(2, in(1, 200, 20)),
		lane(3, in(1, 50, 5)))))
	if want := "on \"worker 3\" zone \"pool\": 50.000/1000 ms 5.0% 5x\n"; got != want {
		t.Errorf("lane 1 was merged: got\n%swant\n%s", got, want)
	}
	got = l.linesFor(totalsOf(dump(3*time.Second, lane(0, in(1, 340, 37)), lane(3, in(1, 50, 5)))))
	if want := "other goroutines zone \"pool\": 40.000/1000 ms 4.0% 7x\n"; got != want {
		t.Errorf("lane 2 was merged after 40 more: got\n%swant\n%s", got, want)
	}
}

func TestLogLinesOfHostileNames(t *testing.T) {
	for _, name := range sampledump.HostileNames {
		l := newLogger(nil, 64)
		l.linesFor(totalsOf(dump(time.Second)))
		d := dump(2*time.Second, lane(1, in(1, 5, 5)))
		d.Zones[1].Name, d.Lanes[0].Name = name, name
		got := l.linesFor(totalsOf(d))
		if strings.Count(got, "\n") != 1 || len(got) > 2000 || strings.ContainsFunc(got, func(r rune) bool {
			return r != '\n' && r < ' ' || r == 0x202e || r == 0x2028
		}) {
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

// replayed returns a session with so many frames of a program that does not exist.
func replayed(t testing.TB, frames int) *process.Session {
	t.Helper()
	s := process.NewSession()
	r := world.NewGame(1, s)
	for range frames {
		must.Do(t, r.Step())
	}
	return s
}

// output runs a line and returns the answer.
func output(t testing.TB, s *process.Session, line string) string {
	t.Helper()
	var b bytes.Buffer
	if err := Command(s, &b, line); err != nil {
		t.Errorf("%q: got error %v; want none", line, err)
	}
	return strings.TrimSpace(b.String())
}

// typedCommands returns the commands that take arguments or print.
func typedCommands() []viewer.Command {
	all, own := commands(process.Default())
	return all[:own]
}

// names returns their names in lines of text.
func names() (list []string) {
	for _, c := range typedCommands() {
		list = append(list, nameOf(&c))
	}
	return list
}

// child in the environment makes the test's own program the one that runs in a terminal. Its value says how the page
// ends. The page of "cancel" ends when the file that childStop names is there.
const (
	child     = "IPROF_CONSOLE_CHILD"
	childStop = "IPROF_CONSOLE_STOP"
)

func TestMain(m *testing.M) {
	if how := os.Getenv(child); how != "" {
		runChild(how)
		return
	}
	os.Exit(m.Run())
}

var step, wait, paint = gather.Zone{Name: "step"}, gather.Zone{Name: "wait", Idle: true}, gather.Zone{Name: "paint"}

// runChild shows the page of a small program.
func runChild(how string) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	s := process.Default()
	switch how {
	case "cancel":
		go func() {
			for _, err := os.Stat(os.Getenv(childStop)); err != nil; _, err = os.Stat(os.Getenv(childStop)) {
				time.Sleep(10 * time.Millisecond)
			}
			cancel()
		}()
	case "panic":
		s = nil
		defer func() { fmt.Println("left by a panic:", recover() != nil) }()
	}
	go frames(ctx)
	fmt.Println("left:", Terminal(ctx, s, os.Stdin, os.Stdout))
}

// frames runs a program of three zones, 50 frames a second.
func frames(ctx context.Context) {
	for ctx.Err() == nil {
		frame()
		process.Default().Update()
	}
}

func frame() {
	for range step.Span {
		for range paint.Span {
			time.Sleep(2 * time.Millisecond)
		}
		for range wait.Span {
			time.Sleep(18 * time.Millisecond)
		}
	}
}
