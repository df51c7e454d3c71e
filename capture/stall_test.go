package capture_test

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/replay"
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

// TestAStalledViewerStallsNoFrame: frames end while a viewer is stuck for ever, or this test never would. When it goes
// on, it gets the number of frames that it has missed.
func TestAStalledViewerStallsNoFrame(t *testing.T) {
	const frames = 2000
	s, out := process.NewSession(), &stalled{wait: make(chan struct{}), waiting: make(chan struct{})}
	stream := capture.StreamTo(s, out)
	<-out.waiting
	r := replay.New(1, s)
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
