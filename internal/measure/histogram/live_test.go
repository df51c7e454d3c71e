package histogram

import (
	"testing"
	"unsafe"

	"example.com/iprof/internal/measure/internal/budget"
)

// What is reserved for it is at least its size, and Free gives it all back.
func TestTheMemoryOfALiveIsCounted(t *testing.T) {
	before := budget.Held(budget.Calls)
	if !Reserve() {
		t.Fatal("got no memory for a Live")
	}
	var l Live
	size := int64(unsafe.Sizeof(l))
	if got := budget.Held(budget.Calls) - before; got < size || got > 2*size {
		t.Errorf("got %d bytes reserved; want at least %d, and no more than twice as many", got, size)
	}
	l.Free()
	if got := budget.Held(budget.Calls); got != before {
		t.Errorf("got %d bytes held at the end; want %d as before", got, before)
	}
}
