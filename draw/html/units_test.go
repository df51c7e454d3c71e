package html

import (
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
)

// Tables and axes of a long run have seconds and minutes, as the window has.
func TestLongTimesHaveTheirUnitInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1200, "light")
	d := sampledump.Game()
	const longer = 1e5
	d.TicksPerSecond /= longer
	for i := range d.History {
		f := &d.History[i]
		f.Busy, f.Length, f.Blocked = f.Busy*longer, f.Length*longer, f.Blocked*longer
	}
	open(t, p, d)
	cells := func(column string) string {
		return "[...document.querySelectorAll('#tree tbody tr')].map(r => r.cells[" + column + "].textContent).join()"
	}
	for what, expression := range map[string]string{
		"the greatest time of the tree": "/[0-9] min|[0-9] s/.test(" + cells("2") + ")",
		"no long number of ms":          "!/(^|,)[0-9]{5,}\\./.test(" + cells("2") + ")",
		"the scale": "[...document.querySelectorAll('#scale span')]" +
			".every(e => /(s|min|h)$/.test(e.textContent))",
	} {
		expect(t, p, what, expression, true)
	}
	quiet(t, p)
}

// The scale of a usual run has its unit once.
func TestTheScaleHasItsUnitInBrowser(t *testing.T) {
	p := browser.Start(t)
	p.Size(1400, 1200, "light")
	open(t, p, sampledump.Game())
	expect(t, p, "the lowest number", "document.querySelector('#scale span').textContent", "0 ms")
	quiet(t, p)
}
