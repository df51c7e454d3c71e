package html

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/process/report"
)

// striped is a picture of three stripes.
func striped(width, height int) *report.Picture {
	p := &report.Picture{Width: width, Height: height}
	for i := range width * height {
		p.Pixels = append(p.Pixels, [][]byte{{200, 40, 40}, {40, 160, 80}, {40, 80, 200}}[i/width*3/height]...)
	}
	return p
}

// TestThePointerShowsWhatAFrameShowed: the tip of a frame has its picture, with its pixels.
func TestThePointerShowsWhatAFrameShowed(t *testing.T) {
	p := browser.Start(t)
	p.Size(1200, 900, "dark")
	d := sampledump.Game()
	f := &d.FrameTrees[0]
	f.Picture = striped(240, 135)
	at := slices.IndexFunc(d.History, func(s report.FrameSummary) bool { return s.Index == f.Index })
	open(t, p, d)
	p.Move("#plot", (float64(at)+0.5)/float64(len(d.History)), 0.5)
	p.Eval("document.querySelector('#tip img').decode().then(() => 1)")
	expect(t, p, "size", "document.querySelector('#tip img').naturalWidth", 240)
	pixel := func(y int) string {
		return fmt.Sprintf(`(() => { const c = document.createElement('canvas'); [c.width, c.height] = [240, 135];
			const g = c.getContext('2d'); g.drawImage(document.querySelector('#tip img'), 0, 0);
			return [...g.getImageData(120, %d, 1, 1).data].join() })()`, y)
	}
	expect(t, p, "a pixel above", pixel(10), "200,40,40,255")
	expect(t, p, "a pixel below", pixel(130), "40,80,200,255")
	p.Screenshot("testdata/out/page.picture.png")
	p.Move("#plot", (float64(at)+5.5)/float64(len(d.History)), 0.5)
	expect(t, p, "pictures of another frame", "document.querySelectorAll('#tip img').length", 0)
	quiet(t, p)
}

// TestPicturesLeaveRoomForTrees: they take an eighth of the page's room, and bytes that are not a picture are left out.
func TestPicturesLeaveRoomForTrees(t *testing.T) {
	d := sampledump.Game()
	for i := range d.FrameTrees {
		d.FrameTrees[i].Picture = striped(480, 480)
	}
	d.FrameTrees[0].Picture = &report.Picture{Width: 9, Height: 9}
	all := strings.Count(page(t, d, Options{FrameBytes: -1}), `"png":"`)
	if want := len(d.FrameTrees) - 1; all != want {
		t.Errorf("got %d pictures; want %d", all, want)
	}
	some := strings.Count(page(t, d, Options{FrameBytes: 64 << 10}), `"png":"`)
	if some == 0 || some >= all {
		t.Errorf("got %d pictures in 64 kB; want some, fewer than %d", some, all)
	}
}
