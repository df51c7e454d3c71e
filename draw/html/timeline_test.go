package html

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// pageData is what a page has of timelines and of the trees of frames.
type pageData struct {
	Frames, Further []struct{ I uint64 }
	Timelines       []struct {
		I     uint64
		Left  int
		Lanes [][]json.RawMessage
	}
	LaneNames [][2]string
	Kept      string
}

func readData(t testing.TB, d *report.Dump, o Options) (p pageData) {
	t.Helper()
	if err := json.Unmarshal(dataOf(d, o), &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// The page has every scope of a timeline: its times to 10 ns.
func TestTimelinesEqualTheModel(t *testing.T) {
	d := sampledump.Game()
	p := readData(t, d, Options{FrameBytes: -1})
	if len(p.Timelines) != len(d.FrameTrees) {
		t.Fatalf("got %d timelines; want %d", len(p.Timelines), len(d.FrameTrees))
	}
	of := map[uint64]*report.FrameTimeline{}
	for i := range d.FrameTrees {
		of[d.FrameTrees[i].Index] = &d.FrameTrees[i].Timeline
	}
	for _, line := range p.Timelines {
		want := of[line.I].Lanes
		if len(line.Lanes) != len(want) {
			t.Fatalf("frame %d: got %d lanes; want %d", line.I, len(line.Lanes), len(want))
		}
		for i, lane := range line.Lanes {
			var name int
			var numbers []int64
			if json.Unmarshal(lane[0], &name) != nil || json.Unmarshal(lane[3], &numbers) != nil {
				t.Fatalf("frame %d, lane %d: got %s", line.I, i, lane)
			}
			if got := p.LaneNames[name]; got != [2]string{want[i].Name, report.Crowd(want[i].Name)} {
				t.Errorf("frame %d, lane %d: got name %q; want %q", line.I, i, got, want[i].Name)
			}
			if got, want := scopesOf(numbers), roundedScopes(want[i].Scopes); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("frame %d, lane %d: got %v; want %v", line.I, i, got, want)
			}
		}
	}
}

// What the program said of scopes is in a fifth place of a lane, by the numbers of the scopes; else there is none.
func TestTimelinesHaveRemarks(t *testing.T) {
	d := sampledump.Game()
	of := &d.FrameTrees[0].Timeline.Lanes[0]
	of.Remarks = []report.FrameRemark{
		{Scope: 2, Remark: &report.Remark{Text: "</script>\x1b\xff", Value: 2.5, Valued: true}},
		{Scope: 3, Remark: &report.Remark{Value: -1, Valued: true}}}
	for _, line := range readData(t, d, Options{FrameBytes: -1}).Timelines {
		for i, lane := range line.Lanes {
			if line.I != d.FrameTrees[0].Index || i > 0 {
				if len(lane) != 4 {
					t.Errorf("frame %d, lane %d: got %d places; want 4", line.I, i, len(lane))
				}
				continue
			}
			var got [][2]any
			if err := json.Unmarshal(lane[4], &got); err != nil || fmt.Sprint(got) !=
				`[[2 </script>\x1b\xff, value 2.5] [3 value -1]]` {
				t.Errorf("got %s, %v", lane[4], err)
			}
		}
	}
}

// scopesOf reads the scopes of a lane as the page's script does.
func scopesOf(numbers []int64) (list []report.FrameScope) {
	begin := int64(0)
	for n := numbers; len(n) > 0; n = n[4:] {
		begin += n[0]
		list = append(list, report.FrameScope{Zone: report.ZoneID(n[2]), Begin: float32(begin),
			End: float32(begin + n[1]), Level: uint16(n[3] / 4), Before: n[3]&2 > 0, After: n[3]&1 > 0})
	}
	return list
}

func roundedScopes(list []report.FrameScope) (rounded []report.FrameScope) {
	for _, s := range list {
		s.Begin = float32(math.Round(float64(s.Begin) * perMs))
		s.End = float32(math.Round(float64(s.End) * perMs))
		rounded = append(rounded, s)
	}
	return rounded
}

// A page has as many whole frames as fit, the slowest and the newest first, and says how many timelines it lacks.
func TestTimelinesFitTheLimit(t *testing.T) {
	d := sampledump.Game()
	all := len(readData(t, d, Options{FrameBytes: -1}).Timelines)
	order, last := d.ByImportance(), 0
	for limit := 20_000; limit < 200_000; limit += 9_000 {
		p := readData(t, d, Options{FrameBytes: limit})
		want := fmt.Sprintf("trees of %d of %d frames, timelines of %d of %d, ", len(p.Frames)+len(p.Further),
			len(d.FrameTrees), len(p.Timelines), all)
		if !strings.HasPrefix(p.Kept, want) || len(p.Timelines) < last || len(p.Timelines) > len(p.Frames) {
			t.Errorf("limit %d: got %q; want %q, and no fewer timelines than the %d before", limit, p.Kept, want, last)
		}
		for i := range p.Timelines {
			if got, want := p.Timelines[i].I, d.FrameTrees[order[i]].Index; got != want || p.Frames[i].I != want {
				t.Fatalf("limit %d: got timeline %d of frame %d; want of %d", limit, i, got, want)
			}
		}
		last = len(p.Timelines)
	}
	if last != all {
		t.Errorf("got %d timelines at the greatest limit; want all %d", last, all)
	}
}

const (
	sightNow = "document.querySelector('#sight').textContent"
	tipHead  = "document.querySelector('#tip .head').textContent"
	tipText  = "document.querySelector('#tip').textContent"
)

// lanesAt is a place of the timeline as parts of its width, of 168 nominal pixels for names, and of its height.
func lanesAt(p *browser.Page, part, y float64) (x, down float64) {
	width := p.Number("document.querySelector('#lanes canvas').clientWidth")
	height := p.Number("document.querySelector('#lanes canvas').clientHeight")
	return (168 + part*(width-168)) / width, y / height
}

func TestTimelineInBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	d := sampledump.Game()
	for i := range d.FrameTrees {
		said := report.FrameRemark{Scope: 2, Remark: &report.Remark{Text: "<b>12,7"}}
		d.FrameTrees[i].Timeline.Lanes[0].Remarks = []report.FrameRemark{said}
	}
	open(t, p, d)
	const hint = "document.querySelector('#missing').textContent"
	expect(t, p, "hint for the whole run", hint, "Choose a frame in the history to see what ran when.")
	p.Click("#plot", 1.5/300, 0.5)
	expect(t, p, "frame without events", hint, "The events of this frame were not kept.")
	p.Click("#plot", 20.5/300, 0.5)
	f := &d.History[20]
	length := float64(f.Length)
	expect(t, p, "title", "document.querySelector('#timed').textContent", fmt.Sprint("Timeline of frame ", f.Index))
	expect(t, p, "sight", sightNow, fmt.Sprintf("0.000 to %.3f ms of the frame", length))
	expect(t, p, "what is missing", hint, "1 goroutine entered no zone, the events of 2 goroutines were overwritten")
	main := d.FrameTrees[0]
	for _, tree := range d.FrameTrees {
		if tree.Index == f.Index {
			main = tree
		}
	}
	scope := main.Timeline.Lanes[0].Scopes[2] // broadphase, at the third level
	over := func(y float64) {
		x, down := lanesAt(p, float64(scope.Begin+scope.End)/2/length, y)
		p.Move("#lanes canvas", x, down)
	}
	over(20 + 2*18 + 8)
	expect(t, p, "tip's head", tipHead, fmt.Sprintf("broadphase%.3f ms", scope.End-scope.Begin))
	expect(t, p, "tip's times", tipText+".includes('"+fmt.Sprintf("from %.3f to %.3f ms of the frameon main",
		scope.Begin, scope.End)+"')", true)
	expect(t, p, "tip's remark", tipText+".includes('<b>12,7')", true)
	x, down := lanesAt(p, float64(scope.Begin+scope.End)/2/length, 20+2*18+8)
	p.Click("#collapse", 0.5, 0.5)
	p.Click("#lanes canvas", x, down)
	expect(t, p, "row of the scope", row, "broadphase")
	p.Wheel("#lanes canvas", x, down, -400)
	from, to := sight(t, p)
	if want := length * math.Pow(1.002, -400); math.Abs(to-from-want) > 0.01 || from > float64(scope.End) {
		t.Errorf("after the wheel: got %v to %v; want a length of %v around the mouse", from, to, want)
	}
	p.Drag("#lanes canvas", x, down, x-0.1, down)
	if moved, end := sight(t, p); moved <= from || math.Abs(end-moved-(to-from)) > 0.002 {
		t.Errorf("after a drag to the left: got %v to %v; want later than %v to %v", moved, end, from, to)
	}
	p.Eval("document.querySelector('#lanes').focus()")
	p.Key("Home")
	expect(t, p, "whole frame", sightNow, fmt.Sprintf("0.000 to %.3f ms of the frame", length))
	testCrowdBand(t, p, length)
	quiet(t, p)
}

