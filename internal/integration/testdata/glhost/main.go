// Command glhost has the lines that a program with a window has, for the tests that look at what is linked.
package main

import (
	"fmt"
	"os"

	"example.com/iprof"
	profgl "example.com/iprof/draw/gl"
	"example.com/iprof/input"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

type window struct{}

var (
	onKey    = input.For(nil, func(window, int, int, int, int) {})
	onCursor = input.GLFWCursor[window]
	onButton = input.GLFWButton[window, int, int, int]
	onScroll = input.GLFWScroll[window]
	onChar   = input.GLFWChar[window]

	ownCursor = input.ForCursor(nil, func(window, float64, float64) {})
	ownButton = input.ForButton(nil, func(window, int, int, int) {})
	ownScroll = input.ForScroll(nil, func(window, float64, float64) {})
	ownChar   = input.ForChar(nil, func(window, rune) {})
	polled    input.Poller[int]
)

func main() {
	defer iprof.WriteOnExit(os.Stderr)
	input.OnFocus(func(bool) {})
	onKey(window{}, 1, 2, 3, 4)
	onCursor(window{}, 1, 2)
	onButton(window{}, 1, 2, 3)
	onScroll(window{}, 1, 2)
	onChar(window{}, 'a')
	ownCursor(window{}, 1, 2)
	ownButton(window{}, 1, 2, 3)
	ownScroll(window{}, 1, 2)
	ownChar(window{}, 'a')
	polled.Poll(input.Mouse{})
	fmt.Println(polled.Used(1))
	input.SetScale(2)
	profgl.Begin("pass").End()
	iprof.Begin("frame").End()
	fmt.Println(profgl.Overlay(), input.Captured())
	iprof.Update()
	iprof.SetReportMode(report.ReportCallTree)
	iprof.SetAverage(report.AverageLong)
	iprof.SetOverheadLimit(0.02)
	if iprof.Enabled {
		viewer.PanelFor(iprof.Default()).Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	}
	if err := iprof.WriteText(os.Stdout); err != nil {
		fmt.Println(err)
	}
}
