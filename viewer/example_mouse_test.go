package viewer_test

import (
	"fmt"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// A host without package input passes on its events by itself.
func ExamplePanel_Mouse() {
	s := process.NewSession()
	frames := world.NewGame(1, s)
	for range 60 {
		if err := frames.Step(); err != nil {
			fmt.Println(err)
		}
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	p.SetKeys([]viewer.KeyName{{Key: "Space", Command: "pause"}})
	var l draw.List
	p.Draw(&l, 1280, 720, 1)

	x, y := float32(640), float32(200) // in the history
	p.Mouse(viewer.MouseEvent{Action: viewer.MousePress, X: x, Y: y, Time: time.Now()})
	p.Mouse(viewer.MouseEvent{Action: viewer.MouseRelease, X: x, Y: y})
	fmt.Println("a click on a frame:", p.HitAt(x, y).Kind == hit.Graph, s.Paused())

	used := p.Key(viewer.KeyEvent{Key: "Space"})
	fmt.Println("Space:", used, s.Paused())
	fmt.Println("the wheel:", p.Wheel(viewer.WheelEvent{X: x, Y: y, Notches: 1}))
	// Output:
	// a click on a frame: true true
	// Space: true false
	// the wheel: true
}
