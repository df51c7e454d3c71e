//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package console

// waits says whether wait returns without a key.
const waits = false

// On systems without one of the other files, takeTerminal never takes a terminal.
func (t *terminal) takeScreen() (was uint32, ok bool) { return 0, false }
func (t *terminal) giveScreen(uint32)                 {}
func (t *terminal) wait() bool                        { return true }
func (t *terminal) interrupt()                        {}
