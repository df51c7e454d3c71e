//go:build !iprof_off

package measure

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
)

var (
	zoneA   = Zone{Name: "a"}
	zoneB   = Zone{Name: "b"}
	zoneC   = Zone{Name: "c"}
	zones40 [40]Zone
)

func init() {
	for i := range zones40 {
		zones40[i].Name = fmt.Sprint("z", i)
	}
}

func TestPeekMovesNothing(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	a := zoneA.Begin()
	clock.advance(5)
	Alloc(3)
	for range 2 {
		Peek(&f)
		want(t, rows(t, &f, &f.Lanes[0]), "a", 5, 1, true)
	}
	a.End()
	want(t, collect(t, &f), "a", 5, 1, false)
	if got := f.Lanes[0].Extra(1).AllocBytes; got != 3 {
		t.Errorf("allocated: got %d; want 3", got)
	}
	if f.Index != 1 {
		t.Errorf("index: got %d; want 1", f.Index)
	}
}

func TestRecursionIsExactAtEveryDepth(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	var recurse func(n int)
	recurse = func(n int) {
		defer zoneA.Begin().End()
		clock.advance(1)
		if n > 1 {
			recurse(n - 1)
		}
	}
	recurse(13)
	Collect(&f)
	nodes := f.Lanes[0].Nodes
	if len(nodes) != 14 {
		t.Fatalf("nodes: got %d; want 14", len(nodes))
	}
	for i, n := range nodes[1:] {
		if n.Self != 1 || n.Count != 1 || n.Depth != int32(i) {
			t.Errorf("depth %d: got self %d, count %d, depth %d; want 1, 1, %d", i, n.Self, n.Count, n.Depth, i)
		}
	}
}

func TestTwoPlacesAndTwoNamesAreRows(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	enter := func(name string) {
		s := named(name)
		clock.advance(1)
		s.End()
	}
	for i := range 6 {
		enter([]string{"x", "y"}[i%2])
		enter(strings.Repeat("z", 1+i%2)) // made anew each time: the text decides, not its address
	}
	s := named("x") // the same name elsewhere
	clock.advance(1)
	s.End()
	Collect(&f)
	got := map[string]platform.Ticks{}
	for _, n := range f.Lanes[0].Nodes[1:] {
		z := f.Zones[n.Zone]
		got[fmt.Sprintf("%s:%s", z.Name, z.Function[strings.LastIndexByte(z.Function, '.')+1:])] += n.Self
	}
	if fmt.Sprint(got) != "map[x:TestTwoPlacesAndTwoNamesAreRows:1 x:func1:3 y:func1:3 z:func1:3 zz:func1:3]" {
		t.Errorf("rows: got %v; want x and y, z, zz of func1 with 3 ticks each, and x of the test with 1", got)
	}
}

func generic[T any]() { named("generic").End() }

func inlined() { named("inlined").End() }

func TestInstancesAndInlinedCopiesAreOneRow(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	generic[int]()
	generic[string]()
	generic[struct{ p *int }]()
	inlined()
	inlined()
	Collect(&f)
	zones := map[ZoneID]string{}
	for _, n := range f.Lanes[0].Nodes[1:] {
		zones[n.Zone] = f.Zones[n.Zone].Name
	}
	if len(zones) != 2 {
		t.Errorf("zones: got %v; want one of each", zones)
	}
}

func TestFuncNamesItself(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	named("").End()
	if got := collect(t, &f); got["measure.TestFuncNamesItself"].count != 1 {
		t.Errorf("rows: got %v; want measure.TestFuncNamesItself", got)
	}
}

func TestZoneKnowsWhereItWasFirstEntered(t *testing.T) {
	useFakeClock(t)
	z := &Zone{Name: "placed", Idle: true}
	_, file, line, _ := runtime.Caller(0)
	z.Begin().End()
	var f Frame
	Collect(&f)
	info := f.Zones[len(f.Zones)-1]
	if info.Name != "placed" || info.File != file || info.Line != line+1 ||
		!info.Public || !info.Idle || !strings.HasSuffix(info.Function, ".TestZoneKnowsWhereItWasFirstEntered") {
		t.Errorf("zone: got %+v; want placed at line %d, public and idle", info, line+1)
	}
}

