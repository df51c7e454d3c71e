package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/trace"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
)

// exportAs takes a format from the menu of all commands, and returns the file's name and what is in it.
func (u *user) exportAs(words string) (name, text string) {
	u.t.Helper()
	u.fromMenu(words)
	file := ""
	for closed := false; !closed || file == ""; { // in any order
		got := u.wait(`saved (.+) \([0-9]+ frames?(?:, [0-9]+ overlapping states cut)?\)|menu closed`)
		closed, file = closed || got[1] == "", cmp.Or(got[1], file)
	}
	b := must.Get(os.ReadFile(file))(u.t)
	u.press(symbolEscape)
	return filepath.Base(file), string(b)
}

// fromMenu takes a line of the menu of all commands. Wait for "menu closed" before it opens again: a frame that sees
// both keys prints neither.
func (u *user) fromMenu(words string) {
	u.t.Helper()
	u.press(symbolTab)
	u.wait("menu open")
	for _, c := range words {
		u.press(xproto.Keysym(c))
	}
	u.press(symbolEnter)
}

// A tab's frames are written for other tools: all, or the frame that is shown.
func TestExports(t *testing.T) {
	longtest.Skip(t)
	dir := t.TempDir()
	u := newUser(t, "replay", 1280, 720, "-out", dir, written(t, filepath.Join(dir, "game.iprof"), 40))
	name, text := u.exportAs("export as csv")
	frames := regexp.MustCompile(`(?m)^[0-9]+,[^,]*,main,\(root\),`).FindAllString(text, -1)
	if name != "game.csv" || len(frames) != 40 {
		t.Errorf("all: got %d frames in %s; want 40 in game.csv", len(frames), name)
	}
	u.press(symbolLeft)
	u.wait("age 1")
	name, text = u.exportAs("export as chrome")
	if name != "game-frame-38.json" || strings.Count(text, `"name":"frame `) != 1 ||
		!strings.Contains(text, `"name":"frame 38`) {
		t.Errorf("one frame: got %s and\n%.500s", name, text)
	}
	u.see("exported", 100)
	u.fromMenu("average of the 16 slowest")
	u.wait("lens 4")
	name, text = u.exportAs("export as csv")
	frames = regexp.MustCompile(`(?m)^[0-9]+,[^,]*,main,\(root\),`).FindAllString(text, -1)
	if name != "game-frames-worst-16.csv" || len(frames) != 16 {
		t.Errorf("the slowest: got %d frames in %s; want 16", len(frames), name)
	}
	u.fromMenu("average of frames within budget")
	u.wait("lens 3")
	if name, text = u.exportAs("export as folded"); name != "game-frames-within.folded.txt" || text == "" {
		t.Errorf("within budget: got %s and\n%.500s", name, text)
	}
	u.see("exported-within", 100)
	u.quit()
}

// An exported file is opened again, has the same frames, and can be exported.
func TestOpensChromesFormat(t *testing.T) {
	longtest.Skip(t)
	dir := t.TempDir()
	u := newUser(t, "replay", 1280, 720, "-out", dir, written(t, filepath.Join(dir, "game.iprof"), 40))
	name, _ := u.exportAs("export as chrome")
	u.quit()
	u = newUser(t, "replay", 1280, 720, "-out", dir, filepath.Join(dir, name))
	if seen := strings.Join(u.program.seen, "\n"); !strings.Contains(seen, "history 40") {
		u.wait("history 40")
	}
	name, text := u.exportAs("export as csv")
	if frames := strings.Count(text, ",main,(root),"); name != "game.json.csv" || frames != 40 {
		t.Errorf("got %d frames in %s; want 40", frames, name)
	}
	u.quit()
}

