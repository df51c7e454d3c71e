package html

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gosmallcaps"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// open writes a dump as a page and opens it in a browser.
func open(t testing.TB, p *browser.Page, d *report.Dump) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.html")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := Write(f, d, Options{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	p.Load(path)
	expect(t, p, "the script ran", "document.documentElement.dataset.ready", "yes")
}

// expect compares the value of an expression in the page.
func expect(t testing.TB, p *browser.Page, what, expression string, want any) {
	t.Helper()
	if got := p.Text(expression); got != fmt.Sprint(want) {
		t.Errorf("%s: got %v; want %v", what, got, want)
	}
}

// quiet checks that the console stayed empty.
func quiet(t testing.TB, p *browser.Page) {
	t.Helper()
	for _, line := range p.Console() {
		t.Errorf("console: got %.400s; want nothing", line)
	}
}

const (
	names    = "[...document.querySelectorAll('#tree tbody .text')].map(e => e.textContent).join(' ')"
	rowCount = "document.querySelectorAll('#tree tbody tr').length"
	row      = "document.querySelector('#tree tbody tr.at .text').textContent"
)

func TestPageInBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	open(t, p, sampledump.Game())
	for _, c := range []struct {
		name string
		test func(*testing.T, *browser.Page)
	}{
		{"fold", testFold}, {"sort", testSort}, {"filter", testFilter}, {"history", testHistory},
		{"icicle", testIcicle},
		{"values", testValues}, {"keys", testKeys}, {"hover", testHover}, {"zones", testZones},
		{"statistics", testStatistics}, {"lanes", testLanes},
		{"verdict", testVerdict}, {"numbers", testNumbers},
	} {
		t.Run(c.name, func(t *testing.T) {
			p.Eval("location.reload()")
			p.Loaded()
			c.test(t, p)
		})
	}
	quiet(t, p)
}

func testFold(t *testing.T, p *browser.Page) {
	before := p.Text(rowCount)
	p.Click("#tree tbody tr:nth-child(2) .fold", 0.5, 0.5)
	expect(t, p, "row after folded render_world",
		"document.querySelector('#tree tbody tr:nth-child(3) .text').textContent", "load_chunk")
	expect(t, p, "aria-expanded", "document.querySelector('#tree tbody tr:nth-child(2)').ariaExpanded", "false")
	p.Click("#tree tbody tr:nth-child(2) .fold", 0.5, 0.5)
	expect(t, p, "rows after unfolding", rowCount, before)
	p.Click("#collapse", 0.5, 0.5)
	expect(t, p, "rows when all is collapsed", rowCount, 1)
	p.Click("#expand", 0.5, 0.5)
	expect(t, p, "rows when all is expanded", rowCount, len(sampledump.Game().Merged))
}

// A node says how many nodes the dump leaves out below it.
func TestCutTreesInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1000, "light")
	d := sampledump.Game()
	d.Merged[0].Left = 1234
	open(t, p, d)
	expect(t, p, "state of the root",
		"[...document.querySelectorAll('#tree tbody tr:first-child .state')].pop().textContent",
		"… and 1\u2009234 more below")
	quiet(t, p)
}

func testSort(t *testing.T, p *browser.Page) {
	p.Click("#tree th:first-child button", 0.5, 0.5)
	expect(t, p, "first child by name", "document.querySelector('#tree tbody tr:nth-child(2) .text').textContent",
		"audio")
	expect(t, p, "aria-sort", "document.querySelector('#tree th:first-child').ariaSort", "ascending")
	p.Click("#tree th:first-child button", 0.5, 0.5)
	expect(t, p, "first child by name, reversed",
		"document.querySelector('#tree tbody tr:nth-child(2) .text').textContent", "streaming")
	expect(t, p, "what waits is last all the same",
		"[...document.querySelectorAll('#tree tbody .text')].pop().textContent", "swap buffers")
	p.Click("#tree th:nth-child(3) button", 0.5, 0.5)
	expect(t, p, "first child by time", "document.querySelector('#tree tbody tr:nth-child(2) .text').textContent",
		"render_world")
}

