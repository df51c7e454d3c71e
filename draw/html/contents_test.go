package html_test

import (
	"crypto/sha256"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/zonecolor"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// has fails if a part of the page lacks a text.
func has(t *testing.T, what, part string, wants ...string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(part, want) {
			t.Errorf("%s: got no %q in %.3000s", what, want, part)
		}
	}
}

// The verdict is drawn: the frame and its usual as bars to one scale, the cause named with its time and its place, and
// what ended the wait.
func TestTheVerdictIsDrawn(t *testing.T) {
	d := drawnGame()
	why := section(page(t, d, html.Options{}), "why")
	v := &d.Verdict
	c := html.ColorsOf(d)[v.Causes[0].Zone]
	fill := fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
	bars := rectangles(t, why, fill)
	if len(bars) < 2 {
		t.Fatalf("got %v; want the cause and its usual", bars)
	}
	if got, want := bars[0][2]/bars[1][2], (v.Time-12)/4; got < 0.95*want || got > 1.05*want {
		t.Errorf("the cause is %.1f times as wide as its usual; want %.1f", got, want)
	}
	has(t, "verdict", why, html.Visible(v.String()), fmt.Sprintf(`href="#f%d"`, v.Index), ">+1", "usually</text>",
		"in 30 calls, usually 4.00 in 3 calls", d.Zones[v.Causes[0].Zone].Site(), "others",
		"waiting for lock world 12.5 ms \u2192 released by loader &lt;/script&gt; at main.go:36")
	in := &d.FrameTrees[treeOf(d, v.Index)].Verdict
	in.Causes = append(in.Causes, report.Cause{Kind: report.CauseWorker, Zone: v.Causes[0].Zone, Name: "load <b>",
		Path: v.Causes[0].Path, Time: 11, Lane: "loader </script>"})
	why = section(page(t, d, html.Options{}), "why")
	has(t, "verdict with a zone", why, `waiting for lock world 12.5 ms<`, "loader &lt;/script&gt; was in ",
		"<bdi>load &lt;b&gt;</bdi></a> 11.0 ms, then released it at main.go:36")
	d.Verdict.Index = 3
	has(t, "verdict on a lost frame", section(page(t, d, html.Options{}), "why"), "no longer in the history")
}

// A frame that was late because it waited is not green, and says so, as in the window.
func TestLateFramesSayThatTheyWaited(t *testing.T) {
	d := sampledump.Game()
	for i, f := range []report.FrameSummary{{Length: 10, Busy: 5}, {Length: 40, Busy: 5}, {Length: 40, Busy: 39,
		Over: true}} {
		f.Index, f.HasReport = d.History[i].Index, true
		d.History[i] = f
		d.FrameTrees = append(d.FrameTrees, report.FrameTree{Index: f.Index, Nodes: d.Merged})
		framed := regexp.MustCompile(`<div class="big([^"]*)" id="framed">.*?</div>`)
		m := framed.FindStringSubmatch(page(t, d, frameOf(f.Index)))
		if want := []string{"", " over", " far"}[i]; m[1] != want || strings.Contains(m[0], ", waited") != (i == 1) {
			t.Errorf("frame %d: got %s; want the class big%s", i, m[0], want)
		}
	}
}

// A column of the history is as high as what the budget judges: busy and blocked time.
func TestColumnsAreAsHighAsJudged(t *testing.T) {
	d := sampledump.Game()
	d.History[1].Length, d.History[1].Busy, d.History[1].Blocked = 60, 20, 35
	has(t, "scale", section(page(t, d, html.Options{}), "history"), ">60</text>")
	has(t, "parts", page(t, d, html.Options{}), "20.00 busy + 35.00 blocked + 5.00 waiting")
}

