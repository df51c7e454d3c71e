package capture_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
)

// program makes random frames: lanes come and go, zones and counters appear, ids of nodes are used again for other
// stacks.
type program struct {
	random *rand.Rand
	frame  gather.Frame
	lanes  []*randomLane
	freed  []gather.NodeID
	nextID gather.NodeID
	nextLn gather.LaneID
}

type randomLane struct {
	id    gather.LaneID
	name  string
	nodes []gather.Node // all that it ever had
}

func newProgram(seed uint64) *program {
	p := &program{random: rand.New(rand.NewPCG(seed, 1))}
	p.frame.Zones = []gather.ZoneInfo{{Name: "(root)"}}
	p.frame.TicksPerSecond = 2.6e9
	p.frame.Clock = measure.Clock{Source: measure.ClockGo, Why: "the kernel keeps time by hpet", Reading: 41}
	return p
}

// next makes the next frame. It stays as it is: nothing of it is used again.
func (p *program) next() *gather.Frame {
	r := p.random
	for len(p.lanes) < 1+r.IntN(4) {
		p.nextLn++
		l := &randomLane{id: p.nextLn, name: fmt.Sprintf("läne \x00%d", p.nextLn)}
		l.nodes = append(l.nodes, gather.Node{ID: p.id(), Parent: -1})
		p.lanes = append(p.lanes, l)
	}
	if r.IntN(20) == 0 {
		p.end(r.IntN(len(p.lanes)))
	}
	f := &p.frame
	f.Index++
	f.Begin = f.End
	f.End += platform.Ticks(r.IntN(40_000_000))
	f.Label = []string{"", "a level"}[r.IntN(2)]
	f.Memory = gather.MemoryFrame{AllocBytes: r.Uint64N(1e6), Cycles: uint32(r.IntN(3)),
		Pause: time.Duration(r.IntN(1e6)), Mode: 2}
	f.Misuse.ExtraEnd += r.Uint64N(2)
	f.Misuse.Notes = []string{fmt.Sprint("note ", f.Misuse.ExtraEnd)}
	if r.IntN(10) == 0 {
		f.Counters = append(slices.Clip(f.Counters),
			gather.CounterInfo{Name: fmt.Sprint("counter", len(f.Counters)), Level: r.IntN(2) == 0})
	}
	f.Values = nil
	for i := range f.Counters {
		f.Values = append(f.Values, gather.CounterValue{Counter: int32(i), Value: r.NormFloat64()})
	}
	f.Dropped.States += r.Uint64N(2)
	f.Marks = nil
	for range max(r.IntN(6)-3, 0) {
		f.Dropped.Marks += r.Uint64N(2)
		f.Marks = append(f.Marks, gather.MarkInfo{Time: f.Begin + platform.Ticks(r.IntN(1000)),
			Lane: gather.LaneID(r.IntN(3)), Text: []string{"", "mark\x00\xff", "level loaded"}[r.IntN(3)]})
	}
	f.Lanes = nil
	for _, l := range p.lanes {
		f.Lanes = append(f.Lanes, p.lane(l))
	}
	copied := *f
	return &copied
}

func (p *program) id() gather.NodeID {
	if n := len(p.freed); n > 0 && p.random.IntN(2) == 0 {
		id := p.freed[n-1]
		p.freed = p.freed[:n-1]
		return id
	}
	p.nextID++
	return p.nextID - 1
}

func (p *program) end(i int) {
	for _, n := range p.lanes[i].nodes {
		p.freed = append(p.freed, n.ID)
	}
	p.lanes = slices.Delete(p.lanes, i, i+1)
}

// lane makes a lane's part: some new nodes, and a part of the old ones with their ancestors.
func (p *program) lane(l *randomLane) gather.LaneFrame {
	r := p.random
	for range min(r.IntN(3), 40-len(l.nodes)) {
		zone := r.IntN(len(p.frame.Zones) + 1)
		if zone == len(p.frame.Zones) {
			info := gather.ZoneInfo{Name: fmt.Sprint("zone", zone), File: "/a/b.go", Line: zone, Public: zone%2 == 0,
				Idle: zone%7 == 0, Blocked: zone%14 == 0, Computes: zone%14 == 3}
			p.frame.Zones = append(slices.Clip(p.frame.Zones), info)
		}
		parent := int32(r.IntN(len(l.nodes)))
		l.nodes = append(l.nodes, gather.Node{ID: p.id(), Zone: gather.ZoneID(zone), Parent: parent,
			Depth: int32(r.IntN(3))})
	}
	in := make([]bool, len(l.nodes))
	in[0] = true
	for i := len(in) - 1; i > 0; i-- {
		in[i] = in[i] || r.IntN(3) > 0
		if in[i] {
			in[l.nodes[i].Parent] = true
		}
	}
	part := gather.LaneFrame{ID: l.id, Name: l.name, Updater: l.id == 1, Begin: p.frame.Begin, End: p.frame.End,
		Untimed: r.Uint64N(2)}
	place := make([]int32, len(in))
	for i, n := range l.nodes {
		if !in[i] {
			continue
		}
		place[i] = int32(len(part.Nodes))
		if n.Parent >= 0 {
			n.Parent = place[n.Parent]
		}
		n.Self, n.Count, n.Open = platform.Ticks(r.IntN(1e6)-5), uint32(r.IntN(3)), r.IntN(5) == 0
		n.Estimated = gather.Estimated(r.IntN(2))
		part.Nodes = append(part.Nodes, n)
		if r.IntN(4) == 0 {
			part.Extras = append(part.Extras, gather.NodeExtra{
				Node: place[i], Errors: uint64(r.IntN(2)), AllocBytes: r.Uint64(), Units: r.Uint64N(9),
				Variance: r.Float64(),
			})
		}
	}
	return part
}
