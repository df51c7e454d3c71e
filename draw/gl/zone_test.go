//go:build cgo && !iprof_off

package gl

import (
	"strings"
	"testing"
	"time"

	host "github.com/go-gl/gl/v3.3-core/gl"

	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// withTimers runs f on every kind of context that has GPU zones, in a state without timers.
func withTimers(t *testing.T, f func(t *testing.T, ctx *egltest.Context)) {
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		noTimers(t)
		if _, err := GPULane(); err != nil {
			t.Skip(err)
		}
		f(t, ctx)
	})
}

// noTimers forgets all timers, now and after the test.
func noTimers(t *testing.T) {
	drop := func() {
		for _, w := range timers.list {
			w.lane.Close()
		}
		timers.list, timers.made, timerHook = nil, 0, nil
	}
	drop()
	t.Cleanup(drop)
}

// arrived ends the frame, and returns it when the driver has reported all times. It calls glFinish, as no user does, so
// that they arrive.
func arrived(t *testing.T) *gather.Frame {
	t.Helper()
	f := new(gather.Frame)
	gather.Collect(f)
	host.Finish()
	for _, w := range timers.list {
		w.poll()
	}
	if !measure.Complete(f, false) {
		t.Fatal("got a frame without all times after glFinish; want a complete one")
	}
	return f
}

// gpuRows returns the entries of the lane's zones by their paths.
func gpuRows(f *gather.Frame, id gather.LaneID) map[string]uint32 {
	rows := map[string]uint32{}
	for _, l := range f.Lanes {
		if l.ID != id {
			continue
		}
		paths := make([]string, len(l.Nodes))
		for i, n := range l.Nodes[1:] {
			paths[i+1] = strings.TrimPrefix(paths[n.Parent]+"/"+f.Zones[n.Zone].Name, "/")
			rows[paths[i+1]] = n.Count
		}
	}
	return rows
}

var shadowZone = NewZone("shadow")

func drawScene(ctx *egltest.Context, times int) {
	defer shadowZone.Begin().End()
	for range times {
		s := Begin("pass")
		ctx.Clear(background)
		s.End()
	}
}

func TestZonesOfTheGPU(t *testing.T) {
	withTimers(t, func(t *testing.T, ctx *egltest.Context) {
		gather.Collect(new(gather.Frame))
		drawScene(ctx, 3)
		f := arrived(t)
		lane, err := GPULane()
		if err != nil || lane.ID() == 0 {
			t.Fatalf("got lane %d, %v; want one", lane.ID(), err)
		}
		inner := uint32(3)
		if number := int32(0); ctx.Kind == egltest.ES2 { // Mesa has no timestamps there, other drivers have
			if getQuery(glTimestamp, glQueryCounterBits, &number); number == 0 || renderer(t).caps.version < 30 {
				inner = 0
			}
		}
		got := gpuRows(f, lane.ID())
		if got["GPU shadow"] != 1 || got["GPU shadow/GPU pass"] != inner {
			t.Errorf("GPU: got %v; want shadow once and pass %d times below it", got, inner)
		}
		for _, l := range f.Lanes {
			if l.Device != (l.ID == lane.ID()) {
				t.Errorf("lane %s: got device %v", l.Name, l.Device)
			}
			if l.ID == lane.ID() && l.Nodes[0].Self >= l.End-l.Begin {
				t.Errorf("got %v; want time on the GPU", l.Nodes)
			}
		}
		cpu := gpuRows(f, f.Lanes[0].ID)
		if cpu["shadow"] != 1 || cpu["shadow/pass"] != 3 {
			t.Errorf("CPU: got %v; want shadow once and pass 3 times below it", cpu)
		}
		for _, z := range f.Zones {
			if z.Name == "GPU shadow" && !strings.HasSuffix(z.File, "zone_test.go") {
				t.Errorf("got %s:%d as the place of a zone; want this file", z.File, z.Line)
			}
		}
	})
}

