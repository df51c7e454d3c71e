//go:build !iprof_off

package planted

import (
	"io"
	"sync/atomic"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// Game is a program with zones that runs in simulated time. A sink writes its frames to a file, with what a real
// machine and an execution trace would add.
type Game struct {
	now   atomic.Int64 // µs
	ran   int64        // µs for which goroutines ran in the frame
	out   *framefile.Writer
	index uint64 // of the last frame
	loop  *gather.Lane
	gpu   *gather.ForeignLane

	ask    chan func() // calls on the goroutine of the loader
	done   chan gather.LaneID
	Loader gather.LaneID // of its other goroutine

	traced bool
	states []gather.LaneState
	extra  func(f *gather.Frame)
}

// MS is a millisecond in µs.
const MS = 1000

var shadow = gather.Zone{Name: "GPU shadow"}

// Play plays a game of 120 frames, one of them with a hitch, into a file of a capture. It returns the index of that
// frame, and the file's error. It uses the program's own session, so one call at a time.
func Play(file io.Writer, h *Hitch, traced bool) (slow uint64, err error) {
	err = Run(file, traced, func(i int, g *Game, p *Turn) {
		if i == 100 {
			h.Plant(g, p)
			slow = g.index + 1
		}
	})
	return slow, err
}

// Run is Play with a function that changes what the frames 0 to 119 of the game do.
func Run(file io.Writer, traced bool, change func(i int, g *Game, p *Turn)) error {
	s := process.Default()
	s.Reset()
	g := &Game{out: framefile.NewWriter(file, framefile.Info{Program: "game"}), traced: traced,
		ask: make(chan func()), done: make(chan gather.LaneID)}
	platform.SetClock(g.now.Load, 1e6)
	gather.SetEvents(4096)
	g.loop, g.gpu = gather.Register("main"), gather.NewForeignLane("GPU", 1e6)
	g.gpu.Calibrate(int64(platform.Now()), platform.Now())
	go g.load()
	g.Loader = <-g.done
	s.Update()
	remove := s.AddSink(g)
	for i := range 120 {
		p := Turn{Calls: 4, Render: 4 * MS, Decode: 3 * MS, Shadow: 3 * MS, Present: 2*MS + int64(i%5)*50}
		change(i, g, &p)
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
	return g.out.Close()
}

// Turn is what a frame does.
type Turn struct {
	Calls                           int   // of the zone pathfind
	Render, Decode, Shadow, Present int64 // times of these zones, in µs

	Spawn, Level func()                // called within the zones of these names; nil: nothing
	Extra        func(f *gather.Frame) // changes the frame that is written; nil: nothing
}

func (g *Game) frame(p *Turn) {
	issued := platform.Now()
	g.gpu.Add([]gather.ForeignScope{{Zone: &shadow, Begin: int64(issued), End: int64(issued) + p.Shadow,
		Issued: issued}})
	g.extra = p.Extra
	g.update(p)
	g.join(p.Decode)
	g.render(p.Render)
	g.present(p.Present)
	iprof.Update()
}

// WriteFrame is WriteJudged of a frame without a judgement.
func (g *Game) WriteFrame(f *gather.Frame) error { return g.WriteJudged(f, &process.Judged{}) }

// WriteJudged writes a frame with what a real machine and a trace would add.
func (g *Game) WriteJudged(f *gather.Frame, j *process.Judged) error {
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

// Work runs for some µs.
func (g *Game) Work(us int64) {
	g.now.Add(us)
	g.ran += us
}

// Stand does not run for some µs. Only a trace knows the state.
func (g *Game) Stand(us int64, q gather.LaneState) {
	begin := platform.Now()
	g.now.Add(us)
	g.state(begin, q)
}

func (g *Game) state(begin platform.Ticks, q gather.LaneState) {
	q.Lane, q.Begin, q.End = g.loop.ID(), begin, platform.Now()
	g.states = append(g.states, q)
}

// load is the loader's goroutine.
func (g *Game) load() {
	lane := gather.Register("loader")
	g.done <- lane.ID()
	for do := range g.ask {
		do()
		g.done <- lane.ID()
	}
	lane.Close()
	close(g.done)
}

func (g *Game) decode(us int64) {
	defer iprof.Begin("decode").End()
	g.Work(us)
}

func (g *Game) update(p *Turn) {
	defer iprof.Begin("update").End()
	g.Work(2 * MS)
	for range p.Calls {
		g.pathfind()
	}
	g.spawn(p)
	if p.Level != nil {
		g.level(p)
	}
}

func (g *Game) pathfind() {
	defer iprof.Begin("pathfind").End()
	g.Work(300)
}

func (g *Game) spawn(p *Turn) {
	defer iprof.Begin("spawn").End()
	g.Work(MS)
	if p.Spawn != nil {
		p.Spawn()
	}
}

func (g *Game) level(p *Turn) {
	defer iprof.Begin("level").End()
	p.Level()
}

// join waits for the loader.
func (g *Game) join(us int64) {
	defer iprof.Begin("join").End()
	begin := platform.Now()
	g.ask <- func() { g.decode(us) }
	<-g.done
	g.state(begin, gather.LaneState{Kind: gather.StateWaiting, Reason: "chan receive", Waker: g.Loader,
		Place: "game.go:1", At: place((*Game).decode)})
}

func (g *Game) render(us int64) {
	defer iprof.Begin("render").End()
	g.Work(us)
}

func (g *Game) present(us int64) {
	defer iprof.Wait("present").End()
	g.now.Add(us)
}