// The history of a server is of all goroutines: its zones are those of requests, and not the profiler's.
func TestTheHistoryOfAServerIsOfAllGoroutines(t *testing.T) {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Program.Kind = report.KindServer })
	for i := range platform.Ticks(30) {
		f := &gather.Frame{Index: uint64(i), Begin: i * 100, End: i*100 + 100, TicksPerSecond: 1000,
			Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "sleep", Idle: true}, {Name: "iprof update"},
				{Name: "GET /orders"}},
			Lanes: []gather.LaneFrame{{ID: 1, Name: "main", Updater: true, Begin: i * 100, End: i*100 + 100,
				Nodes: []gather.Node{{ID: 1, Parent: -1}, {ID: 2, Zone: 1, Count: 1, Self: 90},
					{ID: 3, Zone: 2, Count: 1, Self: 10}}}}}
		for id := range gather.LaneID(8) {
			f.Lanes = append(f.Lanes, gather.LaneFrame{ID: id + 2, Name: "worker", Begin: i * 100, End: i*100 + 100,
				Nodes: []gather.Node{{ID: gather.NodeID(10 * (id + 1)), Parent: -1, Self: 5},
					{ID: gather.NodeID(10*(id+1) + 1), Zone: 3, Count: 1, Self: 95}}})
		}
		must.Do(t, s.WriteFrame(f))
	}
	history := section(page(t, s.Dump(report.DumpOptions{}), html.Options{}), "history")
	has(t, "history", history, "busy time of each interval", "Interval 29", ">1000</text>", "GET /orders</")
	if strings.Contains(history, "iprof update") {
		t.Errorf("got the profiler's own work in %.3000s", history)
	}
}

// The words at the budget and at its double do not lie on each other where frames are far longer. The scale of a usual
// run has its unit once; that of a long run has seconds.
func TestTheScaleHasUnits(t *testing.T) {
	d := sampledump.Game()
	history := func() string { return section(page(t, d, html.Options{}), "history") }
	has(t, "scale", history(), ">0 ms</text>", "16.67 ms · 60 fps", "33.33 ms · 30 fps")
	if strings.Count(history(), " ms</text>") != 1 {
		t.Error("got the unit at more than one number")
	}
	for i := range d.History {
		d.History[i].Length, d.History[i].Busy = 1000, 900
	}
	if n := strings.Count(history(), " fps</text>"); n != 1 {
		t.Errorf("long frames: got %d words at the budget; want 1", n)
	}
	for i := range d.History {
		d.History[i].Busy = 30_000
	}
	has(t, "long scale", history(), ">10s</text>")
	scale := regexp.MustCompile(`text-anchor="end"[^>]*>(\d+ms|\d{4,})<`).FindString(history())
	if scale != "" {
		t.Errorf("got %s at the scale of a long run", scale)
	}
}

// In the call structure and in tables, long times have their unit.
func TestLongTimesHaveUnits(t *testing.T) {
	d := sampledump.Game()
	for i := range d.Merged {
		d.Merged[i].Self, d.Merged[i].Hier = d.Merged[i].Self*100, d.Merged[i].Hier*100
	}
	d.RunTime *= 100
	out := page(t, d, html.Options{})
	if long := regexp.MustCompile(`<i>\d{5,}\.\d\d</i>`).FindString(section(out, "trees")); long != "" {
		t.Errorf("got %s; want seconds or minutes", long)
	}
	for _, m := range regexp.MustCompile(`text-anchor="end"[^>]*>([^<]*)<`).FindAllStringSubmatch(section(out,
		"structure"), -1) {
		if !regexp.MustCompile(` (ms|s|min|h)$`).MatchString(m[1]) {
			t.Errorf("got a bar of %q; want its unit, as the heading has", m[1])
		}
	}
}

// A sum of waits longer than its frame is the number of goroutines at once.
func TestPageCountsGoroutinesThatWait(t *testing.T) {
	d := sampledump.Game()
	f := &d.History[20]
	length := f.Length
	for want, waits := range map[string][2]float32{
		"runnable ~4.2 \u00b7 locks ~1.9 ms":             {4.2, 1.9},
		"runnable ~2054 goroutines \u00b7 locks ~1.9 ms": {2054 * length, 1.9},
		"runnable ~1.5 \u00b7 locks ~12 goroutines":      {1.5 * length, 12 * length},
	} {
		f.RunQueue, f.LockWait = waits[0], waits[1]
		has(t, "waits", page(t, d, frameOf(f.Index)), "all goroutines: "+want)
	}
}

// Nodes that are estimated have their sign in the tree, the list, the statistics, the pictures and the legend.
func TestWhatIsEstimatedIsMarked(t *testing.T) {
	d := sampledump.Game()
	for i := range d.Merged {
		if name := d.Zones[d.Merged[i].Zone].Name; name == "terrain" || name == "decompress" {
			d.Merged[i].Estimated, d.Merged[i].StandardError = gather.EstimatedTime, 1
		}
	}
	d.Totals = report.AppendZoneTotals(nil, d.Merged)
	out := page(t, d, html.Options{})
	for _, part := range []string{"trees", "top", "statistics", "history"} {
		has(t, part, section(out, part), "<bdi>~terrain</bdi>")
	}
	has(t, "call structure", section(out, "structure"), ">~decompress</text>")
	has(t, "standard error", section(out, "trees"), "±1.000 ms")
}

