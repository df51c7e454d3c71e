package report

import (
	"fmt"

	"example.com/iprof/internal/printed"
)

// Disturbed returns the number of disturbed frames: see FrameSummary.Disturbed.
func Disturbed(frames []FrameSummary) (n int) {
	for i := range frames {
		if frames[i].Disturbed() {
			n++
		}
	}
	return n
}

// DisturbedWords returns a sentence without its end that says how many frames were disturbed: "38 of 200 frames were
// disturbed: the machine gave the processor to other programs". It is "" for none.
func DisturbedWords(n, frames int) string {
	was := "were"
	switch n {
	case 0:
		return ""
	case 1:
		was = "was"
	}
	return fmt.Sprintf("%d of %s %s disturbed: the machine gave the processor to other programs", n,
		printed.Count(frames, "frame"), was)
}
