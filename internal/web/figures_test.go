//go:build !iprof_off

package web_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// measuresPictures has a page keep the milliseconds of script and the calls out of the program for each picture, and
// when the first one was there.
const measuresPictures = `globalThis.spent = []; globalThis.asked = []; globalThis.calls = 0;
	const ask = requestAnimationFrame;
	globalThis.requestAnimationFrame = draw => ask(time => {
		const began = performance.now(), called = calls;
		draw(time);
		spent.push(performance.now() - began);
		asked.push(calls - called);
		globalThis.firstPicture ??= performance.now();
	});
	let real;
	Object.defineProperty(globalThis, 'Go', {get: () => real, set: Go => { real = class extends Go {
		constructor() {
			super();
			const all = this.importObject.gojs;
			for (const name of Object.keys(all).filter(n => n.startsWith('syscall/js.'))) {
				const call = all[name];
				all[name] = (sp) => { calls++; call(sp) };
			}
		}
	} }});`

// busyZones are those of the program of BenchmarkDrawLive in package viewer: ten systems with fifty jobs.
var busyZones [60]gather.Zone

// busy is that program: its frames have 5,010 scopes on 210 paths.
func busy() (s *process.Session, step func() error) {
	for i := range busyZones {
		busyZones[i].Name = fmt.Sprint([]string{"system ", "update item ", "draw batch "}[(i+8)/18%3], i)
	}
	s = process.NewSession()
	return s, func() error {
		for i := range 10 {
			system := busyZones[i].Begin()
			for j := range 5 {
				job := busyZones[10+i*5+j].Begin()
				for k := range 99 {
					busyZones[10+(i*5+j+1+k%3*7)%50].Begin().End()
				}
				job.End()
			}
			system.End()
		}
		s.Update()
		return nil
	}
}

// recordedBusy writes a capture of that program of at least so many bytes. The program waits for the file: frames that
// a recorder drops are on the page, as a warning.
func recordedBusy(t *testing.T, size int64) *os.File {
	t.Helper()
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "busy.iprof")))(t)
	t.Cleanup(func() { file.Close() })
	s, step := busy()
	w := framefile.NewWriter(file, framefile.ThisProgram())
	remove := s.AddSink(w)
	for n := int64(0); n < size; {
		for range 50 {
			_ = step()
		}
		info := must.Get(file.Stat())(t)
		n = info.Size()
	}
	remove()
	must.Do(t, w.Close())
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	return file
}

// first returns the seconds from the request of the page to its first picture, the least of some tries.
func first(t *testing.T, file *os.File) float64 {
	t.Helper()
	least := 0.0
	for range 5 {
		p := browser.Start(t)
		p.Size(1280, 800, "dark")
		p.Before(measuresPictures)
		u := look(t, p, web.Item{Name: filepath.Base(file.Name()), File: file})
		if at := u.Number("firstPicture") / 1000; least == 0 || at < least {
			least = at
		}
	}
	return least
}

// middle returns the least number and the one in the middle.
func middle(t *testing.T, text string) (least, middle float64) {
	t.Helper()
	var all []float64
	for part := range strings.SplitSeq(text, ",") {
		v := 0.0
		if _, err := fmt.Sscan(part, &v); err != nil {
			t.Fatalf("%.300q: %v", text, err)
		}
		all = append(all, v)
	}
	slices.Sort(all)
	return all[0], all[len(all)/2]
}

// TestFigures prints what the page takes, on a machine that does nothing else:
//
//	IPROF_WEB_FIGURES=1 go test -run Figures -v ./internal/web
func TestFigures(t *testing.T) {
	if os.Getenv("IPROF_WEB_FIGURES") == "" {
		t.Skip("IPROF_WEB_FIGURES=1 measures, for minutes")
	}
	gather.SetEvents(1 << 16)
	defer gather.SetEvents(0)
	t.Run("size", size)
	t.Run("start", func(t *testing.T) {
		t.Logf("start from the cache: %.2f s (at most 1.5)", first(t, recorded(t, "small.iprof", 300, 0)))
	})
	t.Run("first", func(t *testing.T) {
		t.Logf("first frame of 20 MB: %.2f s (at most 2)", first(t, recordedBusy(t, 20e6)))
	})
	t.Run("live", drawLive)
}

// size prints what a browser loads.
func size(t *testing.T) {
	v := must.Get(viewer())(t)
	t.Logf("the program: %d bytes gzipped (at most %d)", len(v.Program), mostProgram)
}

// drawLive prints the script time of pictures of the program while it runs. It is that of all goroutines that run until
// the picture is there: also that of frames which have come meanwhile.
func drawLive(t *testing.T) {
	v := must.Get(viewer())(t)
	p := browser.Start(t)
	p.Size(1280, 1900, "dark")
	p.Before(measuresPictures)
	var now atomic.Int64 // the pauses take no time: frames are full of scopes
	platform.SetClock(func() int64 { return now.Add(100) }, 1e9)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	s, step := busy()
	e := serving(t, s, step, 16*time.Millisecond)
	u := opened(t, p, web.New([]web.Item{{Name: e.Address, Address: e.Address, Program: e}},
		func(context.Context) (*web.Viewer, error) { return v, nil }))
	drawn := func(pictures int) {
		u.within(5*time.Minute, fmt.Sprint("asked.length > ", pictures), func(is string) bool { return is == "true" })
	}
	drawn(5)
	u.strike("KeyW", "w")
	drawn(80)
	least, usual := middle(t, u.Text("spent.slice(20).join()"))
	t.Logf("script time of a picture: %.1f ms at least, %.1f in the middle (at most 4)", least, usual)
	least, usual = middle(t, u.Text("asked.slice(20).join()"))
	t.Logf("calls out of the program for a picture: %.0f at least, %.0f in the middle", least, usual)
	u.Screenshot("testdata/out/figures.png")
}
