package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/synth"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// longCapture is a capture of a program that enters new zones all the time, with counters, and its frames.
func longCapture(t testing.TB, frames int) (file []byte, read []gather.Frame) {
	t.Helper()
	var b bytes.Buffer
	w, p := capture.NewWriter(&b, capture.Info{Program: "growing"}), synth.New(4)
	p.Prepare()
	for i := range frames {
		if i%97 == 50 {
			p.Plant(synth.NewPath)
		}
		f := p.Frame()
		f.Counters = []gather.CounterInfo{{Name: "count"}, {Name: "level", Level: true}}
		f.Values = []gather.CounterValue{{Counter: 0, Value: float64(i % 7)}}
		if i%3 == 0 {
			f.Values = append(f.Values, gather.CounterValue{Counter: 1, Value: float64(i)})
		}
		if err := w.WriteFrame(f); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	read, _, _ = readAll(t, b.Bytes())
	return b.Bytes(), read
}

// fileOf opens bytes.
func fileOf(t testing.TB, b []byte) *capture.File {
	t.Helper()
	f, err := capture.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// withHistory is a session with a history of so many frames.
func withHistory(frames int) *process.Session {
	s := process.NewSession()
	s.SetHistory(frames, frames)
	return s
}

// TestAveragesAreOfAllFrames: whatever part of a file a session holds, and however it was read, its averages are those
// of a session with all frames.
func TestAveragesAreOfAllFrames(t *testing.T) {
	const frames = 1500
	b, _ := longCapture(t, frames)
	all := withHistory(frames)
	if _, err := capture.Load(all, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	few, newest := withHistory(40), withHistory(frames)
	if _, err := capture.Load(few, bytes.NewReader(b)); err != nil {
		t.Fatal(err)
	}
	_, sums, c, err := capture.NewestOf(newest, bytes.NewReader(b), int64(len(b)), 300)
	if err != nil || c.Frames != frames || !c.Complete || newest.Info().Frames > 600 {
		t.Fatalf("got %v, %+v, %d frames in the session; want about 300", err, c, newest.Info().Frames)
	}
	busy := 0
	sums.Busy(func(frame uint64, ms float32) {
		if busy++; frame != uint64(busy-1) || !(ms > 0) {
			t.Fatalf("got frame %d, %v ms", frame, ms)
		}
	})
	if busy != frames {
		t.Errorf("got %d busy times", busy)
	}
	lens := report.Lens{Kind: report.LensAll}
	few.SetLens(lens)
	newest.SetLens(lens)
	all.SetLens(lens)
	for i, want := range all.AppendLanes(nil) {
		for _, s := range []*process.Session{few, newest} {
			if got := s.AppendLanes(nil)[i]; got.Name != want.Name || math.Abs(got.Self-want.Self) > 1e-9 {
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
	s.AppendReportOf(&r, v)
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

// TestFramesInAnyOrder: a File gives a session any frames, as they are in the file.
func TestFramesInAnyOrder(t *testing.T) {
	b, want := longCapture(t, 1100)
	f := fileOf(t, b)
	if f.Frames() != uint64(len(want)) {
		t.Fatalf("got %d frames; want %d", f.Frames(), len(want))
	}
	random := rand.New(rand.NewPCG(1, 1))
	for range 60 {
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

// TestFilesWithoutOrder: a file that is cut off is read up to there. One that is damaged, or that has two programs, is
// read as by Load.
func TestFilesWithoutOrder(t *testing.T) {
	b, _ := longCapture(t, 800)
	damaged := bytes.Clone(b)
	damaged[len(b)/2] ^= 0x55
	other := bytes.Clone(b[headBytes:])
	for name, file := range map[string][]byte{
		"cut": b[:len(b)*2/3], "damaged": damaged, "two programs": append(bytes.Clone(b), other...),
		"no frames": b[:headBytes],
	} {
		one, two := withHistory(2000), withHistory(2000)
		want, err := capture.Load(one, bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		f, _, got, err := capture.NewestOf(two, bytes.NewReader(file), int64(len(file)), 1<<20)
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
	if _, err := capture.OpenFile(bytes.NewReader(newer), int64(len(b))); !errors.As(err, &version) {
		t.Errorf("a newer version: got %v", err)
	}
	if _, err := capture.OpenFile(bytes.NewReader(nil), 0); !errors.Is(err, capture.ErrNotACapture) {
		t.Errorf("nothing: got %v", err)
	}
}
