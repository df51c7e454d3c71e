package html

import (
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

const (
	statRows  = "document.querySelectorAll('#spreads tbody tr').length"
	statFirst = "document.querySelector('#spreads tbody tr .text').textContent"
)

// statsDrawn waits for the table. The browser fills it some time after it was opened.
const statsDrawn = "new Promise(done => { " +
	"const look = () => document.querySelector('#spreads tbody tr') ? done() : setTimeout(look, 5); look(); })"

// statCell is the text of a cell of the row of a zone.
func statCell(zone, column string) string {
	return "[...document.querySelectorAll('#spreads tbody tr')].find(r => r.cells[0].textContent.startsWith('" + zone +
		"')).cells[" + column + "].textContent"
}

// testStatistics opens the statistics, chooses of what, sorts and filters.
func testStatistics(t *testing.T, p *browser.Page) {
	expect(t, p, "collapsed", "document.querySelector('#spread').open", "false")
	expect(t, p, "rows before it is opened", statRows, 0)
	p.Click("#spread summary", 0.05, 0.5)
	p.Eval(statsDrawn)
	expect(t, p, "rows", statRows, len(sampledump.Statistics(sampledump.Game())))
	expect(t, p, "first by mean self time", statFirst, "mesh")
	expect(t, p, "headings", "[...document.querySelectorAll('#spreads th')].map(e => e.textContent).join()",
		"zone,frames,min,average,max,deviation,p50,p90,p99,p99.9")
	p.Click("#spreads th:nth-child(3) button", 0.5, 0.5)
	expect(t, p, "sorted by", "document.querySelector('#spreads th[aria-sort]').textContent", "min")
	p.Click("#spreads th:nth-child(3) button", 0.5, 0.5)
	expect(t, p, "first by least self time, reversed", "document.querySelector('#spreads th[aria-sort]').ariaSort",
		"ascending")

	p.Click("#kinds button:nth-child(2)", 0.5, 0.5)
	last := sampledump.Statistics(sampledump.Game())
	d := sampledump.Game()
	unknown := d.Zones[last[len(last)-1].Zone].Name
	expect(t, p, "quantiles that are not known", statCell(unknown, "9"), "-")
	expect(t, p, "the maximum beside them", statCell(unknown, "4")+" !== '-'", "true")
	p.Click("#spreads th:nth-child(10) button", 0.5, 0.5)
	p.Click("#spreads th:nth-child(10) button", 0.5, 0.5)
	expect(t, p, "not known is last when reversed",
		"[...document.querySelectorAll('#spreads tbody tr:not(.idle) .text')].pop().textContent", unknown)

	p.Click("#kinds button:nth-child(3)", 0.5, 0.5)
	expect(t, p, "of single calls", statCell("mesh", "1"), "1\u2009482")
	expect(t, p, "calls that are missing",
		"[...document.querySelectorAll('#spreads td[title]')].every(e => e.textContent.includes(' of '))", "true")
	expect(t, p, "of calls that are not counted", statCell("decode", "9"), "-")
	p.Click("#seek", 0.5, 0.5)
	p.Type("ter")
	expect(t, p, "filtered", statRows, 2)
	p.Key("Escape")
	expect(t, p, "not filtered", statRows, len(last))
}

// TestRoutesAreShownFirst: of a program that counts single calls, such as the requests of a server by route, the page
// shows their times and their distribution, the slowest first.
func TestRoutesAreShownFirst(t *testing.T) {
	p := browser.Start(t)
	p.Size(1300, 1500, "light")
	d := sampledump.Game()
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
	open(t, p, d)
	p.Eval(statsDrawn)
	expect(t, p, "open", "document.querySelector('#spread').open", "true")
	expect(t, p, "of single calls", "document.querySelector('#kinds [aria-pressed=true]').textContent", "single calls")
	expect(t, p, "slowest first", statFirst, d.Zones[3].Name)
	expect(t, p, "p99", statCell(d.Zones[3].Name, "8"), "120.0 ms")
	expect(t, p, "bars", "document.querySelectorAll('#spreads tbody tr:first-child td.bars i').length", report.CallBars)
	expect(t, p, "the highest bar", "[...document.querySelectorAll('#spreads tbody tr:first-child td.bars i')]"+
		".findIndex(e => e.getBoundingClientRect().height > 17)", 4)
	p.Eval("document.querySelector('#statistics').scrollIntoView()")
	p.Screenshot("testdata/out/page.routes.png")
	quiet(t, p)
}

func TestPageWithoutStatisticsHasNoTableOfThem(t *testing.T) {
	p := browser.Start(t)
	d := sampledump.Game()
	d.Statistics = nil
	open(t, p, d)
	expect(t, p, "section", "document.querySelector('#statistics').hidden", true)
	quiet(t, p)
}
