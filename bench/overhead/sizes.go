package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"sync"
	"time"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// This file measures an entry by the size of the program: the work inside an entry, the number of different zones in a
// frame, the number of goroutines. Each size runs with each limit in a process of its own. It does frames with zones
// and frames without in turn. The truth is the difference of their quick processor times. Updates count as zones.

var (
	bodies = []int{10, 50, 100, 330, 1000, 5000} // ns of work in an entry
	widths = []int{30, 1000, 10_000}             // zones in a frame
	limits = []float64{0, 0.02, 0.001}
)

// group is the number of zones below one zone, as in a game.
const group = 30

// frameLength returns the least time of a frame. Frames of 4 ms are rarely longer than the stretches that the system
// gives to a program.
func (s size) frameLength() time.Duration {
	if s.zones > 1000 {
		return 16 * time.Millisecond
	}
	return 4 * time.Millisecond
}

// size is a program. The zones are those of one goroutine.
type size struct{ body, zones, goroutines int }

// sized has the results of a process, in ns an entry.
type sized struct{ truth, reported, untimed float64 }

// measureSizes prints a line for each size.
func measureSizes() error {
	fmt.Printf("%-28s", "ns an entry, true/reported")
	for _, l := range limits {
		fmt.Printf("  %-20s", fmt.Sprint("limit ", l))
	}
	fmt.Println()
	crowd := 2 * runtime.GOMAXPROCS(0)
	for _, body := range bodies {
		for _, zones := range widths {
			if err := (size{body, zones, 1}).print(); err != nil {
				return err
			}
		}
		if err := (size{body, group, crowd}).print(); err != nil {
			return err
		}
	}
	return nil
}

// print measures a size with each limit.
func (s size) print() error {
	name := fmt.Sprintf("%d ns, %d zones", s.body, s.zones)
	if s.goroutines > 1 {
		name = fmt.Sprintf("%d ns, %d goroutines", s.body, s.goroutines)
	}
	fmt.Printf("%-28s", name)
	for _, limit := range limits {
		r, err := s.child(limit)
		if err != nil {
			return err
		}
		fmt.Printf("  %-20s", fmt.Sprintf("%.1f / %.1f %3.0f %%", r.truth, r.reported, 100*r.untimed))
	}
	fmt.Println()
	return nil
}

func (s size) child(limit float64) (r sized, err error) {
	self, err := os.Executable()
	if err != nil {
		return r, err
	}
	cmd := exec.Command(self, "-limit", fmt.Sprint(limit), "-span", span.String(),
		"-size", fmt.Sprintf("%d,%d,%d", s.body, s.zones, s.goroutines))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err == nil {
		_, err = fmt.Sscan(string(out), &r.truth, &r.reported, &r.untimed)
	}
	return r, err
}

// serveSize measures a size in this process.
func serveSize(text string) {
	var s size
	if _, err := fmt.Sscanf(text, "%d,%d,%d", &s.body, &s.zones, &s.goroutines); err != nil {
		fmt.Fprintln(os.Stderr, "overhead: -size:", err)
		os.Exit(2)
	}
	iprof.SetLimits(iprof.Limits{Zones: 1 << 16, NodesPerLane: 1 << 16})
	iprof.SetOverheadLimit(*limit)
	p := newSized(s)
	process.Default().AddSink(p)
	defer p.end()
	p.pairs(*span / 3)
	p.took, p.untimed = [2][]float64{}, 0
	iprof.Reset()
	p.pairs(*span)
	d := process.Default().Dump(report.DumpOptions{NoFrames: true, NoHistory: true})
	truth := (quick(p.took[1]) - quick(p.took[0])) / float64(p.entries)
	entries := float64(len(p.took[0]) * p.entries)
	fmt.Println(truth, float64(d.Overhead.Nanoseconds())/float64(d.Calls), float64(p.untimed)/entries)
}

// program runs the frames of a size.
type program struct {
	size
	zones   [][]iprof.Zone // of each goroutine
	steps   int            // of work in an entry
	rounds  int            // of all zones in a frame
	entries int            // in a frame
	frames  int
	start   []chan bool // of a frame of each goroutine: with zones or without
	done    sync.WaitGroup
	took    [2][]float64 // processor time of the frames without zones and with them, in ns
	untimed uint64       // entries that were only counted
}

