//go:build !iprof_off

package integration_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// soakLength is the time that a soak takes: the value of an environment variable, or else a second, in short tests a
// quarter.
func soakLength(t *testing.T, variable string) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	switch {
	case text == "" && (testing.Short() || raceEnabled):
		return time.Second / 4
	case text == "":
		return time.Second
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return d
}

// sums are the entries of zones, the values of counters, and the number of marks, by name.
type sums map[string]int

func (s sums) add(o sums) {
	for name, n := range o {
		s[name] += n
	}
}

// frameSums is a sink that adds up all frames. It checks that no frame is missing between two of them.
type frameSums struct {
	t    *testing.T
	sums sums
	next uint64
	end  platform.Ticks
	any  bool
}

func (s *frameSums) WriteFrame(f *gather.Frame) error {
	if s.any && (f.Index != s.next || f.Begin != s.end) {
		s.t.Errorf("frame %d from %d: got after the end of frame %d at %d", f.Index, f.Begin, s.next-1, s.end)
	}
	s.any, s.next, s.end = true, f.Index+1, f.End
	for i := range f.Lanes {
		for j := range f.Lanes[i].Nodes {
			n := &f.Lanes[i].Nodes[j]
			s.sums[f.Zones[n.Zone].Name] += int(n.Count) + int(f.Lanes[i].Extra(j).More)<<32
		}
	}
	for _, v := range f.Values {
		s.sums["count "+f.Counters[v.Counter].Name] += int(v.Value)
	}
	for _, m := range f.Marks {
		s.sums["mark "+m.Text]++
	}
	return nil
}

// recorded adds up the frames of a capture.
func recorded(t *testing.T, file io.Reader) (s *frameSums, lost uint64) {
	t.Helper()
	s = &frameSums{t: t, sums: sums{}}
	r, err := framefile.NewReader(file)
	var f gather.Frame
	for lost := uint64(0); err == nil; {
		if err = r.Next(&f); err == nil {
			if r.Lost() > lost {
				lost, s.any = r.Lost(), false
			}
			_ = s.WriteFrame(&f)
		}
	}
	if !errors.Is(err, io.EOF) || !r.Complete() {
		t.Errorf("reading a recording: got %v, complete %v", err, r.Complete())
	}
	return s, r.Lost()
}

// presser presses the keys of a session at random, and keeps the sums that the session and its recordings should have.
type presser struct {
	t       *testing.T
	rng     *rand.Rand
	session *process.Session
	gpu     *gather.ForeignLane
	now     int64 // the virtual clock

	all         sums // of all frames
	pending     sums // in the frame in progress
	live, aside sums // of the session: since Reset, and before it
	paused, off bool
	waits       bool // frames may wait for the GPU
	recordings  []*tape
	done        []string // what was pressed
	zones       int      // as many zones were known
}

// tape is a recording in progress, with the sums that it should have.
type tape struct {
	*capture.Recorder
	bytes.Buffer
	want  sums
	waits bool // frames may have waited when it began
}

// pressed are the zones of the presser. Others appear as it goes.
var pressed = [...]iprof.Zone{{Name: "pressed 0"}, {Name: "pressed 1"}, {Name: "pressed 2"}}

// enter enters a zone, and does more inside.
func (p *presser) enter(z *iprof.Zone, name string, inside func()) {
	s := z.Begin()
	p.now += int64(p.rng.IntN(1000))
	inside()
	s.End()
	p.count(name)
}

func (p *presser) count(name string) {
	if p.off {
		return
	}
	p.pending[name]++
	if !p.paused {
		p.live[name]++
	}
}

// work enters some zones, perhaps one for the first time.
func (p *presser) work() {
	for range p.rng.IntN(20) {
		i := p.rng.IntN(len(pressed))
		p.enter(&pressed[i], pressed[i].Name, func() {
			if p.rng.IntN(2) == 0 {
				p.enter(&pressed[0], pressed[0].Name, func() {})
			}
		})
	}
	if p.rng.IntN(4) == 0 {
		z := &iprof.Zone{Name: fmt.Sprint("pressed new ", p.rng.IntN(50))}
		p.enter(z, z.Name, func() {})
	}
	if !p.off {
		iprof.Count("presses")
		p.count("count presses")
		p.mark()
	}
}

// mark marks a moment. The model knows the marks of frames only.
func (p *presser) mark() {
	if p.rng.IntN(8) == 0 {
		iprof.Mark("press")
		p.pending["mark press"]++
	}
}