func testFilter(t *testing.T, p *browser.Page) {
	before := p.Text(rowCount)
	p.Key("/")
	p.Type("TERRAIN")
	expect(t, p, "rows of the filter", names, "(root) render_world gbuffer terrain")
	expect(t, p, "matches", "document.querySelectorAll('#tree tr.match').length", 1)
	p.Key("Escape")
	expect(t, p, "rows without the filter", rowCount, before)
}

func testHistory(t *testing.T, p *browser.Page) {
	p.Move("#plot", 20.5/300, 0.5)
	expect(t, p, "hovered frame", "document.querySelector('#tip .head').firstChild.textContent", "Frame 1020")
	p.Click("#plot", 20.5/300, 0.5)
	expect(t, p, "shown frame", "document.querySelector('#what b').textContent", "frame 1020")
	expect(t, p, "chosen tab", "document.querySelector('[aria-selected=true]').textContent", "frame 1020")
	p.Click("#plot", 1.5/300, 0.5)
	expect(t, p, "frame without a tree", "document.querySelector('#icicle .empty').textContent.slice(0, 40)",
		"The tree of this frame was not kept. The")
	p.Key("PageDown")
	expect(t, p, "next over budget", "document.querySelector('#what b').textContent", "frame 1020")
	p.Key("ArrowRight")
	expect(t, p, "next frame", "document.querySelector('#plot').ariaValueNow", 21)
	p.Key("End")
	expect(t, p, "newest frame", "document.querySelector('#what b').textContent", "frame 1299")
	p.Key("Escape")
	expect(t, p, "whole run", "document.querySelector('#what b').textContent", "the whole run")
}

// testNumbers compares the numbers of a frame on the page: header, caption, tip, tree and list of zones.
func testNumbers(t *testing.T, p *browser.Page) {
	d := sampledump.Game()
	f := &d.History[20]
	p.Click("#plot", 20.5/300, 0.5)
	length := fmt.Sprintf("%.2f", f.Length)
	const waits = "document.querySelector('#waits').textContent"
	parts := fmt.Sprintf("%.2f busy + %.2f waiting", f.Busy, f.Length-f.Busy)
	expect(t, p, "header", "document.querySelector('#framed').textContent",
		fmt.Sprintf("frame %d%s ms", f.Index, length))
	expect(t, p, "what the other numbers are of", "getComputedStyle(document.querySelector('#ofrun')).visibility",
		"visible")
	expect(t, p, "colour of a frame over budget", "document.querySelector('#framed').className", "big over")
	expect(t, p, "run time beside it", "document.querySelector('#run').offsetHeight", 0)
	expect(t, p, "caption", "document.querySelector('#length').textContent", length+" ms = "+parts)
	expect(t, p, "waits", waits, "all goroutines: runnable ~4.2 \u00b7 locks ~1.9 ms")
	expect(t, p, "tip's head", "document.querySelector('#tip .head').lastChild.textContent", length+" ms")
	expect(t, p, "tip's parts", "document.querySelector('#tip').textContent.includes('"+parts+"')", true)
	expect(t, p, "zones are of", "document.querySelector('#of').textContent", fmt.Sprint("of frame ", f.Index))
	const cell = "[...document.querySelectorAll('%s tbody tr')].find(r => r.querySelector('.text').textContent === " +
		"'broadphase').cells[%d].textContent"
	p.Click("#expand", 0.5, 0.5)
	expect(t, p, "self time in tree and list", fmt.Sprintf(cell+" === "+cell, "#tree", 1, "#zones", 1), true)
	expect(t, p, "share in tree and list", fmt.Sprintf(cell+" === "+cell, "#tree", 4, "#zones", 3), true)
	p.Key("Escape")
	expect(t, p, "waits of the run", waits, "")
	expect(t, p, "zones are of", "document.querySelector('#of').textContent", "of the whole run")
	expect(t, p, "share of the run in tree and list", fmt.Sprintf(cell+" === "+cell, "#tree", 4, "#zones", 3), true)
	expect(t, p, "headings", "[...document.querySelectorAll('#tree th')].map(e => e.textContent).slice(0, 3).join()",
		"zone,self ms,with callees")
}

