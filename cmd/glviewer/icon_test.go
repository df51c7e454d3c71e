package main

import (
	"testing"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/icon"
	"example.com/iprof/internal/must"
)

// property is a window's, as the desktop reads it.
func (d *desktop) property(w xproto.Window, name string, kind xproto.Atom) []byte {
	d.t.Helper()
	atom := must.Get(xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply())(d.t)
	reply := must.Get(xproto.GetProperty(d.conn, false, w, atom.Atom, kind, 0, 1<<20).Reply())(d.t)
	return reply.Value
}

// A desktop finds the icon and the desktop entry of the window.
func TestWindowHasItsIconAndClass(t *testing.T) {
	d := newDesktop(t)
	p := start(t, d.display, "-workload", "replay", "-size", "320x240", "-events")
	p.wait("ready")
	w := d.focused()
	if got, want := string(d.property(w, "WM_CLASS", xproto.AtomString)),
		windowClass+"\x00"+windowClass+"\x00"; got != want {
		t.Errorf("WM_CLASS: got %q; want %q", got, want)
	}
	pictures, size := d.property(w, "_NET_WM_ICON", xproto.AtomCardinal), icon.Sizes[0]
	if len(pictures) < 8+4*size*size || int(pictures[0]) != size || int(pictures[4]) != size {
		t.Fatalf("_NET_WM_ICON: got %d bytes; want pictures, %d pixels wide first", len(pictures), size)
	}
	want := icon.Picture(size)
	for i := range size * size {
		c, got := want.NRGBAAt(i%size, i/size), pictures[8+4*i:]
		if got[0] != c.B || got[1] != c.G || got[2] != c.R || got[3] != c.A {
			t.Fatalf("icon's pixel %d: got %v; want %v", i, got[:4], c)
		}
	}
	d.chord(symbolControl, 'q')
	p.ends()
}
