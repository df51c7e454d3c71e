package capture_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"sync"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/timeline"
)

// withEvents keeps so many events a lane, by a clock that each reading moves on.
func withEvents(t *testing.T, events int) {
	t.Helper()
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	var mu sync.Mutex
	now, step := int64(1000), int64(1)
	platform.SetClock(func() int64 {
		mu.Lock()
		defer mu.Unlock()
		step = step*29%997 + 1
		now += step
		return now
	}, 1e6)
	gather.SetEvents(events)
	t.Cleanup(func() {
		gather.SetEvents(0)
		platform.SetClock(nil, 0)
	})
}

// party is goroutines. Each runs the functions that it is sent, and ends when its channel is closed.
type party struct {
	zones []gather.Zone
	turns []chan func()
	done  chan bool
}

func newParty() *party {
	p := &party{zones: make([]gather.Zone, 40), done: make(chan bool)}
	for i := range p.zones {
		p.zones[i].Name = fmt.Sprint("zone ", i)
	}
	return p
}

// begin starts one more.
func (p *party) begin() {
	turn := make(chan func())
	p.turns = append(p.turns, turn)
	go func() {
		for do := range turn {
			do()
			p.done <- true
		}
	}()
}

// play has some of them enter zones, some begin and some end.
func (p *party) play(random *rand.Rand) {
	for range random.IntN(3) {
		p.begin()
	}
	for i := len(p.turns) - 1; i >= 0; i-- {
		switch random.IntN(20) {
		case 0:
			close(p.turns[i])
			p.turns = append(p.turns[:i], p.turns[i+1:]...)
		case 1, 2, 3, 4:
			p.turns[i] <- func() { enterSome(p.zones, random, random.IntN(60)) }
			<-p.done
		}
	}
	enterSome(p.zones, random, random.IntN(200))
}

// enterSome enters zones in one another, and leaves at most one open.
func enterSome(zones []gather.Zone, random *rand.Rand, n int) {
	var open []gather.Scope
	for range n {
		if last := len(open) - 1; last >= 0 && (last > 5 || random.IntN(2) == 0) {
			open[last].End()
			open = open[:last]
			continue
		}
		open = append(open, zones[random.IntN(len(zones))].Begin())
	}
	for i := len(open) - 1; i >= 0; i-- {
		open[i].End()
	}
}

// A Recorder encodes events after the frame, from a copy. A Writer encodes them at once, from the lanes. Both files are
// the same, bit by bit, while goroutines begin and end and rings overflow.
func TestARecordingIsWhatAWriterWrites(t *testing.T) {
	withEvents(t, 0)
	s, random := process.Default(), rand.New(rand.NewPCG(1, 2))
	var got, want, watched bytes.Buffer
	info := capture.Info{Program: "party"}
	w := framefile.NewWriter(&want, info)
	removeWriter := s.AddSink(w)
	recording, stream := capture.RecordAs(s, info, &got), capture.StreamTo(s, &watched)
	p := newParty()
	for i := range 300 { // with a key
		if i == 3 {
			gather.SetEvents(256)
		}
		p.play(random)
		s.Update()
		if recording.Dropped() > 0 {
			t.Fatal("got a dropped frame; want none")
		}
	}
	removeWriter()
	for _, err := range []error{recording.Close(), stream.Close(), w.Close()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got.Bytes(), want.Bytes()) {
		t.Errorf("got %d bytes; want the writer's %d, or others are different", got.Len(), want.Len())
	}
	sameEvents(t, &watched, &want)
}

// sameEvents compares the events of the frames that both captures have. The first one may lack some frames.
func sameEvents(t *testing.T, got, want *bytes.Buffer) {
	t.Helper()
	all := eventsByFrame(t, want)
	some := eventsByFrame(t, got)
	if len(all) != 300 || len(some) < 100 {
		t.Fatalf("got %d and %d frames; want 300 and most of them", len(all), len(some))
	}
	for index, events := range some {
		if events != all[index] {
			t.Fatalf("frame %d: got\n%s\nwant\n%s", index, events, all[index])
		}
	}
}

// eventsByFrame returns the events of each frame of a capture, as text.
func eventsByFrame(t *testing.T, file *bytes.Buffer) map[uint64]string {
	t.Helper()
	in := must.Get(framefile.NewReader(file))(t)
	frames := map[uint64]string{}
	var f gather.Frame
	for in.Next(&f) == nil {
		frames[f.Index] = eventsOf(&f, in.Events())
	}
	return frames
}

// eventsOf returns the events of a frame as text.
func eventsOf(f *gather.Frame, from timeline.EventSource) (text string) {
	if from == nil {
		return "none"
	}
	begin := f.Begin - f.Between
	for i := range f.Lanes {
		id := f.Lanes[i].ID
		since, kept := from.EventsSince(id)
		text += fmt.Sprintln(id, max(since-begin, 0), kept, from.AppendEvents(nil, id, begin, f.End-1))
	}
	return text
}

