package html

import (
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// waiting is a dump of zones of which two wait most of the time, on more lanes than one.
func waiting() *report.Dump {
	d := sampledump.Dump(1, 4, 3)
	d.Zones = []gather.ZoneInfo{{Name: "(root)"}, {Name: "draw"}, {Name: "receive", Idle: true},
		{Name: "vsync", Idle: true},
		{Name: "inside"}}
	d.Merged = []report.TreeNode{{Parent: -1, Self: 1, Hier: 16}, {Zone: 1, Level: 1, Count: 1, Self: 5, Hier: 5},
		{Zone: 2, Level: 1, Count: 9, Self: 78, Hier: 80, Idle: true},
		{Zone: 4, Parent: 2, Level: 2, Count: 1, Self: 2, Hier: 2},
		{Zone: 3, Level: 1, Count: 1, Self: 10, Hier: 10, Idle: true}}
	d.Lanes, d.Statistics = nil, sampledump.Statistics(d)
	d.Report = waitingReport()
	return d
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

// Zones that wait are last, and one row that opens, in the tree, the lists and the report. They have the scale
// of what works in the call structure, unless only work is to be seen.
func TestWaitingZonesAreOneRowInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1280, 1400, "dark")
	open(t, p, waiting())
	p.Eval("document.querySelector('#spread').open = true")
	p.Eval(statsDrawn)
	const shownText = ".filter(e => e.offsetHeight > 0).map(e => e.textContent).join(' ')"
	list := func(table string) string {
		return "[...document.querySelectorAll('" + table + " tbody .text')]" + shownText
	}
	report := "[...document.querySelectorAll('#view td.name')]" + shownText
	expect(t, p, "tree", list("#tree"), "(root) draw waiting")
	expect(t, p, "its sum", "document.querySelector('#tree tbody tr:last-child').cells[2].textContent", "90.00")
	expect(t, p, "how many", "document.querySelector('#tree tbody tr:last-child .state').textContent", "2 zones")
	expect(t, p, "list", list("#zones"), "draw inside (root) waiting")
	expect(t, p, "statistics", list("#spreads"), "draw inside waiting")
	expect(t, p, "report", report, "draw ▸ waiting (2 zones)")
	p.Screenshot("testdata/out/page.waiting.png")
	p.Click("#tree tbody tr:last-child .fold", 0.5, 0.5)
	expect(t, p, "tree, opened", list("#tree"), "(root) draw waiting receive vsync")
	p.Click("#zones tbody tr:last-child", 0.2, 0.5)
	expect(t, p, "list, opened", list("#zones"), "draw inside (root) waiting receive vsync")
	expect(t, p, "statistics, opened", list("#spreads"), "draw inside waiting receive vsync")
	p.Click("#view tr.waits", 0.2, 0.5)
	expect(t, p, "report, opened", report, "draw ▸ waiting (2 zones) receive vsync")
	p.Click("#find", 0.5, 0.5)
	p.Type("rec")
	expect(t, p, "filtered list", list("#zones"), "receive")
	draw, receive := p.Number("document.querySelector('#icicle [data-zone=\"1\"]').offsetWidth"),
		p.Number("document.querySelector('#icicle [data-zone=\"2\"]').offsetWidth")
	if receive < draw*15 || receive > draw*17 {
		t.Errorf("width: got %v for 80 ms that wait, %v for 5 that work; want one scale", receive, draw)
	}
	p.Click("#onlywork", 0.5, 0.5)
	expect(t, p, "only work", "document.querySelector('#icicle [data-zone=\"2\"]') === null", true)
	if wide := p.Number("document.querySelector('#icicle [data-zone=\"1\"]').offsetWidth"); wide < draw*10 {
		t.Errorf("only work: got a width of %v; want much more than %v", wide, draw)
	}
	p.Click("#onlywork", 0.5, 0.5)
	p.Eval("document.querySelector('#icicle').focus()")
	p.Key("ArrowDown")
	p.Key("ArrowDown")
	p.Key("ArrowRight")
	expect(t, p, "bar by keys", "document.querySelector('#icicle .at').textContent.startsWith('receive')", true)
	quiet(t, p)
}
