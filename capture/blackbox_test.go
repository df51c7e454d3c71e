package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/printed"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// flight is an invented program with a black box. Its clock has a tick a microsecond.
type flight struct {
	t       *testing.T
	session *process.Session
	box     *capture.BlackBox
	options capture.BlackBoxOptions
	log     locked
	frame   gather.Frame
	written map[uint64]gather.Frame
}

// locked is a buffer for two goroutines.
type locked struct {
	mu sync.Mutex
	bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.Write(p)
}

func (l *locked) text() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.Buffer.String()
}

// The zones of a flight.
const (
	flightWork = 1 + iota
	flightWait
)

func newFlight(t *testing.T, o capture.BlackBoxOptions) *flight {
	t.Helper()
	x := &flight{t: t, session: process.NewSession(), written: map[uint64]gather.Frame{}}
	if o.Dir == "" {
		o.Dir = t.TempDir()
	}
	if o.Log == nil {
		o.Log = &x.log
	}
	box := must.Get(capture.NewBlackBox(x.session, o))(t)
	t.Cleanup(func() { box.Close() })
	x.box, x.options = box, o
	x.frame = gather.Frame{TicksPerSecond: 1e6,
		Zones:    []gather.ZoneInfo{{Name: "(root)"}, {Name: "work"}, {Name: "wait", Idle: true}},
		Counters: []gather.CounterInfo{{Name: "shots"}, {Name: "entities", Level: true}}}
	return x
}

// step ends a frame of so much work. Each option changes it.
func (x *flight) step(work time.Duration, change ...func(*gather.Frame)) {
	f := &x.frame
	f.Index++
	f.Begin = f.End
	f.End += platform.Ticks(work.Microseconds()) + 1000
	f.Values, f.Memory = nil, gather.MemoryFrame{}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Self: 100, Open: true},
		{ID: 1, Zone: flightWork, Count: 1, Self: platform.Ticks(work.Microseconds())},
		{ID: 2, Zone: flightWait, Count: 1, Self: 900},
	}}}
	for _, c := range change {
		c(f)
	}
	x.written[f.Index] = clone(*f)
	must.Do(x.t, x.session.WriteFrame(f))
}

func (x *flight) steps(n int, work time.Duration) {
	for range n {
		x.step(work)
	}
}

// waits makes a frame wait, in an idle zone.
func waits(d time.Duration) func(*gather.Frame) {
	return func(f *gather.Frame) {
		f.End += platform.Ticks(d.Microseconds())
		f.Lanes[0].Nodes[flightWait].Self += platform.Ticks(d.Microseconds())
	}
}

// awayFor makes a frame of 34 ms, for a part of which other programs had the processor.
func awayFor(d time.Duration) func(*flight) {
	return func(x *flight) {
		x.step(34*time.Millisecond, func(f *gather.Frame) { f.Away = gather.Away{Time: d, Known: gather.AwayExact} })
	}
}

// blocked makes a frame that is blocked.
func blocked(d time.Duration) func(*flight) {
	return func(x *flight) {
		x.frame.Zones[flightWait].Blocked = true
		x.step(5*time.Millisecond, waits(d))
	}
}

// files are the names of the black box's files, once no more are being written.
func (x *flight) files() (names []string) {
	x.t.Helper()
	if err := x.box.Close(); err != nil {
		x.t.Error(err)
	}
	names, _ = filepath.Glob(filepath.Join(x.options.Dir, "blackbox-*.iprof"))
	if temporary, _ := filepath.Glob(filepath.Join(x.options.Dir, ".*")); len(temporary) > 0 {
		x.t.Errorf("these are left: %q", temporary)
	}
	return names
}

// opened returns the frames of a file and checks that each is as it was.
func (x *flight) opened(name string) (frames []gather.Frame, info capture.Info) {
	x.t.Helper()
	file := must.Get(os.ReadFile(name))(x.t)
	frames, damages, r := readAll(x.t, file)
	if damages > 0 || !r.Complete() {
		x.t.Errorf("%s: %d damages, complete %t", name, damages, r.Complete())
	}
	for i := range frames {
		want := x.written[frames[i].Index]
		if !same(frames[i], &want) {
			x.t.Fatalf("frame %d: got\n%+v\nwant\n%+v", frames[i].Index, frames[i], want)
		}
	}
	return frames, r.Info()
}

