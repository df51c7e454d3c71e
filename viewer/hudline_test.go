package viewer_test

import (
	"fmt"
	"strings"
	"testing"

	"example.com/iprof/viewer"
)

// The line of the HUD has the length that 99 % of the frames do not exceed.
func TestTheLineHasP99(t *testing.T) {
	s, p := replayed(t)
	p.Change(func(o *viewer.Options) { o.Mode = viewer.PanelHUD })
	want := fmt.Sprintf("%.1f", s.Info().P99)
	var words []string
	for _, w := range laidOut(p, 1120, 80).AppendWords(nil) {
		words = append(words, strings.TrimSpace(w.Text))
	}
	if line := strings.Join(words, " "); !strings.Contains(line, "p99 "+want) {
		t.Errorf("got %q; want p99 %s", line, want)
	}
}