// Zones that wait are last, and one row that opens, in the tree, the list and the report. Only the tree of all lanes
// has them if only work is to be seen.
func TestWaitingZonesAreOneRow(t *testing.T) {
	d := sampledump.Dump(1, 4, 3)
	d.Zones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"}, {Name: "receive", Idle: true},
		{Name: "vsync", Idle: true}, {Name: "inside"}}
	d.Merged = []report.TreeNode{{Parent: -1, Self: 1, Hier: 16}, {Zone: 1, Level: 1, Count: 1, Self: 5, Hier: 5},
		{Zone: 2, Level: 1, Count: 9, Self: 78, Hier: 80, Idle: true},
		{Zone: 4, Parent: 2, Level: 2, Count: 1, Self: 2, Hier: 2},
		{Zone: 3, Level: 1, Count: 1, Self: 10, Hier: 10, Idle: true}}
	d.Statistics = nil
	d.Lanes = nil
	d.Totals = nil
	d.FrameTrees = nil
	d.Report = waitingReport()
	out := page(t, d, html.Options{})
	names := func(part string) string {
		var list []string
		for _, m := range regexp.MustCompile(
			`<summary>(waiting[^<,]*)|class="name">(waiting)|<bdi>([^<]*)</bdi>`).FindAllStringSubmatch(
			section(out, part), -1) {
			list = append(list, m[1]+m[2]+m[3])
		}
		return strings.Join(list, " ")
	}
	for part, want := range map[string]string{"trees": "(root) draw waiting receive inside vsync",
		"top": "draw inside (root) waiting: 2 zones receive vsync", "view": "draw waiting (2 zones) receive vsync"} {
		if got := names(part); got != want {
			t.Errorf("%s: got %s; want %s", part, got, want)
		}
	}
	has(t, "sum of the tree's", section(out, "trees"), "<small>2 zones</small></b><i>90.00</i><i>90.00</i>")
	has(t, "call structure", section(out, "structure"), `<input type="checkbox" id="onlywork"> only work`,
		"receive</text>")
	_, work, _ := strings.Cut(section(out, "structure"), `class="icicle work"`)
	if strings.Contains(work, "receive") || !strings.Contains(work, "draw</text>") {
		t.Error("only work: got a zone that waits, or none that works")
	}
}

// waitingReport is a flat report with two idle rows at its end.
func waitingReport() *report.Report {
	r := &report.Report{Columns: []report.Column{report.ColumnSelf}, Title: "idle rows"}
	for i, name := range []string{"draw", "receive", "vsync"} {
		rec := report.Record{Name: name, Idle: i > 0, Mask: report.ColumnsOf(report.ColumnSelf)}
		rec.Values[report.ColumnSelf] = float64(10 * i)
		r.Records = append(r.Records, rec)
	}
	return r
}

func TestViewGolden(t *testing.T) {
	by := report.Order{Chosen: true, By: report.ColumnCount}
	a := report.Arrangement{Grouping: report.GroupingPackage, Filter: "i", Compare: true, Order: by}
	d := sampledump.Arranged(report.ReportSelfTime, a).Dump(report.DumpOptions{})
	golden.Text(t, "view.golden", []byte(section(page(t, d, html.Options{}), "view")+"\n"))
}

// A dump that was made by hand has no report, and one whose filter lets nothing through has no lines.
func TestViewIsAbsentWithoutReport(t *testing.T) {
	nothing := sampledump.Arranged(report.ReportSelfTime,
		report.Arrangement{Filter: "no such zone"}).Dump(report.DumpOptions{})
	without := sampledump.Game()
	without.Report = nil
	for name, d := range map[string]*report.Dump{"by hand": without, "no lines": nothing} {
		if section(page(t, d, html.Options{}), "view") != "" {
			t.Errorf("%s: got a table; want none", name)
		}
	}
	d := &report.Dump{Report: sampledump.Records(html.Lines + 7)}
	if got := page(t, d, html.Options{}); !strings.Contains(got, "… and 7 more lines") || strings.Contains(got,
		"zone_1000<") {
		t.Error("got no word of 7 lines that are left out")
	}
}

