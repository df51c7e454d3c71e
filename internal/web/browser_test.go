package web_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/changes"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/remote"
	"example.com/iprof/internal/web"
	"example.com/iprof/process"
)

// contrastOf is the line of a comparison of two captures, as iprof diff has its rows. One zone must be slower.
func contrastOf(t *testing.T, before, after *os.File) string {
	t.Helper()
	var both [2]*changes.Times
	for i, file := range []*os.File{before, after} {
		s, name := process.NewSession(), filepath.Base(file.Name())
		_, err := framefile.Load(s, io.NewSectionReader(file, 0, 1<<40))
		if err == nil {
			both[i], err = changes.Take(name, s)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	d := changes.Between(both[0], both[1], changes.Percent)
	lines := []string{"contrast"}
	for _, k := range d.Shown() {
		cells := k.Cells()
		lines = append(lines, strings.Join(append(cells[:], k.Title()), " "))
	}
	if all := strings.Join(lines, ";"); !strings.Contains(all, " slower ") {
		t.Fatalf("got %s; want a zone slower", all)
	}
	return strings.Join(append(lines, d.Summary()), "; ")
}

// looked has the files of TestTheViewerInABrowser: two captures and a running program.
type looked struct {
	user
	before, after *os.File
	program       elsewhere
}

func (l *looked) walk() {
	l.Key("ArrowLeft")
	l.wait("age 1")
}

// compare wants the rows of iprof diff.
func (l *looked) compare() {
	l.strike("PageDown", "PageDown", "alt")
	l.wait("tab 1 of 3 after.iprof")
	l.strike("KeyD", "d", "ctrl")
	l.wait(contrastOf(l.t, l.before, l.after))
	l.Screenshot("testdata/out/compare.png")
	l.Key("Escape")
	l.wait("no contrast")
}

// save wants a page, and a capture.
func (l *looked) save() {
	l.strike("KeyE", "e", "ctrl")
	if name, text := l.download(".html"); !strings.HasPrefix(name, "iprof-") ||
		!strings.Contains(text, "Content-Security-Policy") || !strings.Contains(text, `"history":[[0,`) {
		l.t.Errorf("got %s, %.300q; want a page with the history", name, text)
	}
	l.strike("KeyS", "S", "ctrl", "shift")
	if _, text := l.download(".iprof"); !strings.Contains(text[:min(len(text), 20)], "IPROF") {
		l.t.Errorf("got %.20q; want a capture", text)
	}
}

// export wants a line for each frame.
func (l *looked) export() {
	l.choose("export as csv")
	if name, text := l.download(".csv"); name != "after.csv" || strings.Count(text, ",(root),") < 300 {
		l.t.Errorf("got %s, %.300q; want a line for each of 300 frames", name, text)
	}
	l.Key("Escape")
}

// live pauses the program's frames, and walks to the last one that was over budget.
func (l *looked) live() {
	l.Click("#screen", 500.0/1280, 10.0/800)
	l.wait("live")
	l.wait("tab 2 of 3 " + l.program.Address)
	l.wait("frames 60")
	l.Screenshot("testdata/out/live.png")
	l.Key(" ")
	l.wait("paused")
	l.strike("BracketLeft", "[")
	l.until("iprofLines.findLast(line => /^frame .* ms$/.test(line)) || ''", func(line string) bool {
		ms := 0.0
		_, err := fmt.Sscanf(line, "frame %d %f ms", new(int), &ms)
		return err == nil && ms > 16.7
	})
	l.Screenshot("testdata/out/hitch.png")
}

// lost waits until the page says that the program is gone.
func (l *looked) lost() {
	l.quiet() // the lost connection is on the console
	l.program.kill()
	l.wait("link NOT CONNECTED · " + l.program.Address)
	l.Screenshot("testdata/out/lost.png")
}

// TestTheViewerInABrowser looks at two captures and a program that runs.
func TestTheViewerInABrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(keepsDownloads)
	l := looked{before: recorded(t, "before.iprof", 300, 0), after: recorded(t, "after.iprof", 300, 1),
		program: started(t)}
	l.user = look(t, p, web.Item{Name: "before.iprof", File: l.before}, web.Item{Name: "after.iprof", File: l.after},
		web.Item{Name: l.program.Address, Address: l.program.Address, Program: l.program})
	l.Screenshot("testdata/out/capture.png")
	for _, step := range []struct {
		name string
		do   func()
	}{{"walk", l.walk}, {"compare", l.compare}, {"save", l.save}, {"export", l.export}, {"live", l.live},
		{"lost", l.lost}} {
		t.Run(step.name, func(t *testing.T) {
			l.t = t
			step.do()
		})
	}
}

// TestAServerInABrowser looks at the example of a server while it answers, and walks back through its seconds.
func TestAServerInABrowser(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	address := exampleServer(t)
	program := must.Get(remote.New(address, ""))(t)
	u := look(t, p, web.Item{Name: address, Address: address, Program: elsewhere{program, nil}})
	search := func(words string) {
		answer, err := http.Get("http://" + address + "/search?q=" + words)
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.Copy(io.Discard, answer.Body)
		if answer.Body.Close(); err != nil {
			t.Fatal(err)
		}
	}
	search("a")
	search(strings.Repeat("many+", 400)) // renders 400,000 lines
	search("b")
	u.pauseAfter(4) // each is a second
	u.strike("ArrowLeft", "ArrowLeft")
	u.wait("age 1")
	u.strike("ArrowLeft", "ArrowLeft")
	u.wait("age 2")
	u.Screenshot("testdata/out/server.png")
	u.quiet()
}

// pauseAfter pauses the view when so many frames have come since its first one.
func (u user) pauseAfter(frames int) {
	u.t.Helper()
	first := -1
	for end := time.Now().Add(patience); ; time.Sleep(300 * time.Millisecond) {
		u.strike("Space", " ")
		u.wait("paused")
		var newest int
		line := u.Text("iprofLines.find(line => line.startsWith('frame ')) || ''")
		if _, err := fmt.Sscanf(line, "frame %d ", &newest); err == nil {
			if first < 0 {
				first = newest
			}
			if newest >= first+frames {
				return
			}
		}
		if time.Now().After(end) {
			u.t.Fatalf("got %q after frame %d; want %d frames more", line, first, frames)
		}
		u.strike("Space", " ")
		u.wait("live")
	}
}

// exampleServer runs examples/httpserver until the test ends.
func exampleServer(t *testing.T) (address string) {
	t.Helper()
	program := filepath.Join(t.TempDir(), "httpserver")
	must.Run(t, exec.Command("go", "build", "-o", program, "../../examples/httpserver"))
	l := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
	address = l.Addr().String()
	l.Close()
	cmd := exec.Command(program, "-addr", address)
	must.Do(t, cmd.Start())
	t.Cleanup(func() {
		cmd.Process.Kill()
		cmd.Wait()
	})
	for end := time.Now().Add(patience); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		} else if time.Now().After(end) {
			t.Fatal(err)
		}
	}
}

// While another tab is before it, the page is not drawn, and then it is again.
func TestAHiddenPageDrawsNothing(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(countsPictures)
	e := started(t)
	u := look(t, p, web.Item{Name: e.Address, Address: e.Address, Program: e})
	more := func() {
		at := u.Number("pictures")
		u.until("pictures > "+strconv.Itoa(int(at)+5), func(is string) bool { return is == "true" })
	}
	more()
	u.Hide(func() {
		u.until("document.visibilityState", func(state string) bool { return state == "hidden" })
		before := u.Number("pictures")
		time.Sleep(time.Second)
		if got := u.Number("pictures") - before; got > 1 {
			t.Errorf("got %v pictures of a hidden page; want none", got)
		}
	})
	more()
}

// countsPictures has a page count how often it draws.
const countsPictures = `globalThis.pictures = 0; const ask = requestAnimationFrame;
	globalThis.requestAnimationFrame = draw => ask(time => { pictures++; draw(time) })`