// end updates the recordings at the end of a frame.
func (p *presser) end() {
	for _, r := range p.recordings {
		r.want.add(p.pending)
	}
	p.all.add(p.pending)
	clear(p.pending)
}

// presses are the keys and buttons, each with its effect on the model.
var presses = map[string]func(p *presser){
	"work": (*presser).work,
	"Update": func(p *presser) {
		iprof.Update()
		p.end()
	},
	"Pause": func(p *presser) {
		iprof.Pause()
		if !p.paused {
			p.end()
		}
		p.paused = true
	},
	"Resume": func(p *presser) {
		iprof.Resume()
		if p.paused {
			p.end()
		}
		p.paused = false
	},
	"Reset": func(p *presser) {
		iprof.Reset()
		p.end()
		p.live, p.aside = sums{}, p.live
	},
	"UndoReset": func(p *presser) {
		if p.session.UndoReset() {
			p.end()
			p.live, p.aside = p.aside, p.live
		} else if lost := nonzero(p.aside); len(lost) > 0 {
			p.t.Fatalf("%v: UndoReset: got nothing to bring back; want %v", p.done, lost)
		}
	},
	"SetRecording": func(p *presser) {
		p.off = p.rng.IntN(3) == 0
		iprof.SetRecording(!p.off)
	},
	"GPU begins": func(p *presser) { // frames wait for its times
		p.waits = true
		p.gpu.Wait(platform.Now())
	},
	"GPU ends": func(p *presser) { p.gpu.Wait(0) },
	"SetFrame": func(p *presser) { p.session.View().SetFrame(p.rng.IntN(9)) },
	"Record":   (*presser).record,
	"Close": func(p *presser) {
		if n := len(p.recordings); n > 0 {
			p.close(p.rng.IntN(n))
		}
	},
	"Dump": (*presser).checkLive,
}

// recordTo begins a recording, or a stream to a viewer.
func recordTo(t *testing.T, s *process.Session, to io.Writer, live bool) *capture.Recorder {
	return must.Get(capture.Record(s, capture.RecordOptions{To: to, Live: live}))(t)
}

// record begins a recording, or a stream to a viewer.
func (p *presser) record() {
	if len(p.recordings) > 3 {
		return
	}
	r := &tape{want: sums{}, waits: p.waits}
	r.Recorder = recordTo(p.t, p.session, r, p.rng.IntN(3) == 0)
	p.recordings = append(p.recordings, r)
}

// close ends a recording and compares its sums. A stream may have dropped frames, and counts them. A recording may have
// frames that waited when it began.
func (p *presser) close(i int) {
	r := p.recordings[i]
	p.recordings = append(p.recordings[:i], p.recordings[i+1:]...)
	if err := r.Close(); err != nil {
		p.t.Fatalf("closing a recording: %v", err)
	}
	if r.Dropped() > 0 || r.waits {
		return
	}
	if got, _ := recorded(p.t, &r.Buffer); !maps.Equal(nonzero(got.sums), nonzero(r.want)) {
		p.t.Errorf("%v: a recording has\n%v\nwant\n%v", p.done, nonzero(got.sums), nonzero(r.want))
	}
}

// nonzero leaves out what is not the presser's, and what is 0.
func nonzero(s sums) sums {
	out := sums{}
	for name, n := range s {
		if n != 0 && bytes.Contains([]byte(name), []byte("press")) {
			out[name] = n
		}
	}
	return out
}

// checkLive compares the session's totals, by a Dump of any kind.
func (p *presser) checkLive() {
	any := func() bool { return p.rng.IntN(2) == 0 }
	o := report.DumpOptions{NoTrees: any(), NoHistory: any(), NoFrames: any(), NoLanes: any()}
	d := p.session.Dump(o)
	got := sums{}
	for _, t := range d.ZoneTotals() {
		got[d.Zones[t.Zone].Name] += int(t.Count)
	}
	for _, v := range d.Values {
		got["count "+v.Name] += int(v.Total)
	}
	if want := nonzero(p.live); !maps.Equal(nonzero(got), want) {
		p.t.Errorf("%v: the session, by %+v, has\n%v\nwant\n%v", p.done, o, nonzero(got), want)
	}
	if len(d.Zones) < p.zones {
		p.t.Errorf("%v: got %d zones after %d", p.done, len(d.Zones), p.zones)
	}
	p.zones = len(d.Zones)
}

