//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// setting is what programs differ in.
type setting struct {
	mix        mix
	goroutines int           // 0: 3
	unnamed    bool          // their lanes have no names, so they are parked, merged and given up
	pace       int           // steps for each frame, on average; below 0: frames for each step
	limits     gather.Limits //
	level      level         // that the limits leave
	governor   float64       // the overhead limit
	counts     bool          // only counts are exact, and times are estimates
	controls   bool          // Pause, Reset, UndoReset, SetRecording
	events     int           // to keep

	steps int // 0: 600
	sets  int // of frames, beside the program's own: 0 or 2

	// Of programs that run freely.
	free    bool
	clock   func() int64   // the program's own, or nil
	procs   int            // 0: 2
	readers bool           // others read all the time
	reset   bool           // somebody resets in the middle
	slack   platform.Ticks // for each time: readings that processors reorder
}

// stepped are the settings of programs whose goroutines take turns.
var stepped = map[string]setting{
	"plain":              {pace: 40, mix: mix{charges: true, brief: true, zones: 12}},
	"mistakes":           {pace: 30, mix: mix{charges: true, mistakes: true}},
	"few events":         {pace: 30, mix: mix{charges: true, mistakes: true}, events: 64},
	"events":             {pace: 30, mix: mix{charges: true, mistakes: true}, events: 1 << 14},
	"deep":               {pace: 60, mix: mix{deep: true, zones: 3}, goroutines: 1, steps: 150},
	"wide":               {pace: 200, mix: mix{zones: 2000, depth: 3}, goroutines: 2},
	"holds":              {pace: 30, mix: mix{holds: true, charges: true}},
	"controls":           {pace: 30, mix: mix{charges: true, mistakes: true}, controls: true},
	"holds and controls": {pace: 12, mix: mix{holds: true}, controls: true, goroutines: 1},
	"parked":             {pace: -6, mix: mix{zones: 3, depth: 4}, goroutines: 45, unnamed: true},
	"few nodes": {pace: 60, mix: mix{zones: 40, charges: true, mistakes: true}, limits: gather.Limits{NodesPerLane: 60},
		level: byLane, events: 64},
	"shallow":   {pace: 60, mix: mix{zones: 5, depth: 12}, limits: gather.Limits{Depth: 4}, level: byLane},
	"few lanes": {pace: 60, goroutines: 12, limits: gather.Limits{Lanes: 4}, level: byZone, counts: true},
	"muted":     {pace: 30, mix: mix{mutes: true, depth: 12, bursts: 200}, level: byZone, counts: true},
	"muted, deep": {pace: 60, mix: mix{mutes: true, deep: true, zones: 3, depth: 300}, goroutines: 1, steps: 200,
		level: byZone, counts: true},
}

// program is a random program, and what a naive profiler knows of it.
type program struct {
	t       *testing.T
	rng     *rand.Rand
	with    setting
	now     atomic.Int64 // of the clock that stands still
	leap    int64        // of the clock at a step, at most
	session *process.Session
	all     []*goroutine
	sink    atomic.Uint64

	tapes       []*tape
	sets        []*otherSet
	sums        sync.Mutex // of the frames of sets, while goroutines run freely
	ends        int        // facts of frames that have ended
	waits       bool       // frames may wait for the GPU
	gpu         *gather.ForeignLane
	running     []fact // in progress
	live, aside []fact // since Reset, and before it
	recorded    []fact // in all frames
	paused, off bool
	unsure      int      // frames until the newest was measured as a whole
	done        []string // the last steps

	ended                 counters
	begun                 counters
	extra, missing, other atomic.Uint64 // mistakes
	since                 moment        // of the Reset in the middle
	untimed               atomic.Uint64 // entries that the governor only counted

	newest          map[place]sum    // the newest frame
	recordedSums    map[place]sum    // of all frames
	collected       int              // frames
	updates         int              // that were to end one
	level           float64          // that the program said last
	times           gather.Frame     // index, begin and end of the newest frame
	replay          *process.Session // of the same frames
	history         history          // of it
	zones           []gather.ZoneInfo
	misuse, before  gather.Misuse
	dropped, beyond gather.Dropped
}

