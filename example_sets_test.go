//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"time"

	"example.com/iprof"
	"example.com/iprof/process/report"
)

// A game has three fixed steps for each picture. Both are frames, over the same zones.
func ExampleFrames() {
	pictures, steps := iprof.Default(), iprof.Frames("step")
	steps.SetFrameBudget(2 * time.Millisecond)
	pictures.Reset()
	for range 2 {
		for range 3 {
			steps.BeginFrame("")
			iprof.Begin("physics").End()
			steps.EndFrame()
		}
		iprof.Begin("draw").End()
		pictures.Update()
	}
	for _, s := range []*iprof.Session{pictures, steps} {
		var f report.PastFrame
		s.FrameOf(&f, 0, 0)
		entered := map[string]int{}
		for _, n := range f.Nodes {
			entered[s.Zone(n.Zone).Name] += int(n.Count)
		}
		frames := len(s.AppendFrames(nil, 99))
		fmt.Printf("%d frames %q: physics %d, draw %d\n", frames, s.Sources().Set, entered["physics"], entered["draw"])
	}
	// Output:
	// 2 frames "": physics 3, draw 1
	// 6 frames "step": physics 1, draw 0
}
