package capture_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// hotLines are those of three zones.
func hotLines(more int) *report.HotZones {
	h := &report.HotZones{Samples: 60 + 6*more, Outside: 7}
	for zone := range 3 {
		h.Zones = append(h.Zones, report.HotLines{Zone: report.ZoneID(zone + 1), Samples: 20 + 2*more, ByStack: zone,
			Lines: []report.HotLine{
				{Function: "game.(*World).Step", File: "/game/world.go", Line: 88, Text: "w.solve(dt)",
					Samples: 12 + more},
				{Function: "runtime.mapaccess1", File: "/go/map.go", Line: 12 + zone, Samples: 8 + more}},
			Functions: []report.HotFunction{{Function: "game.(*World).Step", Samples: 12 + more},
				{Function: "runtime.mapaccess1", Samples: 8 + more}}})
	}
	for at := range 2 { // of slow frames
		h.Frames = append(h.Frames, report.HotFrame{Begin: platform.Ticks(1000*at + more), Samples: 12, Outside: at,
			Zones: h.Zones[at : at+1]})
	}
	return h
}

// growing is a source that has more after some frames.
type growing struct{ now *report.HotZones }

func (*growing) Sampling() int                { return 100 }
func (*growing) SetSampling(int) error        { return nil }
func (g *growing) HotZones() *report.HotZones { return g.now }

// A recording, a stream, a copy and the file of a black box have the newest hot lines, also those that a reader finds
// who begins in the middle.
func TestHotLinesComeBack(t *testing.T) {
	live, dir, source := process.NewSession(), t.TempDir(), new(growing)
	live.SetSources(func(c *process.Sources) { c.Sampler = source })
	var file, stream bytes.Buffer
	recording, streaming := capture.RecordTo(live, &file), capture.StreamTo(live, &stream)
	box := must.Get(capture.NewBlackBox(live, capture.BlackBoxOptions{Dir: dir, After: 5, CoolDown: -1, Log: io.Discard,
		OverBudget: -1}))(t)
	r := world.NewGame(1, live)
	for i := range 600 {
		if i%50 == 10 && i < 200 {
			source.now = hotLines(i)
		}
		if i == 560 {
			box.Trigger("test")
		}
		must.Do(t, r.Step())
	}
	for _, c := range []io.Closer{recording, streaming, box} {
		must.Do(t, c.Close())
	}
	if got := live.Sources().HotZones(); got != source.now {
		t.Errorf("got %v from the session; want what its source has", got)
	}
	written, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	wantHot(t, file.Bytes(), &stream, written[0], hotLines(160))
}

// wantHot checks the hot lines of a recording and of what is made of it, of a stream and of a black box's file.
func wantHot(t *testing.T, file []byte, stream io.Reader, box string, want *report.HotZones) {
	t.Helper()
	var copied bytes.Buffer
	again, w := process.NewSession(), framefile.NewWriter(&copied, capture.Info{})
	again.AddSink(w)
	if _, err := framefile.Load(again, bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	must.Do(t, w.Close())
	newest := process.NewSession()
	if _, all, err := framefile.LoadNewest(newest, bytes.NewReader(file), 10); err != nil || all {
		t.Fatal(all, err)
	}
	followed, copy := process.NewSession(), process.NewSession()
	if err := framefile.NewFollower(followed).Follow(stream, nil); !errors.Is(err, framefile.ErrEnded) {
		t.Fatal(err)
	}
	if _, err := framefile.Load(copy, &copied); err != nil {
		t.Fatal(err)
	}
	boxed, _ := must.Two(capture.Open(box))(t)
	for name, s := range map[string]*process.Session{"recording": again, "stream": followed, "copy": copy,
		"black box": boxed, "newest frames": newest} {
		if got := s.Sources().HotZones(); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v; want %+v", name, got, want)
		}
	}
	wantOf(t, again, 2, want)
	again.ForgetProgram()
	if again.Sources().HotZones() != nil {
		t.Error("another program: got hot lines; want none")
	}
}

