package workload

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// picture runs a workload for some steps and returns what it then shows.
func picture(t *testing.T, name string, seed uint64, steps int) []byte {
	t.Helper()
	w := must.Get(New(name, Options{Seed: seed, Width: 96, Height: 64}))(t)
	defer w.Close()
	for range steps {
		must.Do(t, w.Step(time.Second/60))
	}
	return bytes.Clone(w.Picture().Pix)
}

func TestEqualSeedsDoEqualWork(t *testing.T) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		t.Run(name, func(t *testing.T) {
			one := picture(t, name, 1, 12)
			if !bytes.Equal(one, picture(t, name, 1, 12)) {
				t.Errorf("%s: got two pictures from one seed; want the same", name)
			}
			if bytes.Equal(one, picture(t, name, 2, 12)) {
				t.Errorf("%s: got the same picture from two seeds; want two", name)
			}
		})
	}
}

func TestUnknownNameListsTheKnown(t *testing.T) {
	_, err := New("nonsense", Options{})
	if err == nil || !strings.Contains(err.Error(), "sphereflake, game, goroutines, replay") {
		t.Errorf("got %v; want an error that lists the workloads", err)
	}
}

func TestPipelineDrawsWhatOneGoroutineWould(t *testing.T) {
	p := newPipeline(Options{Seed: 1, Width: 100, Height: 70})
	defer p.Close()
	p.Step(time.Second / 60)
	got := append([]float32(nil), p.levels...)
	clear(p.levels)
	for y := range 70 {
		p.row(tile{p.image.Rect, edge(p.angle)}, y)
	}
	for i := range got {
		if got[i] != p.levels[i] {
			t.Fatalf("pixel %d: got %g; want %g", i, got[i], p.levels[i])
		}
	}
}

func TestClosingAPipelineTwiceDoesNotPanic(t *testing.T) {
	p := newPipeline(Options{})
	p.Close()
	p.Close()
}

func TestReplayWritesFramesItself(t *testing.T) {
	s := process.NewSession()
	w := must.Get(New("replay", Options{Seed: 1, Session: s}))(t)
	for range 3 {
		must.Do(t, w.Step(0))
	}
	if got := s.View().Info().Frames; got != 3 || !w.Replays() || w.Picture() != nil {
		t.Errorf("got %d frames, replays %v, picture %v; want 3, true, none", got, w.Replays(), w.Picture())
	}
}
