//go:build !iprof_off

package measure

import (
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/allocstest"
	"example.com/iprof/platform"
)

func TestKeptHoldIsLikeAnyEntry(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	zoneA.Begin().End()
	for range 2 {
		h := zoneA.Hold()
		clock.advance(3)
		b := zoneB.Begin()
		clock.advance(4)
		Alloc(10)
		b.End()
		h.Keep(true)
	}
	got := collect(t, &f)
	want(t, got, "a", 6, 3, false)
	want(t, got, "a/b", 8, 2, false)
	if len(got) != 3 {
		t.Errorf("rows: got %v; want the root, a and a/b", got)
	}
	if n := f.Lanes[0].Extra(2); n.Allocs != 2 || n.AllocBytes != 20 {
		t.Errorf("allocations of a/b: got %d with %d bytes; want 2 with 20", n.Allocs, n.AllocBytes)
	}
}

func TestDiscardedHoldIsNotKept(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	for i := range 3 {
		c := zoneC.Begin()
		h := zoneA.Hold()
		clock.advance(3)
		b := zoneB.Begin()
		clock.advance(4)
		Alloc(10)
		if i == 0 {
			Discard()
		}
		b.End()
		h.Keep(i != 1) // the first is discarded although it would be kept, the last is kept
		c.End()
	}
	got := collect(t, &f)
	want(t, got, "c/(not kept)", 14, 2, false)
	want(t, got, "c/a", 3, 1, false)
	want(t, got, "c/a/b", 4, 1, false)
	want(t, got, "c", 0, 3, false)
	if len(got) != 5 {
		t.Errorf("rows: got %v; want 5", got)
	}
	if n := f.Lanes[0].Nodes[2]; f.Zones[n.Zone].Name == notKeptName && f.Lanes[0].Extra(2).AllocBytes != 20 {
		t.Errorf("bytes not kept: got %d; want 20", f.Lanes[0].Extra(2).AllocBytes)
	}
	if m := f.Misuse; m.MissingEnd+m.ExtraEnd != 0 {
		t.Errorf("misuse: got %+v; want none", m)
	}
}

func TestMisusedHoldsAreKeptAndSumToTheFrame(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	Discard()
	Held{}.Keep(true)
	zones40[0].Hold().KeepIf(nil)
	outer := zoneC.Begin()
	h := zoneA.Hold()
	clock.advance(2)
	outer.End() // closes the hold
	h.Keep(false)
	other := zoneB.Hold()
	clock.advance(4)
	done := make(chan bool)
	go func() { other.Keep(false); done <- true }()
	<-done
	clock.advance(8)
	zoneC.Begin().End()
	got := collect(t, &f)
	if a := got["c/a"]; a.self != 2 || a.count != 1 || a.open {
		t.Errorf("never decided: got %+v; want it kept", a)
	}
	want(t, got, "(not kept)", 4, 1, false)
	if m := f.Misuse; m.MissingEnd != 1 || m.ExtraEnd != 1 || m.OtherLane != 1 {
		t.Errorf("misuse: got %+v; want one missing, one extra, one on another lane", m)
	}
	SetRecording(false)
	if got := zoneA.Hold(); got != (Held{}) {
		t.Errorf("off: got %v; want the zero Held", got)
	}
}

func TestHoldBeyondTheLimitsLosesNothing(t *testing.T) {
	clock := useFakeClock(t)
	var f Frame
	Collect(&f)
	SetLimits(Limits{NodesPerLane: 6})
	for range 5 {
		h := zoneA.Hold()
		for i := range 10 {
			s := zones40[i].Begin()
			clock.advance(1)
			s.End()
		}
		h.Keep(true)
	}
	var sum platform.Ticks
	var count uint32
	for _, r := range collect(t, &f) {
		sum, count = sum+r.self, count+r.count
	}
	if sum != 50 || count != 55 {
		t.Errorf("got %d ticks, %d entries; want 50, 55", sum, count)
	}
}

// TestHoldsAtFullSpeed takes the path through the assembly below the holds.
func TestHoldsAtFullSpeed(t *testing.T) {
	useRealClock(t)
	var f Frame
	Collect(&f)
	for i := range 1000 {
		h := zoneA.Hold()
		for range 3 {
			leaf := zoneB.Begin()
			zoneC.Begin().End()
			leaf.End()
		}
		h.Keep(i%4 == 0)
	}
	got := collect(t, &f)
	if got["a"].count != 250 || got["a/b"].count != 750 || got["a/b/c"].count != 750 || got[notKeptName].count != 750 ||
		len(got) != 5 {
		t.Errorf("got %+v; want 250, 750, 750 entries, and 750 not kept", got)
	}
	allocs := allocstest.PerRun(100, func() {
		h := zoneA.Hold()
		zoneB.Begin().End()
		h.Keep(false)
		zoneA.Hold().Keep(true)
	})
	if allocs != 0 && platform.Assembly {
		t.Errorf("allocations: got %v; want 0", allocs)
	}
}

