package capture_test

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// originFrame is a frame of a program with zones of these names, and an entry of the last.
func originFrame(o gather.Origin, index uint64, names ...string) gather.Frame {
	f := gather.Frame{Origin: o, Index: index, TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Begin: platform.Ticks(1000 * index)}
	f.End = f.Begin + 1000
	for _, name := range names {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: name})
		f.Counters = append(f.Counters, gather.CounterInfo{Name: name})
	}
	last := len(names)
	f.Values = []gather.CounterValue{{Counter: int32(last - 1), Value: 2}}
	f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: []gather.Node{
		{Parent: -1, Open: true}, {ID: gather.NodeID(last), Zone: gather.ZoneID(last), Count: 1, Self: 1000}}}}
	return f
}

// TestARecordingOfSeveralPrograms: a session that follows a program is recorded while the program is started anew. Each
// frame comes back with the names of its own program.
func TestARecordingOfSeveralPrograms(t *testing.T) {
	one, two := gather.Origin{Program: 11}, gather.Origin{Program: 12}
	frames := []gather.Frame{
		originFrame(one, 0, "a", "b"), originFrame(one, 1, "a", "b", "c"),
		originFrame(two, 0, "x", "y", "z"), originFrame(two, 1, "x", "y", "z"),
		originFrame(gather.Origin{Program: 12, Clock: 3}, 0, "x", "y", "z"),
		originFrame(one, 5, "p"), originFrame(gather.Origin{}, 5, "q"),
	}
	s := process.NewSession()
	var b bytes.Buffer
	rec := capture.RecordAs(s, capture.Info{Program: "several"}, &b)
	for i := range frames {
		must.Do(t, s.WriteFrame(&frames[i]))
	}
	must.Do(t, rec.Close())
	r := must.Get(framefile.NewReader(bytes.NewReader(b.Bytes())))(t)
	var f gather.Frame
	for i, want := range frames {
		must.Do(t, r.Next(&f))
		if f.Origin != want.Origin || !reflect.DeepEqual(f.Zones, want.Zones) ||
			!reflect.DeepEqual(f.Counters, want.Counters) || !reflect.DeepEqual(f.Lanes[0].Nodes, want.Lanes[0].Nodes) {
			t.Errorf("frame %d: got %+v\nwant %+v", i, f, want)
		}
	}
	if err := r.Next(&f); err != io.EOF {
		t.Errorf("at the end: got %v", err)
	}
	newest := process.NewSession()
	_, _, c, err := framefile.NewestOf(newest, bytes.NewReader(b.Bytes()), int64(b.Len()), 1000)
	if err != nil || c.Frames != 7 || newest.View().Info().Frames != 1 || newest.Zone(1).Name != "q" {
		t.Errorf("newest: got %v, %+v, %d frames, zone %q; want 1 of 7 frames, and q", err, c,
			newest.View().Info().Frames,
			newest.Zone(1).Name)
	}
}

// originStream returns a closed stream of some frames.
func originStream(t *testing.T, o gather.Origin, first uint64, frames int, names ...string) io.Reader {
	t.Helper()
	var b bytes.Buffer
	w := framefile.NewWriter(&b, capture.Info{Program: "remote"})
	for i := range uint64(frames) {
		f := originFrame(o, first+i, names...)
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	return &b
}

// TestAFollowerKnowsRunsByTheirOrigin: a program that was started anew may have the same zones and later frames.
func TestAFollowerKnowsRunsByTheirOrigin(t *testing.T) {
	s := process.NewSession()
	f := framefile.NewFollower(s)
	for i, c := range []struct {
		origin gather.Origin
		first  uint64
		names  []string
		frames int
		says   string
	}{
		{gather.Origin{Program: 5}, 10, []string{"a", "b"}, 4, ""},
		{gather.Origin{Program: 5}, 20, []string{"a", "b", "c"}, 8, ""},
		{gather.Origin{Program: 6}, 30, []string{"a", "b", "c"}, 4, "8 earlier frames are forgotten: another"},
		{gather.Origin{Program: 6}, 40, []string{"a", "b", "c"}, 8, "8 earlier frames are forgotten: another program"},
		{gather.Origin{Program: 6, Clock: 2}, 1, []string{"a", "b", "c"}, 4, "8 earlier frames are forgotten: the"},
	} {
		err := f.Follow(originStream(t, c.origin, c.first, 4, c.names...), nil)
		if !errors.Is(err, framefile.ErrEnded) {
			t.Fatal(err)
		}
		got := strings.Join(s.Dump(report.DumpOptions{}).Warnings, "\n")
		if int(s.View().Info().Frames) != c.frames || !strings.Contains(got, c.says) ||
			c.says == "" && strings.Contains(got, "forgotten") {
			t.Errorf("stream %d: got %d frames, warnings %q; want %d, %q", i, s.View().Info().Frames, got, c.frames,
				c.says)
		}
	}
}
