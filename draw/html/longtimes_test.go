package html

import (
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// In the call structure of a long time each number has its unit, as the heading has.
func TestLongCallStructuresHaveUnits(t *testing.T) {
	d := sampledump.Game()
	scale := func(by float64) {
		d.RunTime = time.Duration(float64(d.RunTime) * by)
		for i := range d.Merged {
			d.Merged[i].Self, d.Merged[i].Hier = d.Merged[i].Self*by, d.Merged[i].Hier*by
		}
	}
	scale(0.01)
	p := browser.Start(t)
	p.Size(1400, 900, "light")
	open(t, p, d)
	const numbers = "[...document.querySelectorAll('#icicle div > span:last-child')].map(e => e.textContent)" +
		".filter(s => /^[\\d.]+( (ns|µs|ms|s|min|h))?$/.test(s))"
	expect(t, p, "short times with a unit", numbers+".filter(s => / /.test(s)).length", 0)
	scale(100)
	open(t, p, d)
	if n, _ := p.Eval(numbers + ".length").(float64); n < 5 {
		t.Fatalf("got %v numbers; want those of the bars", n)
	}
	expect(t, p, "long times without a unit", numbers+".filter(s => !/ (ns|µs|ms|s|min|h)$/.test(s)).length", 0)
	quiet(t, p)
}

// The legend of as many zones as a page can have stands in two columns, in which names are whole.
func TestTheLegendOfManyZonesIsWhole(t *testing.T) {
	d := sampledump.Game()
	values := d.Series[0].Values
	d.Series = nil
	for i := range 24 {
		name := "shadow_cascade " + string(rune('a'+i))
		d.Zones = append(d.Zones, gather.ZoneInfo{Name: name})
		d.Series = append(d.Series, report.Series{Zone: report.ZoneID(len(d.Zones) - 1), Name: name, Values: values})
	}
	p := browser.Start(t)
	p.Size(1400, 900, "light")
	open(t, p, d)
	const rows = "[...document.querySelectorAll('#legend div')]"
	expect(t, p, "rows", rows+".length", 25)
	expect(t, p, "columns", "new Set("+rows+".map(e => e.offsetLeft)).size", 2)
	expect(t, p, "names that are cut",
		"[...document.querySelectorAll('#legend .name')].filter(e => e.scrollWidth > e.clientWidth).length", 0)
	quiet(t, p)
}
