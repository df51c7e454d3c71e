package capture_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// The oldest files of black boxes are removed down to the limits, and nothing else.
func TestOldFilesGo(t *testing.T) {
	for _, limit := range []capture.BlackBoxOptions{{Files: 3}, {Files: 100, Bytes: 8000}} {
		t.Run(fmt.Sprint(limit.Files), func(t *testing.T) {
			limit.Dir = t.TempDir()
			var others []string
			for _, name := range []string{"blackbox-notes.iprof", "game.iprof", ".blackbox-1.tmp",
				"blackbox-20200101T000000.000Z-x"} {
				others = append(others, filepath.Join(limit.Dir, name))
				write(t, filepath.Join(limit.Dir, name), 9000)
			}
			var old []string
			for i := range 6 {
				name := fmt.Sprintf("blackbox-2020010%dT000000.000Z-old.iprof", i+1)
				old = append(old, filepath.Join(limit.Dir, name))
				write(t, filepath.Join(limit.Dir, name), 3000)
			}
			stale := filepath.Join(limit.Dir, ".blackbox-2.tmp")
			write(t, stale, 10)
			must.Do(t, os.Chtimes(stale, time.Time{}, time.Now().Add(-2*time.Hour)))
			x := newFlight(t, limit)
			x.steps(10, 5*time.Millisecond)
			x.step(time.Second)
			if err := x.box.Close(); err != nil {
				t.Error(err)
			}
			entries, _ := filepath.Glob(filepath.Join(limit.Dir, "*"))
			hidden, _ := filepath.Glob(filepath.Join(limit.Dir, ".b*"))
			entries = append(entries, hidden...)
			want := append(slices.Clone(others), old[4:]...)
			entries = slices.DeleteFunc(entries, func(name string) bool { return strings.Contains(name, "busy") })
			slices.Sort(entries)
			slices.Sort(want)
			if entries = slices.Compact(entries); !slices.Equal(entries, want) {
				t.Errorf("got\n%q\nwant\n%q", entries, want)
			}
		})
	}
}

func write(t *testing.T, name string, bytes int) {
	t.Helper()
	must.Do(t, os.WriteFile(name, make([]byte, bytes), 0o600))
}

// While a file is being written, frames go on.
func TestASlowDiskLosesTriggers(t *testing.T) {
	disk := stuck{make(chan struct{})}
	x := newFlight(t, capture.BlackBoxOptions{After: -1, CoolDown: -1, Log: disk, Memory: 10_000})
	x.steps(5, 5*time.Millisecond)
	for range 2000 {
		x.step(50 * time.Millisecond)
	}
	close(disk.release)
	if names := x.files(); len(names) != 1 {
		t.Errorf("got %q; want one file", names)
	}
}

func TestAPanicWritesAFile(t *testing.T) {
	x := newFlight(t, capture.BlackBoxOptions{})
	x.steps(100, 5*time.Millisecond)
	failure := errors.New("index out of range")
	func() {
		defer func() {
			if got := recover(); got != failure {
				t.Errorf("got %v on the way out; want %v", got, failure)
			}
		}()
		defer x.box.OnPanic()
		panic(failure)
	}()
	names, _ := filepath.Glob(filepath.Join(x.options.Dir, "*-panic-at-blackboxfile-test.go-*-in-capture-test.iprof"))
	if len(names) != 1 {
		t.Fatalf("got %q; the log has %s", names, x.log.text())
	}
	if frames, _ := x.opened(names[0]); len(frames) != 100 {
		t.Errorf("got %d frames; want 100", len(frames))
	}
	func() { defer x.box.OnPanic() }()
	if names := x.files(); len(names) != 1 {
		t.Errorf("without a panic, got %q", names)
	}
	none := newFlight(t, capture.BlackBoxOptions{})
	for name, x := range map[string]*flight{"closed": x, "without frames": none} {
		before := len(x.log.text())
		func() {
			defer func() { _ = recover() }()
			defer x.box.OnPanic()
			panic(failure)
		}()
		if after := x.log.text()[before:]; after != "" {
			t.Errorf("%s: the log has %q; want nothing", name, after)
		}
	}
}

func TestASignalWritesAFile(t *testing.T) {
	signals := make(chan os.Signal, 1)
	x := newFlight(t, capture.BlackBoxOptions{Signals: signals})
	x.steps(10, 5*time.Millisecond)
	signals <- syscall.SIGTERM
	for x.log.text() == "" {
		time.Sleep(time.Millisecond)
	}
	if names := x.files(); len(names) != 1 || !strings.Contains(names[0], "signal-terminated") {
		t.Errorf("got %q", names)
	}
}

