package capture_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// sameTimelines compares the timelines of frames 0 to n-1 of both sessions. The last frame of a capture lacks what
// happened at its end.
func sameTimelines(t *testing.T, got, want *process.Session, frames []uint64) {
	t.Helper()
	for _, index := range frames {
		lanes := want.AppendTimelineFrameLanes(nil, index)
		scopes := want.AppendTimelineFrame(nil, 0, index)
		if len(lanes) == 0 || len(scopes) == 0 || lanes[0].State != timeline.Whole {
			t.Fatalf("frame %d: the live session has lanes %+v and %d scopes", index, lanes, len(scopes))
		}
		if read := got.AppendTimelineFrameLanes(nil, index); !reflect.DeepEqual(read, lanes) {
			t.Fatalf("frame %d: got lanes\n%+v\nwant\n%+v", index, read, lanes)
		}
		if read := got.AppendTimelineFrame(nil, 0, index); !reflect.DeepEqual(read, scopes) {
			t.Fatalf("frame %d: got scopes\n%+v\nwant\n%+v", index, read, scopes)
		}
	}
}

func upTo(from, to uint64) (all []uint64) {
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

// TestTheTimelineOfARecording: it is the program's, in the frames before and after a key.
func TestTheTimelineOfARecording(t *testing.T) {
	live, read := process.NewSession(), process.NewSession()
	var file bytes.Buffer
	recording := capture.RecordTo(live, &file)
	live.SetFrameBudget(7 * time.Millisecond)
	step(t, replay.New(3, live), 290)
	must.Do(t, recording.Close())
	if c, err := framefile.Load(read, bytes.NewReader(file.Bytes())); err != nil || len(c.Damages) > 0 {
		t.Fatal(err, c)
	}
	sameTimelines(t, read, live, upTo(0, 289))
	var got, want []timeline.Scope
	for age := 50; age >= 10; age-- {
		got, want = read.AppendTimeline(got, 0, age), live.AppendTimeline(want, 0, age)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("41 frames: got %d scopes; want %d, or others", len(got), len(want))
	}
	if got := read.FrameBudget(); got != 7*time.Millisecond {
		t.Errorf("got a budget of %v; want the program's 7ms", got)
	}
}

func step(t *testing.T, r *replay.Replay, frames int) {
	t.Helper()
	for range frames {
		must.Do(t, r.Step())
	}
}

// TestTheTimelineOfABlackBox: the file has the events of its frames, and names the frame that triggered it.
func TestTheTimelineOfABlackBox(t *testing.T) {
	dir := t.TempDir()
	live := process.NewSession()
	box := must.Get(capture.NewBlackBox(live, capture.BlackBoxOptions{
		Dir: dir, Before: 70, After: 10, OverBudget: -1, Log: new(bytes.Buffer)}))(t)
	r := replay.New(3, live)
	step(t, r, 150)
	box.Trigger("here")
	step(t, r, 20)
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	if len(files) != 1 {
		t.Fatalf("got %q; want one file", files)
	}
	read, contents, err := capture.Open(files[0])
	if err != nil || contents.Frames != 81 || !contents.HasFrame || contents.Frame != 150 {
		t.Fatalf("got %v, %+v; want 81 frames around frame 150", err, contents)
	}
	sameTimelines(t, read, live, upTo(80, 160))
}

// TestTheTimelineOfALiveProgram records zones of this program.
func TestTheTimelineOfALiveProgram(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	now := int64(1000)
	platform.SetClock(func() int64 { now += 10; return now }, 1e6)
	defer platform.SetClock(nil, 0)
	gather.SetEvents(1 << 12)
	defer gather.SetEvents(0)
	s := process.Default()
	s.Update() // events are on from here
	var file bytes.Buffer
	recording := capture.RecordTo(s, &file)
	outer, inner := gather.Zone{Name: "outer"}, gather.Zone{Name: "inner"}
	for range 5 {
		o := outer.Begin()
		for range 3 {
			inner.Begin().End()
		}
		o.End()
		s.Update()
	}
	must.Do(t, recording.Close())
	read := process.NewSession()
	if _, err := framefile.Load(read, &file); err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for age := range 4 {
		for _, scope := range read.AppendTimeline(nil, 0, age) {
			if !scope.Before && !scope.After {
				count[read.Zone(scope.Zone).Name]++
			}
		}
	}
	if count["outer"] != 4 || count["inner"] != 12 {
		t.Errorf("got %v; want 4 of outer and 12 of inner", count)
	}
}

// source has one scope a tick on lane 1, so many in each frame of 1e6 ticks, from frame 1 on.
type source struct{ events int }

func (s source) EventsSince(lane gather.LaneID) (platform.Ticks, bool) { return 0, lane == 1 }

func (s source) AppendEvents(dst []gather.Event, _ gather.LaneID, begin, _ platform.Ticks) []gather.Event {
	for i := range s.events {
		dst = append(dst, gather.Event{Time: begin + platform.Ticks(i), Zone: 1, Node: 1, End: i%2 == 1})
	}
	return dst
}

// TestTooManyEventsAreCut: a frame has a limit of events; the earlier ones are left out, and the timeline says so.
func TestTooManyEventsAreCut(t *testing.T) {
	const length = 1e6
	f := &gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Parent: -1}}}, {ID: 2,
			Name: "mute", Nodes: []gather.Node{{Parent: -1, ID: 2}}}}}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i, events := range []int{10, 400_000, 10} {
		f.Index, f.Begin, f.End = uint64(i), f.End, f.End+length
		w.TakeEvents(source{events})
		must.Do(t, w.WriteFrame(f))
	}
	f.Index, f.Begin, f.End = 3, f.End, f.End+length
	if err := w.WriteFrame(f); err != nil { // events are off
		t.Fatal(err)
	}
	if most := 131_072 * 3; file.Len() > most {
		t.Errorf("the file has %d bytes; want at most %d", file.Len(), most)
	}
	s := process.NewSession()
	if c, err := framefile.Load(s, &file); err != nil || len(c.Damages) > 0 {
		t.Fatal(err, c)
	}
	for index, want := range []struct {
		state  timeline.Coverage
		scopes int
		from   float64
	}{{timeline.Whole, 5, 0}, {timeline.Cut, 65_536, 268.928}, {timeline.Whole, 5, 0},
		{timeline.Off, 0, 0}} {
		t.Run(fmt.Sprint("frame ", index), func(t *testing.T) {
			lanes := s.AppendTimelineFrameLanes(nil, uint64(index))
			scopes := s.AppendTimelineFrame(nil, 1, uint64(index))
			if len(lanes) != 2 || lanes[0].State != want.state || len(scopes) != want.scopes ||
				lanes[0].From != want.from || lanes[1].State != timeline.Off {
				t.Errorf("frame %d: got %+v, %d scopes; want %+v", index, lanes, len(scopes), want)
			}
		})
	}
}

