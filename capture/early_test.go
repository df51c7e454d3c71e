package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// newcomers is a program that uses zones and counters for the first time at random, also between the end of a frame and
// the moment when a reader of the session lets it in. It counts everything itself.
type newcomers struct {
	random *rand.Rand
	name   string // of all its zones and counters
	zones  []*gather.Zone
	singly map[string]bool // with SetPerCall
	counts tallied
	frames int
	turn   chan func() // for its only goroutine
}

func newNewcomers(seed uint64) *newcomers {
	p := &newcomers{random: rand.New(rand.NewPCG(seed, 35)), name: fmt.Sprint("seed ", seed), singly: map[string]bool{},
		counts: tallied{}, turn: make(chan func())}
	go func() {
		for do := range p.turn {
			do()
			p.turn <- nil
		}
	}()
	return p
}

// run runs a function on the program's goroutine.
func (p *newcomers) run(do func()) {
	p.turn <- do
	<-p.turn
}

// update ends a frame.
func (p *newcomers) update() {
	process.Default().Update()
	p.frames++
}

// tallied has the number of entries, of counts, of marks and of remarks by name.
type tallied map[string]float64

// enter enters a zone, or some in one another, and leaves them.
func (p *newcomers) enter() {
	r := p.random
	if len(p.zones) == 0 || r.IntN(3) == 0 {
		z := &gather.Zone{Name: fmt.Sprint(p.name, " zone ", len(p.zones))}
		p.zones = append(p.zones, z)
		if r.IntN(2) == 0 {
			z.SetPerCall(true)
			p.singly[z.Name] = true
		}
	}
	for range 1 + r.IntN(3) {
		z := p.zones[max(r.IntN(len(p.zones)), len(p.zones)-r.IntN(4)-1)]
		s := z.Begin()
		defer s.End()
		p.counts[z.Name]++
		if r.IntN(3) == 0 {
			s.Text("remark in " + z.Name)
			p.counts["remark in "+z.Name]++
		}
	}
}

// do does one thing at random.
func (p *newcomers) do() {
	name := fmt.Sprint(p.name, " number ", p.frames/40)
	switch p.random.IntN(9) {
	case 0:
		measure.Count("count " + name)
		p.counts["count "+name]++
	case 1:
		measure.Value("level "+name, 3)
	case 2:
		measure.Mark("mark " + name)
		p.counts["mark "+name]++
	case 3:
		measure.Section(name)
	default:
		p.enter()
	}
}

// step ends frames. With a reader, frames end while another goroutine holds the session, and the program goes on before
// they are taken in.
func (p *newcomers) step(reader bool) {
	some := func() {
		for range 1 + p.random.IntN(4) {
			for range p.random.IntN(6) {
				p.do()
			}
			p.update()
		}
		for range p.random.IntN(6) {
			p.do()
		}
	}
	if !reader {
		p.run(some)
		return
	}
	process.Default().View().Arrange(func(*report.Arrangement) { p.run(some) })
}

// A program enters zones of every kind between the end of a frame and its encoding. The readers of a recording, of a
// stream and of a black box have each frame, with its own names and numbers.
func TestFramesAreWhatTheyWere(t *testing.T) {
	withEvents(t, 1<<12)
	s := process.Default()
	for seed := range uint64(4) {
		p, dir := newNewcomers(seed), t.TempDir()
		box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: dir, Before: 1e6, After: -1, OverBudget: -1,
			Log: io.Discard}))(t)
		var file, stream bytes.Buffer
		recording, viewer := capture.RecordTo(s, &file), capture.StreamTo(s, &stream)
		for range 200 {
			p.step(p.random.IntN(2) == 0)
		}
		box.Trigger("end")
		p.run(p.update)
		for _, close := range []func() error{recording.Close, viewer.Close, box.Close} {
			must.Do(t, close())
		}
		p.check(t, "recording", file.Bytes())
		checkOwnNames(t, "stream", stream.Bytes())
		files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
		if len(files) != 1 {
			t.Fatalf("got files %q; want one", files)
		}
		b := must.Get(os.ReadFile(files[0]))(t)
		p.check(t, "black box", b)
	}
}

// checkOwnNames checks that no frame uses a zone that is not its own, and that no frame has fewer zones than the frame
// before. It returns what the capture says of the program.
func checkOwnNames(t *testing.T, name string, file []byte) (
	counts tallied, frames int, all []gather.ZoneInfo, r *framefile.Reader) {
	t.Helper()
	r = must.Get(framefile.NewReader(bytes.NewReader(file)))(t)
	counts = tallied{}
	zones := 0
	var f gather.Frame
	for ; r.Next(&f) == nil; frames++ {
		if len(f.Zones) < zones {
			t.Fatalf("%s, frame %d: got %d zones; the frame before has %d", name, f.Index, len(f.Zones), zones)
		}
		zones = len(f.Zones)
		counts.add(t, &f, r)
	}
	for _, z := range f.Zones {
		if strings.Contains(z.Name, "lost") {
			t.Errorf("%s: got a zone without its name", name)
		}
	}
	return counts, frames, f.Zones, r
}

