package html_test

import (
	"fmt"
	"html"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	document "example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// timesIn returns the times that a pattern finds, in ms and in order of size.
func timesIn(t *testing.T, text, pattern string) (list []float64) {
	t.Helper()
	units := map[string]float64{"": 1, "ns": 1e-6, "µs": 1e-3, "s": 1e3, "min": 6e4, "h": 3.6e6}
	for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
		number, unit, _ := strings.Cut(strings.ReplaceAll(m[1], "\u2009", ""), " ")
		list = append(list, units[unit]*must.Get(strconv.ParseFloat(number, 64))(t))
	}
	slices.Sort(list)
	return list
}

// nearly reports whether lists of times are equal, as far as they are written.
func nearly(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return math.Abs(x-y) <= 0.006+0.006*math.Abs(y) })
}

// The tree and the list of zones have the times of the model.
func TestTotalsEqualTheModel(t *testing.T) {
	for seed := range uint64(200) {
		d := sampledump.Dump(seed, 1+int(seed%60), 1+int(seed%12))
		if seed%3 == 0 {
			d.Merged[0].Hier /= 2 // lanes together exceed the root of the lane that updates
		}
		d.Lanes, d.FrameTrees = nil, nil
		var hier, self []float64
		of := map[report.ZoneID]float64{}
		for i := range d.Merged {
			n := &d.Merged[i]
			of[n.Zone] += n.Self
			if n.Count != 0 || n.Hier != 0 || n.Self != 0 || n.Open || n.Charges != (report.Charges{}) {
				hier = append(hier, n.Hier)
			}
		}
		for _, ms := range of {
			self = append(self, ms)
		}
		slices.Sort(hier)
		slices.Sort(self)
		out := page(t, d, document.Options{})
		got := timesIn(t, section(out, "trees"), `</b><i[^>]*>[^<]*</i><i>([^<]*)</i><svg`)
		waiting := strings.Count(section(out, "trees"), ">waiting</span>")
		if len(got)-waiting != len(hier) {
			t.Fatalf("seed %d: got %d rows, %d of them for zones that wait; want %d nodes", seed, len(got), waiting,
				len(hier))
		}
		if waiting == 0 && !nearly(got, hier) {
			t.Fatalf("seed %d: got times %v; want %v", seed, got, hier)
		}
		got = timesIn(t, section(out, "top"), `</td><td[^>]*>([^<]*)</td><td><svg`)
		if len(got) > len(self) || !nearly(got, self[len(self)-len(got):]) {
			t.Fatalf("seed %d: got self times %v; want %v", seed, got, self)
		}
	}
}

var rowPattern = regexp.MustCompile(`(?s)<tr class="(caller|focus|callee)">.*?<bdi>(.*?)</bdi>.*?</tr>`)
var cellPattern = regexp.MustCompile(`<td[^>]*>([^<]*)</td>`)

// graphRow is a row of a call graph: its group, name, self and hierarchical time, and entries.
type graphRow struct {
	group, name       string
	self, hier, count float64
}

// graphRows reads the rows of a zone's callers and callees.
func graphRows(t *testing.T, section string) (rows []graphRow) {
	t.Helper()
	for _, m := range rowPattern.FindAllStringSubmatch(section, -1) {
		r := graphRow{group: m[1], name: html.UnescapeString(m[2])}
		for i, cell := range cellPattern.FindAllStringSubmatch(m[0], -1)[:3] {
			v, err := strconv.ParseFloat(strings.TrimSuffix(strings.ReplaceAll(cell[1], "\u2009", ""), " s"), 64)
			if err != nil {
				t.Fatalf("%s: %v", r.name, err)
			}
			*[]*float64{&r.self, &r.hier, &r.count}[i] = v
		}
		rows = append(rows, r)
	}
	return rows
}

