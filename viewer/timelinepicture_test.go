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
	p := viewer.PanelOf(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	p.Change(func(o *viewer.Options) { o.Title = "voxel-engine" })
	p.Change(func(o *viewer.Options) { o.Focused = true })
	p.SetKeys(usualKeys())
	p.Change(func(o *viewer.Options) { o.Timeline = m })
	hurried(p)
	var l draw.List
	p.Draw(&l, width, height, scale)
	return p
}

// timelinePictures are states of the timeline. Those that are not unpainted have a golden picture of their name.
var timelinePictures = []struct {
	name          string
	mode          viewer.TimelineMode
	width, height int
	scale         float32
	set           func(d *demo) viewer.Source
	then          func(p *viewer.Panel)
}{
	{"timeline", viewer.TimelineShown, 1280, 720, 1, live, nil},
	{"timeline-zoomed", viewer.TimelineShown, 1280, 720, 1, spike,
		func(p *viewer.Panel) { viewer.Zoom(p, 400, 9); p.SetHover(700, 395) }},
	{"timeline-zoomed@2x", viewer.TimelineLarge, 1920, 1120, 2, spike,
		func(p *viewer.Panel) { viewer.Zoom(p, 900, 16) }},
	{"timeline-hover", viewer.TimelineLarge, 1000, 640, 1, spike,
		func(p *viewer.Panel) { p.SetHover(390, 385) }},
	{"timeline-said", viewer.TimelineLarge, 1000, 640, 1,
		func(d *demo) viewer.Source { d.said = true; return spike(d) },
		func(p *viewer.Panel) { p.SetHover(390, 385) }},
	{"timeline-linked", viewer.TimelineShown, 1280, 720, 1, live,
		func(p *viewer.Panel) { p.SetHover(1150, 174) }},
	{"timeline-marks", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { marked(d); return spike(d) },
		func(p *viewer.Panel) { p.SetHover(278, 366) }},
	{"timeline-found", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { d.view.Filter = "phys"; return spike(d) }, nil},
	{"timeline-neighbours", viewer.TimelineLarge, 1000, 640, 1, spike,
		func(p *viewer.Panel) { viewer.Zoom(p, 500, -4) }},
	{"timeline-many", viewer.TimelineLarge, 1280, 720, 1, many, nil},
	{"timeline-groups", viewer.TimelineLarge, 1000, 560, 1, grouped,
		func(p *viewer.Panel) { p.SetHover(500, 460) }},
	{"timeline-groups-open", viewer.TimelineLarge, 1000, 560, 1, grouped,
		func(p *viewer.Panel) { p.Run("open-groups") }},
	{"timeline-lane", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { d.view.Lane = 2; return many(d) }, nil},
	{"timeline-off", viewer.TimelineShown, 1280, 720, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Off) }, nil},
	{"timeline-gone", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Gone) }, nil},
	{"timeline-empty", viewer.TimelineShown, 1000, 600, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Whole) }, nil},
	{"timeline-off-small", viewer.TimelineShown, 640, 360, 1,
		func(d *demo) viewer.Source { return inState(d, timeline.Off) }, nil},
	{"timeline-crowd", viewer.TimelineLarge, 1280, 720, 1, func(d *demo) viewer.Source { return crowd(d, 200_000) },
		nil},
	{"timeline-contrast", viewer.TimelineShown, 800, 600, 1, spike, func(p *viewer.Panel) {
		p.Change(func(o *viewer.Options) { o.Theme = draw.ThemeHighContrast })
	}},
}

func live(d *demo) viewer.Source { d.view.Cursor = 1; return d }

func spike(d *demo) viewer.Source { paused(d, nil); return d }

func grouped(d *demo) viewer.Source { paused(d, nil); return goroutines(d) }

func many(d *demo) viewer.Source { paused(d, nil); return manyLanes(d) }

// TestTimelinePictures draws each state.
func TestTimelinePictures(t *testing.T) {
	for _, c := range timelinePictures {
		if unpainted[c.name] != nil {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			p := onTimeline(c.set(newDemo()), c.mode, float32(c.width), float32(c.height), c.scale)
			if c.then != nil {
				c.then(p)
			}
			m := paint(t, p, c.width, c.height, c.scale)
			if c.name != "timeline" { // one shows it among the others; these are about it alone
				m = m.SubImage(viewer.TimelineCard(p)).(*image.RGBA)
			}
			golden.Picture(t, c.name+".png", m)
		})
	}
}
