package capture_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// longCapture is a capture of a program that enters new zones all the time, with counters, and its frames.
func longCapture(t testing.TB, frames int) (file []byte, read []gather.Frame) {
	t.Helper()
	var b bytes.Buffer
	w, p := framefile.NewWriter(&b, capture.Info{Program: "growing"}), world.NewRandom(4)
	p.Prepare()
	for i := range frames {
		if i%97 == 50 {
			p.Plant(world.NewPath)
		}
		f := p.Frame()
		f.Counters = []gather.CounterInfo{{Name: "count"}, {Name: "level", Level: true}}
		f.Values = []gather.CounterValue{{Counter: 0, Value: float64(i % 7)}}
		if i%3 == 0 {
			f.Values = append(f.Values, gather.CounterValue{Counter: 1, Value: float64(i)})
		}
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	read, _, _ = readAll(t, b.Bytes())
	return b.Bytes(), read
}

// fileOf opens bytes.
func fileOf(t testing.TB, b []byte) *framefile.File {
	t.Helper()
	f := must.Get(framefile.OpenFile(bytes.NewReader(b), int64(len(b))))(t)
	return f
}

// withHistory is a session with a history of so many frames.
func withHistory(frames int) *process.Session {
	s := process.NewSession()
	s.SetHistory(frames, frames)
	return s
}

// Whatever part of a file a session holds, and however it was read, its averages are those of a session with all
// frames.
func TestAveragesAreOfAllFrames(t *testing.T) {
	const frames = 1500
	b, _ := longCapture(t, frames)
	all := withHistory(frames)
	if _, err := framefile.Load(all, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	few, newest := withHistory(40), withHistory(frames)
	if _, err := framefile.Load(few, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	_, sums, c, err := framefile.NewestOf(newest, bytes.NewReader(b), int64(len(b)), 300)
	if err != nil || c.Frames != frames || !c.Complete || newest.View().Info().Frames > 600 {
		t.Fatalf("got %v, %+v, %d frames in the session; want about 300", err, c, newest.View().Info().Frames)
	}
	busy := 0
	sums.Judged(func(frame uint64, ms float32) {
		if busy++; frame != uint64(busy-1) || !(ms > 0) {
			t.Fatalf("got frame %d, %v ms", frame, ms)
		}
	})
	if busy != frames {
		t.Errorf("got %d busy times", busy)
	}
	lens := report.Lens{Kind: report.LensAll}
	few.View().SetLens(lens)
	newest.View().SetLens(lens)
	all.View().SetLens(lens)
	for i, want := range all.View().AppendLanes(nil) {
		for _, s := range []*process.Session{few, newest} {
			if got := s.View().AppendLanes(nil)[i]; got.Name != want.Name || math.Abs(got.Self-want.Self) > 1e-9 {
				t.Errorf("got lane %+v; want %+v", got, want)
			}
		}
	}
	for _, v := range []report.View{
		{Lens: lens}, {Lens: lens, Mode: report.ReportHierarchicalTime}, {Lens: lens, Mode: report.ReportCallTree},
		{Lens: lens, Mode: report.ReportCallGraph, Focus: 3}, {Lens: lens, Lane: 2},
	} {
		want := reportOf(all, v)
		for name, s := range map[string]*process.Session{"few": few, "newest": newest} {
			if got := reportOf(s, v); got != want {
				t.Errorf("%s, %+v: got\n%s\nwant\n%s", name, v, got, want)
			}
		}
	}
}

// reportOf is a report as text: title, values, and of each row the averages.
func reportOf(s *process.Session, v report.View) string {
	r := report.Report{Want: report.ColumnsOf(report.ColumnMeanSelf, report.ColumnDeviationSelf)}
	s.View().AppendReportOf(&r, v)
	text := fmt.Sprintln(r.Title)
	for _, value := range r.Values {
		text += fmt.Sprintf("%s %.6g %.6g\n", value.Name, value.Value, value.Total)
	}
	rows := map[string]int{}
	for i := range r.Records {
		k := &r.Records[i]
		row := fmt.Sprintf("%s %d", k.Name, k.Indent)
		for _, c := range []report.Column{report.ColumnSelf, report.ColumnHier, report.ColumnCount,
			report.ColumnSelfPercent} {
			row += fmt.Sprintf(" %.4f", math.Abs(k.Values[c]))
		}
		if v.Mode == report.ReportSelfTime && v.Lane == 0 {
			row += fmt.Sprintf(" %.3f %.3f", k.Values[report.ColumnMeanSelf], k.Values[report.ColumnDeviationSelf])
		}
		rows[row]++
	}
	return text + fmt.Sprintln(rows)
}

// A File gives a session any frames, as they are in the file.
func TestFramesInAnyOrder(t *testing.T) {
	b, want := longCapture(t, 1100)
	f := fileOf(t, b)
	if f.Frames() != uint64(len(want)) {
		t.Fatalf("got %d frames; want %d", f.Frames(), len(want))
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 20 {
		from := random.Uint64N(f.Frames())
		to := min(from+1+random.Uint64N(400), f.Frames())
		s, seen := withHistory(1000), &kept{}
		s.AddSink(seen)
		if c, err := f.Load(s, from, to); err != nil || c.Frames != to-from || c.Program != "growing" {
			t.Fatalf("frames %d to %d: got %v, %+v", from, to, err, c)
		}
		for i, got := range seen.frames {
			frame := clone(want[from:to][i])
			if !reflect.DeepEqual(got.Lanes, frame.Lanes) || got.Index != frame.Index ||
				!reflect.DeepEqual(got.Zones[:len(frame.Zones)], frame.Zones) {
				t.Fatalf("frames %d to %d: frame %d differs", from, to, i)
			}
		}
		if len(seen.frames) != int(to-from) {
			t.Fatalf("frames %d to %d: got %d", from, to, len(seen.frames))
		}
	}
}

// kept is a sink that keeps frames.
type kept struct{ frames []gather.Frame }

func (k *kept) WriteFrame(f *gather.Frame) error {
	k.frames = append(k.frames, clone(*f))
	return nil
}

// A file that is cut off is read up to there. One that is damaged, or that has two programs, is read as by Load.
func TestFilesWithoutOrder(t *testing.T) {
	for _, readers := range []int{1, 16} { // which may be as many as there are keys
		t.Run(fmt.Sprint("readers=", readers), func(t *testing.T) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(readers))
			filesWithoutOrder(t)
		})
	}
}

func filesWithoutOrder(t *testing.T) {
	b, _ := longCapture(t, 800)
	damaged := bytes.Clone(b)
	damaged[len(b)/2] ^= 0x55
	other := bytes.Clone(b[headBytes:])
	for name, file := range map[string][]byte{
		"cut": b[:len(b)*2/3], "damaged": damaged, "two programs": append(bytes.Clone(b), other...),
		"no frames": b[:headBytes],
	} {
		one, two := withHistory(2000), withHistory(2000)
		want := must.Get(framefile.Load(one, bytes.NewReader(file)))(t)
		f, _, got, err := framefile.NewestOf(two, bytes.NewReader(file), int64(len(file)), 1<<20)
		if err != nil || (f != nil) != (name == "cut") || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %v, file %v, %+v; want %+v", name, err, f != nil, got, want)
		}
		v := report.View{Lens: report.Lens{Kind: report.LensAll}}
		if got, want := reportOf(two, v), reportOf(one, v); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	newer := bytes.Clone(b)
	newer[8] = 2
	var version *capture.NewerError
	if _, err := framefile.OpenFile(bytes.NewReader(newer), int64(len(b))); !errors.As(err, &version) {
		t.Errorf("a newer version: got %v", err)
	}
	if _, err := framefile.OpenFile(bytes.NewReader(nil), 0); !errors.Is(err, capture.ErrNotACapture) {
		t.Errorf("nothing: got %v", err)
	}
}

// The chunks at the end of a file: where the index is, and what it says.
func indexOf(t testing.TB, file []byte) (at int, payload []byte) {
	t.Helper()
	last := file[len(file)-14:]
	if last[0] != 'J' || last[1] != 8 {
		t.Fatalf("got last chunk % x", last)
	}
	at = int(binary.LittleEndian.Uint64(last[2:]))
	length, n := binary.Uvarint(file[at+1:])
	if file[at] != 'D' {
		t.Fatalf("got chunk %q at %d", file[at], at)
	}
	return at, file[at+1+n:][:length]
}

// withIndex is a file with another index, whose sum is right.
func withIndex(t testing.TB, file, payload []byte) []byte {
	at, _ := indexOf(t, file)
	file = append(bytes.Clone(file[:at]), 'D')
	file = append(binary.AppendUvarint(file, uint64(len(payload))), payload...)
	file = append(file, 0, 0, 0, 0, 'X', 1, 0, 0, 0, 0, 0, 'J', 8)
	file = binary.LittleEndian.AppendUint64(file, uint64(at))
	return mended(append(file, 0, 0, 0, 0))
}

// A file is opened by its index, without a look at its frames.
func TestTheIndexIsRead(t *testing.T) {
	b, _ := longCapture(t, 2000)
	in := &counting{Reader: bytes.NewReader(b)}
	f, err := framefile.OpenFile(in, int64(len(b)))
	if err != nil || f.Frames() != 2000 {
		t.Fatalf("got %v, %d frames", err, f.Frames())
	}
	if most := len(b) / 4; in.read > most { // zones, and the buffer of a reader
		t.Errorf("got %d bytes read of %d; want at most %d", in.read, len(b), most)
	}
}

// counting counts the bytes that are read.
type counting struct {
	*bytes.Reader
	read int
}

func (c *counting) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(p, at)
	c.read += n
	return n, err
}

// The reader ignores a wrong index, finds the frames without it, and warns.
func TestAnIndexThatLies(t *testing.T) {
	b, _ := longCapture(t, 800)
	_, good := indexOf(t, b)
	frames, n := binary.Uvarint(good)
	numbers := func(list ...uint64) (p []byte) {
		for _, v := range list {
			p = binary.AppendUvarint(p, v)
		}
		return p
	}
	of := withHistory(1000)
	if _, err := framefile.Load(of, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	want := reportOf(of, report.View{})
	for name, lie := range map[string][]byte{
		"more frames":         append(numbers(frames+1), good[n:]...),
		"fewer frames":        append(numbers(frames-1), good[n:]...),
		"no keys":             numbers(800, 0, 1, 10),
		"keys that are huge":  numbers(800, 1<<60, 1, 1, 1, 1),
		"a key that is none":  numbers(800, 1, 30, 0, 1, 10),
		"a key behind all":    numbers(800, 1, 1<<40, 0, 1, 10),
		"keys that fall":      numbers(800, 2, 3000, 0, math.MaxUint64-1000, 256, 1, 10),
		"the same key twice":  numbers(800, 2, 3000, 0, 0, 256, 1, 10),
		"frames beyond bytes": numbers(1<<50, 1, 3000, 0, 1, 10),
		"nothing":             {},
		"definitions twice":   append(bytes.Clone(good[:len(good)-1]), 0),
		"no definitions":      numbers(800, 1, 3000, 0, 0),
	} {
		file := withIndex(t, b, lie)
		s := withHistory(1000)
		f, _, c, err := framefile.NewestOf(s, bytes.NewReader(file), int64(len(file)), 1<<20)
		if err != nil || f == nil || c.Frames != 800 || len(c.Damages) != 1 ||
			!errors.Is(c.Damages[0], framefile.ErrBadIndex) {
			t.Errorf("%s: got %v, %+v; want all frames and a complaint", name, err, c)
			continue
		}
		if got := reportOf(s, report.View{}); got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
		}
	}
	longer := append(bytes.Clone(b), b[headBytes:200]...)
	for name, file := range map[string][]byte{"cut": b[:len(b)-3], "longer": longer} {
		s := withHistory(1000)
		_, _, c, err := framefile.NewestOf(s, bytes.NewReader(file), int64(len(file)), 10)
		if err != nil || c.Frames != 800 {
			t.Errorf("%s: got %v, %+v", name, err, c)
		}
	}
}

// A session whose history holds few frames of a file shows any of them, as a session with all frames does, and the sums
// stay those of all.
func TestEveryFrameIsReached(t *testing.T) {
	const frames = 1500
	b, _ := longCapture(t, frames)
	all, few := withHistory(frames), withHistory(800)
	for _, s := range []*process.Session{all, few} {
		if _, err := framefile.Load(s, bytes.NewReader(b)); err != nil {
			t.Fatal(err)
		}
		s.Pause()
		s.View().SetAverage(report.AverageInstant) // moving ones begin where the history does
	}
	if reaches, err := framefile.Reach(all, bytes.NewReader(b), int64(len(b))); reaches || err != nil {
		t.Fatalf("all frames in the history: got %t, %v", reaches, err)
	}
	if reaches, err := framefile.Reach(few, bytes.NewReader(b), int64(len(b))); !reaches || err != nil {
		t.Fatalf("got %t, %v", reaches, err)
	}
	both := func(do func(s *process.Session)) {
		t.Helper()
		do(all)
		do(few)
		got, want := few.View().Info(), all.View().Info()
		var r, w report.Report
		few.View().AppendReport(&r)
		all.View().AppendReport(&w)
		if got.Index != want.Index || got.Length != want.Length || r.Title != w.Title ||
			!sameRows(r.Records, w.Records) {
			t.Fatalf("got frame %d, %s; want %d, %s", got.Index, r.Title, want.Index, w.Title)
		}
		if verdict := w.Verdict.String(); r.Verdict.String() != verdict {
			t.Errorf("frame %d: got verdict %q; want %q", got.Index, r.Verdict.String(), verdict)
		}
	}
	for _, by := range []int{-1, -150, -60, -1, -700, 30, 500, -1, 1, 260, 300, -2000, 1, 3000, -400, -150} {
		both(func(s *process.Session) { s.View().MoveFrame(by) })
	}
	both(func(s *process.Session) { s.View().SetFrame(1 << 30) })
	if past := pastOf(few); past.Behind+past.Kept != frames {
		t.Errorf("got %d frames behind %d; want %d together", past.Behind, past.Kept, frames)
	}
	both(func(s *process.Session) { s.View().SetFrame(-1 << 30) })
	random := rand.New(rand.NewPCG(2, 2))
	for range 20 {
		index := random.Uint64N(frames)
		both(func(s *process.Session) {
			if !s.View().ShowFrame(index) {
				t.Fatalf("frame %d is not reached", index)
			}
		})
	}
	if few.View().ShowFrame(frames) {
		t.Error("there is no such frame")
	}
	slowOnesAreReached(t, all, few, both)
	sameSums(t, few, all)
}

// sameSums checks that two sessions have the same sums of all frames.
func sameSums(t *testing.T, few, all *process.Session) {
	t.Helper()
	got, want := all.AppendTotals(nil), few.AppendTotals(nil)
	if len(got) != len(want) || got[0].Hier != want[0].Hier || got[1].Self != want[1].Self {
		t.Errorf("got totals %+v; want %+v", got[:2], want[:2])
	}
	v := report.View{Lens: report.Lens{Kind: report.LensAll}}
	if got, want := reportOf(few, v), reportOf(all, v); got != want {
		t.Errorf("got averages\n%s\nwant\n%s", got, want)
	}
}

// A lens of the frames over a time and one of the frames within it choose each frame once, also if the time is that of
// a frame, and so does a session with all frames.
func TestFramesOfExactlyTheBudget(t *testing.T) {
	const frames = 700
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{})
	for i := range frames {
		f := idleSecond(uint64(i), false)
		f.Zones = append([]gather.ZoneInfo(nil), f.Zones...)
		f.Lanes[0].Nodes[1].Self = platform.Ticks(152 + i%3)
		f.End = f.Begin + f.Lanes[0].Nodes[1].Self
		f.Lanes[0].End, f.Lanes[0].Nodes[0].Self = f.End, 0
		must.Do(t, w.WriteFrame(f))
	}
	must.Do(t, w.Close())
	all, few := withHistory(frames), withHistory(40)
	for _, s := range []*process.Session{all, few} {
		must.Get(framefile.Load(s, bytes.NewReader(b.Bytes())))(t)
		s.SetFrameBudget(150 * time.Millisecond) // frames of more than 153 ms are over it: see report.OverFactor
	}
	if reaches, err := framefile.Reach(few, bytes.NewReader(b.Bytes()), int64(b.Len())); !reaches || err != nil {
		t.Fatalf("got %t, %v", reaches, err)
	}
	for _, kind := range []report.LensKind{report.LensOver, report.LensWithin} {
		v := report.View{Lens: report.Lens{Kind: kind}}
		if got, want := reportOf(few, v), reportOf(all, v); got != want {
			t.Errorf("lens %v: got\n%s\nwant\n%s", kind, got, want)
		}
	}
}