// A zone that is named after its function is shown by its short name, with the whole name in the tip. In pictures a
// name without room loses its middle.
func TestFunctionsHaveShortNames(t *testing.T) {
	const zone = "main.(*BlockRender).drawChunks"
	d := sampledump.Game()
	for i := range d.Zones {
		if z := &d.Zones[i]; z.Name == "shadow_cascades" {
			z.Name, z.Function = zone, "example.com/game/"+zone
		}
	}
	out := page(t, d, html.Options{})
	for _, part := range []string{"trees", "top", "statistics"} {
		has(t, part, section(out, part), "<bdi>BlockRender.drawChunks</bdi>")
		if strings.Contains(section(out, part), "<bdi>main.(") {
			t.Errorf("%s: got the whole name", part)
		}
	}
	has(t, "tip", section(out, "top"), `title="`+zone+"\n")
	has(t, "call structure", section(out, "structure"), ">Bl", "unks</text>")
}

// The page lists the sections with their statistics, and names those of the history above their frames.
func TestPageHasSections(t *testing.T) {
	d := sampledump.Game()
	first, n := d.History[0].Index, uint64(len(d.History))
	slow := d.FrameTrees[treeOf(d, d.Verdict.Index)].Index
	d.Sections = []report.Section{
		{Name: "intro", From: 1, To: first - 1, Frames: 3000, Mean: 4, P99: 6, Worst: 9, WorstFrame: 7},
		{Name: "level 1</script>", From: first, To: first + n/2 - 1, Frames: n / 2, Mean: 5, P99: 30, Worst: 31,
			WorstFrame: slow},
		{Name: "\x1bboss", From: first + n/2, To: first + n - 1, Frames: n - n/2, Mean: 6, P99: 12, Worst: 13,
			WorstFrame: 9}}
	out := page(t, d, html.Options{})
	text := words(section(out, "sections"))
	newest, older := strings.Index(text, `\x1bboss 1150 150 6.00 12.00 13.00 9`), strings.Index(text,
		fmt.Sprintf("level 1&lt;/script&gt; 1000 150 5.00 30.00 31.00 %d", slow))
	if newest < 0 || older < newest {
		t.Errorf("got %s; want the newest first", text)
	}
	has(t, "link to the worst frame", section(out, "sections"), fmt.Sprintf(`<a href="#f%d">`, slow))
	history := section(out, "history")
	has(t, "bands", history, ">level 1&lt;/script&gt;</text>", `>\x1bboss</text>`)
	if strings.Contains(history, ">intro</text>") {
		t.Error("got the band of a section that has left the history")
	}
	if section(page(t, sampledump.Game(), html.Options{}), "sections") != "" {
		t.Error("got a table without sections")
	}
}

// Slow calls are on the page, the newest first: each a bar of what it called above the usual call, to one scale.
func TestPageHasSlowCalls(t *testing.T) {
	d := sampledump.Game()
	for i := range 40 {
		d.SlowCalls = append(d.SlowCalls, &report.SlowCall{Zone: 1, Name: "GET /orders</script>", LaneName: "worker",
			Frame: uint64(i), Ended: float64(i), Time: 60, Usual: 6, Parts: []report.CallPart{
				{Zone: 2, Name: d.Zones[2].Name, Count: 1, Time: 54},
				{Zone: 3, Name: "db.Query", Level: 1, Count: 30, Time: 50}}})
	}
	d.SlowSeen, d.Now = 120, 41
	slow := section(page(t, d, html.Options{}), "slow")
	has(t, "slow calls", words(slow), "the newest 32 of 120",
		"GET /orders&lt;/script&gt;: 60.0 ms, usually 6.0; of it "+
			"db.Query 50.0 in 30 calls 2 s ago · frame 39 · worker", d.Zones[2].Name+" 54.00 ms")
	if n := strings.Count(slow, "<details"); n != html.SlowCalls {
		t.Errorf("got %d calls; want %d", n, html.SlowCalls)
	}
	colors := html.ColorsOf(d)
	fill := func(zone report.ZoneID) string {
		return fmt.Sprintf("#%02x%02x%02x", colors[zone].R, colors[zone].G, colors[zone].B)
	}
	part, usual := rectangles(t, slow, fill(2)), rectangles(t, slow, fill(1))
	if got := part[0][2] / usual[len(usual)-1][2]; got < 8.8 || got > 9.2 {
		t.Errorf("got a part %.2f times as wide as the usual call; want 9", got)
	}
	if section(page(t, sampledump.Game(), html.Options{}), "slow") != "" {
		t.Error("got a list without slow calls")
	}
}

