package platform

import (
	"strings"
	"testing"
)

func TestTheProgramsChoiceGoesFirst(t *testing.T) {
	for _, c := range []struct {
		want      string
		qualifies bool
		use       bool
		why       string
	}{
		{"", true, true, "as asked"},
		{"", false, false, "as asked"},
		{"go", true, false, "IPROF_CLOCK=go"},
		{"counter", false, hasCounter, ""},
		{"hpet\n", true, true, `as asked; IPROF_CLOCK is neither counter nor go: "hpet?"`},
	} {
		t.Run(c.want, func(t *testing.T) {
			use, why := choose(c.want, func() (bool, string) { return c.qualifies, "as asked" })
			if use != c.use || !strings.Contains(why, c.why) {
				t.Errorf("got %v, %q; want %v, %q", use, why, c.use, c.why)
			}
		})
	}
}

func TestUseCounterChangesTheClock(t *testing.T) {
	defer SetClock(nil, 0)
	for _, on := range []bool{true, false} {
		before := Epoch()
		UseCounter(on)
		Now()
		if got := source.Load() == counter; got != (on && hasCounter) || Epoch() == before {
			t.Errorf("UseCounter(%v): got the counter %v, epoch %d after %d", on, got, Epoch(), before)
		}
	}
}
