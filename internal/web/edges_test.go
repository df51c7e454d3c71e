package web_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"example.com/iprof/gather"
	"example.com/iprof/internal/browser"
	"example.com/iprof/internal/longtest"
	"example.com/iprof/internal/must"
	"example.com/iprof/internal/web"
	"example.com/iprof/process/report"
)

// TestTheBrowserKeepsThePolicy: what a script of the page tries against the policy is stopped by the browser.
func TestTheBrowserKeepsThePolicy(t *testing.T) {
	other, visits := visited(t)
	p := browser.Start(t)
	p.Size(640, 480, "dark")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 10, 0)})
	u.Eval(fmt.Sprintf(`(async () => {
		const add = (tag, more) => document.body.append(Object.assign(document.createElement(tag), more));
		add('script', {textContent: 'globalThis.owned = 1'});
		add('script', {src: %[1]q + '/script'});
		add('img', {src: %[1]q + '/img'});
		add('iframe', {src: %[1]q + '/frame'});
		add('link', {rel: 'stylesheet', href: %[1]q + '/css'});
		await fetch(%[1]q + '/fetch', {mode: 'no-cors'}).catch(() => { });
		try { new WebSocket(%[1]q.replace('http', 'ws')) } catch { }
	})()`, other))
	if got := u.Text("globalThis.owned + ''"); got != "undefined" {
		t.Error("a script in the page was run")
	}
	if n := visits.Load(); n > 0 {
		t.Errorf("got %d requests to another server; want none", n)
	}
}

// TestCopiesAndDensity: a table goes to the clipboard of the system, and the canvas has the pixels of the screen.
func TestCopiesAndDensity(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1000, 700, "dark")
	p.Before("globalThis.copied = ''; navigator.clipboard.writeText = async text => { copied = text }")
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
	u.strike("KeyC", "c")
	u.until("copied", func(text string) bool { return strings.Contains(text, "zone 1") })
	p.Dense(1000, 700, 2)
	u.wait("size 2000x1400")
	u.wait("scale 2")
	u.Screenshot("testdata/out/dense.png")
	u.Wheel("#screen", 0.3, 0.3, -300)
	u.quiet()
}

// TestSourcesAndEditor: the source of a zone comes from the server that was given folders, and opens in the editor.
func TestSourcesAndEditor(t *testing.T) {
	longtest.Skip(t)
	v := must.Get(viewer())(t)
	file := recorded(t, "a.iprof", 60, 0)
	s := web.New([]web.Item{{Name: "a.iprof", File: file}},
		func(context.Context) (*web.Viewer, error) { return v, nil })
	var opened, asked atomic.Pointer[string]
	s.Code = func(zone gather.ZoneInfo) *report.Code {
		asked.Store(&zone.Function)
		return &report.Code{Function: "worker", First: 1, Lines: []string{"func worker() {", "}"}}
	}
	s.Edit = func(file string, line int) error {
		at := fmt.Sprint(file, ":", line)
		opened.Store(&at)
		return nil
	}
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	u := lookAt(t, p, s)
	u.strike("ArrowDown", "ArrowDown")
	u.strike("ArrowDown", "ArrowDown")
	u.strike("KeyZ", "Z", "shift")
	u.until("'' + performance.getEntriesByType('resource').some(e => e.name.endsWith('/code'))",
		func(is string) bool { return is == "true" })
	u.Screenshot("testdata/out/source.png")
	u.choose("open its place")
	u.until("'' + performance.getEntriesByType('resource').some(e => e.name.endsWith('/edit'))",
		func(is string) bool { return is == "true" })
	if asked.Load() == nil || opened.Load() == nil || !strings.Contains(*opened.Load(), ":") {
		t.Errorf("got the source asked for %v, and opened %v; want both", asked.Load(), opened.Load())
	}
}

// waitsForAFile has the program wait for the next file that it opens, until goOn is called.
const waitsForAFile = `(() => {
	const open = fs.open;
	fs.open = (...file) => {
		globalThis.goOn = () => { fs.open = open; open(...file) };
	};
})()`

// movesOften moves the mouse so often that no list of movements has room for them.
const movesOften = `(() => {
	for (let x = 0; x < 3000; x++) {
		const at = {clientX: 300 + x % 100, clientY: 240, pointerType: 'mouse'};
		document.getElementById('screen').dispatchEvent(new PointerEvent('pointermove', at));
	}
})()`

// TestNoKeyIsLost: a program that waits for a file takes the keys and clicks of that time later, however often the
// mouse has moved.
func TestNoKeyIsLost(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	p.Before(keepsDownloads)
	u := look(t, p, web.Item{Name: "a.iprof", File: recorded(t, "a.iprof", 60, 0)})
	u.Eval(waitsForAFile)
	u.strike("KeyS", "S", "ctrl", "shift")
	u.until("typeof globalThis.goOn", func(kind string) bool { return kind == "function" })
	u.Eval(movesOften)
	u.strike("ArrowLeft", "ArrowLeft")
	u.strike("ArrowLeft", "ArrowLeft")
	u.Click("#screen", 300.0/1280, 662.0/800)
	u.Eval("goOn()")
	u.wait("age 2")
	u.until("iprofLines.some(line => line.startsWith('cursor 4 ')) + ''", func(is string) bool { return is == "true" })
	u.download(".iprof")
	u.quiet()
}

// TestTheServerEnds: the page says so, and keeps what it shows.
func TestTheServerEnds(t *testing.T) {
	longtest.Skip(t)
	p := browser.Start(t)
	p.Size(1280, 800, "dark")
	e := started(t)
	u := look(t, p, web.Item{Name: e.Address, Address: e.Address, Program: e})
	u.wait("link web.test · " + e.Address)
	u.wait("frames 60")
	u.strike("Space", " ")
	u.wait("paused")
	u.end()
	u.until("iprofLines.findLast(l => l.startsWith('link '))", func(line string) bool {
		return strings.Contains(line, "NOT CONNECTED")
	})
	u.strike("ArrowLeft", "ArrowLeft")
	u.wait("age 1")
	u.Screenshot("testdata/out/ended.png")
}
