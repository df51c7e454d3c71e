package desk

import (
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"example.com/iprof/draw"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// homeless gives the test a folder of settings and one of caches, and returns the path of the settings.
func homeless(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"XDG_CONFIG_HOME", "XDG_CACHE_HOME", "HOME", "AppData", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	name := must.Get(SettingsFile())(t)
	return name
}

// TestSettingsComeBack: the next start reads the settings that were saved. Damaged settings are as at a first start.
func TestSettingsComeBack(t *testing.T) {
	name := homeless(t)
	if s := LoadSettings(); !reflect.DeepEqual(s, Settings{}) {
		t.Errorf("no file: got %+v; want nothing", s)
	}
	want := Settings{&Place{10, 20, 800, 600, true}, 1.25, "light", []string{"self_ms", "bar"}, []string{"/a", "b:1"},
		[]string{"render"}, []string{"main", "loader"}}
	must.Do(t, want.Save())
	if got := LoadSettings(); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v; want %+v", got, want)
	}
	for _, text := range []string{"", "{", "[]", `{"tabs":7}`} {
		must.Do(t, os.WriteFile(name, []byte(text), 0o600))
		if got := LoadSettings(); !reflect.DeepEqual(got, Settings{}) {
			t.Errorf("%q: got %+v; want nothing", text, got)
		}
	}
}

// TestSettingsDressPanels: theme, scale and columns by their names; what is not known is passed over.
func TestSettingsDressPanels(t *testing.T) {
	s := Settings{Scale: 1.5, Theme: "light", Columns: []string{"count", "spark", "nothing", "", "zone"}}
	var o viewer.Options
	s.dress(&o)
	want := []report.Column{report.ColumnCount, viewer.ColumnSpark}
	if o.Scale != 1.5 || o.Theme != draw.ThemeLight || !slices.Equal(o.Columns, want) {
		t.Errorf("got scale %v, theme %v, columns %v; want 1.5, light, %v", o.Scale, o.Theme, o.Columns, want)
	}
	s.KeptZones, s.KeptLanes = []string{"render"}, []string{"loader"}
	if s.dress(&o); !slices.Equal(o.KeptZones, s.KeptZones) || !slices.Equal(o.KeptLanes, s.KeptLanes) {
		t.Errorf("kept: got %q and %q; want %q and %q", o.KeptZones, o.KeptLanes, s.KeptZones, s.KeptLanes)
	}
	s = Settings{Theme: "mauve"}
	if s.dress(&o); o.Scale != 1 || o.Theme != draw.ThemeDark || o.Columns != nil {
		t.Errorf("a first start: got scale %v, theme %v, columns %v; want the usual ones", o.Scale, o.Theme, o.Columns)
	}
}

// TestAWindowIsPutWhereItIsFound: on any monitor, but not beside all of them, nor with sides that no window has.
func TestAWindowIsPutWhereItIsFound(t *testing.T) {
	monitors := []image.Rectangle{image.Rect(0, 0, 1920, 1080), image.Rect(-1280, 0, 0, 1024)}
	for p, want := range map[Place]bool{
		{100, 100, 800, 600, false}:      true,
		{-1200, 50, 800, 600, false}:     true,
		{1900, 100, 800, 600, false}:     false,
		{100, 1070, 800, 600, false}:     false,
		{100, -500, 800, 600, false}:     false,
		{100, 100, 10, 600, false}:       false,
		{100, 100, 1 << 40, 600, false}:  false,
		{-1 << 62, 100, 800, 600, false}: false,
	} {
		if got := p.OnScreen(monitors); got != want {
			t.Errorf("%+v: got %v; want %v", p, got, want)
		}
	}
}

// TestFoldersWithSourcesArePrograms: the prompt for a program goes into other folders.
func TestFoldersWithSourcesArePrograms(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a[b]*")
	must.Do(t, os.Mkdir(dir, 0o700))
	if hasSources(dir) {
		t.Error("an empty folder has sources")
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "main.go"), nil, 0o600))
	if !hasSources(dir) {
		t.Error("a folder with main.go has no sources")
	}
}

// TestPromptCompletes: Tab completes folders and captures; other files are not offered.
func TestPromptCompletes(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.Mkdir(filepath.Join(dir, "folder"), 0o700))
	for _, name := range []string{"game-1.iprof", "game-2.iprof", "game.txt"} {
		must.Do(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	var opened string
	var p prompt
	q := question{"", func(text string) []string { return completions(text, true) }, isFolder,
		func(path string) { opened = path }}
	p.ask(q)
	p.set(filepath.Join(dir, "ga"))
	p.complete()
	if want := filepath.Join(dir, "game-"); p.text != want || len(p.lines) != 2 {
		t.Errorf("got %q, %q; want %q and two files", p.text, p.lines, want)
	}
	p.at = 1
	p.enter()
	if want := filepath.Join(dir, "game-2.iprof"); opened != want || p.open {
		t.Errorf("opened %q, still open: %t; want %q", opened, p.open, want)
	}
	p.ask(q)
	p.set(filepath.Join(dir, "fo"))
	p.complete()
	if want := filepath.Join(dir, "folder") + string(filepath.Separator); p.text != want {
		t.Errorf("got %q; want %q", p.text, want)
	}
	if p.enter(); !p.open {
		t.Error("a folder was opened as a file")
	}
}
