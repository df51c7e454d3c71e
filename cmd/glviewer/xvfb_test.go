package main

import (
	"image"
	"image/color"
	"io"
	"os/exec"
	"testing"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
	"github.com/jezek/xgb/xtest"

	"example.com/iprof/internal/must"
	"example.com/iprof/internal/xvfbtest"
)

// patience is the longest wait for anything. Only a test that fails waits that long.
const patience = 3 * time.Minute

// desktop is a private X server and a connection to it.
type desktop struct {
	t       testing.TB
	display string
	conn    *xgb.Conn
	root    xproto.Window
	keys    map[xproto.Keysym]xproto.Keycode
}

func init() { xgb.Logger.SetOutput(io.Discard) } // it speaks of authority files that no private server has

// newDesktop is a desktop without windows, on the X server of all tests.
func newDesktop(t testing.TB) *desktop {
	t.Helper()
	display := xvfbtest.Start(t)
	conn := must.Get(xgb.NewConnDisplay(display))(t)
	d := &desktop{t: t, display: display, conn: conn}
	t.Cleanup(d.conn.Close)
	must.Do(t, xtest.Init(d.conn))
	setup := xproto.Setup(d.conn)
	d.root = setup.DefaultScreen(d.conn).Root
	d.mapKeys(setup)
	d.fake(xproto.MotionNotify, 0, 960, 600)
	must.Until(t, "the window of the test before goes", func() bool { return d.hasFocus() == 0 })
	return d
}

// mapKeys finds the key codes of the keyboard's symbols.
func (d *desktop) mapKeys(setup *xproto.SetupInfo) {
	first, count := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	mapping := must.Get(xproto.GetKeyboardMapping(d.conn, first, count).Reply())(d.t)
	d.keys = map[xproto.Keysym]xproto.Keycode{}
	per := int(mapping.KeysymsPerKeycode)
	for i := range int(count) {
		d.keys[mapping.Keysyms[i*per]] = first + xproto.Keycode(i)
	}
}

// The symbols of the keys that tests press.
const (
	symbolSpace     = 0x20
	symbolBackspace = 0xff08
	symbolEnter     = 0xff0d
	symbolEscape    = 0xff1b
	symbolLeft      = 0xff51
	symbolRight     = 0xff53
	symbolDown      = 0xff54
	symbolEnd       = 0xff57
	symbolF1        = 0xffbe
	symbolTab       = 0xff09
	symbolUp        = 0xff52
	symbolShift     = 0xffe1
	symbolControl   = 0xffe3
)

// layOut changes the layout of the keyboard, until the test ends. Symbols of keys stay those of the US layout.
func (d *desktop) layOut(layout ...string) {
	d.t.Helper()
	if _, err := exec.LookPath("setxkbmap"); err != nil {
		d.t.Skip("no setxkbmap")
	}
	const keyboard = "5" // of the extension XTEST, in each Xvfb
	change := func(layout ...string) {
		args := append([]string{"-display", d.display, "-device", keyboard}, layout...)
		if out, err := exec.Command("setxkbmap", args...).CombinedOutput(); err != nil {
			d.t.Fatalf("setxkbmap %v: %v, %s", args, err, out)
		}
	}
	d.t.Cleanup(func() { change("us") })
	change(layout...)
}

// press strikes a key.
func (d *desktop) press(symbol xproto.Keysym) {
	d.t.Helper()
	code, ok := d.keys[symbol]
	if !ok {
		d.t.Fatalf("no key for symbol %#x", symbol)
	}
	d.fake(xproto.KeyPress, byte(code), 0, 0)
	d.fake(xproto.KeyRelease, byte(code), 0, 0)
}

// chord strikes a key while another is held.
func (d *desktop) chord(held, symbol xproto.Keysym) {
	d.t.Helper()
	d.fake(xproto.KeyPress, byte(d.keys[held]), 0, 0)
	d.press(symbol)
	d.fake(xproto.KeyRelease, byte(d.keys[held]), 0, 0)
}

// drag moves there with the left button held, in steps, and lets go elsewhere.
func (d *desktop) drag(x, y, toX, toY int) {
	d.t.Helper()
	d.fake(xproto.MotionNotify, 0, int16(x), int16(y))
	d.fake(xproto.ButtonPress, 1, 0, 0)
	for i := 1; i <= 4; i++ {
		d.fake(xproto.MotionNotify, 0, int16(x+(toX-x)*i/4), int16(y+(toY-y)*i/4))
	}
	d.fake(xproto.ButtonRelease, 1, 0, 0)
}

// rightClick moves there and clicks the right button.
func (d *desktop) rightClick(x, y int) {
	d.t.Helper()
	d.fake(xproto.MotionNotify, 0, int16(x), int16(y))
	d.fake(xproto.ButtonPress, 3, 0, 0)
	d.fake(xproto.ButtonRelease, 3, 0, 0)
}

// click moves there and clicks the left button.
func (d *desktop) click(x, y int) {
	d.t.Helper()
	d.fake(xproto.MotionNotify, 0, int16(x), int16(y))
	d.fake(xproto.ButtonPress, 1, 0, 0)
	d.fake(xproto.ButtonRelease, 1, 0, 0)
}

func (d *desktop) fake(kind, detail byte, x, y int16) {
	d.t.Helper()
	must.Do(d.t, xtest.FakeInputChecked(d.conn, kind, detail, 0, d.root, x, y, 0).Check())
}

// focused waits until a window has the keyboard, and returns it.
func (d *desktop) focused() xproto.Window {
	d.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		if w := d.hasFocus(); w != 0 {
			return w
		}
	}
	d.t.Fatal("the window never got the keyboard")
	return 0
}

// hasFocus returns the window that has the keyboard, or 0.
func (d *desktop) hasFocus() xproto.Window {
	reply, err := xproto.GetInputFocus(d.conn).Reply()
	if err != nil || reply.Focus <= 1 || reply.Focus == d.root {
		return 0
	}
	return reply.Focus
}

// grab returns the picture of a window.
func (d *desktop) grab(w xproto.Window, width, height int) *image.RGBA {
	d.t.Helper()
	reply := must.Get(xproto.GetImage(d.conn, xproto.ImageFormatZPixmap, xproto.Drawable(w), 0, 0, uint16(width),
		uint16(height), 0xffffffff).Reply())(d.t)
	p := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		b := reply.Data[4*i:]
		p.SetRGBA(i%width, i/width, color.RGBA{b[2], b[1], b[0], 255})
	}
	return p
}

// differs grabs a window until at least so many pixels are others than before: its server may be behind with drawing.
func (d *desktop) differs(w xproto.Window, before *image.RGBA, pixels int) *image.RGBA {
	d.t.Helper()
	now, n := before, 0
	for deadline := time.Now().Add(patience); n < pixels &&
		time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		now = d.grab(w, before.Rect.Dx(), before.Rect.Dy())
		n = changed(before, now)
	}
	if n < pixels {
		d.t.Errorf("pixels changed: got %d; want at least %d", n, pixels)
	}
	return now
}

// changed counts the pixels of two pictures of one size that differ.
func changed(a, b *image.RGBA) (n int) {
	for i := 0; i < len(a.Pix); i += 4 {
		if a.Pix[i] != b.Pix[i] || a.Pix[i+1] != b.Pix[i+1] || a.Pix[i+2] != b.Pix[i+2] {
			n++
		}
	}
	return n
}
