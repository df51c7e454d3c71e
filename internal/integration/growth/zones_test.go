package growth

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// zonesOf makes zones, with limits that hold them.
func zonesOf(n int) []iprof.Zone {
	iprof.SetLimits(iprof.Limits{Zones: 2 << 20, NamesAtPlace: 2 << 20, NodesPerLane: 2 << 20,
		Nodes: 4 << 20, Lanes: 2 << 20, Bytes: 4 << 30})
	zones := make([]iprof.Zone, n)
	for i := range zones {
		zones[i].Name = fmt.Sprint("zone ", i)
	}
	return zones
}

func enter(zones []iprof.Zone) {
	for i := range zones {
		zones[i].Begin().End()
	}
}

// game enters zones as a game does: groups of 30, each below a zone.
func game(zones []iprof.Zone) {
	for at := 0; at < len(zones); at += 30 {
		scope := zones[at].Begin()
		enter(zones[at+1 : min(at+30, len(zones))])
		scope.End()
	}
}

// medianOf measures do repeatedly for half a second, at least least times, and returns the median.
func medianOf(least int, before, do func()) time.Duration {
	var took []time.Duration
	for begin := time.Now(); len(took) < least || time.Since(begin) < time.Second/2 && len(took) < 2000; {
		before()
		at := time.Now()
		do()
		took = append(took, time.Since(at))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

func siblings(n int) time.Duration {
	zones := zonesOf(n)
	enter(zones)
	iprof.Update()
	rounds := max(1, 3000/n)
	took := medianOf(20, iprof.Update, func() {
		for range rounds {
			enter(zones)
		}
	})
	return took / time.Duration(n*rounds)
}

func names(n int) time.Duration {
	zonesOf(0) // limits
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprint("zone ", i)
	}
	all := func() {
		for _, name := range list {
			iprof.Begin(name).End()
		}
	}
	for range warm { // the text of a name is compared at its first entries
		all()
	}
	iprof.Update()
	rounds := max(1, 3000/n)
	took := medianOf(60, iprof.Update, func() {
		for range rounds {
			all()
		}
	})
	return took / time.Duration(n*rounds)
}

// warm is the number of runs before a measurement.
const warm = 150

func idleSiblings(n int) time.Duration {
	zones := zonesOf(n)
	enter(zones)
	for range warm {
		enter(zones[:10])
		iprof.Update()
	}
	return medianOf(20, func() { enter(zones[:10]) }, iprof.Update)
}

// replay feeds a session with frames of 16 ms.
type replay struct {
	session *process.Session
	frame   gather.Frame
	zones   []gather.ZoneInfo // the known zones so far
	worked  time.Duration     // processor time of the last frame
}

func newReplay(zones int) *replay {
	r := &replay{session: process.NewSession()}
	r.frame = gather.Frame{TicksPerSecond: 1e9, Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true}},
		Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	for i := range zones {
		r.frame.Zones = append(r.frame.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
	}
	r.zones, r.frame.Zones = r.frame.Zones, r.frame.Zones[:1]
	return r
}

// write writes a frame in which the zones from..to-1 took some time.
func (r *replay) write(from, to int, took platform.Ticks) time.Duration {
	f, l := &r.frame, &r.frame.Lanes[0]
	f.Zones = r.zones[:max(len(f.Zones), to+1)]
	l.Nodes = append(l.Nodes[:0], gather.Node{Parent: -1, Self: 15_000_000})
	for i := from; i < to; i++ {
		id := i + 1
		l.Nodes = append(l.Nodes, gather.Node{ID: gather.NodeID(id), Zone: gather.ZoneID(id), Count: 1, Self: took})
	}
	length := 16_000_000 + platform.Ticks(f.Index*f.Index*7919%1_000_000) // all are different
	f.Index, f.Begin, f.End = f.Index+1, f.End, f.End+length
	l.Begin, l.End = f.Begin, f.End
	begin, before := time.Now(), worked()
	if err := r.session.WriteFrame(f); err != nil {
		fail(err)
	}
	r.worked = worked() - before
	return time.Since(begin)
}

func known(n int) time.Duration {
	r := newReplay(n)
	for i := 0; i < n; i += 100 {
		r.write(i, min(i+100, n), 1000)
	}
	for range 2000 { // the first frames have left the history
		r.write(0, 10, 1000)
	}
	var took []time.Duration
	for range 300 {
		took = append(took, r.write(0, 10, 1000))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

func arriving(n int) (longest time.Duration) {
	runtime.LockOSThread()
	r := newReplay(n)
	for i := 0; i < n; i += 100 {
		r.write(i, min(i+100, n), 1000)
		longest = max(longest, r.worked)
	}
	for range 310 {
		r.write(0, 10, 1000)
		longest = max(longest, r.worked)
	}
	return longest
}

func fewValues(n int) time.Duration {
	r := newReplay(n)
	r.session.SetHistory(9600, 300)
	took := make([]time.Duration, 0, 12_000)
	for i := range 12_000 {
		took = append(took, r.write(0, n, platform.Ticks(1_000_000*(1+(i*i/7)%5/4))))
	}
	sum := time.Duration(0)
	for _, d := range took[10_500:] {
		sum += d
	}
	return sum / time.Duration(len(took)-10_500)
}

func hitch(n int) (longest time.Duration) {
	runtime.LockOSThread()
	zones := zonesOf(n)
	iprof.Default().SetHistory(2000, 2000)
	for range 1300 {
		game(zones)
		time.Sleep(time.Millisecond)
		begin := worked()
		iprof.Update()
		longest = max(longest, worked()-begin)
	}
	return longest
}

func contended(n int) time.Duration {
	var took []time.Duration
	zones := zonesOf(n)
	done := make(chan bool)
	go func() {
		defer close(done)
		var r report.Report
		for range 30 {
			time.Sleep(20 * time.Millisecond)
			iprof.Default().View().AppendReport(&r)
			iprof.WriteText(io.Discard)
		}
	}()
	for {
		select {
		case <-done:
			slices.Sort(took)
			return took[len(took)*95/100]
		default:
		}
		game(zones)
		time.Sleep(2 * time.Millisecond)
		begin := time.Now()
		iprof.Update()
		took = append(took, time.Since(begin))
	}
}

// medianWorked is medianOf by processor time.
func medianWorked(times int, before, do func()) time.Duration {
	runtime.LockOSThread()
	took := make([]time.Duration, 0, times)
	for range times {
		before()
		begin := worked()
		do()
		took = append(took, worked()-begin)
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// recording begins a recording to io.Discard, or a stream.
func recording(live bool) *capture.Recorder {
	r, err := capture.Record(iprof.Default(), capture.RecordOptions{To: io.Discard, Live: live})
	if err != nil {
		fail(err)
	}
	return r
}

func viewers(n int) time.Duration {
	zones := zonesOf(1000)
	for range n {
		defer recording(true).Close()
	}
	frame := func() {
		game(zones)
		time.Sleep(5 * time.Millisecond)
	}
	medianWorked(150, frame, iprof.Update)
	return medianWorked(150, frame, iprof.Update)
}

func recorded(n int) time.Duration {
	defer recording(false).Close()
	return eachScope(n)
}

func boxed(n int) time.Duration {
	folder, err := os.MkdirTemp("", "growth")
	if err != nil {
		fail(err)
	}
	defer os.RemoveAll(folder)
	box, err := capture.NewBlackBox(iprof.Default(), capture.BlackBoxOptions{Dir: folder, OverBudget: -1})
	if err != nil {
		fail(err)
	}
	defer box.Close()
	return eachScope(n)
}

// eachScope returns Update's time per scope, with events and n scopes in a frame.
func eachScope(n int) time.Duration {
	zones := zonesOf(30)
	gather.SetEvents(1 << 18)
	frame := func() {
		for i := range n {
			zones[i%len(zones)].Begin().End()
		}
	}
	return medianWorked(200, frame, iprof.Update) / time.Duration(n)
}

func longHistory(n int) time.Duration {
	r := newReplay(30)
	r.session.SetHistory(n, 300)
	for range n + 10 {
		r.write(0, 30, 1000)
	}
	var shown report.Report
	return medianOf(10, func() {}, func() {
		r.write(0, 30, 1000)
		r.session.View().AppendReport(&shown)
	})
}
