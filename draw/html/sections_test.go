package html

import (
	"fmt"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// sectioned returns a dump with three sections: one that has left the history, two that are in it.
func sectioned() *report.Dump {
	d := sampledump.Game()
	first, n := d.History[0].Index, uint64(len(d.History))
	last := first + n - 1
	for i, s := range []report.Section{
		{Name: "intro", From: 1, To: first - 1, Frames: 3000, Mean: 4, P99: 6, Worst: 9, WorstFrame: 7},
		{Name: "level 1</script>", From: first, To: first + n/2 - 1, Frames: n / 2, Mean: 5, P99: 30, Worst: 31,
			WorstFrame: first + 3},
		{Name: "\x1bboss", From: first + n/2, To: last, Frames: n - n/2, Mean: 6, P99: 12, Worst: 13,
			WorstFrame: first + n/2 + 1},
	} {
		s.Number = uint64(i) + 1
		d.Sections = append(d.Sections, s)
	}
	return d
}

// The page lists the sections with their statistics, sorts them, names those of the history above their frames, and a
// click on the worst frame shows that.
func TestPageHasSections(t *testing.T) {
	d := sectioned()
	p := browser.Start(t)
	p.Size(1200, 900, "light")
	open(t, p, d)
	row := func(i int) string {
		return fmt.Sprintf(
			"[...document.querySelectorAll('#parts tbody tr')[%d].cells].map(c => c.textContent).join(' | ')", i)
	}
	n := uint64(len(d.History))
	expect(t, p, "the newest first", row(0), fmt.Sprintf(`%d | %d | 6.00 | 12.00 | 13.00 | %d | \x1bboss`,
		d.History[0].Index+n/2, n-n/2, d.History[0].Index+n/2+1))
	p.Eval("document.querySelector('#parts th[data-key=worst] button').click()")
	expect(t, p, "by the worst frame", row(0), fmt.Sprintf("%d | %d | 5.00 | 30.00 | 31.00 | %d | level 1</script>",
		d.History[0].Index, n/2, d.History[0].Index+3))
	bands := "[...document.querySelectorAll('#bands span')].map(e => e.textContent + e.style.width).join()"
	expect(t, p, "bands", bands,
		`level 1</script>50%,\x1bboss50%`)
	p.Eval("document.querySelector('#parts tbody button').click()")
	expect(t, p, "frame shown", "document.querySelector('#framed dt').textContent",
		fmt.Sprint("frame ", d.History[0].Index+3))
	gone := "document.querySelector('#parts tr[data-from=\"1\"] button')"
	expect(t, p, "a frame that has left the history", gone+".disabled + ' ' + "+gone+".title",
		"true this frame is no longer in the history")
	p.Eval("document.querySelector('#parts tbody tr').dispatchEvent(new PointerEvent('pointerenter'))")
	expect(t, p, "its frames under the mouse", "document.querySelector('#plot .range').style.width", "50%")
	expect(t, p, "height of the history", "document.querySelector('#plot').clientHeight", 210)
	p.Screenshot("testdata/out/page.sections.png")
	quiet(t, p)
}

// A page without sections says nothing of them, and the history is as high as with them.
func TestPageWithoutSections(t *testing.T) {
	p := browser.Start(t)
	open(t, p, sampledump.Game())
	expect(t, p, "table and bands are hidden",
		"document.querySelector('#sections').hidden + ' ' + document.querySelector('#bands').hidden", "true true")
	expect(t, p, "height of the history", "document.querySelector('#plot').clientHeight", 210)
	quiet(t, p)
}
