package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/must"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// longer has a call of the zone "job" below "main" in each frame of 10 ms: 0.1 ms in the first, 0.2 in the next.
type longer struct{}

func (longer) AppendEvents(dst []gather.Event, _ gather.LaneID, begin, end platform.Ticks) []gather.Event {
	for at := begin / 10000 * 10000; at < end; at += 10000 {
		dst = append(dst, gather.Event{Zone: 2, Time: at + 100},
			gather.Event{Zone: 1, Time: at + 200, Level: 1},
			gather.Event{Zone: 1, Time: at + 200 + (at/10000+1)*100, Level: 1, End: true},
			gather.Event{Zone: 2, Time: at + 9000, End: true})
	}
	return slices.DeleteFunc(dst, func(e gather.Event) bool { return e.Time < begin || e.Time > end })
}

func (longer) EventsSince(gather.LaneID) (platform.Ticks, bool) { return 0, true }

// AppendCalls has the same calls, counted.
func (longer) AppendCalls(dst []gather.Calls) []gather.Calls {
	c := gather.Calls{Lane: 1, Node: 2, Zone: 1}
	for n := range 20 {
		c.Add(platform.Ticks(n+1) * 100)
	}
	return append(dst, c)
}

// lengthening returns a controller of 20 such frames, with the card of "job".
func lengthening(t *testing.T) *Controller {
	t.Helper()
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Events = longer{} })
	s.SetSources(func(c *process.Sources) { c.Calls = longer{} })
	for n := range 20 {
		length := platform.Ticks(n+1) * 100
		f := &gather.Frame{Index: uint64(n), Begin: platform.Ticks(n * 10000), End: platform.Ticks((n + 1) * 10000),
			TicksPerSecond: 1e6, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "job"}, {Name: "main"}}}
		l := gather.LaneFrame{ID: 1, Name: "player", End: 10000, Updater: true}
		l.Nodes = []gather.Node{{ID: 0, Parent: -1, Self: 1100}, {ID: 1, Zone: 2, Self: 8900 - length, Count: 1},
			{ID: 2, Zone: 1, Parent: 1, Depth: 1, Self: length, Count: 1}}
		f.Lanes = append(f.Lanes, l)
		said := gather.Remark{Time: f.Begin + 250, Lane: 1, Zone: 1, Level: 1, Text: fmt.Sprint("chunk ", n, "\x1b[0m")}
		f.Remarks = append(f.Remarks, said)
		if said.Text = ""; n%2 == 0 {
			said.Valued, said.Value = true, float64(n*7%20)
			f.Remarks = append(f.Remarks, said)
		}
		must.Do(t, s.WriteFrame(f))
	}
	c := NewController(viewer.PanelFor(s))
	c.clock()
	c.panel.Change(func(o *viewer.Options) { o.Mode, o.Focused = viewer.PanelFull, true })
	s.Pause()
	s.View().SetCursorZone(1)
	c.strike('Z', 0)
	c.settle()
	return c
}

// drag drags from a share of the width of a histogram to another.
func (c *Controller) brush(t *testing.T, index int, from, to float64) {
	t.Helper()
	is := func(h viewer.Hit) bool { return h.Kind == hit.Spread && h.Index == index }
	x, y := c.place(t, is)
	end := x
	for is(c.panel.HitAt(float32(end), float32(y))) {
		end++
	}
	c.Cursor(x+from*(end-x), y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Cursor(x+to*(end-x), y)
	c.layOut()
	c.Button(ButtonLeft, ActionRelease, 0)
	c.settle()
}

// A drag over the histogram of the frames' times lists the frames of these times, and marks them in the history.
func TestBrushingTheFramesOfAZone(t *testing.T) {
	c := lengthening(t)
	c.brush(t, 0, 0.5, 0.99)
	q := c.panel.State()
	if q.Listed != 10 || !strings.HasPrefix(q.List, "frames with job of 1") || q.ListRow[0] != "19" {
		t.Errorf("got %d rows of %q, the first %q; want the ten frames over 1 ms, the slowest first", q.Listed, q.List,
			q.ListRow)
	}
	c.strike('N', 0)
	if q := c.panel.State(); q.ListRow[0] != "18" || c.panel.View().Info().Index != 18 {
		t.Errorf("N: got row %q and frame %d; want both 18", q.ListRow, c.panel.View().Info().Index)
	}
	c.strike(KeyEscape, 0)
	if q := c.panel.State(); q.List != "" {
		t.Errorf("Esc: got %q; want the table again", q.List)
	}
}

// A click on a quantile lists the frames that make it up.
func TestBrushingAQuantile(t *testing.T) {
	c := lengthening(t)
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.Spread && h.Index == 3 })
	c.Cursor(x, y) // min, p50, p90: average has no frames
	c.Button(ButtonLeft, ActionPress, 0)
	c.Button(ButtonLeft, ActionRelease, 0)
	if q := c.panel.State(); q.Listed != 11 || !strings.Contains(q.List, "of at least 1") {
		t.Errorf("got %d rows of %q; want the eleven frames from p50 on", q.Listed, q.List)
	}
}

// shows reports whether the timeline shows a stretch of the frame, given in its shares, and little beside it.
func shows(now viewer.State, from, to float64) bool {
	return now.TimelineFrom >= 0 && now.TimelineFrom <= from && now.TimelineTo >= to &&
		now.TimelineTo-now.TimelineFrom < 2*(to-from)
}

