//go:build !iprof_off

package process_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/measure"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// frameless is a program that never ends a frame. Its goroutines do something one after another, under a clock of its
// own, and stay until the test ends.
type frameless struct {
	zones [56]gather.Zone
	now   int64
	stop  chan bool
	ended sync.WaitGroup
}

func newFrameless(t testing.TB, limits gather.Limits) *frameless {
	p := &frameless{stop: make(chan bool)}
	for i := range p.zones {
		p.zones[i].Name = fmt.Sprint("zone ", i)
	}
	gather.SetLimits(limits)
	platform.SetClock(func() int64 { return p.now }, 1e9)
	t.Cleanup(func() {
		close(p.stop)
		p.ended.Wait()
		platform.SetClock(nil, 0)
		gather.SetLimits(gather.Limits{})
	})
	process.Default().Reset()
	return p
}

// run runs a goroutine. It ends what do returns when the test ends.
func (p *frameless) run(do func() []gather.Scope) {
	done := make(chan bool)
	p.ended.Add(1)
	go func() {
		defer p.ended.Done()
		open := do()
		done <- true
		<-p.stop
		for i := range open {
			open[len(open)-1-i].End()
		}
	}()
	<-done
}

// named enters a zone by its name, all at one place.
//
//go:noinline
func named(name string) gather.Scope {
	slot, now, pc := platform.EnterCaller()
	return measure.OpenSite(slot, now, pc, name)
}

// enter does random things, and returns the scopes left open.
func (p *frameless) enter(rng *rand.Rand, zones int) (open []gather.Scope) {
	for range rng.IntN(120) {
		p.now += 1 << rng.IntN(20) >> 1
		switch n := rng.IntN(10); {
		case n < 5 && len(open) < 12:
			open = append(open, p.zones[rng.IntN(zones)].Begin())
		case n == 5 && len(open) < 12:
			open = append(open, named(fmt.Sprint("name ", rng.IntN(6))))
		case n == 6:
			measure.Units(rng.IntN(3))
			measure.Alloc(rng.IntN(100))
		case len(open) > 0:
			open[len(open)-1].End()
			open = open[:len(open)-1]
		}
	}
	return open
}

// The cut trees of a program without frames are parts of the whole ones. With few nodes allowed, some lanes have two
// nodes "(other)" below one zone: one of too many names, and one of too many nodes. Trees have one.
func TestTreesWithoutFramesAreCut(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 23))
			limits := gather.Limits{NamesAtPlace: 2}
			if seed%2 > 0 {
				limits.NodesPerLane = 4 + rng.IntN(60)
			}
			p := newFrameless(t, limits)
			zones, most := 1+rng.IntN(10), 1+rng.IntN(100)
			for range 1 + rng.IntN(25) {
				p.run(func() []gather.Scope { return p.enter(rng, zones) })
			}
			s := process.Default()
			cut := s.Dump(report.DumpOptions{Nodes: most})
			none, all := s.Dump(report.DumpOptions{NoTrees: true}), s.Dump(report.DumpOptions{})
			compareDumps(t, seed, all, cut, none, most)
		})
	}
}

// enterMillion enters a million stacks on 17 goroutines, 60,881 stacks each.
func enterMillion(p *frameless) {
	const lanes, zones = 17, 39
	for l := range lanes {
		p.run(func() []gather.Scope {
			defer p.zones[zones+l].Begin().End()
			for i := range zones * zones * zones {
				a, b, c := p.zones[i/zones/zones].Begin(), p.zones[i/zones%zones].Begin(), p.zones[i%zones].Begin()
				p.now += int64(100 + 37*(i+l)%4000)
				c.End()
				b.End()
				a.End()
			}
			return nil
		})
	}
}

// A report of a million stacks takes at most 64 MB of memory beside what it writes, if no frame has ever ended as well.
func TestReportsOfAMillionStacksWithoutFramesAreSmall(t *testing.T) {
	if testing.Short() || raceEnabled {
		t.Skip("a million stacks take hundreds of megabytes, and the race detector takes memory of its own")
	}
	if !alone(t) {
		return
	}
	enterMillion(newFrameless(t, gather.Limits{Bytes: 1 << 30}))
	s := process.Default()
	var before runtime.MemStats
	for i, shown := range []func(w io.Writer) error{
		func(w io.Writer) error {
			d := s.Dump(report.DumpOptions{NoFrames: true, Nodes: report.DumpNodes})
			if len(d.Merged) < report.DumpNodes || len(d.Merged) > 1.1*report.DumpNodes || d.Calls < 1e6 {
				t.Errorf("got %d nodes, %d calls; want some %d of a million", len(d.Merged), d.Calls, report.DumpNodes)
			}
			return text.WriteTree(w, d, text.Options{})
		},
		func(w io.Writer) error {
			return text.WriteJSON(w, s.Dump(report.DumpOptions{Nodes: report.DumpNodes}))
		},
		func(w io.Writer) error {
			return html.Write(w, s.Dump(report.DumpPage), html.Options{})
		},
	} {
		checkReport(t, i, &before, shown)
	}
}
