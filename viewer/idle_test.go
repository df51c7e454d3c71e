package viewer_test

import (
	"slices"
	"strings"
	"testing"

	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
	"example.com/iprof/viewer/hit"
)

// Zones that wait are one row at the end of a list. A click or Enter opens it.
func TestIdleZonesAreOneRowThatOpens(t *testing.T) {
	s := newWaiting(t, 133.7)
	p, _ := waitingWords(s)
	rows := func() []string {
		settled(t, p, 1280, 720, 1)
		var names []string
		for _, line := range strings.Split(strings.TrimSpace(p.TableText()), "\n")[1:] {
			name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
			names = append(names, name)
		}
		return names
	}
	folded := []string{"draw", "simulate", "(root)", "waiting"}
	got := rows()
	if slices.Contains(got, "vsync") || slices.Contains(got, "receive") || got[len(got)-1] != "waiting" {
		t.Errorf("at first: got %q; want %q", got, folded)
	}
	var fold viewer.Hit
	find(t, p, func(h viewer.Hit) bool { fold = h; return h.Kind == hit.Package })
	viewer.Press(p, fold)
	got = rows()
	if n := len(got); n < 3 || !slices.Equal(got[n-3:], []string{"waiting", "receive", "vsync"}) {
		t.Errorf("opened: got %q; want receive and vsync below waiting", got)
	}
	viewer.Press(p, fold)
	s.View().SetCursor(1000) // on an idle zone, as the row that hides it
	if rows(); !p.State().CursorFolded {
		t.Error("cursor on an idle zone: got its row open; want it folded")
	}
	p.Run("select")
	if got = rows(); !slices.Contains(got, "vsync") {
		t.Errorf("Enter on the row: got %q; want it open", got)
	}
}

// Trees and call graphs have the same row.
func TestIdleZonesOfATreeAreOneRow(t *testing.T) {
	for mode, want := range map[report.ReportMode][]string{
		report.ReportCallTree:  {"draw", "simulate", "waiting"},
		report.ReportCallGraph: {"(root)", "draw", "simulate", "waiting"},
	} {
		t.Run(strings.ReplaceAll(want[0], "(root)", "graph"), func(t *testing.T) {
			s := newWaiting(t, 133.7)
			s.View().SetReportMode(mode)
			p, _ := waitingWords(s)
			settled(t, p, 1280, 720, 1)
			var got []string
			for _, line := range strings.Split(strings.TrimSpace(p.TableText()), "\n")[1:] {
				name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				got = append(got, strings.TrimLeft(name, "+- "))
			}
			if !slices.Equal(got, want) {
				t.Errorf("got %q; want %q", got, want)
			}
			if mode == report.ReportCallTree {
				pictured(t, "waiting.tree", p)
			}
		})
	}
}