func TestABlackBoxWritesTheFramesAroundAHitch(t *testing.T) {
	for _, hitch := range []int{40, 64, 65, 700} {
		t.Run(fmt.Sprint(hitch), func(t *testing.T) {
			x := newFlight(t, capture.BlackBoxOptions{Before: 50, After: 20})
			x.steps(hitch-1, 5*time.Millisecond)
			x.step(100 * time.Millisecond)
			x.steps(200, 5*time.Millisecond)
			names := x.files()
			if len(names) != 1 || !strings.Contains(names[0], fmt.Sprintf("-frame-%d-100.1-ms-busy", hitch)) {
				t.Fatalf("got files %q", names)
			}
			frames, info := x.opened(names[0])
			first, last := uint64(max(hitch-50, 1)), uint64(hitch+20)
			if got := frames[0].Index; got != first || frames[len(frames)-1].Index != last {
				t.Errorf("got frames %d to %d; want %d to %d", got, frames[len(frames)-1].Index, first, last)
			}
			want := fmt.Sprintf("frame %d: 100.1 ms busy, budget 16.7 ms", hitch)
			if info.Reason != want || !strings.Contains(x.log.text(), want+": wrote "+names[0]) {
				t.Errorf("the reason is %q, the log %q; want %q", info.Reason, x.log.text(), want)
			}
			if f, err := os.Stat(names[0]); err != nil || os.PathSeparator == '/' && f.Mode().Perm() != 0o600 {
				t.Errorf("got %v, %v; want a file for its owner only", f.Mode(), err)
			}
		})
	}
}

func TestEachTriggerWritesAFileWithItsReason(t *testing.T) {
	hitch := func(change func(*gather.Frame)) func(*flight) {
		return func(x *flight) { x.step(5*time.Millisecond, change) }
	}
	value := func(counter int32, v float64) func(*flight) {
		return hitch(func(f *gather.Frame) { f.Values = []gather.CounterValue{{Counter: counter, Value: v}} })
	}
	zones := map[string]time.Duration{"work": 8 * time.Millisecond}
	counters := map[string]float64{"entities": 100, "other": 0}
	for _, test := range []struct {
		name, want string // part of the file's name; "" is no file
		options    capture.BlackBoxOptions
		do         func(*flight)
	}{
		{"budget", "34.1-ms-busy", capture.BlackBoxOptions{}, func(x *flight) { x.step(34 * time.Millisecond) }},
		{"others", "-16.7-ms-machine-bus", capture.BlackBoxOptions{}, awayFor(20 * time.Millisecond)},
		{"own work", "-16.7-ms.iprof", capture.BlackBoxOptions{}, awayFor(4 * time.Millisecond)},
		{"within", "", capture.BlackBoxOptions{}, func(x *flight) { x.step(32 * time.Millisecond) }},
		{"waits", "", capture.BlackBoxOptions{}, hitch(waits(time.Second))},
		{"blocked", "40.0-ms-busy-or-blocked", capture.BlackBoxOptions{}, blocked(34 * time.Millisecond)},
		{"other budget", "", capture.BlackBoxOptions{OverBudget: 3}, func(x *flight) { x.step(49 * time.Millisecond) }},
		{"no budget", "", capture.BlackBoxOptions{OverBudget: -1}, func(x *flight) { x.step(time.Second) }},
		{"zone", "work-took-9.0-ms", capture.BlackBoxOptions{Zones: zones}, func(x *flight) {
			x.step(9 * time.Millisecond)
		}},
		{"zone within", "", capture.BlackBoxOptions{Zones: zones}, func(x *flight) { x.step(8 * time.Millisecond) }},
		{"zone by parts", "work-took-10.0-ms", capture.BlackBoxOptions{Zones: zones}, hitch(func(f *gather.Frame) {
			l := &f.Lanes[0] // two callers, and a recursion that is not counted twice
			l.Nodes = append(l.Nodes, gather.Node{ID: 3, Zone: flightWork, Parent: 2, Count: 1, Self: 4000},
				gather.Node{ID: 4, Zone: flightWork, Parent: 3, Depth: 1, Count: 1, Self: 1000})
		})},
		{"pause", "paused-it-for-3.0", capture.BlackBoxOptions{Pause: time.Millisecond}, hitch(func(f *gather.Frame) {
			f.Memory.Pause = 3 * time.Millisecond
		})},
		{"level", "entities-is-101", capture.BlackBoxOptions{Counters: counters}, value(1, 101)},
		{"level within", "", capture.BlackBoxOptions{Counters: counters}, value(1, 100)},
		{"other count", "", capture.BlackBoxOptions{Counters: counters}, value(0, 1000)},
		{"call", "call-lost-n-t", capture.BlackBoxOptions{}, func(x *flight) {
			x.box.Trigger("lost/n\x1b&t")
			x.step(time.Millisecond)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			x := newFlight(t, test.options)
			x.step(time.Second) // the first frame has the program's start
			x.steps(9, 5*time.Millisecond)
			test.do(x)
			x.steps(100, 5*time.Millisecond)
			names := x.files()
			switch {
			case test.want == "" && len(names) > 0:
				t.Errorf("got %q; want no file", names)
			case test.want != "" && (len(names) != 1 || !strings.Contains(names[0], test.want)):
				t.Errorf("got %q; want one with %s", names, test.want)
			case strings.Contains(x.log.text(), "\x1b"):
				t.Errorf("the log has control characters: %q", x.log.text())
			}
		})
	}
}