// run presses some keys, and then compares everything.
func (p *presser) run(names []string) {
	all := &frameSums{t: p.t, sums: sums{}}
	r := &tape{want: sums{}}
	iprof.Update()
	defer p.session.AddSink(all)()
	p.recordings = append(p.recordings, r)
	r.Recorder = recordTo(p.t, p.session, r, false)
	for range 30 {
		name := names[p.rng.IntN(len(names))]
		p.done = append(p.done, name)
		presses[name](p)
		if p.t.Failed() {
			break
		}
	}
	p.checkLive()
	presses["GPU ends"](p)
	presses["Update"](p)
	p.checkLive()
	p.waits = false
	for len(p.recordings) > 0 {
		p.close(0)
	}
	if !maps.Equal(nonzero(all.sums), nonzero(p.all)) {
		p.t.Errorf("%v: a sink has\n%v\nwant\n%v", p.done, nonzero(all.sums), nonzero(p.all))
	}
	iprof.SetRecording(true)
	iprof.Resume()
	iprof.Reset()
}

// TestSoakPresses presses keys in any order: the recordings have what was measured, whatever the user presses, and so
// has the session, but for what was measured during a pause or before a Reset.
func TestSoakPresses(t *testing.T) {
	defer process.Default().View().Set(process.Default().View().Get())
	end, seed := time.Now().Add(soakLength(t, "IPROF_PRESSES")), uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	var all, without []string
	for _, name := range slices.Sorted(maps.Keys(presses)) { // in an order that the seed repeats
		all = append(all, name)
		if name != "Update" {
			without = append(without, name)
		}
	}
	for i := uint64(0); (time.Now().Before(end) || i < 8) && !t.Failed(); i++ {
		p := &presser{t: t, rng: rand.New(rand.NewPCG(seed, i)), session: process.Default(),
			all: sums{}, pending: sums{}, live: sums{}, aside: sums{}}
		names := all
		if i%4 > 1 { // a program that never calls Update
			names = without
		}
		if i%2 == 0 {
			platform.SetClock(func() int64 { return p.now }, 1e6)
		}
		iprof.Reset()
		iprof.Reset() // nothing to bring back
		p.gpu = gather.NewForeignLane("presser's GPU", 1e9)
		p.run(names)
		p.gpu.Close()
		platform.SetClock(nil, 0)
	}
}

// What was measured before Pause, Reset or UndoReset is in recordings, black boxes and viewers.
func TestEachPressEndsTheFrame(t *testing.T) {
	s, work := process.Default(), iprof.Zone{Name: "press work"}
	do := func(n int) {
		for range n {
			work.Begin().End()
			iprof.Count("press things")
		}
	}
	for name, c := range map[string]struct {
		press func()
		more  int
	}{
		"none":            {func() {}, 0},
		"Pause, Resume":   {func() { s.Pause(); s.Resume() }, 0},
		"work in a pause": {func() { s.Pause(); do(10); s.Resume() }, 10},
		"Reset":           {s.Reset, 0},
		"UndoReset":       {func() { s.Reset(); do(10); s.UndoReset() }, 10},
	} {
		t.Run(name, func(t *testing.T) {
			iprof.Update()
			dir := t.TempDir()
			var file, stream bytes.Buffer
			rec, viewer := recordTo(t, s, &file, false), recordTo(t, s, &stream, true)
			box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1}))(t)
			do(1000)
			iprof.Mark("press before")
			c.press()
			do(1000)
			iprof.Mark("press after")
			box.Trigger("press")
			iprof.Update()
			for _, close := range []func() error{rec.Close, viewer.Close, box.Close} {
				must.Do(t, close())
			}
			files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
			if len(files) != 1 {
				t.Fatalf("black box: got %v; want one file", files)
			}
			kept := must.Get(os.ReadFile(files[0]))(t)
			n := 2000 + c.more
			want := sums{"press work": n, "count press things": n, "mark press before": 1, "mark press after": 1}
			for name, b := range map[string][]byte{"recording": file.Bytes(), "viewer": stream.Bytes(), "box": kept} {
				if name == "viewer" && viewer.Dropped() > 0 {
					continue // the stream was slower than the program, and says so
				}
				if got, _ := recorded(t, bytes.NewReader(b)); !maps.Equal(nonzero(got.sums), want) {
					t.Errorf("%s: got %v; want %v", name, nonzero(got.sums), want)
				}
			}
		})
	}
}
