//go:build !iprof_off

package measure

import (
	"fmt"
	"maps"
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"testing"

	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/platform"
)

// The oracle is what each goroutine has counted itself. There are more zones than a crowdTally holds.
func TestEntriesBeyondTheLimitOfLanesAreExact(t *testing.T) {
	useRealClock(t)
	const measured, goroutines, entries = 3, 12, 3000
	zones := make([]*Zone, mostCrowdZones+200)
	for i := range zones {
		zones[i] = &Zone{Name: fmt.Sprint("crowd ", i)}
		if i%2 == 0 {
			zones[i].SetMuted(true)
			defer zones[i].SetMuted(false)
		}
	}
	var f, look Frame
	Collect(&f)
	SetLimits(Limits{Lanes: measured + 1})
	var started, done, ended sync.WaitGroup
	start, release := make(chan bool), make(chan bool)
	all, mu := map[string]uint64{}, sync.Mutex{}
	started.Add(goroutines)
	done.Add(goroutines)
	for seed := range goroutines {
		ended.Go(func() {
			zones[seed].Begin().End() // a lane, for the first ones
			started.Done()
			<-start
			own := map[string]uint64{zones[seed].Name: 1}
			enterSome(rand.New(rand.NewSource(int64(seed))), zones, entries, own)
			mu.Lock()
			for name, n := range own {
				all[name] += n
			}
			mu.Unlock()
			done.Done()
			<-release
		})
	}
	started.Wait()
	close(start)
	got, beyond := map[string]uint64{}, uint64(0)
	for range 20 {
		runtime.GC() // other texts get the memory of the names
		Collect(&f)
		beyond += addEntries(got, &f)
	}
	done.Wait()
	Peek(&look)
	Collect(&f)
	now := addEntries(got, &f)
	if seen := addEntries(map[string]uint64{}, &look); seen != now {
		t.Errorf("Peek: got %d entries without a lane; want the %d of the frame", seen, now)
	}
	beyond += now
	Collect(&f)
	beyond += addEntries(got, &f)
	close(release)
	ended.Wait()
	wantEntries(t, got, all)
	if want := uint64(goroutines-measured) * (entries + 1); beyond != want || f.Dropped.Lanes != want {
		t.Errorf("without a lane: got %d entries, %d dropped; want %d", beyond, f.Dropped.Lanes, want)
	}
}

// wantEntries compares entries by zone.
func wantEntries(t *testing.T, got, want map[string]uint64) {
	t.Helper()
	for name, n := range want {
		if got[name] != n {
			t.Errorf("%s: got %d entries; want %d", name, got[name], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %d zones; want %d", len(got), len(want))
	}
}

func TestCrowdTallyCountsAllAtOnce(t *testing.T) {
	const key, goroutines, entries = 12345, 4, 3_000_000
	var c crowdTally
	c.enroll(key, 1)
	var ended sync.WaitGroup
	for range goroutines {
		ended.Go(func() {
			for range entries {
				c.add(key, 7) // all in one part
			}
		})
	}
	got := uint64(0)
	take := func(_ int32, n uint64) { got += n }
	for range 100 {
		c.flush(take)
	}
	ended.Wait()
	if c.flush(take); got != goroutines*entries {
		t.Errorf("got %d entries; want %d", got, goroutines*entries)
	}
	if c.add(key+1, 0) > 0 {
		t.Error("a zone that is not enrolled: got it counted")
	}
}

// forget makes the tally empty, and gives its memory back.
func (c *crowdTally) forget() {
	c.flush(func(int32, uint64) {})
	if c.cells.Swap(nil) != nil {
		budget.Add(budget.Lanes, -crowdCells*cellBytes)
	}
	for _, i := range c.used {
		c.keys[i].Store(0)
	}
	c.celled, c.used = nil, nil
}

// enterSome enters zones at random, and names whose texts are new each time. It counts them.
func enterSome(r *rand.Rand, zones []*Zone, entries int, count map[string]uint64) {
	for range entries {
		z := zones[min(r.Intn(len(zones)), r.Intn(len(zones)))]
		name := z.Name
		switch r.Intn(20) {
		case 0:
			name = fmt.Sprint("text ", r.Intn(3))
			named(name).End()
		case 1:
			z.Hold().Keep(true)
		default:
			z.Begin().End()
		}
		count[name]++
	}
}

// addEntries adds the frame's entries by zone, and returns how many were without a lane.
func addEntries(to map[string]uint64, f *Frame) (beyond uint64) {
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			name := f.Zones[n.Zone].Name
			if !strings.HasPrefix(name, "crowd ") && !strings.HasPrefix(name, "text ") {
				continue
			}
			if to[name] += uint64(n.Count); f.Lanes[i].Name == unmeasuredName {
				beyond += uint64(n.Count)
			}
			if to[name] == 0 {
				delete(to, name)
			}
		}
	}
	return beyond
}