// TestEveryBitOfEvents: each flipped bit is noticed, and nothing panics.
func TestEveryBitOfEvents(t *testing.T) {
	file := must.Get(os.ReadFile("testdata/v1.2.iprof"))(t)
	for at := 10; at < len(file); at += 1 + len(file)/300 {
		bad := bytes.Clone(file)
		bad[at] ^= 1 << (at % 8)
		s := process.NewSession()
		if c, err := framefile.Load(s, bytes.NewReader(bad)); err != nil || len(c.Damages) == 0 {
			t.Fatalf("byte %d: got %v, %+v; want a damage", at, err, c)
		}
		s.AppendTimeline(nil, 0, 3)
	}
}

// given is a sink that keeps the events it is given with the last frame.
type given struct {
	from   timeline.EventSource
	frames []gather.Frame // without lanes
	lane   gather.LaneID
}

func (g *given) TakeEvents(from timeline.EventSource) { g.from = from }

func (g *given) WriteFrame(f *gather.Frame) error {
	g.frames = append(g.frames, gather.Frame{Begin: f.Begin, End: f.End})
	g.lane = f.Lanes[0].ID
	return nil
}

// TestEventsOfManyFramesAreKeptFromTheFirstOn: each stretch of a capture's frames has all events of its lane.
func TestEventsOfManyFramesAreKeptFromTheFirstOn(t *testing.T) {
	s, zone := freshEvents(t, 1<<12), gather.Zone{Name: "zone"}
	var file bytes.Buffer
	recording := capture.RecordTo(s, &file)
	for range 6 {
		zone.Begin().End()
		s.Update()
	}
	must.Do(t, recording.Close())
	var got given
	loaded := process.NewSession()
	loaded.AddSink(&got)
	if _, err := framefile.Load(loaded, &file); err != nil {
		t.Fatal(err)
	}
	from, ok := got.from.(timeline.PartSource)
	if !ok || len(got.frames) != 6 {
		t.Fatalf("got a %T, %d frames; want a timeline.PartSource, 6", got.from, len(got.frames))
	}
	for i, first := range got.frames {
		for _, last := range got.frames[i:] {
			since, kept := from.EventsSinceIn(got.lane, first.Begin, last.End)
			if !kept || since > first.Begin {
				t.Errorf("frames from %d to %d: got events since %d, kept %v", first.Begin, last.End, since, kept)
			}
		}
	}
}