// recursiveFrames writes random trees, in which zones call themselves and each other, as frames of a session.
func recursiveFrames(t *testing.T, seed uint64) *process.Session {
	t.Helper()
	s := process.NewSession()
	rng := rand.New(rand.NewPCG(seed, 1))
	f := gather.Frame{TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "a"}, {Name: "b"},
		{Name: "c"}, {Name: "d"}, {Name: "e"}, {Name: "f"}}}
	nodes := []gather.Node{{Parent: -1, Self: 500}}
	for i := range 60 {
		nodes = append(nodes, gather.Node{ID: gather.NodeID(i + 1), Zone: gather.ZoneID(1 + rng.IntN(6)),
			Parent: int32(max(0, len(nodes)-1-rng.IntN(6)))})
	}
	for frame := range 6 {
		f.Index, f.Begin = uint64(frame), f.End
		f.End += 500
		for i := range nodes[1:] {
			nodes[1+i].Self, nodes[1+i].Count = platform.Ticks(100+rng.IntN(4000)), uint32(1+rng.IntN(9))
			f.End += nodes[1+i].Self
		}
		f.Lanes = []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: f.Begin, End: f.End, Nodes: nodes}}
		must.Do(t, s.WriteFrame(&f))
	}
	return s
}

// The callers and callees of a zone in a frame are those of the session's call graph, recursion included.
func TestGraphsEqualTheReport(t *testing.T) {
	compared, recursive := 0, 0
	for seed := range uint64(20) {
		c, r := compareGraphs(t, recursiveFrames(t, seed))
		compared, recursive = compared+c, recursive+r
	}
	if compared < 500 || recursive < 50 {
		t.Errorf("got %d rows compared, %d of them recursive; want more", compared, recursive)
	}
}

// compareGraphs compares the graphs of all zones in a frame, and returns how many rows it has compared.
func compareGraphs(t *testing.T, s *process.Session) (compared, recursive int) {
	t.Helper()
	s.View().Set(report.View{Age: 3, Average: report.AverageInstant})
	frames := s.AppendFrames(nil, 30)
	index := frames[len(frames)-4].Index
	d := s.Dump(report.DumpOptions{Frames: []uint64{index}})
	for i := range d.Zones {
		if i == 0 {
			continue
		}
		var want report.Report
		s.View().AppendReportOf(&want, report.View{Age: 3, Average: report.AverageInstant, Mode: report.ReportCallGraph,
			Focus: report.ZoneID(i)})
		o := frameOf(index)
		o.Zone = strconv.Itoa(i)
		got := graphRows(t, section(page(t, d, o), "z"+o.Zone))
		find := func(group, name string) *graphRow {
			for k := range got {
				if got[k].group == group && (got[k].name == name || got[k].name == "~"+name) {
					return &got[k]
				}
			}
			return nil
		}
		groups := map[report.Group]string{report.GroupParent: "caller", report.GroupFocus: "focus",
			report.GroupChild: "callee"}
		for k := range want.Records {
			rec := &want.Records[k]
			hier := rec.Values[report.ColumnHier]
			row := find(groups[rec.Group], rec.Name)
			if row == nil || math.Abs(row.hier-hier) > 0.006 ||
				math.Abs(row.count-rec.Values[report.ColumnCount]) > 0.01 {
				t.Errorf("%s, %s %s: got %+v; want hier %.3f, %v calls", d.Zones[i].Name, groups[rec.Group], rec.Name,
					row,
					hier, rec.Values[report.ColumnCount])
				continue
			}
			compared++
			if rec.Group == report.GroupParent && rec.Name == d.Zones[i].Name {
				recursive++
			}
		}
	}
	return compared, recursive
}

