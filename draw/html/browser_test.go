package html_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"golang.org/x/image/font/gofont/gomonobold"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// open writes a dump as a page and opens it in a browser.
func open(t testing.TB, p *browser.Page, d *report.Dump) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "profile.html")
	must.Do(t, os.WriteFile(path, []byte(page(t, d, html.Options{})), 0o600))
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

// quiet checks that the console stayed empty: neither the script nor the policy found fault with the page.
func quiet(t testing.TB, p *browser.Page) {
	t.Helper()
	for _, line := range p.Console() {
		t.Errorf("console: got %.400s; want nothing", line)
	}
}

// TestTablesSort sorts the list of zones by mouse and by keyboard. What waits stays last, and what has no value, too.
func TestTablesSort(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	open(t, p, sampledump.Game())
	const first = "document.querySelector('#zones tbody tr bdi').textContent"
	const last = "[...document.querySelectorAll('#zones tbody tr bdi')].pop().textContent"
	heading := func(n int) string { return "#zones th:nth-child(" + strconv.Itoa(n) + ")" }
	expect(t, p, "first by self time", first, "decompress")
	p.Eval("document.querySelector('#top').scrollIntoView()")
	p.Click(heading(1), 0.5, 0.5)
	expect(t, p, "first by name", first, "(root)")
	expect(t, p, "aria-sort", "document.querySelector('"+heading(1)+"').ariaSort", "ascending")
	p.Click(heading(1), 0.5, 0.5)
	expect(t, p, "first by name, reversed", first, "volumetrics")
	expect(t, p, "what waits is last all the same", last, "present")
	p.Click(heading(6), 0.5, 0.5)
	expect(t, p, "first by calls, which have a thin space", first, "props")
	expect(t, p, "one table is sorted by one column", "document.querySelectorAll('#zones [aria-sort]').length", 1)
	p.Eval("document.querySelector('" + heading(5) + "').focus()")
	p.Key("Enter")
	expect(t, p, "first with callees", first, "(root)")
	p.Eval("document.querySelector('#statistics details').open = true")
	p.Eval("document.querySelector('#statistics').scrollIntoView()")
	p.Click("#spread-self th:nth-child(5)", 0.5, 0.5)
	const most = "[...document.querySelectorAll('#spread-self tbody tr:not(.idle) " +
		"td:nth-child(5)')].map(e => +(e.dataset.v ?? e.textContent))"
	expect(t, p, "greatest times", most+".every((v, i, all) => i === 0 || v <= all[i - 1])", true)
	quiet(t, p)
}

// A link to a frame opens it, a link to a zone shows its callers and callees.
func TestLinksOpenTheirPlace(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	d := drawnGame()
	open(t, p, d)
	frame := fmt.Sprint("f", d.Verdict.Index)
	expect(t, p, "the frame is closed", "document.getElementById('"+frame+"').parentElement.open", false)
	p.Eval("document.querySelector('.verdict a').click()")
	expect(t, p, "the frame is open", "document.getElementById('"+frame+"').parentElement.open", true)
	expect(t, p, "call graphs before",
		"[...document.querySelectorAll('.graph')].filter(e => e.offsetHeight > 0).length", 0)
	p.Eval("[...document.querySelectorAll('#trees a')].find(e => e.textContent === 'broadphase').click()")
	expect(t, p, "the zone's", "[...document.querySelectorAll('.graph')].filter(e => e.offsetHeight > 0)"+
		".map(e => e.querySelector('h2 bdi').textContent).join()", "broadphase")
	expect(t, p, "its caller", "document.querySelector('.graph:target tr.caller bdi').textContent", "physics_solve")
	p.Eval("document.querySelector('#structure').scrollIntoView()")
	work := func() string { return p.Text("document.querySelector('.work').offsetHeight > 0") }
	before := work()
	p.Click("#onlywork", 0.5, 0.5)
	if after := work(); before != "false" || after != "true" {
		t.Errorf("only work: shown %s, and %s after a click; want false and true", before, after)
	}
	quiet(t, p)
}

func TestHostileNamesAreInertInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1200, 900, "dark")
	open(t, p, sampledump.Hostile())
	p.Eval("document.querySelectorAll('details').forEach(e => { e.open = true })")
	expect(t, p, "title", "document.title.includes('owned') && !document.title.startsWith('</script>')", "false")
	expect(t, p, "foreign elements", "document.querySelectorAll('img, iframe, object, [onload], [onerror], "+
		"[onmouseover], script').length", 1) // the page's own
	expect(t, p, "foreign links",
		"[...document.querySelectorAll('a')].filter(e => !e.getAttribute('href').startsWith('#')).length", 0)
	expect(t, p, "control characters",
		`/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/.test(document.body.innerText)`, "false")
	expect(t, p, "names in other scripts", "document.body.innerText.includes('日本語の区域')", "true")
	expect(t, p, "sideways", "document.documentElement.scrollWidth <= innerWidth", "true")
	quiet(t, p)
}

// tight are texts of pictures that are wider than their place: they lie on the text behind, or leave the picture.
const tight = `[...document.querySelectorAll('svg text')].filter(e => {
	const box = e.getBBox(), svg = e.ownerSVGElement.viewBox.baseVal;
	return box.x < -1 || box.x + box.width > svg.width + 1;
}).map(e => e.textContent).join()`

// TestTypefacesInBrowser opens the page where the only typeface is much wider than ours: texts keep the width of ours.
func TestTypefacesInBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t, gomonobold.TTF)
	p.Size(1400, 1000, "light")
	open(t, p, drawnGame())
	expect(t, p, "texts outside their pictures", tight, "")
	bar := "[...document.querySelectorAll('#structure a')].filter(e => e.querySelector('text') && " +
		"[...e.querySelectorAll('text')].some(w => w.getBBox().width > e.querySelector('path').getBBox().width)).length"
	expect(t, p, "texts wider than their bars", bar, 0)
	quiet(t, p)
}

// TestPageLooks writes pictures to look at, and checks that both schemes, a narrow screen and paper are as they should.
func TestPageLooks(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	back := "getComputedStyle(document.body).backgroundColor"
	for scheme, want := range map[string]string{"light": "rgb(233, 236, 241)", "dark": "rgb(14, 17, 22)"} {
		p.Size(1400, 1700, scheme)
		open(t, p, drawnGame())
		expect(t, p, scheme, back, want)
		expect(t, p, "texts outside their pictures", tight, "")
		p.Screenshot("testdata/out/page." + scheme + ".png")
		for _, part := range []string{"frames", "structure", "statistics"} {
			p.Eval("document.querySelectorAll('#" + part +
				" details').forEach((e, i) => { if (i === 0) e.open = true })")
			p.Eval("document.querySelector('#" + part + "').scrollIntoView()")
			p.Screenshot("testdata/out/page." + scheme + "." + part + ".png")
		}
	}
	p.Size(420, 1700, "dark")
	open(t, p, drawnGame())
	p.Eval("document.querySelectorAll('details').forEach(e => { e.open = true })")
	expect(t, p, "no sideways scrolling", "document.documentElement.scrollWidth <= innerWidth", "true")
	p.Screenshot("testdata/out/page.narrow.png")
	p.Size(800, 1100, "dark")
	open(t, p, drawnGame())
	p.Print()
	expect(t, p, "paper", back, "rgb(233, 236, 241)")
	expect(t, p, "no switches on paper", "getComputedStyle(document.querySelector('.switch')).display", "none")
	expect(t, p, "whole tables on paper", "getComputedStyle(document.querySelector('.long')).maxHeight", "none")
	p.Screenshot("testdata/out/page.print.png")
	quiet(t, p)
}

// BenchmarkOpen measures from asking for a page to its being there, in a real browser.
func BenchmarkOpen(b *testing.B) {
	p := browser.Start(b)
	for _, nodes := range []int{1000, 10000} {
		b.Run("nodes="+strconv.Itoa(nodes), func(b *testing.B) {
			path := filepath.Join(b.TempDir(), "profile.html")
			written := page(b, sampledump.Dump(4, nodes, 1000), html.Options{})
			must.Do(b, os.WriteFile(path, []byte(written), 0o600))
			for b.Loop() {
				p.Load(path)
			}
		})
	}
}
