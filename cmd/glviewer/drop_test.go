package main

import (
	"net/url"
	"path/filepath"
	"testing"
	"time"

	"github.com/jezek/xgb/xproto"

	"example.com/iprof/internal/must"
)

// dropper is a file manager: a window of another program that speaks the drag and drop protocol of X (XDND 5).
type dropper struct {
	*desktop
	source, target xproto.Window
	atoms          map[string]xproto.Atom
}

func newDropper(d *desktop, target xproto.Window) *dropper {
	d.t.Helper()
	p := &dropper{desktop: d, target: target, atoms: map[string]xproto.Atom{}}
	for _, name := range []string{"XdndEnter", "XdndPosition", "XdndStatus", "XdndDrop", "XdndFinished",
		"XdndActionCopy", "XdndSelection", "XdndAware", "text/uri-list"} {
		reply := must.Get(xproto.InternAtom(d.conn, false, uint16(len(name)), name).Reply())(d.t)
		p.atoms[name] = reply.Atom
	}
	source := must.Get(xproto.NewWindowId(d.conn))(d.t)
	p.source = source
	xproto.CreateWindow(d.conn, 0, source, d.root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly, 0, 0, nil)
	xproto.SetSelectionOwner(d.conn, source, p.atoms["XdndSelection"], xproto.TimeCurrentTime)
	return p
}

// send sends the target a message.
func (p *dropper) send(kind string, data ...uint32) {
	p.t.Helper()
	message := xproto.ClientMessageEvent{Format: 32, Window: p.target, Type: p.atoms[kind],
		Data: xproto.ClientMessageDataUnionData32New(append([]uint32{uint32(p.source)}, append(data, 0, 0, 0)[:4]...))}
	must.Do(p.t, xproto.SendEventChecked(p.conn, false, p.target, 0, string(message.Bytes())).Check())
}

// answer waits for a message of the target, and gives it the list of files when it asks.
func (p *dropper) answer(kind, list string) xproto.ClientMessageEvent {
	p.t.Helper()
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		event := must.Get(p.conn.PollForEvent())(p.t)
		switch e := event.(type) {
		case xproto.ClientMessageEvent:
			if e.Type == p.atoms[kind] {
				return e
			}
		case xproto.SelectionRequestEvent:
			xproto.ChangeProperty(p.conn, xproto.PropModeReplace, e.Requestor, e.Property, e.Target, 8,
				uint32(len(list)), []byte(list))
			given := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection,
				Target: e.Target, Property: e.Property}
			xproto.SendEvent(p.conn, false, e.Requestor, 0, string(given.Bytes()))
		}
	}
	p.t.Fatalf("the window sent no %s", kind)
	return xproto.ClientMessageEvent{}
}

// drop drops files on the middle of the window.
func (p *dropper) drop(paths ...string) {
	p.t.Helper()
	list := ""
	for _, path := range paths {
		list += (&url.URL{Scheme: "file", Path: path}).String() + "\r\n"
	}
	p.send("XdndEnter", 5<<24, uint32(p.atoms["text/uri-list"]))
	p.send("XdndPosition", 0, 300<<16|300, xproto.TimeCurrentTime, uint32(p.atoms["XdndActionCopy"]))
	if status := p.answer("XdndStatus", list); status.Data.Data32[1]&1 == 0 {
		p.t.Fatal("the window takes no files")
	}
	p.send("XdndDrop", 0, xproto.TimeCurrentTime)
	p.answer("XdndFinished", list)
}

// Each becomes a tab, and the last is shown; names with spaces are names.
func TestFilesDroppedOnTheWindow(t *testing.T) {
	dir := t.TempDir()
	one := written(t, filepath.Join(dir, "one.iprof"), 200)
	two := written(t, filepath.Join(dir, "two more.iprof"), 200)
	u := newUser(t, "replay", 1280, 720, one)
	newDropper(u.desktop, u.window).drop(two)
	u.wait("tab 1 of 2 two more.iprof")
	u.quit()
}
