package main

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/process"
)

// A viewer elsewhere that is paused has the program take the states, and gets them while it is paused.
func TestAPausedViewerElsewhereGetsStates(t *testing.T) {
	s := process.Default()
	s.Reset()
	s.SetFrameBudget(time.Hour) // no frame is slow
	defer s.SetFrameBudget(0)
	watch := must.Get(exectrace.Watch(s))(t)
	defer watch.Stop()
	server := httptest.NewServer((&debug.Server{Session: s, AllowCommands: true}).Handler())
	defer server.Close()
	program := must.Get(remote.New(server.URL, ""))(t)
	ctx, cancel := context.WithCancel(context.Background())
	there, done := process.NewSession(), make(chan struct{})
	go func() { defer close(done); program.Follow(ctx, there, func(follow.State) {}) }()
	defer func() { cancel(); <-done }()
	work := gather.Zone{Name: "work"}
	frame := func() {
		scope := work.Begin()
		time.Sleep(5 * time.Millisecond)
		scope.End()
		s.Update()
	}
	for state, _ := s.Sources().Tracing(); !state.Measured || there.View().Info().Frames < 20; {
		frame() // until the one reading that counts the events is over, too
		state, _ = s.Sources().Tracing()
	}
	there.Reset()
	for there.View().Info().Frames < 20 {
		frame()
	}
	there.Pause()
	known := func() bool {
		for _, q := range there.AppendStates(nil, 10) {
			if q.Reason == "sleep" && q.Lane == measure.OwnLane() {
				return true
			}
		}
		return false
	}
	if known() {
		t.Fatal("it has states before it asks")
	}
	if _, err := program.Command(ctx, "trace take"); err != nil {
		t.Fatal(err)
	}
	for !known() { // the test's own limit ends it
		frame()
	}
}
