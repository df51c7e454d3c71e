//go:build !iprof_off

package integration_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/console"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// chaosFunctions are all public functions of the root, and some of package gather. Methods are found by reflection,
// those of the session among them.
var chaosFunctions = map[string]any{
	"Alloc": iprof.Alloc, "Begin": iprof.Begin, "BeginFrame": iprof.BeginFrame,
	"Count": iprof.Count, "CountN": iprof.CountN, "Default": iprof.Default, "Discard": iprof.Discard,
	"EndFrame": iprof.EndFrame, "Frames": iprof.Frames, "Free": iprof.Free, "Func": iprof.Func,
	"LogEvery": iprof.LogEvery,
	"LogScope": iprof.LogScope, "Mark": iprof.Mark, "MoveCursor": iprof.MoveCursor, "MoveFrame": iprof.MoveFrame,
	"Pause": iprof.Pause, "Paused": iprof.Paused, "gather.Recording": gather.Recording,
	"Register": iprof.Register,
	"Reset":    iprof.Reset, "Resume": iprof.Resume, "Section": iprof.Section,
	"Select": iprof.Select, "SelectParent": iprof.SelectParent,
	"SetAutoRegister": iprof.SetAutoRegister, "SetAverage": iprof.SetAverage, "SetEvents": iprof.SetEvents,
	"SetLimits": iprof.SetLimits,
	"SetFrame":  iprof.SetFrame, "SetFrameBudget": iprof.SetFrameBudget,
	"SetOverheadLimit": iprof.SetOverheadLimit, "SetRecording": iprof.SetRecording,
	"SetRecursion": iprof.SetRecursion, "SetReportMode": iprof.SetReportMode,
	"Units": iprof.Units, "Update": iprof.Update, "Wait": iprof.Wait,
	"WriteHTML": iprof.WriteHTML,
	"WriteJSON": iprof.WriteJSON, "WriteOnExit": iprof.WriteOnExit, "WriteOnSignal": iprof.WriteOnSignal,
	"WriteText": iprof.WriteText, "WriteTree": iprof.WriteTree, "WriteVerdict": iprof.WriteVerdict,
	"Value":  iprof.Value[float64],
	"Exit":   nil, // ends the process; exit_test.go has it
	"Record": nil, // writes files; the tests of package capture have it

	// What else programs use of package gather.
	"gather.AppendCalls": gather.AppendCalls, "gather.AppendEvents": gather.AppendEvents,
	"gather.Events":      gather.Events,
	"gather.EventsSince": gather.EventsSince, "gather.MemoryUsed": gather.MemoryUsed, "measure.Peek": measure.Peek,
}

// chaosNever are the methods that need more than arguments of the right types.
var chaosNever = map[string]bool{"WriteFrame": true, "SetSources": true, "Adopt": true}

// mixers is how many goroutines do everything at once.
const mixers = 8

// mixed are zones of the chaos.
var mixed = [...]iprof.Zone{{Name: "mixed 0"}, {Name: "mixed 1"}, {Name: "mixed 2"}, {Name: "mixed 3"}}

// longestCall is when a call counts as stuck. The slowest take seconds, under the race detector on a busy machine.
const longestCall = 5 * time.Minute

// caller is one goroutine that calls anything with anything.
type caller struct {
	t     *testing.T
	rng   *rand.Rand
	names []string
	words []string // of Command
	kept  map[reflect.Type][]reflect.Value
	calls int
	now   atomic.Pointer[running]
}

// running is the call in progress.
type running struct {
	name  string
	began time.Time
}

var errChaos = errors.New("the writer's own")

// call calls a function with random arguments, and keeps its results as arguments and receivers of later calls.
func (c *caller) call(name string, f reflect.Value) {
	args := c.arguments(name, f.Type())
	c.now.Store(&running{name, time.Now()})
	defer c.now.Store(nil)
	defer func() {
		if p := recover(); p != nil && p != errChaos {
			c.t.Errorf("%s(%s): panic: %v\n%s", name, describe(args), p, debug.Stack())
		}
	}()
	c.calls++
	for _, result := range f.Call(args) {
		c.keep(result)
	}
}

