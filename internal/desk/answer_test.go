//go:build !iprof_off

package desk_test

import (
	"path/filepath"
	"strings"
	"testing"

	"example.com/iprof/input"
	"example.com/iprof/internal/planted"
	"example.com/iprof/process/report"
)

// A capture opens at its slowest frame, with the verdict drawn, also if that frame is read later. The user's own place
// stays.
func TestACaptureOpensWithItsAnswer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := manyFrames(t, 6000, 5900, 140)
	for _, c := range []struct {
		name   string
		user   []input.Key
		frame  uint64
		answer bool
	}{
		{"nothing", nil, 140, true},
		{"to another frame", []input.Key{input.KeyRight}, 5901, true},
		{"closes it", []input.Key{'D'}, 5900, false},
		{"closes it with Escape", []input.Key{input.KeyEscape}, 5900, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, woken := window(t, nil)
			d.NewTab("first")
			d.ShowFile(path)
			if got := d.Tab().Session().View().Info().Index; got != 5900 {
				t.Errorf("at first: got frame %d; want 5900", got)
			}
			press := func(key input.Key) {
				d.Key(key, input.ActionPress, 0)
				if key == 'D' {
					d.Char('d')
				}
			}
			for _, key := range c.user {
				press(key)
			}
			readAll(d, woken)
			got, q := d.Tab().Session().View().Info().Index, d.Tab().Panel().State()
			if got != c.frame || q.Answer != c.answer {
				t.Errorf("got frame %d, drawn %v; want %d, %v", got, q.Answer, c.frame, c.answer)
			}
			var v report.Verdict
			d.Tab().Session().View().Verdict(&v)
			if c.answer && c.user == nil && !strings.Contains(v.String(), "hit&run #1 30.0") {
				t.Errorf("got %q; want the zone of the slowest frame", v.String())
			}
			for range 2 {
				press('D')
				if again := d.Tab().Session().View().Info().Index; again != got && c.user == nil {
					t.Errorf("after D: got frame %d; want %d, as before", again, got)
				}
			}
		})
	}
}

// A capture whose frames are all within budget, none far longer than usual, opens as its kind does.
func TestACaptureWithoutASlowFrameOpensWithoutAnAnswer(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	path := filepath.Join(t.TempDir(), "game.iprof")
	longer := &planted.Hitch{Plant: func(_ *planted.Game, p *planted.Turn) { p.Render += 2 * planted.MS }}
	slow := play(t, path, longer, false)
	d, _ := window(t, nil)
	d.NewTab("first")
	d.ShowFile(path)
	s, v := d.Tab().Session(), report.Verdict{}
	if !s.VerdictOnSlowest(&v) || v.Index != slow {
		t.Errorf("got %q; want a verdict on frame %d", v.String(), slow)
	}
	if info := s.View().Info(); d.Tab().Panel().State().Answer || info.Age != 0 {
		t.Errorf("got frame %d, drawn; want the newest, not drawn", info.Index)
	}
}
