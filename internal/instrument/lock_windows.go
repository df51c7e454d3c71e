package instrument

import (
	"os"

	"golang.org/x/sys/windows"
)

// lockFile waits until nobody else has the lock of a file, and takes it until unlock. The file is made, and stays. If
// that cannot be, there is no lock.
func lockFile(path string) (unlock func()) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return func() {}
	}
	const first = 1 // byte of the file, which stands for all
	handle, at := windows.Handle(f.Fd()), new(windows.Overlapped)
	err = windows.LockFileEx(handle, windows.LOCKFILE_EXCLUSIVE_LOCK, 0, first, 0, at)
	return func() {
		if err == nil {
			_ = windows.UnlockFileEx(handle, 0, first, 0, at)
		}
		f.Close()
	}
}
