//go:build js && wasm

package main

import (
	"strings"
	"syscall/js"
	"time"

	"example.com/iprof/internal/moment"
)

// rest is the time without a change after which a moment becomes a step of the browser's history.
const rest = 400 * time.Millisecond

// address keeps the part of the page's address after "#" at the moment that the page shows, so that the browser goes
// back and forward through the moments.
type address struct {
	shown   string // the moment in the address
	now     string // the moment in the last picture
	changed time.Time
	visited bool // the user went to the address, so the moment is no new step
}

// followAddress goes to the moment in the address, now and when the user changes the address.
func (p *page) followAddress() {
	visit := func() {
		p.address.visited = fragment() != ""
		p.desk.GoTo(fragment())
	}
	visit()
	on(js.Global(), "popstate", func(js.Value) { p.enqueue(visit) })
}

// fragment returns the part of the page's address after "#".
func fragment() string {
	return strings.TrimPrefix(js.Global().Get("location").Get("hash").String(), "#")
}

// showAddress puts the moment into the address when it has rested. The first one replaces the address without one.
func (p *page) showAddress() {
	a, now := &p.address, p.desk.Moment()
	if now != a.now {
		a.now, a.changed = now, time.Now()
		time.AfterFunc(rest, p.wake)
	}
	if now == "" || now == a.shown || time.Since(a.changed) < rest {
		return
	}
	if a.visited || now == fragment() {
		a.shown, a.visited = now, false
		return
	}
	how := "pushState"
	if a.shown == "" && fragment() == "" {
		how = "replaceState"
	}
	js.Global().Get("history").Call(how, nil, "", "#"+now)
	a.shown = now
}

// link returns the page's address with a moment, or the command that shows it again after the page's server has ended.
func (p *page) link(of string) string {
	items := js.Global().Get("iprofSession").Get("items")
	if items.Length() == 1 && items.Index(0).Get("lasting").Truthy() {
		return moment.Command(items.Index(0).Get("lasting").String(), of)
	}
	at, _, _ := strings.Cut(js.Global().Get("location").Get("href").String(), "#")
	return at + "#" + of
}
