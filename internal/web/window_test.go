package web_test

import (
	"image"
	"image/color"
	"image/draw"
	"testing"
	"time"

	lists "example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/input"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
)

// windowOf shows a capture as glviewer does without a display, in a window of some size.
func windowOf(t *testing.T, path string, width, height int) (d *desk.Desk, picture func() image.Image) {
	t.Helper()
	d = desk.New(desk.Options{Viewer: "iprof view", Limits: budget.Usual, Browser: true}, desk.Host{
		Wake: func() {}, Title: func(string) {}, Scale: func() float32 { return 1 },
		Size: func() (int, int) { return width, height }})
	must.Do(t, d.Open(d.NewTab(path), path))
	t.Cleanup(d.Close)
	d.SetTheme(lists.ThemeDark)
	var l lists.List
	return d, func() image.Image {
		for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
			l.Reset()
			l.Begin(1)
			d.Tab().Panel().Draw(&l, float32(width), float32(height), 1)
			if !d.Tab().Panel().Settling() || time.Now().After(end) {
				break
			}
		}
		m, ground := image.NewRGBA(image.Rect(0, 0, width, height)), lists.PaletteOf(lists.ThemeDark).Background
		draw.Draw(m, m.Rect, image.NewUniform(color.RGBA{ground.R, ground.G, ground.B, 255}), image.Point{}, draw.Src)
		soft.Render(m, &l)
		return m
	}
}

// TestThePagesPictureIsTheWindows: the page shows what the window shows, pixel by pixel.
func TestThePagesPictureIsTheWindows(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1000, 700, "dark")
	file := recorded(t, "a.iprof", 300, 50)
	u := look(t, p, web.Item{Name: "a.iprof", File: file})
	d, picture := windowOf(t, file.Name(), 1000, 700)
	for _, step := range []struct {
		name, code, text string
		key              input.Key
	}{{"opened", "", "", 0}, {"a row", "ArrowDown", "ArrowDown", input.KeyDown}, {"its card", "KeyZ", "z", 'Z'},
		{"slow frames", "Digit6", "6", '6'}, {"all commands", "Tab", "Tab", input.KeyTab}} {
		t.Run(step.name, func(t *testing.T) {
			u.t = t
			if step.code != "" {
				u.strike(step.code, step.text)
				d.Key(step.key, input.ActionPress, 0)
				d.Key(step.key, input.ActionRelease, 0)
			}
			want := picture()
			share := 1.0
			for end := time.Now().Add(patience); share > 0.005; time.Sleep(100 * time.Millisecond) {
				if share = otherPixels(want, u.shown("window."+step.code)); time.Now().After(end) {
					t.Fatalf("%.2f %% of the pixels differ; want at most 0.5 %%", 100*share)
				}
			}
			t.Logf("%.3f %% of the pixels differ", 100*share)
		})
	}
}
