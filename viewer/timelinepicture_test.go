package viewer_test

import (
	"image"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/golden"
	"example.com/iprof/process/timeline"
	"example.com/iprof/viewer"
)

// onTimeline returns a panel that shows the timeline and was drawn once.
func onTimeline(s viewer.Source, m viewer.TimelineMode, width, height, scale float32) *viewer.Panel {
	p := viewer.NewPanel(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Title = "voxel-engine" })
	p.Change(func(o *viewer.Options) { o.Focused = true })
	viewer.SetHints(p, append(demoKeys[:len(demoKeys):len(demoKeys)],
		viewer.KeyHint{Keys: "E", Action: viewer.EventsAction}))
	p.Change(func(o *viewer.Options) { o.Timeline = m })
	hurried(p)
	var l draw.List
	p.Draw(&l, width, height, scale)
	return p
}

// timelinePictures are states of the timeline, each with a golden picture of its name.
var timelinePictures = []struct {
	name          string
	mode          viewer.TimelineMode
	width, height int
	scale         float32
	set           func(d *demo) viewer.Source
	then          func(p *viewer.Panel, scale float32)
}{
	{"timeline", viewer.TimelineShown, 1280, 720, 1, live, nil},
	{"timeline@2x", viewer.TimelineShown, 1920, 1120, 2, live, nil},
	{"timeline-zoomed", viewer.TimelineShown, 1280, 720, 1, spike,
		func(p *viewer.Panel, s float32) { p.Zoom(400*s, 9); p.SetHover(700*s, 395*s) }},
	{"timeline-zoomed@2x", viewer.TimelineLarge, 1920, 1120, 2, spike,
		func(p *viewer.Panel, _ float32) { p.Zoom(900, 16) }},
	{"timeline-hover", viewer.TimelineLarge, 1000, 640, 1, spike,
		func(p *viewer.Panel, s float32) { p.SetHover(390*s, 372*s) }},
	{"timeline-said", viewer.TimelineLarge, 1000, 640, 1,
		func(d *demo) viewer.Source { d.said = true; return spike(d) },
		func(p *viewer.Panel, s float32) { p.SetHover(390*s, 372*s) }},
	{"timeline-linked", viewer.TimelineShown, 1280, 720, 1, live,
		func(p *viewer.Panel, s float32) { p.SetHover(1150*s, 174*s) }},
	{"timeline-marks", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { marked(d); return spike(d) },
		func(p *viewer.Panel, s float32) { p.SetHover(278*s, 366*s) }},
	{"timeline-found", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { d.view.Filter = "phys"; return spike(d) }, nil},
	{"timeline-neighbours", viewer.TimelineLarge, 1000, 640, 1, spike,
		func(p *viewer.Panel, s float32) { p.Zoom(500*s, -4) }},
	{"timeline-many", viewer.TimelineLarge, 1280, 720, 1, many, nil},
	{"timeline-many@2x", viewer.TimelineLarge, 1920, 1120, 2, many,
		func(p *viewer.Panel, _ float32) { p.ScrollTimeline(4) }},
	{"timeline-groups", viewer.TimelineLarge, 1000, 560, 1, grouped,
		func(p *viewer.Panel, s float32) { p.SetHover(500*s, 460*s) }},
	{"timeline-groups-open", viewer.TimelineLarge, 1000, 560, 1, grouped,
		func(p *viewer.Panel, _ float32) { p.Run("open-groups") }},
	{"timeline-groups-small", viewer.TimelineLarge, 600, 400, 1, grouped, nil},
	{"timeline-lane", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { d.view.Lane = 2; return many(d) }, nil},
	{"timeline-off", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Off) }, nil},
	{"timeline-off@2x", viewer.TimelineShown, 1920, 1120, 2,
		func(d *demo) viewer.Source { return inState(d, timeline.Off) }, nil},
	{"timeline-gone", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Gone) }, nil},
	{"timeline-empty", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Whole) }, nil},
	{"timeline-small", viewer.TimelineShown, 640, 360, 1, live, nil},
	{"timeline-off-small", viewer.TimelineShown, 640, 360, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Off) }, nil},
	{"timeline-crowd", viewer.TimelineLarge, 1280, 720, 1, func(d *demo) viewer.Source { return crowd(d, 200_000) },
		nil},
	{"timeline-contrast", viewer.TimelineShown, 800, 600, 1, spike, func(p *viewer.Panel, _ float32) {
		p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeHighContrast })
	}},
}

func live(d *demo) viewer.Source { d.view.Cursor = 1; return d }

func spike(d *demo) viewer.Source { paused(d, nil); return d }

func grouped(d *demo) viewer.Source { paused(d, nil); return goroutines(d) }

func many(d *demo) viewer.Source { paused(d, nil); return manyLanes(d) }

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
		m = m.SubImage(viewer.TimelineCard(p)).(*image.RGBA)
	}
	golden.Picture(t, name+".png", m)
}