// testCrowdBand opens the goroutines of a go statement.
func testCrowdBand(t *testing.T, p *browser.Page, length float64) {
	height := p.Number("document.querySelector('#lanes canvas').clientHeight")
	y := height - 20 // its band is the last
	x, down := lanesAt(p, (length/8+1)/length, y)
	p.Move("#lanes canvas", x, down)
	expect(t, p, "tip of the folded goroutines", tipHead, "main.serve server.go:42")
	expect(t, p, "busy ones", tipText+".includes('1 of them busy at')", true)
	p.Click("#lanes canvas", x, down)
	if got := p.Number("document.querySelector('#lanes canvas').clientHeight"); got != height-18+5*26 {
		t.Errorf("five goroutines unfolded: got a height of %v; want %v", got, height-18+5*26)
	}
	x, down = lanesAt(p, 0.01, height-10)
	p.Move("#lanes canvas", x, down)
	expect(t, p, "tip inside", tipText+".includes('on main.serve server.go:42 #20')", true)
}

// sight returns the stretch of time that the timeline shows.
func sight(t *testing.T, p *browser.Page) (from, to float64) {
	t.Helper()
	if _, err := fmt.Sscanf(p.Text(sightNow), "%f to %f", &from, &to); err != nil {
		t.Fatal(err)
	}
	return from, to
}
