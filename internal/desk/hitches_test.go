//go:build !iprof_off

package desk_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"example.com/iprof/draw"
	"example.com/iprof/draw/html"
	"example.com/iprof/input"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/planted"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// A capture of each planted hitch opens with the function, the reason and the line as text in the upper half of the
// window, without a key. What only a trace knows, the text says how to record.
func TestACaptureOfEachHitchOpensWithItsAnswer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for i := range planted.Hitches {
		for _, traced := range []bool{false, true} {
			h := &planted.Hitches[i]
			t.Run(h.Name+map[bool]string{true: ", traced"}[traced], func(t *testing.T) {
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
					compare(t, h, text, size, traced)
				}
				var page strings.Builder
				must.Do(t, html.Write(&page, d.Tab().Session().Dump(report.DumpPage), html.Options{}))
				compare(t, h, firstSection(page.String()), [2]float32{}, traced)
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
func compare(t *testing.T, h *planted.Hitch, text string, size [2]float32, traced bool) {
	function, words := h.Words(traced)
	if !strings.Contains(text, function) {
		t.Errorf("%v: got\n%s\nwant the function %s", size, text, function)
	}
	text = strings.ReplaceAll(text, "\n", " ") // the sentence may have several lines
	for _, want := range words {
		if !strings.Contains(text, want) {
			t.Errorf("%v: got\n%s\nwant %q", size, text, want)
		}
	}
}

// play plays a game with a hitch into a file. It returns the index of the slow frame.
func play(t *testing.T, path string, h *planted.Hitch, traced bool) (slow uint64) {
	file := must.Get(os.Create(path))(t)
	slow = must.Get(planted.Play(file, h, traced))(t)
	must.Do(t, file.Close())
	return slow
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
