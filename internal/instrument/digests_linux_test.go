package instrument_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/must"
)

// Sizes and times say that nothing has changed, once they are old enough to say it. A file of the same size and time
// with other contents is seen all the same.
func TestALaterStartOpensNoSources(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n",
		"main.go": "package main\n\nfunc main() { println(1) }\n",
	})
	o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir()}
	start := func() (planned bool, b *instrument.Build) {
		t.Helper()
		p, b := must.Two(o.Start())(t)
		return p.Functions != nil, b
	}
	start()
	for opened := true; opened; time.Sleep(100 * time.Millisecond) {
		opens := watchOpens(t, dir)
		if planned, _ := start(); planned {
			t.Fatal("without a change it plans again")
		}
		opened = strings.Contains(opens(), "main.go")
	}
	_, b := start()
	if b.Inputs == "" || !b.Holds() {
		t.Errorf("inputs %q hold: %t", b.Inputs, b.Holds())
	}
	name := filepath.Join(dir, "main.go")
	info := must.Get(os.Stat(name))(t)
	must.Do(t, os.WriteFile(name, []byte("package main\n\nfunc main() { println(2) }\n"), 0o600))
	must.Do(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
	if b.Holds() {
		t.Error("a build does not see a change since it began")
	}
	if planned, _ := start(); !planned {
		t.Error("a change of contents alone is not seen")
	}
}

// What was planned is not kept, as it may be of the old text.
func TestAFileThatChangesWhilePlanning(t *testing.T) {
	offline(t)
	dir := files(t, map[string]string{
		"go.mod":  "module example.org/user\n\ngo 1.25\n",
		"main.go": "package main\n\nfunc main() {}\n",
	})
	o := instrument.Options{Dir: dir, Packages: []string{"."}, Cache: t.TempDir()}
	for n, changes := range []bool{true, false, false} {
		stop := make(chan bool)
		ended := make(chan bool)
		go func() {
			defer close(ended)
			for changes {
				other := filepath.Join(t.TempDir(), "main.go")
				_ = os.WriteFile(other, []byte("package main\n\nfunc main() {}\n"), 0o600)
				_ = os.Rename(other, filepath.Join(dir, "main.go"))
				select {
				case <-stop:
					return
				case <-time.After(time.Millisecond):
				}
			}
		}()
		p, b, err := o.Start()
		close(stop)
		<-ended
		if err != nil {
			t.Fatal(err)
		}
		if planned := p.Functions != nil; planned != (n < 2) || changes && b.Inputs != "" {
			t.Errorf("start %d: planned: %t, inputs %q", n, planned, b.Inputs)
		}
	}
}

// watchOpens returns a function that says which files of a folder were opened since, by name.
func watchOpens(t *testing.T, dir string) func() string {
	t.Helper()
	fd := must.Get(unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC))(t)
	t.Cleanup(func() { unix.Close(fd) })
	if _, err := unix.InotifyAddWatch(fd, dir, unix.IN_OPEN); err != nil {
		t.Fatal(err)
	}
	return func() string {
		events := make([]byte, 1<<16)
		n, _ := unix.Read(fd, events)
		var names strings.Builder
		for rest := events[:max(n, 0)]; len(rest) > 0; {
			e := (*unix.InotifyEvent)(unsafe.Pointer(&rest[0]))
			end := unix.SizeofInotifyEvent + int(e.Len)
			names.Write(append(bytes.TrimRight(rest[unix.SizeofInotifyEvent:end], "\x00"), '\n'))
			rest = rest[end:]
		}
		return names.String()
	}
}
