package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/world"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// The last report of a run, and the report of the capture that it wrote, name the same zones.
func TestACaptureIsShownAsItWasRecorded(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is recorded in a program built with iprof_off")
	}
	d := newDesktop(t)
	dir := t.TempDir()
	file, picture := filepath.Join(dir, "game.iprof"), filepath.Join(dir, "shot.png")
	must.Run(t, command(d.display, "-frames", "60", "-hidden", "-record", file))
	out, err := command(d.display, "-frames", "2", "-hidden", "-screenshot", picture, "-report", "-", file).Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, zone := range []string{"walls", "sprites", "raycast"} {
		if !strings.Contains(string(out), zone) {
			t.Errorf("the report of the capture has no %s:\n%s", zone, out)
		}
	}
	checkPicture(t, picture, 1280, 720)
}

func TestACaptureThatIsNoneIsOneLine(t *testing.T) {
	d := newDesktop(t)
	other := filepath.Join(t.TempDir(), "other")
	must.Do(t, os.WriteFile(other, []byte("something else"), 0o600))
	for _, name := range []string{other, other + " that is not there"} {
		out, err := command(d.display, "-frames", "1", "-hidden", name).CombinedOutput()
		if err == nil || !strings.HasPrefix(string(out), "glviewer: ") || strings.Count(string(out), "\n") != 1 {
			t.Errorf("%s: %v, %q; want one line and a status", name, err, out)
		}
	}
}

func TestABlackBoxsFileOpensAtItsHitch(t *testing.T) {
	dir := t.TempDir()
	s := process.NewSession()
	box := must.Get(capture.NewBlackBox(s, capture.BlackBoxOptions{
		Dir: dir, Before: 60, After: 30, OverBudget: -1, Log: io.Discard}))(t)
	r := world.NewGame(1, s)
	for i := range 140 {
		if i == 100 {
			box.Trigger("here")
		}
		must.Do(t, r.Step())
	}
	must.Do(t, box.Close())
	files, _ := filepath.Glob(filepath.Join(dir, "*.iprof"))
	if len(files) != 1 {
		t.Fatalf("got %q; want a file", files)
	}
	u := newUser(t, "replay", 1280, 720, "-timeline", files[0])
	if first := strings.Join(u.program.seen, "\n"); !strings.Contains(first, "\nframe 100 ") ||
		!strings.Contains(first, "\nage 30\n") {
		t.Errorf("got\n%s\nwant frame 100 at age 30", first)
	}
	shot(t, "hitch", u.seen)
	u.press(symbolRight)
	u.wait("frame 101 .*")
	u.quit()
}

// The sample's hitch writes a capture that shows the hitch.
func TestAHitchIsInTheBlackBox(t *testing.T) {
	if !gather.Enabled {
		t.Skip("nothing is recorded in a program built with iprof_off")
	}
	d := newDesktop(t)
	dir := filepath.Join(t.TempDir(), "hitches")
	hitch := command(d.display, "-frames", "5", "-hidden", "-hitch", "2", "-blackbox", dir)
	must.Run(t, hitch)
	files, _ := filepath.Glob(filepath.Join(dir, "blackbox-*.iprof"))
	if len(files) == 0 {
		t.Fatal("got no file")
	}
	out, err := command(d.display, "-frames", "2", "-hidden", "-report", "-", files[0]).Output()
	if err != nil || !strings.Contains(string(out), "hitch") {
		t.Errorf("got %v\n%s\nwant a report with hitch", err, out)
	}
}

// sampledElsewhere is a program's source of hot lines: of all zones the same.
type sampledElsewhere struct {
	rate atomic.Int64
	h    report.HotZones
}

func (s *sampledElsewhere) Sampling() int { return int(s.rate.Load()) }

func (s *sampledElsewhere) SetSampling(rate int) error {
	s.rate.Store(int64(rate))
	return nil
}

func (s *sampledElsewhere) HotZones() *report.HotZones {
	if s.Sampling() > 0 {
		return &s.h
	}
	return nil
}

// The card has the program sample itself, shows its lines, and ends that with the viewer.
func TestHotLinesFromElsewhere(t *testing.T) {
	longtest.Skip(t)
	if !gather.Enabled {
		t.Skip("nothing is measured in a program built with iprof_off")
	}
	program := &sampledElsewhere{h: report.HotZones{Samples: 2400, Outside: 100}}
	lines := []report.HotLine{
		{Function: "game.(*World).Step", File: "/game/world.go", Line: 88, Text: "w.solve(dt)", Samples: 30},
		{Function: "game.(*World).Draw", File: "/game/draw.go", Line: 17, Text: "for range w.bodies {", Samples: 10}}
	functions := []report.HotFunction{{Function: "game.(*World).Step", Samples: 30},
		{Function: "game.(*World).Draw", Samples: 10}}
	for zone := range report.ZoneID(60) {
		program.h.Zones = append(program.h.Zones,
			report.HotLines{Zone: zone + 1, Samples: 40, Lines: lines, Functions: functions})
	}
	process.Default().SetSources(func(c *process.Sources) { c.Sampler = program })
	defer process.Default().SetSources(func(c *process.Sources) { c.Sampler = nil })
	at := serveSelf(t)
	u := newUser(t, "replay", 1280, 720, "-connect", at)
	u.linked(at)
	u.wait("frames 60")
	sampling := func(want int) {
		t.Helper()
		must.Until(t, fmt.Sprint(want, " samples a second"), func() bool { return program.Sampling() == want })
	}
	u.fromMenu("with times of lines")
	u.wait("menu closed")
	u.see("source-opened", 1000)
	u.fromMenu("sample the program")
	u.wait("menu closed")
	sampling(100)
	u.fromMenu("samples a second")
	sampling(250)
	time.Sleep(time.Second / 2) // for the picture
	u.see("connected-hot", 300)
	u.quit()
	sampling(0)
}