// An execution trace with user regions, dropped on the window.
func TestOpensGosTraces(t *testing.T) {
	longtest.Skip(t)
	own := must.Get(os.Executable())(t)
	reader := filepath.Join(filepath.Dir(own), "iprof-import-trace")
	defer os.Remove(reader)
	cmd := exec.Command("go", "build", "-o", reader, "./cmd/iprof-import-trace")
	cmd.Dir = filepath.Join("..", "..", "exectrace")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("SKIPPED: the reader of execution traces cannot be built here: %v\n%s", err, out)
	}
	path := filepath.Join(t.TempDir(), "trace.out")
	file := must.Get(os.Create(path))(t)
	if err := trace.Start(file); err != nil {
		t.Skipf("SKIPPED: no trace can be taken here: %v", err)
	}
	for range 20 {
		trace.WithRegion(t.Context(), "step", func() {
			trace.WithRegion(t.Context(), "physics", func() { time.Sleep(4 * time.Millisecond) })
			time.Sleep(4 * time.Millisecond)
		})
	}
	trace.Stop()
	must.Do(t, file.Close())
	dir := t.TempDir()
	u := newUser(t, "replay", 1280, 720, "-out", dir)
	newDropper(u.desktop, u.window).drop(path)
	u.wait("tab 1 of 2 trace.out")
	u.see("trace", 1000)
	if name, text := u.exportAs("export as folded"); name != "trace.out.folded.txt" ||
		!strings.Contains(text, ";step;physics ") {
		t.Errorf("got %s and\n%.500s", name, text)
	}
	u.quit()
}

// What ran since the window opened.
func TestExportsOfALiveProgram(t *testing.T) {
	longtest.Skip(t)
	dir := t.TempDir()
	u := newUser(t, "replay", 1280, 720, "-out", dir)
	u.pause(60)
	name, text := u.exportAs("export as folded")
	if !strings.HasSuffix(name, ".folded.txt") || !strings.Contains(text, "main;(root);") {
		t.Errorf("got %s and\n%.500s", name, text)
	}
	u.quit()
}

// frameTimes is a sink that notes when frames were, and which lane ended them.
type frameTimes struct {
	mu    sync.Mutex
	state map[uint64]gather.LaneState // of their whole time
}

func (f *frameTimes) WriteFrame(now *gather.Frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.state[now.Index] = gather.LaneState{Lane: now.Lanes[0].ID, Kind: gather.StateWaiting, Reason: "the planted lock",
		Begin: now.Begin, End: now.End}
	return nil
}

// A program elsewhere tells of the frame that a paused window shows, after the pause, what a goroutine waited for. The
// exported file of the frame has it, and so has a saved capture.
func TestLateStatesAreExported(t *testing.T) {
	longtest.Skip(t)
	e, at := startElsewhere(t, "127.0.0.1:0")
	defer e.kill()
	times := frameTimes{state: map[uint64]gather.LaneState{}}
	defer e.session.AddSink(&times)()
	u := newUser(t, "replay", 1280, 720, "-out", t.TempDir(), "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	u.press(symbolSpace)
	u.wait("paused")
	shown := number(t, u.wait(`frame (\d+) .*`)[1])
	u.press(symbolLeft)
	u.wait("age 1")
	times.mu.Lock()
	q := times.state[uint64(shown-1)]
	times.mu.Unlock()
	if q.End == 0 {
		t.Fatalf("the program does not know frame %d", shown-1)
	}
	if _, text := u.exportAs("export as chrome"); strings.Contains(text, "the planted lock") {
		t.Fatalf("the state is there before the program reported it:\n%.500s", text)
	}
	e.session.AddStates(q.Begin, q.End, []gather.LaneState{q})
	for _, format := range []string{"export as chrome", "export as perfetto"} {
		for found := false; !found; time.Sleep(time.Second) { // the test's own limit ends it
			_, text := u.exportAs(format)
			found = strings.Contains(text, "waiting for the planted lock")
		}
	}
	u.fromMenu("save a capture")
	s, _, err := capture.Open(u.wait(`saved (.+\.iprof)`)[1])
	if err != nil || !s.View().ShowFrame(uint64(shown-1)) {
		t.Fatal(err, s.View().Info())
	}
	if got := s.AppendStates(nil, s.View().Get().Age); len(got) != 1 || got[0] != q {
		t.Errorf("the capture has %+v; want %+v", got, q)
	}
	u.see("late-states", 100)
	u.quit()
}
