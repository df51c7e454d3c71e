package platform

import (
	"syscall"
	"unsafe"
)

var (
	kernel32  = syscall.NewLazyDLL("kernel32.dll")
	queryNow  = kernel32.NewProc("QueryPerformanceCounter")
	queryRate = kernel32.NewProc("QueryPerformanceFrequency")
	perSecond int64
)

// reference reads QueryPerformanceCounter, in nanoseconds. On Windows Go's clock advances only with the interrupt
// timer, in steps of half a millisecond or more. That is too coarse to measure the counter's rate.
func reference() int64 {
	if perSecond == 0 {
		if ok, _, _ := queryRate.Call(uintptr(unsafe.Pointer(&perSecond))); ok == 0 {
			return nanotime()
		}
	}
	var now int64
	queryNow.Call(uintptr(unsafe.Pointer(&now)))
	return now/perSecond*1e9 + now%perSecond*1e9/perSecond
}
