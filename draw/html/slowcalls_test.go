package html

import (
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

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
	p := browser.Start(t)
	p.Size(1200, 900, "light")
	open(t, p, d)
	expect(t, p, "how many", "document.querySelector('#slowof').textContent", "the newest 32 of 120")
	expect(t, p, "calls", "document.querySelectorAll('#slowcalls details').length", mostSlowCalls)
	got := p.Text("document.querySelector('#slowcalls summary').textContent")
	want := "GET /orders</script>: 60.0 ms, usually 6.0; of it db.Query 50.0 in 30 calls 2 s ago · frame 39 · worker"
	if got != want {
		t.Errorf("got %q; want %q", got, want)
	}
	p.Eval("document.querySelector('#slowcalls details').open = true")
	wide := func(selector string) float64 {
		return p.Eval("document.querySelector('#slowcalls " + selector + "').getBoundingClientRect().width").(float64)
	}
	if part := wide(".bar .cause") / wide(".ghost .cause"); part < 8.8 || part > 9.2 {
		t.Errorf("got a part %.2f times as wide as the usual call; want 9", part)
	}
	line := p.Text("document.querySelector('#slowcalls p').textContent")
	if want := d.Zones[2].Name + " 54.00 ms"; line != want {
		t.Errorf("got %q; want %q", line, want)
	}
	p.Screenshot("testdata/out/page.slowcalls.png")
	quiet(t, p)
}

// A page without slow calls says nothing of them.
func TestPageWithoutSlowCalls(t *testing.T) {
	p := browser.Start(t)
	open(t, p, sampledump.Game())
	expect(t, p, "the section is hidden", "document.querySelector('#slow').hidden", "true")
}
