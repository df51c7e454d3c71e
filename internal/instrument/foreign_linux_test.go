package instrument_test

import (
	"runtime"
	"strings"
	"testing"

	"example.com/iprof/internal/asjson"
	"example.com/iprof/internal/must"
)

// A function that runs code which is not Go's has no samples, as the runtime does not know what called that. The report
// does not say that it waits.
func TestCodeMadeAtRunTimeIsNoWait(t *testing.T) {
	if testing.Short() || runtime.GOARCH != "amd64" {
		t.Skip("builds a program with code for linux/amd64")
	}
	run := sampled(t, foreignProgram)
	var b strings.Builder
	must.Do(t, run.WriteJSON(&b))
	f := must.Get(asjson.Read(strings.NewReader(b.String())))(t)
	got := f.Run
	cpu := run.Dump.CPU.Seconds() * 1000
	for _, w := range got.Waits {
		if w.Zone == "spin" && w.Self-w.Waited < cpu/2 { // others may have had the processor
			t.Errorf("spin waited for %v of %v ms; its process had a processor for %v", w.Waited, w.Self, cpu)
		}
	}
	if n := got.Outside["code that is not Go"]; float64(n) < cpu/10/2 {
		t.Errorf("%d samples in code that is not Go, of %v ms; %v", n, cpu, got.Outside)
	}
}

const foreignProgram = `package main

import (
	"syscall"
	"unsafe"
)

var code = []byte{0xb9, 0, 0, 0, 2, 0xff, 0xc9, 0x75, 0xfc, 0xc3} // count 2^25 down to 0

//go:noinline
func spin(run func()) (n int) {
	for range 40 {
		run()
		n++
	}
	return n
}

func main() {
	page, err := syscall.Mmap(-1, 0, 4096, syscall.PROT_READ|syscall.PROT_WRITE|syscall.PROT_EXEC,
		syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		panic(err)
	}
	copy(page, code)
	at := unsafe.Pointer(&page[0])
	closure := unsafe.Pointer(&at)
	if spin(*(*func())(unsafe.Pointer(&closure))) != 40 {
		panic("other code")
	}
}
`
