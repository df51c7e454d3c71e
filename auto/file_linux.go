package auto

import (
	"os"
	"syscall"
)

// file is an open file that does not disturb the program. Programs see the numbers of their files, so this file has a
// high number. A program that makes itself a daemon closes all files that it did not open. So Write checks the number,
// and opens the file again if the number belongs to another file. It does not use package os, which would open files
// for its poller.
type file struct {
	name string
	fd   int
	is   syscall.Stat_t
}

// aboveOthers is the least file number. It is below 64, the size of the table of files of a new process: to grow that
// table, the kernel stops the calling thread for 10 to 40 ms if there are others (synchronize_rcu). Package platform
// has the numbers from 56 on.
const aboveOthers = 48

// createFile creates a new file that only its owner may read. An existing file is an error.
func createFile(name string) (*file, error) {
	f := &file{name: name}
	err := f.open(syscall.O_CREAT | syscall.O_EXCL)
	if err == nil {
		err = syscall.Fstat(f.fd, &f.is)
	}
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: name, Err: err}
	}
	return f, nil
}

// open opens the file for appending.
func (f *file) open(flags int) (err error) {
	f.fd, err = syscall.Open(f.name, flags|syscall.O_WRONLY|syscall.O_APPEND|syscall.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	high, _, e := syscall.Syscall(syscall.SYS_FCNTL, uintptr(f.fd), syscall.F_DUPFD_CLOEXEC, aboveOthers)
	if e == 0 {
		syscall.Close(f.fd)
		f.fd = int(high)
	}
	return nil
}

// isThere reports whether the number still belongs to the file.
func (f *file) isThere() bool {
	var now syscall.Stat_t
	return syscall.Fstat(f.fd, &now) == nil && now.Dev == f.is.Dev && now.Ino == f.is.Ino
}

// Write appends to the file.
func (f *file) Write(p []byte) (n int, err error) {
	if !f.isThere() {
		if err := f.open(0); err != nil {
			return 0, err
		}
		if !f.isThere() {
			f.Close()
			return 0, syscall.EBADF
		}
	}
	for n < len(p) && err == nil {
		var more int
		if more, err = syscall.Write(f.fd, p[n:]); err == syscall.EINTR {
			err = nil
		}
		n += max(more, 0)
	}
	return n, err
}

// Close closes the file.
func (f *file) Close() { syscall.Close(f.fd) }

// rewrite replaces what the file has.
func rewrite(f *file, text []byte) error {
	if f.isThere() {
		_ = syscall.Ftruncate(f.fd, 0)
	} else {
		_ = syscall.Truncate(f.name, 0)
	}
	_, err := f.Write(text)
	return err
}
