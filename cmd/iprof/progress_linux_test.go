package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/progress"
	"example.com/iprof/internal/world"
)

// large returns a capture that takes a while to read.
func large(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "large.iprof")
	file := must.Get(os.Create(path))(t)
	defer file.Close()
	w, p := framefile.NewWriter(file, framefile.Info{Program: "test"}), world.NewRandom(1)
	for i, size := 0, int64(0); size < progress.Large; i++ {
		must.Do(t, w.WriteFrame(p.Frame()))
		if i%100 == 0 {
			info := must.Get(file.Stat())(t)
			size = info.Size()
		}
	}
	must.Do(t, w.Close())
	return path
}

// terminal opens a pseudo terminal, as a terminal window has one.
func terminal(t *testing.T) (window, program *os.File) {
	t.Helper()
	window, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skipf("SKIPPED: there are no pseudo terminals here: %v", err)
	}
	t.Cleanup(func() { window.Close() })
	number, err := unix.IoctlGetInt(int(window.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(window.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprint("/dev/pts/", number), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { program.Close() })
	return window, program
}

// On a terminal, percent after percent in one line, which is gone at the end; in a file, nothing.
func TestExportSaysHowFarItIs(t *testing.T) {
	path, out := large(t), filepath.Join(t.TempDir(), "out")
	window, program := terminal(t)
	said := make(chan string)
	go func() {
		text, b := "", make([]byte, 4096)
		for !strings.HasSuffix(text, "\x1b[K") {
			n, err := window.Read(b)
			if text += string(b[:n]); err != nil {
				break
			}
		}
		said <- text
	}()
	stderr := os.Stderr
	defer func() { os.Stderr = stderr }()
	os.Stderr = program
	if exportFile([]string{"-format", "folded", path, out}) != 0 {
		t.Fatal("the status is not 0")
	}
	os.Stderr = stderr
	text := <-said
	last := -1
	for _, part := range strings.Split(text, "\r")[1:] {
		now := 0
		if _, err := fmt.Sscanf(part, "iprof: %d %%", &now); err == nil && now <= last {
			t.Errorf("%d %% after %d %%", now, last)
		}
		last = max(last, now)
	}
	if last < 95 {
		t.Errorf("got %q; want a line up to 100 %%", text)
	}
	file := must.Get(os.Create(filepath.Join(t.TempDir(), "log")))(t)
	defer file.Close()
	os.Stderr = file
	if exportFile([]string{"-format", "folded", path, out}) != 0 {
		t.Fatal("the status is not 0")
	}
	if log := readFile(t, file.Name()); len(log) > 0 {
		t.Errorf("a file got %q; want nothing", log)
	}
}
