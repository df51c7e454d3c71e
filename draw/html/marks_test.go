package html

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

func TestPageHasFlags(t *testing.T) {
	p := browser.Start(t)
	p.Size(1200, 900, "dark")
	d := sampledump.Game()
	at := d.History[20].Index
	d.Marks = []report.FrameMark{{Frame: at, At: 3.214, Text: "level <b>loaded</b>\x1b"}}
	for i := range 6 {
		d.Marks = append(d.Marks, report.FrameMark{Frame: at, At: 5, Text: fmt.Sprint("line ", i)})
	}
	d.Marks = append(d.Marks, report.FrameMark{Frame: d.History[200].Index, Text: "saved"})
	open(t, p, d)
	expect(t, p, "flags", "document.querySelectorAll('#plot .flag').length", 2)
	p.Move("#plot", 20.5/300, 0.5)
	tip := "document.querySelector('#tip').innerText"
	expect(t, p, "text in the tip", tip+".includes('⚑ level <b>loaded</b>\\\\x1b')", "true")
	expect(t, p, "time in the tip", tip+".includes('3.21')", "true")
	expect(t, p, "number of others", tip+".includes('3 more marks')", "true")
	p.Screenshot("testdata/out/page.marks.png")
	p.Move("#plot", 30.5/300, 0.5)
	expect(t, p, "another frame", tip+".includes('⚑')", "false")
	quiet(t, p)
}

func TestPageHasTheNewestMarks(t *testing.T) {
	d := sampledump.Dump(1, 12, 5)
	for i := range 5000 {
		d.Marks = append(d.Marks, report.FrameMark{Text: fmt.Sprint("mark ", i, strings.Repeat("x", 1000))})
	}
	out := page(t, d, Options{})
	if n := strings.Count(out, `"mark `); n != mostMarks || !strings.Contains(out, `"mark 4999`) {
		t.Errorf("got %d marks; want the newest %d", n, mostMarks)
	}
	if len(out) > 300_000 {
		t.Errorf("got a page of %d bytes; want long texts cut", len(out))
	}
}
