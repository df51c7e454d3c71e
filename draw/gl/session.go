//go:build cgo || windows

package gl

import (
	"example.com/iprof/gather"
	"example.com/iprof/internal/goroutines"
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
	goroutines.Offer(nil)
	return OverlayPanel(viewer.PanelFor(process.Default()))
}

// OverlayPanel is Overlay for another panel, such as that of a second window or of another session: see
// [viewer.NewPanel] and [viewer.PanelFor].
func OverlayPanel(p *viewer.Panel) error {
	if s := process.Default(); p == viewer.PanelFor(s) {
		keepPicture(s)
	}
	if p.Options().Mode == viewer.PanelOff {
		return nil
	}
	return overlay(p)
}