// A drag over the histogram of single calls lists them with their callers. Enter shows one in the timeline.
func TestBrushingTheCallsOfAZone(t *testing.T) {
	c := lengthening(t)
	c.brush(t, 1, 0.8, 0.99)
	q := c.panel.State()
	if q.Listed < 5 || q.Listed > 14 || fmt.Sprint(q.ListRow) != "[19 player 2.000 ms 200 µs main  chunk 19\\x1b[0m]" {
		t.Errorf("got %d rows of %q, the first %q; want some, the longest first", q.Listed, q.List, q.ListRow)
	}
	c.strike(KeyDown, 0)
	c.strike(KeyEnter, 0)
	c.settle()
	info, now := c.panel.View().Info(), c.panel.State()
	if info.Index != 18 || !shows(now, 0.02, 0.21) {
		t.Errorf("Enter: got frame %d, the timeline from %v to %v; want the call of 18 from 0.02 to 0.21", info.Index,
			now.TimelineFrom, now.TimelineTo)
	}
}

// Ctrl+N lists all calls of the cursor's zone; headings sort, and what is typed filters by name or by time.
func TestListOfCallsSortsAndFilters(t *testing.T) {
	c := lengthening(t)
	c.strike('N', ModControl)
	c.settle()
	if q := c.panel.State(); q.Listed != 20 || q.List != "calls of job" {
		t.Fatalf("got %d rows of %q; want the 20 calls of job", q.Listed, q.List)
	}
	c.strike(KeySlash, 0)
	for _, r := range ">1.5ms" {
		c.strike('A', 0) // the key that brings the character
		c.Char(r)
	}
	if q := c.panel.State(); q.Listed != 5 {
		t.Errorf("over 1.5 ms: got %d rows; want 5", q.Listed)
	}
	c.strike(KeyEnter, 0)
	c.layOut()
	x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.ListHeader && h.Index == 2 })
	c.Cursor(x, y)
	c.Button(ButtonLeft, ActionPress, 0)
	c.Button(ButtonLeft, ActionRelease, 0)
	if q := c.panel.State(); q.ListRow[0] != "15" {
		t.Errorf("length upwards: got %q; want the call of frame 15", q.ListRow)
	}
	c.strike(KeyEscape, 0)
	if q := c.panel.State(); q.Listed != 20 {
		t.Errorf("Esc: got %d rows; want all 20 again", q.Listed)
	}
}

// Shift+Q lists the calls from the p99 on, by the events. Enter shows one in the timeline.
func TestListOfSlowCalls(t *testing.T) {
	c := lengthening(t)
	c.strike('Q', ModShift)
	c.settle()
	q := c.panel.State()
	if got := fmt.Sprint(q.ListRow); q.Listed != 1 || got != "[19 player 2.000 ms  called by main]" {
		t.Fatalf("got %d rows of %q, the first %q; want the longest call", q.Listed, q.List, got)
	}
	c.strike(KeyEnter, 0)
	c.settle()
	info, now := c.panel.View().Info(), c.panel.State()
	if info.Index != 19 || !shows(now, 0.02, 0.22) {
		t.Errorf("Enter: got frame %d, the timeline from %v to %v; want the call of 19", info.Index, now.TimelineFrom,
			now.TimelineTo)
	}
}

// The list of calls has what the program said of them: its value sorts, its text is found.
func TestListOfCallsHasTextsAndValues(t *testing.T) {
	c := lengthening(t)
	c.strike('N', ModControl)
	c.settle()
	click := func(column int) {
		x, y := c.place(t, func(h viewer.Hit) bool { return h.Kind == hit.ListHeader && h.Index == column })
		c.Cursor(x, y)
		c.Button(ButtonLeft, ActionPress, 0)
		c.Button(ButtonLeft, ActionRelease, 0)
		c.layOut()
	}
	click(5)
	if q := c.panel.State(); fmt.Sprint(q.ListRow) != "[14 player 1.500 ms 200 µs main 18 chunk 14\\x1b[0m]" {
		t.Errorf("by value: got %q; want that of frame 14", q.ListRow)
	}
	click(5)
	if q := c.panel.State(); q.ListRow[5] != "" {
		t.Errorf("by value upwards: got %q; want a call without one", q.ListRow)
	}
	c.strike(KeySlash, 0)
	for _, r := range "chunk 17" {
		c.strike('A', 0) // the key that brings the character
		c.Char(r)
	}
	if q := c.panel.State(); q.Listed != 1 || q.ListRow[0] != "17" {
		t.Errorf("chunk 17: got %d rows, %q; want the call of frame 17", q.Listed, q.ListRow)
	}
}

// Marks and messages are lists, too.
func TestListsOfMarksAndMessages(t *testing.T) {
	c := lengthening(t)
	c.panel.View().Session().Mark("level loaded")
	c.strike('M', ModAlt)
	if q := c.panel.State(); q.Listed != 1 || q.ListRow[3] != "level loaded" {
		t.Errorf("got %q; want the mark", q.ListRow)
	}
	c.panel.Note("saved a.png")
	c.strike('H', ModAlt)
	if q := c.panel.State(); q.Listed < 1 || q.ListRow[1] != "saved a.png" {
		t.Errorf("got %q; want the note", q.ListRow)
	}
	c.strike('H', ModAlt)
	if q := c.panel.State(); q.List != "" {
		t.Errorf("Alt+H again: got %q; want the table", q.List)
	}
}