func TestABlackBoxStartsNothing(t *testing.T) {
	before := runtime.NumGoroutine()
	x := newFlight(t, capture.BlackBoxOptions{Dir: filepath.Join(t.TempDir(), "new", "folder")})
	x.steps(300, 5*time.Millisecond)
	if got := runtime.NumGoroutine(); got > before {
		t.Errorf("got %d goroutines; want %d", got, before)
	}
	if names := x.files(); len(names) > 0 {
		t.Errorf("got %q", names)
	}
}

func TestADirThatIsAFileIsAnError(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	write(t, file, 1)
	for _, dir := range []string{"", file} {
		box, err := capture.NewBlackBox(process.NewSession(), capture.BlackBoxOptions{Dir: dir})
		if err == nil || box != nil {
			t.Errorf("%q: got %v; want an error", dir, err)
		}
	}
	var none *capture.BlackBox
	none.Trigger("nothing happens")
	func() { defer none.OnPanic() }()
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

// Nothing is written, the log says so once for each file, and the program goes on.
// TestWithoutItsFolderABlackBoxOnlyLogs: a file is where the folder was, so that it cannot be made again.
func TestWithoutItsFolderABlackBoxOnlyLogs(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "soon gone")
	x := newFlight(t, capture.BlackBoxOptions{Dir: dir, After: -1})
	x.steps(10, 5*time.Millisecond)
	must.Do(t, os.Remove(dir))
	write(t, dir, 1)
	x.step(time.Second)
	x.steps(10, 5*time.Millisecond)
	if err := x.box.Close(); err == nil || !strings.Contains(x.log.text(), "nothing written: capture: black box: ") {
		t.Errorf("got %v, log %q", err, x.log.text())
	}
	if err := x.box.Close(); err == nil {
		t.Error("the second Close has forgotten the error")
	}
}

// A black box writes for weeks, and a user deletes old files.
func TestAFolderThatWasDeletedIsMadeAgain(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "boxes", "own")
	x := newFlight(t, capture.BlackBoxOptions{Dir: dir})
	must.Do(t, os.RemoveAll(filepath.Dir(dir)))
	x.steps(10, 5*time.Millisecond)
	x.step(time.Second)
	if err := x.box.Close(); err != nil {
		t.Error(err)
	}
	if files, _ := filepath.Glob(filepath.Join(dir, "*.iprof")); len(files) != 1 {
		t.Errorf("got files %q; want one", files)
	}
	if info, err := os.Stat(dir); err != nil || info.Mode().Perm()&0o077 != 0 && runtime.GOOS != "windows" {
		t.Errorf("got %v, %v; want a folder of its owner's", info, err)
	}
}

// Files of one millisecond sort by the order of their frames, too: the clock stands still.
func TestFilesOfOneMomentSortByTheirFrames(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newFlight(t, capture.BlackBoxOptions{After: -1, CoolDown: -1})
		x.steps(7, time.Millisecond) // so that the first frames' numbers sort after the last ones'
		for _, took := range []time.Duration{90, 60, 80, 70} {
			x.step(took * time.Millisecond)
			x.box.WaitForFile()
		}
		names := x.files()
		for i, name := range names {
			if _, info := x.opened(name); info.Frame != uint64(i+8) {
				t.Errorf("file %d: got frame %d; want %d", i, info.Frame, i+8)
			}
		}
		if len(names) != 4 {
			t.Errorf("got files %q; want 4", names)
		}
	})
}

// Files of exactly as many bytes as the limit stay.
func TestFilesOfTheLimitStay(t *testing.T) {
	size, old := int64(0), "blackbox-20200101T000000.000Z-old.iprof"
	for more := int64(1); more >= -1; more-- {
		limit := capture.BlackBoxOptions{Dir: t.TempDir(), Bytes: size + 3000 + more}
		write(t, filepath.Join(limit.Dir, old), 3000)
		x := newFlight(t, limit)
		x.steps(10, 5*time.Millisecond)
		x.step(time.Second)
		names := x.files()
		info := must.Get(os.Stat(names[len(names)-1]))(t)
		if stays := len(names) == 2; size > 0 && stays != (more >= 0) || info.Size() != size && size > 0 {
			t.Errorf("a limit of %d bytes more than the files: got %q, the last of %d bytes", more, names, info.Size())
		}
		if size == 0 {
			size, more = info.Size(), 2
		}
	}
}
