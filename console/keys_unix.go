//go:build aix || darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package console

import "golang.org/x/sys/unix"

// waits says whether wait returns without a key.
const waits = true

// wait reports whether a key arrives within a tenth of a second. It calls select, because poll of macOS does not
// support terminals.
func (t *terminal) wait() bool {
	fd := int(t.in.Fd())
	if fd >= unix.FD_SETSIZE {
		return true
	}
	var set unix.FdSet
	set.Set(fd)
	timeout := unix.NsecToTimeval(1e8)
	n, err := unix.Select(fd+1, &set, nil, nil, &timeout)
	return err == nil && n > 0
}

func (t *terminal) takeScreen() (was uint32, ok bool) { return 0, true }
func (t *terminal) giveScreen(uint32)                 {}
