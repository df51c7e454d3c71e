package report

import "fmt"

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
	switch n {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("1 of %d frames was disturbed: the machine gave the processor to other programs", frames)
	}
	return fmt.Sprintf("%d of %d frames were disturbed: the machine gave the processor to other programs", n, frames)
}
