//go:build !cgo || !unix || iprof_off

package iprofc

// Call calls f.
func Call(f func()) { f() }

// Callback calls f.
func Callback(f func()) { f() }

// Collect does nothing.
func Collect() {}
