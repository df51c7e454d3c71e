//go:build !iprof_off

package desk_test

import (
	"fmt"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	"example.com/iprof/gather"
	"example.com/iprof/input"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// hitch is what makes a frame of a game slow, and what is known of it: the function, its place in this folder, and
// words that say why, without an execution trace and with one. A place or function of "" is not known.
type hitch struct {
	name          string
	plant         func(g *game, p *turn)
	function      any
	without, with string
	place         string // with a trace, if it is another than the function's
}

// noTrace says what to record.
const noTrace = "it did not run for 1?0.?: an execution trace (exectrace.Watch) would show why"

var hitches = []hitch{
	{"busy loop", func(g *game, p *turn) { p.render = 90 * ms }, (*game).render,
		"render 90.0 (usually 4.0)", "render 90.0 (usually 4.0)", ""},
	{"many calls", func(g *game, p *turn) { p.calls = 200 }, (*game).pathfind,
		"called 200 times instead of 4", "called 200 times instead of 4", ""},
	{"first load", func(g *game, p *turn) { p.level = func() { g.work(80 * ms) } }, (*game).level,
		"level 80.0 (usually not called)", "level 80.0 (usually not called)", ""},
	{"lock", func(g *game, p *turn) {
		p.spawn = func() {
			g.stand(100*ms, gather.LaneState{Kind: gather.StateWaiting, Reason: "mutex", Waker: g.loader,
				Place: "game.go:9", At: "load.go:31"})
		}
	}, (*game).spawn, noTrace,
		"it waited for mutex for 100.0 (usually not), released by loader at load.go:31", "load.go:31"},
	{"disk", func(g *game, p *turn) {
		p.spawn = func() { g.stand(100*ms, gather.LaneState{Kind: gather.StateSyscall, Place: "save.go:7"}) }
	}, (*game).spawn, noTrace, "it was in a system call for 100.0 (usually not) at save.go:7", "save.go:7"},
	{"channel", func(g *game, p *turn) {
		p.spawn = func() {
			g.stand(100*ms, gather.LaneState{Kind: gather.StateWaiting, Reason: "chan receive", Waker: g.loader,
				Place: "game.go:9", At: "load.go:40"})
		}
	}, (*game).spawn, noTrace,
		"it waited for chan receive for 103.0 (usually 3.0), ended by loader at load.go:40", "load.go:40"},
	{"sleep", func(g *game, p *turn) {
		p.spawn = func() {
			g.stand(100*ms, gather.LaneState{Kind: gather.StateWaiting, Reason: "sleep", Place: "game.go:12"})
		}
	}, (*game).spawn, noTrace, "it waited for sleep for 100.0", "game.go:12"},
	{"late worker", func(g *game, p *turn) { p.decode = 90 * ms }, (*game).decode,
		"loader was in decode for 90.0 (usually 3.0)", "loader was in decode for 90.0 (usually 3.0)", ""},
	{"GPU", func(g *game, p *turn) { p.shadow, p.present = 95*ms, 90*ms }, nil,
		"The GPU worked longer: GPU shadow 95.0 (usually 3.0)", "The GPU worked longer: GPU shadow 95.0", ""},
	{"collector", func(g *game, p *turn) {
		p.render += 60 * ms
		p.extra = func(f *gather.Frame) { f.Memory.Pause, f.Memory.Cycles = 60*time.Millisecond, 1 }
	}, (*game).render, "The garbage collector stopped it for 60.0", "The garbage collector stopped it for 60.0", ""},
	{"allocation", func(g *game, p *turn) {
		p.render += 60 * ms
		p.extra = func(f *gather.Frame) {
			f.Memory.AllocBytes, f.Memory.Cycles, f.Memory.Assist = 180e6, 5, 30*time.Millisecond
		}
	}, (*game).render, "180.0 MB were allocated", "180.0 MB were allocated", ""},
	{"other programs", func(g *game, p *turn) {
		p.render += 60 * ms
		p.extra = func(f *gather.Frame) {
			f.Away = gather.Away{Time: 60 * time.Millisecond, Known: gather.AwayExact}
		}
	}, nil, "gave the processor to other programs for 60.0", "gave the processor to other programs for 60.0", ""},
}

// place returns the place of a function's first statement, which enters its zone.
func place(function any) string {
	pc := reflect.ValueOf(function).Pointer()
	file, line := runtime.FuncForPC(pc).FileLine(pc)
	return fmt.Sprintf("%s:%d", filepath.Base(file), line+1)
}

// name returns the name of a function as the screen has it.
func name(function any) string {
	name := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	return name[strings.LastIndexByte(name, '/')+1:]
}

// A capture of each planted hitch opens with the function, the reason and the line as text in the upper half of the
// window, without a key. What only a trace knows, the text says how to record.
func TestACaptureOfEachHitchOpensWithItsAnswer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for i := range hitches {
		for _, traced := range []bool{false, true} {
			h := &hitches[i]
			t.Run(h.name+map[bool]string{true: ", traced"}[traced], func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "game.iprof")
				slow := play(t, path, h, traced)
				d, _ := window(t, nil)
				d.NewTab("first")
				begin := time.Now()
				d.ShowFile(path)
				p := d.Tab().Panel()
				for j, size := range [][2]float32{{1280, 720}, {800, 500}, {3840, 2160}, {390, 844}} {
					text := upperHalf(d.Watch, p, size[0], size[1])
					if j == 0 {
						t.Logf("function, reason and line after %.3f s", time.Since(begin).Seconds())
					}
					h.compare(t, text, size, traced)
				}
				var page strings.Builder
				must.Do(t, html.Write(&page, d.Tab().Session().Dump(report.DumpPage), html.Options{}))
				h.compare(t, firstSection(page.String()), [2]float32{}, traced)
				if got := d.Tab().Session().View().Info().Index; got != slow {
					t.Errorf("got frame %d; want %d", got, slow)
				}
				d.Key(input.KeyEscape, input.ActionPress, 0)
				if p.State().Answer {
					t.Error("it is still drawn after Escape")
				}
			})
		}
	}
}

// compare compares the text of a window with what was planted.
func (h *hitch) compare(t *testing.T, text string, size [2]float32, traced bool) {
	reason, at := h.without, ""
	if traced {
		reason, at = h.with, h.place
	}
	if at == "" && h.function != nil {
		at = place(h.function)
	}
	if h.function != nil && !strings.Contains(text, name(h.function)) {
		t.Errorf("%v: got\n%s\nwant the function %s", size, text, name(h.function))
	}
	text = strings.ReplaceAll(text, "\n", " ") // the sentence may have several lines
	for _, want := range append(strings.Split(reason, "?"), at) {
		if !strings.Contains(text, want) {
			t.Errorf("%v: got\n%s\nwant %q", size, text, want)
		}
	}
}

// firstSection returns the words of the first section of a page.
func firstSection(page string) string {
	_, page, _ = strings.Cut(page, "<section")
	page, _, _ = strings.Cut(page, "</section>")
	return regexp.MustCompile("<[^>]*>").ReplaceAllString("<"+page, "")
}

// upperHalf returns the texts in the upper half of a window at rest, a line each.
func upperHalf(watch func(), p *viewer.Panel, width, height float32) string {
	var l draw.List
	for range 200 {
		l.Reset()
		watch()
		if p.Draw(&l, width, height, 1); !p.Settling() {
			break
		}
	}
	var lines strings.Builder
	for _, w := range l.AppendWords(nil) {
		if w.Baseline < height/2 {
			fmt.Fprintln(&lines, w.Text)
		}
	}
	return lines.String()
}
