//go:build !iprof_off

package integration_test

import (
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// summed is a zone with independent counters: entries are counted in begun before they begin, and in ended after they
// have begun. So any sums of the session lie between an earlier reading of ended and a later one of begun.
type summed struct {
	iprof.Zone
	begun, ended atomic.Int64
}

func (z *summed) enter(inside func()) {
	z.begun.Add(1)
	s := z.Begin()
	z.ended.Add(1)
	inside()
	s.End()
}

// adder is a program of many goroutines whose zones appear as it goes, beside readers of every kind.
type adder struct {
	t       *testing.T
	session *process.Session
	zones   [3]summed // each goroutine enters them
	once    summed    // one entry for each new zone
	things  atomic.Int64
	counted atomic.Int64
	frames  atomic.Int64 // that Update has begun to end
	updated atomic.Int64 // that Update has ended
	over    atomic.Bool
	reads   atomic.Int64
}

// work is one goroutine of the program.
func (a *adder) work() {
	for !a.over.Load() {
		for range 5 {
			a.zones[0].enter(func() {
				a.zones[1].enter(func() {})
				a.zones[2].enter(func() { a.zones[1].enter(func() {}) })
			})
			a.things.Add(1)
			iprof.Count("sums things")
			a.counted.Add(1)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// appear enters new zones, until there are some thousands.
func (a *adder) appear() {
	for i := 0; i < 3000 && !a.over.Load(); i++ {
		z := iprof.Zone{Name: fmt.Sprint("sums new ", i)}
		a.once.enter(func() { (&z).Begin().End() })
		time.Sleep(300 * time.Microsecond)
	}
}

// update ends frames.
func (a *adder) update() {
	for !a.over.Load() {
		a.frames.Add(1)
		iprof.Update()
		a.updated.Add(1)
		time.Sleep(300 * time.Microsecond)
	}
}

// bounds are the least or the greatest sums that the session may have.
type bounds struct {
	zones          [4]int64
	things, frames int64
}

// all returns the zones with counters.
func (a *adder) all() []*summed { return []*summed{&a.zones[0], &a.zones[1], &a.zones[2], &a.once} }

func (a *adder) least() (b bounds) {
	b.things, b.frames = a.counted.Load(), a.updated.Load()
	for i, z := range a.all() {
		b.zones[i] = z.ended.Load()
	}
	return b
}

func (a *adder) most() (b bounds) {
	for i, z := range a.all() {
		b.zones[i] = z.begun.Load()
	}
	b.things, b.frames = a.things.Load(), a.frames.Load()
	return b
}

// check compares sums with those before and after they were read.
func (a *adder) check(how string, got sums, frames int64, least bounds) {
	most := a.most()
	a.reads.Add(1)
	for i, z := range a.all() {
		if n := int64(got[z.Name]); n < least.zones[i] || n > most.zones[i] {
			a.t.Errorf("%s: got %d entries of %s; want %d to %d", how, n, z.Name, least.zones[i], most.zones[i])
		}
	}
	if n, known := got["count sums things"]; known && (int64(n) < least.things || int64(n) > most.things) {
		a.t.Errorf("%s: got %d things; want %d to %d", how, n, least.things, most.things)
	}
	if frames >= 0 && (frames < least.frames || frames > most.frames) {
		a.t.Errorf("%s: got %d frames; want %d to %d", how, frames, least.frames, most.frames)
	}
	if a.t.Failed() {
		a.over.Store(true)
	}
}

// dump checks a Dump.
func (a *adder) dump(o report.DumpOptions) {
	least := a.least()
	d := a.session.Dump(o)
	got := sums{}
	for _, t := range d.ZoneTotals() {
		got[d.Zones[t.Zone].Name] += int(t.Count)
	}
	for _, v := range d.Values {
		got["count "+v.Name] += int(v.Total)
	}
	least.frames -= a.joined() // while a reader takes long, Updates end no frames
	a.check(fmt.Sprintf("Dump by %+v", o), got, int64(d.Frames), least)
	a.checkTrees(d)
	if n := len(d.History); !o.NoHistory && int64(n) < min(least.frames, 300) {
		a.t.Errorf("got a history of %d frames after %d", n, least.frames)
	}
}

var joinedUpdates = regexp.MustCompile(`^(\d+) calls? of Update ended no frame`)

// joined returns the number of Updates that ended no frame, as too many frames waited for a reader. Reports say it.
func (a *adder) joined() (n int64) {
	var r report.Report
	process.NewView(a.session).AppendReport(&r)
	for _, w := range r.Warnings {
		if m := joinedUpdates.FindStringSubmatch(w); m != nil {
			n, _ = strconv.ParseInt(m[1], 10, 64)
		}
	}
	return n
}

// checkTrees looks for times that cannot be: each node must have what its own and its children's sum to.
func (a *adder) checkTrees(d *report.Dump) {
	for _, lane := range d.Lanes {
		below := make([]float64, len(lane.Nodes))
		for i := len(lane.Nodes) - 1; i >= 0; i-- {
			n := &lane.Nodes[i]
			sum := n.Self + below[i]
			if n.Self < 0 || n.Count < 0 || math.Abs(n.Hier-sum) > 1e-6*(1+sum) {
				a.t.Errorf("lane %q, %q: got hier %v, self %v with children's %v", lane.Name, d.Zones[n.Zone].Name,
					n.Hier, n.Self, below[i])
				return
			}
			if n.Parent >= 0 {
				below[n.Parent] += n.Hier
			}
		}
	}
}

// control changes what the session's view shows.
func control() {
	iprof.SetReportMode(report.ReportMode(rand.IntN(5)))
	iprof.SetFrame(rand.IntN(5))
	iprof.MoveCursor(rand.IntN(9) - 4)
	iprof.SetAverage(report.Average(rand.IntN(3)))
	iprof.SetRecursion(report.Recursion(rand.IntN(2)))
	iprof.Default().View().SetLane(report.LaneID(rand.IntN(9)))
	iprof.Select()
	iprof.SelectParent()
}

// tree checks a merged tree.
func (a *adder) tree(how string, nodes func(dst []report.TreeNode) []report.TreeNode) {
	least, got := a.least(), sums{}
	for _, n := range nodes(nil) {
		got[a.session.Zone(n.Zone).Name] += int(n.Count)
	}
	a.check(how, got, -1, least)
}

// readers are the reads of the session while the program runs.
func (a *adder) readers() map[string]func() {
	var shown process.Snapshot
	var lanes process.LaneTotals
	all := map[string]func(){
		"controls":     control,
		"AppendTotals": func() { a.tree("AppendTotals", a.session.AppendTotals) },
		"LaneTotals":   func() { a.session.LaneTotals(&lanes) },
		"Snapshot":     func() { a.session.View().Snapshot(&shown, process.SnapshotOptions{Frames: 300}) },
		"WriteHTML":    func() { _ = iprof.WriteHTML(io.Discard) },
		"WriteText":    func() { _ = iprof.WriteText(io.Discard) },
		"WriteTree":    func() { _ = iprof.WriteTree(io.Discard) },
		"WriteJSON":    func() { _ = iprof.WriteJSON(io.Discard) },
	}
	for i := range 16 {
		o := report.DumpOptions{NoTrees: i&1 > 0, NoHistory: i&2 > 0, NoFrames: i&4 > 0, NoLanes: i&8 > 0}
		all[fmt.Sprint("Dump ", i)] = func() { a.dump(o) }
	}
	all["Dump of few nodes"] = func() { a.dump(report.DumpOptions{Nodes: 1000, NoFrames: true}) }
	return all
}

// record lets a recording or a stream be read while it is written, and returns its sums after close.
func (a *adder) record(live bool) (close func() (sums, uint64)) {
	in, out := io.Pipe()
	done := make(chan *frameSums)
	go func() {
		s, _ := recorded(a.t, in)
		done <- s
	}()
	r := recordTo(a.t, a.session, out, live)
	return func() (sums, uint64) {
		if err := r.Close(); err != nil {
			a.t.Errorf("closing: %v", err)
		}
		_ = out.Close()
		return (<-done).sums, r.Dropped()
	}
}

// run runs the program and its readers.
func (a *adder) run(goroutines int, length time.Duration) {
	iprof.Update()
	a.session.Reset()
	box := must.Get(capture.NewBlackBox(a.session, capture.BlackBoxOptions{Dir: a.t.TempDir(), OverBudget: -1}))(a.t)
	defer box.Close()
	sink := &frameSums{t: a.t, sums: sums{}}
	remove := a.session.AddSink(sink)
	file, stream := a.record(false), a.record(true)
	var all sync.WaitGroup
	for range goroutines {
		all.Go(a.work)
	}
	all.Go(a.appear)
	all.Go(a.update)
	for _, read := range a.readers() {
		all.Go(func() {
			for !a.over.Load() {
				a.zones[0].enter(func() { a.zones[2].enter(read) })
				time.Sleep(time.Millisecond)
			}
		})
	}
	time.Sleep(length)
	a.over.Store(true)
	all.Wait()
	iprof.Update()
	a.frames.Add(1)
	a.updated.Add(1)
	a.dump(report.DumpOptions{})
	a.dump(report.DumpOptions{NoTrees: true, NoHistory: true})
	got, lost := file()
	a.compare("recording", got, lost)
	_, _ = stream()
	remove()
	a.compare("sink", sink.sums, 0)
	a.t.Logf("%d frames, %d reads, %d entries", a.frames.Load(), a.reads.Load(), a.zones[1].ended.Load())
}

// compare checks the sums of all frames. A recording may have dropped frames, and says so.
func (a *adder) compare(name string, got sums, lost uint64) {
	for i, z := range a.all() {
		if want := a.most().zones[i]; lost == 0 && int64(got[z.Name]) != want || int64(got[z.Name]) > want {
			a.t.Errorf("%s: got %d entries of %s, %d frames dropped; want %d", name, got[z.Name], z.Name, lost, want)
		}
	}
	if want := a.things.Load(); lost == 0 && int64(got["count sums things"]) != want {
		a.t.Errorf("%s: got %d things; want %d", name, got["count sums things"], want)
	}
}

// TestSoakSums reads and controls the session by every means, from within zones, while its zones appear on 2,000
// goroutines: what it says lies between independent counters of before and after, and at the end all sums are exact, to
// the entry. Run it with -race.
func TestSoakSums(t *testing.T) {
	goroutines, length := 2000, soakLength(t, "IPROF_SUMS")
	if testing.Short() {
		goroutines = 200
	}
	defer process.Default().View().Set(process.Default().View().Get())
	for _, clock := range []string{"the machine's", "the program's"} {
		t.Run(clock, func(t *testing.T) {
			if clock == "the program's" {
				var now atomic.Int64
				platform.SetClock(func() int64 { return now.Add(10) }, 1e6)
				defer platform.SetClock(nil, 0)
			}
			a := &adder{t: t, session: process.Default()}
			for i := range a.zones {
				a.zones[i].Name = fmt.Sprint("sums ", clock, i)
			}
			a.once.Name = "sums once " + clock
			a.run(goroutines, length/2)
		})
	}
	iprof.Reset()
}
