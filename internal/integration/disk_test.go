//go:build linux && !iprof_off

package integration_test

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"example.com/iprof"
	"example.com/iprof/capture"
	"example.com/iprof/console"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
)

// The environment's words for the process in which TestSavingOnAFullDisk saves.
const (
	diskFolder = "IPROF_FULL_FOLDER" // on a disk that is nearly full
	diskLimit  = "IPROF_FULL_LIMIT"  // set where the disk is not full, but files may not grow
)

// nearlyFull are shell commands that run the program in "$@" where the folder $0 has room for a few kilobytes only.
var nearlyFull = []struct{ name, script, limit string }{
	// in a mount namespace of its own, which ends with it
	{"tmpfs", `mount -t tmpfs -o size=16k none "$0" && exec "$@"`, ""},
	{"limit", `ulimit -f 16 && exec "$@"`, "1"},
}

// TestSavingOnAFullDisk runs itself again in a process with a full disk, or where none can be mounted with a limit on
// files.
func TestSavingOnAFullDisk(t *testing.T) {
	if folder := os.Getenv(diskFolder); folder != "" {
		saveOnFullDisk(t, folder)
		return
	}
	for _, disk := range nearlyFull {
		t.Run("disk="+disk.name, func(t *testing.T) {
			folder := t.TempDir()
			cmd := exec.Command("sh", "-c", disk.script, folder, os.Args[0], "-test.run=^TestSavingOnAFullDisk$")
			if disk.limit == "" {
				cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS | syscall.CLONE_NEWUSER,
					UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
					GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}}}
			}
			cmd.Env = append(os.Environ(), diskFolder+"="+folder, diskLimit+"="+disk.limit)
			out, err := cmd.CombinedOutput()
			if errors.Is(err, os.ErrPermission) || strings.Contains(string(out), "mount: ") {
				t.Skipf("nothing can be mounted here: %v\n%s", err, out)
			}
			if err != nil || !strings.Contains(string(out), "PASS") {
				t.Errorf("got %v\n%s", err, out)
			}
		})
	}
}

// saveOnFullDisk saves in every way. Each is an error with the cause, leaves the profiler as it was, and takes no time.
func saveOnFullDisk(t *testing.T, folder string) {
	full := error(syscall.ENOSPC)
	if os.Getenv(diskLimit) != "" {
		full = syscall.EFBIG
		signal.Ignore(syscall.SIGXFSZ) // by itself the runtime ends the program
	}
	zones := make([]iprof.Zone, 1000)
	for i := range zones {
		zones[i].Name = "a zone with a name that is not short " + strings.Repeat("x", i%50)
		zones[i].Begin().End()
	}
	iprof.Update()
	for name, write := range map[string]func(io.Writer) error{"text": iprof.WriteText, "tree": iprof.WriteTree,
		"json": iprof.WriteJSON, "html": iprof.WriteHTML} {
		onFullDisk(t, folder, name, func(f *os.File) {
			if err := write(f); !errors.Is(err, full) {
				t.Errorf("%s: got %v; want %v", name, err, full)
			}
		})
	}
	onFullDisk(t, folder, "exit", func(f *os.File) { iprof.WriteOnExit(f) })
	onFullDisk(t, folder, "log", func(f *os.File) {
		defer func(before *os.File) { os.Stderr = before }(os.Stderr)
		os.Stderr = f
		for range 1000 {
			iprof.LogScope("logged on a full disk").End()
		}
	})
	onFullDisk(t, folder, "every", func(f *os.File) {
		stop := iprof.LogEvery(f, 10*time.Millisecond)
		for range 5 {
			time.Sleep(10 * time.Millisecond)
			for i := range zones {
				zones[i].Begin().End()
			}
		}
		stop()
	})
	page := filepath.Join(folder, "page.html")
	var said strings.Builder
	if err := console.Command(process.Default(), &said, "dump-html "+page); !errors.Is(err, full) {
		t.Errorf("dump-html: got %v, %q; want %v", err, said.String(), full)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("dump-html: got %v, %v left; want nothing", left, err)
	}
	countedOnFullDisk(t, &zones[0])
	if os.Getenv(diskLimit) == "" {
		recordedOnFullDisk(t, folder)
	}
}

// recordedOnFullDisk records where there is no space at all. No empty file stays, which would stop the next start.
func recordedOnFullDisk(t *testing.T, folder string) {
	fill := must.Get(os.Create(filepath.Join(folder, "fill")))(t)
	defer fill.Close()
	for _, err := fill.Write(make([]byte, 4096)); err == nil; _, err = fill.Write(make([]byte, 4096)) {
	}
	r := must.Get(capture.Record(process.Default(), capture.RecordOptions{Path: filepath.Join(folder, "a.iprof")}))(t)
	iprof.Update()
	if err := r.Close(); !errors.Is(err, syscall.ENOSPC) {
		t.Errorf("Record: got %v; want that the disk is full", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("Record: got %v, %v left; want only what fills the disk", left, err)
	}
}

// onFullDisk does something with a file, and checks that it has filled the disk.
func onFullDisk(t *testing.T, folder, name string, do func(*os.File)) {
	t.Helper()
	f := must.Get(os.Create(filepath.Join(folder, name)))(t)
	defer os.Remove(f.Name())
	defer f.Close()
	do(f)
	if _, err := f.Write(make([]byte, 8192)); err == nil {
		t.Errorf("%s: got a disk with room left; want it full, or it tests nothing", name)
	}
}

func countedOnFullDisk(t *testing.T, z *iprof.Zone) {
	t.Helper()
	iprof.Reset()
	for range 100 {
		z.Begin().End()
	}
	iprof.Update()
	for _, n := range process.Default().AppendTotals(nil) {
		if process.Default().Zone(n.Zone).Name == z.Name && n.Count == 100 {
			return
		}
	}
	t.Error("entries afterwards: got others; want 100")
}
