package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
)

// hostile is the name of a region.
const hostile = "</script>;\n\"\x1b"

// traced writes a trace of this program: ten steps, each with three inner regions, and a goroutine with one.
func traced(t *testing.T) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	c := context.Background()
	for range 10 {
		trace.WithRegion(c, "step", func() {
			for range 3 {
				trace.WithRegion(c, hostile, func() {})
			}
		})
	}
	var done sync.WaitGroup
	done.Go(func() { trace.WithRegion(c, "elsewhere", func() {}) })
	done.Wait()
	trace.StartRegion(c, "without an end")
	trace.Stop()
	return b.Bytes()
}

// eachFrame reads a capture.
func eachFrame(t *testing.T, path string, do func(*gather.Frame)) {
	t.Helper()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	r := must.Get(framefile.NewReader(file))(t)
	for {
		var f gather.Frame
		if err := r.Next(&f); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Fatal(err)
		}
		do(&f)
	}
}

// calls reads a capture: the calls of each zone, the lanes of them, and the frames.
func calls(t *testing.T, path string) (byZone map[string]uint32, lanes map[string]string, frames int) {
	t.Helper()
	byZone, lanes = map[string]uint32{}, map[string]string{}
	eachFrame(t, path, func(f *gather.Frame) {
		frames++
		for _, l := range f.Lanes {
			for _, n := range l.Nodes {
				byZone[f.Zones[n.Zone].Name] += n.Count
				lanes[f.Zones[n.Zone].Name] = l.Name
			}
		}
	})
	return byZone, lanes, frames
}

// All of them, on their goroutines, in frames that begin with a region.
func TestRegionsBecomeZones(t *testing.T) {
	dir := t.TempDir()
	from, to := filepath.Join(dir, "trace.out"), filepath.Join(dir, "regions.iprof")
	must.Do(t, os.WriteFile(from, traced(t), 0o600))
	if _, err := run(from, from, to, importer.Frames{Name: "step"}); err != nil {
		t.Fatal(err)
	}
	got, lanes, frames := calls(t, to)
	if got["step"] != 10 || got[hostile] != 30 || got["elsewhere"] != 1 || got["without an end"] != 1 {
		t.Errorf("got calls %v; want 10, 30, 1 and 1", got)
	}
	if lanes["step"] != lanes[hostile] || lanes["step"] == lanes["elsewhere"] {
		t.Errorf("got lanes %v", lanes)
	}
	if frames != 10 {
		t.Errorf("got %d frames; want one for each step", frames)
	}
	if _, err := run(from, from, to, importer.Frames{Every: time.Second}); err == nil {
		t.Error("it writes over a file")
	}
}

// The capture says what a goroutine waited for in a region, and who ended it.
func TestRegionsHaveStates(t *testing.T) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	c, job := context.Background(), make(chan int)
	go func() {
		time.Sleep(20 * time.Millisecond)
		trace.WithRegion(c, "give", func() { job <- 1 })
	}()
	trace.WithRegion(c, "take", func() { <-job })
	trace.Stop()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "trace.out"), filepath.Join(dir, "regions.iprof")
	must.Do(t, os.WriteFile(from, b.Bytes(), 0o600))
	if _, err := run(from, from, to, importer.Frames{Every: time.Second / 60}); err != nil {
		t.Fatal(err)
	}
	file := must.Get(os.Open(to))(t)
	defer file.Close()
	r := must.Get(framefile.NewReader(file))(t)
	for {
		var f gather.Frame
		if err := r.Next(&f); err != nil {
			t.Fatalf("no lane waited for the channel: %v", err)
		}
		for _, s := range f.States {
			long := s.End-s.Begin > 10e6 && s.End <= f.End
			if s.Kind == gather.StateWaiting && s.Reason == "chan receive" && long && s.Waker != s.Lane && s.Waker > 0 {
				return
			}
		}
	}
}

// No panic, and no file after an error.
func TestDamagedTraces(t *testing.T) {
	whole := traced(t)
	for cut := 0; cut < len(whole); cut += 1 + len(whole)/50 {
		if x, err := read(bytes.NewReader(whole[:cut]), nil); err == nil && x == nil {
			t.Fatalf("%d bytes: neither regions nor an error", cut)
		}
	}
	dir := t.TempDir()
	from, to := filepath.Join(dir, "trace.out"), filepath.Join(dir, "regions.iprof")
	must.Do(t, os.WriteFile(from, []byte(strings.Repeat("x", 100)), 0o600))
	if _, err := run(from, from, to, importer.Frames{Every: time.Second}); err == nil {
		t.Error("no error of a file that is no trace")
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("a file is left")
	}
}

// A release has this program beside iprof. It prints its version, as iprof does.
func TestTheVersionIsPrinted(t *testing.T) {
	out, err := exec.Command("go", "run", ".", "-version").Output()
	if err != nil || !strings.HasPrefix(string(out), "iprof-import-trace ") ||
		!strings.Contains(string(out), runtime.Version()) {
		t.Errorf("got %q, %v; want the name, and Go's version", out, err)
	}
}