// TestPageCountsGoroutinesThatWait: a sum of waits longer than its frame is the number of goroutines at once.
func TestPageCountsGoroutinesThatWait(t *testing.T) {
	p := browser.Start(t)
	const text = "document.querySelector('#waits').textContent"
	d := sampledump.Game()
	length := d.History[20].Length
	for want, waits := range map[string][2]float32{
		"runnable ~2054 goroutines \u00b7 locks ~1.9 ms": {2054 * length, 1.9},
		"runnable ~1.5 \u00b7 locks ~12 goroutines":      {1.5 * length, 12 * length},
	} {
		d.History[20].RunQueue, d.History[20].LockWait = waits[0], waits[1]
		open(t, p, d)
		p.Click("#plot", 20.5/300, 0.5)
		expect(t, p, "waits", text, "all goroutines: "+want)
	}
	quiet(t, p)
}

// testVerdict follows the line at the top: to the frame, and to the row of its zone.
func testVerdict(t *testing.T, p *browser.Page) {
	const line = "document.querySelector('#verdict').textContent"
	d := sampledump.Game()
	expect(t, p, "verdict of the run", line, d.Verdict.String())
	top := p.Text("document.querySelector('#history').offsetTop")
	p.Click("#verdict button", 0.5, 0.5)
	expect(t, p, "frame that it leads to", "document.querySelector('#what b').textContent",
		fmt.Sprint("frame ", d.Verdict.Index))
	expect(t, p, "highlighted row", row, "broadphase")
	expect(t, p, "highlighted bar", "document.querySelector('#icicle .at').textContent.startsWith('broadphase')", true)
	p.Click("#collapse", 0.5, 0.5)
	p.Click("#verdict button", 0.5, 0.5)
	expect(t, p, "row that it leads to", row, "broadphase")
	p.Eval("document.querySelector('#plot').focus()")
	p.Key("End")
	expect(t, p, "verdict of a frame without", line, "")
	expect(t, p, "top of the history with and without a line", "document.querySelector('#history').offsetTop", top)
}

// crowded are the bars of the icicle whose name has a few letters only, with a time or without.
const crowded = `[...document.querySelectorAll('#icicle div')].filter(e => {
	const [name, time] = e.children;
	return name && name.scrollWidth > name.clientWidth && name.clientWidth < (time ? 60 : 30);
}).length`

// TestTypefacesInBrowser opens the page where the only typeface is much wider, or narrower, than others.
func TestTypefacesInBrowser(t *testing.T) {
	longtest.Skip(t)
	for name, typeface := range map[string][]byte{"wide": gomonobold.TTF, "small capitals": gosmallcaps.TTF} {
		t.Run(name, func(t *testing.T) {
			p := browser.Start(t, typeface)
			for _, width := range []int{1400, 1130, 870} {
				p.Size(width, 1000, "light")
				open(t, p, sampledump.Game())
				expect(t, p, "names of a few letters", crowded, 0)
				if p.Number("document.querySelectorAll('#icicle div span + span').length") == 0 {
					t.Error("got no times in the icicle; want those that have room")
				}
			}
		})
	}
}

func testIcicle(t *testing.T, p *browser.Page) {
	expect(t, p, "names of a few letters", crowded, 0)
	p.Click("#collapse", 0.5, 0.5)
	p.Eval("[...document.querySelectorAll('#icicle div')].find(e => e.textContent.startsWith('clustered')).id = 'bar'")
	p.Click("#bar", 0.5, 0.5)
	expect(t, p, "revealed row", row, "clustered")
	p.Eval("document.querySelector('#icicle').focus()")
	p.Key("ArrowUp")
	p.Key("Enter")
	expect(t, p, "row of the parent", row, "lighting")
}

