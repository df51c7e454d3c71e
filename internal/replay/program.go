package replay

// part is a zone of the replayed program: its place in the tree, and its values in an ordinary frame.
type part struct {
	name  string
	level int     // parents precede their children
	self  float64 // ms
	count uint32
	sway  float64 // share of self that swings over seconds
	idle  bool
}

// program is the tree of the replayed engine's main goroutine.
var program = []part{
	{name: "", level: 0, self: 0.06},
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

// loader is the tree of the replayed engine's second goroutine.
var loader = []part{
	{name: "", level: 0, self: 0.03},
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
