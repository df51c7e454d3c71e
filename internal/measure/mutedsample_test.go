//go:build !iprof_off

package measure

import "testing"

// A frame ends the bursts of the zones that had some in it, and looks at no others.
func TestAFrameEndsTheBurstsThatItHad(t *testing.T) {
	c := useFakeClock(t)
	c.advance(1)
	var f Frame
	frame := func(entries int) {
		w := whole.Begin()
		for range entries {
			s := tiny.Begin()
			c.advance(2)
			s.End()
		}
		w.End()
		c.advance(500)
		collect(t, &f)
	}
	frame(10)
	muteZone(t, "tiny")
	for range 5 {
		frame(1000)
		if len(sampled.fresh) > 0 || len(sampled.all) == 0 {
			t.Fatalf("got %d zones with bursts that no frame has ended, of %d; want none of some", len(sampled.fresh),
				len(sampled.all))
		}
		for _, b := range sampled.all {
			ended := *b
			if ended.EndFrame(); b.number == 0 || ended != *b {
				t.Errorf("got bursts %+v after a frame; want them among the earlier ones, as in %+v", *b, ended)
			}
		}
	}
}
