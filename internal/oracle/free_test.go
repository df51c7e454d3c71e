//go:build !iprof_off

package oracle_test

import (
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"
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

// freely are the settings of programs whose goroutines run freely, beside readers.
func freely() map[string]setting {
	start := time.Now()
	since := func() int64 { return int64(time.Since(start)) }
	var readings atomic.Int64
	all := mix{charges: true, mistakes: true, brief: true, bursts: 300}
	noCharges := mix{mistakes: true, brief: true, bursts: 300}
	return map[string]setting{
		"plain":         {mix: all, procs: 8, reset: true},
		"one processor": {mix: all, procs: 1, reset: true},
		"readers":       {mix: mix{charges: true, bursts: 300}, goroutines: 40, unnamed: true, readers: true},
		"events":        {mix: all, events: 256, readers: true},
		"wide":          {mix: mix{zones: 3000, depth: 3}, readers: true},
		"nodes":         {mix: mix{zones: 40, bursts: 300}, limits: gather.Limits{NodesPerLane: 60}, level: byLane},
		"lanes":         {goroutines: 30, limits: gather.Limits{Lanes: 6}, level: byZone, counts: true},
		"muted":         {mix: mix{mutes: true, zones: 40, bursts: 300}, level: byZone, counts: true, readers: true},
		"muted lanes": {mix: mix{mutes: true, bursts: 300}, goroutines: 30, limits: gather.Limits{Lanes: 6},
			level: byZone, counts: true},
		"governed":       {mix: mix{zones: 3, depth: 3, bursts: 2000, mistakes: true}, governor: 1e-6, counts: true},
		"governed holds": {mix: mix{zones: 3, depth: 3, bursts: 2000, holds: true}, governor: 1e-6, counts: true},
		"system clock":   {mix: all, clock: since, slack: 50_000},
		"coarse clock":   {mix: all, clock: func() int64 { return since() / 1e6 * 1e6 }, slack: 50_000},
		"leaping clock": {mix: all, slack: 50_000, clock: func() int64 { // on by a minute, as after a laptop's sleep
			return readings.Add(1)/1000*6e10 + since()
		}},
		"jumping clock": {mix: noCharges, counts: true, clock: func() int64 { // back by a second, or on by an hour
			return since() + []int64{0, -1e9, 36e11}[readings.Add(1)/1000%3]
		}},
	}
}

// TestFreePrograms runs programs whose goroutines run freely: facts are bounds.
func TestFreePrograms(t *testing.T) {
	untimed := uint64(0)
	runSettings(t, freely(), longtest.Pick(8, 1), func(t *testing.T, seed uint64, with setting) {
		untimed += runFreely(t, seed, with)
	})
	if untimed == 0 && !t.Failed() {
		t.Error("got every entry timed; want the governor to leave out some")
	}
}

// runFreely runs a program, and returns how many entries the governor did not time.
func runFreely(t *testing.T, seed uint64, with setting) (untimed uint64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(or(with.procs, 2)))
	with.free, with.slack = true, with.slack+4000
	p := newProgram(t, seed, with)
	var running, reads sync.WaitGroup
	over := make(chan bool)
	for _, g := range p.all {
		running.Go(func() {
			g.run(func() {
				for range 2000 / len(p.all) * 4 {
					g.step()
				}
				g.leaveAll()
			})
		})
	}
	reads.Go(func() { p.everyMoment(over, p.session.Update) })
	for _, s := range p.sets {
		reads.Go(func() { p.everyMoment(over, s.session.Update) })
	}
	if with.readers {
		for _, name := range slices.Sorted(maps.Keys(readers)) {
			reads.Go(func() {
				p.everyMoment(over, func() {
					defer reading.Begin().End()
					readers[name](p)
				})
			})
		}
	}
	if with.reset {
		time.Sleep(time.Millisecond)
		p.since.first = platform.Now()
		p.session.Reset()
		p.since.last = platform.Now()
	}
	running.Wait()
	close(over)
	reads.Wait()
	p.finish()
	return p.untimed.Load()
}

// everyMoment does something over and over.
func (p *program) everyMoment(over chan bool, do func()) {
	for {
		select {
		case <-over:
			return
		default:
			do()
			time.Sleep(100 * time.Microsecond)
		}
	}
}

// readers read a session while its program runs.
var readers = map[string]func(p *program){
	"totals": func(p *program) {
		p.between("AppendTotals", func() []report.TreeNode { return p.session.AppendTotals(nil) })
	},
	"dump of few nodes": func(p *program) { p.session.Dump(report.DumpOptions{Nodes: 20, NoFrames: true}) },
	"snapshot": func(p *program) {
		var s process.Snapshot
		p.session.View().Snapshot(&s, process.SnapshotOptions{Frames: 300})
	},
	"lanes":    func(p *program) { p.session.View().AppendLanes(nil) },
	"html":     func(*program) { _ = iprof.WriteHTML(io.Discard) },
	"text":     func(*program) { _ = iprof.WriteText(io.Discard) },
	"json":     func(*program) { _ = iprof.WriteJSON(io.Discard) },
	"events":   func(*program) { gather.AppendEvents(nil, 3, 0, platform.MaxTicks) },
	"calls":    func(*program) { gather.AppendCalls(nil) },
	"controls": func(p *program) { iprof.SetReportMode(report.ReportCallTree); iprof.MoveCursor(1); iprof.Select() },
}

// reading is the zone in which a reader reads.
var reading = iprof.Zone{Name: "reading"}

func init() {
	for i := range 16 {
		o := report.DumpOptions{NoTrees: i&1 > 0, NoHistory: i&2 > 0, NoFrames: i&4 > 0, NoLanes: i&8 > 0}
		readers[fmt.Sprint("dump ", i)] = func(p *program) {
			p.between(fmt.Sprintf("Dump %+v", o), func() (nodes []report.TreeNode) {
				d := p.session.Dump(o)
				for i := range d.Lanes {
					p.tree(map[place]sum{}, d, &d.Lanes[i])
				}
				for _, z := range d.ZoneTotals() {
					nodes = append(nodes, report.TreeNode{Zone: z.Zone, Count: z.Count})
				}
				return nodes
			})
		}
	}
}

// between compares the entries of a tree with counters of before and after.
func (p *program) between(what string, read func() []report.TreeNode) {
	var least [8]int64
	for i := range least {
		least[i] = p.ended[i].Load()
	}
	nodes, got := read(), [8]int64{}
	for _, n := range nodes {
		if name := p.session.Zone(n.Zone).Name; len(name) == 2 && name[0] == 'z' && name[1] < '8' {
			got[name[1]-'0'] += int64(n.Count)
		}
	}
	for i, n := range got {
		if most := p.begun[i].Load(); n < least[i] || n > most {
			p.t.Errorf("%s: got %d entries of z%d; want %d to %d", what, n, i, least[i], most)
		}
	}
}
