// Package replay makes frames of an invented program for tests and pictures. The frames depend on the seed only, and
// have spikes at known indexes. Package sampledump has dumps of sessions with these frames.
//
//	r := replay.New(1, session)
//	for range 60 {
//		r.Step()
//	}
package replay

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Replay writes one frame after another into a session. Frame n depends on the seed and on n only. Use it from one
// goroutine.
type Replay struct {
	session *process.Session
	seed    uint64
	next    uint64
	clock   platform.Ticks
	frame   gather.Frame
	events  events
}

// rate is the ticks per second of the replayed clock.
const rate = 1e9

// New starts a replay that writes into the session. nil means the default session.
func New(seed uint64, s *process.Session) *Replay {
	if s == nil {
		s = process.Default()
	}
	r := &Replay{session: s, seed: seed}
	r.frame.TicksPerSecond = rate
	r.frame.ScopeCost = 45 * 1024
	for _, p := range append(append([]part(nil), program...), loader[1:]...) {
		r.frame.Zones = append(r.frame.Zones, zoneInfo(p, len(r.frame.Zones)))
	}
	r.frame.Lanes = []gather.LaneFrame{
		{ID: 1, Name: "main", Updater: true, Nodes: nodes(program, 0)},
		{ID: 2, Name: "loader", Nodes: nodes(loader, report.ZoneID(len(program)-1))},
	}
	s.SetSources(func(c *process.Sources) { c.Events = &r.events })
	return r
}

func zoneInfo(p part, id int) gather.ZoneInfo {
	if id == 0 {
		return gather.ZoneInfo{Name: "(root)"}
	}
	return gather.ZoneInfo{Name: p.name, Function: "engine." + p.name, File: "engine/" + p.name + ".go", Line: 10 + id,
		Idle: p.idle}
}

// nodes returns the nodes of a tree. Zone ids continue after the given one, except the root's.
func nodes(parts []part, after report.ZoneID) []gather.Node {
	n := make([]gather.Node, len(parts))
	var path [8]int32
	for i, p := range parts {
		path[p.level] = int32(i)
		n[i] = gather.Node{ID: gather.NodeID(i), Zone: after + report.ZoneID(i), Parent: -1}
		if p.level > 0 {
			n[i].Parent = path[p.level-1]
		} else {
			n[i].Zone, n[i].Open = 0, true
		}
	}
	return n
}

// Step writes the next frame.
func (r *Replay) Step() error { return r.session.WriteFrame(r.Frame()) }

// Frame makes the next frame without writing it. The result is valid until the next call.
func (r *Replay) Frame() *gather.Frame {
	random := rand.New(rand.NewPCG(r.seed, r.next))
	r.frame.Index, r.frame.Begin = r.next, r.clock
	r.fill(&r.frame.Lanes[0], program, random)
	r.clock += r.frame.Lanes[0].End - r.frame.Lanes[0].Begin
	r.frame.End = r.clock
	r.fill(&r.frame.Lanes[1], loader, random)
	r.rest(&r.frame.Lanes[1])
	r.remember(random)
	r.events.keep(&r.frame)
	r.next++
	return &r.frame
}

// fill sets the time and count of every node of a lane in this frame.
func (r *Replay) fill(lane *gather.LaneFrame, parts []part, random *rand.Rand) {
	lane.Begin, lane.End = r.frame.Begin, r.frame.Begin
	for i, p := range parts {
		slow := math.Sin(float64(r.next)/43+float64(i)) + 0.5*math.Sin(float64(r.next)/17+2*float64(i))
		ms := p.self*(1+p.sway*0.4*slow+0.06*(random.Float64()-0.5)) + extra(p.name, r.next)
		n := &lane.Nodes[i]
		n.Self, n.Count = platform.Ticks(ms*rate/1000), p.count
		lane.End += n.Self
	}
}

// rest adds the remaining time of the frame to the lane's root, as waiting.
func (r *Replay) rest(lane *gather.LaneFrame) {
	lane.Nodes[0].Self += r.frame.End - lane.End
	lane.End = r.frame.End
}

// remember sets the heap's numbers: a saw-tooth with a collection every 50 frames.
func (r *Replay) remember(random *rand.Rand) {
	m := &r.frame.Memory
	*m = gather.MemoryFrame{
		AllocBytes:   180<<10 + uint64(random.IntN(90<<10)),
		AllocObjects: 2100 + uint64(random.IntN(700)),
		HeapLive:     48<<20 + r.next%50*220<<10,
	}
	if r.next%50 == 49 {
		m.Cycles, m.Pause = 1, time.Duration(70+random.IntN(60))*time.Microsecond
	}
}