func testKeys(t *testing.T, p *browser.Page) {
	p.Click("#collapse", 0.5, 0.5)
	p.Click("#tree tbody tr td.name .text", 0.5, 0.5)
	for _, key := range []string{"ArrowRight", "ArrowDown", "ArrowDown", "Enter", "ArrowDown"} {
		p.Key(key)
	}
	expect(t, p, "row", row, "mesh")
	p.Key("ArrowLeft")
	expect(t, p, "parent row", row, "load_chunk")
	p.Key("ArrowLeft")
	expect(t, p, "folded", "document.querySelector('#tree tr.at').ariaExpanded", "false")
	p.Key("Home")
	expect(t, p, "first row", row, "(root)")
}

func testHover(t *testing.T, p *browser.Page) {
	p.Click("#expand", 0.5, 0.5)
	p.Move("#tree tbody tr:nth-child(4) td.name", 0.5, 0.5)
	expect(t, p, "linked highlight",
		"[...new Set([...document.querySelectorAll('.lit')].map(e => e.dataset.zone))].length", 1)
	expect(t, p, "highlight in the icicle", "document.querySelectorAll('#icicle .lit').length", 1)
	p.Move("header", 0.5, 0.5)
	expect(t, p, "no highlight", "document.querySelectorAll('.lit').length", 0)
}

func testZones(t *testing.T, p *browser.Page) {
	first := "document.querySelector('#zones tbody tr .text').textContent"
	expect(t, p, "first by self time", first, "mesh")
	p.Click("#zones th:nth-child(6) button", 0.5, 0.5)
	expect(t, p, "first by calls", first, "solve")
	p.Click("#find", 0.5, 0.5)
	p.Type("ter")
	expect(t, p, "filtered", "document.querySelectorAll('#zones tbody tr').length", 2)
	p.Key("Escape")
}

func testLanes(t *testing.T, p *browser.Page) {
	p.Click("#tabs button:nth-child(3)", 0.5, 0.5)
	expect(t, p, "lane", "document.querySelector('#what b').textContent", "loader 1")
	expect(t, p, "its root is 100 %", "document.querySelector('#tree tbody tr td:nth-child(5)').textContent", "100.0 %")
	p.Key("ArrowRight")
	expect(t, p, "next lane by key", "document.querySelector('#what b').textContent", "loader 2")
}

// The words at the budget and at its double do not lie on each other where frames are far longer.
func TestBudgetWordsStayApart(t *testing.T) {
	p := browser.Start(t)
	p.Size(1280, 900, "light")
	d := sampledump.Game()
	const words = "[...document.querySelectorAll('#plot .budget span')].map(e => e.getBoundingClientRect())"
	open(t, p, d)
	expect(t, p, "words", words+".length", 2)
	for i := range d.History {
		d.History[i].Length, d.History[i].Busy = 1000, 900
	}
	open(t, p, d)
	expect(t, p, "words of long frames", words+".length", 1)
	quiet(t, p)
}

func TestManyRowsComeInPages(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	open(t, p, sampledump.Dump(4, 5000, 100))
	p.Eval("document.querySelector('#expand').click()")
	expect(t, p, "rows of the first page", rowCount, 2000)
	p.Click("#more button", 0.5, 0.5)
	expect(t, p, "rows of two pages", rowCount, 4000)
	quiet(t, p)
}

// TestTotalsInBrowser compares what the page shows, to the tick, with the model.
func TestTotalsInBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	d := sampledump.Dump(6, 800, 40)
	open(t, p, d)
	p.Eval("document.querySelector('#expand').click()")
	got := map[string]int{}
	for _, v := range strings.Fields(p.Text("[...document.querySelectorAll('#tree tbody tr')].map(r => " +
		"r.cells[7].textContent.replace(/\\u2009/g, '')).join(' ')")) {
		got[v]++
	}
	want := map[string]int{}
	for i := range d.Merged {
		if n := &d.Merged[i]; n.Count != 0 || n.Hier != 0 || n.Open || n.Charges != (report.Charges{}) {
			want[fmt.Sprint(ticksOf(n.Hier, d.TicksPerSecond))]++
		}
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("got ticks %v; want %v", got, want)
	}
	quiet(t, p)
}

