package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/golden"
	"example.com/iprof/internal/longtest"
)

// TestAfterEveryResizeTheWindowShowsAFreshPicture resizes a window many times, and compares it each time with one that
// was resized only once.
func TestAfterEveryResizeTheWindowShowsAFreshPicture(t *testing.T) {
	longtest.Skip(t)
	u := newUser(t, "replay", 1000, 640)
	newest := u.pause(40)
	r := rand.New(rand.NewPCG(5, 20))
	for range 20 {
		width, height := 640+r.IntN(700), 360+r.IntN(500)
		size := []uint32{uint32(width), uint32(height)}
		xproto.ConfigureWindow(u.conn, u.window, xproto.ConfigWindowWidth|xproto.ConfigWindowHeight, size)
		u.wait(fmt.Sprintf("size %dx%d", width, height))
		w := newTwin(t, newest+1, u.width, u.height) // layers keep the order in which frames brought them
		w.width, w.height = width, height
		u.shows(fmt.Sprintf("%dx%d", width, height), w.picture(t))
	}
	u.quit()
}

// shows waits until the window shows a picture.
func (u *user) shows(name string, want *image.RGBA) {
	u.t.Helper()
	width, height := want.Rect.Dx(), want.Rect.Dy()
	var d golden.Difference
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		u.seen = u.grab(u.window, width, height)
		if d = golden.Measure(u.seen, want); d.Within(golden.Driver) == nil {
			return
		}
	}
	shot(u.t, name+"-got", u.seen)
	shot(u.t, name+"-want", want)
	u.t.Fatalf("%s: %v; want the picture of a window resized once", name, d.Within(golden.Driver))
}