// Each scope of a timeline is drawn with its times and its lane, as long as there are not too many.
func TestTimelinesEqualTheModel(t *testing.T) {
	d := sampledump.Game()
	tree := &d.FrameTrees[0]
	tree.Timeline.Quiet, tree.Timeline.Gone = 1, 2
	tree.Timeline.Lanes = tree.Timeline.Lanes[:2]
	tree.Timeline.Lanes[1].From = 3 // its events before are overwritten
	for i := range 5 {
		at := float32(i+1) * 2
		tree.Timeline.Lanes = append(tree.Timeline.Lanes, report.FrameLane{
			Name: fmt.Sprint("main.serve server.go:42 #", 20+i), Scopes: []report.FrameScope{
				{Zone: 2, End: at, Before: true}, {Zone: 3, Begin: at, End: at + 2}}})
	}
	tree.Timeline.Lanes[0].Remarks = []report.FrameRemark{
		{Scope: 2, Remark: &report.Remark{Text: "</script>\x1b\xff", Value: 2.5, Valued: true}}}
	at := slices.IndexFunc(d.History, func(f report.FrameSummary) bool { return f.Index == tree.Index })
	length := float64(d.History[at].Length)
	out := section(page(t, d, frameOf(tree.Index)), "frame")
	drawn := 0
	for _, l := range tree.Timeline.Lanes {
		for i := range l.Scopes {
			s := &l.Scopes[i]
			if float64(s.End-s.Begin)/length*992 < 2.01 {
				continue
			}
			name := d.Zones[s.Zone].Name
			lane := strings.TrimPrefix(l.Name, report.Crowd(l.Name)+" ")
			want := fmt.Sprintf("%s %.3f ms\n", name, s.End-s.Begin)
			if l.Name == tree.Timeline.Lanes[0].Name && i == 2 {
				want += "&lt;/script&gt;\\x1b\\xff, value 2.5\n"
			}
			want += fmt.Sprintf("from %.3f to %.3f ms of the frame\non %s", s.Begin, s.End, lane)
			if !strings.Contains(out, want) {
				t.Fatalf("got no %q in the timeline", want)
			}
			drawn++
		}
	}
	if drawn < 20 {
		t.Errorf("got %d scopes; want more", drawn)
	}
	for _, want := range []string{"1 goroutine entered no zone, the events of 2 goroutines were overwritten",
		"overwritten</text>", "5 goroutines</text>", "1 of them busy", "main.serve server.go:42</text>"} {
		if !strings.Contains(out, want) {
			t.Errorf("got no %q", want)
		}
	}
}

// rectangles returns x, y, width and height of the rectangles in the path of a colour.
func rectangles(t *testing.T, svg, fill string) (list [][4]float64) {
	t.Helper()
	for _, path := range regexp.MustCompile(`<path fill="`+regexp.QuoteMeta(
		fill)+`"[^>]* d="([^"]*)"`).FindAllStringSubmatch(svg, -1) {
		for _, m := range regexp.MustCompile(`M([0-9.]+) ([0-9.]+)h([0-9.]+)v([0-9.]+)h`).FindAllStringSubmatch(
			path[1], -1) {
			var r [4]float64
			for i := range r {
				r[i], _ = strconv.ParseFloat(m[1+i], 64)
			}
			list = append(list, r)
		}
	}
	return list
}

// The columns of the history are as high as the busy time of their frames: the sum of a zone's rectangles is the sum of
// its times.
func TestHistoryEqualsTheModel(t *testing.T) {
	d := sampledump.Game()
	svg := section(page(t, d, document.Options{}), "history")
	scale := regexp.MustCompile(`y="([0-9.]+)"[^>]*>(\d+)(?: ms)?</text>`).FindAllStringSubmatch(svg, 2)
	y0, _ := strconv.ParseFloat(scale[0][1], 64)
	y1, _ := strconv.ParseFloat(scale[1][1], 64)
	step, _ := strconv.ParseFloat(scale[1][2], 64)
	perMs := (y0 - y1) / step
	colors := document.ColorsOf(d)
	for i := range d.Series {
		s := &d.Series[i]
		c := colors[s.Zone]
		want, area := 0.0, 0.0
		for _, v := range s.Values {
			want += float64(v)
		}
		fill := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
		if s.Idle || slices.ContainsFunc(d.Series, func(o report.Series) bool {
			return o.Zone != s.Zone &&
				colors[o.Zone] == c
		}) {
			continue // a colour of several zones
		}
		for _, r := range rectangles(t, svg, fill) {
			area += r[2] * r[3]
		}
		got := area / (1116.0 / float64(len(d.History))) / perMs
		if math.Abs(got-want) > 0.15*want+5 {
			t.Errorf("%s: got %.1f ms drawn; want %.1f", s.Name, got, want)
		}
	}
	if n := strings.Count(svg, `class="area"`); n != len(d.History) {
		t.Errorf("got %d columns; want %d", n, len(d.History))
	}
}
