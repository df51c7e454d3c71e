package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
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

func TestTheTimelineOfARecording(t *testing.T) {
	live, read := process.NewSession(), process.NewSession()
	var file bytes.Buffer
	recording := capture.RecordTo(live, &file)
	live.SetFrameBudget(7 * time.Millisecond)
	step(t, world.NewGame(3, live), 290)
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

func step(t *testing.T, r *world.Game, frames int) {
	t.Helper()
	for range frames {
		must.Do(t, r.Step())
	}
}

// The file has the events of its frames, and names the frame that triggered it.
func TestTheTimelineOfABlackBox(t *testing.T) {
	dir := t.TempDir()
	live := process.NewSession()
	box := must.Get(capture.NewBlackBox(live, capture.BlackBoxOptions{
		Dir: dir, Before: 70, After: 10, OverBudget: -1, Log: new(bytes.Buffer)}))(t)
	r := world.NewGame(3, live)
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

// A frame has a limit of events; the earlier ones are left out, and the timeline says so.
func TestTooManyEventsAreCut(t *testing.T) {
	const length = 1e6
	f := &gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "zone"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Parent: -1}}}, {ID: 2,
			Name: "mute", Nodes: []gather.Node{{Parent: -1, ID: 2}}}}}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i, events := range []int{10, 400_000, 10} {
		f.Index, f.Begin, f.End = uint64(i), f.End, f.End+length
		must.Do(t, w.WriteJudged(f, &process.Judged{Events: source{events}}))
	}
	f.Index, f.Begin, f.End = 3, f.End, f.End+length
	if err := w.WriteJudged(f, &process.Judged{}); err != nil { // events are off
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

// The lanes of a frame share its limit, the first lanes first: the next one has its latest events, and others none.
func TestLanesShareTheLimitOfEvents(t *testing.T) {
	const most, length = 131_072, 1_000_000
	f := &gather.Frame{Begin: 1000, End: 1000 + length, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"},
		{Name: "zone"}}}
	have := &eventsByLane{of: map[gather.LaneID][]gather.Event{}}
	for id, n := range []int{100_000, 90_000, 10} {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(id), Nodes: []gather.Node{{Parent: -1}}})
		for i := range n {
			e := gather.Event{Zone: 1, Node: 1, End: i%2 == 1, Time: f.Begin + platform.Ticks(i)}
			have.of[gather.LaneID(id)] = append(have.of[gather.LaneID(id)], e)
		}
	}
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	must.Do(t, w.WriteJudged(f, &process.Judged{Events: have}))
	must.Do(t, w.Close())
	r := must.Get(framefile.NewReader(&file))(t)
	must.Do(t, r.Next(f))
	for id, want := range []int{100_000, most - 100_000, 0} {
		lane := gather.LaneID(id)
		all := have.of[lane]
		got := r.Events().AppendEvents(nil, lane, f.Begin, f.End-1)
		since, _ := r.Events().EventsSince(lane)
		if !slices.Equal(got, all[len(all)-want:]) {
			t.Errorf("lane %d: got %d events; want the last %d", id, len(got), want)
		}
		if first := append(got, gather.Event{Time: f.End})[0].Time; since != max(first, f.Begin) {
			t.Errorf("lane %d: got all events since %d; want %d", id, since, first)
		}
	}
}

// Each flipped bit is noticed, and nothing panics.
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

func (g *given) WriteJudged(f *gather.Frame, j *process.Judged) error {
	g.from = j.Events
	return g.WriteFrame(f)
}

func (g *given) WriteFrame(f *gather.Frame) error {
	g.frames = append(g.frames, gather.Frame{Begin: f.Begin, End: f.End})
	g.lane = f.Lanes[0].ID
	return nil
}

// Each stretch of a capture's frames has all events of its lane.
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

