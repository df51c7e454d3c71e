package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/icon"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
)

// TestMain makes the test binary be glviewer itself when asked to: the tests run it as a program of its own.
func TestMain(m *testing.M) {
	if os.Getenv("GLVIEWER_TEST_MAIN") != "" {
		main()
	}
	dir, err := os.MkdirTemp("", "glviewer")
	if err != nil {
		panic(err)
	}
	// The build cache lies below XDG_CACHE_HOME otherwise, and tests that build a command would have an empty one.
	if own, err := exec.Command("go", "env", "GOCACHE").Output(); err == nil {
		os.Setenv("GOCACHE", strings.TrimSpace(string(own)))
	}
	os.Setenv("XDG_CACHE_HOME", dir)                // the user's list of recent files stays as it is
	os.Setenv("XDG_CONFIG_HOME", "")                // and the settings: see command
	looked := filepath.Join(dir, "iprof", "looked") // the tests are no newcomers
	if os.MkdirAll(filepath.Dir(looked), 0o700) != nil || os.WriteFile(looked, nil, 0o600) != nil {
		panic("no place for the state of the viewer")
	}
	status := xvfbtest.Main(m)
	os.RemoveAll(dir)
	os.Exit(status)
}

// command is glviewer on a display. It has no settings of a window before, unless the test has a folder for them.
func command(display string, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "GLVIEWER_TEST_MAIN=1", "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	if os.Getenv("XDG_CONFIG_HOME") == "" {
		dir, err := os.MkdirTemp(os.Getenv("XDG_CACHE_HOME"), "settings")
		if err != nil {
			panic(err)
		}
		c.Env = append(c.Env, "XDG_CONFIG_HOME="+dir)
	}
	return c
}

// program is a running glviewer whose lines can be waited for.
type program struct {
	t      testing.TB
	cmd    *exec.Cmd
	lines  chan string
	seen   []string
	errors bytes.Buffer
}

func start(t testing.TB, display string, args ...string) *program {
	t.Helper()
	p := &program{t: t, cmd: command(display, args...), lines: make(chan string, 1<<16)}
	p.cmd.Stderr = &p.errors
	out := must.Get(p.cmd.StdoutPipe())(t)
	must.Do(t, p.cmd.Start())
	t.Cleanup(func() {
		p.cmd.Process.Kill()
		p.cmd.Wait()
	})
	go p.read(out)
	return p
}

func (p *program) read(out io.Reader) {
	for s := bufio.NewScanner(out); s.Scan(); {
		p.lines <- s.Text()
	}
	close(p.lines)
}

// wait reads lines until one matches, and returns its groups.
func (p *program) wait(pattern string) []string {
	p.t.Helper()
	re := regexp.MustCompile("^" + pattern + "$")
	timeout := time.After(patience)
	for {
		select {
		case line, ok := <-p.lines:
			if !ok {
				p.t.Fatalf("the program ended before a line %q; got\n%s\n%s", pattern, strings.Join(p.seen, "\n"),
					&p.errors)
			}
			p.seen = append(p.seen, line)
			if groups := re.FindStringSubmatch(line); groups != nil {
				return groups
			}
		case <-timeout:
			p.t.Fatalf("no line %q in %v; got\n%s", pattern, patience, strings.Join(p.seen, "\n"))
		}
	}
}

// ends waits for the end of the program, which must be a good one.
func (p *program) ends() {
	p.t.Helper()
	p.wait("closed")
	p.ended()
}

// ended is ends after the program's last line.
func (p *program) ended() {
	p.t.Helper()
	if err := p.cmd.Wait(); err != nil {
		p.t.Fatalf("exit: got %v\n%s; want a good end", err, &p.errors)
	}
}

// property is a window's, as the desktop reads it.
func (d *desktop) property(w xproto.Window, name string, kind xproto.Atom) []byte {
	d.t.Helper()
	atom := must.Get(xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply())(d.t)
	reply := must.Get(xproto.GetProperty(d.conn, false, w, atom.Atom, kind, 0, 1<<20).Reply())(d.t)
	return reply.Value
}

// A desktop finds the icon and the desktop entry of the window.
func TestWindowHasItsIconAndClass(t *testing.T) {
	d := newDesktop(t)
	p := start(t, d.display, "-workload", "replay", "-size", "320x240", "-events")
	p.wait("ready")
	w := d.focused()
	if got, want := string(d.property(w, "WM_CLASS", xproto.AtomString)),
		windowClass+"\x00"+windowClass+"\x00"; got != want {
		t.Errorf("WM_CLASS: got %q; want %q", got, want)
	}
	pictures, size := d.property(w, "_NET_WM_ICON", xproto.AtomCardinal), icon.Sizes[0]
	if len(pictures) < 8+4*size*size || int(pictures[0]) != size || int(pictures[4]) != size {
		t.Fatalf("_NET_WM_ICON: got %d bytes; want pictures, %d pixels wide first", len(pictures), size)
	}
	want := icon.Picture(size)
	for i := range size * size {
		c, got := want.NRGBAAt(i%size, i/size), pictures[8+4*i:]
		if got[0] != c.B || got[1] != c.G || got[2] != c.R || got[3] != c.A {
			t.Fatalf("icon's pixel %d: got %v; want %v", i, got[:4], c)
		}
	}
	d.chord(symbolControl, 'q')
	p.ends()
}

// BenchmarkIdle reports what share of a core the viewer takes while it is paused without input, over ten
// seconds:
//
//	go test ./cmd/glviewer -run '^$' -bench Idle -benchtime 1x
func BenchmarkIdle(b *testing.B) {
	const span = 10 * time.Second
	u := newUser(b, "game", 1280, 720)
	u.pause(60)
	time.Sleep(time.Second) // until what moves has come to rest
	from, began := u.ticks(), time.Now()
	time.Sleep(span)
	share := float64(u.ticks()-from) / ticksPerSecond / time.Since(began).Seconds()
	b.ReportMetric(100*share, "cpu-%")
	b.ReportMetric(0, "ns/op")
	u.quit()
}

// ticksPerSecond is the unit of /proc: Linux has always used 100.
const ticksPerSecond = 100

// ticks is the time that the program has had on processors, all of its threads together.
func (p *program) ticks() (n int) {
	p.t.Helper()
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", p.cmd.Process.Pid))
	if err != nil {
		p.t.Skip("no /proc here")
	}
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	for _, f := range fields[11:13] { // user and system time
		t := must.Get(strconv.Atoi(string(f)))(p.t)
		n += t
	}
	return n
}