// newProgram makes the goroutines of a program. Nothing was measured before.
func newProgram(t *testing.T, seed uint64, with setting) *program {
	p := &program{t: t, rng: rand.New(rand.NewPCG(seed, 60)), with: with, session: process.Default(),
		recordedSums: map[place]sum{}}
	m := &p.with.mix
	m.zones, m.depth, m.bursts = or(m.zones, 6), or(m.depth, 6), or(m.bursts, 20)
	p.with.goroutines = or(with.goroutines, 3)
	p.leap = []int64{20, 20, 2}[seed%3]
	switch {
	case !with.free:
		p.now.Store(1000)
		platform.SetClock(p.now.Load, 1000)
	case with.clock != nil:
		platform.SetClock(with.clock, 1e9)
	}
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s := p.session
	s.Resume()
	s.SetHistory(8, 8)
	with.limits.NamesAtPlace = len(zones)
	gather.SetLimits(with.limits)
	gather.SetOverheadLimit(with.governor)
	gather.SetEvents(with.events)
	s.Update()
	s.Reset()
	s.Reset()
	p.session.Update() // the clock's first frame
	f := p.collect()
	p.before, p.beyond = f.Misuse, f.Dropped
	for i := range p.with.goroutines {
		name := fmt.Sprint("player ", i)
		if with.unnamed {
			name = ""
		}
		p.all = append(p.all, newGoroutine(p, name))
	}
	p.all[0].run(func() { iprof.Value("oracle's level", 0) })
	p.gpu = gather.NewForeignLane("oracle's GPU", 1e9)
	p.beginSets()
	p.record()
	p.replay = process.NewSession()
	p.history.resize(p.replay, 8, 8)
	if with.events > 0 {
		p.replay.SetSources(func(s *process.Sources) { s.Events = rings{} })
	}
	p.replay.SetFrameBudget(time.Duration(20+p.rng.IntN(400)) * time.Millisecond)
	t.Cleanup(s.AddSink(p))
	t.Cleanup(func() {
		gather.SetRecording(true)
		gather.SetLimits(gather.Limits{})
		gather.SetOverheadLimit(0)
		gather.SetEvents(0)
		for i := range p.with.mix.zones {
			zones[i].SetMuted(false)
		}
		s.Resume()
	})
	return p
}

func or(n, usual int) int {
	if n == 0 {
		return usual
	}
	return n
}

// collect returns what is told with each frame.
func (p *program) collect() (f gather.Frame) {
	defer p.session.AddSink(copied{&f})()
	p.session.Update()
	return f
}

// copied keeps what was counted by the newest frame.
type copied struct{ to *gather.Frame }

func (c copied) WriteFrame(f *gather.Frame) error {
	c.to.Misuse, c.to.Dropped = f.Misuse, f.Dropped
	return nil
}

// WriteFrame has the naive profiler's eyes on each frame.
func (p *program) WriteFrame(f *gather.Frame) error {
	p.collected++
	p.zones, p.times = f.Zones, gather.Frame{Index: f.Index, Begin: f.Begin, End: f.End}
	p.newest = map[place]sum{}
	p.frame(p.newest, f)
	for at, s := range p.newest {
		sum := p.recordedSums[at]
		s.open = false
		sum.add(s)
		p.recordedSums[at] = sum
	}
	p.misuse, p.dropped = f.Misuse, f.Dropped
	if err := p.replay.WriteFrame(f); err != nil {
		p.t.Errorf("frame %d: %v", f.Index, err)
	}
	return nil
}

// take takes what the goroutines have done. Time passes on all.
func (p *program) take() {
	for _, g := range p.all {
		g.pass()
		if !p.off {
			p.running = append(p.running, g.facts...)
			p.recorded = append(p.recorded, g.facts...)
			if !p.paused {
				p.live = append(p.live, g.facts...)
			}
		}
		g.facts = g.facts[:0]
	}
}

// opened are the entries that are open.
func (p *program) opened() (facts []fact) {
	for _, g := range p.all {
		for _, s := range g.open {
			facts = append(facts, fact{lane: g.name, in: s.is, open: true})
		}
	}
	return facts
}

// update ends a frame, on a goroutine of the program or on another.
func (p *program) update() {
	if p.with.events > 0 { // those at the very end of a frame may be in the next one
		p.now.Add(1)
		defer p.now.Add(1)
	}
	p.take()
	if p.with.level == byPath && (len(p.all) == 1 || p.rng.IntN(4) > 0) {
		p.all[0].run(p.session.Update)
	} else {
		p.session.Update()
	}
	p.endFrame()
}

