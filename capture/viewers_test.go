package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// countedEvents is a source of no events that counts the readings.
type countedEvents struct{ readings atomic.Int64 }

func (c *countedEvents) AppendEvents(dst []gather.Event, _ gather.LaneID, _, _ platform.Ticks) []gather.Event {
	c.readings.Add(1)
	return dst
}

func (c *countedEvents) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

// gated is a viewer that reads only while it is let.
type gated struct {
	gate sync.Mutex
	got  bytes.Buffer
}

func (g *gated) Write(p []byte) (int, error) {
	g.gate.Lock()
	defer g.gate.Unlock()
	return g.got.Write(p)
}

// TestViewersShareAnEncoding counts readings of events: one for each encoding of a lane.
func TestViewersShareAnEncoding(t *testing.T) {
	const viewers, lanes = 8, 2
	s := process.NewSession()
	r := world.NewGame(1, s)
	source := new(countedEvents)
	s.SetSources(func(c *process.Sources) { c.Events = source })
	outs := make([]gated, viewers)
	for i := range outs {
		defer capture.StreamTo(s, &outs[i]).Close()
	}
	step := func() (encodings int64) {
		before := source.readings.Load()
		must.Do(t, r.Step())
		return (source.readings.Load() - before) / lanes
	}
	all := int64(0)
	for i := range 300 {
		got := step()
		if all += got; got > 1 { // none if no viewer has room
			t.Fatalf("frame %d: got %d encodings; want one for all %d viewers", i, got, viewers)
		}
	}
	if all < 64 {
		t.Errorf("got %d frames encoded; want at least those that may wait", all)
	}
}

// frameText returns the parts of a frame that a stream must keep.
func frameText(f *gather.Frame) string {
	text := fmt.Sprint(f.Index, f.Begin, f.End, f.Label, f.Values, f.Marks)
	for i := range f.Lanes {
		text += fmt.Sprint(f.Lanes[i].ID, f.Lanes[i].Name)
		for _, n := range f.Lanes[i].Nodes {
			text += fmt.Sprint(f.Zones[n.Zone].Name, n.Parent, n.Depth, n.Count, n.Self, n.Open)
		}
	}
	return text
}

// eachFrame calls see with the text of each frame, and returns how many the capture says are lost.
func eachFrame(t *testing.T, file io.Reader, see func(index uint64, text string)) (lost uint64) {
	t.Helper()
	in := must.Get(framefile.NewReader(file))(t)
	for {
		var f gather.Frame
		if err := in.Next(&f); errors.Is(err, io.EOF) {
			return in.Lost()
		} else if err != nil {
			t.Fatal(err)
		}
		see(f.Index, frameText(&f))
	}
}

// stalls is a viewer that comes, stalls, goes on and leaves.
type stalls struct {
	gated
	stream       *capture.Recorder
	stalled      bool
	began, ended uint64 // frames
}

// change does what a viewer may do before frame n.
func (v *stalls) change(t *testing.T, s *process.Session, n uint64, leave, stall bool) {
	switch {
	case v.stream == nil:
		v.stream, v.began = capture.StreamTo(s, v), n
	case v.stalled:
		v.stalled = false
		v.gate.Unlock()
	case v.ended == 0 && leave:
		v.leave(t, n)
	case stall:
		v.stalled = true
		v.gate.Lock()
	}
}

// leave ends the stream before frame n, if it has not ended.
func (v *stalls) leave(t *testing.T, n uint64) {
	if v.stalled {
		v.gate.Unlock()
	}
	if v.ended > 0 {
		return
	}
	v.ended = n
	must.Do(t, v.stream.Close())
}

func TestViewersThatStallSeeTrueFrames(t *testing.T) {
	const frames = 900
	s := process.NewSession()
	r := world.NewGame(2, s)
	var file bytes.Buffer
	recording := capture.RecordTo(s, &file)
	viewers, random := make([]stalls, 6), rand.New(rand.NewPCG(3, 3))
	for n := range uint64(frames) {
		if n%4 == 0 {
			v := &viewers[random.IntN(len(viewers))]
			v.change(t, s, n, n > frames*3/4, random.IntN(16) == 0)
		}
		must.Do(t, r.Step())
		if n%8 == 0 {
			time.Sleep(time.Millisecond)
		}
	}
	must.Do(t, recording.Close())
	want := map[uint64]string{}
	eachFrame(t, &file, func(index uint64, text string) { want[index] = text })
	for i := range viewers {
		v := &viewers[i]
		v.leave(t, frames)
		seen, wrong := uint64(0), 0
		lost := eachFrame(t, &v.got, func(index uint64, text string) {
			if seen++; text != want[index] {
				wrong++
			}
		})
		if all := v.ended - v.began; wrong > 0 || seen == 0 || seen+lost != all {
			t.Errorf("viewer %d: got %d frames, %d wrong, %d lost; want %d in all", i, seen, wrong, lost, all)
		}
	}
}
