package capture_test

import (
	"bytes"
	"errors"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// streamOf returns a closed stream of frames with a zone each.
func streamOf(t *testing.T, first uint64, frames int, zones ...string) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: zones[0]})
	f := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}}}
	nodes := []gather.Node{{Parent: -1, Open: true}}
	for i, name := range zones {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name})
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: gather.ZoneID(i + 1), Count: 1, Self: 1000})
	}
	for i := range uint64(frames) {
		f.Index, f.Begin = first+i, platform.Ticks(1000*(first+i))
		f.End = f.Begin + platform.Ticks(1000*len(zones))
		f.Lanes = []gather.LaneFrame{{ID: 1, Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	return bytes.NewReader(b.Bytes())
}

// checkShown checks the number of frames in the history and the zone of the report.
func checkShown(t *testing.T, s *process.Session, frames int, zone string) {
	t.Helper()
	var r report.Report
	s.View().AppendReport(&r)
	has := false
	for i := range r.Records {
		has = has || r.Records[i].Name == zone
	}
	if got := s.View().Info().Frames; int(got) != frames || !has {
		t.Errorf("got %d frames, %+v; want %d with %s", got, r.Records, frames, zone)
	}
}

func TestAFollowerKeepsWhatItHasUntilAnotherRun(t *testing.T) {
	s := process.NewSession()
	f := framefile.NewFollower(s)
	follow := func(in *bytes.Reader) {
		t.Helper()
		begun := 0
		if err := f.Follow(in, func(capture.Info) { begun++ }); !errors.Is(err, framefile.ErrEnded) || begun != 1 {
			t.Fatalf("got %v, begun %d times", err, begun)
		}
	}
	follow(streamOf(t, 10, 5, "a"))
	checkShown(t, s, 5, "a")
	follow(streamOf(t, 20, 5, "a", "b")) // the same run goes on
	checkShown(t, s, 10, "b")
	follow(streamOf(t, 0, 3, "a", "b")) // another run of it
	checkShown(t, s, 3, "a")
	follow(streamOf(t, 50, 4, "x", "b")) // another program
	checkShown(t, s, 4, "x")
	s.Pause()
	follow(streamOf(t, 0, 4, "y"))
	checkShown(t, s, 4, "x")
	s.Resume()
	follow(streamOf(t, 10, 2, "y"))
	checkShown(t, s, 2, "y")
}

func TestAFollowerOfSomethingElse(t *testing.T) {
	s := process.NewSession()
	f := framefile.NewFollower(s)
	if err := f.Follow(bytes.NewReader([]byte("HTTP/1.1 200 OK, and so on")), nil); err != capture.ErrNotACapture {
		t.Errorf("got %v", err)
	}
	whole := streamOf(t, 0, 9, "a")
	cut := make([]byte, whole.Len()/2)
	_, _ = whole.Read(cut)
	var damage *capture.DamageError
	if err := f.Follow(bytes.NewReader(cut), nil); !errors.As(err, &damage) || s.View().Info().Frames == 0 {
		t.Errorf("a stream that breaks off: got %v and %d frames", err, s.View().Info().Frames)
	}
}