func (p *program) endFrame() {
	p.ends = len(p.recorded)
	f := append(p.running, p.opened()...)
	p.running = nil
	if !p.paused && p.unsure == 0 && len(p.all) == 1 && p.with.level == byPath {
		p.sumUp()
	}
	// a lane is measured again from its next entry on
	if !p.off && slices.ContainsFunc(f, func(f fact) bool { return f.entries > 0 }) {
		p.unsure = max(p.unsure-1, 0)
	}
	if p.with.controls || p.with.mix.holds {
		return
	}
	p.answer(question{name: "frame", noRoots: p.with.unnamed || p.with.mix.brief}, p.newest, f)
	p.history.add(f, &p.times, p.level)
	if p.updates++; p.collected != p.updates {
		p.t.Errorf("got %d frames; want %d", p.collected, p.updates)
	}
	if p.with.events > 0 && !p.with.free {
		p.askEvents()
	}
	if p.with.level == byPath && p.with.sets == 0 {
		p.askHistory()
	}
}

// sumUp checks that the rows of the newest frame sum to its length in every form. There is one lane.
func (p *program) sumUp() {
	var r report.Report
	var past report.PastFrame
	instant := report.View{Average: report.AverageInstant}
	p.session.View().AppendReportOf(&r, instant)
	p.session.FrameOf(&past, p.all[0].id, 0)
	sums := map[string]float64{"length": r.Frame.Length}
	for _, rec := range r.Records {
		sums["report"] += rec.Values[report.ColumnSelf]
	}
	for form, nodes := range map[string][]report.TreeNode{"FrameOf": past.Nodes,
		"AppendTree": p.session.View().AppendTree(nil, instant)} {
		for _, n := range nodes {
			sums[form] += n.Self
		}
	}
	for form, got := range sums {
		if want := float64(past.Length); math.Abs(got-want) > 1e-3 {
			p.t.Errorf("%s: got %v ms in all; want %v; after %v", form, got, want, p.done)
		}
	}
}

// do does one random thing.
func (p *program) do() {
	p.now.Add(p.rng.Int64N(p.leap))
	if g := p.all[p.rng.IntN(len(p.all))]; p.with.pace > 0 || p.rng.IntN(-p.with.pace) == 0 {
		g.run(g.step)
	}
	if p.with.pace < 0 || p.rng.IntN(p.with.pace) == 0 {
		p.update()
	}
	if p.with.controls && p.rng.IntN(20) == 0 {
		p.control()
	}
	if l := p.with.limits; l.NodesPerLane > 0 && p.rng.IntN(40) == 0 {
		l.NodesPerLane = 10 + p.rng.IntN(l.NodesPerLane)
		gather.SetLimits(l)
	}
	if p.with.sets > 0 && (p.with.pace < 0 || p.rng.IntN(p.with.pace) == 0) {
		p.endSet(p.sets[p.rng.IntN(len(p.sets))])
	}
	if p.rng.IntN(40) == 0 {
		p.ask()
	}
}

// control does what changes the meaning of what was measured.
func (p *program) control() {
	p.take()
	defer p.ask()
	presses := [...]string{"pause", "resume", "reset", "undo", "switch", "record", "play", "GPU"}
	which := presses[p.rng.IntN(len(presses))]
	p.done = append(p.done, which)
	switch which {
	case "pause", "resume":
		if pause := which == "pause"; pause {
			p.all[0].run(p.session.Pause)
		} else {
			p.all[0].run(p.session.Resume)
		}
		if p.paused != (which == "pause") {
			p.ends = len(p.recorded)
		}
		p.paused = which == "pause"
	case "reset":
		p.all[0].run(p.session.Reset)
		p.live, p.aside = nil, p.live
		p.ends = len(p.recorded)
	case "undo":
		if undone := false; !p.with.mix.holds && p.session.CanUndoReset() {
			p.all[0].run(func() { undone = p.session.UndoReset() })
			if undone {
				p.live, p.aside = p.aside, p.live
				p.ends = len(p.recorded)
			}
		}
	case "record":
		if len(p.tapes) < 4 {
			p.record()
		}
	case "play":
		if len(p.tapes) > 0 {
			p.play(p.rng.IntN(len(p.tapes)))
		}
	case "GPU":
		p.waits = true
		p.gpu.Wait(platform.Now() * platform.Ticks(p.rng.IntN(2)))
	case "switch":
		p.off = p.rng.IntN(3) == 0
		p.unsure = 10 // eight frames may wait for the GPU
		for _, s := range p.sets {
			s.wasOff = true
		}
		gather.SetRecording(!p.off)
	}
}

