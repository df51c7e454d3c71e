package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime/trace"
	"strings"
	"testing"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/internal/importer"
	"example.com/iprof/internal/must"
	"example.com/iprof/process/report"
)

// record returns a trace of what do does.
func record(t *testing.T, do func(context.Context)) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		t.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	do(t.Context())
	trace.Stop()
	return b.Bytes()
}

// save makes a capture of a trace.
func save(t *testing.T, file []byte) (to string, r importer.Result, err error) {
	t.Helper()
	dir := t.TempDir()
	from := filepath.Join(dir, "trace.out")
	to = filepath.Join(dir, "capture")
	must.Do(t, os.WriteFile(from, file, 0o600))
	r, err = run(from, from, to, importer.Frames{Every: time.Second / 60})
	return to, r, err
}

// The reader's own words are passed on, and what lies behind is there.
func TestReadingGoesOnBehindMisuse(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: it takes three seconds")
	}
	file := record(t, func(c context.Context) {
		trace.WithRegion(c, "before", func() {})
		outer, inner := trace.StartRegion(c, "outer"), trace.StartRegion(c, "inner")
		outer.End() // in a wrong order
		inner.End()
		time.Sleep(2500 * time.Millisecond) // a generation is a second
		trace.WithRegion(c, "behind", func() {})
	})
	to, r := must.Two(save(t, file))(t)
	if got, _, _ := calls(t, to); got["before"] != 1 || got["behind"] != 1 || got["outer"] != 1 {
		t.Errorf("got calls %v; want before, outer and behind", got)
	}
	if !strings.Contains(r.Line(), "misuse of region") || r.Unfinished {
		t.Errorf("got %q", r.Line())
	}
}

// The goroutines are lanes, named by the go statements that made them, their functions zones, tasks and logs marks;
// also compressed.
func TestTracesWithoutRegions(t *testing.T) {
	file := record(t, func(c context.Context) {
		c, task := trace.NewTask(c, "request")
		trace.Log(c, "user", "ann")
		done := make(chan int)
		go worker(done)
		<-done
		task.End()
	})
	var z bytes.Buffer
	w := gzip.NewWriter(&z)
	w.Write(file)
	must.Do(t, w.Close())
	for _, file := range [][]byte{file, z.Bytes()} {
		to, r, err := save(t, file)
		if err != nil || len(r.Left) > 0 || r.Words != "" {
			t.Fatal(err, r)
		}
		var marks []string
		waited, ran := false, false
		eachFrame(t, to, func(f *gather.Frame) {
			for _, m := range f.Marks {
				marks = append(marks, m.Text)
			}
			for _, s := range f.States {
				waited = waited || s.Kind == gather.StateWaiting && s.Reason == "sleep" && s.Lane > 0
			}
			for _, l := range f.Lanes {
				for _, n := range l.Nodes {
					made := strings.Contains(report.Crowd(l.Name), ".TestTracesWithoutRegions.func1 damage_test.go:")
					ran = ran || made && n.Count > 0 && n.Self > 0 && strings.HasSuffix(f.Zones[n.Zone].Name, ".worker")
				}
			}
		})
		if got := fmt.Sprint(marks); got != "[task request user: ann end of task request]" || !waited || !ran {
			t.Errorf("got marks %s, waited %v, ran %v", got, waited, ran)
		}
	}
}

func worker(done chan int) {
	time.Sleep(5 * time.Millisecond)
	for begin := time.Now(); time.Since(begin) < time.Millisecond; {
	}
	done <- 1
}

// Those of one go statement have lanes of one crowd, with regions and without; those from before the trace are a crowd
// by the function that they began with.
func TestGoroutinesOfATraceAreGroups(t *testing.T) {
	go sleeper() // from before the trace
	for _, regions := range []bool{true, false} {
		file := record(t, func(c context.Context) {
			done := make(chan int)
			for range 3 {
				go func() {
					if regions {
						defer trace.StartRegion(c, "work").End()
					}
					worker(done)
				}()
			}
			for range 3 {
				<-done
			}
			time.Sleep(5 * time.Millisecond)
		})
		to, _ := must.Two(save(t, file))(t)
		lanes := map[string]map[gather.LaneID]bool{}
		eachFrame(t, to, func(f *gather.Frame) {
			for _, l := range f.Lanes {
				crowd := report.Crowd(l.Name)
				if lanes[crowd] == nil {
					lanes[crowd] = map[gather.LaneID]bool{}
				}
				lanes[crowd][l.ID] = true
			}
		})
		made, before := 0, 0
		for crowd, of := range lanes {
			if strings.Contains(crowd, ".TestGoroutinesOfATraceAreGroups.func1 damage_test.go:") {
				made = len(of)
			} else if strings.HasSuffix(crowd, ".sleeper") {
				before = len(of)
			}
		}
		if made != 3 || !regions && before != 1 {
			t.Errorf("regions %v: got %v; want three goroutines of one statement, and the sleeper", regions, lanes)
		}
	}
}

func sleeper() {
	for range 1000 {
		time.Sleep(time.Millisecond)
	}
}

// An empty trace is an error of the reader.
func TestNothingInATraceIsAnError(t *testing.T) {
	file := record(t, func(context.Context) {})
	for cut, want := range map[int]string{16: "nothing", 40: "the reader of traces says"} {
		if _, _, err := save(t, file[:cut]); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("of %d bytes: got error %v; want %q", cut, err, want)
		}
	}
	if _, _, err := save(t, nil); err == nil || errors.Is(err, os.ErrNotExist) {
		t.Errorf("of an empty file: got error %v", err)
	}
}

// FuzzTrace: no damaged trace makes a panic or takes for ever.
func FuzzTrace(f *testing.F) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		f.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	trace.WithRegion(f.Context(), "step", func() { trace.Log(f.Context(), "user", "ann") })
	trace.Stop()
	f.Add(b.Bytes(), 0, byte(0))
	f.Add(b.Bytes(), b.Len()/2, byte(7))
	f.Fuzz(func(t *testing.T, file []byte, at int, by byte) {
		if at > 0 && at < len(file) {
			file = bytes.Clone(file)
			file[at] ^= by
		}
		x, err := read(bytes.NewReader(file), nil)
		if err != nil {
			return
		}
		frames := 0
		_, _ = x.Write(importer.Frames{}, func(*importer.Trace) {}, func(*gather.Frame) error {
			if frames++; frames > 100 {
				return errors.New("enough")
			}
			return nil
		})
	})
}