func describe(args []reflect.Value) string {
	var b strings.Builder
	for _, a := range args {
		fmt.Fprintf(&b, "%.100s, ", fmt.Sprintf("%T %+v", a.Interface(), a.Interface()))
	}
	return b.String()
}

// mostKept bounds the values of a type: a function to stop something is called before another takes its place.
const mostKept = 8

func (c *caller) keep(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface: // errors
		return
	case reflect.Func, reflect.Pointer:
		if v.IsNil() { // beside an error
			return
		}
	default:
		if v.NumMethod() == 0 {
			return
		}
	}
	list := c.kept[v.Type()]
	if len(list) == mostKept {
		i := c.rng.IntN(mostKept)
		c.stop(list[i])
		list[i] = v
		return
	}
	c.kept[v.Type()] = append(list, v)
}

// step makes one call: of a function, or of a method of something that an earlier call has returned.
func (c *caller) step() {
	if c.rng.IntN(2) == 0 {
		name := c.names[c.rng.IntN(len(c.names))]
		c.call(name, reflect.ValueOf(chaosFunctions[name]))
		return
	}
	n := c.rng.IntN(len(c.kept))
	for t, list := range c.kept { // its order is random, too
		if n--; n >= 0 || len(list) == 0 {
			continue
		}
		v := list[c.rng.IntN(len(list))]
		if v.Kind() == reflect.Func {
			c.call("stop", v)
		} else if m := c.rng.IntN(max(t.NumMethod(), 1)); t.NumMethod() > 0 && !chaosNever[t.Method(m).Name] {
			c.call(t.String()+"."+t.Method(m).Name, v.Method(m))
		}
		return
	}
}

// stop calls what stops something: a function that a call has returned, or a method Close.
func (c *caller) stop(v reflect.Value) {
	if v.Kind() == reflect.Func {
		c.call("stop", v)
	} else if end := v.MethodByName("Close"); end.IsValid() {
		c.call(v.Type().String()+".Close", end)
	}
}

// end stops everything.
func (c *caller) end() {
	for _, list := range c.kept {
		for _, v := range list {
			c.stop(v)
		}
	}
}

// TestSoakChaos calls the whole API with any arguments from many goroutines. Nothing may panic or hang, and when it is
// over the profiler still counts right. Run it with -race.
func TestSoakChaos(t *testing.T) {
	if os.Getenv(chaosChild) == "" {
		runChaosChild(t)
		return
	}
	t.Chdir(t.TempDir()) // the word dump-html writes files
	t.Setenv("TMPDIR", t.TempDir())
	iprof.WriteOnSignal(nil)() // package os/signal keeps a goroutine from the first signal that is asked for
	seed, goroutines := uint64(time.Now().UnixNano()), runtime.NumGoroutine()
	t.Logf("seed %d", seed)
	callers, words := make([]*caller, mixers), commandWords(t)
	began, length := time.Now(), soakLength(t, "IPROF_CHAOS")
	over := make(chan bool)
	var all sync.WaitGroup
	for i := range callers {
		callers[i] = newCaller(t, rand.New(rand.NewPCG(seed, uint64(i))), words)
		all.Go(func() {
			callers[i].keep(reflect.ValueOf(iprof.Register("chaos"))) // a lane is its goroutine's
			for time.Since(began) < length {
				callers[i].step()
			}
			callers[i].end()
		})
	}
	go func() { all.Wait(); close(over) }()
	watchChaos(t, callers, over)
	calls := 0
	for _, c := range callers {
		calls += c.calls
	}
	t.Logf("%d calls in %v; ended %v later", calls, length, time.Since(began)-length)
	stillRight(t)
	for end := time.Now().Add(longestCall); runtime.NumGoroutine() > goroutines; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("goroutines: got %d; want %d as before\n%s", runtime.NumGoroutine(), goroutines, stacks())
		}
	}
}

// chaosChild is set in the process that has the chaos. What it does to limits, filters and muted zones is no other
// test's.
const chaosChild = "IPROF_CHAOS_CHILD"

