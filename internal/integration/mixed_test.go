//go:build !iprof_off

package integration_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// mixers is how many goroutines do everything at once.
const mixers = 8

// mixLength is how long TestSoakMixed goes on: a second, or what IPROF_MIX says ("make check": 10s, "make soak": a
// minute).
func mixLength(t *testing.T) time.Duration {
	t.Helper()
	text := os.Getenv("IPROF_MIX")
	if text == "" {
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("IPROF_MIX: %v", err)
	}
	return d
}

var mixed = [...]iprof.Zone{{Name: "mixed 0"}, {Name: "mixed 1"}, {Name: "mixed 2"}, {Name: "mixed 3"}}

// glances are calls that lose no measurement at any time.
var glances = []func(*mixer){
	func(*mixer) { iprof.Update() },
	func(m *mixer) { m.try(iprof.WriteText(io.Discard)) },
	func(m *mixer) { m.try(iprof.WriteTree(io.Discard)) },
	func(m *mixer) { m.try(iprof.WriteJSON(io.Discard)) },
	func(m *mixer) { m.check(process.Default().Dump(report.DumpOptions{NoHistory: true, NoFrames: true})) },
	func(m *mixer) { iprof.SetReportMode(report.ReportMode(m.rng.IntN(5))) },
	func(m *mixer) { iprof.SetFrame(m.rng.IntN(5)) },
	func(m *mixer) { iprof.MoveCursor(m.rng.IntN(9) - 4) },
	func(m *mixer) { iprof.SetAverage(report.Average(m.rng.IntN(3))) },
	func(m *mixer) { iprof.SetRecursion(report.Recursion(m.rng.IntN(2))) },
	func(m *mixer) { iprof.Default().View().SetLane(report.LaneID(m.rng.IntN(9))) },
	func(*mixer) { iprof.Select() },
	func(*mixer) { iprof.SelectParent() },
}

// switches are calls that drop measurements.
var switches = []func(*mixer){
	func(*mixer) { iprof.Reset() },
	func(*mixer) { iprof.Pause() },
	func(*mixer) { iprof.Resume() },
	func(*mixer) { iprof.SetRecording(false) },
	func(*mixer) { iprof.SetRecording(true) },
}

// mixer is one of the goroutines.
type mixer struct {
	t       *testing.T
	rng     *rand.Rand
	entered [len(mixed)]int // since the goroutines last met
	quiet   bool            // no switches now
	end     time.Time       // of the slice
}

func (m *mixer) try(err error) {
	if err != nil {
		m.t.Errorf("writing: %v", err)
	}
}

// descend enters zones, up to some depth, and does something at each.
func (m *mixer) descend(depth int) {
	i := m.rng.IntN(len(mixed))
	m.entered[i]++
	defer mixed[i].Begin().End()
	if m.rng.IntN(40) == 0 {
		m.act()
	}
	for depth > 0 && m.rng.IntN(3) > 0 && time.Now().Before(m.end) {
		m.descend(depth - 1)
		depth--
	}
}

func (m *mixer) act() {
	if n := m.rng.IntN(len(glances) + len(switches)); n < len(glances) {
		glances[n](m)
	} else if !m.quiet {
		switches[n-len(glances)](m)
	}
}

// at does something inside a number of open zones.
func (m *mixer) at(depth int, do func()) {
	if depth == 0 {
		do()
		return
	}
	defer mixed[depth%len(mixed)].Begin().End()
	m.at(depth-1, do)
}

// check glances for times that cannot be: each lane's nodes must have what their own and their children's sum to.
func (m *mixer) check(d *report.Dump) {
	for _, lane := range d.Lanes {
		below := make([]float64, len(lane.Nodes))
		for i := len(lane.Nodes) - 1; i >= 0; i-- {
			n := lane.Nodes[i]
			sum := n.Self + below[i]
			if n.Self < 0 || n.Count < 0 || math.Abs(n.Hier-sum) > 1e-6*(1+sum) {
				m.t.Errorf("lane %q, %q: got hier %v, self %v with children's %v", lane.Name, d.Zones[n.Zone].Name,
					n.Hier, n.Self, below[i])
				return
			}
			if n.Parent >= 0 {
				below[n.Parent] += n.Hier
			}
		}
	}
}

// meeting is where all goroutines wait for each other; the last to come does something before they part.
type meeting struct {
	mu      sync.Mutex
	arrived int
	parted  chan bool
}

func (g *meeting) wait(last func()) {
	g.mu.Lock()
	if g.arrived == 0 {
		g.parted = make(chan bool)
	}
	parted := g.parted
	g.arrived++
	if g.arrived == mixers {
		g.arrived = 0
		last()
		close(parted)
	}
	g.mu.Unlock()
	<-parted
}

// slice is how long a goroutine goes on between meetings.
const slice = 100 * time.Millisecond

// run does anything until the slice is over.
func (m *mixer) run(quiet bool) {
	m.quiet, m.end = quiet, time.Now().Add(slice)
	for time.Now().Before(m.end) {
		m.descend(m.rng.IntN(12))
	}
}

// round lets all loose on everything; then, within zones at any depth, all is set to a known state, and what is entered
// from there on must add up, whatever else goes on short of switching it off.
func (m *mixer) round(g *meeting, sum func()) {
	m.run(false)
	m.at(m.rng.IntN(6), func() {
		g.wait(func() {
			iprof.SetRecording(true)
			iprof.Resume()
			iprof.Reset()
		})
		m.entered = [len(mixed)]int{}
		m.run(true)
		g.wait(sum)
	})
}

// TestSoakMixed does everything from everywhere at once; run it with -race.
func TestSoakMixed(t *testing.T) {
	defer process.Default().View().Set(process.Default().View().Get()) // other tests look at the default session, too
	all, g, seed := make([]*mixer, mixers), new(meeting), uint64(time.Now().UnixNano())
	end, over := time.Now().Add(mixLength(t)), false
	t.Logf("seed %d", seed)
	var running sync.WaitGroup
	for i := range all {
		all[i] = &mixer{t: t, rng: rand.New(rand.NewPCG(seed, uint64(i)))}
		running.Go(func() {
			defer iprof.Register(fmt.Sprint("mixer ", i)).Close()
			for !over { // written while all wait for each other
				all[i].round(g, func() {
					checkMixed(t, all)
					over = time.Now().After(end)
				})
			}
		})
	}
	running.Wait()
	iprof.Reset()
}

// checkMixed compares the zones that were entered with those of the report.
func checkMixed(t *testing.T, all []*mixer) {
	d := process.Default().Dump(report.DumpOptions{NoHistory: true, NoFrames: true})
	all[0].check(d)
	counts := map[string]float64{}
	for _, n := range d.Merged {
		counts[d.Zones[n.Zone].Name] += n.Count
	}
	for i := range mixed {
		want := 0
		for _, m := range all {
			want += m.entered[i]
		}
		if got := counts[mixed[i].Name]; got != float64(want) {
			t.Errorf("entries of %s: got %.0f; want %d", mixed[i].Name, got, want)
		}
	}
}
