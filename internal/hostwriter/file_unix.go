//go:build unix

package hostwriter

import (
	"io"
	"os"
	"syscall"
)

// writeFile is f.Write without its rule for broken pipes. In f.Write a broken pipe on descriptor 1 or 2 raises
// SIGPIPE, which ends the program.
func writeFile(f *os.File, p []byte) (n int, err error) {
	raw, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	for n < len(p) && err == nil {
		wrote := 0
		failed := raw.Write(func(descriptor uintptr) bool {
			wrote, err = syscall.Write(int(descriptor), p[n:])
			return err != syscall.EAGAIN
		})
		switch {
		case failed != nil:
			err = failed
		case err == syscall.EINTR:
			err = nil
		case err != nil:
			err = &os.PathError{Op: "write", Path: f.Name(), Err: err}
		case wrote == 0:
			err = io.ErrUnexpectedEOF
		}
		n += max(wrote, 0)
	}
	return n, err
}
