package scratch

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
)

// A flag that package syscall does not name: the system removes the file with its last handle.
const (
	flagTemporary     = 0x100
	flagDeleteOnClose = 0x4000000
)

// create makes a file that the system removes with its last handle, however the program ends.
func create(dir string) (*os.File, error) {
	path := filepath.Join(dir, fmt.Sprintf("iprof-%d", rand.Uint64()))
	name, err := syscall.UTF16PtrFromString(path)
	if err != nil {
		return nil, err
	}
	handle, err := syscall.CreateFile(name, syscall.GENERIC_READ|syscall.GENERIC_WRITE, syscall.FILE_SHARE_READ|
		syscall.FILE_SHARE_WRITE|syscall.FILE_SHARE_DELETE, nil, syscall.CREATE_NEW, flagTemporary|flagDeleteOnClose, 0)
	if err != nil {
		return nil, &os.PathError{Op: "create", Path: path, Err: err}
	}
	return os.NewFile(uintptr(handle), path), nil
}
