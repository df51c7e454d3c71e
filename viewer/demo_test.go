package viewer_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// demo is a stand-in for the session of a game: a tree of zones whose self times wander, with spikes at fixed frames.
type demo struct {
	view    report.View
	frames  int
	paused  bool
	stopped bool
	gone    bool
	unended int
	marks   []report.MarkInSight
	said    bool // the program says something of scopes
	warn    []string
	clock   string // of the report
	zones   []demoZone
	memory  []report.FrameSummary
	kept    []report.FrameSummary // whole by the session, beyond its history
	ranked  []report.FrameSummary // the slowest
	seen    uint64                // index of the newest frame that was ranked, plus one
	budget  time.Duration
	hostile map[string]string // other names for zones
	signed  map[string]gather.Estimated
	counted map[report.ZoneID]bool // zones whose calls are counted

	coded      bool // zones have places in other files
	hot        *report.HotLines
	compared   report.Comparison
	flat       report.Report
	generation uint64
	infos      []gather.ZoneInfo
	line       []float32
	timelines  map[*process.Snapshot]shownTimeline
	timed      struct {
		lanes  []timeline.Lane
		frames []timeline.Frame
		scopes []timeline.Scope
	}
}

// demoZone is one path of the tree; each zone has one path.
type demoZone struct {
	name   string
	parent int
	level  int32
	count  float64
	idle   bool
	self   []float32 // by frame, oldest first
}

const demoFrames = 300

// newDemo makes the game.
func newDemo() *demo {
	d := &demo{frames: demoFrames, unended: 1, budget: time.Second / 60}
	d.view.Mode = report.ReportCallTree
	d.view.Average = report.AverageShort
	r := rand.New(rand.NewPCG(7, 2003))
	stack := []int{-1}
	for _, z := range demoTree {
		stack = stack[:z.level+1]
		self := wander(r, z.mean)
		d.zones = append(d.zones, demoZone{z.name, stack[z.level], z.level, z.count, z.idle, self})
		stack = append(stack, len(d.zones)-1)
	}
	d.spike("physics_solve", demoSpike, 9, 6)
	d.spike("broadphase", demoSpike, 5, 5)
	d.spike("streaming", 204, 16, 2)
	d.spike("streaming", 132, 8, 1)
	d.spike("ai_think", 12, 2.5, 2)
	d.summarise()
	return d
}

// demoTree is the game's zones: level, mean self time in ms, count.
var demoTree = []struct {
	level int32
	name  string
	mean  float64
	count float64
	idle  bool
}{
	{0, "frame", 0.2, 1, false},
	{1, "render_world", 0.15, 1, false},
	{2, "lighting", 2.3, 1, false}, {3, "clustered", 0.3, 4, false}, {3, "volumetrics", 0.3, 1, false},
	{3, "ssr", 0.2, 1, false},
	{2, "gbuffer", 1.8, 1, false}, {3, "terrain", 0.3, 12, false}, {3, "props", 0.2, 340, false},
	{3, "decals", 0.1, 9, false},
	{2, "shadow_cascades", 1.1, 4, false}, {3, "cascade", 0.2, 4, false},
	{2, "post_process", 0.8, 5, false}, {3, "bloom", 0.25, 1, false}, {3, "taa", 0.15, 1, false},
	{2, "frustum_cull", 0.87, 6, false},
	{1, "simulate", 0.1, 2, false},
	{2, "physics_solve", 1.2, 8, false}, {3, "broadphase", 0.45, 8, false}, {3, "islands", 0.2, 8, false},
	{3, "ccd", 0.1, 3.25, false},
	{2, "ai_think", 1.1, 64, false}, {3, "pathfind", 0.35, 12, false}, {3, "steer", 0.2, 64, false},
	{2, "skeletal_anim", 1.1, 118, false},
	{1, "streaming", 0.44, 1, false},
	{1, "audio", 0.45, 1, false},
	{1, "present", 0.59, 1, false},
	{1, "swap (vsync)", 1.4, 1, true},
}

// wander is a slow random walk around a mean, with a little noise.
func wander(r *rand.Rand, mean float64) []float32 {
	v := make([]float32, demoFrames)
	walk := 0.0
	for i := range v {
		walk = float64(walk*0.97) + (r.Float64()-0.5)*0.08
		v[i] = float32(mean * (1 + walk + (r.Float64()-0.5)*0.12))
	}
	return v
}

// spike adds ms to a zone, fading over some frames.
func (d *demo) spike(name string, age int, ms float32, frames int) {
	z := &d.zones[d.find(name)]
	for i := range frames {
		z.self[demoFrames-1-age+i] += ms * float32(frames-i) / float32(frames)
	}
}

func (d *demo) find(name string) int {
	return slices.IndexFunc(d.zones, func(z demoZone) bool { return z.name == name })
}

func (d *demo) nameOf(zone report.ZoneID) string {
	if other, ok := d.hostile[d.zones[zone].name]; ok {
		return other
	}
	return d.zones[zone].name
}

// summarise fills the frames.
func (d *demo) summarise() {
	for i := range demoFrames {
		f := report.FrameSummary{Index: uint64(18042 + i + 1), HasReport: true}
		for _, z := range d.zones {
			f.Length += z.self[i]
			if !z.idle {
				f.Busy += z.self[i]
			}
		}
		f.Over = float64(f.Busy) > 1.02*1000*d.budget.Seconds()
		if i%70 == 20 {
			f.Cycles = 1
		}
		f.AllocBytes = uint64(40000 + 3000*(i%7) + 200000*(i%90/89))
		f.HeapLive = uint64(4e6 + 60000*((i+50)%70))
		f.Pause = 0.21 * float32(f.Cycles)
		f.Memory, f.HeapCost = gather.MemoryHeapPerFrame, 0.0012
		d.memory = append(d.memory, f)
	}
}

