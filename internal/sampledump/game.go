package sampledump

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// gameNode is one line of the sample game: level, name, self time in microseconds a frame, entries a frame.
type gameNode struct {
	level int
	name  string
	self  float64
	count float64
}

func (g *gameNode) idle() bool { return g.name == "swap buffers" || g.name == "wait for work" }

// broadphase's time in an ordinary frame, and its additional time in frames over budget, in microseconds. It alone
// causes those frames.
const (
	broadphase = 350
	spike      = 15500
)

// gameTree is the main goroutine of the sample game.
var gameTree = []gameNode{
	{0, "(root)", 240, 0},
	{1, "render_world", 150, 1},
	{2, "lighting", 240, 1}, {3, "clustered", 1440, 1}, {3, "volumetrics", 850, 1}, {3, "ssr", 590, 1},
	{2, "gbuffer", 310, 1}, {3, "terrain", 1110, 24}, {3, "props", 640, 118}, {3, "decals", 350, 31},
	{2, "shadow_cascades", 760, 4}, {3, "depth_pass", 620, 4},
	{2, "post_process", 170, 1}, {3, "bloom", 560, 5}, {3, "taa", 440, 1},
	{2, "frustum_cull", 870, 6},
	{1, "simulate", 100, 1},
	{2, "physics_solve", 430, 8}, {3, "broadphase", broadphase, 8}, {3, "islands", 510, 16}, {4, "solve", 180, 64},
	{5, "solve", 60, 64}, {3, "ccd", 260, 3},
	{2, "ai_think", 420, 64}, {3, "pathfind", 780, 12}, {3, "steer", 440, 64},
	{2, "skeletal_anim", 1100, 118},
	{1, "audio", 450, 1}, {2, "mix", 210, 32},
	{1, "streaming", 440, 2},
	{1, "iprof update", 50, 1},
	{1, "swap buffers", 590, 1},
}

// Game returns a dump of a small game: one busy goroutine, two workers, 300 frames with spikes, trees of 32 frames.
func Game() *report.Dump {
	const frames = 741
	d := header("voxel-engine")
	ids := map[string]report.ZoneID{}
	zone := func(name string) report.ZoneID {
		id, known := ids[name]
		if !known {
			id = report.ZoneID(len(d.Zones))
			ids[name] = id
			d.Zones = append(d.Zones, gather.ZoneInfo{Name: name, Function: "main." + name,
				File: "/src/voxel/" + name + ".go", Line: 12 + 7*int(id), Idle: name == "swap buffers"})
		}
		return id
	}
	rng := rand.New(rand.NewPCG(3, 3))
	d.History = History(rng, 300)
	trees := make([][]report.TreeNode, len(d.History))
	for i := range d.History {
		trees[i] = gameNodes(frameTree(&d.History[i], rng), zone, 1)
	}
	main, second, third := jitter(meanTree(d.History), rng), jitter(gameWorker, rng), jitter(gameWorker, rng)
	d.Lanes = []report.LaneTree{
		{ID: 1, Name: "main", Nodes: gameNodes(main, zone, frames)},
		{ID: 7, Name: "loader 1", Nodes: gameNodes(second, zone, frames*0.8)},
		{ID: 8, Name: "loader 2", Nodes: gameNodes(third, zone, frames*0.7)},
	}
	d.Zones[ids["wait for work"]].Idle = true
	d.Merged = gameNodes(append(main, second[1:4]...), zone, frames)
	for _, name := range gameSeries {
		d.Series = append(d.Series, series(name, zone(name), d, trees))
	}
	for _, age := range report.PickFrames(d.History, 16) {
		i := len(d.History) - 1 - age
		charge(trees[i])
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: d.History[i].Index, Nodes: trees[i]})
	}
	times(d)
	explain(d, "broadphase")
	for i := range d.Merged {
		d.Calls += uint64(d.Merged[i].Count)
	}
	charge(d.Merged)
	d.Values = Values(len(d.History))
	d.Statistics, d.Spawns = Statistics(d), gameSpawns
	d.RunTime = time.Duration(d.Merged[0].Hier * 1e6)
	d.Warnings = []string{"decode (chunk.go:88) never ended 3 times: did you mean defer iprof.Begin(\"decode\").End()?"}
	return d
}

