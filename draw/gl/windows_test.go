//go:build windows && cgo && wgl

package gl

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"example.com/iprof/internal/egltest"
	host "github.com/go-gl/gl/v3.3-core/gl"
)

// TestMain lets the tests, which need cgo, use the code for Windows without cgo: they are built with cgo and the tag
// purego. The binding is filled for the tests alone.
func TestMain(m *testing.M) {
	runtime.LockOSThread()
	if err := openHost(); err != nil {
		fmt.Println("every test will be skipped:", err)
	}
	runtime.UnlockOSThread()
	os.Exit(m.Run())
}

func openHost() error {
	c, err := egltest.New(egltest.Legacy, 1, 1)
	if err != nil {
		return err
	}
	defer c.Close()
	return host.InitWithProcAddrFunc(func(name string) unsafe.Pointer {
		at := find(name)
		if at == 0 {
			at = find("glFlush")
		}
		return *(*unsafe.Pointer)(unsafe.Pointer(&at)) // the driver's memory, never Go's
	})
}
