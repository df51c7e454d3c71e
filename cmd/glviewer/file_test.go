//go:build unix

package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func hello(w io.Writer) error {
	_, err := io.WriteString(w, "hello")
	return err
}

// alone checks that a folder holds these files and no temporary one.
func alone(t *testing.T, dir string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if err != nil || strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("files: got %q, %v; want %q", got, err, want)
	}
}

func checkFile(t *testing.T, name, want string, mode os.FileMode) {
	t.Helper()
	text, err := os.ReadFile(name)
	info, failed := os.Lstat(name)
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	if string(text) != want || info.Mode() != mode {
		t.Errorf("%s: got %q, %v; want %q, %v", name, text, info.Mode(), want, mode)
	}
}

func TestFilesHaveThePermissionsOfTheUmask(t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	name := filepath.Join(t.TempDir(), "new")
	if err := writeFile(name, hello); err != nil {
		t.Fatal(err)
	}
	checkFile(t, name, "hello", 0o600)
	syscall.Umask(0o022)
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(name, hello); err != nil { // a replaced file keeps its own
		t.Fatal(err)
	}
	checkFile(t, name, "hello", 0o640)
	alone(t, filepath.Dir(name), "new")
}

func TestAFileThatFailsIsNotReplaced(t *testing.T) {
	name := filepath.Join(t.TempDir(), "old")
	if err := os.WriteFile(name, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	err := writeFile(name, func(w io.Writer) error { return errors.Join(hello(w), full) })
	if !errors.Is(err, full) || !strings.Contains(err.Error(), name) {
		t.Errorf("got %v; want the writer's error and the file's name", err)
	}
	checkFile(t, name, "old", 0o600)
	alone(t, filepath.Dir(name), "old")
}

func TestLinksStayLinks(t *testing.T) {
	dir := t.TempDir()
	link, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.Symlink("target", link); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, hello); err == nil || !strings.Contains(err.Error(), link) {
		t.Errorf("a link to nothing: got %v; want it refused", err)
	}
	alone(t, dir, "link")
	if err := os.WriteFile(target, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := writeFile(link, hello); err != nil {
		t.Fatal(err)
	}
	checkFile(t, target, "hello", 0o600)
	if to, err := os.Readlink(link); to != "target" {
		t.Errorf("link: got %q, %v; want it as it was", to, err)
	}
	alone(t, dir, "link", "target")
	if err := writeFile(dir, hello); err == nil {
		t.Error("a folder: got no error; want it refused")
	}
}

// fifo makes a named pipe and returns what a reader gets of it.
func fifo(t *testing.T, name string) (got <-chan string) {
	t.Helper()
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	text := make(chan string, 1)
	go func() {
		f, err := os.ReadFile(name)
		text <- string(f)
		if err != nil {
			t.Error(err)
		}
	}()
	return text
}

func TestPipesAndDevicesAreWrittenTo(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	text := fifo(t, pipe)
	if err := writeFile(pipe, hello); err != nil {
		t.Fatal(err)
	}
	if got := <-text; got != "hello" {
		t.Errorf("pipe: got %q; want hello", got)
	}
	if info, err := os.Lstat(pipe); err != nil || info.Mode().Type() != os.ModeNamedPipe {
		t.Errorf("pipe: got %v, %v; want it still there", info, err)
	}
	null := filepath.Join(t.TempDir(), "null") // never the machine's own: a failing test would replace it
	if err := syscall.Mknod(null, syscall.S_IFCHR|0o600, 1<<8|3); err != nil {
		t.Skip(err)
	}
	// a folder mounted without devices
	if err := writeFile(null, hello); err != nil && !errors.Is(err, syscall.EACCES) {
		t.Error(err)
	}
	if info, err := os.Lstat(null); err != nil || info.Mode().Type() != os.ModeDevice|os.ModeCharDevice {
		t.Errorf("device: got %v, %v; want it still there", info, err)
	}
	alone(t, filepath.Dir(null), "null")
}

// On a display, as a user would call it.
func TestReportIntoAPipe(t *testing.T) {
	d := newDesktop(t)
	pipe := filepath.Join(t.TempDir(), "pipe")
	text := fifo(t, pipe)
	out, err := command(d.display, "-workload", "replay", "-frames", "20", "-hidden", "-report", pipe).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if got := <-text; strings.Count(got, "\n") < 7 {
		t.Errorf("got %q; want the report", got)
	}
	alone(t, filepath.Dir(pipe), "pipe")
}

func TestErrorsOfStandardOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, flag := range []string{"-version", "-h"} {
		t.Run("flag="+flag, func(t *testing.T) {
			c := command("", flag)
			var said bytes.Buffer
			c.Stdout, c.Stderr = full, &said
			err := c.Run()
			if line := said.String(); c.ProcessState.ExitCode() != exitFailed || strings.Count(line, "\n") != 1 ||
				!strings.Contains(line, "no space left") {
				t.Errorf("got %v, %q; want exit 1 and one line with the cause", err, line)
			}
		})
	}
	t.Run("screenshot", func(t *testing.T) {
		d := newDesktop(t)
		c := command(d.display, "-workload", "replay", "-frames", "3", "-hidden", "-screenshot",
			filepath.Join(t.TempDir(), "shot.png"))
		c.Stdout = full
		if err := c.Run(); c.ProcessState.ExitCode() != exitFailed {
			t.Errorf("got %v; want exit 1", err)
		}
	})
}