// runChaosChild runs the test in a process of its own.
func runChaosChild(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestSoakChaos$", "-test.v", "-test.timeout=90m")
	cmd.Env = append(os.Environ(), chaosChild+"=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}

// watchChaos waits for the end, and fails when a call does not return.
func watchChaos(t *testing.T, callers []*caller, over <-chan bool) {
	t.Helper()
	for {
		select {
		case <-over:
			return
		case <-time.After(100 * time.Millisecond):
		}
		for _, c := range callers {
			if r := c.now.Load(); r != nil && time.Since(r.began) > longestCall {
				t.Fatalf("%s has not returned for %v\n%s", r.name, time.Since(r.began), stacks())
			}
		}
	}
}

func stacks() string {
	b := make([]byte, 1<<20)
	return string(b[:runtime.Stack(b, true)])
}

// stillRight sets everything to its default, resets within open zones, and counts.
func stillRight(t *testing.T) {
	t.Helper()
	iprof.SetOverheadLimit(0)
	gather.SetLimits(gather.Limits{})
	iprof.SetEvents(0)
	process.Default().SetMemoryMode(gather.MemoryHeapPerFrame)
	iprof.SetAutoRegister(true)
	iprof.SetRecording(true)
	mixed[0].SetMuted(false)
	process.Default().View().Set(report.View{})
	iprof.Resume()
	var open, all sync.WaitGroup
	reset := make(chan bool)
	for depth := range mixers {
		open.Add(1)
		all.Go(func() {
			for range depth {
				defer mixed[1+depth%3].Begin().End()
			}
			open.Done()
			<-reset
			for range 1000 {
				mixed[0].Begin().End()
			}
		})
	}
	open.Wait()
	iprof.Reset()
	close(reset)
	all.Wait()
	counts := 0.0
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
	for _, n := range d.Merged {
		if d.Zones[n.Zone].Name == mixed[0].Name {
			counts += n.Count
		}
	}
	if want := 1000.0 * mixers; counts != want {
		t.Errorf("entries afterwards: got %v; want %v", counts, want)
	}
}

func TestChaosKnowsEveryFunction(t *testing.T) {
	p, _ := parsed(t, ".")
	for _, name := range public(p) {
		if _, known := chaosFunctions[name]; !known && !strings.Contains(name, "_") {
			t.Errorf("function %s is not in chaosFunctions", name)
		}
	}
}

// chaosWriter is a writer that does anything but return well.
type chaosWriter int

// The kinds of chaosWriter.
const (
	writerPanics chaosWriter = iota
	writerFails
	writerSlow
	writerLogs
	writerResets
	numWriters
)

func (w chaosWriter) Write(p []byte) (int, error) {
	switch w {
	case writerPanics:
		panic(errChaos)
	case writerFails:
		return len(p) / 2, io.ErrShortWrite
	case writerSlow:
		time.Sleep(5 * time.Millisecond)
	case writerLogs:
		iprof.LogScope("the writer's own").End()
	case writerResets:
		process.Default().Reset()
	}
	return len(p), nil
}

// takesNoWriter are the functions to which a nil writer means something.
var takesNoWriter = map[string]bool{"LogEvery": true, "WriteOnExit": true, "WriteOnSignal": true}

// newCaller begins with some things to call methods of. Zones are shared, a Session too; scopes and lanes are a
// goroutine's.
func newCaller(t *testing.T, rng *rand.Rand, words []string) *caller {
	c := &caller{t: t, rng: rng, words: words, kept: map[reflect.Type][]reflect.Value{}}
	for _, name := range slices.Sorted(maps.Keys(chaosFunctions)) {
		if chaosFunctions[name] != nil {
			c.names = append(c.names, name)
		}
	}
	for i := range mixed {
		c.keep(reflect.ValueOf(&mixed[i]))
	}
	c.keep(reflect.ValueOf(process.Default()))
	return c
}

// commandWords are the words that help lists.
func commandWords(t *testing.T) (words []string) {
	t.Helper()
	var help strings.Builder
	must.Do(t, console.Command(process.Default(), &help, "help"))
	for line := range strings.Lines(help.String()) {
		if word := strings.Fields(line); len(word) > 2 && !strings.HasPrefix(line, "Words") {
			words = append(words, word[0])
		}
	}
	if len(words) < 20 {
		t.Fatalf("got words %q; want all that help lists", words)
	}
	return words
}

// arguments makes what a function takes.
func (c *caller) arguments(name string, f reflect.Type) (args []reflect.Value) {
	for i := range f.NumIn() {
		if i == f.NumIn()-1 && f.IsVariadic() {
			for range c.rng.IntN(4) {
				args = append(args, c.value(name, f.In(i).Elem()))
			}
			return args
		}
		args = append(args, c.value(name, f.In(i)))
	}
	return args
}

var (
	writerType  = reflect.TypeFor[io.Writer]()
	readerType  = reflect.TypeFor[io.Reader]()
	contextType = reflect.TypeFor[context.Context]()
	signalType  = reflect.TypeFor[os.Signal]()
	laneType    = reflect.TypeFor[*iprof.Lane]()
)

// value makes a value of a type.
func (c *caller) value(name string, t reflect.Type) reflect.Value {
	if kept := c.kept[t]; len(kept) > 0 && (t.Kind() == reflect.Pointer || c.rng.IntN(8) > 0) {
		return kept[c.rng.IntN(len(kept))]
	}
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.Interface:
		c.face(name, v, t)
	case reflect.Bool:
		v.SetBool(c.rng.IntN(2) == 0)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(c.integer(name))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(c.integer(name)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(one(c, []float64{0, -1, 0.01, 0.5, 2, 1e300, math.Inf(1), math.Inf(-1), math.NaN()}))
	case reflect.String:
		v.SetString(c.text(name))
	case reflect.Pointer:
		if t != laneType { // which only Register makes; beyond the limit of lanes it returns nil
			v.Set(reflect.New(t.Elem()))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() {
				v.Field(i).Set(c.value(name, f.Type))
			}
		}
	case reflect.Func: // any goroutine may call it, so it makes nothing by itself
		var results []reflect.Value
		for i := range t.NumOut() {
			results = append(results, c.value(name, t.Out(i)))
		}
		v.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return results }))
	case reflect.Slice: // memory to append to, which a nil slice is, too
	}
	return v
}

