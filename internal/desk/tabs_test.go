package desk

import (
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/must"
)

// No two tabs have the same title: captures of the same name have their folders, others a number.
func TestTabsAreNamedApart(t *testing.T) {
	d := window(t, "game", "game")
	d.options.Limits = budget.Usual
	data := must.Get(os.ReadFile("../../capture/testdata/v1.7.iprof"))(t)
	for _, folder := range []string{"before", "after", "again/after"} {
		path := filepath.Join(t.TempDir(), folder, "game.iprof")
		must.Do(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must.Do(t, os.WriteFile(path, data, 0o600))
		must.Do(t, d.Open(d.NewTab("game.iprof"), path))
	}
	seen := map[string]bool{}
	for _, tab := range d.tabs {
		if seen[tab.Title()] {
			t.Errorf("got two tabs with the title %q; want them apart", tab.Title())
		}
		seen[tab.Title()] = true
	}
	for _, want := range []string{"IProf · game", "IProf · game (2)", "IProf · game.iprof", "IProf · after/game.iprof",
		"IProf · after/game.iprof (2)"} {
		if !seen[want] {
			t.Errorf("got the titles %v; want %q among them", seen, want)
		}
	}
}
