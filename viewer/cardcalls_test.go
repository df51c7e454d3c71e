package viewer_test

import (
	"math"
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// countedElsewhere is a source of calls of a zone: a thousand of 20 to 49 µs, and one of 100 ms.
type countedElsewhere struct{}

func (countedElsewhere) AppendCalls(dst []gather.Calls) []gather.Calls {
	k := gather.Calls{Lane: 1, Node: 1, Zone: 1}
	for i := range 1000 {
		k.Add(20 + platform.Ticks(i%30))
	}
	k.Add(100_000)
	return append(dst, k)
}

// One long call does not flatten the histogram of calls: its scale is logarithmic, and each power of ten has a label.
func TestOneLongCallDoesNotFlattenTheHistogramOfCalls(t *testing.T) {
	s := process.NewSession()
	s.SetSources(func(c *process.Sources) { c.Calls = countedElsewhere{} })
	f := &gather.Frame{TicksPerSecond: 1e6, End: 200_000, Zones: []gather.ZoneInfo{{Name: "(root)"}, {Name: "search"}},
		Lanes: []gather.LaneFrame{{ID: 1, Updater: true, End: 200_000, Nodes: []gather.Node{{Parent: -1},
			{ID: 1, Zone: 1, Self: 135_000, Count: 1001}}}}}
	words := settled(t, cardOf(t, s, f), 1280, 900, 1).AppendWords(nil)
	var at []float64
	for _, label := range []string{"100 µs", "1.00 ms", "10.0 ms"} {
		i := slices.IndexFunc(words, func(w draw.Words) bool { return w.Text == label })
		if i < 0 {
			t.Fatalf("got no label %q in %v", label, words)
		}
		at = append(at, float64(words[i].X0))
	}
	if steps := at[1] - at[0]; steps < 40 || math.Abs(at[2]-at[1]-steps) > 3 {
		t.Errorf("got labels at %v; want equal steps of at least 40 pixels", at)
	}
}

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
