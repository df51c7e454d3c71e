//go:build !(aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris || windows)

package console

// waits says whether wait returns when no key comes.
const waits = false

// No system without one of the other files has a terminal that takeTerminal takes.
func (t *terminal) takeScreen() bool { return false }
func (t *terminal) giveScreen()      {}
func (t *terminal) wait() bool       { return true }
func (t *terminal) interrupt()       {}
