package viewer_test

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/gather"
	"example.com/iprof/internal/allocstest"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// reportOf returns the demo's report of a mode, with a warning.
func reportOf(m report.ReportMode, cursor int) *report.Report {
	d := newDemo()
	d.view.Mode, d.view.Cursor = m, cursor
	d.warn = []string{"measuring costs 5.1 % of the frame"}
	var r report.Report
	d.AppendReport(&r)
	return &r
}

func TestReportPicture(t *testing.T) {
	m := image.NewRGBA(image.Rect(0, 0, 760, 300))
	host(m)
	var l draw.List
	draw.AppendReport(&l, reportOf(report.ReportCallGraph, 2), 10, 10, 420, 180, draw.ReportOptions{})
	draw.AppendReport(&l, reportOf(report.ReportSelfTime, 9), 450, 10, 300, 280,
		draw.ReportOptions{Precision: 3, LineSpacing: 20})
	draw.AppendGraph(&l, newDemo().AppendSeries(nil, demoFrames)[:12], 93, 10, 290, 1.4, 8, draw.GraphOptions{})
	soft.Render(m, &l)
	golden.Picture(t, "report-and-graph.png", m)
}

// bounds returns the part of the screen that a list covers.
func bounds(l *draw.List) (x0, y0, x1, y1 float32) {
	x0, y0 = 1e9, 1e9
	x1, y1 = -1e9, -1e9
	for _, v := range l.V {
		x0, y0 = min(x0, v.X), min(y0, v.Y)
		x1, y1 = max(x1, v.X), max(y1, v.Y)
	}
	return
}

func TestReportStaysWithinItsHeight(t *testing.T) {
	r := reportOf(report.ReportSelfTime, 20)
	for _, spacing := range []float32{0, 20, -20, 0.5, -0.5} {
		t.Run(fmt.Sprint(spacing), func(t *testing.T) {
			for lines := float32(0); lines < 40; lines += 3.7 {
				unit := spacing
				if unit == 0 {
					unit = 17
				}
				height := lines * max(unit, -unit)
				var l draw.List
				draw.AppendReport(&l, r, 5, 7, 40*max(unit, -unit), height, draw.ReportOptions{LineSpacing: spacing})
				if len(l.V) == 0 {
					continue
				}
				_, y0, _, y1 := bounds(&l)
				low, high := 7-height, float32(7)
				if unit > 0 {
					low, high = 7, 7+height
				}
				if slack := 0.06 * max(unit, -unit); y0 < low-slack || y1 > high+slack {
					t.Errorf("spacing %v, %v lines: got y %v..%v; want within %v..%v", spacing, lines, y0, y1, low,
						high)
				}
			}
		})
	}
}

// notes is a host's text output that records its text.
type notes struct{ lines []string }

func (n *notes) Print(x, y float32, s string, _ color.RGBA) {
	n.lines = append(n.lines, fmt.Sprintf("%.0f %.0f %s", x, y, s))
}
func (n *notes) Width(s string) float32 { return float32(len(s)) }

func TestReportThroughTheHostsText(t *testing.T) {
	r := reportOf(report.ReportCallGraph, 2)
	r.Records[0].Name = "evil\n\x1b[0m\u202e" + strings.Repeat("x", 1<<20)
	var n notes
	var l draw.List
	draw.AppendReport(&l, r, 0, 0, 80, 20, draw.ReportOptions{LineSpacing: 1, Text: &n})
	all := strings.Join(n.lines, "\n")
	golden.Text(t, "host-text.golden", []byte(all+"\n"))
	if strings.ContainsAny(all, "\x1b\u202e") {
		t.Error("the host was given control characters; want them spelt out")
	}
}

func TestReportAllocatesNothing(t *testing.T) {
	r := reportOf(report.ReportSelfTime, 3)
	var l draw.List
	step := func() {
		l.Reset()
		draw.AppendReport(&l, r, 0, 0, 600, 600, draw.ReportOptions{})
	}
	step()
	if got := allocstest.PerRun(50, step); got != 0 {
		t.Errorf("got %v allocations; want 0", got)
	}
}

// replayed returns a full panel of a session with a replay.
func replayed(t *testing.T) (*process.Session, *viewer.Panel) {
	t.Helper()
	s := process.NewSession()
	frames := world.NewGame(1, s)
	for range 400 {
		must.Do(t, frames.Step())
	}
	p := viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	return s, p
}

// The figures of a session: the extra time of slow frames, chosen statistics with dashes where there are none, and a
// slow frame that the history has lost.
func TestStatisticsPictures(t *testing.T) {
	s, p := replayed(t)
	s.View().SetReportMode(report.ReportExtra)
	pictured(t, "extra", p)
	s.View().SetReportMode(report.ReportHierarchicalTime)
	setColumns(p, report.ColumnHier, report.ColumnMin, report.ColumnP50, report.ColumnP99, report.ColumnMaxHold,
		report.ColumnP99Self, report.ColumnEverP99, report.ColumnEverMaxSelf, report.ColumnCallP99)
	golden.Picture(t, "statistics@2x.png", paint(t, p, 2240, 1200, 2))
	p.Run("usual-columns")
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripSlowest })
	s.SetHistory(40, 40)
	s.View().ShowFrame(s.AppendSlowest(nil)[1].Index)
	pictured(t, "kept", p)
}

// pictured compares a panel with the golden picture of a name.
func pictured(t *testing.T, name string, p *viewer.Panel) {
	t.Helper()
	golden.Picture(t, name+".png", paint(t, p, 1120, 600, 1))
}

// The ribbon above the history: causes in words, late frames in their colours, the window, a selected cause.
func TestPictureOfTheRibbon(t *testing.T) {
	s, p := longRun(t, 4000)
	s.View().SetFrame(591)
	for range 5 {
		p.Run("history-out")
	}
	viewer.Press(p, viewer.Hit{Kind: hit.LateGroup, Index: 1})
	pictured(t, "ribbon", p)
}

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
