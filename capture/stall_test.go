package capture_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// stalled is a viewer that reads nothing until it is let go.
type stalled struct {
	wait    chan struct{}
	waiting chan struct{}
	begun   sync.Once
	mu      sync.Mutex
	got     bytes.Buffer
}

func (s *stalled) Write(p []byte) (int, error) {
	s.begun.Do(func() { close(s.waiting) })
	<-s.wait
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.got.Write(p)
}

// Frames end while a viewer is stuck for ever, or this test never would. When it goes on, it gets the number of frames
// that it has missed. The clock is simulated: a Write that takes long drops what waits.
func TestAStalledViewerStallsNoFrame(t *testing.T) { synctest.Test(t, stall) }

func stall(t *testing.T) {
	const frames = 2000
	s, out := process.NewSession(), &stalled{wait: make(chan struct{}), waiting: make(chan struct{})}
	stream := must.Get(capture.Record(s, capture.RecordOptions{To: out, Live: true}))(t)
	<-out.waiting
	r := world.NewGame(1, s)
	for range frames {
		must.Do(t, r.Step())
	}
	if got := s.View().Info().Index; got != frames-1 {
		t.Errorf("the newest frame is %d; want %d", got, frames-1)
	}
	close(out.wait)
	must.Do(t, stream.Close())
	in := must.Get(framefile.NewReader(&out.got))(t)
	var f gather.Frame
	seen := uint64(0)
	for {
		if err := in.Next(&f); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		seen++
	}
	if seen == 0 || seen > 64+1 || seen+in.Lost() != frames {
		t.Errorf("got %d frames and %d lost; want at most 65, and %d in all", seen, in.Lost(), frames)
	}
}

// pausing is a viewer that takes a second for one Write.
type pausing struct {
	bytes.Buffer
	from, to time.Time
}

func (p *pausing) Write(b []byte) (int, error) {
	if time.Now().After(p.from) && p.to.IsZero() {
		p.from = time.Now()
		time.Sleep(time.Second)
		p.to = time.Now()
	}
	return p.Buffer.Write(b)
}

// TestAViewerGoesOnWithTheNewestFrame: after a Write that took long it gets no frame that has waited meanwhile but the
// newest, and all are counted. The clock is simulated.
func TestAViewerGoesOnWithTheNewestFrame(t *testing.T) {
	const frames, every = 300, 10 * time.Millisecond
	synctest.Test(t, func(t *testing.T) {
		s, program := process.NewSession(), world.NewRandom(1)
		out := &pausing{from: time.Now().Add(time.Second)}
		stream := must.Get(capture.Record(s, capture.RecordOptions{To: out, Live: true}))(t)
		var ends [frames]time.Time
		for i := range ends {
			time.Sleep(every)
			f := *program.Frame()
			f.Index, ends[i] = uint64(i), time.Now()
			must.Do(t, s.WriteFrame(&f))
		}
		time.Sleep(time.Second)
		must.Do(t, stream.Close())
		old, after, seen := 0, 0, uint64(0)
		lost := eachFrame(t, &out.Buffer, func(index uint64, _ string) {
			seen++
			switch end := ends[index]; {
			case end.After(out.to):
				after++
			case end.After(out.from) && end.Before(out.to.Add(-every)):
				old++
			}
		})
		if old > 0 || after == 0 || seen+lost != frames {
			t.Errorf("got %d old frames, %d that ended later, %d in all, %d lost; want no old one, and all of %d",
				old, after, seen, lost, frames)
		}
	})
}

// slowLink is a viewer behind a link of 20 kB a second.
type slowLink struct {
	bytes.Buffer
	longest time.Duration // of the Writes of the last seconds
	since   time.Time
}

func (l *slowLink) Write(b []byte) (int, error) {
	took := time.Duration(len(b)) * time.Second / 20_000
	if time.Sleep(took); time.Now().After(l.since) {
		l.longest = max(l.longest, took)
	}
	return l.Buffer.Write(b)
}

// Over a slow link waits as much as it takes in 150 ms, or little more. The clock is simulated.
func TestASlowLinkHasLittleWaiting(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, program := process.NewSession(), world.NewRandom(1)
		out := &slowLink{since: time.Now().Add(2 * time.Second)}
		stream := must.Get(capture.Record(s, capture.RecordOptions{To: out, Live: true}))(t)
		for i := range 600 {
			time.Sleep(10 * time.Millisecond)
			f := *program.Frame()
			f.Index = uint64(i)
			must.Do(t, s.WriteFrame(&f))
		}
		must.Do(t, stream.Close())
		seen := 0
		lost := eachFrame(t, &out.Buffer, func(uint64, string) { seen++ })
		if ms := out.longest.Milliseconds(); ms < 120 || ms > 200 || seen+int(lost) != 600 {
			t.Errorf("got Writes of up to %d ms, %d frames and %d lost; want about 150, and 600", ms, seen, lost)
		}
	})
}