// Worse frames in the frames that a file waits for make it longer: up to After behind the last of them, and to twice
// After behind the first. A frame that is less bad does not.
func TestWorseFramesMakeAFileLonger(t *testing.T) {
	const after = 10
	for _, test := range []struct {
		hitches string // ms by frame
		last    uint64
	}{
		{"0=50", after}, {"0=50,10=60", 10 + after}, {"0=50,4=60", 4 + after}, {"0=50,10=40", after},
		{"0=50,8=60,16=70", 2 * after}, {"0=50,8=60,18=55,20=70", 8 + after},
	} {
		t.Run(test.hitches, func(t *testing.T) {
			x := newFlight(t, capture.BlackBoxOptions{Before: 20, After: after, CoolDown: time.Hour})
			x.steps(39, 5*time.Millisecond)
			for i := range 60 {
				took := 5
				for hitch := range strings.SplitSeq(test.hitches, ",") {
					var at, ms int
					if fmt.Sscanf(hitch, "%d=%d", &at, &ms); at == i {
						took = ms
					}
				}
				x.step(time.Duration(took) * time.Millisecond)
			}
			names := x.files()
			if len(names) == 0 {
				t.Fatal("got no file")
			}
			frames, _ := x.opened(names[0])
			if last := frames[len(frames)-1].Index - 40; last != test.last {
				t.Errorf("the last frame is %d behind the first hitch; want %d", last, test.last)
			}
		})
	}
}

func TestTriggersWithinTheCoolDownWriteNothing(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{After: 5, CoolDown: time.Second})
	for range 400 { // of 3 s in all
		x.step(5 * time.Millisecond)
		if x.frame.Index%50 == 0 {
			x.step(50 * time.Millisecond)
			for len(x.log.text()) == 0 {
				x.step(5 * time.Millisecond)
				time.Sleep(time.Millisecond)
			}
		}
	}
	if names := x.files(); len(names) < 2 || len(names) > 4 {
		t.Errorf("got %d files; want one a second", len(names))
	}
	if !strings.Contains(x.log.text(), " before it wrote none") {
		t.Errorf("the log does not say what was missed:\n%s", x.log.text())
	}
}

// A cool-down of 292 years, in ticks or by a clock near its end, is longer than the clock counts: only the first of two
// frames that are as late has a file.
func TestALongCoolDownOnAnyClock(t *testing.T) {
	for name, c := range map[string]struct {
		perSecond float64
		end       platform.Ticks
		coolDown  time.Duration
	}{
		"quick clock": {1e10, 0, math.MaxInt64}, "old clock": {1e6, platform.MaxTicks - 5e6, 0},
		"both": {1e10, platform.MaxTicks - 5e10, math.MaxInt64},
	} {
		t.Run(name, func(t *testing.T) {
			x := newFlight(t, capture.BlackBoxOptions{After: -1, CoolDown: c.coolDown})
			x.frame.TicksPerSecond, x.frame.End = c.perSecond, c.end
			slower := time.Duration(c.perSecond / 1e6)
			for _, took := range []time.Duration{1, 100, 5, 5, 100, 5} {
				x.step(took * time.Millisecond * slower)
				x.box.WaitForFile()
			}
			if names := x.files(); len(names) != 1 || x.box.LeftOut() != 1 {
				t.Errorf("got files %q, %d left out; want 1 and 1", names, x.box.LeftOut())
			}
		})
	}
}

// A count above a limit of 0 is no worse than any other trigger, so a hitch after it has a file, too.
func TestALimitOfNothingIsNotTheWorst(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{After: -1, Counters: map[string]float64{"shots": 0}})
	x.step(time.Millisecond)
	x.step(time.Millisecond, func(f *gather.Frame) { f.Values = []gather.CounterValue{{Counter: 0, Value: 3}} })
	x.box.WaitForFile()
	x.step(100 * time.Millisecond)
	if names := x.files(); len(names) != 2 || x.box.LeftOut() > 0 {
		t.Errorf("got files %q, %d left out; want one for the count and one for the hitch", names, x.box.LeftOut())
	}
}

