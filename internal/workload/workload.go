// Package workload contains the programs that glviewer, the examples and the benchmarks profile. They do real work.
// Equal seeds do the same work on every machine.
//
//	w, err := workload.New("game", workload.Options{Seed: 1})
//	if err != nil { … }
//	defer w.Close()
//	for range 300 {
//		if err := w.Step(time.Second / 60); err != nil { … }
//		iprof.Update()
//	}
package workload

import (
	"fmt"
	"image"
	"strings"
	"time"

	made "example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// Workload is a program to profile, one frame at a time. One goroutine may use it.
type Workload interface {
	// Step does one frame's work, dt after the frame before. After an error only Close may be called.
	Step(dt time.Duration) error
	// Picture returns the program's picture, or nil if it has none. The next Step changes it.
	Picture() *image.RGBA
	// Replays reports whether Step writes finished frames to the session itself. Then the host must not call Update.
	Replays() bool
	// Close ends the program's goroutines. It may be called twice.
	Close()
}

// Options set a workload's size and seed. The zero value is the default.
type Options struct {
	Seed          uint64           // equal seeds do equal work
	Width, Height int              // of the picture in pixels; 0 = the workload's own. Clamped to 16..4096
	Session       *process.Session // where "replay" writes its frames; nil = process.Default()
}

// makers are the workloads, in the order of Names.
var makers = []struct {
	name string
	make func(Options) Workload
}{
	{"sphereflake", func(o Options) Workload { return newFlake(o) }},
	{"game", func(o Options) Workload { return newGame(o) }},
	{"goroutines", func(o Options) Workload { return newPipeline(o) }},
	{"replay", func(o Options) Workload { return newReplay(o) }},
}

// Names returns the names of the workloads: sphereflake, game, goroutines, replay.
func Names() []string {
	names := make([]string, len(makers))
	for i, m := range makers {
		names[i] = m.name
	}
	return names
}

// New starts the workload with a name. Close it when done. The error for an unknown name lists the known ones.
func New(name string, o Options) (Workload, error) {
	for _, m := range makers {
		if m.name == name {
			return m.make(o), nil
		}
	}
	return nil, fmt.Errorf("workload: no %q: there are %s", name, strings.Join(Names(), ", "))
}

// picture returns an image of the size in o, or of the given size if o has none.
func (o Options) picture(width, height int) *image.RGBA {
	if o.Width != 0 && o.Height != 0 {
		width, height = min(max(o.Width, 16), 4096), min(max(o.Height, 16), 4096)
	}
	return image.NewRGBA(image.Rect(0, 0, width, height))
}

// frames is a workload that only writes frames.
type frames struct{ *made.Game }

func newReplay(o Options) frames {
	if o.Session == nil {
		o.Session = process.Default()
	}
	return frames{made.NewGame(o.Seed, o.Session)}
}

func (f frames) Step(time.Duration) error { return f.Game.Step() }
func (frames) Picture() *image.RGBA       { return nil }
func (frames) Replays() bool              { return true }
func (frames) Close()                     {}
