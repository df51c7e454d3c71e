package desk

import (
	"time"
)

// Watch sees each frame of the window, before it is drawn.
func (d *Desk) Watch() { d.tab.link.watch(d.tab.session.Paused()) }

// watch sees each frame of the window. When the view is paused, the program elsewhere takes the states of its
// goroutines, as a program does that is paused itself.
func (l *link) watch(paused bool) {
	if l == nil || paused == l.paused {
		return
	}
	if l.paused = paused; paused {
		go l.takeStates()
	}
}

// How often a paused window looks whether states have come, and how many times. They come with the program's next
// frames.
const (
	lookForStates  = time.Second / 4
	looksForStates = 20
)

// takeStates asks for the states. A program without an execution trace, one that is only shown, and an older one have
// none: nothing happens then.
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