// The p99 of a zone's single calls leads to its slow calls.
func TestAP99LeadsToTheSlowCalls(t *testing.T) {
	d := sampledump.Game()
	d.Statistics = slices.Clone(d.Statistics)
	for i := range d.Statistics[:2] {
		z := &d.Statistics[i]
		z.CallsCounted, z.Calls, z.CallBars = 100, report.Summary{P99: 50 + float64(i)}, []uint64{100}
	}
	id := d.Statistics[0].Zone
	for i := range 2 {
		d.SlowCalls = append(d.SlowCalls, &report.SlowCall{Zone: id, Name: "a", Frame: uint64(i), Time: 60, Usual: 6})
	}
	doc := page(t, d, html.Options{})
	has(t, "the p99", section(doc, "statistics"), fmt.Sprintf(`<a href="#slow-%d">50.000</a>`, id))
	if got := strings.Count(doc, `href="#slow-`); got != 1 {
		t.Errorf("got %d links; want one, as the other zone has no slow calls", got)
	}
	if got := strings.Count(doc, fmt.Sprintf(`id="slow-%d"`, id)); got != 1 {
		t.Errorf("got %d places with the name; want the newest call alone", got)
	}
}

// Locks are a table: who waited for whom. Without a trace it says what names the others.
func TestLocksAreATable(t *testing.T) {
	d := sampledump.Game()
	d.LockWaits = []report.LockWait{
		{Lock: "mutex", Place: "</td>.go:7", Lane: 3, LaneName: "main.serve server.go:42 #1", By: "loader",
			At: "w.go:88", Time: 12, Frame: 5, HasFrame: true},
		{Lock: "mutex", Place: "</td>.go:7", Lane: 4, LaneName: "main.serve server.go:42 #2", By: "loader",
			At: "w.go:88", Time: 9}}
	locks := section(page(t, d, html.Options{}), "locks")
	has(t, "locks", words(locks), "mutex &lt;/td&gt;.go:7 21.00 2 12.00 2 main.serve server.go:42 loader w.go:88 5",
		"an execution trace (exectrace.Offer) adds those of package sync")
	d.Traced = true
	if locks := section(page(t, d, html.Options{}), "locks"); strings.Contains(locks, "exectrace") {
		t.Error("with a trace: got a note that one is needed")
	}
	d.LockWaits = nil
	if section(page(t, d, html.Options{}), "locks") != "" {
		t.Error("got a table without locks")
	}
	d.Traced, d.History = false, slices.Clone(d.History)
	d.History[0].LockWait = 30
	has(t, "no locks", words(section(page(t, d, html.Options{}), "locks")), "waited about 30.00 ms for locks")
}

// The go statements of a program are a table, with hostile names as text.
func TestGoStatementsAreATable(t *testing.T) {
	d := sampledump.Game()
	serve := d.Spawns[0]
	d.Spawns = append(slices.Clone(d.Spawns), report.SpawnTimes{
		Spawn: report.Spawn{Crowd: "<b>&amp;</b>", Goroutines: 1}})
	has(t, "go statements", words(section(page(t, d, html.Options{}), "forks")),
		fmt.Sprintf("main.serve server.go:42 96 %.2f %.2f %.2f simulate", serve.Own, serve.Spawned, serve.Waited),
		"main.newLoader chunk.go:17 2 0.00 0.00 0.00 &lt;b&gt;&amp;amp;&lt;/b&gt; 1 0.00 0.00 0.00")
	d.Spawns = nil
	if section(page(t, d, html.Options{}), "forks") != "" {
		t.Error("got a table without go statements")
	}
}

// Marks are flags in the history, with their texts at the frame; the newest are kept.
func TestPageHasMarks(t *testing.T) {
	d := sampledump.Game()
	at := d.History[20].Index
	d.Marks = []report.FrameMark{{Frame: at, At: 3.214, Text: "level <b>loaded</b>\x1b"}}
	for i := range 6 {
		d.Marks = append(d.Marks, report.FrameMark{Frame: at, At: 5, Text: fmt.Sprint("line ", i)})
	}
	out := page(t, d, frameOf(at))
	has(t, "history", section(out, "history"), "⚑ level &lt;b&gt;loaded&lt;/b&gt;\\x1b 3.21", "⚑ 3 more marks")
	has(t, "timeline and facts", section(out, "frame"), "⚑ level &lt;b&gt;loaded&lt;/b&gt;\\x1b 3.21", "⚑ line 5 5.00")
	d.Marks = nil
	for i := range 5000 {
		d.Marks = append(d.Marks, report.FrameMark{Frame: d.History[i%300].Index, Text: fmt.Sprint("mark ", i,
			strings.Repeat("x", 1000))})
	}
	out = page(t, d, html.Options{})
	if len(out) > 1_200_000 || !strings.Contains(out, "mark 4999") && !strings.Contains(out, "mark 4900") {
		t.Errorf("got a page of %d bytes; want the newest marks, with long texts cut", len(out))
	}
}

