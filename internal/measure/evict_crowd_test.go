//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
)

// Several goroutines with full lanes run beside Collect: each entry is in one frame, in its own row or in "(other)".
// Where other lanes have taken all that the process may have, even for that, Begin returns the zero Scope.
func TestFullLanesBesideCollect(t *testing.T) {
	for name, limits := range map[string]Limits{
		"nodes": {NodesPerLane: 200}, "process": {Nodes: 2000}, "bytes": {Bytes: 4_000_000},
	} {
		t.Run(name, func(t *testing.T) {
			useRealClock(t)
			if limits.Nodes > 0 {
				limits.Nodes += nodeIDs.inUse()
			}
			if limits.Bytes > 0 {
				limits.Bytes += int(MemoryUsed().Total())
			}
			SetLimits(limits)
			var f Frame
			Collect(&f)
			const goroutines, each = 8, 20_000 // entries, so that lanes get full on a busy machine, too
			var entered, lost, ended atomic.Uint64
			var all sync.WaitGroup
			for g := range goroutines {
				all.Go(func() {
					defer ended.Add(1)
					rng := rand.New(rand.NewPCG(1, uint64(g)))
					for done := uint64(0); done < each; {
						n, none := enterMany(rng, 5, func(int64) {})
						done += n
						entered.Add(n)
						lost.Add(none)
					}
				})
			}
			told, frames := uint64(0), 0
			for last := false; !last; frames++ {
				last = ended.Load() == goroutines
				Collect(&f)
				for i := range f.Lanes {
					for _, n := range f.Lanes[i].Nodes {
						told += uint64(n.Count)
					}
				}
			}
			all.Wait()
			none := lost.Load() - f.Dropped.Lanes // those of goroutines without a lane are counted
			if told+none != entered.Load() || f.Dropped.Nodes == 0 {
				t.Errorf("got %d entries in %d frames, %d nowhere; want %d in all, and some folded: %+v", told,
					frames, none, entered.Load(), f.Dropped)
			}
			if limits.NodesPerLane > 0 && none > 0 {
				t.Errorf("got %d entries nowhere; want none", none)
			}
			if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.OtherLane+m.DeferInLoop > 0 && none == 0 {
				t.Errorf("misuse: got %+v; want none", m)
			}
			t.Logf("%d entries, %d nowhere, %d folded, %d frames", told, none, f.Dropped.Nodes, frames)
		})
	}
}