func TestAllocAndFreeAreChargedToTheOpenZone(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	s := zoneA.Begin()
	Alloc(100)
	Alloc(-5)
	Free(30)
	s.End()
	Alloc(1)
	Collect(&f)
	root, a := f.Lanes[0].Extra(0), f.Lanes[0].Extra(1)
	if a.Allocs != 2 || a.AllocBytes != 100 || a.Frees != 1 || a.FreeBytes != 30 || root.AllocBytes != 1 {
		t.Errorf("got %+v, %+v; want 2 of 100 bytes, 1 of 30 freed, 1 byte at the root", a, root)
	}
	if Collect(&f); len(f.Lanes[0].Extras) != 0 {
		t.Error("next frame: got allocations; want none")
	}
}

func TestUnregisteredGoroutinesAreAbsent(t *testing.T) {
	useFakeClock(t)
	SetAutoRegister(false)
	var f Frame
	done := make(chan bool)
	go func() {
		zoneA.Begin().End()
		named("x").End()
		lane := Register("known")
		defer close(done)
		defer lane.Close()
		zoneB.Begin().End()
	}()
	<-done
	zoneA.Begin().End()
	Collect(&f)
	if len(f.Lanes) != 1 || f.Lanes[0].Name != "known" || f.Lanes[0].Updater {
		t.Fatalf("lanes: got %+v; want the known one", f.Lanes)
	}
	got := rows(t, &f, &f.Lanes[0])
	want(t, got, "b", 0, 1, false)
	if len(got) != 2 || f.Dropped.Lanes != 0 {
		t.Errorf("rows: got %v, %d dropped; want b and the root, 0", got, f.Dropped.Lanes)
	}
}

func TestInOnALaneIsBeginOnIt(t *testing.T) {
	clock := useFakeClock(t)
	lane := Register("mine")
	var f Frame
	Collect(&f)
	s := zoneA.In(lane)
	clock.advance(2)
	zoneB.In(lane).End()
	zoneC.Begin().End()
	s.End()
	got := collect(t, &f)
	want(t, got, "a", 2, 1, false)
	want(t, got, "a/b", 0, 1, false)
	want(t, got, "a/c", 0, 1, false)
	if lane.Name() != "mine" || lane.ID() != f.Lanes[0].ID || f.Lanes[0].Name != "mine" {
		t.Errorf("lane: got %q %d; want mine %d", lane.Name(), lane.ID(), f.Lanes[0].ID)
	}
	lane.Close()
	lane.Close()
	zoneA.In(lane).End() // the goroutine's own lane now
	zoneA.In(nil).End()
	want(t, collect(t, &f), "a", 0, 2, false)
	if f.Lanes[0].ID == lane.ID() {
		t.Error("lane after Close: got the same; want another")
	}
	var none *Lane
	none.Close()
	var zone *Zone
	zone.Begin().End()
}

// Texts that lie at the same address one after another are zones of their own. A program that makes names and forgets
// them has that whenever the collector runs.
func TestNamesAtOneAddress(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	place := make([]byte, 7)
	for i := range 20 {
		copy(place, fmt.Sprintf("text %02d", i))
		for range 1 + i%3 {
			named(unsafe.String(&place[0], len(place))).End()
		}
	}
	got := collect(t, &f)
	for i := range 20 {
		if name := fmt.Sprintf("text %02d", i); got[name].count != uint32(1+i%3) {
			t.Errorf("%s: got %d entries; want %d", name, got[name].count, 1+i%3)
		}
	}
}

