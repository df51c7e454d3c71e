//go:build cgo || windows

package gl

import (
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Overlay draws the default session's panel over the current viewport. The panel's mode chooses what it shows: nothing,
// one line, report and graph, or the whole screen. It blends straight alpha and restores the host's GL state. Call it
// at the end of the frame, before the buffers are swapped, on the goroutine with the current OpenGL context. Errors are
// those of DrawGL. While the panel is off, Overlay costs nothing and returns no error. In programs built with the tag
// iprof_off it does nothing, and such programs link no fonts.
func Overlay() error {
	if !gather.Enabled {
		return nil
	}
	return OverlayFor(process.Default())
}

// OverlayFor is Overlay for another session.
func OverlayFor(s *process.Session) error {
	if s == process.Default() {
		keepPicture(s)
	}
	p := viewer.PanelFor(s)
	if p.Options().Mode == viewer.PanelOff {
		return nil
	}
	return overlay(p)
}
