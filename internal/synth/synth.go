// Package synth makes the frames of random programs, for tests of the verdicts on slow frames. A frame has a planted
// fault on request. Equal seeds give equal frames. The package reads no clock.
//
//	p := synth.New(1)
//	for range 200 {
//		session.WriteFrame(p.Frame())
//	}
//	planted := p.Plant(synth.Longer)
//	session.WriteFrame(p.Frame())
//
// A program is a tree of zones on the lane that ends the frames, and smaller trees on worker lanes that it waits for.
// About half of the programs also wait for a display of 60 frames a second. Times have the noise of real programs:
// each zone has its own jitter with a heavy tail, zones of a subsystem share a slow drift, numbers of calls vary, and
// small collector pauses occur now and then.
//
// Package replay has one program for pictures and texts, which must not change. Here each seed is another program, so
// that a verdict cannot be right by chance.
package synth

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// Rate is the clock's ticks per second.
const Rate = 1e9

// display is the time between two pictures of a display, in ms.
const display = 1000.0 / 60

// Program makes frames. Use it from one goroutine.
type Program struct {
	random  *rand.Rand
	main    []part
	workers [][]part
	vsync   bool
	join    int     // index of the zone that waits for workers
	wait    int     // index of the zone that waits for the display
	usual   float64 // length of a frame without noise, in ms
	drift   [subsystems]float64
	next    uint64
	clock   platform.Ticks
	frame   gather.Frame
	plant   *Planted
	fresh   int // number of zones made for new paths
}

// part is a node of a lane: a zone on one stack.
type part struct {
	zone      gather.ZoneID
	up        int32
	system    int
	self      float64 // usual ms a frame
	count     float64 // usual entries a frame
	jitter    float64 // standard deviation of the logarithm
	idle      bool
	level     int
	now       float64 // ms in this frame
	calls     float64
	transient bool // part of a new path, which exists in one frame only
}

const subsystems = 5

// New makes a program.
func New(seed uint64) *Program {
	p := &Program{random: rand.New(rand.NewPCG(seed, 7))}
	p.frame.TicksPerSecond = Rate
	p.zone("(root)", false)
	p.vsync = p.random.IntN(2) == 0
	busy := 5 + 5*p.random.Float64()
	if p.vsync {
		busy /= 2
	}
	p.main = p.tree("", 25+p.random.IntN(40), busy)
	p.join = p.idle("wait for workers", 0.2+0.5*p.random.Float64())
	if p.vsync {
		p.wait = p.idle("vsync", 0)
	}
	for range 1 + p.random.IntN(3) {
		p.workers = append(p.workers, p.tree("worker ", 5+p.random.IntN(10), busy*(0.3+0.4*p.random.Float64())))
	}
	p.frame.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true}}
	for i := range p.workers {
		name := "worker " + strconv.Itoa(i+1)
		p.frame.Lanes = append(p.frame.Lanes, gather.LaneFrame{ID: gather.LaneID(i + 2), Name: name})
	}
	p.usual = busy + p.main[p.join].self
	if p.vsync {
		p.usual = display
	}
	return p
}

// zone makes a zone and returns its id.
func (p *Program) zone(name string, idle bool) gather.ZoneID {
	id := len(p.frame.Zones)
	p.frame.Zones = append(p.frame.Zones, gather.ZoneInfo{Name: name, Function: "main.f" + strconv.Itoa(id),
		File: "main.go", Line: id, Idle: idle})
	return gather.ZoneID(id)
}

// idle adds a waiting zone below the root.
func (p *Program) idle(name string, ms float64) int {
	p.main = append(p.main, part{zone: p.zone(name, true), self: ms, count: 1, jitter: 0.2, idle: true, level: 1})
	return len(p.main) - 1
}