// saidFrame is a frame with remarks in all but frame 1. Frame 2 has as many as a frame can have.
func saidFrame(i int) *gather.Frame {
	begin := platform.Ticks(100 * (i + 1))
	f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 50, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "chunk"}},
		Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 50, Nodes: []gather.Node{{Parent: -1, Self: 50}}}}}
	f.Dropped.Remarks = uint64(7 * i)
	say := func(text string, v float64) {
		f.Remarks = append(f.Remarks, gather.Remark{Time: begin + platform.Ticks(len(f.Remarks)%50), Lane: 3,
			Zone: 1, Level: int32(i), Valued: text == "", Value: v, Text: text})
	}
	switch i {
	case 0:
		say("chunk 12,7", 0)
		say("", -0.25)
		say("\x1b[31m\xff\n", 0)
		say("chunk 12,7", 0)
	case 2:
		for len(f.Remarks) < measure.MaxRemarks {
			say("", float64(len(f.Remarks)))
		}
	}
	return f
}

// A capture has what was said of scopes, and how much was dropped.
func TestRemarksSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range 3 {
		must.Do(t, w.WriteFrame(saidFrame(i)))
	}
	w.Close()
	if n := strings.Count(file.String(), "chunk 12,7"); n != 1 {
		t.Errorf("a text that was said twice: got it %d times in the file; want once", n)
	}
	for cut := 0; cut < file.Len(); cut += 1 + cut/100 {
		checkCut(t, file.Bytes()[:cut], func(i int, f *gather.Frame) bool {
			return len(f.Remarks) == len(saidFrame(i).Remarks)
		})
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range 3 {
		want := saidFrame(i)
		must.Do(t, r.Next(&f))
		if len(f.Remarks)+len(want.Remarks) > 0 && !reflect.DeepEqual(f.Remarks, want.Remarks) {
			t.Errorf("frame %d: got %+v; want %+v", i, f.Remarks, want.Remarks)
		}
		if f.Dropped.Remarks != want.Dropped.Remarks {
			t.Errorf("frame %d: got %d dropped; want %d", i, f.Dropped.Remarks, want.Dropped.Remarks)
		}
	}
}

// checkCut reads a capture that is cut off. The reader may not panic, nor return a frame that was not written.
func checkCut(t *testing.T, file []byte, written func(i int, f *gather.Frame) bool) {
	t.Helper()
	r, err := framefile.NewReader(bytes.NewReader(file))
	var f gather.Frame
	for i := 0; err == nil; i++ {
		if err = r.Next(&f); err == nil && !written(i, &f) {
			t.Fatalf("cut at %d: got another frame %d than was written: %+v", len(file), i, f)
		}
	}
}

// A capture has the states of each frame, the goroutines of its lanes, and processor times.
func TestStatesSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	frame := func(i int) *gather.Frame {
		begin := platform.Ticks(100)
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 50, TicksPerSecond: 1000,
			CPU: time.Duration(i) * time.Microsecond, Zones: []gather.ZoneInfo{{Name: "(root)"}},
			Lanes: []gather.LaneFrame{{ID: 3, Goroutine: uint64(40 + i), Begin: begin, End: begin + 50,
				CPU: time.Duration(7 - 3*i), Drift: float64(i-1) / 3, Nodes: []gather.Node{{Parent: -1, Self: 50}}}}}
		if i != 1 {
			f.States = []gather.LaneState{
				{Lane: 3, Kind: gather.StateWaiting, Begin: 110, End: 120, Reason: "mutex",
					Place: "a.go:1", Waker: 9, By: "f", At: "a.go:1"},
				{Kind: gather.StateGone, Begin: 90, End: 95}}
		}
		return f
	}
	for i := range 3 {
		must.Do(t, w.WriteFrame(frame(i)))
	}
	w.Close()
	for cut := range file.Len() {
		checkCut(t, file.Bytes()[:cut], func(i int, f *gather.Frame) bool {
			return len(f.States) == len(frame(i).States)
		})
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range 3 {
		want := frame(i)
		must.Do(t, r.Next(&f))
		if f.CPU != want.CPU || f.Lanes[0].CPU != want.Lanes[0].CPU {
			t.Errorf("got %v, %v; want %v, %v", f.CPU, f.Lanes[0].CPU, want.CPU, want.Lanes[0].CPU)
		}
		if len(f.States)+len(want.States) > 0 && !reflect.DeepEqual(f.States, want.States) {
			t.Errorf("frame %d: got %+v; want %+v", i, f.States, want.States)
		}
		if got, want := &f.Lanes[0], &want.Lanes[0]; got.Goroutine != want.Goroutine || got.Drift != want.Drift {
			t.Errorf("got goroutine %d, drift %g; want %d, %g", got.Goroutine, got.Drift, want.Goroutine, want.Drift)
		}
	}
	if err := r.Next(&f); !errors.Is(err, io.EOF) {
		t.Errorf("got %v; want the end", err)
	}
}

