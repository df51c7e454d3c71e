//go:build !iprof_off

package logmark_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"example.com/iprof"
	"example.com/iprof/gather"
	"example.com/iprof/logmark"
)

// Of each goroutine the zones that it has open, and the frame under way.
func TestLinesSayTheirZones(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(logmark.WithZones(slog.NewTextHandler(&out, nil)))
	line := func(words string) (first, rest string) {
		t.Helper()
		out.Reset()
		log.Info(words)
		_, text, _ := strings.Cut(strings.TrimSuffix(out.String(), "\n"), "msg="+words+" frame=")
		first, rest, _ = strings.Cut(text, " ")
		return first, rest
	}
	step := gather.Zone{Name: "step"}
	outside, none := line("outside")
	if none != "" {
		t.Errorf("outside of zones: got %q", none)
	}
	for i := range 3 {
		s := step.Begin()
		evil := iprof.Begin("evil\n\"name\"")
		deep := step.Begin()
		if _, got := line("deep"); got != `zone="step/evil\n\"name\"/step"` {
			t.Errorf("in three zones: got %s", got)
		}
		deep.End()
		evil.End()
		frame, got := line("in")
		if got != "zone=step" || frame != fmt.Sprint(number(t, outside)+i) {
			t.Errorf("step %d: got frame %s, %s; the first one was %s", i, frame, got, outside)
		}
		s.End()
		gather.Collect(new(gather.Frame))
	}
	var all sync.WaitGroup
	defer step.Begin().End()
	all.Go(func() {
		if _, got := line("elsewhere"); got != "" {
			t.Errorf("on another goroutine: got %s", got)
		}
	})
	all.Wait()
}

func number(t *testing.T, s string) (n int) {
	if _, err := fmt.Sscan(s, &n); err != nil {
		t.Fatalf("%q: %v", s, err)
	}
	return n
}

// Groups, attributes and levels are those of next.
func TestZonesPassTheRestOn(t *testing.T) {
	var out bytes.Buffer
	log := slog.New(logmark.WithZones(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})))
	log.Info("not enabled")
	log.With("peer", 1).WithGroup("net").Warn("lost", "tries", 3)
	if got := out.String(); !strings.Contains(got, "msg=lost peer=1 net.tries=3 net.frame=") {
		t.Errorf("got %q", got)
	}
}

func ExampleWithZones() {
	// A text handler as in a program, without what changes from run to run.
	options := slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey || a.Key == "frame" {
			return slog.Attr{}
		}
		return a
	}}
	log := slog.New(logmark.WithZones(slog.NewTextHandler(os.Stdout, &options)))
	defer iprof.Begin("network").End()
	log.Warn("connection lost", "peer", "10.0.0.7")
	// Output: level=WARN msg="connection lost" peer=10.0.0.7 zone=network
}
