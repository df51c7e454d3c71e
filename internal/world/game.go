package world

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// row is a zone of the game: its place in the tree, and its values in an ordinary frame.
type row struct {
	name  string
	level int     // parents precede their children; 0: the lane
	self  float64 // ms
	count uint32
	sway  float64 // share of self that swings over seconds
	idle  bool
}

// engine is the tree of the game's main goroutine.
var engine = []row{
	{name: "main", level: 0, self: 0.06},
	{name: "simulate", level: 1, self: 0.10, count: 2, sway: 0.1},
	{name: "physics_solve", level: 2, self: 0.75, count: 8, sway: 0.3},
	{name: "broadphase", level: 3, self: 0.55, count: 8, sway: 0.2},
	{name: "islands", level: 3, self: 0.42, count: 8, sway: 0.3},
	{name: "ccd", level: 3, self: 0.24, count: 24, sway: 0.4},
	{name: "ai_think", level: 2, self: 0.49, count: 64, sway: 0.2},
	{name: "pathfind", level: 3, self: 0.72, count: 6, sway: 0.6},
	{name: "steer", level: 3, self: 0.43, count: 64, sway: 0.1},
	{name: "skeletal_anim", level: 2, self: 1.10, count: 118, sway: 0.1},
	{name: "render_world", level: 1, self: 0.15, count: 1, sway: 0.1},
	{name: "frustum_cull", level: 2, self: 0.87, count: 6, sway: 0.2},
	{name: "shadow_cascades", level: 2, self: 0.26, count: 1, sway: 0.1},
	{name: "cascade", level: 3, self: 1.12, count: 4, sway: 0.2},
	{name: "gbuffer", level: 2, self: 0.67, count: 1, sway: 0.2},
	{name: "terrain", level: 3, self: 1.11, count: 1, sway: 0.2},
	{name: "props", level: 3, self: 0.63, count: 340, sway: 0.3},
	{name: "lighting", level: 2, self: 0.61, count: 1, sway: 0.2},
	{name: "clustered", level: 3, self: 1.34, count: 1, sway: 0.2},
	{name: "volumetrics", level: 3, self: 0.75, count: 1, sway: 0.1},
	{name: "ssr", level: 3, self: 0.42, count: 1, sway: 0.1},
	{name: "post_process", level: 2, self: 0.36, count: 1, sway: 0.1},
	{name: "bloom", level: 3, self: 0.48, count: 5, sway: 0.1},
	{name: "taa", level: 3, self: 0.33, count: 1, sway: 0.1},
	{name: "streaming", level: 1, self: 0.44, count: 3, sway: 0.3},
	{name: "audio", level: 1, self: 0.45, count: 1, sway: 0.1},
	{name: "present", level: 1, self: 0.59, count: 1, sway: 0.2, idle: true},
}

// loader is the tree of its second goroutine.
var loader = []row{
	{name: "loader", level: 0, self: 0.03},
	{name: "load chunk", level: 1, self: 0.40, count: 2, sway: 0.5},
	{name: "decompress", level: 2, self: 2.10, count: 2, sway: 0.5},
	{name: "mesh", level: 2, self: 1.25, count: 4, sway: 0.4},
}

// spike makes a zone take longer in one frame of every Period.
type spike struct {
	at    uint64
	zone  string
	extra float64 // ms
}

// Period is the number of frames after which the spikes repeat.
const Period = 200

var spikes = []spike{
	{45, "streaming", 16.4},
	{110, "streaming", 9.1},
	{150, "broadphase", 4.6}, {150, "islands", 3.1}, {150, "ccd", 1.7},
	{151, "broadphase", 3.9}, {151, "islands", 2.3},
	{152, "broadphase", 2.8}, {153, "broadphase", 1.9}, {154, "broadphase", 0.9},
	{180, "pathfind", 2.4},
}

// Spike returns the zone that takes far too long in the frame with an index, or "" for an ordinary frame.
func Spike(index uint64) string {
	for _, s := range spikes {
		if s.at == index%Period {
			return s.zone
		}
	}
	return ""
}

// extra returns the time that spikes add to a zone in a frame, in ms.
func extra(zone string, index uint64) float64 {
	for _, s := range spikes {
		if s.at == index%Period && s.zone == zone {
			return s.extra
		}
	}
	return 0
}

// Game is a game whose frame n depends on the seed and on n only.
type Game struct {
	*World
	Lanes []*Part // a test may add others
	seed  uint64
	all   [2][]*Part // by row
}

// NewGame returns a game that writes into a session, with its events.
func NewGame(seed uint64, s *process.Session) *Game {
	g := &Game{World: New(s).KeepEvents(), seed: seed}
	g.Next.ScopeCost = 45 * 1024
	zones := 0
	for lane, rows := range [][]row{engine, loader} {
		var last [8]*Part
		for _, r := range rows {
			p := Lane(r.name)
			if r.level > 0 {
				zones++
				p = Zone(r.name, 0).At("engine."+r.name, "engine/"+r.name+".go", 10+zones)
				p.Count, p.Info.Idle = r.count, r.idle
				last[r.level-1].Inner = append(last[r.level-1].Inner, p)
			}
			last[r.level] = p
			g.all[lane] = append(g.all[lane], p)
		}
		g.Lanes = append(g.Lanes, last[0])
	}
	return g
}

// Step writes the next frame.
func (g *Game) Step() error { return g.session.WriteFrame(g.Frame()) }

// Frame makes the next frame without writing it. The result is valid until the next call.
func (g *Game) Frame() *gather.Frame {
	g.begin()
	n := g.Next.Index
	random := rand.New(rand.NewPCG(g.seed, n))
	for lane, rows := range [][]row{engine, loader} {
		for i, r := range rows {
			slow := math.Sin(float64(n)/43+float64(i)) + 0.5*math.Sin(float64(n)/17+2*float64(i))
			g.all[lane][i].Ms = r.self*(1+r.sway*0.4*slow+0.06*(random.Float64()-0.5)) + extra(r.name, n)
		}
	}
	// A saw-tooth with a collection every 50 frames.
	m := &g.Next.Memory
	*m = gather.MemoryFrame{
		AllocBytes:   180<<10 + uint64(random.IntN(90<<10)),
		AllocObjects: 2100 + uint64(random.IntN(700)),
		HeapLive:     48<<20 + n%50*220<<10,
	}
	if n%50 == 49 {
		m.Cycles, m.Pause = 1, time.Duration(70+random.IntN(60))*time.Microsecond
	}
	return g.World.Frame(g.Lanes...)
}
