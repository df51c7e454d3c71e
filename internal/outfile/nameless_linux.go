package outfile

import (
	"cmp"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// createNameless creates a file without a name in a folder. It returns nil if the file system has no such files. The
// file disappears with the program, however that ends.
func createNameless(folder string) *os.File {
	fd, err := unix.Open(cmp.Or(folder, "."), unix.O_TMPFILE|unix.O_WRONLY|unix.O_CLOEXEC, 0o666)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), "a file without a name")
	if _, err := os.Stat(handle(f)); err != nil { // nameIt needs it
		f.Close()
		return nil
	}
	return f
}

// nameIt gives a file without a name a new name.
func nameIt(f *os.File, name string) error {
	return unix.Linkat(unix.AT_FDCWD, handle(f), unix.AT_FDCWD, name, unix.AT_SYMLINK_FOLLOW)
}

func handle(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }
