package desk

import (
	"time"
)

// Watch sees each frame of the window, before it is drawn.
func (d *Desk) Watch() {
	d.tab.link.watch(d.tab.session.Paused())
	d.seek()
	if contents := d.tab.whole.Swap(nil); contents != nil {
		d.tab.explain(contents)
		d.showSets(d.tab, contents.Sets)
	}
	if !d.tab.linked && d.tab.Detached() {
		d.tab.panel.ShowFirst()
	}
}

// watch sees each frame of the window. When the view is paused, the remote program takes the states of its goroutines,
// as a program paused locally does.
func (l *link) watch(paused bool) {
	if l == nil || paused == l.paused {
		return
	}
	l.paused = paused
	if paused {
		go l.takeStates()
	}
}

// The interval and number of a paused window's checks for states. States come with the program's next frames.
const (
	lookForStates  = time.Second / 4
	looksForStates = 20
)

// takeStates asks for the states. Nothing happens with an older program, a program without an execution trace, and a
// program served for viewing only.
func (l *link) takeStates() {
	if _, err := l.command("trace take"); err != nil {
		return
	}
	for range looksForStates {
		select {
		case <-l.left:
			return
		case <-time.After(lookForStates):
			l.wake()
		}
	}
}
