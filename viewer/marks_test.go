package viewer_test

import (
	"fmt"
	"strings"

	"example.com/iprof/process/report"
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
