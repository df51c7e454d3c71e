package main

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/xvfbtest"
)

// TestThePanelIsInTheWindow: the screen is no blank one, neither in the program's part nor in the profiler's, and the
// report has the program's zones.
func TestThePanelIsInTheWindow(t *testing.T) {
	display, dir := xvfbtest.Start(t), t.TempDir()
	program := filepath.Join(dir, "program")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var said bytes.Buffer
	cmd := exec.Command(program, "-frames", "100")
	cmd.Stdout, cmd.Stderr = &said, &said
	cmd.Env = append(os.Environ(), "DISPLAY="+display, "LIBGL_ALWAYS_SOFTWARE=1", "HOME="+dir, "LANG=en_US.UTF-8")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() { ended <- cmd.Wait() }()
	conn, err := xgb.NewConnDisplay(display)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	best := image.NewRGBA(image.Rectangle{})
	for running := true; running; {
		select {
		case err := <-ended:
			if running = false; err != nil {
				t.Fatalf("%v\n%s", err, &said)
			}
		case <-time.After(100 * time.Millisecond):
			if p := screen(t, conn); colours(p, p.Rect) >= colours(best, best.Rect) {
				best = p
			}
		}
	}
	for _, zone := range []string{"step", "wave", "waiting  (2 zones, folded)"} { // one of these draws the panel
		if !bytes.Contains(said.Bytes(), []byte(zone)) {
			t.Errorf("want zone %s in\n%s", zone, &said)
		}
	}
	keep(t, best)
	left, right := colours(best, image.Rect(0, 0, 240, 600)), colours(best, image.Rect(300, 0, 1240, 600))
	if left < 10 || right < 50 {
		t.Errorf("got %d and %d colours; want a picture on both sides", left, right)
	}
}

// screen is the upper left part of the screen.
func screen(t *testing.T, conn *xgb.Conn) *image.RGBA {
	t.Helper()
	p := image.NewRGBA(image.Rect(0, 0, 1240, 600))
	root := xproto.Setup(conn).DefaultScreen(conn).Root
	reply, err := xproto.GetImage(conn, xproto.ImageFormatZPixmap, xproto.Drawable(root), 0, 0, 1240, 600,
		0xffffffff).Reply()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1240 * 600 {
		b := reply.Data[4*i:]
		p.SetRGBA(i%1240, i/1240, color.RGBA{b[2], b[1], b[0], 255})
	}
	return p
}

func colours(p *image.RGBA, in image.Rectangle) int {
	seen := map[color.RGBA]bool{}
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			seen[p.RGBAAt(x, y)] = true
		}
	}
	return len(seen)
}

// keep writes the picture where IPROF_SHOTS says, for people to look at.
func keep(t *testing.T, p image.Image) {
	t.Helper()
	dir := os.Getenv("IPROF_SHOTS")
	if dir == "" {
		return
	}
	file, err := os.Create(filepath.Join(dir, "fyne.png"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := png.Encode(file, p); err != nil {
		t.Fatal(err)
	}
}
