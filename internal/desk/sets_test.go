package desk

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/budget"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
)

// A capture with sets of frames has a tab for each, which the user chooses like others. A name with #set= opens one.
func TestEachSetHasATab(t *testing.T) {
	data := must.Get(os.ReadFile("../../capture/testdata/v1.7.iprof"))(t)
	r := must.Get(framefile.NewReader(bytes.NewReader(data)))(t)
	var b bytes.Buffer
	w := framefile.NewWriter(&b, framefile.Info{Program: "game"})
	var f gather.Frame
	for range 7 {
		must.Do(t, errors.Join(r.Next(&f), w.WriteJudged(&f, r.Judged())))
	}
	must.Get(w.Set("step").Write(data))(t)
	must.Do(t, w.Close())
	path := filepath.Join(t.TempDir(), "game.iprof")
	must.Do(t, os.WriteFile(path, b.Bytes(), 0o600))

	d := window(t, "sample")
	d.options.Limits = budget.Usual
	d.ShowFile(path)
	own := d.tab
	d.turn(1)
	step := d.tab
	for tab, want := range map[*Tab]struct {
		frames uint64
		title  string
	}{own: {7, "IProf · game.iprof"}, step: {20, "IProf · game.iprof · step"}} {
		if got := tab.session.View().Info().Frames; got != want.frames || tab.Title() != want.title {
			t.Errorf("%s: got %d frames; want %d, %s", tab.Title(), got, want.frames, want.title)
		}
	}
	if d.ShowFile(path); d.tab != own || len(d.tabs) != 3 {
		t.Errorf("got the tab %s of %d; want that of the file", d.tab.Title(), len(d.tabs))
	}
	link := d.address(step, "frame=3")
	again := window(t, "sample")
	again.options.Limits = budget.Usual
	again.ShowFile(path + "#set=step&frame=3")
	again.Watch()
	index := again.tab.session.View().Info().Index
	if want := "iprof view '" + path + "#set=step&frame=3'"; index != 3 || link != want || len(again.tabs) != 2 {
		t.Errorf("got frame %d, %s; want frame 3 of the set, %s", index, link, want)
	}
	again.ShowFile(path + "#set=other")
	if len(again.tabs) != 2 {
		t.Error("got a tab of an unknown set; want none")
	}
}