// add adds what a frame has.
func (c tallied) add(t *testing.T, f *gather.Frame, r *framefile.Reader) {
	t.Helper()
	for i := range f.Lanes {
		for _, n := range f.Lanes[i].Nodes {
			c[f.Zones[n.Zone].Name] += float64(n.Count)
		}
		if from := r.Events(); from != nil {
			for _, e := range from.AppendEvents(nil, f.Lanes[i].ID, f.Begin, f.End) {
				if int(e.Zone) >= len(f.Zones) {
					t.Fatalf("frame %d: got an event of zone %d of %d", f.Index, e.Zone, len(f.Zones))
				}
			}
		}
	}
	for _, v := range f.Values {
		if info := f.Counters[v.Counter]; !info.Level {
			c[info.Name] += v.Value
		}
	}
	for _, m := range f.Marks {
		c[m.Text]++
	}
	for _, m := range f.Remarks {
		if c[m.Text]++; m.Text != "remark in "+f.Zones[m.Zone].Name {
			t.Fatalf("frame %d: got %q of %q", f.Index, m.Text, f.Zones[m.Zone].Name)
		}
	}
}

// check compares a capture with what the program has counted.
func (p *newcomers) check(t *testing.T, name string, file []byte) {
	t.Helper()
	got, frames, zones, r := checkOwnNames(t, name, file)
	if frames != p.frames {
		t.Errorf("%s of %s: got %d frames; want %d", name, p.name, frames, p.frames)
	}
	for what, n := range p.counts {
		if got[what] != n {
			t.Errorf("%s: got %v of %q; want %v", name, got[what], what, n)
		}
	}
	calls := map[string]uint64{}
	for _, c := range r.Calls().AppendCalls(nil) {
		calls[zones[c.Zone].Name] += c.Count
	}
	for zone := range p.singly {
		if n := uint64(p.counts[zone]); calls[zone] != n {
			t.Errorf("%s: got %d calls of %q; want %d", name, calls[zone], zone, n)
		}
	}
	s := process.NewSession()
	c, err := framefile.Load(s, bytes.NewReader(file))
	if err != nil || c.Frames != uint64(p.frames) || s.View().Info().Frames != c.Frames || len(c.Damages) > 0 {
		t.Errorf("%s: got %v, %+v, %d frames in the session", name, err, c, s.View().Info().Frames)
	}
}

// A file of version 1.9 has calls of a zone before the zone. All of its frames are read, and each number in "top" is of
// all of them.
func TestEarlyCallsOfOldFiles(t *testing.T) {
	s, c, err := capture.Open("testdata/early-calls.iprof")
	if err != nil || len(c.Damages) > 0 || c.Frames != 252 || s.View().Info().Frames != 252 {
		t.Fatalf("got %v, %+v, %d frames in the session; want 252", err, c, s.View().Info().Frames)
	}
	calls := tallied{}
	d := s.Dump(report.DumpOptions{})
	for _, z := range d.ZoneTotals() {
		calls[d.Zones[z.Zone].Name] += z.Count
	}
	want := tallied{"step": 250, "first route": 250, "late route": 1, "another new zone": 1}
	for name, n := range want {
		if calls[name] != n {
			t.Errorf("got %v calls of %q; want %v", calls[name], name, n)
		}
	}
	if calls["(name lost)"] > 0 || d.Frames != 252 {
		t.Errorf("got %v calls without a name in %d frames", calls["(name lost)"], d.Frames)
	}
}

// A frame whose settings already name a zone that the frame does not have yet: readers get the settings with the zone.
func TestSettingsOfZonesToCome(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	zones := []gather.ZoneInfo{{Name: "(root)"}, {Name: "old"}, {Name: "new"}}
	hot := &report.HotZones{Samples: 9, Zones: []report.HotLines{{Zone: 1, Samples: 4}, {Zone: 2, Samples: 5}},
		Waited: map[report.ZoneID]float64{1: 0.5, 2: 0.25},
		Frames: []report.HotFrame{{Begin: 7, Samples: 1, Zones: []report.HotLines{{Zone: 2, Samples: 1}}}}}
	budgets := []gather.ZoneBudget{{Zone: 1, Budget: 10}, {Zone: 2, Budget: 20}}
	for i := range 3 {
		f := gather.Frame{Index: uint64(i), TicksPerSecond: 1e9, Zones: zones[:2+i/2], Budgets: budgets}
		f.Lanes = []gather.LaneFrame{{ID: 1, Nodes: []gather.Node{{Parent: -1}}}}
		must.Do(t, w.WriteJudged(&f, &process.Judged{Hot: func() *report.HotZones { return hot }}))
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range 3 {
		must.Do(t, r.Next(&f))
		known := 1 + i/2
		if h := r.Hot(); len(f.Zones) != 1+known || len(f.Budgets) != known || len(h.Zones) != known ||
			len(h.Waited) != known || len(h.Frames[0].Zones) != known-1 {
			t.Errorf("frame %d: got %d zones, budgets %v, %+v", i, len(f.Zones), f.Budgets, h)
		}
	}
}
