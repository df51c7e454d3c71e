package sampledump

import (
	"math"
	"math/rand/v2"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// gameNode is one line of the sample game: level, name, self microseconds a frame, entries a frame.
type gameNode struct {
	level int
	name  string
	self  float64
	count float64
}

// gameTree is the sample game's main goroutine.
var gameTree = []gameNode{
	{0, "(root)", 240, 0},
	{1, "render_world", 150, 1},
	{2, "lighting", 240, 1}, {3, "clustered", 1440, 1}, {3, "volumetrics", 850, 1}, {3, "ssr", 590, 1},
	{2, "gbuffer", 310, 1}, {3, "terrain", 1110, 24}, {3, "props", 640, 118}, {3, "decals", 350, 31},
	{2, "shadow_cascades", 760, 4}, {3, "depth_pass", 620, 4},
	{2, "post_process", 170, 1}, {3, "bloom", 560, 5}, {3, "taa", 440, 1},
	{2, "frustum_cull", 870, 6},
	{1, "simulate", 100, 1},
	{2, "physics_solve", 430, 8}, {3, "broadphase", 760, 8}, {3, "islands", 510, 16}, {4, "solve", 180, 64}, {5, "solve", 60, 64}, {3, "ccd", 260, 3},
	{2, "ai_think", 420, 64}, {3, "pathfind", 780, 12}, {3, "steer", 440, 64},
	{2, "skeletal_anim", 1100, 118},
	{1, "audio", 450, 1}, {2, "mix", 210, 32},
	{1, "streaming", 440, 2},
	{1, "iprof.Update", 50, 1},
	{1, "swap buffers", 590, 1},
}

// Game returns a dump of a small game: one busy goroutine, two workers, 300 frames with spikes, trees of 32 frames.
func Game() *process.Dump {
	const frames = 741
	d := header("voxel-engine")
	ids := map[string]int32{}
	zone := func(name string) int32 {
		id, known := ids[name]
		if !known {
			id = int32(len(d.Zones))
			ids[name] = id
			d.Zones = append(d.Zones, gather.ZoneInfo{Name: name, Function: "main." + name, File: "/src/voxel/" + name + ".go", Line: 12 + 7*int(id), Idle: name == "swap buffers"})
		}
		return id
	}
	rng := rand.New(rand.NewPCG(3, 3))
	main := gameFrame(gameTree, zone, rng, frames, 1)
	worker := []gameNode{{0, "(root)", 9000, 0}, {1, "load_chunk", 900, 2}, {2, "decode", 2100, 2}, {2, "mesh", 3100, 2}, {1, "wait for work", 0, 1}}
	second := gameFrame(worker, zone, rng, frames*0.8, 1)
	d.Zones[ids["wait for work"]].Idle = true
	d.Merged = gameFrame(append(append([]gameNode{}, gameTree...), worker[1:4]...), zone, rand.New(rand.NewPCG(3, 3)), frames, 1)
	d.Lanes = []process.LaneTree{{ID: 1, Name: "main", Nodes: main}, {ID: 7, Name: "loader 1", Nodes: second}, {ID: 8, Name: "loader 2", Nodes: gameFrame(worker, zone, rng, frames*0.7, 1)}}
	d.History = History(rng, 300)
	for _, name := range gameSeries {
		d.Series = append(d.Series, series(name, zone(name), d, rng))
	}
	for _, age := range process.PickFrames(d.History, 16) {
		f := &d.History[len(d.History)-1-age]
		nodes := gameFrame(gameTree, zone, rng, 1, float64(f.Busy)/13.6)
		charge(nodes)
		d.FrameTrees = append(d.FrameTrees, process.FrameTree{Index: f.Index, Nodes: nodes})
	}
	for i := range d.Merged {
		d.Calls += uint64(d.Merged[i].Count)
	}
	charge(d.Merged)
	d.Values = Values(len(d.History))
	d.Statistics = Statistics(d)
	d.RunTime = time.Duration(d.Merged[0].Hier * 1e6)
	d.Warnings = []string{"decode (chunk.go:88) never ended 3 times: did you mean defer iprof.Begin(\"decode\").End()?"}
	return d
}

// gameFrame makes the nodes of so many frames; spike stretches one branch of them.
func gameFrame(tree []gameNode, zone func(string) int32, rng *rand.Rand, frames, spike float64) []process.TreeNode {
	nodes := make([]process.TreeNode, len(tree))
	var path [16]int32
	for i, g := range tree {
		us := g.self * frames * (0.9 + 0.2*rng.Float64())
		if spike > 1.3 && (g.name == "physics_solve" || g.name == "islands") {
			us *= 6 * spike
		}
		parent := int32(-1)
		if g.level > 0 {
			parent = path[g.level-1]
		}
		path[g.level] = int32(i)
		self := Ms(int64(us / 1e6 * TicksPerSecond))
		nodes[i] = process.TreeNode{Zone: zone(g.name), Path: int32(i), Parent: parent, Level: int32(g.level), Count: math.Round(g.count * frames), Self: self,
			Idle: g.name == "swap buffers" || g.name == "wait for work", Open: g.name == "(root)"}
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		nodes[i].Hier += nodes[i].Self
		if p := nodes[i].Parent; p >= 0 {
			nodes[p].Hier += nodes[i].Hier
		}
	}
	return sorted(nodes)
}

// gameSeries are the zones of the sample game with the largest self time, one a part of the game.
var gameSeries = []string{"clustered", "terrain", "skeletal_anim", "frustum_cull", "shadow_cascades", "volumetrics", "pathfind", "broadphase", "props", "swap buffers", "bloom", "audio"}

// series makes a zone's self time per frame; the spikes of the history are broadphase's.
func series(name string, zone int32, d *process.Dump, rng *rand.Rand) process.Series {
	s := process.Series{Zone: zone, Name: name, Idle: d.Zones[zone].Idle, Values: make([]float32, len(d.History))}
	for i := range s.Values {
		s.Values[i] = (0.8 + 0.3*rng.Float32()) * (0.6 + float32(len(name))/12)
		if name == "broadphase" && d.History[i].Over {
			s.Values[i] += 15.5
		}
		if s.Idle {
			s.Values[i] = d.History[i].Length - d.History[i].Busy
		}
	}
	return s
}