// gameSpawns are its go statements.
var gameSpawns = []report.SpawnTimes{
	{Spawn: report.Spawn{Crowd: "main.serve server.go:42", Path: []string{"main", "serve"}, Goroutines: 96, Paths: 1},
		Own: 12.5, Spawned: 431.25, Waited: 8000},
	{Spawn: report.Spawn{Crowd: "main.newLoader chunk.go:17", Goroutines: 2}, Spawned: 52.75},
}

// gameWorker is each of its workers.
var gameWorker = []gameNode{{0, "(root)", 9000, 0}, {1, "load_chunk", 900, 2}, {2, "decode", 2100, 2},
	{2, "mesh", 3100, 2}, {1, "wait for work", 0, 1}}

// jitter returns the tree with random changes to all times.
func jitter(tree []gameNode, rng *rand.Rand) []gameNode {
	tree = slices.Clone(tree)
	for i := range tree {
		tree[i].self *= 0.9 + 0.2*rng.Float64()
	}
	return tree
}

// frameTree returns the tree of one frame of the history. Its times add up to the frame's length.
func frameTree(f *report.FrameSummary, rng *rand.Rand) []gameNode {
	tree := jitter(gameTree, rng)
	usual, over := 0.0, 0.0
	for _, g := range tree {
		if !g.idle() {
			usual += g.self
		}
	}
	if f.Over {
		over = spike
	}
	for i := range tree {
		g := &tree[i]
		g.self *= (1000*float64(f.Busy) - over) / usual
		if g.idle() {
			g.self = 1000 * float64(f.Length-f.Busy)
		}
		if g.name == "broadphase" {
			g.self += over
		}
	}
	return tree
}

// meanTree returns the tree of an average frame.
func meanTree(history []report.FrameSummary) []gameNode {
	tree := slices.Clone(gameTree)
	at := slices.IndexFunc(tree, func(g gameNode) bool { return g.name == "broadphase" })
	for i := range history {
		if history[i].Over {
			tree[at].self += spike / float64(len(history))
		}
	}
	return tree
}

// gameNodes returns the nodes for a number of frames.
func gameNodes(tree []gameNode, zone func(string) report.ZoneID, frames float64) []report.TreeNode {
	nodes := make([]report.TreeNode, len(tree))
	var path [16]int32
	for i, g := range tree {
		parent := int32(-1)
		if g.level > 0 {
			parent = path[g.level-1]
		}
		path[g.level] = int32(i)
		self := Ms(int64(g.self * frames / 1e6 * TicksPerSecond))
		nodes[i] = report.TreeNode{Zone: zone(g.name), Path: int32(i), Parent: parent, Level: int32(g.level),
			Count: math.Round(g.count * frames), Self: self, Idle: g.idle(), Open: g.name == "(root)"}
	}
	for i := len(nodes) - 1; i >= 0; i-- {
		nodes[i].Hier += nodes[i].Self
		if p := nodes[i].Parent; p >= 0 {
			nodes[p].Hier += nodes[i].Hier
		}
	}
	return sorted(nodes)
}

// gameSeries are the zones with the largest self time, one for each part of the game.
var gameSeries = []string{"clustered", "terrain", "skeletal_anim", "frustum_cull", "shadow_cascades", "volumetrics",
	"pathfind", "broadphase", "props", "swap buffers", "bloom", "audio", "ssr", "steer", "islands", "ai_think",
	"decals", "physics_solve", "gbuffer", "lighting"}

// series returns a zone's self time per frame, as in the trees of the frames.
func series(name string, zone report.ZoneID, d *report.Dump, trees [][]report.TreeNode) report.Series {
	s := report.Series{Zone: zone, Name: name, Idle: d.Zones[zone].Idle, Values: make([]float32, len(trees))}
	for i, nodes := range trees {
		for at := range nodes {
			if nodes[at].Zone == zone {
				s.Values[i] += float32(nodes[at].Self)
			}
		}
	}
	return s
}
