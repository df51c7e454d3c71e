package api_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"example.com/iprof"
	"example.com/iprof/internal/must"
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

// log has the lines that LogScope writes to standard error.
type log struct {
	t *testing.T
	f *os.File
}

// logTo lets a test see the log.
func logTo(t *testing.T) *log {
	if !iprof.Enabled {
		t.Skip("nothing is logged")
	}
	f := must.Get(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	before := os.Stderr
	os.Stderr = f
	t.Cleanup(func() {
		os.Stderr = before
		f.Close()
	})
	return &log{t, f}
}

// taken returns what was written since the last call.
func (l *log) taken() string {
	l.t.Helper()
	text, err := os.ReadFile(l.f.Name())
	_, at := l.f.Seek(0, io.SeekStart)
	must.Do(l.t, errors.Join(err, at, l.f.Truncate(0)))
	return string(text)
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
			func() {
				defer iprof.LogScope("load").End()
				move(test.took)
			}()
			if got := b.taken(); got != test.want {
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
		s := iprof.LogScope("load")
		now += ticks
		s.End()
		if got, want := b.taken(), fmt.Sprintf("load took %s (%d ticks)\n", want, ticks); got != want {
			t.Errorf("got %q; want %q", got, want)
		}
	}
}

func TestLogScopeHostileNames(t *testing.T) {
	b := logTo(t)
	for _, name := range sampledump.HostileNames {
		iprof.LogScope(name).End()
		if got := b.taken(); strings.Count(got, "\n") != 1 || len(got) > 1000 ||
			strings.ContainsFunc(got, func(r rune) bool { return r != '\n' && r < ' ' || r == 0x202e || r == 0x7f }) {
			t.Errorf("got %.300q; want one harmless line", got)
		}
	}
}

func TestLogScopeNeverStopsTheProgram(t *testing.T) {
	b := logTo(t)
	b.f.Close()
	iprof.LogScope("to a closed file").End()
	os.Stderr = nil
	iprof.LogScope("to no file").End()
}

// Lines of several goroutines stay apart.
func TestLogScopeFromManyGoroutines(t *testing.T) {
	b := logTo(t)
	var all sync.WaitGroup
	for range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			for range 50 {
				iprof.LogScope("one of many").End()
			}
		}()
	}
	all.Wait()
	if got := len(regexp.MustCompile(`(?m)^one of many took [0-9.]+ [a-z]+ \([0-9]+ ticks\)$`).FindAllString(b.taken(),
		-1)); got != 400 {
		t.Errorf("got %d whole lines; want 400", got)
	}
}
