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

// TestMain makes the test binary be the program itself if the environment says so.
func TestMain(m *testing.M) {
	if os.Getenv("WHY_TEST_MAIN") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// The program runs with everything on, and its picture has more than one colour.
func TestWhy(t *testing.T) {
	display, file := xvfbtest.Start(t), filepath.Join(t.TempDir(), "why.png")
	c := exec.Command(os.Args[0], "-workload", "sphereflake", "-frames", "150", "-hot", "intersect",
		"-screenshot", file)
	c.Env = append(os.Environ(), "WHY_TEST_MAIN=1", "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1")
	must.Run(t, c)
	data := must.Get(os.ReadFile(file))(t)
	m := must.Get(png.Decode(bytes.NewReader(data)))(t)
	colors := map[any]bool{}
	for x := range m.Bounds().Dx() {
		colors[m.At(x, m.Bounds().Dy()*3/4)] = true
	}
	if len(colors) < 10 {
		t.Errorf("got a picture with %d colours across; want a screen", len(colors))
	}
}
