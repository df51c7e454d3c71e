//go:build !iprof_off

package desk_test

import (
	"os"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// game is a program with zones that runs in simulated time. A sink writes its frames to a file, with what a real
// machine and an execution trace would add.
type game struct {
	now   atomic.Int64 // µs
	ran   int64        // µs for which goroutines ran in the frame
	out   *framefile.Writer
	index uint64 // of the last frame
	loop  *gather.Lane
	gpu   *gather.ForeignLane

	ask    chan func() // calls on the goroutine of the loader
	done   chan gather.LaneID
	loader gather.LaneID

	traced bool
	states []gather.LaneState
	extra  func(f *gather.Frame)
}

// ms is a number of µs.
const ms = 1000

var shadow = gather.Zone{Name: "GPU shadow"}

// play plays a game of 120 frames, one of them with a hitch, into a file. It returns the number of that frame.
func play(t *testing.T, path string, h *hitch, traced bool) (slow uint64) {
	file := must.Get(os.Create(path))(t)
	s := process.Default()
	s.Reset()
	g := &game{out: framefile.NewWriter(file, framefile.Info{Program: "game"}), traced: traced,
		ask: make(chan func()), done: make(chan gather.LaneID)}
	platform.SetClock(g.now.Load, 1e6)
	gather.SetEvents(4096)
	g.loop, g.gpu = gather.Register("main"), gather.NewForeignLane("GPU", 1e6)
	g.gpu.Calibrate(int64(platform.Now()), platform.Now())
	go g.load()
	g.loader = <-g.done
	s.Update()
	remove := s.AddSink(g)
	for i := range 120 {
		p := turn{calls: 4, render: 4 * ms, decode: 3 * ms, shadow: 3 * ms, present: 2*ms + int64(i%5)*50}
		if i == 100 {
			h.plant(g, &p)
			slow = g.index + 1
		}
		g.frame(&p)
	}
	remove()
	close(g.ask)
	<-g.done
	g.gpu.Close()
	g.loop.Close()
	gather.SetEvents(0)
	platform.SetClock(nil, 0)
	s.Update()
	s.Reset()
	must.Do(t, g.out.Close())
	must.Do(t, file.Close())
	return slow
}

// turn is what a frame does, in µs.
type turn struct {
	calls, render, decode, shadow, present int64

	spawn, level func()
	extra        func(f *gather.Frame)
}

func (g *game) frame(p *turn) {
	issued := platform.Now()
	g.gpu.Add([]gather.ForeignScope{{Zone: &shadow, Begin: int64(issued), End: int64(issued) + p.shadow,
		Issued: issued}})
	g.extra = p.extra
	g.update(p)
	g.join(p.decode)
	g.render(p.render)
	g.present(p.present)
	iprof.Update()
}

func (g *game) WriteFrame(f *gather.Frame) error { return g.WriteJudged(f, &process.Judged{}) }

func (g *game) WriteJudged(f *gather.Frame, j *process.Judged) error {
	of := *f
	g.index = f.Index
	of.Memory, of.Away = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 2e5}, gather.Away{}
	of.CPU, of.States = time.Duration(g.ran)*time.Microsecond, nil
	if g.traced { // the goroutine was ready to run at first
		of.States = append(g.states, gather.LaneState{Lane: g.loop.ID(), Kind: gather.StateRunnable, Begin: f.Begin,
			End: f.Begin + 10})
	}
	if g.extra != nil {
		g.extra(&of)
	}
	g.ran, g.states, g.extra = 0, nil, nil
	return g.out.WriteJudged(&of, j)
}

// work runs for some µs.
func (g *game) work(us int64) {
	g.now.Add(us)
	g.ran += us
}

// stand does not run for some µs. Only a trace knows the state.
func (g *game) stand(us int64, q gather.LaneState) {
	begin := platform.Now()
	g.now.Add(us)
	g.state(begin, q)
}

func (g *game) state(begin platform.Ticks, q gather.LaneState) {
	q.Lane, q.Begin, q.End = g.loop.ID(), begin, platform.Now()
	g.states = append(g.states, q)
}

// load is the loader's goroutine.
func (g *game) load() {
	lane := gather.Register("loader")
	g.done <- lane.ID()
	for do := range g.ask {
		do()
		g.done <- lane.ID()
	}
	lane.Close()
	close(g.done)
}

func (g *game) decode(us int64) {
	defer iprof.Begin("decode").End()
	g.work(us)
}

func (g *game) update(p *turn) {
	defer iprof.Begin("update").End()
	g.work(2 * ms)
	for range p.calls {
		g.pathfind()
	}
	g.spawn(p)
	if p.level != nil {
		g.level(p)
	}
}

func (g *game) pathfind() {
	defer iprof.Begin("pathfind").End()
	g.work(300)
}

func (g *game) spawn(p *turn) {
	defer iprof.Begin("spawn").End()
	g.work(ms)
	if p.spawn != nil {
		p.spawn()
	}
}

func (g *game) level(p *turn) {
	defer iprof.Begin("level").End()
	p.level()
}

// join waits for the loader.
func (g *game) join(us int64) {
	defer iprof.Begin("join").End()
	begin := platform.Now()
	g.ask <- func() { g.decode(us) }
	<-g.done
	g.state(begin, gather.LaneState{Kind: gather.StateWaiting, Reason: "chan receive", Waker: g.loader,
		Place: "planted_test.go:1", At: place(g.decode)})
}

func (g *game) render(us int64) {
	defer iprof.Begin("render").End()
	g.work(us)
}

func (g *game) present(us int64) {
	defer iprof.Wait("present").End()
	g.now.Add(us)
}
