package main

import (
	"bytes"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
)

// TestMain makes the test binary be the game itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("GAME_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func game(display string, args ...string) ([]byte, error) {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "GAME_TEST_MAIN=1", "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	return c.CombinedOutput()
}

func TestGameAndOverlay(t *testing.T) {
	file := filepath.Join(t.TempDir(), "game.png")
	if out, err := game(xvfbtest.Start(t), "-frames", "30", "-screenshot", file); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f := must.Get(os.Open(file))(t)
	defer f.Close()
	p := must.Get(png.Decode(f))(t)
	// The game's map stands in the top right corner, the overlay at the left: both must be there.
	b := p.Bounds()
	for name, x0 := range map[string]int{"overlay": 0, "game": b.Dx() * 5 / 6} {
		t.Run(name, func(t *testing.T) {
			colours := map[any]bool{}
			for y := range b.Dy() / 3 {
				for x := range b.Dx() / 6 {
					colours[p.At(x0+x, y)] = true
				}
			}
			if len(colours) < 40 {
				t.Errorf("colours of the %s: got %d; want at least 40", name, len(colours))
			}
		})
	}
}

func TestWithoutADisplayTheErrorNamesXvfb(t *testing.T) {
	out, err := game("")
	if err == nil || !bytes.Contains(out, []byte("xvfb-run")) {
		t.Errorf("without a display: got %v, %q; want a failure that names xvfb-run", err, out)
	}
}