// A capture has the slow calls of each frame with their parts, and how many were dropped.
func TestSlowCallsSurvive(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	frame := func(i int) *gather.Frame {
		begin := platform.Ticks(100 * i)
		f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "GET /x"}, {Name: "query"}},
			Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 100,
				Nodes: []gather.Node{{Parent: -1, Self: 100}}}}}
		if f.Dropped.Slow = uint64(i / 2); i != 1 {
			f.SlowCalls = []gather.SlowCall{
				{Zone: 1, Lane: 3, Begin: begin - 60, End: begin + 9, Usual: 7, Parts: []gather.CallPart{
					{Zone: 2, Level: 0, Count: 1, Time: 60}, {Zone: 2, Level: 1, Count: 1 << 30, Time: 59}}},
				{Zone: 2, Lane: 4, Begin: begin - 70, End: begin + 1, Usual: 3}}
		}
		return f
	}
	const frames = 600 // over two keys
	for i := range frames {
		must.Do(t, w.WriteFrame(frame(i)))
	}
	w.Close()
	for cut := range min(file.Len(), 2000) {
		checkCut(t, file.Bytes()[:cut], func(i int, f *gather.Frame) bool {
			return len(f.SlowCalls) == len(frame(i).SlowCalls)
		})
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range frames {
		want := frame(i)
		must.Do(t, r.Next(&f))
		if len(f.SlowCalls) != len(want.SlowCalls) || len(want.SlowCalls) > 0 &&
			!reflect.DeepEqual(f.SlowCalls, want.SlowCalls) || f.Dropped.Slow != want.Dropped.Slow {
			t.Fatalf("frame %d: got %+v, %d dropped; want %+v, %d", i, f.SlowCalls, f.Dropped.Slow, want.SlowCalls,
				want.Dropped.Slow)
		}
	}
}

// The number of slow calls that were dropped stands anew behind each key, also when it does not change.
func TestDroppedSlowCallsSurviveKeys(t *testing.T) {
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	const frames, dropped = 1000, 7
	for i := range frames {
		begin := platform.Ticks(100 * i)
		f := gather.Frame{Index: uint64(i), Begin: begin, End: begin + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}}, Lanes: []gather.LaneFrame{{ID: 3, Begin: begin,
				End: begin + 100, Nodes: []gather.Node{{Parent: -1, Self: 100}}}}}
		f.Dropped.Slow = dropped
		must.Do(t, w.WriteFrame(&f))
	}
	w.Close()
	r := must.Get(framefile.NewReader(&file))(t)
	var f gather.Frame
	for i := range frames {
		if err := r.Next(&f); err != nil || f.Dropped.Slow != dropped {
			t.Fatalf("frame %d: got %d dropped, %v; want %d", i, f.Dropped.Slow, err, dropped)
		}
	}
}

