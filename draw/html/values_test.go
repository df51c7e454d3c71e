package html

import (
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// testValues reads the columns of charges and the table of the frames' numbers.
func testValues(t *testing.T, p *browser.Page) {
	expect(t, p, "columns of charges",
		"[...document.querySelectorAll('#tree th')].slice(8).map(e => e.textContent).join()",
		"allocated,freed,heap,units,per unit")
	p.Click("#expand", 0.5, 0.5)
	d := sampledump.Game()
	sum := report.Charges{}
	for i := range d.Merged {
		sum.Add(&d.Merged[i].Charges)
	}
	expect(t, p, "allocs of all rows",
		"[...document.querySelectorAll('#tree tbody tr')].reduce((s, r) => s + (parseInt(r.cells[8].title) || 0), 0)",
		sum.Allocs)
	expect(t, p, "frees of all zones",
		"[...document.querySelectorAll('#zones tbody tr')].reduce((s, r) => s + (parseInt(r.cells[9].title) || 0), 0)",
		sum.Frees)
	expect(t, p, "numbers",
		"[...document.querySelectorAll('#numbers tbody tr')].map(r => r.cells[0].textContent + ' ' + "+
			"r.cells[2].textContent).join()",
		"heap allocated 17.7 MB,collector pauses 2.400 ms,shots 9\u2009077,temperaturelevel 36.6")
	expect(t, p, "no frame chosen", "document.querySelector('#numbers tbody td.main').textContent", "")
	p.Click("#plot", 20.5/300, 0.5)
	expect(t, p, "shots of the 21st frame", "document.querySelectorAll('#numbers tbody td.main')[2].textContent",
		d.Values[2].Values[20])
}

func TestPageWithoutChargesHasNoColumnsForThem(t *testing.T) {
	p := browser.Start(t)
	d := sampledump.Game()
	d.Values = nil
	for i := range d.Merged {
		d.Merged[i].Charges = report.Charges{}
	}
	open(t, p, d)
	expect(t, p, "columns", "document.querySelectorAll('#tree th').length", 8)
	expect(t, p, "table of numbers", "document.querySelector('#values').hidden", true)
	quiet(t, p)
}

// The processor time stands beside the run time, if it is known.
func TestProcessorTimeOnThePage(t *testing.T) {
	d := sampledump.Game()
	if out := page(t, d, Options{}); strings.Contains(out, "<dt>processor time</dt>") {
		t.Error("not known: got a processor time; want none")
	}
	d.CPU, d.Lanes[0].CPU = 44*time.Second, 2*time.Second
	if out := page(t, d, Options{}); !strings.Contains(out, d.Lanes[0].Name+" · CPU 2.000 s") {
		t.Error("got no processor time of a lane; want it in its title")
	}
	if out := page(t, d, Options{}); !strings.Contains(out, "<dt>processor time</dt><dd>44.00 <small>s") {
		t.Error("got no processor time of 44.00 s; want it in the header")
	}
}
