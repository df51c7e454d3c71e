package instrument

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits for the lock of a file, and holds it until unlock. It makes the file, which stays. On errors it goes
// on without a lock.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	const first = 1 // the locked byte, which stands for the whole file
	handle, at := windows.Handle(f.Fd()), new(windows.Overlapped)
	err = windows.LockFileEx(handle, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, first, 0, at)
	return func() {
		if err == nil {
			_ = windows.UnlockFileEx(handle, 0, first, 0, at)
		}
		f.Close()
	}
}
