//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package instrument

import (
	"errors"
	"os"
	"syscall"
)

// lockFile waits for the lock of a file, and holds it until unlock. It makes the file, which stays. On errors it goes
// on without a lock.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
	return func() { f.Close() }
}
