//go:build !iprof_off

package measure

import (
	"fmt"
	"math"
	"math/rand"
	"runtime"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

func TestHundredThousandDeep(t *testing.T) {
	clock := useFakeClock(t)
	const deep = 100_000
	var f Frame
	Collect(&f)
	for range 2 {
		scopes := make([]Scope, deep)
		for i := range scopes { // by turns: entries of one zone in one stack frame pile up in fewer nodes
			scopes[i] = [...]*Zone{&zoneA, &zoneB}[i%2].Begin()
			clock.advance(1)
		}
		for i := range scopes {
			scopes[deep-1-i].End()
		}
		zoneB.Begin().End()
		Collect(&f)
		var total uint32
		var sum platform.Ticks
		for _, n := range f.Lanes[0].Nodes[1:] {
			total += n.Count
			sum += n.Self
			if n.Open {
				t.Fatal("got a node open; want all closed")
			}
		}
		if total != deep+1 || sum != deep || len(f.Lanes[0].Nodes) != DefaultDepth+3 {
			t.Errorf("got %d entries, %d ticks, %d nodes; want %d, %d, %d", total, sum, len(f.Lanes[0].Nodes), deep+1,
				deep, DefaultDepth+3)
		}
	}
	if got, want := f.Dropped.Nodes, uint64(2*(deep-DefaultDepth)); got != want {
		t.Errorf("folded entries: got %d; want %d", got, want)
	}
	if m := f.Misuse; m.ExtraEnd+m.MissingEnd+m.DeferInLoop > 0 && m.DeferInLoop == 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

func TestNodeLimitFoldsAndCounts(t *testing.T) {
	clock := useFakeClock(t)
	SetLimits(Limits{NodesPerLane: 10})
	var f Frame
	Collect(&f)
	for i := range zones40 {
		s := zones40[i].Begin()
		clock.advance(1)
		inner := zones40[(i+1)%40].Begin()
		clock.advance(1)
		inner.End()
		s.End()
	}
	got := collect(t, &f)
	var entries uint32
	var sum platform.Ticks
	for path, r := range got {
		entries += r.count
		sum += r.self
		if r.open {
			t.Errorf("%q: got it open; want it closed", path)
		}
	}
	if entries != 80 || sum != 80 || f.Dropped.Nodes != 80-9 {
		t.Errorf("got %d entries, %d ticks, %d folded; want 80, 80, 71", entries, sum, f.Dropped.Nodes)
	}
	if len(got) > 21 || got["(other)"].count == 0 {
		t.Errorf("rows: got %d, (other) %+v; want at most 21, and some", len(got), got["(other)"])
	}
}

func TestMoreNamesThanAllowedAtOnePlace(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	for i := range 2000 {
		named(fmt.Sprint("name ", i)).End()
	}
	got := collect(t, &f)
	if len(got) != 1+defaultNamesAtPlace+1 || got["(other)"].count != 2000-defaultNamesAtPlace {
		t.Errorf("got %d rows, (other) %d times; want %d, %d", len(got), got["(other)"].count, defaultNamesAtPlace+2,
			2000-defaultNamesAtPlace)
	}
	if f.Dropped.Names != 2000-defaultNamesAtPlace {
		t.Errorf("dropped names: got %d; want %d", f.Dropped.Names, 2000-defaultNamesAtPlace)
	}
	named("elsewhere").End()
	if got := collect(t, &f); got["elsewhere"].count != 1 {
		t.Errorf("another place: got %v; want its name", got)
	}
}

func TestMoreZonesThanAllowed(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	SetLimits(Limits{Zones: len(f.Zones) + 5})
	for i := range 20 {
		z := &Zone{Name: fmt.Sprint("many ", i)}
		z.Begin().End()
	}
	got := collect(t, &f)
	if got["(other)"].count < 14 || f.Dropped.Names != uint64(got["(other)"].count) {
		t.Errorf("(other): got %d entries, %d dropped; want at least 14, and as many", got["(other)"].count,
			f.Dropped.Names)
	}
}

func TestGoroutinesBeyondTheLimitAreCountedByZone(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	SetLimits(Limits{Lanes: 10})
	const goroutines = 50
	release := make(chan bool)
	var in, all sync.WaitGroup
	for range goroutines {
		in.Add(1)
		all.Go(func() {
			s := zoneA.Begin()
			defer s.End()
			named("x").End()
			in.Done()
			<-release
		})
	}
	in.Wait()
	Collect(&f)
	close(release)
	all.Wait()
	var measured, counted uint32
	for i := range f.Lanes {
		for path, r := range rows(t, &f, &f.Lanes[i]) {
			if strings.HasSuffix(path, "a") && path[0] != '(' {
				measured += r.count
			} else if path == "(unmeasured goroutines)/a" {
				counted = r.count
			}
		}
	}
	if measured != 9 || counted != goroutines-9 || f.Dropped.Lanes != 2*(goroutines-9) {
		t.Errorf("got %d measured, %d counted, %d dropped; want 9, %d, %d", measured, counted, f.Dropped.Lanes,
			goroutines-9, 2*(goroutines-9))
	}
	if got := entriesOf(&f, "(unmeasured goroutines)"); got != 0 {
		t.Errorf("around them: got %d entries; want none, or all would count twice", got)
	}
	if got := f.Lanes[len(f.Lanes)-1].Name; got != "(unmeasured goroutines)" {
		t.Errorf("last lane: got %q; want the unmeasured ones", got)
	}
}

// heapInUse returns the bytes in live objects.
func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A million goroutines go through the same stacks. None is dropped, and they leave little memory behind: that of the
// lanes of those that there are at once.
func TestMillionGoroutinesDropNothingAndLeaveLittleMemory(t *testing.T) {
	t.Run("stacks=2", func(t *testing.T) { millionGoroutines(t, 1, 1, 2<<20) })
	t.Run("stacks=220", func(t *testing.T) { millionGoroutines(t, 20, 10, 8<<20) })
}

// keptRecords is how many goroutines that have ended each processor may keep for later ones: what the runtime calls
// gFree. Each is a place of its own, so it has a lane.
const keptRecords = 64

func millionGoroutines(t *testing.T, outer, inner int, limit int64) {
	useRealClock(t)
	goroutines := 1_000_000
	if !platform.Assembly || raceEnabled {
		goroutines = 10_000
	}
	if testing.Short() {
		goroutines /= 10
	}
	var f Frame
	run := func(n int) {
		slots := make(chan bool, 64)
		for i := range n {
			slots <- true
			go func() {
				s := zones40[i%outer].Begin()
				zones40[20+i/outer%inner].Begin().End()
				s.End()
				<-slots
			}()
		}
		for range cap(slots) {
			slots <- true
		}
	}
	run(1000)
	Collect(&f)
	before, calls := heapInUse(), uint64(0)
	for range 10 {
		run(goroutines / 10)
		Collect(&f)
		for i := range f.Lanes {
			for _, n := range f.Lanes[i].Nodes {
				if f.Zones[n.Zone].Name != unmeasuredName {
					calls += uint64(n.Count)
				}
			}
		}
	}
	if got, want := calls, uint64(2*goroutines); got != want {
		t.Errorf("entries: got %d; want %d", got, want)
	}
	// One lane with all its stacks.
	lane := int64(outer*(inner+1))*int64(unsafe.Sizeof(node{})+unsafe.Sizeof(baseline{})) + laneBytes
	limit += int64(max(runtime.GOMAXPROCS(0)-2, 0)*keptRecords) * lane * 5 / 4
	if platform.Assembly && f.Dropped.Lanes != 0 {
		t.Errorf("goroutines without a lane: got %d entries; want 0", f.Dropped.Lanes)
	}
	if !platform.Assembly {
		limit += 14 << 20 // an id is no place: each goroutine needs a lane of its own until it is given up
	}
	if grown := heapInUse() - before; grown > limit {
		t.Errorf("heap growth: got %d bytes; want at most %d", grown, limit)
	}
}

func TestUnusedLanesAreGivenUp(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	before := nodeIDs.inUse() // also those of zones that earlier tests entered without a lane, which are kept
	const goroutines = 3000
	release := make(chan bool)
	var in, all sync.WaitGroup
	in.Add(goroutines)
	for range goroutines {
		all.Go(func() {
			zoneA.Begin().End()
			in.Done()
			<-release
			zoneB.Begin().End()
			in.Done()
		})
	}
	in.Wait()
	Collect(&f)
	peak := len(registry.lanes)
	for range 2*idleFrames + 10 {
		clock.advance(1000)
		Collect(&f)
	}
	homes := 0 // lanes in home slots are kept
	for _, l := range registry.lanes {
		if platform.Home(l.key) == l.slot {
			homes++
		}
	}
	if got := len(registry.lanes); peak <= goroutines || got > homes+1 {
		t.Errorf("lanes: got %d, then %d; want more than %d, then at most %d", peak, got, goroutines, homes+1)
	}
	if got := nodeIDs.inUse() - before; got > 2*homes {
		t.Errorf("node numbers in use: got %d more; want at most 2 for each of %d lanes", got, homes)
	}
	in.Add(goroutines)
	close(release)
	all.Wait()
	Collect(&f)
	var count uint32
	for i := range f.Lanes {
		count += rows(t, &f, &f.Lanes[i])["b"].count
	}
	if count != goroutines {
		t.Errorf("entries afterwards: got %d; want %d", count, goroutines)
	}
}

func TestNodeNumbersAreDenseAndUsedAgain(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	inUse := nodeIDs.inUse()
	for range 100 {
		elsewhere(t, func() {
			lane := Register("short")
			zoneA.Begin().End()
			lane.Close()
		})
		Collect(&f)
		ids := map[NodeID]bool{}
		for i := range f.Lanes {
			for _, n := range f.Lanes[i].Nodes {
				if ids[n.ID] {
					t.Fatalf("node number %d: got it twice in a frame; want it once", n.ID)
				}
				ids[n.ID] = true
			}
		}
	}
	Collect(&f)
	if got := nodeIDs.inUse(); got > inUse+2 {
		t.Errorf("node numbers in use: got %d; want about %d", got, inUse)
	}
}

// The oracle is the set of numbers in use.
func TestNumbersInUseDifferAndAreDense(t *testing.T) {
	var p numberPool
	r, used, most := rand.New(rand.NewSource(1)), map[uint32]bool{}, 0
	for range 2000 {
		if r.Intn(3) > 0 {
			n := p.take()
			if used[n] {
				t.Fatalf("%d is in use already", n)
			}
			used[n] = true
			if most = max(most, len(used)); int(n) >= most {
				t.Fatalf("got %d; want less than %d", n, most)
			}
		} else {
			for n := range used {
				p.giveBack(n)
				delete(used, n)
				break
			}
		}
		if p.inUse() != len(used) {
			t.Fatalf("got %d in use; want %d", p.inUse(), len(used))
		}
	}
}

func TestTallyIsTakenOnce(t *testing.T) {
	var all tally
	take := func(move bool) (got string) {
		all.take(move, func(i int, n uint32) { got += fmt.Sprint(i, ":", n, " ") })
		return got
	}
	for _, i := range []int{3, 1, 3} {
		all.add(i, 1)
	}
	look, taken, rest := take(false), take(true), take(true)
	if look != "1:1 3:2 " || taken != look || rest != "" {
		t.Errorf("got %q, %q, %q; want 1:1 3:2 twice, then nothing", look, taken, rest)
	}
	all.counts[1] = math.MaxUint32 + 5
	first, rest := take(true), take(true)
	if first != "1:4294967295 " || rest != "1:5 " {
		t.Errorf("large: got %q, %q; want all that 32 bits hold, then 5", first, rest)
	}
	all.add(0, 1)
	if all.reset(); take(true) != "" {
		t.Error("after Reset: got counts; want none")
	}
}

// fewZones are limits that a small test reaches.
var fewZones = &Limits{Zones: 4, NamesAtPlace: 2}

// register registers a public zone.
func register(t *zoneTable, z *Zone) (id ZoneID, known bool) {
	return t.register(z, fewZones, "", sites.Line{})
}

// placeHere is a return address in this file.
func placeHere(t *testing.T) uintptr {
	t.Helper()
	pcs := make([]uintptr, 1)
	if runtime.Callers(2, pcs) == 0 {
		t.Fatal("got no caller")
	}
	return pcs[0]
}

func TestZonesHaveNumbers(t *testing.T) {
	var zones zoneTable
	x, y := &Zone{Name: "x"}, &Zone{Name: "y"}
	if _, known := zones.find(x); known || zones.info(0) != (ZoneInfo{}) {
		t.Error("empty: got a zone; want none")
	}
	pc := placeHere(t)
	own := zones.own("(mine)")
	first, _ := register(&zones, x)
	site, key, known := zones.site(pc, "s", 7|sites.KeyText, fewZones)
	if own != 1 || first != 2 || site != 3 || key != 7 || !known {
		t.Errorf("got %d, %d, %d with key %d, known %t; want 1, 2, 3 with key 7, true", own, first, site, key, known)
	}
	var names []string
	for _, info := range zones.all() {
		names = append(names, info.Name)
	}
	if got := fmt.Sprint(names); got != "[(root) (mine) x s]" {
		t.Errorf("got %s; want [(root) (mine) x s]", got)
	}
	if again, _ := register(&zones, x); again != first || zones.own("(mine)") != own {
		t.Errorf("again: got %d; want %d", again, first)
	}
	id, known := zones.find(x)
	if id != first || !known || zones.info(id).Name != "x" || zones.info(-1) != (ZoneInfo{}) {
		t.Errorf("got %d, %t, %v; want %d, true and its description", id, known, zones.info(id), first)
	}
	if _, known := register(&zones, y); known {
		t.Error("beyond the limit: got a public zone; want none")
	}
	if _, _, known := zones.site(pc, "s2", 8, fewZones); known {
		t.Error("beyond the limit: got a private zone; want none")
	}
	zones.each(func(z *Zone, id ZoneID) {
		if z != x || id != first {
			t.Errorf("got public zone %d; want %d", id, first)
		}
	})
	zones.do(y, func(id ZoneID, known bool) {
		if known {
			t.Errorf("got %d; want no number", id)
		}
	})
}

func TestNamesAtAPlaceAreLimited(t *testing.T) {
	var zones zoneTable
	pc, most := placeHere(t), &Limits{Zones: 100, NamesAtPlace: 2}
	for i, want := range []bool{true, true, false} {
		if _, _, known := zones.site(pc, fmt.Sprint(i), uint64(i)<<8|sites.KeyText, most); known != want {
			t.Errorf("name %d: got known %t; want %t", i, known, want)
		}
	}
}

// TestTextIsKeptAfterSomeEntries enters a site until its text is kept. Then its key has the bit KeyText.
func TestTextIsKeptAfterSomeEntries(t *testing.T) {
	var zones zoneTable
	pc, key := placeHere(t), uint64(9|sites.KeyText)
	for i := range sites.Entries {
		_, own, _ := zones.site(pc, "text", key, fewZones)
		if kept := own == key; kept != (i == sites.Entries-1) {
			t.Fatalf("entry %d: got kept %t", i, kept)
		}
	}
}
