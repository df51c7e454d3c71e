//go:build !iprof_off

package viewer_test

import (
	"strings"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/viewer"
)

// TestAScreenSaysWhatItWaitsFor: without frames, and in place of advice to a program.
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
