//go:build !iprof_off

package iprof_test

import (
	"fmt"
	"os"
	"path/filepath"

	"example.com/iprof"
	"example.com/iprof/capture"
)

// A program that keeps its frames in a file, and another that opens it.
func ExampleRecord() {
	path := filepath.Join(os.TempDir(), fmt.Sprintf("example%d.iprof", os.Getpid()))
	defer os.Remove(path)
	recorder, err := iprof.Record(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 10 {
		iprof.Begin("step").End()
		iprof.Update()
	}
	if err := recorder.Close(); err != nil {
		fmt.Println(err)
		return
	}
	_, contents, err := capture.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(contents.Frames, "frames, complete:", contents.Complete)
	// Output: 10 frames, complete: true
}
