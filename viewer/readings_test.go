//go:build !iprof_off

package viewer_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// beside returns the number at the right of a name, on its line.
func beside(l *draw.List, name string) string {
	words := l.AppendWords(nil)
	for _, a := range words {
		for _, b := range words {
			if a.Text == name && b.X0 > a.X1 && b.X0 < a.X1+260 && math.Abs(float64(a.Baseline-b.Baseline)) < 2 {
				return b.Text
			}
		}
	}
	return ""
}

// Each series has its value in the frame that the mouse points at.
func TestValuesAreThoseOfTheFrameUnderTheMouse(t *testing.T) {
	const frames = 60
	_, p := raggedRun(t, frames)
	p.Change(func(o *viewer.Options) { o.Strip = viewer.StripValues })
	settled(t, p, 1280, 720, 1)
	seen := map[int]bool{}
	for x := float32(0); x < 1280; x += 3 {
		y := float32(150)
		h := p.HitAt(x, y)
		if h.Kind != hit.Graph || seen[h.Age] || h.Age >= frames {
			continue
		}
		p.SetHover(x, y)
		l := settled(t, p, 1280, 720, 1)
		seen[h.Age] = true
		i := frames - 1 - h.Age
		shots := beside(l, "shots")
		entities := beside(l, "entities")
		if shots != strconv.Itoa(i%7) ||
			entities != strconv.Itoa(i) {
			t.Errorf("age %d: got %s shots, %s entities; want %d and %d", h.Age, shots, entities, i%7, i)
		}
	}
	if len(seen) < frames/3 {
		t.Errorf("got %d ages; want a third of %d", len(seen), frames)
	}
}

// Each age below the history is centred on the left edge of the frame that follows the one so old, all ages are
// multiples of one step, and they keep apart.
func TestAgesStandAtTheirFrames(t *testing.T) {
	number := regexp.MustCompile(`^-\d+$`)
	for _, size := range [][2]float32{{480, 320}, {640, 360}, {800, 480}, {1280, 720}, {1920, 1080}} {
		for _, frames := range []int{5, 60, 299} {
			t.Run(fmt.Sprint(size, frames), func(t *testing.T) {
				_, p := raggedRun(t, frames)
				l := settled(t, p, size[0], size[1], 1)
				var axis float32
				for y := float32(0); y < size[1]; y++ {
					if p.HitAt(size[0]/2, y).Kind == hit.Axis {
						axis = y
						break
					}
				}
				first := map[int]float32{}
				step := 0
				last := float32(size[0])
				n := 0
				for x := float32(0); x < size[0]; x += 0.25 {
					if h := p.HitAt(x, axis); h.Kind == hit.Axis {
						if _, known := first[h.Age]; !known {
							first[h.Age] = x
						}
					}
				}
				for _, w := range l.AppendWords(nil) {
					below := w.Baseline >= axis && w.Baseline <= axis+24
					if w.Face != draw.FaceTiny || !number.MatchString(w.Text) || !below {
						continue
					}
					age, _ := strconv.Atoi(w.Text[1:])
					if n++; step == 0 {
						step = age
					}
					middle := (w.X0 + w.X1) / 2
					if at := first[age-1]; math.Abs(float64(middle-at)) > 1.5 && at > first[frames-1]+20 {
						t.Errorf("%s: got it at %v; want %v", w.Text, middle, at)
					}
					if age%step != 0 || last-w.X1 < 11 {
						t.Errorf("%s: step %d, ends %v before the next", w.Text, step, last-w.X1)
					}
					last = w.X0
				}
				if n == 0 || n > 5 {
					t.Errorf("got %d ages", n)
				}
			})
		}
	}
}

// The command prints a cause's time beside the usual one, but of what has no usual time.
func TestWhyComparesTimesAndCalls(t *testing.T) {
	for _, c := range plantedCauses {
		s, p := plantCause(t, c.plant, false)
		var v report.Verdict
		s.VerdictOf(&v, 0)
		want := 0
		for i := range v.Causes {
			of := &v.Causes[i]
			if of.Path > 0 && of.Kind != report.CauseCollector && of.Kind != report.CauseLargest {
				want++
			}
		}
		var out strings.Builder
		why, _ := p.Command("why")
		why.Run(s, &out, "")
		if got := strings.Count(out.String(), ", calls "); got != want {
			t.Errorf("%s: got %d comparisons; want %d\n%s", c.name, got, want, &out)
		}
	}
}

