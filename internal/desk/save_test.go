package desk_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/input"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/desk"
	"example.com/iprof/internal/must"
)

// A capture that was saved is the first of the recent files.
func TestASavedCaptureIsRecent(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip(err)
	}
	out := t.TempDir()
	d := desk.New(desk.Options{Out: out, Limits: budget.Usual, Lines: io.Discard}, desk.Host{
		Wake: func() {}, Title: func(string) {}, Scale: func() float32 { return 1 },
		Size: func() (int, int) { return 800, 600 }})
	defer d.Close()
	must.Do(t, d.Open(d.NewTab("a"), "../../capture/testdata/v1.7.iprof"))
	d.Key('S', input.ActionPress, input.ModControl|input.ModShift)
	d.Save()
	list := must.Get(os.ReadFile(filepath.Join(cache, "iprof", "recent")))(t)
	newest, _, _ := strings.Cut(string(list), "\n")
	if filepath.Dir(newest) != out || filepath.Ext(newest) != ".iprof" {
		t.Errorf("got %q first; want the file in %s", newest, out)
	}
}
