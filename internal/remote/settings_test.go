package remote_test

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/process"
)

// TestSettingsReachWhoFollows: a number means the same in a program and in a viewer that follows it, also after the
// settings have changed.
func TestSettingsReachWhoFollows(t *testing.T) {
	program := process.NewSession()
	server := httptest.NewServer((&debug.Server{Session: program}).Handler())
	t.Cleanup(server.Close)
	s, _ := followed(t, strings.TrimPrefix(server.URL, "http://"), "")
	for _, driven := range []bool{false, true, false} {
		budget := 20 * time.Millisecond
		if driven {
			budget = 7 * time.Millisecond
		}
		program.SetEventDriven(driven)
		program.SetFrameBudget(budget)
		for range 3 {
			program.Update() // a frame that was under way has the settings from before
		}
		last := program.View().Info().Index
		until(t, "the frames with the settings", func() bool {
			program.Update()
			return s.View().Info().Frames > 0 && s.View().Info().Index > last
		})
		if s.EventDriven() != driven || s.View().Info().Budget != budget {
			t.Errorf("got event-driven %t, budget %v; want %t, %v", s.EventDriven(), s.View().Info().Budget, driven,
				budget)
		}
	}
}