// BenchmarkWithoutLane times an entry of a goroutine beyond Limits.Lanes, on all processors at once. Compare with a
// muted entry on a lane.
func BenchmarkWithoutLane(b *testing.B) {
	for _, lanes := range []int{1, defaultLanes} {
		for _, muted := range []bool{false, true} {
			b.Run(fmt.Sprintf("lane=%v/muted=%v", lanes > 1, muted), func(b *testing.B) {
				useRealClock(b)
				zoneA.Begin().End() // the only lane
				SetLimits(Limits{Lanes: lanes})
				defer SetLimits(Limits{})
				zoneB.SetMuted(muted)
				defer zoneB.SetMuted(false)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						zoneB.Begin().End()
					}
				})
			})
		}
	}
}

// Goroutines come and go, enter more zones than a cell has, and get lanes and lose them. The oracle is what each has
// counted itself.
func TestCellsOfTheCrowd(t *testing.T) {
	useRealClock(t)
	const waves, goroutines, entries = 12, 8, 500
	zones := make([]*Zone, 4)
	for i := range zones {
		zones[i] = &Zone{Name: fmt.Sprint("crowd ", i)}
		zones[i].SetMuted(i > 0)
		defer zones[i].SetMuted(false)
	}
	defer SetLimits(Limits{})
	all, mu := map[string]uint64{}, sync.Mutex{}
	got, beyond := map[string]uint64{}, uint64(0)
	var f Frame
	Collect(&f)
	for wave := range waves {
		var half, ended sync.WaitGroup
		release := make(chan bool)
		SetLimits(Limits{Lanes: 1 + wave%2})
		half.Add(goroutines)
		for seed := range goroutines {
			ended.Go(func() {
				r, own := rand.New(rand.NewSource(int64(wave*goroutines+seed))), map[string]uint64{}
				enterSome(r, zones, entries, own)
				half.Done()
				<-release
				enterSome(r, zones, entries, own)
				mu.Lock()
				defer mu.Unlock()
				for name, n := range own {
					all[name] += n
				}
			})
		}
		half.Wait()
		if wave%3 == 0 {
			SetLimits(Limits{Lanes: goroutines * waves}) // from here on they have lanes
		}
		close(release)
		if wave%4 == 0 {
			Collect(&f)
			beyond += addEntries(got, &f)
		}
		ended.Wait()
	}
	Collect(&f)
	beyond += addEntries(got, &f)
	wantEntries(t, got, all)
	if beyond != f.Dropped.Lanes || beyond == 0 || len(unmeasured.crowd.celled) == 0 {
		t.Errorf("got %d entries without a lane, %d dropped, %d cells", beyond, f.Dropped.Lanes,
			len(unmeasured.crowd.celled))
	}
}

// A goroutine has its cell until it gets a lane, or until a later one has its record.
func TestACellIsOneGoroutines(t *testing.T) {
	if !platform.Assembly {
		t.Skip("an entry needs the goroutine's id, which takes longer than all else")
	}
	useRealClock(t)
	const zone, other, third = 1111, 2222, 3333
	c := &unmeasured.crowd
	entries := map[int32]uint64{}
	flush := func() { c.flush(func(zone int32, n uint64) { entries[zone] += n }) }
	enter := func(key, record, id uint64, own bool) {
		t.Helper()
		if got := c.addOwn(key, record, id); got != own {
			t.Fatalf("zone %d, goroutine %d: got in a cell %t", key, id, got)
		}
	}
	c.enroll(zone, 1)
	c.enroll(other, 2)
	c.enroll(third, 3)
	c.settle(zone, 1, 1, 1) // takes the memory
	enter(zone, 1, 1, false)
	for _, key := range []uint64{zone, other, third} {
		c.settle(key, 1, 1, 1)
	}
	enter(zone, 1, 1, true)
	enter(other, 1, 1, true)
	enter(third, 1, 1, false) // a cell has two
	flush()
	enter(zone, 1, 1, true)
	c.settle(third, 1, 1, crowdChange) // in the place of other
	enter(zone, 1, 1, true)
	enter(other, 1, 1, false)
	enter(third, 1, 1, true)
	c.settle(third, 1, 7, 1) // a later goroutine
	enter(zone, 1, 1, false)
	enter(zone, 1, 7, false)
	enter(third, 1, 7, true)
	second, crowded := uint64(0), uint64(0)
	for r, n := uint64(2), 1; n <= crowdWays; r++ { // more with the same cells than these
		if firstCell(r)/crowdWays != firstCell(1)/crowdWays {
			continue
		}
		if n++; n <= crowdWays {
			second = r
			c.settle(zone, r, 8, 1)
		}
		crowded = r
	}
	enter(zone, second, 8, true)
	c.settle(zone, crowded, 9, 1)
	enter(zone, crowded, 9, false)
	c.leave(1, 7)
	c.leave(second, 9) // it has none
	enter(third, 1, 7, false)
	enter(zone, second, 8, true)
	flush()
	flush()
	if want := (map[int32]uint64{1: 5, 2: 1, 3: 2}); !maps.Equal(entries, want) {
		t.Errorf("got entries by zone %v; want %v", entries, want)
	}
}
