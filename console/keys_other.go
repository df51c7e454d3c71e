//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package console

// waits says whether wait returns when no key comes.
const waits = false

// No system without one of the other files has a terminal that takeTerminal takes.
func (t *terminal) takeScreen() (was uint32, ok bool) { return 0, false }
func (t *terminal) giveScreen(uint32)                 {}
func (t *terminal) wait() bool                        { return true }
func (t *terminal) interrupt()                        {}
