package api_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/internal/sampledump"
	"example.com/iprof/platform"
)

// fakeClock gives a clock of a tick a nanosecond that stands still until it is moved.
func fakeClock(t *testing.T) (move func(nanoseconds int64)) {
	now := int64(1000)
	platform.SetClock(func() int64 { return now }, 1e9)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	return func(nanoseconds int64) { now += nanoseconds }
}

// logTo lets a test see the log.
func logTo(t *testing.T) *bytes.Buffer {
	if !iprof.Enabled {
		t.Skip("nothing is logged")
	}
	var b bytes.Buffer
	iprof.SetLog(&b)
	t.Cleanup(func() { iprof.SetLog(os.Stderr) })
	return &b
}

func TestLogScopeLine(t *testing.T) {
	b := logTo(t)
	move := fakeClock(t)
	for _, test := range []struct {
		took int64
		want string
	}{
		{0, "load took 0 ms (0 ticks)\n"},
		{250, "load took 250 ns (250 ticks)\n"},
		{12_345, "load took 12.35 us (12345 ticks)\n"},
		{16_670_000, "load took 16.67 ms (16670000 ticks)\n"},
		{3_500_000_000, "load took 3.500 s (3500000000 ticks)\n"},
		{-5, "load took 0 ms (0 ticks)\n"},
	} {
		t.Run(fmt.Sprint(test.took), func(t *testing.T) {
			b.Reset()
			func() {
				defer iprof.LogScope("load").End()
				move(test.took)
			}()
			if got := b.String(); got != test.want {
				t.Errorf("after %d ns: got %q; want %q", test.took, got, test.want)
			}
		})
	}
}

// TestLogScopeOfACoarseClock has a counter of 24 MHz: no decimals below its ticks of 41.7 ns.
func TestLogScopeOfACoarseClock(t *testing.T) {
	b := logTo(t)
	now := int64(1000)
	platform.SetClock(func() int64 { return now }, 24e6)
	t.Cleanup(func() { platform.SetClock(nil, 0) })
	for ticks, want := range map[int64]string{
		1: "42 ns", 3: "125 ns", 25: "1.0 us", 3001: "125.0 us", 400_000: "16.67 ms",
	} {
		b.Reset()
		s := iprof.LogScope("load")
		now += ticks
		s.End()
		if got, want := b.String(), fmt.Sprintf("load took %s (%d ticks)\n", want, ticks); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

func TestLogScopeHostileNames(t *testing.T) {
	b := logTo(t)
	for _, name := range sampledump.HostileNames {
		b.Reset()
		iprof.LogScope(name).End()
		if got := b.String(); strings.Count(got, "\n") != 1 || len(got) > 1000 ||
			strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && r < ' ' || r == 0x202e || r == 0x7f }) {
			t.Errorf("got %.300q; want one harmless line", got)
		}
	}
}

type noWriter struct{}

func (noWriter) Write([]byte) (int, error) { return 0, errors.New("full") }

func TestLogScopeNeverStopsTheProgram(t *testing.T) {
	logTo(t)
	iprof.SetLog(noWriter{})
	iprof.LogScope("to a full disk").End()
	iprof.SetLog(nil)
	iprof.LogScope("to nowhere").End()
}

// selfLogging logs each line that it writes.
type selfLogging struct{ text strings.Builder }

func (w *selfLogging) Write(p []byte) (int, error) {
	defer iprof.LogScope("the log's own").End()
	return w.text.Write(p)
}

func TestLogScopeWithAWriterThatLogs(t *testing.T) {
	logTo(t)
	var w selfLogging
	iprof.SetLog(&w)
	done := make(chan bool)
	go func() {
		defer close(done)
		iprof.LogScope("first").End()
		iprof.LogScope("second").End()
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Minute):
		t.Fatal("LogScope waits for itself")
	}
	got := regexp.MustCompile(`took .*`).ReplaceAllString(w.text.String(), "took")
	if want := "first took\nsecond took\n(1 lines logged by the log's own writer were dropped)\n"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

// panicking is a writer with a defect.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("the writer's own") }

func TestLogScopeWithAWriterThatPanics(t *testing.T) {
	b := logTo(t)
	iprof.SetLog(panicking{})
	iprof.LogScope("lost").End()
	iprof.SetLog(b)
	iprof.LogScope("kept").End()
	if got := b.String(); !strings.HasPrefix(got, "kept took ") {
		t.Errorf("got %q; want the line after the panic", got)
	}
}

// Lines of several goroutines stay apart, and SetLog may be called meanwhile.
func TestLogScopeFromManyGoroutines(t *testing.T) {
	b := logTo(t)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				iprof.LogScope("one of many").End()
				iprof.SetLog(b)
			}
		}()
	}
	all.Wait()
	if got := len(regexp.MustCompile(`(?m)^one of many took [0-9.]+ [a-z]+ \([0-9]+ ticks\)$`).FindAllString(b.String(),
		-1)); got != 400 {
		t.Errorf("got %d whole lines; want 400", got)
	}
}