// aRecording is a program whose recording has newer frames than the history.
type aRecording struct {
	*demo
	newer int
}

func (r *aRecording) Snapshot(dst *process.Snapshot, o process.SnapshotOptions) {
	r.snapshot(r.demo, dst, o)
	dst.Past.Behind = r.newer
}

// The ages below a part of a recording count the frames after it, too.
func TestAgesCountFromTheNewestFrame(t *testing.T) {
	ages := func(newer int) map[int]int {
		p := viewer.PanelOf(&aRecording{newDemo(), newer})
		p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelFull })
		return agesOn(settled(t, p, 1280, 720, 1))
	}
	first := ages(0)
	if len(first) < 3 {
		t.Fatalf("got the ages %v; want some", first)
	}
	for _, newer := range []int{1, 40, 300} {
		seen := 0
		for at, age := range ages(newer) {
			if was, ok := first[at]; ok {
				if seen++; age != was+newer {
					t.Errorf("%d newer frames: got the age %d; want %d", newer, age, was+newer)
				}
			}
		}
		if seen < 2 {
			t.Errorf("%d newer frames: got %d ages at the same places; want most", newer, seen)
		}
	}
}

// agesOn returns the ages below the history by their place, in tens of pixels.
func agesOn(l *draw.List) map[int]int {
	ages := map[int]int{}
	for _, w := range l.AppendWords(nil) {
		if age, err := strconv.Atoi(w.Text); err == nil && age < 0 && w.Face == draw.FaceTiny {
			ages[int((w.X0+w.X1)/2+5)/10] = -age
		}
	}
	return ages
}

// A reset while paused is explained as such.
func TestPausedResetDoesNotAskForUpdate(t *testing.T) {
	s := newSteps(t, 300, "work")
	s.frame(8)
	p := s.panel()
	s.Pause()
	s.Reset()
	paused := len(settled(t, p, 1280, 720, 1).V)
	s.Resume()
	if asks := len(settled(t, p, 1280, 720, 1).V); asks <= paused {
		t.Errorf("got %d vertices paused, %d running; want no lines of code to copy while paused", paused, asks)
	}
}

// After a reset of a paused session, the panel does not advise a call of Update.
func TestResetWhilePausedDoesNotScold(t *testing.T) {
	s, p := replayed(t)
	s.Pause()
	s.Reset()
	for mode := viewer.PanelHUD; mode <= viewer.PanelFull; mode++ {
		p.Change(func(o *viewer.Options) { o.Mode = mode })
		said := false
		for _, w := range laidOut(p, 1120, 600).AppendWords(nil) {
			said = said || strings.Contains(strings.ToLower(w.Text), "paused, and nothing is kept")
			if strings.Contains(w.Text, "Update") {
				t.Errorf("mode %d: got %q", mode, w.Text)
			}
		}
		if !said {
			t.Errorf("mode %d: the screen does not say that it is paused", mode)
		}
	}
}

func TestAScreenSaysWhatItWaitsFor(t *testing.T) {
	p := viewer.PanelFor(process.NewSession())
	for mode := viewer.PanelHUD + 1; mode <= viewer.PanelFull; mode++ {
		for _, why := range []string{"Not connected: connection refused", ""} {
			p.Change(func(o *viewer.Options) { o.Mode, o.Waiting = mode, why })
			var text strings.Builder
			for _, w := range laidOut(p, 1120, 600).AppendWords(nil) {
				text.WriteString(w.Text + " ")
			}
			if said := strings.Contains(text.String(), "connection refused"); said != (why != "") ||
				strings.Contains(text.String(), "Mark what is") != (why == "") {
				t.Errorf("mode %d, waiting %q: got %q", mode, why, text.String())
			}
		}
	}
}
