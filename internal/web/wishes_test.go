package web_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"

	lists "example.com/iprof/draw"
	"example.com/iprof/draw/soft"
	"example.com/iprof/input"
	"example.com/iprof/internal/boxfont"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
	"example.com/iprof/internal/world"
)

// shown takes a picture of the page.
func (u user) shown(name string) image.Image {
	u.t.Helper()
	path := filepath.Join("testdata/out", name+".png")
	u.Screenshot(path)
	file := must.Get(os.Open(path))(u.t)
	defer file.Close()
	m := must.Get(png.Decode(file))(u.t)
	return m
}

// brightness is that of a picture, 0 to 255.
func brightness(m image.Image) float64 {
	sum, b := 0.0, m.Bounds()
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			_, g, _, _ := m.At(x, y).RGBA()
			sum += float64(g >> 8)
		}
	}
	return sum / float64(b.Dx()*b.Dy())
}

// otherPixels is the share of pixels that differ by more than 16 levels.
func otherPixels(a, b image.Image) float64 {
	n, in := 0, a.Bounds()
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			r, g, bl, _ := a.At(x, y).RGBA()
			r2, g2, bl2, _ := b.At(x, y).RGBA()
			apart := func(p, q uint32) bool { return max(p, q)-min(p, q) > 16<<8 }
			if apart(r, r2) || apart(g, g2) || apart(bl, bl2) {
				n++
			}
		}
	}
	return float64(n) / float64(in.Dx()*in.Dy())
}

func TestThePageFollowsTheBrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "light")
	p.Before(countsPictures)
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 300, 50)})
	for _, step := range []struct {
		name string
		do   func(u user)
	}{{"colours", colours}, {"motion", motion}, {"fingers", fingers}, {"a dropped file", dropped}} {
		t.Run(step.name, func(t *testing.T) {
			u.t = t
			step.do(u)
		})
	}
	u.t = t
	u.quiet()
}

func colours(u user) {
	for scheme, good := range map[string]func(v float64) bool{
		"light": func(v float64) bool { return v > 180 }, "dark": func(v float64) bool { return v < 80 }} {
		u.Prefer("prefers-color-scheme", scheme)
		for end := time.Now().Add(patience); ; time.Sleep(50 * time.Millisecond) {
			v := brightness(u.shown("page." + scheme))
			if good(v) {
				break
			}
			if time.Now().After(end) {
				u.t.Fatalf("%s: got a brightness of %.0f", scheme, v)
			}
		}
	}
}

// pictures counts those that a turn of the wheel over the call structure takes until nothing moves.
func (u user) pictures() float64 {
	u.t.Helper()
	u.Move("#screen", 0.3, 0.6)
	began := u.rest()
	u.Wheel("#screen", 0.3, 0.6, -300)
	return u.rest() - began
}

// rest waits until no picture was drawn for some seconds, and returns how many there were.
func (u user) rest() (pictures float64) {
	u.t.Helper()
	for still := 0; still < 3; time.Sleep(time.Second) {
		now := u.Number("pictures")
		if still++; now != pictures {
			pictures, still = now, 0
		}
	}
	return pictures
}

func motion(u user) {
	u.Prefer("prefers-reduced-motion", "no-preference")
	moving := u.pictures()
	u.Prefer("prefers-reduced-motion", "reduce")
	if still := u.pictures(); still < 1 || still > 5 || moving < 2*still {
		u.t.Errorf("got %v pictures, and %v with less motion; want many, and few", moving, still)
	}
}

