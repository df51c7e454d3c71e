package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"syscall"
	"testing"
	"time"

	"example.com/iprof/auto"
	"example.com/iprof/internal/instrument"
	"example.com/iprof/internal/runreport"
	"example.com/iprof/internal/xvfbtest"
)

// realGames are programs with a window.
var realGames = []struct {
	realProgram
	animated bool // it draws as often as it can
}{
	{realProgram{name: "ebitengine raycasting", module: "github.com/hajimehoshi/ebiten/v2", version: "v2.8.8",
		pkg: "./examples/raycasting"}, true},
	{realProgram{name: "fyne hello", module: "fyne.io/fyne/v2", version: "v2.5.5", pkg: "./cmd/hello"}, false},
}

// played is how long a game runs.
const played = 5 * time.Second

// checkGames builds games of other people and lets them draw on an X server without a screen. It logs what the zones
// leave of the frame rate. A build of the game in which frames end, but no function has a zone, is the plain one.
func checkGames(t *testing.T) {
	t.Setenv("DISPLAY", xvfbtest.Start(t))
	for _, g := range realGames {
		t.Run(g.name, func(t *testing.T) {
			dir, cache := g.fetch(t), t.TempDir()
			none := instrument.Selection{Exclude: regexp.MustCompile(".")}
			plain, _, _ := g.zonedWith(t, cache, instrument.Options{Dir: dir, Selection: none})
			first, firstPlan, took := g.zonedWith(t, cache, instrument.Options{Dir: dir})
			learnedFrom = firstPlan.Learned
			g.play(t, dir, first, auto.Settings{Mute: true, Frames: true})
			learned, plan, _ := g.zonedWith(t, cache, instrument.Options{Dir: dir})
			t.Logf("frames end %q", plan.Frames)
			var rates []float64
			var ratios [2][]float64
			for range *rounds {
				a := g.play(t, dir, plain, auto.Settings{Frames: true})
				b := g.play(t, dir, first, auto.Settings{Frames: true, Mute: true})
				c := g.play(t, dir, learned, auto.Settings{Frames: true, Mute: true})
				rates = append(rates, float64(a)/played.Seconds())
				ratios[0] = append(ratios[0], float64(b)/float64(a))
				ratios[1] = append(ratios[1], float64(c)/float64(a))
			}
			middle := func(list []float64) float64 { slices.Sort(list); return list[len(list)/2] }
			t.Logf("| %s %s | %d | %d | %d | %.1f + %.1f | %.0f | %.2f | %.2f |", g.name, g.version, firstPlan.Count,
				firstPlan.Chosen, plan.Muted, took[0].Seconds(), took[1].Seconds(), middle(rates), middle(ratios[0]),
				middle(ratios[1]))
		})
	}
}

// play runs the game for a while and returns its number of frames.
func (p *realProgram) play(t *testing.T, dir, program string, s auto.Settings) (frames int) {
	t.Helper()
	s.Record = filepath.Join(t.TempDir(), "play.iprof")
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), auto.Variable+"="+string(text))
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(played)
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // ended by the signal
	run, err := runreport.Read(s.Record)
	if err != nil || run.Contents.Frames == 0 {
		t.Fatalf("no frames: %v", err)
	}
	p.learn(t, s.Record)
	return int(run.Contents.Frames)
}
