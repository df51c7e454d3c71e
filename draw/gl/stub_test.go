//go:build !cgo && !windows

package gl

import (
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Built without cgo, everything says what to do about it.
func TestStubsSayWhatIsMissing(t *testing.T) {
	s := process.NewSession()
	viewer.PanelFor(s).Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	_, err := NewRenderer()
	for name, err := range map[string]error{"NewRenderer": err, "OverlayPanel": OverlayPanel(viewer.PanelFor(s)),
		"DrawGL":      DrawGL(nil, 0, 0, 0, 0, nil),
		"DrawGraphGL": DrawGraphGL(nil, 0, 0, 0, 0, 0, nil), "Draw": new(Renderer).Draw(nil, nil, BlendCaller, false)} {
		if err == nil || !strings.Contains(err.Error(), "install a C compiler and the GL headers, or use draw/soft") {
			t.Errorf("got %v from %s; want an error that says what to install", err, name)
		}
	}
}
