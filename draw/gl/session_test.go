//go:build cgo

package gl

import (
	"image/color"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/egltest"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// Each mode of a panel draws what draw lays out for it; a panel that is off draws nothing and needs no context.
func TestOverlayForDrawsThePanel(t *testing.T) {
	s := process.NewSession()
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelOff })
	if err := OverlayFor(s); err != nil {
		t.Errorf("got %v from a panel that is off, without a context; want nil", err)
	}
	onEveryKind(t, func(t *testing.T, ctx *egltest.Context) {
		for _, mode := range []viewer.PanelMode{viewer.PanelHUD, viewer.PanelReportAndGraph, viewer.PanelFull} {
			p.Change(func(o *viewer.Options) { o.Mode = mode })
			ctx.Clear(background)
			must.Do(t, OverlayFor(s))
			var want draw.List
			p.Draw(&want, wide, high, 1)
			wantAlike(t, ctx, painted(&want, wide, high), "panel")
			if alike(ctx.Image(), painted(&draw.List{}, wide, high)) == "" {
				t.Errorf("%v, mode %d: got an empty picture; want the panel", ctx.Kind, mode)
			}
		}
		p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
		if n := allocstest.PerRun(10, func() { must.Do(t, overlay(p)) }); n != 0 && platform.Assembly {
			t.Errorf("%v: got %v allocations; want 0", ctx.Kind, n)
		}
	})
}

// The default session's overlay is off until its panel is switched on.
func TestOverlayIsTheDefaultSessions(t *testing.T) {
	forget()
	ctx := egltest.Open(t, egltest.Core, wide, high)
	p := viewer.PanelFor(process.Default())
	before := p.Options().Mode
	defer p.Change(func(o *viewer.Options) { o.Mode = before })
	for mode, shown := range map[viewer.PanelMode]bool{viewer.PanelOff: false, viewer.PanelFull: true} {
		p.Change(func(o *viewer.Options) { o.Mode = mode })
		ctx.Clear(background)
		must.Do(t, Overlay())
		if got := ctx.Image().RGBAAt(wide/2, high/2) != (color.RGBA)(background); got != (shown && gather.Enabled) {
			t.Errorf("mode %d: got a panel shown %v; want %v", mode, got, shown)
		}
	}
}