func TestEachContextHasItsLane(t *testing.T) {
	noTimers(t)
	a := egltest.Open(t, egltest.Core, 64, 48)
	first, err := GPULane()
	must.Do(t, err)
	b, err := egltest.New(egltest.Core, 64, 48)
	must.Do(t, err)
	gather.Collect(new(gather.Frame))
	second, err := GPULane()
	must.Do(t, err)
	drawScene(b, 1)
	a.MakeCurrent()
	drawScene(a, 2)
	f := new(gather.Frame)
	gather.Collect(f)
	for _, ctx := range []*egltest.Context{a, b} {
		ctx.MakeCurrent()
		host.Finish()
		timerOf(currentContext(), false).poll()
	}
	if !measure.Complete(f, false) || first.ID() == second.ID() {
		t.Fatal("got an incomplete frame, or one lane; want a lane for each context")
	}
	if got := gpuRows(f, first.ID()); got["GPU shadow/GPU pass"] != 2 {
		t.Errorf("first: got %v; want 2 passes", got)
	}
	if got := gpuRows(f, second.ID()); got["GPU shadow/GPU pass"] != 1 {
		t.Errorf("second: got %v; want 1 pass", got)
	}
	b.Close()
	a.MakeCurrent()
}

func TestZonesThatEndInAnotherContextAreCounted(t *testing.T) {
	noTimers(t)
	a := egltest.Open(t, egltest.Core, 64, 48)
	drawScene(a, 1)
	open := shadowZone.Begin()
	b, err := egltest.New(egltest.Core, 64, 48)
	must.Do(t, err)
	open.End()
	b.Close()
	a.MakeCurrent()
	before := droppedForeign()
	drawScene(a, 1)
	if got := droppedForeign() - before; got == 0 {
		t.Error("got nothing dropped; want the zones that were under way")
	}
	if got := gpuRows(arrived(t), timers.list[0].lane.ID()); got["GPU shadow"] == 0 {
		t.Errorf("got %v; want later zones measured", got)
	}
}

func droppedForeign() uint64 {
	var f gather.Frame
	measure.Peek(&f)
	return f.Dropped.Foreign
}

func TestDriversWithLess(t *testing.T) {
	for name, c := range map[string]struct {
		hook func(*timer)
		want map[string]uint32
		lane string
	}{
		"no timestamps": {func(w *timer) { w.kind = timerElapsed }, map[string]uint32{"GPU shadow": 1},
			"GPU (outermost zones only)"},
		"few bits": {func(w *timer) { w.bits = 36 }, map[string]uint32{"GPU shadow": 1, "GPU shadow/GPU pass": 2},
			"GPU"},
	} {
		t.Run(name, func(t *testing.T) {
			noTimers(t)
			ctx := egltest.Open(t, egltest.Core, 64, 48)
			timerHook = c.hook
			gather.Collect(new(gather.Frame))
			drawScene(ctx, 2)
			f := arrived(t)
			got := gpuRows(f, timers.list[0].lane.ID())
			if len(got) != len(c.want) || got["GPU shadow/GPU pass"] != c.want["GPU shadow/GPU pass"] {
				t.Errorf("got %v; want %v", got, c.want)
			}
			for _, l := range f.Lanes {
				if l.Device && l.Name != c.lane {
					t.Errorf("got lane %q; want %q", l.Name, c.lane)
				}
			}
			noError(t, "GPU zones")
		})
	}
	t.Run("no queries", func(t *testing.T) {
		noTimers(t)
		w := &timer{out: new(timerOut)}
		w.choose(&capabilities{version: 21})
		if w.kind != timerNone || w.why == nil || strings.Contains(w.why.Error(), "\n") {
			t.Errorf("got kind %d, %v; want none, and why in one line", w.kind, w.why)
		}
	})
}

func TestWrongTimesAreDroppedAndCounted(t *testing.T) {
	noTimers(t)
	ctx := egltest.Open(t, egltest.ES3, 64, 48)
	if _, err := GPULane(); err != nil {
		t.Skip(err)
	}
	drawScene(ctx, 1)
	arrived(t)
	flagged, was := true, disjoint
	disjoint = func(*timerOut) bool { defer func() { flagged = false }(); return flagged }
	defer func() { disjoint = was }()
	drawScene(ctx, 2)
	drawScene(ctx, 2)
	before := droppedForeign()
	if got := gpuRows(arrived(t), timers.list[0].lane.ID()); len(got) != 0 {
		t.Errorf("got %v; want nothing of what was under way", got)
	}
	if got := droppedForeign() - before; got != 6 {
		t.Errorf("got %d dropped; want 6", got)
	}
	drawScene(ctx, 1)
	if got := gpuRows(arrived(t), timers.list[0].lane.ID()); got["GPU shadow"] != 1 {
		t.Errorf("got %v; want the next zone measured", got)
	}
}