// fingers taps, drags a range of frames, and zooms with two.
func fingers(u user) {
	at := [2]float64{300, 662} // a row
	u.Touch("touchStart", at)
	u.Touch("touchEnd")
	u.until("iprofLines.filter(l => l.startsWith('cursor ')).length > 0", func(s string) bool { return s == "true" })
	u.Touch("touchStart", [2]float64{300, 240})
	for x := 310.0; x <= 600; x += 40 {
		u.Touch("touchMove", [2]float64{x, 240})
	}
	u.Touch("touchEnd")
	u.until("iprofLines.filter(l => l.startsWith('range ')).length > 0", func(s string) bool { return s == "true" })
	before := u.shown("fingers.before")
	u.Touch("touchStart", [2]float64{300, 470}, [2]float64{360, 470})
	for wide := 40.0; wide <= 200; wide += 40 {
		u.Touch("touchMove", [2]float64{300 - wide, 470}, [2]float64{360 + wide, 470})
	}
	u.Touch("touchEnd")
	for end := time.Now().Add(patience); otherPixels(before, u.shown("fingers")) < 0.005; {
		if time.Sleep(100 * time.Millisecond); time.Now().After(end) {
			u.t.Fatal("two fingers zoom nothing")
		}
	}
}

func dropped(u user) {
	u.Eval(`(async () => {
		const data = new DataTransfer();
		data.items.add(new File([await (await fetch('file/0')).arrayBuffer()], 'dropped.iprof'));
		dispatchEvent(new DragEvent('drop', {dataTransfer: data}));
	})()`)
	u.wait("tab 1 of 2 dropped.iprof")
	u.Screenshot("testdata/out/dropped.png")
}

// The canvas then shows the same picture.
func TestWithoutWebGL(t *testing.T) {
	longtest.Skip(t)
	file := recorded(t, "a.iprof", 300, 50)
	var pictures [2]image.Image
	for i, before := range []string{"", `const all = HTMLCanvasElement.prototype.getContext;
		HTMLCanvasElement.prototype.getContext = function(kind, ...more) {
			return kind === 'webgl2' ? null : all.call(this, kind, ...more) }`} {
		p := browser.Start(t)
		p.Size(1000, 700, "dark")
		p.Before(before)
		u := look(t, p, web.Item{Name: "a.iprof", File: file})
		u.strike("ArrowDown", "ArrowDown")
		time.Sleep(time.Second) // tips
		pictures[i] = u.shown(fmt.Sprint("webgl.", i))
	}
	if v := otherPixels(pictures[0], pictures[1]); v > 0.005 {
		t.Errorf("%.2f %% of the pixels differ; want at most 0.5 %%", 100*v)
	}
}

// What our typefaces lack is drawn with the browser's: letters that stand alone one by one, words from right to left as
// a whole. What no font has stays an escape.
func TestNamesInTheBrowsersFonts(t *testing.T) {
	longtest.Skip(t)
	boxes := boxfont.Font("物理演算שלוםहिन्दी🎮")
	p := browser.Start(t, goregular.TTF, gobold.TTF, gomono.TTF, boxes)
	p.Size(1280, 800, "dark")
	p.Before(`globalThis.drawn = new Set();
		const fill = CanvasRenderingContext2D.prototype.fillText;
		CanvasRenderingContext2D.prototype.fillText = function(text, ...more) {
			drawn.add(text);
			fill.call(this, text, ...more);
		}`)
	path := filepath.Join(t.TempDir(), "a.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w := framefile.NewWriter(file, framefile.Info{Program: "物理"})
	for i, s := 0, world.NewRandom(1); i < 60; i++ {
		f := *s.Frame()
		f.Zones = append(f.Zones[:0:0], f.Zones...)
		for z := range f.Zones[1:] {
			f.Zones[z+1].Name = []string{"物理演算", "שלום step", "हिन्दी", "play 🎮",
				"\u1200\u1201", "plain"}[z%6]
		}
		must.Do(t, w.WriteFrame(&f))
	}
	must.Do(t, w.Close())
	u := look(t, p, web.Item{Name: "a.iprof", File: file})
	want := []string{"物", "演", "שלום", "🎮"}
	u.until("[...drawn].join(' ')", func(all string) bool {
		for _, text := range want {
			if !strings.Contains(" "+all+" ", " "+text+" ") {
				return false
			}
		}
		return true
	})
	u.Screenshot("testdata/out/scripts.png")
	u.quiet()
}

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

// The page shows what the window shows, pixel by pixel.
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