// wantOf checks what the card of a zone gets.
func wantOf(t *testing.T, s *process.Session, zone report.ZoneID, want *report.HotZones) {
	t.Helper()
	var snap process.Snapshot
	s.View().SetCursorZone(zone)
	s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
	a := &snap.Around
	if a.Zone != zone || a.CanSample || !reflect.DeepEqual(a.Hot, want.Of(zone)) || len(a.Hot.Lines) == 0 ||
		a.Hot.Others != want.Samples-a.Hot.Samples || a.Hot.Outside != want.Outside {
		t.Errorf("got %+v of zone %d, can sample %t; want %+v", a.Hot, a.Zone, a.CanSample, want.Of(zone))
	}
	if other := want.Of(99); len(other.Lines) != 0 || other.Others != want.Samples {
		t.Errorf("got %+v of a zone without samples; want none of its own", other)
	}
}

// A writer and a reader keep so many zones, lines and functions.
func TestHotLinesAreBounded(t *testing.T) {
	h := &report.HotZones{Error: strings.Repeat("e", 1<<17)}
	for range 1000 {
		z := report.HotLines{Zone: 1, Samples: -1}
		for range 200 {
			z.Lines = append(z.Lines, report.HotLine{Function: "f", Line: -3})
			z.Functions = append(z.Functions, report.HotFunction{Function: "f"})
		}
		h.Zones = append(h.Zones, z)
		h.Frames = append(h.Frames, report.HotFrame{Samples: 1, Zones: h.Zones})
	}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Hot = h })
	s.AddSink(w)
	must.Do(t, world.NewGame(1, s).Step())
	must.Do(t, w.Close())
	read := process.NewSession()
	if c, err := framefile.Load(read, &file); err != nil || len(c.Damages) > 0 {
		t.Fatal(err, c)
	}
	got := read.Sources().HotZones()
	if len(got.Zones) != report.MaxHotZones || len(got.Zones[0].Lines) != 64 || len(got.Zones[0].Functions) != 64 ||
		got.Zones[0].Samples != 0 || got.Zones[0].Lines[0].Line != 0 {
		t.Errorf("got %d zones; want %d with 64 lines each", len(got.Zones), report.MaxHotZones)
	}
	if len(got.Frames) != report.MaxHotFrames || len(got.Frames[15].Zones) != 16 ||
		len(got.Frames[15].Zones[0].Lines) != 64 {
		t.Errorf("got %d slow frames; want %d with 16 zones each", len(got.Frames), report.MaxHotFrames)
	}
}

// Hot lines and waits that come behind all frames are those of the session, in whatever order the file is read, and
// copies have them. The frames stay as they are.
func TestAddHot(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.iprof")
	live := process.NewSession()
	recording := must.Get(capture.Record(live, capture.RecordOptions{Path: path}))(t)
	r := world.NewGame(1, live)
	for range 600 {
		must.Do(t, r.Step())
	}
	must.Do(t, recording.Close())
	before, _, _ := readAll(t, read(t, path))
	for more := range 2 { // the second time others come behind those
		want := hotLines(more)
		want.Waited = map[report.ZoneID]float64{1: 0.25, 3: 1}
		must.Do(t, framefile.AddHot(path, want))
		file := read(t, path)
		frames, damages, reader := readAll(t, file)
		if damages != 0 || !reader.Complete() || !reflect.DeepEqual(frames, before) {
			t.Fatalf("got %d damages, complete %t; want the frames as before", damages, reader.Complete())
		}
		s := process.NewSession()
		if f, _, c, err := framefile.NewestOf(s, bytes.NewReader(file), int64(len(file)), 5); err != nil || f == nil ||
			!c.Complete || !reflect.DeepEqual(s.Sources().HotZones(), want) {
			t.Errorf("the newest frames: got %v, %+v, %+v; want %+v", err, c, s.Sources().HotZones(), want)
		}
		var copied bytes.Buffer
		w := framefile.NewWriter(&copied, reader.Info())
		must.Do(t, errors.Join(w.WriteJudged(&frames[0], &process.Judged{Hot: reader.Hot}), w.Close()))
		if _, _, r := readAll(t, copied.Bytes()); !reflect.DeepEqual(r.Hot(), want) {
			t.Errorf("a copy: got %+v; want %+v", r.Hot(), want)
		}
	}
	if err := framefile.AddHot(path+".none", hotLines(0)); err == nil {
		t.Error("a missing file: got no error")
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	file := must.Get(os.ReadFile(path))(t)
	return file
}