// pastOf is the history that a screen shows.
func pastOf(s *process.Session) report.Past {
	var shown process.Snapshot
	s.View().Snapshot(&shown, process.SnapshotOptions{Past: report.Window{Frames: 300, Columns: 300}})
	return shown.Past
}

// slowOnesAreReached goes to all frames over budget, by one step after the other.
func slowOnesAreReached(t *testing.T, all, few *process.Session, both func(do func(s *process.Session))) {
	t.Helper()
	slowest := fmt.Sprint(all.AppendSlowest(nil))
	for _, s := range []*process.Session{all, few} {
		s.SetFrameBudget(12 * time.Millisecond)
		s.View().SetFrame(-1 << 30)
	}
	for range 40 {
		both(func(s *process.Session) { s.View().MoveToOverBudget(-1) })
	}
	for range 60 {
		both(func(s *process.Session) { s.View().MoveToOverBudget(1) })
	}
	all.SetFrameBudget(0)
	few.SetFrameBudget(0)
	if got := fmt.Sprint(few.AppendSlowest(nil)); got != slowest {
		t.Errorf("got slowest frames %s; want %s", got, slowest)
	}
}

// sameRows reports whether two reports of one frame have the same rows, in any order of equal ones.
func sameRows(a, b []report.Record) bool {
	rows := map[string]int{}
	for i, list := range [][]report.Record{a, b} {
		for k := range list {
			r := &list[k]
			rows[fmt.Sprint(r.Name, r.Indent, r.Values[report.ColumnSelf], r.Values[report.ColumnHier],
				r.Values[report.ColumnCount])] += 1 - 2*i
		}
	}
	for _, n := range rows {
		if n != 0 {
			return false
		}
	}
	return true
}
