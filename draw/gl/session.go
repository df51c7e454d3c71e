//go:build cgo

package gl

import (
	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process"
)

// drawing measures the profiler's own drawing, which is shown like any other zone.
var drawing = gather.Zone{Name: "iprof draw"}

// Overlay draws the default session's panel over the current viewport: nothing, one line, report and graph, or the whole
// screen, as the panel's mode says. It blends straight alpha by itself and puts back all of the host's GL state. Call it
// when the frame is drawn, before the buffers are swapped, on the goroutine with the current OpenGL context. It fails like
// DrawGL; a panel that is off costs nothing and never fails.
func Overlay() error { return OverlayFor(process.Default()) }

// OverlayFor is Overlay for a session of one's own.
func OverlayFor(s *process.Session) error {
	p := draw.PanelFor(s)
	if p.Mode() == draw.Off {
		return nil
	}
	return overlay(p)
}
