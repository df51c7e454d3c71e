//go:build !iprof_off

package viewer_test

import (
	"slices"
	"testing"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
	"example.com/iprof/viewer"
)

// The footer has the keys of what is open, and in a file no key that would go on.
func TestTheFooterHasTheKeysOfWhatIsOpen(t *testing.T) {
	for name, c := range map[string]struct {
		finished   bool
		open       func(s *process.Session, p *viewer.Panel)
		want, none []string
	}{
		"running, paused": {open: func(*process.Session, *viewer.Panel) {}, want: []string{"go on", "card", "help"}},
		"file": {true, func(*process.Session, *viewer.Panel) {}, []string{"card"},
			[]string{"go on", "pause"}},
		"file, older": {true, func(s *process.Session, _ *viewer.Panel) { s.View().SetFrame(9) },
			[]string{"newest frame"}, []string{"go on", "pause"}},
		"search": {true, func(_ *process.Session, p *viewer.Panel) { p.Run("find") },
			[]string{"keep what is found", "all rows"}, []string{"find", "card", "help"}},
		"list": {true, func(_ *process.Session, p *viewer.Panel) { p.Run("marks") },
			[]string{"go there", "close the list"}, []string{"card", "open zone"}},
		"menu": {true, func(_ *process.Session, p *viewer.Panel) { p.Run("menu") },
			[]string{"choose it", "close the menu"}, []string{"card", "open zone"}},
	} {
		t.Run(name, func(t *testing.T) {
			s := ofKind(t, report.KindGame)
			p := openWorld(s)
			p.Change(func(o *viewer.Options) { o.Finished = c.finished })
			c.open(s, p)
			var words []string
			for _, w := range settled(t, p, 1280, 720, 1).AppendWords(nil) {
				if w.Baseline > 720-34 {
					words = append(words, w.Text)
				}
			}
			for _, want := range c.want {
				if !slices.Contains(words, want) {
					t.Errorf("got %q; want %q", words, want)
				}
			}
			for _, none := range c.none {
				if slices.Contains(words, none) {
					t.Errorf("got %q; want no %q", words, none)
				}
			}
		})
	}
}

// In a file, Space goes to the newest frame, and does not go on.
func TestSpaceInAFileGoesToItsNewestFrame(t *testing.T) {
	s := ofKind(t, report.KindGame)
	p := openWorld(s)
	p.Change(func(o *viewer.Options) { o.Finished = true })
	s.View().SetFrame(9)
	p.Key(viewer.KeyEvent{Key: "Space"})
	if i := s.View().Info(); i.Age != 0 || !s.Paused() {
		t.Errorf("got age %d, paused %v; want the newest frame, paused", i.Age, s.Paused())
	}
}
