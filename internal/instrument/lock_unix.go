//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package instrument

import (
	"errors"
	"os"
	"syscall"
)

// lockFile waits until nobody else has the lock of a file, and takes it until unlock. The file is made, and stays. If
// that cannot be, there is no lock.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
	return func() { f.Close() }
}
