package gl

import (
	"sync"
	"sync/atomic"

	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
)

// Zone is a zone of the CPU and of the GPU. It is a zone of the goroutine that enters it, like gather.Zone. On the lane
// "GPU" it is a zone named "GPU …", with the time in which the GPU executed the commands inside the zone. NewZone
// makes one. Any goroutine may use it.
type Zone struct {
	cpu, gpu gather.Zone
	known    atomic.Bool // gpu has its place in the source
}

// NewZone makes a zone. A package has it as a variable:
//
//	var shadow = profgl.NewZone("shadow pass")
//
//	func drawShadows() {
//		defer shadow.Begin().End()
func NewZone(name string) *Zone {
	return &Zone{cpu: gather.Zone{Name: name}, gpu: gather.Zone{Name: "GPU " + name}}
}

// Begin enters the zone, on the goroutine with the current OpenGL context. It calls glQueryCounter and never waits for
// the GPU. Times are read when they have arrived, some frames later. The session shows a frame when its times have
// arrived, or without them after eight frames. Without a context, or if GPULane returns an error, the zone is a zone of
// the CPU only. It does not allocate. Cost: BenchmarkGPUZone. Programs built with the tag iprof_off measure nothing.
func (z *Zone) Begin() Scope {
	if !gather.Enabled || z == nil {
		return Scope{}
	}
	s := Scope{cpu: z.cpu.Begin()}
	if gather.Recording() {
		s.gpu = beginGPU(z, true)
	}
	return s
}

// Begin enters the zone of that name. All callers of the same name share a zone. At most 1,024 names have a zone; all
// further names share the zone "(other)".
//
//	defer profgl.Begin("shadow pass").End()
func Begin(name string) Scope {
	if !gather.Enabled {
		return Scope{}
	}
	return zoneNamed(name).Begin()
}

// Scope is one open entry of a Zone. The End of a zero Scope does nothing.
type Scope struct {
	cpu gather.Scope
	gpu gpuScope
}

// End closes the scope. Call it with the context of Begin. With another context, times that have not arrived are lost,
// and counted in Dropped.Foreign.
func (s Scope) End() {
	s.gpu.end()
	s.cpu.End()
}

// mostNames bounds the zones of Begin.
const mostNames = 1024

// byName has the zones of Begin.
var byName struct {
	sync.Mutex
	zones map[string]*Zone
	other *Zone
}

func zoneNamed(name string) *Zone {
	byName.Lock()
	defer byName.Unlock()
	if z := byName.zones[name]; z != nil {
		return z
	}
	if len(byName.zones) >= mostNames {
		if byName.other == nil {
			byName.other = NewZone("(other)")
		}
		return byName.other
	}
	if byName.zones == nil {
		byName.zones = make(map[string]*Zone)
	}
	name = measure.CopyName(name)
	z := NewZone(name)
	byName.zones[name] = z
	return z
}

// drawing is the zone of the profiler's own drawing. Reports show it like any other zone.
var drawing = NewZone("iprof draw")

// beginDrawing enters drawing, on the GPU only if the program has GPU zones in this context.
func beginDrawing() Scope {
	s := Scope{cpu: drawing.cpu.Begin()}
	if gather.Enabled && gather.Recording() {
		s.gpu = beginGPU(drawing, false)
	}
	return s
}
