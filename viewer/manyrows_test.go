package viewer_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// manyRows returns a session with a zone for each row, each of another time in each frame, and its panel.
func manyRows(tb testing.TB, rows int) (step func(), s *process.Session, p *viewer.Panel) {
	s = process.NewSession()
	f := &gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, Nodes: []gather.Node{{ID: 1, Parent: -1}}}}}
	for i := range rows {
		f.Zones = append(f.Zones, gather.ZoneInfo{Name: fmt.Sprint("zone ", i)})
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
			gather.Node{ID: gather.NodeID(i + 2), Zone: gather.ZoneID(i + 1), Depth: 1, Count: 1})
	}
	r := rand.New(rand.NewPCG(1, 2))
	step = func() {
		f.Begin, f.End = f.End, f.End+platform.Ticks(16*time.Millisecond)
		f.Lanes[0].Begin, f.Lanes[0].End = f.Begin, f.End
		left := f.End - f.Begin
		for i := range f.Lanes[0].Nodes[1:] {
			n := &f.Lanes[0].Nodes[i+1]
			n.Self = platform.Ticks(r.IntN(int(2*(f.End-f.Begin)) / (3 * rows)))
			left -= n.Self
		}
		f.Lanes[0].Nodes[0].Self = left
		must.Do(tb, s.WriteFrame(f))
		f.Index++
	}
	for range 310 {
		step()
	}
	p = viewer.PanelFor(s)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	return step, s, p
}

// BenchmarkDrawManyRows lays out a screen of a new frame of 10,000 zones. The time is that of the Draw alone.
func BenchmarkDrawManyRows(b *testing.B) {
	for _, rows := range []int{60, 1000, 10000} {
		b.Run(fmt.Sprint("rows=", rows), func(b *testing.B) {
			step, _, p := manyRows(b, rows)
			var l draw.List
			var took time.Duration
			for range 30 {
				step()
				l.Reset()
				p.Draw(&l, 1280, 900, 1)
			}
			b.ReportAllocs()
			for b.Loop() {
				step()
				begin := time.Now()
				l.Reset()
				p.Draw(&l, 1280, 900, 1)
				took += time.Since(begin)
			}
			b.ReportMetric(float64(took.Nanoseconds())/float64(b.N), "draw-ns/op")
		})
	}
}

// oneEach has a scope in each frame of each lane.
type oneEach struct{ begin, end platform.Ticks }

func (s oneEach) AppendEvents(dst []gather.Event, lane report.LaneID, _, _ platform.Ticks) []gather.Event {
	at := s.begin + platform.Ticks(lane)
	return append(dst, gather.Event{Time: at, Zone: 1, Node: 2},
		gather.Event{Time: at + 5000, Zone: 1, Node: 2, End: true})
}

func (s oneEach) EventsSince(report.LaneID) (platform.Ticks, bool) { return s.begin, true }

// manyNamed is a capture of named goroutines with an event each in each of some frames.
func manyNamed(tb testing.TB, lanes, frames int) *process.Session {
	tb.Helper()
	var file bytes.Buffer
	w := framefile.NewWriter(&file, framefile.Info{})
	f := &gather.Frame{TicksPerSecond: 1e9, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "job"}}}
	for i := range lanes {
		f.Lanes = append(f.Lanes, gather.LaneFrame{ID: gather.LaneID(i + 1), Name: fmt.Sprint("worker ", i),
			Updater: i == 0,
			Nodes:   []gather.Node{{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Depth: 1, Count: 1, Self: 5000}}})
	}
	for range frames {
		f.Begin, f.End = f.End, f.End+platform.Ticks(16*time.Millisecond)
		for i := range f.Lanes {
			f.Lanes[i].Begin, f.Lanes[i].End = f.Begin, f.End
			f.Lanes[i].Nodes[0].Self = f.End - f.Begin - 5000
		}
		must.Do(tb, w.WriteJudged(f, &process.Judged{Events: oneEach{f.Begin, f.End}}))
		f.Index++
	}
	must.Do(tb, w.Close())
	s := process.NewSession()
	must.Get(framefile.Load(s, &file))(tb)
	return s
}

// BenchmarkOpenTimelineOfManyGoroutines opens the timeline of a capture of 10,000 named goroutines, as key W does.
func BenchmarkOpenTimelineOfManyGoroutines(b *testing.B) {
	s := manyNamed(b, 10_000, 10)
	for b.Loop() {
		p := viewer.PanelFor(s)
		p.Change(func(o *viewer.Options) { o.Mode, o.Timeline = viewer.PanelFull, viewer.TimelineShown })
		var l draw.List
		p.Draw(&l, 1280, 900, 1)
	}
}

// counting counts the histories that a panel asks a session for. With all it has a history for each row.
type counting struct {
	*process.View
	all  bool
	rows []int
}

func (s *counting) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	if s.all {
		o.InSight = nil
	}
	s.View.Snapshot(dst, o)
	if dst.HistoryFrames > 0 {
		s.rows = append(s.rows, len(dst.Histories)/dst.HistoryFrames)
	}
}

// Rows off the screen have no history, and no picture shows it: not of rows that move into sight by the wheel, by the
// cursor, in a larger window, or while the mouse keeps the picture still.
func TestRowsOffTheScreenHaveNoHistory(t *testing.T) {
	const rows, most = 3000, 3 * (45 + 2*100) // twice those of the first windows, and some
	step, s, _ := manyRows(t, rows)
	few, all := &counting{View: s.View()}, &counting{View: s.View(), all: true}
	panels := []*viewer.Panel{viewer.PanelOf(few), viewer.PanelOf(all)}
	var lists [2]draw.List
	at := func(name string, height float32, change func(p *viewer.Panel)) {
		t.Helper()
		for i, p := range panels {
			change(p)
			for range 300 {
				lists[i].Reset()
				if p.Draw(&lists[i], 1280, height, 1); !p.Settling() {
					break
				}
			}
		}
		if !slices.Equal(lists[0].V, lists[1].V) {
			t.Errorf("%s: got another picture than with all histories", name)
		}
	}
	for _, p := range panels {
		p.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
		hurried(p) // else a tip may come to one of them, while the other one has drawn 300 times in no time
	}
	at("first", 900, func(*viewer.Panel) {})
	at("wheel", 900, func(p *viewer.Panel) { viewer.Scroll(p, 50) })
	at("far", 900, func(p *viewer.Panel) { viewer.Scroll(p, 1000) })
	step()
	at("a frame", 900, func(*viewer.Panel) {})
	s.View().SetCursor(2500)
	at("cursor", 900, func(*viewer.Panel) {})
	at("a larger window", 5000, func(*viewer.Panel) {})
	at("still", 900, func(p *viewer.Panel) { p.SetHover(400, 800) })
	taken := len(few.rows)
	for i, p := range panels {
		viewer.Scroll(p, -1500)
		for range 3 {
			p.Draw(&lists[i], 1280, 900, 1)
		}
	}
	if len(few.rows) == taken {
		t.Error("rows that the wheel brought into a still picture got no history")
	}
	if got := slices.Max(few.rows); got > most {
		t.Errorf("got histories of %d rows; want at most %d", got, most)
	}
	if got := slices.Min(all.rows); got < rows {
		t.Errorf("got histories of %d rows where all are chosen; want %d", got, rows)
	}
}
