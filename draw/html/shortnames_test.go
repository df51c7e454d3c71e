package html

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// A zone that is named after its function is shown as in the window, everywhere, with the whole name in the tip. A name
// without room loses its beginning.
func TestFunctionsHaveShortNamesInBrowser(t *testing.T) {
	const zone = "main.(*BlockRender).drawChunks"
	p := browser.Start(t)
	p.Size(1400, 1700, "light")
	d := sampledump.Game()
	for i := range d.Zones {
		if z := &d.Zones[i]; z.Name == "render_world" {
			z.Name, z.Function = zone, "example.com/game/"+zone
		}
	}
	for i := range d.Series {
		if d.Series[i].Name == "render_world" {
			d.Series[i].Name = zone
		}
	}
	open(t, p, d)
	for _, at := range []string{"#tree tbody .text", "#zones tbody .text", "#icicle span"} {
		expect(t, p, at+" has the short name",
			"[...document.querySelectorAll('"+at+"')].some(e => e.textContent === 'BlockRender.drawChunks')", "true")
		expect(t, p, at+" has the whole name",
			"[...document.querySelectorAll('"+at+"')].some(e => e.textContent.includes('main.('))", "false")
	}
	expect(t, p, "the tip", "[...document.querySelectorAll('#tree tbody td.name > div')]"+
		".find(e => e.textContent.includes('drawChunks')).title.split('\\n')[0]", zone)
	p.Click("#filter", 0.5, 0.5)
	p.Type("(*blockrender)")
	expect(t, p, "rows that the whole name finds", "document.querySelectorAll('#tree tbody tr.match').length", 1)
	p.Size(500, 1700, "light")
	p.Screenshot("testdata/out/page.names.png")
	const style = "getComputedStyle(document.querySelector('#icicle span'))"
	got := p.Text(style+".direction") + " " + p.Text(style+".textOverflow")
	if !strings.HasPrefix(got, "rtl ellipsis") {
		t.Errorf("names in the icicle: got %s; want rtl ellipsis: they lose their beginning", got)
	}
	quiet(t, p)
}

// The go statements of a program are a table, with hostile names as text.
func TestGoStatementsAreATableInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 2600, "light")
	d := sampledump.Game()
	d.Forks = append(slices.Clone(d.Forks), report.Fork{Spawn: report.Spawn{Crowd: "<b>&amp;</b>", Goroutines: 1}})
	open(t, p, d)
	expect(t, p, "the rows", "[...document.querySelectorAll('#starts tbody tr')].map(r => r.innerText).join('|')",
		"main.serve server.go:42\t96\t12.50\t431.25\t8000.00\tmain › serve|"+
			"main.newLoader chunk.go:17\t2\t0.00\t52.75\t0.00\t|<b>&amp;</b>\t1\t0.00\t0.00\t0.00\t")
	p.Text("document.querySelector('#forks').scrollIntoView()")
	p.Screenshot("testdata/out/page.forks.png")
	d.Forks = nil
	open(t, p, d)
	expect(t, p, "the section without go statements", "document.querySelector('#forks').hidden", "true")
	quiet(t, p)
}
