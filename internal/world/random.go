package world

import (
	"math"
	"math/rand/v2"
	"strconv"
	"time"

	"example.com/iprof/gather"
)

// display is the time between two pictures of a display, in ms.
const display = 1000.0 / 60

// Random is a random program: a tree of zones on the lane that ends the frames, and smaller trees on worker lanes that
// it waits for. About half of the programs also wait for a display of 60 frames a second. Times have the noise of real
// programs: each zone has its own jitter with a heavy tail, zones of a subsystem share a slow drift, numbers of calls
// vary, and small collector pauses occur now and then. Use it from one goroutine.
type Random struct {
	*World
	random  *rand.Rand
	main    []stack
	workers [][]stack
	roots   []*Part // of all lanes
	vsync   bool
	join    int     // index of the zone that waits for workers
	usual   float64 // length of a frame without noise, in ms
	drift   [subsystems]float64
	planted *Planted
	fresh   int // number of zones made for new paths
}

// stack is a zone below others. Its part has the values of this frame.
type stack struct {
	*Part
	up        int // -1: the lane
	level     int
	system    int
	self      float64 // usual ms a frame
	count     float64 // usual entries a frame
	jitter    float64 // standard deviation of the logarithm
	transient bool    // part of a new path, which exists in one frame only
}

const subsystems = 5

// NewRandom makes a program.
func NewRandom(seed uint64) *Random {
	p := &Random{World: New(nil), random: rand.New(rand.NewPCG(seed, 7))}
	p.vsync = p.random.IntN(2) == 0
	busy := 5 + 5*p.random.Float64()
	if p.vsync {
		busy /= 2
	}
	p.main = p.tree("main", "", 25+p.random.IntN(40), busy)
	p.join = p.idle("wait for workers", 0.2+0.5*p.random.Float64())
	if p.vsync {
		p.idle("vsync", 0)
	}
	for i := range 1 + p.random.IntN(3) {
		p.workers = append(p.workers, p.tree("worker "+strconv.Itoa(i+1), "worker ", 5+p.random.IntN(10),
			busy*(0.3+0.4*p.random.Float64())))
	}
	p.usual = busy + p.main[p.join].self
	if p.vsync {
		p.usual = display
	}
	return p
}

// info makes a zone.
func (p *Random) info(name string, idle bool) gather.ZoneInfo {
	id := len(p.Next.Zones)
	info := gather.ZoneInfo{Name: name, Function: "main.f" + strconv.Itoa(id), File: "main.go", Line: id, Idle: idle}
	p.zone(info)
	return info
}

// hang adds a stack to those of a lane.
func hang(t []stack, s stack) []stack {
	up := t[s.up].Part
	up.Inner = append(up.Inner, s.Part)
	return append(t, s)
}

// idle adds a waiting zone below the root.
func (p *Random) idle(name string, ms float64) int {
	p.main = hang(p.main, stack{Part: &Part{Info: p.info(name, true)}, self: ms, count: 1, jitter: 0.2, level: 1})
	return len(p.main) - 1
}

// tree makes a lane's stacks, which take ms milliseconds together. A few zones take most of the time, as in real
// programs.
func (p *Random) tree(lane, prefix string, stacks int, ms float64) []stack {
	r := p.random
	t := []stack{{Part: Lane(lane), up: -1, self: 0.02, jitter: 0.1}}
	p.roots = append(p.roots, t[0].Part)
	sum := 0.0
	for i := 1; i < stacks; i++ {
		up := 0
		if i > 1 && r.IntN(8) > 0 {
			up = 1 + r.IntN(i-1)
		}
		n := stack{Part: &Part{Info: p.info(prefix+"zone "+strconv.Itoa(i), false)}, up: up, level: t[up].level + 1,
			system: r.IntN(subsystems)}
		if up > 0 && r.IntN(4) > 0 {
			n.system = t[up].system
		}
		n.self = math.Exp(1.3 * r.NormFloat64())
		n.count = math.Ceil(math.Exp(2 * r.Float64() * float64(n.level)))
		n.jitter = 0.03 + 0.15*r.Float64()
		sum += n.self
		t = hang(t, n)
	}
	for i := range t[1:] {
		t[i+1].self *= ms / sum
	}
	return t
}

// Frame makes the next frame. The result is valid until the next call.
func (p *Random) Frame() *gather.Frame {
	p.begin()
	for i := range p.drift {
		p.drift[i] = 0.98*p.drift[i] + 0.2*0.05*p.random.NormFloat64()
	}
	m := &p.Next.Memory
	*m = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: 1 << 18, HeapLive: 32 << 20}
	if p.random.IntN(40) == 0 {
		m.Cycles, m.Pause = 1, time.Duration(50+p.random.IntN(150))*time.Microsecond
	}
	p.run(p.main)
	if p.planted != nil {
		p.harm(m)
	}
	p.waitForDisplay()
	for _, w := range p.workers {
		p.run(w)
		w[0].Ms = 0
	}
	f := p.World.Frame(p.roots...)
	p.heal()
	return f
}

// run sets this frame's times and counts of a lane's stacks, with noise.
func (p *Random) run(t []stack) {
	r := p.random
	busier := math.Exp(0.05 * r.NormFloat64())
	for i := range t {
		n := &t[i]
		x := math.Exp(n.jitter*r.NormFloat64() + p.drift[n.system])
		if r.IntN(200) == 0 { // a Pareto tail
			x *= 1 + 0.2*(math.Pow(1-r.Float64(), -1/2.5)-1)
		}
		calls := n.count
		if n.count > 3 {
			calls = math.Max(1, math.Round(n.count*busier*math.Exp(0.1*r.NormFloat64())))
		}
		n.Ms, n.Count = n.self*x*(1+0.3*(calls/math.Max(n.count, 1)-1)), uint32(calls)
	}
}

// waitForDisplay sets the time of the wait for the display, the last zone.
func (p *Random) waitForDisplay() {
	if !p.vsync {
		return
	}
	wait := &p.main[p.join+1]
	wait.Ms = 0
	busy := 0.0
	for i := range p.main {
		busy += p.main[i].Ms
	}
	wait.Ms = math.Ceil((busy+0.2)/display)*display - busy
}