func TestWhatIsEstimatedIsMarkedInBrowser(t *testing.T) {
	d := sampledump.Game()
	for i := range d.Merged {
		switch d.Zones[d.Merged[i].Zone].Name {
		case "terrain":
			d.Merged[i].Estimated, d.Merged[i].StandardError = gather.EstimatedTime, 1
		case "decode":
			d.Merged[i].Estimated, d.Merged[i].StandardError = gather.EstimatedTime, 1
		}
	}
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	open(t, p, d)
	for what, where := range map[string]string{"tree": "#tree tbody .text", "list": "#zones .text",
		"statistics": "#spreads .text", "icicle": "#icicle span", "history": "#legend .name"} {
		t.Run(what, func(t *testing.T) {
			want := "~decode ~terrain"
			if what == "history" {
				want = "~terrain" // the other is not on the lane that ends the frames
			}
			if what == "statistics" {
				p.Eval("document.querySelector('#spread').open = true, document.querySelector('#spread').ontoggle()")
			}
			expect(t, p, what,
				"[...new Set([...document.querySelectorAll('"+where+"')].map(e => e.textContent).filter(s => "+
					"/~/.test(s)))].sort().join(' ')", want)
		})
	}
	quiet(t, p)
}

func TestHostileNamesAreInertInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1200, 900, "dark")
	open(t, p, sampledump.Hostile())
	p.Click("#expand", 0.5, 0.5)
	p.Eval("document.querySelector('#all').click()")
	p.Eval("document.querySelector('#spread').open = true")
	p.Eval(statsDrawn)
	p.Eval("document.querySelector('#alls').click()")
	expect(t, p, "statistics of hostile names", statRows+" > 20", "true")
	for x := 0.01; x < 1; x += 0.07 {
		p.Move("#plot", x, 0.5)
		p.Move("#icicle", x, 0.3)
	}
	p.Click("#plot", 0.5, 0.5)
	expect(t, p, "title", "document.title.includes('owned') && !document.title.startsWith('</script>')", "false")
	expect(t, p, "foreign elements", "document.querySelectorAll('img, iframe, a, object, svg[onload], [onerror], "+
		"[onmouseover], script').length", 2) // the page's own
	expect(t, p, "control characters",
		`/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, "false")
	quiet(t, p)
}

// TestPageLooks writes pictures to look at, and checks that both schemes and print differ as they should.
func TestPageLooks(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	back := "getComputedStyle(document.body).backgroundColor"
	for scheme, want := range map[string]string{"light": "rgb(243, 245, 247)", "dark": "rgb(13, 17, 22)"} {
		t.Run(scheme, func(t *testing.T) {
			p.Size(1400, 1700, scheme)
			open(t, p, sampledump.Game())
			expect(t, p, scheme, back, want)
			p.Screenshot("testdata/out/page." + scheme + ".png")
			p.Click("#plot", 20.5/300, 0.5)
			p.Screenshot("testdata/out/page." + scheme + ".frame.png")
			p.Eval("document.querySelector('#spread').open = true")
			p.Eval(statsDrawn)
			p.Click("#kinds button:nth-child(2)", 0.5, 0.5)
			p.Eval("document.querySelector('#statistics').scrollIntoView()")
			p.Screenshot("testdata/out/page." + scheme + ".statistics.png")
		})
	}
	p.Size(800, 1100, "dark")
	open(t, p, sampledump.Game())
	p.Print()
	expect(t, p, "paper", "getComputedStyle(document.body).backgroundColor", "rgb(255, 255, 255)")
	expect(t, p, "no input fields on paper", "getComputedStyle(document.querySelector('#filter')).display", "none")
	p.Screenshot("testdata/out/page.print.png")
	p.Size(420, 1700, "dark")
	open(t, p, sampledump.Game())
	p.Screenshot("testdata/out/page.narrow.png")
	expect(t, p, "no sideways scrolling", "document.documentElement.scrollWidth <= innerWidth", "true")
	p.Size(1400, 1700, "light")
	open(t, p, sampledump.Hostile())
	p.Screenshot("testdata/out/page.hostile.png")
	p.Eval("document.querySelector('#spread').open = true")
	p.Eval(statsDrawn)
	p.Eval("document.querySelector('#statistics').scrollIntoView()")
	p.Screenshot("testdata/out/page.hostile.statistics.png")
}
