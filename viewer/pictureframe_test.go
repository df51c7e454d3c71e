package viewer_test

import (
	"image"
	"math"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// scene is a picture of a game: a sky, hills and a sun.
func scene(frame uint64) *report.Picture {
	p := &report.Picture{Width: 240, Height: 135}
	for y := range p.Height {
		for x := range p.Width {
			c := [3]byte{byte(70 + y/2), byte(120 + y/2), 220}
			hill := 90 + 20*math.Sin(float64(x)/30) + 8*math.Sin(float64(x)/9)
			if math.Hypot(float64(x-180), float64(y-30)) < 14 {
				c = [3]byte{255, 230, 120}
			} else if float64(y) > hill {
				c = [3]byte{40, byte(150 - y/2), byte(40 + frame%60)}
			}
			p.Pixels = append(p.Pixels, c[:]...)
		}
	}
	return p
}

// hitchSession has 200 frames, of which every 30th is slow and has its picture.
func hitchSession(t *testing.T) *process.Session {
	t.Helper()
	s := process.NewSession()
	f := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"}, {Name: "load"}}}
	for i := range uint64(200) {
		f.Index, f.Begin = i, f.End
		load := platform.Ticks(500)
		if i%30 == 29 {
			load = 30_000 + 100*platform.Ticks(i)
		}
		work := platform.Ticks(9000 + i*37%900)
		f.End += 1000 + work + load
		nodes := []gather.Node{{Parent: -1, Self: 1000}, {ID: 1, Zone: 1, Count: 1, Self: work},
			{ID: 2, Zone: 2, Count: 1, Self: load}}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
		must.Do(t, s.WriteFrame(&f))
		if i%30 == 29 {
			s.SetPicture(i, scene(i))
		}
	}
	s.Pause()
	return s
}

func TestTheMouseShowsWhatAFrameShowed(t *testing.T) {
	for _, c := range []struct {
		name string
		mode viewer.PanelMode
		kind hit.Kind
	}{
		{"history", viewer.PanelFull, hit.Graph},
		{"slowest", viewer.PanelFull, hit.Slow},
		{"over", viewer.PanelReportAndGraph, hit.Graph},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := viewer.PanelFor(hitchSession(t))
			p.Change(func(o *viewer.Options) {
				o.Mode = c.mode
				o.Focused = true
				o.Title = "game"
				o.Strip = viewer.StripSlowest
			})
			const width, height = 1100, 700
			paint(t, p, width, height, 1)
			x, y := place(t, p, width, height, c.kind)
			before := paint(t, p, width, height, 1)
			p.SetHover(x, y)
			m := paint(t, p, width, height, 1)
			if got := suns(m); got < 300 || suns(before) > 0 {
				t.Errorf("got %d pixels of the sun, %d without the mouse; want the picture only under the mouse", got,
					suns(before))
			}
			if c.name == "history" {
				golden.Picture(t, "frame-picture-history.png", m)
			}
		})
	}
}

// place is somewhere over frame 179, which is 20 frames old, or over the slowest frame.
func place(t *testing.T, p *viewer.Panel, width, height int, kind hit.Kind) (x, y float32) {
	t.Helper()
	for y := range height / 4 {
		for x := range width {
			at := [2]float32{float32(x) + 0.5, float32(4*y) + 0.5}
			if h := p.HitAt(at[0], at[1]); h.Kind == kind && (kind == hit.Slow || h.Age == 20) {
				return at[0], at[1] + 4
			}
		}
	}
	t.Fatal("there is no such place")
	return 0, 0
}

// suns counts the pixels of the sun.
func suns(m *image.RGBA) (n int) {
	for i := 0; i < len(m.Pix); i += 4 {
		if m.Pix[i] == 255 && m.Pix[i+1] == 230 && m.Pix[i+2] == 120 {
			n++
		}
	}
	return n
}
