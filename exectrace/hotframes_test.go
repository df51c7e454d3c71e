package exectrace_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/gather"
	"example.com/iprof/internal/framefile"
	"example.com/iprof/internal/must"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// slowGame is a game whose frames are usually in coolLoop, and in hotLoop for a slow frame, in the same zone.
func slowGame(t *testing.T) *game {
	before := gather.Events()
	gather.SetEvents(1 << 16)
	g := newGame(t)
	g.session.SetFrameBudget(20 * time.Millisecond)
	average := g.session.View().Get().Average
	g.session.View().SetAverage(report.AverageInstant)
	t.Cleanup(func() {
		g.session.SetFrameBudget(time.Second / 60)
		g.session.View().SetAverage(average)
		gather.SetEvents(before)
	})
	if err := g.session.HotSource().SetSampling(250); err != nil {
		t.Skip("the test run is profiled:", err)
	}
	return g
}

// play runs usual frames, in which the zone is in another function, and one that takes longer.
func (g *game) play(loops int) {
	for range 100 {
		g.frame(func() {
			scope := hotZone.Begin()
			coolLoop()
			scope.End()
		})
	}
	g.frame(func() {
		scope := hotZone.Begin()
		for range loops {
			hotLoop()
		}
		scope.End()
	})
}

// ofFrame returns the hot lines around the zone in the frame that a session shows.
func ofFrame(s *process.Session) *report.HotLines {
	var snap process.Snapshot
	id, _ := hotZone.ID()
	s.View().SetCursorZone(id)
	s.View().Snapshot(&snap, process.SnapshotOptions{Around: true})
	return snap.Around.Hot
}

// wantOwn checks lines that are of the slow frame alone.
func wantOwn(t *testing.T, h *report.HotLines) {
	t.Helper()
	cool := 0
	for _, f := range h.Functions {
		if strings.HasSuffix(f.Function, ".coolLoop") {
			cool += f.Samples
		}
	}
	if !strings.HasSuffix(h.Functions[0].Function, ".hotLoop") || cool > h.Samples/10 {
		t.Errorf("got %+v; want hotLoop, and next to no coolLoop", h.Functions)
	}
	if len(h.Lines) == 0 || h.Lines[0].Samples < 1 {
		t.Errorf("got the lines %+v; want those of the frame", h.Lines)
	}
}

// A slow frame has hot lines of its own, when the session is paused and soon after it; other frames have those of all.
func TestASlowFrameHasHotLinesOfItsOwn(t *testing.T) {
	for name, pause := range map[string]bool{"paused": true, "running": false} {
		t.Run(name, func(t *testing.T) {
			g := slowGame(t)
			var h *report.HotLines
			for h == nil || !h.OfFrame || h.Samples < 10 {
				g.session.Resume()
				g.play(100)
				slow := g.session.AppendFrames(nil, 1)[0].Index
				for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
					if pause {
						g.session.Pause()
					} else {
						g.frame(func() {})
					}
					g.session.View().ShowFrame(slow)
					if h = ofFrame(g.session); h != nil && h.OfFrame {
						break
					}
				}
			}
			wantOwn(t, h)
			g.session.View().SetLens(report.Lens{Kind: report.LensAll})
			defer g.session.View().SetLens(report.Lens{})
			if all := ofFrame(g.session); all.OfFrame || all.Samples <= h.Samples {
				t.Errorf("got %d samples of all frames, of one: %t; want more than the %d", all.Samples, all.OfFrame,
					h.Samples)
			}
		})
	}
}

// The file of a black box has the hot lines of the slow frame, made from the trace in it.
func TestABlackBoxHasTheHotLinesOfTheSlowFrame(t *testing.T) {
	g := slowGame(t)
	for {
		dir := t.TempDir()
		box, err := g.watch.BlackBox(capture.BlackBoxOptions{Dir: dir, After: -1, OverBudget: -1, Log: io.Discard})
		if err != nil {
			t.Fatal(err)
		}
		g.play(100)
		box.Trigger("slow")
		slow := g.session.AppendFrames(nil, 1)[0].Index
		g.session.Update()
		must.Do(t, box.Close())
		files, _ := filepath.Glob(filepath.Join(dir, "*"))
		file := must.Get(os.ReadFile(files[0]))(t)
		s := process.NewSession()
		if _, err := framefile.Load(s, bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		s.Pause()
		s.View().SetAverage(report.AverageInstant)
		s.View().ShowFrame(slow)
		if h := ofFrame(s); h != nil && h.OfFrame && h.Samples >= 10 {
			wantOwn(t, h)
			return
		}
	}
}