// Statistics are of times per frame and of single calls. Of a program that counts its calls, such as the requests of a
// server by route, those come first, with their distribution, the slowest first.
func TestPageHasStatistics(t *testing.T) {
	d := sampledump.Game()
	d.Statistics[0].CallsMissing = 9
	d.Statistics[0].Hier.P999 = math.NaN()
	statistics := section(page(t, d, html.Options{}), "statistics")
	has(t, "headings", words(statistics),
		"zone frames min ms average ms max ms deviation ms p50 ms p90 ms p99 ms p99.9 ms")
	if rows := strings.Count(statistics, `<tr><td class="name">`) + strings.Count(statistics,
		`<tr class="idle">`); rows <
		2*len(d.Statistics) {
		t.Errorf("got %d rows; want those of %d zones twice, and of single calls", rows, len(d.Statistics))
	}
	has(t, "calls that are missing", statistics, " calls could not be counted", "<td>-</td>")
	d.Statistics = nil
	for i, zone := range []report.ZoneID{1, 2, 3} {
		ms := float64(i + 1)
		bars := make([]uint64, report.CallBars)
		for k := range bars {
			bars[k] = uint64(300 >> max(k-2*i, 2*i-k))
		}
		d.Statistics = append(d.Statistics, report.ZoneStatistics{Zone: zone, Frames: 60, CallsCounted: 600,
			CallBars: bars, Calls: report.Summary{Min: ms, Mean: 2 * ms, Max: 90 * ms, P50: 2 * ms, P90: 5 * ms,
				P99: 40 * ms, P999: 80 * ms}})
	}
	statistics = section(page(t, d, html.Options{}), "statistics")
	routes, _, _ := strings.Cut(statistics[strings.Index(statistics, "<details"):], "</tr>\n")
	has(t, "routes", routes, `<details open data-k="call"><summary>single calls`, d.Zones[3].Name, "p99 ms", "120.000")
	if n := strings.Count(routes, "h3v"); n < 5 || !strings.Contains(routes, "M16 18v-18h3v18z") {
		t.Errorf("got %d bars; want the distribution, the fifth the highest", n)
	}
	d.Statistics = nil
	if section(page(t, d, html.Options{}), "statistics") != "" {
		t.Error("got a table without statistics")
	}
}

// Values of frames are a table, and charges are columns of the zones, if there are any.
func TestPageHasValuesAndCharges(t *testing.T) {
	d := sampledump.Game()
	f := d.History[20]
	out := page(t, d, frameOf(f.Index))
	has(t, "values", words(section(out, "values")), "heap allocated 6.3 MB",
		"collector pauses 960.0 µs", "shots 4\u2009245", "temperature level 36.6")
	shots := regexp.MustCompile(`(?s)shots.*?<td class="main"[^>]*>([^<]*)</td>`).FindStringSubmatch(section(out,
		"values"))
	of := slices.IndexFunc(d.Values, func(v report.ValueSeries) bool { return v.Name == "shots" })
	if want := strconv.FormatFloat(float64(d.Values[of].Values[20]), 'f', -1, 32); shots == nil || shots[1] != want {
		t.Errorf("shots of the frame: got %q; want %s", shots, want)
	}
	has(t, "columns of charges", words(section(page(t, d, html.Options{}), "top")),
		"allocated freed ~heap units per unit")
	sum := report.Charges{}
	for i := range d.Merged {
		sum.Add(&d.Merged[i].Charges)
	}
	got := 0.0
	for _, n := range timesIn(t, section(page(t, d, html.Options{}), "top"), `title="([\d\x{2009}]+) allocs"`) {
		got += n
	}
	if got != sum.Allocs {
		t.Errorf("got %v allocs in all rows; want %v", got, sum.Allocs)
	}
	d.Values, d.Totals = nil, nil
	for i := range d.Merged {
		d.Merged[i].Charges = report.Charges{}
	}
	out = page(t, d, html.Options{})
	if section(out, "values") != "" || strings.Contains(words(section(out, "top")), "allocated") {
		t.Error("got a table of values, or columns of charges, without any")
	}
}