// freshEvents is the running program's session with only the events of frames from here on, and without copies of other
// tests.
func freshEvents(t *testing.T, events int) *process.Session {
	t.Helper()
	withEvents(t, events)
	s := process.Default()
	budget := s.FrameBudget()
	t.Cleanup(func() { s.SetFrameBudget(budget) })
	s.SetFrameBudget(time.Hour) // or slow frames are copied, too
	s.Reset()
	s.Update()
	for range 2 {
		runtime.GC()
	}
	return s
}

// While the stream takes nothing, the events of frames are in memory as copies of 16 bytes each. Frames for whose
// copies there is no room are dropped and counted.
func TestUpdateOnlyCopiesEvents(t *testing.T) {
	const scopes = 1000
	s, zone := freshEvents(t, 1<<12), gather.Zone{Name: "zone"}
	disk := beginning{stuck{make(chan struct{})}, make(chan struct{}, 1)}
	recording := capture.RecordTo(s, disk)
	before := gather.MemoryUsed().Copies
	frame := func() int64 {
		for range scopes {
			zone.Begin().End()
		}
		s.Update()
		return gather.MemoryUsed().Copies - before
	}
	<-disk.begun
	for n := int64(1); n <= 10; n++ {
		held := frame()
		least := n * 2 * scopes * 16
		if held < least || held > least*5+n*1000 {
			t.Fatalf("%d frames: got %d bytes of copies; want about %d", n, held, least)
		}
	}
	for range 300 { // 9.6 MB
		frame()
	}
	dropped := recording.Dropped()
	if dropped < 20 || dropped > 100 {
		t.Errorf("got %d frames dropped; want those beyond 8 MB", dropped)
	}
	close(disk.release)
	if err := recording.Close(); err != nil {
		t.Error(err)
	}
	if got := recording.Dropped(); got != dropped {
		t.Errorf("got %d frames dropped; want %d as before", got, dropped)
	}
}

// Once the frames of a slow stream have taken memory for their copies, as many frames take little more. When no frame
// waits any more, the memory is freed little by little.
func TestCopiesOfFramesThatWaitUseTheSameMemory(t *testing.T) {
	const scopes, frames, copied = 6000, 30, 2 * 6000 * 16
	s, zone := freshEvents(t, 1<<14), gather.Zone{Name: "zone"}
	first := gather.MemoryUsed().Copies
	disk := beginning{stuck{make(chan struct{})}, make(chan struct{}, 1)}
	recording := capture.RecordTo(s, disk)
	<-disk.begun // the head
	run := func(frames int) {
		for range frames {
			for range scopes {
				zone.Begin().End()
			}
			s.Update()
		}
	}
	encode := func() { disk.release <- struct{}{}; <-disk.begun }
	run(frames)
	encode()
	before := allocated()
	run(frames)
	if got := allocated() - before; got > frames*copied/2 {
		t.Errorf("%d frames after as many: got %d bytes of new memory; want few of %d", frames, got, frames*copied)
	}
	held := gather.MemoryUsed().Copies - first
	for range frames {
		encode()
		run(1)
	}
	if got := gather.MemoryUsed().Copies - first; got > held/4 {
		t.Errorf("got %d bytes of copies, %d before; want few", got, held)
	}
	close(disk.release)
	if err := recording.Close(); err != nil {
		t.Error(err)
	}
}

// allocated returns the number of bytes that the program has allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

// beginning says when its first Write has begun.
type beginning struct {
	stuck
	begun chan struct{}
}

func (b beginning) Write(p []byte) (int, error) {
	select {
	case b.begun <- struct{}{}:
	default:
	}
	return b.stuck.Write(p)
}

// A recording begins in a segment whose frames are all in memory as copies.
func TestAReaderJoinsBeforeEventsAreEncoded(t *testing.T) {
	s, zone := freshEvents(t, 1<<12), gather.Zone{Name: "zone"}
	box, err := capture.NewBlackBox(s, capture.BlackBoxOptions{Dir: t.TempDir(), Log: io.Discard, OverBudget: -1})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	release := box.HoldEncoding()
	frames := func(n int) {
		for range n {
			zone.Begin().End()
			s.Update()
		}
	}
	frames(3)
	var file bytes.Buffer
	recording := capture.RecordTo(s, &file)
	frames(2)
	release()
	frames(1)
	must.Do(t, recording.Close())
	if got := eventsByFrame(t, &file); len(got) != 3 {
		t.Errorf("got %d frames; want 3", len(got))
	}
}
