//go:build !iprof_off

package measure

import (
	"strings"
	"sync/atomic"
	"testing"

	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// SettleEarly puts nodes into the lanes' tables from the first sibling on, with how 1, and has quiet ones there left
// out from the next frame on. With how 0 all is as usual. The function restore does that, too.
func SettleEarly(how int) (restore func()) {
	chainLong, quietAfter = 4, 64
	if how > 0 {
		chainLong, quietAfter = 0, 1
	}
	return func() { chainLong, quietAfter = 4, 64 }
}

// fakeClock is a clock that a test moves.
type fakeClock struct {
	now     atomic.Int64
	reading int64 // takes so long
	pair    int64 // see pay
}

// useFakeClock installs a clock at 0, with 1,000 ticks a second, until the test ends. Everything measured before is
// forgotten.
func useFakeClock(t testing.TB) *fakeClock {
	t.Helper()
	c := new(fakeClock)
	platform.SetClock(func() int64 { return c.now.Add(c.reading) }, 1000)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	forget()
	return c
}

// useRealClock forgets everything measured before.
func useRealClock(t testing.TB) {
	t.Helper()
	platform.SetClock(nil, 0)
	forget()
}

// forget drops all lanes, counts and limits.
func forget() {
	SetLimits(Limits{})
	SetEvents(0)
	SetRecording(true)
	SetAutoRegister(true)
	registry.mu.Lock()
	newEpoch()
	registry.mu.Unlock()
	unmeasured.crowd.forget()
	unmeasured.entries.reset()
	misuse.Reset()
	dropped.names.Store(0)
	dropped.nodes.Store(0)
	dropped.lanes.Store(0)
	dropped.events.Store(0)
	slowCalls.mu.Lock()
	slowCalls.list = nil
	slowCalls.usual = nil
	slowCalls.dropped = 0
	slowCalls.usualAt = quiet.Index{}
	slowCalls.mu.Unlock()
}

func (c *fakeClock) advance(ticks int64) { c.now.Add(ticks) }

// row is a node without its numbers' meaning: what tests compare.
type row struct {
	self   platform.Ticks
	count  uint32
	open   bool
	errors uint64
}

// rows returns a lane's nodes by path: zone names from the root's child on, joined by "/"; the root is "".
func rows(t testing.TB, f *Frame, lane *LaneFrame) map[string]row {
	t.Helper()
	paths, result := make([]string, len(lane.Nodes)), make(map[string]row)
	var sum platform.Ticks
	for i, n := range lane.Nodes {
		if (i == 0) != (n.Parent < 0) || int(n.Parent) >= i {
			t.Fatalf("node %d: got parent %d; want an earlier one", i, n.Parent)
		}
		if i > 0 {
			paths[i] = strings.TrimPrefix(paths[n.Parent]+"/"+f.Zones[n.Zone].Name, "/")
		}
		if _, twice := result[paths[i]]; twice {
			t.Fatalf("node %q: got it twice; want it once", paths[i])
		}
		result[paths[i]] = row{n.Self, n.Count, n.Open, lane.Extra(i).Errors}
		sum += n.Self
	}
	if sum != lane.End-lane.Begin {
		t.Errorf("lane %q: got self times that sum to %d; want %d", lane.Name, sum, lane.End-lane.Begin)
	}
	return result
}

// laneNamed returns a lane of the frame, nil if it is not there.
func laneNamed(f *Frame, name string) *LaneFrame {
	for i := range f.Lanes {
		if f.Lanes[i].Name == name {
			return &f.Lanes[i]
		}
	}
	return nil
}

// collect ends a frame and returns the calling goroutine's rows.
func collect(t testing.TB, f *Frame) map[string]row {
	t.Helper()
	Collect(f)
	if len(f.Lanes) == 0 || !f.Lanes[0].Updater {
		t.Fatalf("lanes: got %d; want the updater's first", len(f.Lanes))
	}
	return rows(t, f, &f.Lanes[0])
}

// want compares rows by their self time, count and whether they are open.
func want(t testing.TB, got map[string]row, path string, self platform.Ticks, count uint32, open bool) {
	t.Helper()
	r, found := got[path]
	if r.self != self || r.count != count || r.open != open || !found {
		t.Errorf("%q: got self %d, count %d, open %v (there: %v); want %d, %d, %v", path, r.self, r.count, r.open,
			found, self, count, open)
	}
}

// named enters a private zone as package iprof does.
//
//go:noinline
func named(name string) Scope {
	slot, now, pc := platform.EnterCaller()
	return OpenSite(slot, now, pc, name)
}

// wantNote checks that a sentence about misuse was kept.
func wantNote(t testing.TB, f *Frame, parts ...string) {
	t.Helper()
	for _, note := range f.Misuse.Notes {
		all := true
		for _, part := range parts {
			all = all && strings.Contains(note, part)
		}
		if all {
			return
		}
	}
	t.Errorf("notes: got %q; want one with %q", f.Misuse.Notes, parts)
}

// player is a goroutine that runs the functions that it is sent.
type player struct {
	orders chan func()
	done   chan bool
	lane   *Lane // nil without a name
	scopes []Scope
}

func newPlayer(name string) *player {
	p := &player{orders: make(chan func()), done: make(chan bool)}
	go func() {
		for order := range p.orders {
			order()
			p.done <- true
		}
		close(p.done)
	}()
	if name != "" {
		p.do(func() { p.lane = Register(name) })
	}
	return p
}

func (p *player) do(order func()) { p.orders <- order; <-p.done }

func (p *player) enter(z *Zone) { p.do(func() { p.scopes = append(p.scopes, z.Begin()) }) }

func (p *player) leave() {
	last := len(p.scopes) - 1
	p.do(func() { p.scopes[last].End() })
	p.scopes = p.scopes[:last]
}