// The processor time stands beside the run time, if it is known.
func TestProcessorTimeOnThePage(t *testing.T) {
	d := sampledump.Game()
	if out := page(t, d, html.Options{}); strings.Contains(out, "<dt>processor time</dt>") {
		t.Error("not known: got a processor time; want none")
	}
	d.CPU, d.Lanes[0].CPU = 44*time.Second, 2*time.Second
	has(t, "page", page(t, d, html.Options{}), d.Lanes[0].Name+" · CPU 2.000 s",
		"<dt>processor time</dt><dd>44.00 <small>s")
}

// The overhead is an interval, if its error is known.
func TestOverheadOnThePage(t *testing.T) {
	d := sampledump.Game()
	d.RunTime, d.Overhead = 17*time.Second, 86*time.Millisecond
	d.OverheadLow, d.OverheadHigh = 0, 0
	has(t, "overhead", page(t, d, html.Options{}), "<dt>overhead</dt><dd>86.00 <small>ms · 0.5 %")
	d.OverheadLow, d.OverheadHigh = d.RunTime/500, d.RunTime/50
	has(t, "overhead", page(t, d, html.Options{}), "<dt>overhead</dt><dd>86.00 <small>ms · 0.2 to 2.0 %")
}

// A live page links frames and zones as queries, keeps the others of the query, and answers with what was asked for.
func TestQueriesAreAnswered(t *testing.T) {
	d := sampledump.Game()
	at := d.History[20].Index
	zone := slices.IndexFunc(d.Zones, func(z gather.ZoneInfo) bool { return z.Name == "broadphase" })
	o := frameOf(at)
	o.Zone, o.By = "broadphase", "count"
	out := page(t, d, o)
	has(t, "page", out, "Call tree of frame "+fmt.Sprint(at), `id="z`+strconv.Itoa(zone)+`"`,
		fmt.Sprintf(`href="?frame=%d&amp;zone=broadphase&amp;by=count"`, at+1),
		fmt.Sprintf(`href="?frame=%d&amp;zone=%d&amp;by=count"`, at, zone),
		fmt.Sprintf(`href="?frame=%d&amp;zone=broadphase&amp;by=self"`, at), `aria-sort="descending"><a href`,
		`<a href="?by=count">back to the whole run, live</a>`)
	before, rows := math.Inf(1), regexp.MustCompile(`(?s)<tr.*?</tr>`).FindAllString(section(out, "top"), -1)[1:]
	for _, row := range rows {
		cells := regexp.MustCompile(`<td[^>]*>(.*?)</td>`).FindAllStringSubmatch(row, -1)
		count, err := strconv.ParseFloat(strings.ReplaceAll(cells[5][1], "\u2009", ""), 64)
		if err != nil || count > before && !strings.Contains(row, "idle") {
			t.Errorf("got %v calls after %v, %v; want the most calls first", count, before, err)
		}
		before = count
	}
	if len(rows) < 20 {
		t.Errorf("got %d rows; want more", len(rows))
	}
	for _, href := range regexp.MustCompile(`(?:href|src|action)="([^"]*)"`).FindAllStringSubmatch(out, -1) {
		if !strings.HasPrefix(href[1], "?") && href[1] != "data:," {
			t.Errorf("got a link to %s; want relative ones", href[1])
		}
	}
	has(t, "unknown frame", page(t, d, frameOf(1)), "Frame 1 is not in the history any more")
	o = html.Options{Live: true, Query: html.Query{Zone: "<nothing>"}}
	has(t, "unknown zone", page(t, d, o), "No zone is named &lt;nothing&gt;.")
}

// Each link of a document leads to a place in it.
func TestLinksLeadSomewhere(t *testing.T) {
	out := page(t, drawnGame(), html.Options{})
	links := regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(out, -1)
	for _, m := range links {
		if strings.Count(out, ` id="`+m[1]+`"`) != 1 {
			t.Errorf("got %d places %s; want 1", strings.Count(out, ` id="`+m[1]+`"`), m[1])
		}
	}
	if len(links) < 300 {
		t.Errorf("got %d links; want more", len(links))
	}
}

