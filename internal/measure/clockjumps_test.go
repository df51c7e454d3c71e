//go:build !iprof_off

package measure

import (
	"math/rand/v2"
	"sync"
	"testing"

	"example.com/iprof/platform"
)

// jumpingClock is a clock that goes on by up to a millisecond a reading, and now and then jumps by up to 30 days.
func jumpingClock(random *rand.Rand) func() int64 {
	const days = 30 * 24 * 3600 * 1_000_000_000
	var mu sync.Mutex
	now := int64(10 * days)
	return func() int64 {
		mu.Lock()
		defer mu.Unlock()
		if now += random.Int64N(1e6); random.IntN(20) == 0 {
			now += random.Int64N(2*days) - days
		}
		return now
	}
}

// Whatever a clock does between Begin, End and Update, the costs of a frame and of its lanes are not below 0.
func TestNoTimeIsNegativeAfterJumpsOfTheClock(t *testing.T) {
	useFakeClock(t)
	for seed := range uint64(50) {
		platform.SetClock(jumpingClock(rand.New(rand.NewPCG(seed, 1))), 1e9)
		forget()
		var f Frame
		for range 20 {
			update := zoneNone.Begin()
			var done sync.WaitGroup
			for range 3 {
				done.Go(func() {
					defer zoneA.Begin().End()
					zoneB.Begin().End()
				})
			}
			zoneA.Begin().End()
			done.Wait()
			Collect(&f)
			EndUpdate(update)
			for name, ticks := range map[string]platform.Ticks{"a scope": f.ScopeCost, "a scope inside": f.InsideCost,
				"counting": f.CountCost, "reading the heap": f.Memory.Cost} {
				if ticks < 0 {
					t.Fatalf("seed %d: cost of %s: got %d; want none below 0", seed, name, ticks)
				}
			}
			for i := range f.Lanes {
				if l := &f.Lanes[i]; l.Slow < 0 || l.ScopeCost < 0 || l.CountCost < 0 || l.End < l.Begin {
					t.Fatalf("seed %d: lane %q: got slow %d, %d a scope, %d a count, %d to %d; want nothing below 0",
						seed, l.Name, l.Slow, l.ScopeCost, l.CountCost, l.Begin, l.End)
				}
			}
		}
	}
}
