package viewer_test

import (
	"fmt"
	"math/rand/v2"

	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// AppendTimelineLanes lists the demo's lanes, with all their events.
func (d *demo) AppendTimelineLanes(dst []timeline.Lane, _ int) []timeline.Lane {
	for _, l := range demoLanes {
		dst = append(dst, timeline.Lane{ID: l.ID, Name: l.Name, State: timeline.Whole})
	}
	return dst
}

// AppendTimelineFrames lays the frames end to end.
func (d *demo) AppendTimelineFrames(dst []timeline.Frame, age, older, newer int) []timeline.Frame {
	if d.frames == 0 {
		return dst
	}
	begin := 0.0
	for i := range older {
		begin -= float64(d.memory[demoFrames-1-age-1-i].Length)
	}
	for at := age + older; at >= max(age-newer, 0); at-- {
		f := &d.memory[demoFrames-1-at]
		dst = append(dst, timeline.Frame{Index: f.Index, Age: at, Begin: begin, End: begin + float64(f.Length)})
		begin += float64(f.Length)
	}
	return dst
}

// AppendTimelineRange makes scopes of the demo's times, in the order of its tree.
func (d *demo) AppendTimelineRange(
	dst []timeline.Scope, lane report.LaneID, age, older, newer int,
) []timeline.Scope {
	frames := d.AppendTimelineFrames(nil, age, older, newer)
	for id := report.LaneID(1); id <= 2; id++ {
		for _, f := range frames {
			g := demoRun{demo: d, lane: id, frame: demoFrames - 1 - f.Age, out: dst}
			if lane != 0 && lane != id {
				continue
			}
			if id == 1 {
				g.enter(0, 0, f.Begin, -1)
			} else {
				g.work(f.Begin, f.End)
			}
			dst = g.out
		}
	}
	return dst
}

// demoRun goes through a frame.
type demoRun struct {
	*demo
	lane  report.LaneID
	frame int
	out   []timeline.Scope
}

func (g *demoRun) entries(i int) int { return int(max(g.zones[i].count, 1)) }

// enter makes one entry of a path that begins at a time, and returns the time at which it ends.
func (g *demoRun) enter(path, entry int, now float64, level int32) float64 {
	at := len(g.out)
	if level >= 0 {
		g.out = append(g.out, timeline.Scope{Lane: g.lane, Zone: report.ZoneID(path), Level: level, Begin: now})
	}
	type kid struct{ path, entry int }
	var kids []kid
	for i := range g.zones {
		if g.zones[i].parent == path {
			n, all := g.entries(i), g.entries(path)
			for its := (entry*n + all - 1) / all; its < ((entry+1)*n+all-1)/all; its++ {
				kids = append(kids, kid{i, its})
			}
		}
	}
	own := float64(g.zones[path].self[g.frame]) / float64(g.entries(path)) / float64(len(kids)+1)
	for _, k := range kids {
		now = g.enter(k.path, k.entry, now+own, level+1)
	}
	now += own
	if level >= 0 {
		g.out[at].End = now
		if g.said {
			g.out[at].Remark = &report.Remark{Text: fmt.Sprint("chunk ", path, ",", entry), Value: 0.5 + float64(path),
				Valued: path%2 == 1}
		}
	}
	return now
}

// work makes a worker's frame: jobs with gaps between them. One job began in the frame before.
func (g *demoRun) work(begin, end float64) {
	r := rand.New(rand.NewPCG(uint64(g.frame), uint64(g.lane)))
	now := begin
	for now < end {
		took := 0.3 + 2*r.Float64()
		s := timeline.Scope{Lane: g.lane, Zone: report.ZoneID(g.find("streaming")), Begin: now,
			End: min(now+took, end), Before: now == begin, After: now+took > end}
		g.out = append(g.out, s)
		for at := s.Begin + 0.05; at+0.3 < s.End; at += 0.35 {
			g.out = append(g.out, timeline.Scope{Lane: g.lane, Zone: report.ZoneID(g.find("decals")),
				Level: 1, Begin: at, End: at + 0.25})
		}
		now = s.End + r.Float64()
	}
}

// timed is a demo with other lanes, or other states of them.
type timed struct {
	*demo
	lanes  []timeline.Lane
	scopes []timeline.Scope
	reads  int
}

func (t *timed) AppendTimelineLanes(dst []timeline.Lane, _ int) []timeline.Lane {
	return append(dst, t.lanes...)
}

func (t *timed) AppendTimelineRange(
	dst []timeline.Scope, lane report.LaneID, _, _, _ int,
) []timeline.Scope {
	t.reads++
	for _, s := range t.scopes {
		if lane == 0 || lane == s.Lane {
			dst = append(dst, s)
		}
	}
	return dst
}

// inState gives the demo's lanes a state and no scopes.
func inState(d *demo, state timeline.Coverage) *timed {
	t := &timed{demo: d, lanes: d.AppendTimelineLanes(nil, 0)}
	for i := range t.lanes {
		t.lanes[i].State = state
	}
	return t
}

// manyLanes has the demo's main lane and workers. Some workers are idle, one keeps no events, and one only late ones.
func manyLanes(d *demo) *timed {
	t := &timed{demo: d, scopes: d.AppendTimelineRange(nil, 1, d.view.Age, 0, 0)}
	t.lanes = append(t.lanes, timeline.Lane{ID: 1, Name: "main", State: timeline.Whole})
	for id := report.LaneID(2); id <= 14; id++ {
		l := timeline.Lane{ID: id, Name: fmt.Sprint("worker ", id-1), State: timeline.Whole}
		g := demoRun{demo: d, lane: id, frame: d.at()}
		switch {
		case id == 4:
			l.State = timeline.Off
		case id == 6:
			l.State, l.From = timeline.Cut, 6.5
			g.work(6.5, float64(d.memory[d.at()].Length))
		case id%5 != 0:
			g.work(0, float64(d.memory[d.at()].Length))
		}
		t.lanes = append(t.lanes, l)
		t.scopes = append(t.scopes, g.out...)
	}
	return t
}

// goroutines has the demo's main lane, a worker with a name, and the goroutines of two go statements.
func goroutines(d *demo) *timed {
	t := &timed{demo: d, scopes: d.AppendTimelineRange(nil, 1, d.view.Age, 0, 0)}
	t.lanes = append(t.lanes, timeline.Lane{ID: 1, Name: "main", State: timeline.Whole, Updater: true})
	length := float64(d.memory[d.at()].Length)
	for id := report.LaneID(2); id <= 28; id++ {
		l := timeline.Lane{ID: id, Name: fmt.Sprint("voxel.(*loader).fetchChunks loader.go:88 #", id-1),
			State: timeline.Whole}
		g := demoRun{demo: d, lane: id, frame: d.at()}
		begin := length * float64(id%16) / 24
		switch {
		case id == 9:
			l.Name = "audio mixer"
			g.work(0, length)
		case id > 20:
			l.Name = fmt.Sprint("net/http.(*Server).Serve server.go:3454 #", id-1)
			g.work(begin/2, begin/2+length/8)
		default:
			g.work(begin, min(begin+length/5, length))
		}
		t.lanes = append(t.lanes, l)
		t.scopes = append(t.scopes, g.out...)
	}
	return t
}

// crowd has many scopes on some lanes and levels. Scopes of a level do not overlap, and lie within those above them.
func crowd(d *demo, n int) *timed {
	t := &timed{demo: d}
	length := float64(d.memory[d.at()].Length)
	const lanes, kids = 4, 10
	for lane := report.LaneID(1); lane <= lanes; lane++ {
		t.lanes = append(t.lanes, timeline.Lane{ID: lane, Name: fmt.Sprint("lane ", lane),
			State: timeline.Whole})
		r := rand.New(rand.NewPCG(uint64(lane), uint64(n)))
		outer := max(n/lanes/(1+kids+kids), 1)
		for i := range outer {
			begin, end := length*float64(i)/float64(outer), length*(float64(i)+0.5+0.5*r.Float64())/float64(outer)
			t.scopes = append(t.scopes, timeline.Scope{Lane: lane, Zone: report.ZoneID(1 + r.IntN(28)),
				Begin: begin, End: end})
			for k := range kids {
				from, to := begin+(end-begin)*float64(k)/kids, begin+(end-begin)*(float64(k)+0.9)/kids
				zone := report.ZoneID(1 + r.IntN(28))
				t.scopes = append(t.scopes,
					timeline.Scope{Lane: lane, Zone: zone, Level: 1, Begin: from, End: to},
					timeline.Scope{Lane: lane, Zone: 1 + (zone+7)%28, Level: 2, Begin: from,
						End: (from + to) / 2})
			}
		}
	}
	return t
}
