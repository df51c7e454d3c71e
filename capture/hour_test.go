package capture_test

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// An hour at 60 frames a second, and what its history and reports may take in memory.
const (
	hour       = 216_000
	hourMemory = 300 << 20
)

// windowFrames is how many of the newest frames are shown first.
const windowFrames = 2000

// TestSoakHour opens a capture of an hour (make soak; else one of a minute) and shows its newest frames, then all. It
// says how long that takes, and checks how much memory.
func TestSoakHour(t *testing.T) {
	frames := hour / 60
	if os.Getenv("IPROF_HOUR") != "" {
		frames = hour
	}
	path := filepath.Join(t.TempDir(), "hour.iprof")
	writeSynth(t, path, frames)
	info := must.Get(os.Stat(path))(t)
	newest := process.NewSession()
	start := time.Now()
	file := must.Get(os.Open(path))(t)
	defer file.Close()
	some, all, err := framefile.LoadNewest(newest, file, windowFrames)
	if err != nil || all || some.Frames < windowFrames || some.Frames > windowFrames+256 {
		t.Fatalf("got %v, %+v, all: %t; want %d frames or a few more", err, some, all, windowFrames)
	}
	newest.View().AppendReport(new(report.Report))
	t.Logf("the newest %d frames: first report after %v", some.Frames, time.Since(start))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	start = time.Now()
	s, contents, err := capture.Open(path)
	if err != nil || contents.Frames != uint64(frames) || !contents.Complete {
		t.Fatalf("got %v, %+v; want %d frames", err, contents, frames)
	}
	opened := time.Since(start)
	var r report.Report
	s.View().AppendReport(&r)
	shown := time.Since(start)
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	t.Logf("%d frames, %d MB: opened in %v, first report after %v, %d MB in memory, %d MB from the system", frames,
		info.Size()>>20, opened, shown, held>>20, (after.Sys-before.Sys)>>20)
	if len(r.Records) == 0 || held > hourMemory {
		t.Errorf("got %d rows and %d MB; want some and at most %d MB", len(r.Records), held>>20, hourMemory>>20)
	}
	runtime.KeepAlive(s)
}

func writeSynth(t *testing.T, path string, frames int) {
	t.Helper()
	file := must.Get(os.Create(path))(t)
	out := bufio.NewWriter(file)
	w, p := framefile.NewWriter(out, capture.Info{}), world.NewRandom(1)
	for range frames {
		must.Do(t, w.WriteFrame(p.Frame()))
	}
	must.Do(t, w.Close())
	must.Do(t, out.Flush())
	must.Do(t, file.Close())
}
