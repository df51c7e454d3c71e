package platform

import (
	"os"
	"slices"
	"syscall"
)

// readFile is os.ReadFile without the descriptors that os.ReadFile opens for Go's poller. They would change the numbers
// that the program's own files get.
func readFile(name string) (text []byte, err error) {
	fd, err := syscall.Open(name, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: name, Err: err}
	}
	defer syscall.Close(fd)
	const part = 4096
	for {
		text = slices.Grow(text, part)
		n, err := syscall.Read(fd, text[len(text):len(text)+part])
		switch {
		case err == syscall.EINTR:
		case err != nil:
			return text, &os.PathError{Op: "read", Path: name, Err: err}
		case n == 0:
			return text, nil
		default:
			text = text[:len(text)+n]
		}
	}
}
