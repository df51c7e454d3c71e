package main

import (
	"bufio"
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/debug"
	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
)

// serving returns the address of a program that runs until the test ends.
func serving(t *testing.T) string {
	t.Helper()
	s, quit := process.NewSession(), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for r := world.NewGame(1, s); ; time.Sleep(time.Millisecond) {
			select {
			case <-quit:
				return
			default:
				_ = r.Step()
			}
		}
	})
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	t.Cleanup(func() { server.Close(); close(quit); done.Wait() })
	return server.Listener.Addr().String()
}

func TestRecordFromAnAddress(t *testing.T) {
	address, file := serving(t), filepath.Join(t.TempDir(), "game.iprof")
	frames := uint64(0)
	for _, span := range []string{"1s", "10s", "1m"} { // a slow machine may need longer for a frame
		_ = os.Remove(file)
		if got := record([]string{address, "-o", file, "-for", span}); got != 0 {
			t.Logf("%s: got status %d", span, got)
			continue
		}
		_, contents := must.Two(capture.Open(file))(t)
		if !contents.Complete {
			t.Error("the file has no end")
		}
		if frames = contents.Frames; frames > 0 {
			break
		}
	}
	if frames == 0 {
		t.Error("got no frames; want those of a second, or of a minute")
	}
	if got := record([]string{address, "-o", file, "-for", "1s"}); got != 1 {
		t.Errorf("onto a file: got status %d; want 1", got)
	}
}

func TestCommandsShowAProgramElsewhere(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out")
	if got := named("top")([]string{"-o", out, "http://" + serving(t)}); got != 0 {
		t.Fatalf("got status %d", got)
	}
	if text, err := os.ReadFile(out); err != nil || len(text) < 100 {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
}

// A program that ends no frame has no empty report. The commands say so, and where its totals are.
func TestAProgramAtRest(t *testing.T) {
	server := httptest.NewServer((&debug.Server{Session: process.NewSession()}).Handler())
	defer server.Close()
	address, seconds, allowed := server.Listener.Addr().String(), lookedAt, limits
	lookedAt = 1
	defer func() { lookedAt = seconds }()
	out := filepath.Join(t.TempDir(), "out")
	for name, run := range map[string]func() int{
		"top":    func() int { return named("top")([]string{"-o", out, address}) },
		"json":   func() int { return named("tree")([]string{"-json", "-o", out, address}) },
		"record": func() int { return record([]string{"-o", out, "-for", "1s", address}) },
		"live":   func() int { return live([]string{"-limits", "time=1s", address}) },
	} {
		said := complained(t, func() {
			if got := run(); got != 1 {
				t.Errorf("%s: got status %d; want 1", name, got)
			}
		})
		want := "none ended in 1s; the program is idle, or its frames are longer; http://" + address +
			"/debug/iprof/tree has its totals so far"
		if !strings.Contains(said, want) {
			t.Errorf("%s: said %q; want %q", name, said, want)
		}
		_ = os.Remove(out)
		limits = allowed
	}
}

func TestStatusesOfCommandsWithAnAddress(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, test := range map[string]struct{ got, want int }{
		"record without":  {record(nil), 2},
		"record too much": {record([]string{"a:1", "b:1"}), 2},
		"record a file":   {record([]string{"game.iprof"}), 1},
		"live without":    {live(nil), 2},
		"live nobody":     {live([]string{"127.0.0.1:1"}), 1},
		"top nobody":      {named("top")([]string{"127.0.0.1:1"}), 1},
		"completion":      {completion([]string{"fish"}), 0},
		"completion none": {completion([]string{"csh"}), 2},
		"view nothing":    {view(nil), 2},
		"view without it": {view([]string{"game.iprof"}), 1},
	} {
		if test.got != test.want {
			t.Errorf("%s: got status %d; want %d", name, test.got, test.want)
		}
	}
}

// iprof live -json writes each frame once, on a line of its own, and ends with the program.
func TestLiveFramesAsLines(t *testing.T) {
	s := process.NewSession()
	server := httptest.NewServer((&debug.Server{Session: s}).Handler())
	cmd := exec.CommandContext(t.Context(), os.Args[0], "live", "-json", server.Listener.Addr().String())
	cmd.Env = append(os.Environ(), asMain+"=1")
	out := must.Get(cmd.StdoutPipe())(t)
	must.Do(t, cmd.Start())
	frames, quit := world.NewGame(1, s), make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		for ; ; time.Sleep(time.Millisecond) {
			select {
			case <-quit:
				return
			default:
				_ = frames.Step()
			}
		}
	})
	lines, next, verdicts := bufio.NewScanner(out), uint64(0), 0
	for n := 0; n < 200 && lines.Scan(); n++ {
		f, err := asjson.Read(bytes.NewReader(lines.Bytes()))
		if err != nil || len(f.History) != 1 || n > 0 && f.History[0].Frame != next+f.Missed {
			t.Fatalf("line %d: got %s, %v; want frame %d", n, lines.Bytes(), err, next)
		}
		if next = f.History[0].Frame + 1; f.Verdict != nil {
			verdicts++
		}
	}
	if next == 0 || verdicts == 0 {
		t.Errorf("got frames up to %d, %d verdicts; want both", next, verdicts)
	}
	server.CloseClientConnections()
	server.Close()
	close(quit)
	done.Wait()
	for lines.Scan() {
	}
	must.Do(t, cmd.Wait())
}
