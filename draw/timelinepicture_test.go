package draw_test

import (
	"image"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process"
)

// onTimeline is a panel with the timeline shown, drawn once.
func onTimeline(s draw.Source, m draw.TimelineMode, width, height, scale float32) *draw.Panel {
	p := draw.NewPanel(s)
	p.SetMode(draw.Full)
	p.SetTitle("voxel-engine")
	p.SetFocused(true)
	p.SetKeys(append(demoKeys[:len(demoKeys):len(demoKeys)], draw.KeyHint{Keys: "E", Action: draw.EventsAction}))
	p.SetTimeline(m)
	var l draw.List
	p.Draw(&l, width, height, scale)
	return p
}

// timelinePictures are the states of the timeline, each with a golden picture of its name.
var timelinePictures = []struct {
	name          string
	mode          draw.TimelineMode
	width, height int
	scale         float32
	set           func(d *demo) draw.Source
	then          func(p *draw.Panel, scale float32)
}{
	{"timeline", draw.TimelineShown, 1280, 720, 1, live, nil},
	{"timeline@2x", draw.TimelineShown, 1920, 1120, 2, live, nil},
	{"timeline-zoomed", draw.TimelineShown, 1280, 720, 1, spike, func(p *draw.Panel, s float32) { p.ZoomTimeline(400*s, 9); p.SetHover(700*s, 395*s) }},
	{"timeline-zoomed@2x", draw.TimelineLarge, 1920, 1120, 2, spike, func(p *draw.Panel, _ float32) { p.ZoomTimeline(900, 16) }},
	{"timeline-hover", draw.TimelineLarge, 1000, 640, 1, spike, func(p *draw.Panel, s float32) { p.SetHover(390*s, 372*s) }},
	{"timeline-linked", draw.TimelineShown, 1280, 720, 1, live, func(p *draw.Panel, s float32) { p.SetHover(1150*s, 174*s) }},
	{"timeline-neighbours", draw.TimelineLarge, 1000, 640, 1, spike, func(p *draw.Panel, s float32) { p.ZoomTimeline(500*s, -4) }},
	{"timeline-many", draw.TimelineLarge, 1280, 720, 1, many, nil},
	{"timeline-many@2x", draw.TimelineLarge, 1920, 1120, 2, many, func(p *draw.Panel, _ float32) { p.ScrollTimeline(4) }},
	{"timeline-lane", draw.TimelineShown, 1000, 600, 1, func(d *demo) draw.Source { d.view.Lane = 2; return many(d) }, nil},
	{"timeline-off", draw.TimelineShown, 1280, 720, 1, func(d *demo) draw.Source { return inState(d, process.TimelineOff) }, nil},
	{"timeline-off@2x", draw.TimelineShown, 1920, 1120, 2, func(d *demo) draw.Source { return inState(d, process.TimelineOff) }, nil},
	{"timeline-gone", draw.TimelineShown, 1000, 600, 1, func(d *demo) draw.Source { return inState(d, process.TimelineGone) }, nil},
	{"timeline-empty", draw.TimelineShown, 1000, 600, 1, func(d *demo) draw.Source { return inState(d, process.TimelineWhole) }, nil},
	{"timeline-small", draw.TimelineShown, 640, 360, 1, live, nil},
	{"timeline-off-small", draw.TimelineShown, 640, 360, 1, func(d *demo) draw.Source { return inState(d, process.TimelineOff) }, nil},
	{"timeline-crowd", draw.TimelineLarge, 1280, 720, 1, func(d *demo) draw.Source { return crowd(d, 200_000) }, nil},
	{"timeline-contrast", draw.TimelineShown, 800, 600, 1, spike, func(p *draw.Panel, _ float32) { p.SetTheme(draw.ThemeHighContrast) }},
}

func live(d *demo) draw.Source { d.view.Cursor = 1; return d }

func spike(d *demo) draw.Source { paused(d, nil); return d }

func many(d *demo) draw.Source { paused(d, nil); return manyLanes(d) }

// TestTimelinePictures draws each state at its size, and those of one scale at twice the scale and the pixels too.
func TestTimelinePictures(t *testing.T) {
	named := map[string]bool{}
	for i := range timelinePictures {
		named[timelinePictures[i].name] = true
	}
	for i := range timelinePictures {
		c := &timelinePictures[i]
		t.Run(c.name, func(t *testing.T) { timelinePicture(t, i, c.name, 1) })
		if twice := c.name + "@2x"; c.scale == 1 && !named[twice] {
			t.Run(twice, func(t *testing.T) { timelinePicture(t, i, twice, 2) })
		}
	}
}

func timelinePicture(t *testing.T, i int, name string, times int) {
	c := timelinePictures[i]
	width, height, scale := c.width*times, c.height*times, c.scale*float32(times)
	p := onTimeline(c.set(newDemo()), c.mode, float32(width), float32(height), scale)
	if c.then != nil {
		c.then(p, float32(times))
	}
	m := paint(t, p, width, height, scale)
	if name != "timeline" { // one shows it among the others; these are about it alone
		m = m.SubImage(draw.TimelineCard(p)).(*image.RGBA)
	}
	golden.Picture(t, name+".png", m)
}