func newSized(s size) *program {
	p := &program{size: s, steps: stepsOf(s.body)}
	p.rounds = max(1, int(s.frameLength())/(s.zones*s.goroutines*(s.body+25)))
	for g := range s.goroutines {
		zones := make([]iprof.Zone, s.zones)
		for i := range zones {
			zones[i].Name = fmt.Sprint("zone ", g, " ", i)
		}
		p.zones, p.start = append(p.zones, zones), append(p.start, make(chan bool))
		if s.goroutines > 1 {
			go func() {
				for with := range p.start[g] {
					p.frame(g, with)
					p.done.Done()
				}
			}()
		}
	}
	p.entries = p.rounds * s.zones * s.goroutines
	return p
}

// WriteFrame counts the entries that were only counted.
func (p *program) WriteFrame(f *gather.Frame) error {
	for i := range f.Lanes {
		p.untimed += f.Lanes[i].Untimed
	}
	return nil
}

func (p *program) end() {
	for _, c := range p.start {
		close(c)
	}
}

// pairs runs frames for so much processor time.
func (p *program) pairs(span time.Duration) {
	for begin, n := cpuTime(), 0; cpuTime()-begin < span || n < 12; n++ {
		p.pair()
	}
}

// pair runs a frame with zones and one without, in either order. Both Updates are costs of the zones.
func (p *program) pair() {
	var took [2]time.Duration
	for i := range 2 {
		zones := (i ^ p.frames) & 1
		begin := cpuTime()
		p.run(zones == 1)
		ran := cpuTime()
		iprof.Update()
		took[zones] += ran - begin
		took[1] += cpuTime() - ran
	}
	p.frames++
	for i := range took {
		p.took[i] = append(p.took[i], float64(took[i]))
	}
}

// run runs the frame of each goroutine.
func (p *program) run(with bool) {
	if p.goroutines == 1 {
		p.frame(0, with)
		return
	}
	p.done.Add(p.goroutines)
	for _, c := range p.start {
		c <- with
	}
	p.done.Wait()
}

func (p *program) frame(g int, with bool) {
	zones, x := p.zones[g], uint64(1+p.frames)
	for range p.rounds {
		for at := 0; at < len(zones); at += group {
			below := zones[at+1 : min(at+group, len(zones))]
			if with {
				x = p.withZones(&zones[at], below, x)
			} else {
				x = p.without(below, x)
			}
		}
	}
	keep(x)
}

//go:noinline
func (p *program) withZones(above *iprof.Zone, below []iprof.Zone, x uint64) uint64 {
	s := above.Begin()
	x = mixed(x, p.steps)
	for i := range below {
		x = p.entry(&below[i], x)
	}
	s.End()
	return x
}

//go:noinline
func (p *program) entry(z *iprof.Zone, x uint64) uint64 {
	s := z.Begin()
	x = mixed(x, p.steps)
	s.End()
	return x
}

//go:noinline
func (p *program) without(below []iprof.Zone, x uint64) uint64 {
	x = mixed(x, p.steps)
	for i := range below {
		x = p.bare(&below[i], x)
	}
	return x
}

//go:noinline
func (p *program) bare(_ *iprof.Zone, x uint64) uint64 { return mixed(x, p.steps) }

var table [512]uint64

// mixed is work as of most programs: it waits for its last result, reads memory, and branches by what it read.
//
//go:noinline
func mixed(x uint64, steps int) uint64 {
	for range steps {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if at := &table[x%uint64(len(table))]; x>>32&7 == 0 {
			*at += x
		} else {
			x += *at
		}
	}
	return x
}

// stepsOf returns the number of steps that take a time.
func stepsOf(ns int) int {
	const many = 100_000
	least := time.Hour
	for range 50 {
		begin := time.Now()
		keep(mixed(1, many))
		least = min(least, time.Since(begin))
	}
	return max(1, int(time.Duration(ns)*many/least))
}

// quick returns the tenth percentile of some times.
func quick(all []float64) float64 {
	slices.SortFunc(all, cmp.Compare[float64])
	return all[len(all)/10]
}