// tree makes a lane's nodes, which take ms milliseconds together. A few zones take most of the time, as in real
// programs.
func (p *Program) tree(prefix string, nodes int, ms float64) []part {
	r := p.random
	t := []part{{up: -1, self: 0.02, jitter: 0.1}}
	sum := 0.0
	for i := 1; i < nodes; i++ {
		up := 0
		if i > 1 && r.IntN(8) > 0 {
			up = 1 + r.IntN(i-1)
		}
		n := part{zone: p.zone(prefix+"zone "+strconv.Itoa(i), false), up: int32(up), level: t[up].level + 1,
			system: r.IntN(subsystems)}
		if up > 0 && r.IntN(4) > 0 {
			n.system = t[up].system
		}
		n.self = math.Exp(1.3 * r.NormFloat64())
		n.count = math.Ceil(math.Exp(2 * r.Float64() * float64(n.level)))
		n.jitter = 0.03 + 0.15*r.Float64()
		sum += n.self
		t = append(t, n)
	}
	for i := range t[1:] {
		t[i+1].self *= ms / sum
	}
	return t
}

// Frame makes the next frame. The result is valid until the next call.
func (p *Program) Frame() *gather.Frame {
	f := &p.frame
	p.sway()
	m := &f.Memory
	*m = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 1 << 18, HeapLive: 32 << 20}
	if p.random.IntN(40) == 0 {
		m.Cycles, m.Pause = 1, time.Duration(50+p.random.IntN(150))*time.Microsecond
	}
	p.run(p.main)
	if p.plant != nil {
		p.harm(m)
	}
	length := p.waitForDisplay()
	f.Index, f.Begin, f.End = p.next, p.clock, p.clock+ticks(length)
	p.lane(0, p.main)
	for i, w := range p.workers {
		p.run(w)
		w[0].now = max(0, length-sum(w[1:]))
		p.lane(i+1, w)
	}
	p.clock = f.End
	p.next++
	p.heal()
	return f
}

// sway advances the slow drift.
func (p *Program) sway() {
	for i := range p.drift {
		p.drift[i] = 0.98*p.drift[i] + 0.2*0.05*p.random.NormFloat64()
	}
}

// run sets this frame's times and counts of a lane's nodes, with noise.
func (p *Program) run(t []part) {
	r := p.random
	busier := math.Exp(0.05 * r.NormFloat64())
	for i := range t {
		n := &t[i]
		x := math.Exp(n.jitter*r.NormFloat64() + p.drift[n.system])
		if r.IntN(200) == 0 { // a Pareto tail
			x *= 1 + 0.2*(math.Pow(1-r.Float64(), -1/2.5)-1)
		}
		n.calls = n.count
		if n.count > 3 {
			n.calls = math.Max(1, math.Round(n.count*busier*math.Exp(0.1*r.NormFloat64())))
		}
		n.now = n.self * x * (1 + 0.3*(n.calls/math.Max(n.count, 1)-1))
	}
}

// waitForDisplay sets the time of the wait for the display, and returns the frame's length in ms.
func (p *Program) waitForDisplay() float64 {
	if !p.vsync {
		return sum(p.main)
	}
	p.main[p.wait].now = 0
	busy := sum(p.main)
	length := math.Ceil((busy+0.2)/display) * display
	p.main[p.wait].now = length - busy
	return length
}

func sum(t []part) (ms float64) {
	for i := range t {
		ms += t[i].now
	}
	return ms
}

// lane fills a lane of the frame.
func (p *Program) lane(at int, t []part) {
	l := &p.frame.Lanes[at]
	l.Begin, l.End, l.Nodes = p.frame.Begin, p.frame.End, l.Nodes[:0]
	for i := range t {
		n := &t[i]
		l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(at<<12 + i), Zone: n.zone, Parent: n.up,
			Self: ticks(n.now), Count: uint32(n.calls), Open: i == 0})
	}
}

func ticks(ms float64) platform.Ticks { return platform.Ticks(ms * Rate / 1000) }