// holdOracle replays all that happened once it is known what was kept.
type holdOracle struct {
	steps []holdStep
	open  []int // steps that entered something
}

type holdStep struct {
	at           platform.Ticks
	zone         string // entered; "" ends the innermost, "on" and "off" switch recording
	drop         bool   // it is a hold that was not kept
	held         bool
	scope        Scope
	hold         Held
	switches, on bool
}

// rows returns what all frames together must contain.
func (o *holdOracle) rows() map[string]row {
	result := map[string]row{}
	var stack []int
	recording, at := true, o.steps[0].at
	path := func() (string, bool) {
		var names []string
		for i, step := range stack {
			if o.steps[step].drop {
				return strings.Join(append(names, notKeptName), "/"), i == len(stack)-1
			}
			names = append(names, o.steps[step].zone)
		}
		return strings.Join(names, "/"), true
	}
	for i, s := range o.steps {
		where, _ := path()
		r := result[where]
		if recording {
			r.self += s.at - at
		}
		result[where], at = r, s.at
		switch {
		case s.switches:
			recording = s.on
		case s.zone == "":
			stack = stack[:len(stack)-1]
		default:
			stack = append(stack, i)
			if where, counts := path(); counts {
				r := result[where]
				r.count++
				result[where] = r
			}
		}
	}
	maps.DeleteFunc(result, func(_ string, r row) bool { return r == row{} })
	return result
}

// enter enters a zone, or holds it.
func (o *holdOracle) enter(r *rand.Rand) {
	z := &zones40[r.Intn(6)]
	s := holdStep{at: platform.Now(), zone: z.Name, held: r.Intn(4) == 0}
	if s.held {
		s.hold = z.Hold()
	} else {
		s.scope = z.Begin()
	}
	o.open = append(o.open, len(o.steps))
	o.steps = append(o.steps, s)
}

// leave ends the innermost entry, and decides about it.
func (o *holdOracle) leave(r *rand.Rand) {
	s := &o.steps[o.open[len(o.open)-1]]
	if s.held {
		keep := r.Intn(2) == 0
		s.drop = s.drop || !keep
		s.hold.Keep(keep)
	} else {
		s.scope.End()
	}
	o.open = o.open[:len(o.open)-1]
	o.steps = append(o.steps, holdStep{at: platform.Now()})
}

func (o *holdOracle) discard() {
	Discard()
	for _, i := range slices.Backward(o.open) {
		if o.steps[i].held {
			o.steps[i].drop = true
			return
		}
	}
}

func TestRandomHoldsAgainstTheOracle(t *testing.T) {
	for seed := range int64(200) {
		if randomHolds(t, seed); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func randomHolds(t *testing.T, seed int64) {
	r := rand.New(rand.NewSource(seed))
	clock := useFakeClock(t)
	var f Frame
	got, o := map[string]row{}, holdOracle{}
	Register("holds")
	Collect(&f)
	o.steps = append(o.steps, holdStep{at: platform.Now(), switches: true, on: true})
	add := func() {
		for path, r := range collect(t, &f) {
			sum := got[path]
			got[path] = row{self: sum.self + r.self, count: sum.count + r.count}
		}
	}
	on := true
	for range 300 {
		clock.advance(1 + r.Int63n(20))
		switch dice := r.Intn(100); {
		case dice < 4:
			on = !on
			o.steps = append(o.steps, holdStep{at: platform.Now(), switches: true, on: on})
			SetRecording(on)
		case dice < 10:
			Peek(&f)
			add()
		case dice < 13:
			o.discard()
		case len(o.open) > 0 && (dice < 55 || len(o.open) > 12):
			o.leave(r)
		case on:
			o.enter(r)
		}
	}
	for len(o.open) > 0 {
		o.leave(r)
	}
	o.steps = append(o.steps, holdStep{at: platform.Now(), switches: true, on: true})
	SetRecording(true)
	for range 20 { // what is owed waits for a frame in which its parent is reported
		for i := range 6 {
			zones40[i].Begin().End()
		}
		add()
	}
	laneFor(false).Close()
	for i := range 6 {
		r := got[zones40[i].Name]
		r.count -= 20
		got[zones40[i].Name] = r
	}
	maps.DeleteFunc(got, func(_ string, r row) bool { return r == row{} })
	compareHolds(t, got, o.rows())
}

// compareHolds compares rows; "(pending)" may stand besides.
func compareHolds(t *testing.T, got, wanted map[string]row) {
	t.Helper()
	for path := range maps.Keys(wanted) {
		if got[path] != wanted[path] {
			t.Errorf("%q: got %+v; want %+v", path, got[path], wanted[path])
		}
	}
	for path, r := range got {
		if _, known := wanted[path]; !known && !(strings.HasSuffix(path, pendingName)) {
			t.Errorf("%q: got %+v; want no such row", path, r)
		}
	}
}