func (d *demo) at() int { return demoFrames - 1 - d.view.Age }

// hier returns the hierarchical time of a path in a frame.
func (d *demo) hier(path, frame int) float64 {
	v := float64(d.zones[path].self[frame])
	for i := path + 1; i < len(d.zones) && d.zones[i].level > d.zones[path].level; i++ {
		v += float64(d.zones[i].self[frame])
	}
	return v
}

func (d *demo) Get() report.View { return d.view }

func (d *demo) Info() report.FrameInfo {
	if d.frames == 0 {
		return report.FrameInfo{Budget: d.budget, Recording: true}
	}
	f := d.memory[d.at()]
	return report.FrameInfo{
		Index: f.Index, Age: d.view.Age, Length: float64(f.Length), Busy: float64(f.Busy),
		FPS:    1000 / float64(f.Length),
		Budget: d.budget, Over: f.Over, Overhead: 0.0026, MaxHold: 31.87, P99: 24.43, Paused: d.paused,
		Recording: !d.stopped,
		Live:      d.view.Age == 0 && !d.paused, Lane: d.laneName(), Frames: 18342, Gone: d.gone, Memory: f.Memory,
		Lens: d.view.Lens, LensFrames: d.chosen(),
	}
}

func (d *demo) Zone(id report.ZoneID) gather.ZoneInfo {
	z := gather.ZoneInfo{Name: d.nameOf(id), Function: d.function(id), File: "/game/engine/physics.go",
		Line: 12 + int(id), Idle: d.zones[id].idle}
	if d.coded {
		z = d.elsewhere(id, z)
	}
	return z
}

// Generation differs each time, because tests change the data at any time.
func (d *demo) Generation() uint64 {
	d.generation++
	return d.generation
}

// AppendCalls makes calls of a microsecond to a millisecond.
func (d *demo) AppendCalls(dst []report.CallBucket, zone report.ZoneID) []report.CallBucket {
	for i := range 60 {
		if ms := 0.001 * math.Pow(1.12, float64(i)); d.counted[zone] {
			dst = append(dst, report.CallBucket{Low: ms, High: ms * 1.12,
				Count: uint64(1 + 400*math.Exp(-math.Pow(float64(i-22)/9, 2)))})
		}
	}
	return dst
}

// AppendTopSeries chooses as a session does: by the mean plus a tenth of the greatest value.
func (d *demo) AppendTopSeries(dst []report.Series, frames, most int, _ report.ZoneID) []report.Series {
	all := slices.DeleteFunc(d.AppendSeries(nil, frames), func(s report.Series) bool { return s.Idle })
	weight := func(s report.Series) float32 { return mean(s.Values) + slices.Max(s.Values)/10 }
	slices.SortStableFunc(all, func(a, b report.Series) int { return cmpDown(weight(a), weight(b)) })
	all = all[:min(len(all), most)]
	slices.SortStableFunc(all, func(a, b report.Series) int { return cmpDown(mean(a.Values), mean(b.Values)) })
	return append(dst, all...)
}

func (d *demo) AppendSeries(dst []report.Series, frames int) []report.Series {
	if d.frames == 0 {
		return dst
	}
	first := len(dst)
	for i, z := range d.zones {
		dst = append(dst, report.Series{Zone: report.ZoneID(i), Name: d.nameOf(report.ZoneID(i)), Idle: z.idle,
			Values:    z.self[demoFrames-min(frames, demoFrames):],
			Estimated: d.signed[z.name]})
	}
	slices.SortStableFunc(dst[first:], func(a, b report.Series) int {
		return cmpDown(mean(a.Values), mean(b.Values))
	})
	return dst
}

func cmpDown[T float32 | float64](a, b T) int {
	switch {
	case a > b:
		return -1
	case a < b:
		return 1
	}
	return 0
}

func mean(v []float32) (m float32) {
	for _, x := range v {
		m += x / float32(len(v))
	}
	return m
}

func (d *demo) AppendFrames(dst []report.FrameSummary, frames int) []report.FrameSummary {
	return append(dst, d.memory[demoFrames-min(frames, demoFrames, d.frames):]...)
}

func (d *demo) AppendTree(dst []report.TreeNode, _ report.View) []report.TreeNode {
	if d.frames == 0 || d.gone {
		return dst
	}
	for i, z := range d.zones {
		dst = append(dst, report.TreeNode{Zone: report.ZoneID(i), Path: int32(i), Parent: int32(z.parent),
			Level: z.level, Count: z.count,
			Self: float64(z.self[d.at()]), Hier: d.hier(i, d.at()), Idle: z.idle, Estimated: d.signed[z.name]})
	}
	return dst
}

func (d *demo) AppendPathHistory(dst []float32, path int32, frames int) []float32 {
	for i := demoFrames - frames; i < demoFrames; i++ {
		dst = append(dst, float32(d.hier(int(path), i)))
	}
	return dst
}

func (d *demo) AppendZoneHistory(dst []float32, zone report.ZoneID, frames int) []float32 {
	return d.AppendPathHistory(dst, int32(zone), frames)
}

func (d *demo) laneName() string {
	for _, l := range demoLanes {
		if l.ID == d.view.Lane {
			return l.Name
		}
	}
	return "all goroutines"
}

// function puts the zones below render_world in one package, and those below simulate in another.
func (d *demo) function(id report.ZoneID) string {
	for i := int(id); i >= 0; i = d.zones[i].parent {
		switch d.zones[i].name {
		case "render_world":
			return "example.com/voxel/render.(*World).Draw"
		case "simulate":
			return "example.com/voxel/simulation.Step"
		}
	}
	return "main.main"
}
