// Package machines makes the captures of simulated machines of a fleet, for tests. Equal machines give equal captures.
//
//	m := machines.Machine{Number: 7, Version: "1.4", Frames: 300}
//	err := m.Write(file)
//
// The program is a game: its zones, their calls and its late frames are random, but faults are planted. From version
// 1.4 on, physics takes half as long again on machines with 4 cores. In each version, a tenth of the machines load
// textures in a frame, which a slow disk makes late.
package machines

import (
	"fmt"
	"io"
	"math/rand/v2"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/platform"
)

// Hostile is a name that no output may pass on as it is.
const Hostile = "evil\x1b]0;owned\x07\u202e\xff\n\"name', <b>"

// Machine is a machine.
type Machine struct {
	Number  int
	Version string
	Frames  int
	Start   time.Time
	Hostile bool // some names are Hostile
}

// Cores is the number of the machine's processors.
func (m *Machine) Cores() int { return []int{4, 8, 16}[m.Number%3] }

// Slow reports whether physics takes longer than on others.
func (m *Machine) Slow() bool { return m.Version >= "1.4" && m.Cores() == 4 }

// Loads reports whether the machine loads textures in frames.
func (m *Machine) Loads() bool { return m.Number%10 == 0 }

// Class is the machine as a capture names it.
func (m *Machine) Class() string { return fmt.Sprintf("linux/amd64, %d cores", m.Cores()) }

// the zones, by id, with the mean of their self time in ms.
var zones = []gather.ZoneInfo{
	{},
	{Name: "update", Function: "main.update", File: "/src/game/update.go", Line: 10},
	{Name: "physics", Function: "physics.Step", File: "/src/game/physics/step.go", Line: 42},
	{Name: "collide", Function: "physics.collide", File: "/src/game/physics/collide.go", Line: 7},
	{Name: "render", Function: "render.Draw", File: "/src/game/render/draw.go", Line: 88},
	{Name: "load textures", Function: "assets.Load", File: "/src/game/assets/load.go", Line: 120},
	{Name: "vsync", Function: "main.swap", File: "/src/game/main.go", Line: 61, Idle: true},
	{Name: "stream", Function: "net.Stream", File: "/src/game/net/stream.go", Line: 30},
}

var usual = []float64{0.2, 0.4, 2, 0.1, 3, 0, 0, 1}

const rate platform.Ticks = 1e9

// Write writes the machine's capture.
func (m *Machine) Write(out io.Writer) error {
	r := rand.New(rand.NewPCG(uint64(m.Number), 1))
	named := append([]gather.ZoneInfo(nil), zones...)
	if m.Hostile {
		named[4].Name, named[4].Function = Hostile, Hostile
	}
	w := framefile.NewWriter(out, framefile.Info{Program: "game", GoVersion: "go1.26.0", Machine: m.Class(),
		Start: m.Start})
	now := platform.Ticks(1000)
	for i := range m.Frames {
		f := m.frame(r, uint64(i), now, named)
		if err := w.WriteFrame(f); err != nil {
			return err
		}
		now = f.End
	}
	return w.Close()
}

// frame makes a frame of 16.7 ms, or longer if its work is.
func (m *Machine) frame(r *rand.Rand, index uint64, begin platform.Ticks, named []gather.ZoneInfo) *gather.Frame {
	f := &gather.Frame{Index: index, Begin: begin, TicksPerSecond: float64(rate), Zones: named,
		Counters: []gather.CounterInfo{{Name: "entities", Level: true}, {Name: "packets"}}}
	self := make([]platform.Ticks, len(named))
	sum := platform.Ticks(0)
	for z := range named[:7] {
		self[z] = m.time(r, z)
		sum += self[z]
	}
	self[6] = max(0, rate/60-sum)
	f.End = begin + sum + self[6]
	calls := uint32(1 + r.IntN(20))
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Goroutine: 1, Updater: true, Begin: begin, End: f.End,
		Nodes: []gather.Node{{Parent: -1, Self: self[0]}, {ID: 1, Zone: 1, Self: self[1], Count: 1},
			{ID: 2, Zone: 2, Parent: 1, Self: self[2], Count: 1},
			{ID: 3, Zone: 3, Parent: 2, Self: self[3], Count: calls},
			{ID: 4, Zone: 4, Self: self[4], Count: 1}, {ID: 5, Zone: 5, Parent: 4, Self: self[5]},
			{ID: 6, Zone: 6, Self: self[6], Count: 1}}}}
	if self[5] > 0 {
		f.Lanes[0].Nodes[5].Count = 1
	}
	m.addOthers(r, f)
	return f
}

// addOthers adds a second lane, and what frames have besides calls.
func (m *Machine) addOthers(r *rand.Rand, f *gather.Frame) {
	length := f.End - f.Begin
	work := min(m.time(r, 7), length)
	f.Lanes = append(f.Lanes, gather.LaneFrame{ID: 2, Name: "net", Goroutine: 18, Begin: f.Begin, End: f.End,
		Nodes: []gather.Node{{Parent: -1, Self: length - work}, {ID: 1, Zone: 7, Self: work, Count: 2}}})
	f.Values = []gather.CounterValue{{Counter: 0, Value: float64(100 + r.IntN(50))},
		{Counter: 1, Value: float64(r.IntN(9))}}
	f.Memory = gather.MemoryFrame{Mode: gather.MemoryHeapPerFrame, AllocBytes: uint64(r.IntN(1 << 20)),
		AllocObjects: 100, HeapLive: 64 << 20}
	if f.Index%50 == 20 {
		f.Memory.Cycles, f.Memory.Pause = 1, 200*time.Microsecond
		f.States = []gather.LaneState{{Lane: 2, Kind: gather.StateWaiting, Begin: f.Begin, End: f.Begin + rate/1000,
			Reason: "mutex", Place: "stream.go:42", Waker: 1, By: "render.Draw", At: "draw.go:90"}}
	}
	text := "level loaded"
	if m.Hostile {
		text = Hostile
	}
	if f.Index%100 == 30 {
		f.Marks = []gather.MarkInfo{{Time: f.Begin + 1000, Lane: 1, Text: text}}
	}
	f.Section = gather.SectionInfo{Number: 1 + f.Index/100, Name: fmt.Sprint("level ", 1+f.Index/100)}
}

// time returns the self time of a zone in a frame.
func (m *Machine) time(r *rand.Rand, zone int) platform.Ticks {
	ms := usual[zone] * (0.9 + 0.2*r.Float64()) * 16 / (12 + float64(m.Cores())/4)
	if zone == 2 && m.Slow() {
		ms *= 1.5
	}
	if chance := r.IntN(60); zone == 5 && m.Loads() && chance == 0 {
		ms = 20 + 10*r.Float64()
	}
	return platform.Ticks(ms * float64(rate) / 1000)
}