// face makes a value of an interface type.
func (c *caller) face(name string, v reflect.Value, t reflect.Type) {
	switch t {
	case writerType:
		if c.rng.IntN(4) == 0 && takesNoWriter[name] {
			return
		}
		v.Set(reflect.ValueOf(one(c, []io.Writer{io.Discard, chaosWriter(c.rng.IntN(int(numWriters)))})))
	case readerType:
		lines := make([]string, c.rng.IntN(9))
		for i := range lines {
			lines[i] = c.text("Command")
		}
		v.Set(reflect.ValueOf(strings.NewReader(strings.Join(lines, "\n"))))
	case contextType: // Terminal ends with it
		ctx, cancel := context.WithTimeoutCause(context.Background(), 5*time.Millisecond, errors.New("enough"))
		context.AfterFunc(ctx, cancel)
		v.Set(reflect.ValueOf(ctx))
	case signalType:
		v.Set(reflect.ValueOf(os.Interrupt))
	}
}

// integer is small where it is a size of memory, which grows with the number of goroutines and zones.
func (c *caller) integer(name string) int64 {
	small := []int64{-1, 0, 1, 2, 3, 5, 64, 200}
	if strings.HasPrefix(name, "Set") || strings.HasPrefix(name, "*process.Session.Set") {
		return one(c, small)
	}
	return one(c, append(small, math.MinInt64, math.MaxInt64, math.MaxInt32, math.MinInt32, 1<<40))
}

func (c *caller) text(name string) string {
	word := one(c, append([]string{"", "mixed 0", "-1", "1", "100", "on", "off", "all", "page.html",
		strings.Repeat("x", 5000)}, sampledump.HostileNames...))
	if name == "Command" {
		return one(c, c.words) + " " + word
	}
	return word
}

func one[T any](c *caller, list []T) T { return list[c.rng.IntN(len(list))] }

// soakLength is the time that a soak takes: the value of an environment variable, or else a second, in short tests a
// quarter.
func soakLength(t *testing.T, variable string) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	switch {
	case text == "" && (testing.Short() || raceEnabled):
		return time.Second / 4
	case text == "":
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return d
}