// A writer forgets the lanes of goroutines that ended: a program may have millions.
func TestWritersForgetLanes(t *testing.T) {
	w := framefile.NewWriter(io.Discard, capture.Info{})
	const perFrame = 20
	var f gather.Frame
	f.TicksPerSecond, f.Zones = 1000, []gather.ZoneInfo{{Name: "(root)"}}
	f.Lanes = make([]gather.LaneFrame, perFrame)
	nodes := []gather.Node{{Parent: -1, Self: 100}}
	write := func(frames int) (held uint64) {
		for range frames {
			f.Index++
			f.Begin, f.End = f.End, f.End+100
			for i := range f.Lanes {
				f.Lanes[i] = gather.LaneFrame{ID: gather.LaneID(f.Index*perFrame) + gather.LaneID(i), Name: "worker",
					Begin: f.Begin, End: f.End, Nodes: nodes}
			}
			must.Do(t, w.WriteFrame(&f))
		}
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	write(1500)
	before := write(500)
	if after := write(10_000); after > 3*before {
		t.Errorf("got %d bytes after 40,000 lanes, %d after 240,000; want at most three times as many", before, after)
	}
	w.Close()
}

// sectionedFrame is a frame of a section of 100 frames; every third section is none.
func sectionedFrame(i int) *gather.Frame {
	begin := platform.Ticks(10 * (i + 1))
	f := &gather.Frame{Index: uint64(i), Begin: begin, End: begin + 10, TicksPerSecond: 1000,
		Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 3, Begin: begin, End: begin + 10, Updater: true,
			Nodes: []gather.Node{{Parent: -1, Self: 10}}}}}
	if n := i / 100; n%3 != 2 {
		f.Section = gather.SectionInfo{Number: uint64(n) + 1, Name: fmt.Sprintf("level %d", n)}
	}
	return f
}

// A capture has the sections of its frames, from each key on, and says a name once a key.
func TestSectionsSurvive(t *testing.T) {
	const frames = 900
	var file bytes.Buffer
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range frames {
		must.Do(t, w.WriteFrame(sectionedFrame(i)))
	}
	w.Close()
	if n := strings.Count(file.String(), "level 4"); n != 1 {
		t.Errorf("level 4: got its name %d times in the file; want once", n)
	}
	if n := strings.Count(file.String(), "level 7"); n != 2 {
		t.Errorf("level 7, on both sides of a key: got its name %d times in the file; want twice", n)
	}
	f := must.Get(framefile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	for from, want := range map[uint64]string{600: "level 6, level 7", 0: "level 0, level 1", 256: "level 3, level 4",
		512: "level 6, level 7"} {
		session := process.NewSession()
		if _, err := f.Load(session, from, min(from+300, frames)); err != nil {
			t.Fatal(err)
		}
		var now process.Snapshot
		session.View().Snapshot(&now, process.SnapshotOptions{Overview: true})
		var names []string
		for _, s := range now.Overview.Sections {
			names = append(names, s.Name)
		}
		if got := strings.Join(names, ", "); got != want {
			t.Errorf("300 frames from %d on: got sections %s; want %s", from, got, want)
		}
	}
	r := must.Get(framefile.NewReader(&file))(t)
	var frame gather.Frame
	for i := range frames {
		must.Do(t, r.Next(&frame))
		if want := sectionedFrame(i).Section; frame.Section != want {
			t.Fatalf("frame %d: got %+v; want %+v", i, frame.Section, want)
		}
	}
}

// The sections of a long file, whose keys are read by some goroutines, are those of its frames, with their lengths.
func TestTheSumsHaveEachSectionOnce(t *testing.T) {
	const frames = 3000
	var file bytes.Buffer
	var want []report.Section
	w := framefile.NewWriter(&file, capture.Info{})
	for i := range frames {
		f := sectionedFrame(i)
		must.Do(t, w.WriteFrame(f))
		if f.Section.Number == 0 {
			continue
		}
		if n := len(want); n == 0 || want[n-1].Number != f.Section.Number {
			want = append(want, report.Section{Number: f.Section.Number, Name: f.Section.Name, First: uint64(i),
				From: f.Index, Mean: 10, P99: 10, Worst: 10, WorstFrame: f.Index})
		}
		last := &want[len(want)-1]
		last.Last, last.To = uint64(i), f.Index
		last.Frames++
	}
	w.Close()
	f := must.Get(framefile.OpenFile(bytes.NewReader(file.Bytes()), int64(file.Len())))(t)
	sums := must.Get(f.Sum())(t)
	got, dropped := sums.Sections()
	if !slices.Equal(got, want) || dropped > 0 {
		t.Errorf("got %d sections, %d dropped\n%+v\nwant %d\n%+v", len(got), dropped, got, len(want), want)
	}
}
