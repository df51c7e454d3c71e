package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// running is a session in which a frame ends after every Snapshot and every Generation. In frame n each
// zone takes n ms.
type running struct {
	*process.View
	next      uint64
	snapshots int
}

func (r *running) frame() {
	f := gather.Frame{
		Index: r.next, Begin: 1, End: 1 + 3e6*1000, TicksPerSecond: 1e9,
		Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "first"}, {Name: "second"}},
		Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Nodes: []gather.Node{{Zone: 0, Parent: -1}}}},
	}
	for zone := gather.ZoneID(1); zone <= 2; zone++ {
		f.Lanes[0].Nodes = append(f.Lanes[0].Nodes,
			gather.Node{Zone: zone, Parent: 0, Count: 1, Self: platform.Ticks(r.next * 1e6), ID: gather.NodeID(zone)})
	}
	if err := r.View.Session().WriteFrame(&f); err != nil {
		panic(err)
	}
	r.next++
}

func (r *running) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	r.View.Snapshot(dst, o)
	r.snapshots++
	r.frame()
}

func (r *running) Generation() uint64 {
	g := r.View.Generation()
	r.frame()
	return g
}

// TestOneScreenIsOfOneFrame draws a program in which a frame ends at every call that the panel makes.
func TestOneScreenIsOfOneFrame(t *testing.T) {
	r := &running{View: process.NewSession().View(), next: 1}
	r.View.SetReportMode(report.ReportSelfTime)
	r.View.SetAverage(report.AverageInstant)
	for range 5 {
		r.frame()
	}
	p := viewer.NewPanel(r)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
	for _, open := range []func(){
		func() {}, func() { p.Run("card") },
		func() { p.Change(func(o *viewer.Options) { o.Second = viewer.SecondSlowest }) },
		func() { p.Change(func(o *viewer.Options) { o.Second = viewer.SecondMemory }) },
		func() { p.Change(func(o *viewer.Options) { o.Second = viewer.SecondValues }) },
		func() { p.Change(func(o *viewer.Options) { o.Timeline = viewer.TimelineShown }) },
		func() { p.Run("pick-lane") },
	} {
		open()
		snapshots := r.snapshots
		laidOut(p, 1280, 1000)
		if r.snapshots != snapshots+1 {
			t.Errorf("got %d snapshots for a screen; want 1", r.snapshots-snapshots)
		}
		index, _ := viewer.FrameAt(p, viewer.Hit{Kind: hit.Graph})
		rows := p.TableText()
		if want := fmt.Sprintf("%d.00", index); strings.Count(rows, want) < 2 {
			t.Errorf("newest frame %d: got the rows\n%s\nwant %s ms twice", index, rows, want)
		}
		if mark := viewer.Newest(p); mark != [3]uint64{index, index, index} {
			t.Errorf("newest frame %d: got series, call structure and histories of the frames %v", index, mark)
		}
	}
}