// A thousand zones a frame, of which the driver tells nothing for four frames, are all measured.
func TestManyZonesUnderWay(t *testing.T) {
	noTimers(t)
	ctx := egltest.Open(t, egltest.Core, 64, 48)
	gather.Collect(new(gather.Frame))
	before := droppedForeign()
	for range 4 {
		drawScene(ctx, 999)
	}
	got := gpuRows(arrived(t), timers.list[0].lane.ID())
	if got["GPU shadow"] != 4 || got["GPU shadow/GPU pass"] != 3996 || droppedForeign() != before {
		t.Errorf("got %v, %d dropped; want 4 and 3996, none", got, droppedForeign()-before)
	}
	for range 6 {
		drawScene(ctx, 999)
	}
}

func TestZonesOfTheGPUChangeNoStateAndDoNotAllocate(t *testing.T) {
	withTimers(t, func(t *testing.T, ctx *egltest.Context) {
		c := renderer(t).caps
		h := newOddHost(ctx, c)
		h.set()
		before := take(t, c)
		drawZones := func() {
			defer shadowZone.Begin().End()
			Begin("pass").End()
		}
		for range 300 {
			drawZones()
		}
		for _, difference := range before.compare(t, take(t, c)) {
			t.Errorf("%v: %s", ctx.Kind, difference)
		}
		if got := allocstest.PerRun(50, drawZones); got != 0 && platform.Assembly {
			t.Errorf("got %g allocations; want none", got)
		}
	})
}

// The profiler's own drawing is a zone of the GPU where the program has such zones, and only there.
func TestOwnDrawingIsAZoneOfTheGPU(t *testing.T) {
	withTimers(t, func(t *testing.T, ctx *egltest.Context) {
		gather.Collect(new(gather.Frame))
		must.Do(t, overlay(&corner{}))
		if got := gpuRows(arrived(t), timers.list[0].lane.ID()); got["GPU iprof draw"] != 1 {
			t.Errorf("got %v; want the profiler's drawing", got)
		}
		noTimers(t)
		must.Do(t, overlay(&corner{}))
		if len(timers.list) != 0 {
			t.Error("got a lane from the overlay alone; want none")
		}
	})
}

// BenchmarkGPUZone compares a zone of the GPU with the two glQueryCounter in it. Each 100 of them are a frame whose
// times are awaited outside the measurement.
func BenchmarkGPUZone(b *testing.B) {
	zone := NewZone("bench")
	ids := new([2]uint32)
	for name, do := range map[string]func(){
		"glQueryCounter": func() {
			queryCounter(ids[0], glTimestamp)
			queryCounter(ids[1], glTimestamp)
		},
		"zone": func() {
			defer zone.Begin().End()
		},
	} {
		b.Run(name, func(b *testing.B) {
			timers.list, timers.made = nil, 0
			egltest.Open(b, egltest.Core, 64, 48)
			if _, err := GPULane(); err != nil {
				b.Skip(err)
			}
			genQueries(ids)
			do()
			frame := new(gather.Frame)
			b.ReportAllocs()
			b.ResetTimer()
			for i := range b.N {
				if do(); i%100 == 99 {
					b.StopTimer()
					host.Finish()
					gather.Collect(frame)
					measure.Complete(frame, true)
					b.StartTimer()
				}
			}
		})
	}
}

// swap stands for the exchange of the buffers: the program waits there for the GPU, or for the display.
var swap = gather.Zone{Name: "swap", Idle: true}

var (
	gameZone  = gather.Zone{Name: "game"}
	heavyZone = NewZone("heavy")
)