// drawnGame has a frame with a drawn verdict: a zone that took longer, and a wait that another goroutine ended.
func drawnGame() *report.Dump {
	d := sampledump.Game()
	t := &d.FrameTrees[treeOf(d, d.Verdict.Index)]
	v := &t.Verdict
	v.Usual, v.Excess = 16, v.Time-16
	c := v.Causes[0]
	v.Causes = append(v.Causes, report.Cause{Kind: report.CauseState, Path: c.Path, Zone: c.Zone, Name: c.Name,
		Time: 12.5, Usual: -1, Lane: "loader </script>", State: gather.LaneState{Kind: gather.StateWaiting,
			Reason: "lock world", At: "main.go:36"}})
	t.Parts = []report.Part{
		{Zone: c.Zone, Path: c.Path, Cause: 1, Time: v.Time - 12, Usual: 4, Count: 30, Often: 3},
		{Zone: c.Zone + 1, Path: c.Path + 1, Time: 9, Usual: 9},
		{Path: report.RestPath, Time: 3, Usual: 3}}
	d.Verdict = *v
	return d
}

// treeOf returns the index of a frame in FrameTrees.
func treeOf(d *report.Dump, frame uint64) int {
	return slices.IndexFunc(d.FrameTrees, func(t report.FrameTree) bool { return t.Index == frame })
}

// TestSHA256 compares with crypto/sha256, texts of all lengths of a block and the page's own.
func TestSHA256(t *testing.T) {
	list := []string{html.Script(), html.Style()}
	for n := range 130 {
		list = append(list, strings.Repeat("a\u2009", n)[:n])
	}
	for _, text := range list {
		if got, want := html.SHA256Of(text), sha256.Sum256([]byte(text)); got != want {
			t.Errorf("%d bytes: got %x; want %x", len(text), got, want)
		}
	}
}

// striped is a picture of three stripes.
func striped(width, height int) *report.Picture {
	p := &report.Picture{Width: width, Height: height}
	for i := range width * height {
		p.Pixels = append(p.Pixels, [][]byte{{200, 40, 40}, {40, 160, 80}, {40, 80, 200}}[i/width*3/height]...)
	}
	return p
}

// Each frame in the document has the picture of what it showed. Bytes that are not a picture are left out.
func TestFramesHavePictures(t *testing.T) {
	d := sampledump.Game()
	for i := range d.FrameTrees {
		d.FrameTrees[i].Picture = striped(240, 135)
	}
	out := page(t, d, html.Options{})
	if n := strings.Count(out,
		`<img alt="what the frame showed" width="240" height="135" src="data:image/png;base64,`); n !=
		html.Frames {
		t.Errorf("got %d pictures; want %d", n, html.Frames)
	}
	if len(out) > 2e6 {
		t.Errorf("got %d bytes; want at most 2 MB", len(out))
	}
	d = sampledump.Game()
	d.FrameTrees[0].Picture = &report.Picture{Width: 9, Height: 9}
	if out := page(t, d, html.Options{}); strings.Contains(out, "<img") {
		t.Error("got a picture of bytes that are none")
	}
}

func TestMain(m *testing.M) { os.Exit(browser.Main(m)) }

// The page's zones have the colours that the window assigns to the tree that it shows. One may have another shade,
// because it touches one of its own in the trees of other goroutines, which the page shows, too.
func TestColorsAreThoseOfTheWindow(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is measured: built with iprof_off")
	}
	s := process.NewSession()
	w := must.Get(workload.New("game", workload.Options{Seed: 3, Width: 64, Height: 48, Session: s}))(t)
	defer w.Close()
	for range 8 {
		must.Do(t, w.Step(time.Second/60))
		if !w.Replays() {
			s.Update()
		}
	}
	d := s.Dump(report.DumpOptions{})
	var window zonecolor.Colors
	window.Learn(&zonecolor.Run{Zones: d.Zones, Tree: s.View().AppendTree(nil, s.View().Get()), Series: d.Series})
	page, same, other := html.ColorsOf(d), 0, []string(nil)
	for i := range d.Zones {
		z := &d.Zones[i]
		c, ok := window.Of(0, report.ZoneID(i))
		switch {
		case z.Idle:
			c, ok = draw.PaletteOf(draw.ThemeDark).Grey, true
		case zonecolor.IsGiven(z.Name):
			c, ok = draw.ZoneColor(z.Package(), z.Name), true
		}
		if !ok {
			continue
		}
		same++
		if page[i] != c {
			other = append(other, z.Name)
		}
	}
	if len(other) > 1 {
		t.Errorf("%q have other colours in the page than in the window; want one at most", other)
	}
	if same < 8 {
		t.Errorf("got only %d zones with colours; want at least 8", same)
	}
}