// finish ends the program, and asks for the sums of all frames.
func (p *program) finish() {
	p.gpu.Wait(0)
	p.take()
	gather.SetRecording(true)
	p.off = false
	if p.paused {
		p.all[0].run(p.session.Resume)
		p.paused = false
	}
	for _, g := range p.all {
		g.end()
	}
	p.take()
	for range 3 {
		p.session.Update()
	}
	p.ends = len(p.recorded)
	at := place{lane: counts}
	p.recordedSums[at] = p.recordedSums[at].with(charges{marks: int64(p.dropped.Marks - p.beyond.Marks)})
	p.askTotals()
	if !p.with.controls || !p.with.mix.holds {
		p.answer(question{name: "all frames", noOpen: true, noRoots: true}, p.recordedSums, p.recorded)
	}
	p.finishSets()
	for len(p.tapes) > 0 {
		p.play(0)
	}
	p.gpu.Close()
	for name, c := range map[string][3]uint64{
		"Ends too many":            {p.misuse.ExtraEnd, p.before.ExtraEnd, p.extra.Load()},
		"missing Ends":             {p.misuse.MissingEnd, p.before.MissingEnd, p.missing.Load()},
		"Ends on other goroutines": {p.misuse.OtherLane, p.before.OtherLane, p.other.Load()},
	} {
		if got := c[0] - c[1]; got != c[2] && (p.with.level == byPath || p.with.level == byLane) &&
			(platform.Assembly || name == "missing Ends") { // else whose goroutine it is on is not known
			p.t.Errorf("%s: got %d; want %d", name, got, c[2])
		}
	}
}

// TestPrograms runs random programs, of each setting some.
func TestPrograms(t *testing.T) {
	runSettings(t, stepped, longtest.Pick(40, 4), runStepped)
}

// runSettings runs programs of each setting, of each some.
func runSettings(t *testing.T, settings map[string]setting, seeds int, run func(*testing.T, uint64, setting)) {
	each, _ := time.ParseDuration(os.Getenv("IPROF_ORACLE"))
	for name, with := range settings {
		t.Run(strings.ReplaceAll(name, " ", "_"), func(t *testing.T) {
			start := time.Now()
			for seed := uint64(0); seed < uint64(seeds) || time.Since(start) < each; seed++ {
				t.Run(fmt.Sprint(seed), func(t *testing.T) { run(t, seed, with) })
				if t.Failed() {
					return
				}
			}
		})
	}
}

// runStepped runs a program whose goroutines take turns.
func runStepped(t *testing.T, seed uint64, with setting) {
	p := newProgram(t, seed, with)
	for step := 0; step < or(with.steps, 600) && !t.Failed(); step++ {
		p.do()
	}
	p.finish()
}

// ask asks one of the questions.
func (p *program) ask() {
	p.take()
	p.askTotals()
	p.askSets()
	if p.rng.IntN(6) == 0 || p.with.controls && p.rng.IntN(2) == 0 {
		p.cut()
	}
}

// askTotals asks for the sums since the start.
func (p *program) askTotals() {
	if p.paused && p.with.mix.holds {
		return
	}
	p.answer(question{name: "totals", since: p.since, noMarks: true, noOpen: true, noRoots: true},
		p.totalsOf(p.session), p.live)
}

// totalsOf asks a session for the sums since the start.
func (p *program) totalsOf(s *process.Session) map[place]sum {
	got := map[place]sum{}
	d := s.Dump(report.DumpOptions{AllLanes: true, NoFrames: true, NoHistory: p.rng.IntN(8) > 0})
	for i := range d.Lanes {
		p.tree(got, d, &d.Lanes[i])
	}
	var lanes, merged, zones report.Charges
	for i := range d.Lanes {
		for k := range d.Lanes[i].Nodes {
			lanes.Add(&d.Lanes[i].Nodes[k].Charges)
		}
	}
	for i := range d.Merged {
		merged.Add(&d.Merged[i].Charges)
	}
	for _, z := range report.AppendZoneTotals(nil, d.Merged) {
		zones.Add(&z.Charges)
	}
	if all := chargesOf(&lanes); all != chargesOf(&merged) || all != chargesOf(&zones) {
		p.t.Errorf("got charges %+v of lanes, %+v merged, %+v of zones", lanes, merged, zones)
	}
	for _, v := range d.Values {
		if v.Name == "oracle" {
			got[place{lane: counts}] = got[place{lane: counts}].with(charges{counted: int64(v.Total)})
		}
	}
	return got
}