// A program to draw with: a triangle over everything, whose pixels take long.
const (
	everywhere = `#version 330 core
void main() { gl_Position = vec4(gl_VertexID == 1 ? 3 : -1, gl_VertexID == 2 ? 3 : -1, 0, 1); }` + "\x00"
	slowly = `#version 330 core
out vec4 color;
void main() {
	float x = gl_FragCoord.x;
	for (int i = 0; i < 2000; i++) x = fract(x * 1.7 + 0.3);
	color = vec4(x);
}` + "\x00"
)

// preparePass makes the program that drawPass needs.
func preparePass(t *testing.T) {
	p := host.CreateProgram()
	for kind, text := range map[uint32]string{host.VERTEX_SHADER: everywhere, host.FRAGMENT_SHADER: slowly} {
		shader := host.CreateShader(kind)
		source, free := host.Strs(text)
		host.ShaderSource(shader, 1, source, nil)
		free()
		host.CompileShader(shader)
		host.AttachShader(p, shader)
	}
	host.LinkProgram(p)
	var array uint32
	host.GenVertexArrays(1, &array)
	host.BindVertexArray(array)
	host.UseProgram(p)
	noError(t, "the pass")
}

// drawPass is work for the GPU: one that takes the CPU next to nothing.
func drawPass(times int) {
	defer heavyZone.Begin().End()
	for range times {
		host.DrawArrays(host.TRIANGLES, 0, 3)
	}
}

// passesOf returns the number of passes that take the GPU so long.
func passesOf(d time.Duration) int {
	for times := 1; ; times *= 2 {
		least := time.Hour
		for range 3 { // the first compiles, and others may have the processor
			begin := time.Now()
			drawPass(times)
			host.Finish()
			least = min(least, time.Since(begin))
		}
		if least > d || times > 1<<14 {
			return times
		}
	}
}

// playFrame is a frame of a game: some passes, the swap.
func playFrame(s *process.Session, passes int, display time.Duration) {
	game := gameZone.Begin()
	drawPass(passes)
	game.End()
	wait := swap.Begin()
	host.Finish()
	time.Sleep(display)
	wait.End()
	s.Update()
}

// slowest returns the age of the longest frame of the last ones.
func slowest(s *process.Session) (age int) {
	frames, most := s.AppendFrames(nil, 8), float32(0)
	for i := range frames {
		if frames[i].Length > most {
			age, most = len(frames)-1-i, frames[i].Length
		}
	}
	return age
}

// A frame that is slow only on the GPU, and one that waits for the display, with the times of a real driver. The
// machine may be busy with other things, so each may try some times: the words must be right once.
func TestVerdictOnRealTimesOfTheGPU(t *testing.T) {
	const tries, slow = 5, 150 * time.Millisecond
	for name, c := range map[string]struct {
		gpu     bool
		verdict string
		bound   report.Bound
	}{
		"only the GPU": {true, "The GPU worked longer: GPU heavy ", report.BoundGPU},
		"the display":  {false, "The program chose to wait: swap ", report.BoundDisplay},
	} {
		t.Run(name, func(t *testing.T) {
			noTimers(t)
			egltest.Open(t, egltest.Core, 64, 48)
			if _, err := GPULane(); err != nil {
				t.Skip(err)
			}
			s := process.Default()
			s.Reset()
			t.Cleanup(s.Reset)
			preparePass(t)
			many, display := passesOf(slow), time.Millisecond
			said := ""
			for range tries {
				for range 48 {
					playFrame(s, 1, display)
				}
				if c.gpu {
					playFrame(s, many, display)
				} else {
					playFrame(s, 1, slow)
				}
				for range 3 { // the times of the GPU arrive
					playFrame(s, 1, display)
				}
				var v report.Verdict
				age := slowest(s)
				s.VerdictOf(&v, age)
				s.View().SetAverage(report.AverageInstant)
				s.Pause()
				s.View().SetFrame(age)
				i := s.View().Info()
				s.Resume()
				said = v.String() + " " + i.Bound().String()
				if strings.Contains(v.String(), c.verdict) && i.Bound() == c.bound {
					t.Log(said)
					return
				}
			}
			t.Errorf("got %q; want %q and %v", said, c.verdict, c.bound)
		})
	}
}