// What does not fit is dropped, oldest first.
func TestTheRingIsBounded(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{Before: 1e6, After: -1, Memory: 40_000})
	x.steps(20_000, 5*time.Millisecond)
	x.step(time.Second)
	names := x.files()
	if len(names) != 1 {
		t.Fatalf("got %q", names)
	}
	info, _ := os.Stat(names[0])
	frames, _ := x.opened(names[0])
	if n := len(frames); n < 200 || info.Size() > 41_000 || frames[n-1].Index != 20_001 {
		t.Errorf("got %d frames in %d bytes, the last is %d", n, info.Size(), frames[n-1].Index)
	}
	if !reflect.DeepEqual(frames[0].Zones[:3], x.frame.Zones) {
		t.Errorf("got zones %v", frames[0].Zones)
	}
}

// panics are ways to panic, by name.
var panics = map[string]func(){
	"value": func() { panic("boom") },
	"error": func() { panic(errors.New("boom")) },
	"index": func() { _ = os.Args[len(os.Args)] },
	"nil":   func() { var p *flight; p.session = nil },
	"twice": func() { defer func() { panic("second") }(); panic("first") },
	"again": func() {
		defer func() { panic(recover()) }()
		panic("boom")
	},
}

// A program that panics prints the same with and without a black box, and ends the same.
func TestAPanicsTraceStays(t *testing.T) {
	if dir := os.Getenv("CAPTURE_PANIC_DIR"); dir != "" {
		go panicWith(t, dir, os.Getenv("CAPTURE_PANIC"))
		select {}
	}
	for name := range panics {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			without, status := panicking(t, name, "none")
			with, statusWith := panicking(t, name, dir)
			if with != without || status != statusWith || status != 2 {
				t.Errorf("got status %d and\n%s\nwithout, %d and\n%s", statusWith, with, status, without)
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*-panic-at-blackbox-test.go-*.iprof"))
			if len(files) != 1 {
				t.Errorf("got files %q; want one", files)
			}
		})
	}
}

// panicking runs a program that panics. It returns what it printed, without addresses and numbers of goroutines.
func panicking(t *testing.T, name, dir string) (printed string, status int) {
	t.Helper()
	program := exec.Command(os.Args[0], "-test.run=^TestAPanicsTraceStays$")
	program.Env = append(os.Environ(), "CAPTURE_PANIC="+name, "CAPTURE_PANIC_DIR="+dir)
	out, err := program.CombinedOutput()
	if exit := new(exec.ExitError); !errors.As(err, &exit) {
		t.Fatalf("got %v\n%s", err, out)
	}
	own, _, _ := strings.Cut(string(out), "\n\ngoroutine 1 ") // GOTRACEBACK may ask for all goroutines
	number := regexp.MustCompile(`0x[0-9a-f]+\??|goroutine \d+|gp=|m=\d+|mp=`)
	return number.ReplaceAllString(own, ""), program.ProcessState.ExitCode()
}

// panicWith panics with a black box, or without one if there is no dir.
func panicWith(t *testing.T, dir, name string) {
	if dir != "none" {
		x := newFlight(t, capture.BlackBoxOptions{Dir: dir})
		x.steps(10, 5*time.Millisecond)
		defer x.box.OnPanic()
	}
	panics[name]()
}

// What merely runs while a panic is on its way writes nothing.
func TestOnlyTheDeferredCallOfAPanicWrites(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{})
	x.steps(10, 5*time.Millisecond)
	func() {
		defer func() { _ = recover() }()
		defer func() {
			func() { defer x.box.OnPanic() }()
		}()
		panic("elsewhere")
	}()
	func() {
		defer x.box.OnPanic()
		defer func() { _ = recover() }()
		panic("recovered")
	}()
	if log := x.log.text(); log != "" {
		t.Errorf("got %s", log)
	}
	func() {
		defer func() { _ = recover() }()
		end := x.box.OnPanic
		defer end()
		panic("by a method value")
	}()
	if names := x.files(); len(names) != 1 {
		t.Errorf("got %q; want a file", names)
	}
}

