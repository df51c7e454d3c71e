//go:build unix

package outfiletest

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// Writer writes a file.
type Writer struct {
	Write    func(name string) error
	Text     string // in what it writes
	Replaces bool   // files that are there; if false it refuses them
}

// Check has a subtest for each kind of file. A file that is refused stays as it was, and no other is left behind.
func (w Writer) Check(t *testing.T) {
	for name, check := range map[string]func(Writer, *testing.T){"permissions": permissions, "link": link,
		"folder": folder, "read-only": readOnly, "pipe": pipe, "devices": devices} {
		t.Run(name, func(t *testing.T) { check(w, t) })
	}
}

// permissions: a new file has the permissions of the umask, and a replaced file keeps its own.
func permissions(w Writer, t *testing.T) {
	defer syscall.Umask(syscall.Umask(0o077))
	name := filepath.Join(t.TempDir(), "new")
	if err := w.Write(name); err != nil {
		t.Fatal(err)
	}
	has(t, name, w.Text, 0o600)
	syscall.Umask(0)
	if err := os.Chmod(name, 0o640); err != nil {
		t.Fatal(err)
	}
	w.again(t, name)
	has(t, name, w.Text, 0o640)
	OnlyFiles(t, filepath.Dir(name), "new")
}

// again writes to an existing file.
func (w Writer) again(t *testing.T, name string) {
	t.Helper()
	if err := w.Write(name); (err == nil) != w.Replaces {
		t.Errorf("%s is there: got %v; want an error: %t", filepath.Base(name), err, !w.Replaces)
	}
}

// link: it stays. One to nothing is refused.
func link(w Writer, t *testing.T) {
	dir := t.TempDir()
	name, target := filepath.Join(dir, "link"), filepath.Join(dir, "target")
	if err := os.Symlink("target", name); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(name); err == nil {
		t.Error("a link to nothing: got no error; want it refused")
	}
	OnlyFiles(t, dir, "link")
	if err := os.WriteFile(target, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.again(t, name)
	want := "old"
	if w.Replaces {
		want = w.Text
	}
	has(t, target, want, 0o600)
	if to, err := os.Readlink(name); to != "target" {
		t.Errorf("link: got %q, %v; want it as it was", to, err)
	}
	OnlyFiles(t, dir, "link", "target")
}

func folder(w Writer, t *testing.T) {
	dir := t.TempDir()
	if err := w.Write(dir); err == nil {
		t.Error("a folder: got no error; want it refused")
	}
	if err := w.Write(filepath.Join(dir, "none", "file")); err == nil {
		t.Error("in a folder that is not there: got no error; want one")
	}
	OnlyFiles(t, dir)
}

func readOnly(w Writer, t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o500); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(filepath.Join(dir, "file")); err == nil {
		t.Error("got no error; want it refused")
	}
	OnlyFiles(t, dir)
}

// pipe: a reader gets the written bytes.
func pipe(w Writer, t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	text := Pipe(t, name)
	w.again(t, name)
	stays(t, name, os.ModeNamedPipe)
	if !w.Replaces { // no reader has opened it
		if f, err := os.OpenFile(name, os.O_WRONLY, 0); err == nil {
			f.Close()
		}
	}
	if got := <-text; strings.Contains(got, w.Text) != w.Replaces {
		t.Errorf("got %.300q; want %q: %t", got, w.Text, w.Replaces)
	}
	OnlyFiles(t, filepath.Dir(name), "pipe")
}

// devices: null takes everything, full nothing. They are never the machine's own: a failing test would replace them.
func devices(w Writer, t *testing.T) {
	null, full := filepath.Join(t.TempDir(), "null"), filepath.Join(t.TempDir(), "full")
	for name, minor := range map[string]int{null: 3, full: 7} {
		if err := syscall.Mknod(name, syscall.S_IFCHR|0o600, 1<<8|minor); err != nil {
			t.Skip(err)
		}
	}
	err := w.Write(null)
	switch in, failed := os.OpenFile(null, os.O_WRONLY, 0); {
	case failed != nil: // the folder is mounted without devices
	default:
		in.Close()
		if (err == nil) != w.Replaces {
			t.Errorf("null: got %v; want an error: %t", err, !w.Replaces)
		}
	}
	if err := w.Write(full); err == nil {
		t.Error("full: got no error; want one")
	}
	for _, name := range []string{null, full} {
		stays(t, name, os.ModeDevice|os.ModeCharDevice)
		OnlyFiles(t, filepath.Dir(name), filepath.Base(name))
	}
}

func stays(t *testing.T, name string, want os.FileMode) {
	t.Helper()
	if info, err := os.Lstat(name); err != nil || info.Mode().Type() != want {
		t.Errorf("got %v, %v; want %v still there", info, err, want)
	}
}

// has checks a file.
func has(t *testing.T, name, want string, mode os.FileMode) {
	t.Helper()
	text, err := os.ReadFile(name)
	info, failed := os.Lstat(name)
	if err = errors.Join(err, failed); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(text), want) || info.Mode() != mode {
		t.Errorf("got %.300q, %v; want %q, %v", text, info.Mode(), want, mode)
	}
}

// OnlyFiles checks that a folder holds these files and no others, such as a temporary one.
func OnlyFiles(t *testing.T, dir string, want ...string) {
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

// Pipe makes a named pipe and returns the bytes that a reader gets.
func Pipe(t *testing.T, name string) (got <-chan string) {
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
