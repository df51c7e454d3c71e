//go:build !iprof_off

package measure

import (
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/platform"
)

// oracle is a profiler as naive as can be: it keeps every event, and replays them all for each question.
type oracle struct {
	events []event
	since  platform.Ticks // of the lane's last frame
}

type event struct {
	t    platform.Ticks
	zone string // entered; "" ends the innermost
}

// rows returns what a frame that ends at now must contain: rows that changed or are open.
func (o *oracle) rows(now platform.Ticks) map[string]row {
	result := map[string]row{}
	var stack []string
	at := o.since
	charge := func(until platform.Ticks) {
		path := strings.Join(stack, "/")
		if until > at {
			r := result[path]
			r.self += until - at
			result[path] = r
			at = until
		}
	}
	for _, e := range o.events {
		charge(e.t)
		if e.zone == "" {
			stack = stack[:len(stack)-1]
			continue
		}
		stack = append(stack, e.zone)
		if e.t > o.since {
			r := result[strings.Join(stack, "/")]
			r.count++
			result[strings.Join(stack, "/")] = r
		}
	}
	charge(now)
	for i := range stack {
		r := result[strings.Join(stack[:i+1], "/")]
		r.open = true
		result[strings.Join(stack[:i+1], "/")] = r
	}
	for path := range result { // ancestors of what changed
		for path != "" {
			path = path[:max(strings.LastIndexByte(path, '/'), 0)]
			result[path] = touched(result[path])
		}
	}
	result[""] = touched(result[""])
	return result
}

// touched makes an entry exist.
func touched[T any](row T) T { return row }

// player is a goroutine that executes commands.
type player struct {
	oracle
	name   string
	orders chan func()
	done   chan bool
	scopes []Scope
	lane   *Lane
}

func newPlayer(name string) *player {
	p := &player{name: name, orders: make(chan func()), done: make(chan bool)}
	go func() {
		for order := range p.orders {
			order()
			p.done <- true
		}
		close(p.done)
	}()
	p.do(func() { p.lane = Register(name) })
	return p
}

func (p *player) do(order func()) { p.orders <- order; <-p.done }

// play makes one random step: every kind of Begin, or an End.
func (p *player) play(r *rand.Rand, clock *fakeClock) {
	if len(p.scopes) > 0 && (r.Intn(100) < 50 || len(p.scopes) > 30) {
		p.events = append(p.events, event{platform.Now(), ""})
		p.do(func() { p.scopes[len(p.scopes)-1].End() })
		p.scopes = p.scopes[:len(p.scopes)-1]
		return
	}
	z := &zones40[r.Intn(1+r.Intn(12))]
	p.events = append(p.events, event{platform.Now(), z.Name})
	p.do(func() {
		switch r.Intn(3) {
		case 0:
			p.scopes = append(p.scopes, z.In(p.lane))
		case 1:
			p.scopes = append(p.scopes, named(z.Name))
		default:
			p.scopes = append(p.scopes, z.Begin())
		}
	})
}

// byName adds up rows that have the same path of names: a private and a public zone of one name are two.
func byName(t *testing.T, f *Frame, lane *LaneFrame) map[string]row {
	t.Helper()
	paths, result := make([]string, len(lane.Nodes)), map[string]row{}
	var sum platform.Ticks
	for i, n := range lane.Nodes {
		if i > 0 {
			paths[i] = strings.TrimPrefix(paths[n.Parent]+"/"+f.Zones[n.Zone].Name, "/")
		}
		r := result[paths[i]]
		result[paths[i]] = row{self: r.self + n.Self, count: r.count + n.Count, open: r.open || n.Open}
		sum += n.Self
	}
	if sum != lane.End-lane.Begin {
		t.Errorf("lane %q: got self times that sum to %d; want %d", lane.Name, sum, lane.End-lane.Begin)
	}
	return result
}

func TestRandomProgramsAgainstTheOracle(t *testing.T) {
	programs := 300
	if testing.Short() || raceEnabled {
		programs = 50
	}
	defer func(was int) { sweepPays = was }(sweepPays)
	defer SettleEarly(0)()
	for seed := range programs {
		SettleEarly(seed / 3 % 2)             // all nodes in the table, too, where quiet ones are not visited
		sweepPays = []int{4, 0, 1000}[seed%3] // as it comes, down the tree, or all in a row
		if randomProgram(t, int64(seed)); t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

func randomProgram(t *testing.T, seed int64) {
	r := rand.New(rand.NewSource(seed))
	clock := useFakeClock(t)
	clock.advance(r.Int63n(1000))
	players := make([]*player, 1+r.Intn(3))
	for i := range players {
		players[i] = newPlayer(fmt.Sprint("player ", i))
		players[i].since = platform.Now()
	}
	var f Frame
	for range 400 {
		clock.advance(1 + r.Int63n(100))
		players[r.Intn(len(players))].play(r, clock)
		if r.Intn(40) == 0 {
			clock.advance(1)
			Peek(&f)
			compare(t, &f, players)
			players[0].do(func() { Collect(&f) })
			compare(t, &f, players)
			for _, p := range players {
				p.since = platform.Now()
			}
		}
	}
	for _, p := range players {
		close(p.orders)
		<-p.done
	}
}

func compare(t *testing.T, f *Frame, players []*player) {
	t.Helper()
	for _, p := range players {
		want := p.rows(platform.Now())
		lane := laneNamed(f, p.name)
		if lane == nil {
			if len(want) > 1 {
				t.Errorf("%s: got no lane; want %v", p.name, want)
			}
			continue
		}
		if got := byName(t, f, lane); !maps.Equal(got, want) {
			for _, path := range slices.Sorted(maps.Keys(want)) {
				if got[path] != want[path] {
					t.Errorf("%s %q: got %+v; want %+v", p.name, path, got[path], want[path])
				}
			}
			t.Errorf("%s: got %d rows; want %d", p.name, len(got), len(want))
		}
	}
}
