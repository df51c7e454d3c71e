package main

import (
	"bytes"
	"context"
	"image/png"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"example.com/iprof/debug"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/internal/follow"
	"example.com/iprof/internal/measure"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/workload"
	"example.com/iprof/internal/xvfbtest"
	"example.com/iprof/process"
)

// TestMain makes the test binary be the program itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("WHY_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The program runs with everything on, and its picture has more than one colour.
func TestWhy(t *testing.T) {
	display, file := xvfbtest.Start(t), filepath.Join(t.TempDir(), "why.png")
	c := exec.Command(os.Args[0], "-workload", "sphereflake", "-frames", "150", "-hot", "intersect",
		"-screenshot", file)
	c.Env = append(os.Environ(), "WHY_TEST_MAIN=1", "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	must.Run(t, c)
	data := must.Get(os.ReadFile(file))(t)
	m := must.Get(png.Decode(bytes.NewReader(data)))(t)
	colors := map[any]bool{}
	for x := range m.Bounds().Dx() {
		colors[m.At(x, m.Bounds().Dy()*3/4)] = true
	}
	if len(colors) < 10 {
		t.Errorf("got a picture with %d colours across; want a screen", len(colors))
	}
}

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

// BenchmarkTraced is a frame of each sample program, with and without the execution trace.
func BenchmarkTraced(b *testing.B) {
	for _, name := range []string{"sphereflake", "game", "goroutines"} {
		for _, trace := range []string{"off", "on"} {
			b.Run(name+"/trace="+trace, func(b *testing.B) {
				program := must.Get(workload.New(name, workload.Options{Seed: 1}))(b)
				defer program.Close()
				if trace == "on" {
					watch := must.Get(exectrace.Watch(process.Default()))(b)
					defer watch.Stop()
				}
				for b.Loop() {
					must.Do(b, program.Step(time.Second/60))
					process.Default().Update()
				}
			})
		}
	}
}
