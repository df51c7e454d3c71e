package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/viewer"
)

// The card says whether its hot lines are of the frame shown alone, and its words fit a small window.
func TestTheCardSaysOfWhatItsHotLinesAre(t *testing.T) {
	for name, c := range map[string]struct {
		ofFrame bool
		want    string
	}{
		"of some seconds": {false, "hot lines: 412 samples, 10 % in no zone"},
		"of the frame":    {true, "frame: 412 samples, 10 % in no zone"},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDemo()
			p := panelOf(d, viewer.PanelFull)
			paused(d, p)
			d.view.Cursor, d.coded, d.hot = rowNamed(d, "physics_solve"), true, d.hotLines()
			d.hot.OfFrame = c.ofFrame
			p.Change(func(o *viewer.Options) { o.Source = d.source })
			p.Run("source")
			settled(t, p, 960, 540, 1)
			if words := wordsOf(p, 960, 540); !slices.Contains(words, c.want) {
				t.Errorf("got %q; want %q", words, c.want)
			}
		})
	}
}
