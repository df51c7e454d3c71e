package draw_test

import (
	"image/color"
	"testing"

	"example.com/iprof/draw"
)

// What was drawn can be read: in each face, at each scale, with spaces, symbols and numbers.
func TestAppendWordsReadsTexts(t *testing.T) {
	for _, scale := range []float32{1, 1.5, 2, 3} {
		var l draw.List
		l.Begin(scale)
		want := []string{"Frame 1237: +105 ms.", "sprites 121.7 (usually 3.5)", "ø 16.67 −3 µs…", "left", "right"}
		for i, s := range want[:3] {
			l.Text(10.3, float32(20+30*i), draw.FaceText, s, color.NRGBA{255, 255, 255, 255})
			l.Rect(0, 0, 5, 5, color.NRGBA{1, 2, 3, 255})
		}
		l.Text(10, 200, draw.FaceMono, want[3], color.NRGBA{255, 255, 255, 255})
		l.Text(300, 200, draw.FaceMono, want[4], color.NRGBA{255, 255, 255, 255})
		got := l.AppendWords(nil)
		if len(got) != len(want) {
			t.Fatalf("scale %v: got %d texts, %v; want %d", scale, len(got), got, len(want))
		}
		for i := range want {
			if got[i].Text != want[i] {
				t.Errorf("scale %v: got %q; want %q", scale, got[i].Text, want[i])
			}
		}
	}
}