// Late frames fall at random, also into the cool-down and while a file waits or is written. A late frame that is in no
// file is counted. If the disk keeps up, no frame that is left out is clearly worse than those in the files.
func TestTheWorstFrameIsKept(t *testing.T) {
	for seed := range uint64(40) {
		random := rand.New(rand.NewPCG(seed, 58))
		x := newFlight(t, capture.BlackBoxOptions{Before: 20, After: random.IntN(30), Files: 1000})
		late, disk := map[uint64]time.Duration{}, random.IntN(2) == 0
		x.step(time.Millisecond)
		for range 1500 { // of 9 s
			if random.IntN(100) > 0 {
				x.step(5 * time.Millisecond)
				continue
			}
			took := time.Duration(35+random.IntN(300)) * time.Millisecond
			x.step(took)
			late[x.frame.Index] = took
			if disk {
				x.box.WaitForFile()
			}
		}
		counted := uint64(0)
		out := make(map[uint64]time.Duration)
		worst, worstKept := time.Duration(0), time.Duration(0)
		for index, took := range late {
			out[index], worst = took, max(worst, took)
		}
		for _, name := range x.files() {
			frames, info := x.opened(name)
			counted += info.LeftOut
			for _, f := range frames {
				delete(out, f.Index)
				worstKept = max(worstKept, late[f.Index])
			}
			if !strings.HasPrefix(info.Reason, fmt.Sprintf("frame %d: ", info.Frame)) || late[info.Frame] == 0 {
				t.Errorf("seed %d: got frame %d, reason %q", seed, info.Frame, info.Reason)
			}
		}
		all := x.box.LeftOut()
		if uint64(len(out)) > all || all > uint64(len(late)) || counted > all {
			t.Errorf("seed %d: %d of %d late frames are in no file; got %d and %d counted", seed, len(out), len(late),
				all, counted)
		}
		if left := all - counted; left > 0 != strings.Contains(x.log.text(),
			"iprof: "+printed.Count(left, "trigger")+" after the last file wrote none, the worst for frame ") {
			t.Errorf("seed %d: %d left at the end; got the log %s", seed, left, x.log.text())
		}
		if disk && worstKept.Seconds()*1.11 < worst.Seconds() {
			t.Errorf("seed %d: the worst frame takes %v; got %v at most in files", seed, worst, worstKept)
		}
	}
}

// A planted hitch soon after a lesser one has a file of its own; one that is no worse than the first is counted.
func TestAHitchInTheCoolDownOfALesserOne(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{After: 3})
	for _, took := range []time.Duration{1, 40, 400, 90} {
		x.step(took * time.Millisecond)
		x.steps(50, 5*time.Millisecond)
		x.box.WaitForFile()
	}
	names := x.files()
	if len(names) != 2 || !strings.Contains(names[1], "-400.1-ms-busy") || x.box.LeftOut() != 1 {
		t.Errorf("got files %q and %d left out; want the frames of 40 and 400 ms, and 1", names, x.box.LeftOut())
	}
	if want := "1 trigger after the last file wrote none, the worst for frame 154: 90.1 ms busy"; !strings.Contains(
		x.log.text(), want) {
		t.Errorf("got the log %q; want %q", x.log.text(), want)
	}
}

// In a server without a budget no interval is late: slow calls trigger, and a budget that somebody sets does.
func TestABlackBoxOfAServerTriggersOnSlowCalls(t *testing.T) {
	slow := func(f *gather.Frame) {
		f.SlowCalls = []gather.SlowCall{
			{Zone: flightWork, Lane: 1, Begin: f.Begin, End: f.Begin + 9_000, Usual: 2_000},
			{Zone: flightWork, Lane: 1, Begin: f.Begin, End: f.Begin + 61_700, Usual: 2_300}}
	}
	for name, c := range map[string]struct {
		budget time.Duration
		over   float64
		change func(*gather.Frame)
		want   string
	}{
		"long":       {change: func(*gather.Frame) {}},
		"slow calls": {change: slow, want: "interval 31: GET /orders took 61.7 ms, usually 2.3"},
		"never":      {over: -1, change: slow},
		"budget":     {100 * time.Millisecond, 0, slow, "frame 2: 400.0 ms busy, budget 100.0 ms"},
	} {
		t.Run(name, func(t *testing.T) {
			x := newFlight(t, capture.BlackBoxOptions{OverBudget: c.over})
			x.frame.EventDriven, x.frame.Zones[flightWork].Name = true, "GET /orders"
			if c.budget > 0 {
				x.session.SetFrameBudget(c.budget)
			}
			x.steps(30, 400*time.Millisecond)
			x.step(400*time.Millisecond, c.change)
			files, log := x.files(), x.log.text()
			if (len(files) > 0) != (c.want != "") || !strings.Contains(log, c.want) {
				t.Errorf("got %d files, and the log %q; want %q", len(files), log, c.want)
			}
		})
	}
}