func TestZoneID(t *testing.T) {
	looked := &Zone{Name: "looked at"}
	if id, known := looked.ID(); known {
		t.Errorf("before it was entered: got id %d; want none", id)
	}
	looked.Begin().End()
	id, known := looked.ID()
	if info := zones.info(id); !known || info.Name != "looked at" || !info.Public {
		t.Errorf("got id %d, %v, which is %+v; want the zone's", id, known, info)
	}
}

// A goroutine that only looks must not become a lane of the host's.
func TestPeekMakesNoLane(t *testing.T) {
	var f Frame
	Collect(&f)
	registry.mu.Lock()
	before := registry.lastLane
	registry.mu.Unlock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		var f Frame
		Peek(&f)
	}()
	<-done
	registry.mu.Lock()
	defer registry.mu.Unlock()
	if registry.lastLane != before {
		t.Errorf("Peek on a goroutine without zones made %d lanes; want none", registry.lastLane-before)
	}
}

// TestChildrenGiveWhatTheirParentLacks has a chain in which what a child gives is its descendants'.
func TestChildrenGiveWhatTheirParentLacks(t *testing.T) {
	node := func(parent int32, self platform.Ticks) Node { return Node{Parent: parent, Self: self} }
	for _, c := range []struct {
		name  string
		nodes []Node
		want  string
	}{
		{"nothing lacks", []Node{node(-1, 0), node(0, 5)}, "[0 5] "},
		{"the largest gives", []Node{node(-1, 9), node(0, -3), node(1, 2), node(1, 7)}, "[9 0 2 4] 3:3 "},
		{"two give", []Node{node(-1, -8), node(0, 6), node(0, 5)}, "[0 0 3] 1:6 2:2 "},
		{"a grandchild gives", []Node{node(-1, -4), node(0, 0), node(1, 9)}, "[0 0 5] 1:4 2:4 "},
		{"too little", []Node{node(-1, -4), node(0, 1)}, "[-3 0] 1:1 "},
		{"no child", []Node{node(-1, 4), node(0, -1)}, "[4 -1] "},
	} {
		t.Run(c.name, func(t *testing.T) {
			given := ""
			evenOut(c.nodes, func(child int32, part platform.Ticks) { given += fmt.Sprint(child, ":", part, " ") })
			var times []platform.Ticks
			for _, n := range c.nodes {
				times = append(times, n.Self)
			}
			if got := fmt.Sprint(times, " ", given); got != c.want {
				t.Errorf("got %s; want %s", got, c.want)
			}
		})
	}
}

// A goroutine without zones for many frames enters one more and ends, after the end of a frame has read its lane and
// before it drops lanes. The next frame has the entry. All lanes of the program sleep by then.
func TestLastEntryOfAnIdleLane(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	entered, last, ended := make(chan bool), make(chan bool), make(chan bool)
	var key, id uint64
	var lane *Lane
	go func() {
		defer close(ended)
		key, id = platform.Identity()
		zoneA.Begin().End()
		lane = laneFor(false)
		entered <- true
		<-last
		zoneA.Begin().End()
	}()
	<-entered
	later := newPlayer("later") // its lane is looked at last
	for range 2 * vacantFrames {
		clock.advance(1)
		Collect(&f)
	}
	later.lane.mu.Lock()
	clock.advance(1)
	done := make(chan bool)
	go func() {
		defer close(done)
		Collect(&f)
	}()
	must.Until(t, "the lane is parked", func() bool {
		lane.mu.Lock()
		defer lane.mu.Unlock()
		return lane.parked && reportedTo.Load() == int64(platform.Now())
	})
	close(last)
	<-ended
	must.Until(t, "the goroutine ends", func() bool { return platform.Ended(key, id) || !platform.Assembly })
	later.lane.mu.Unlock()
	<-done
	sum := entriesOf(&f, "a")
	Collect(&f)
	if sum += entriesOf(&f, "a"); sum != 1 {
		t.Errorf("got %d entries; want the last one", sum)
	}
	close(later.orders)
}
