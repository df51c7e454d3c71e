package capture_test

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
)

// Testdata has a file of each version of the format. They are never written anew.
func TestOldFilesOpen(t *testing.T) {
	for name, want := range map[string]capture.Info{
		"v1.0": {},
		"v1.1": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.2": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.4": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.5": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.7": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.6": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
		"v1.3": {Reason: "frame 12: 20.0 ms busy, budget 8.3 ms", HasFrame: true, Frame: 12},
	} {
		file := must.Get(os.ReadFile("testdata/" + name + ".iprof"))(t)
		frames, damages, r := readAll(t, file)
		if info := r.Info(); len(frames) != 20 || damages != 0 || !r.Complete() || info.Program != "replay" ||
			info.Machine != "none" || info.Reason != want.Reason || info.HasFrame != want.HasFrame ||
			info.Frame != want.Frame {
			t.Fatalf("%s: got %d frames, %d damages, complete %t, %+v", name, len(frames), damages, r.Complete(), info)
		}
		wantEnd, wantSum := int64(310_984_437), int64(15_506_723)
		if name == "v1.1" || name >= "v1.3" { // of another seed
			wantEnd, wantSum = 311_037_556, 15_632_624
		}
		last := &frames[19]
		sum := int64(0)
		for _, n := range last.Lanes[0].Nodes {
			sum += int64(n.Self)
		}
		if last.Index != 19 || int64(last.End) != wantEnd || sum != wantSum || len(last.Lanes) != 2 ||
			last.Zones[2].Name != "physics_solve" {
			t.Errorf("%s: got frame %d, end %d, sum %d, lanes %d, zone %q", name, last.Index, last.End, sum,
				len(last.Lanes), last.Zones[2].Name)
		}
	}
}

// The frames of each file can be read in any order, whether it has an index or not.
func TestOldFilesInAnyOrder(t *testing.T) {
	names, _ := filepath.Glob("testdata/v*.iprof")
	if len(names) < 8 {
		t.Fatalf("got %q", names)
	}
	for _, name := range names {
		file := must.Get(os.ReadFile(name))(t)
		f := fileOf(t, file)
		s, seen := withHistory(20), &kept{}
		s.AddSink(seen)
		if c, err := f.Load(s, 5, 8); err != nil || f.Frames() != 20 || c.Program != "replay" {
			t.Fatalf("%s: got %v, %+v, %d frames", name, err, c, f.Frames())
		}
		frames, _, _ := readAll(t, file)
		if len(seen.frames) != 3 || !reflect.DeepEqual(seen.frames[0].Lanes, clone(frames[5]).Lanes) {
			t.Errorf("%s: got %d frames; want 5 to 7, as they are", name, len(seen.frames))
		}
	}
}

// The timeline of the file of version 1.2, and the budget.
func TestEventsOfOldFiles(t *testing.T) {
	s, _ := must.Two(capture.Open("testdata/v1.2.iprof"))(t)
	scopes := s.AppendTimelineFrame(nil, 1, 12)
	deepest := int32(0)
	for _, scope := range scopes {
		deepest = max(deepest, scope.Level)
	}
	if len(scopes) != wantScopes || deepest != wantDeepest || s.FrameBudget() != 9*time.Millisecond {
		t.Errorf("got %d scopes down to level %d, budget %v", len(scopes), deepest, s.FrameBudget())
	}
}

// The durations of single calls in the file of version 1.3.
func TestCallsOfOldFiles(t *testing.T) {
	s, _ := must.Two(capture.Open("testdata/v1.3.iprof"))(t)
	buckets := s.AppendCalls(nil, 2)
	calls := uint64(0)
	for _, b := range buckets {
		calls += b.Count
	}
	if len(buckets) != wantBuckets || calls != wantCalls || buckets[0].Low != wantShortest {
		t.Errorf("got %d calls in %d buckets from %v ms on; want %d in %d from %v ms on", calls, len(buckets),
			buckets[0].Low, wantCalls, wantBuckets, wantShortest)
	}
}

// What frame 12 showed, in the file of version 1.4.
func TestPicturesOfOldFiles(t *testing.T) {
	s, _ := must.Two(capture.Open("testdata/v1.4.iprof"))(t)
	if got := s.Picture(12); !reflect.DeepEqual(got, pictured(12, 40, 25)) {
		t.Errorf("got %v; want the picture of frame 12", got)
	}
}

// Those in the file of version 1.5.
func TestHotLinesOfOldFiles(t *testing.T) {
	s, _ := must.Two(capture.Open("testdata/v1.5.iprof"))(t)
	want := hotLines(3)
	want.Frames = nil // which this version had later
	if got := s.Sources().HotZones(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
}

// What the files hold.
const (
	wantScopes  = 672
	wantDeepest = 2

	wantBuckets  = 246
	wantCalls    = 400
	wantShortest = 1.4e-05 // ms
)
