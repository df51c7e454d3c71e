package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer/hit"
)

// marked adds marks to the demo: one at an age, many in the frame of the spike, and hostile ones.
func marked(d *demo) {
	add := func(age int, at float64, text string) {
		d.marks = append(d.marks, report.MarkInSight{Age: age,
			FrameMark: report.FrameMark{Frame: d.memory[demoFrames-1-age].Index, At: at, Text: text}})
	}
	add(250, 1, "saved")
	add(133, 0.5, "\x1b[2J\n\u202e"+strings.Repeat("long ", 50))
	add(132, 4.25, "level loaded")
	for i := range 6 {
		add(demoSpike, 3+float64(i)/2, fmt.Sprintf("WARN connection lost\ntry=%d %s", i, strings.Repeat("x", 300)))
	}
	add(12, 1, "")
}

// The number of a column that the scale does not reach lies beside the flag of a mark on that column.
func TestTheNumberOfACutColumnLiesBesideItsFlag(t *testing.T) {
	s := newSteps(t, 100, "update")
	for i := range 100 {
		if i != 50 {
			s.frame(4)
			continue
		}
		s.marks = []gather.MarkInfo{{Text: "level loaded"}}
		s.frame(400)
	}
	p := s.panel()
	words := settled(t, p, 1280, 720, 1).AppendWords(nil)
	from, to, y := float32(1280), float32(0), topOf(p, [2]float32{1280, 720}, hit.Graph)+20
	for x := float32(0); x < 1280; x += 0.5 {
		if h := p.HitAt(x, y); h.Kind == hit.Graph && h.Age == 49 {
			from, to = min(from, x), max(to, x)
		}
	}
	flag, found := (from+to)/2, false
	for _, w := range words {
		if w.Face == draw.FaceTiny && w.Text == "400 ms" {
			if found = true; w.X0 < flag+8 && w.X1 > flag {
				t.Errorf("got the number from %v to %v; want it beside the flag at %v", w.X0, w.X1, flag)
			}
		}
	}
	if !found {
		t.Errorf("got no number of 400 ms; want it beside the column from %v to %v", from, to)
	}
}
