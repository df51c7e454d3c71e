//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"
	"unsafe"
)

// TestNamesAtOneAddress: texts that lie at the same address one after another are zones of their own. A program that
// makes names and forgets them has that whenever the collector runs.
func TestNamesAtOneAddress(t *testing.T) {
	useFakeClock(t)
	var f Frame
	Collect(&f)
	place := make([]byte, 7)
	for i := range 20 {
		copy(place, fmt.Sprintf("text %02d", i))
		for range 1 + i%3 {
			named(unsafe.String(&place[0], len(place))).End()
		}
	}
	got := collect(t, &f)
	for i := range 20 {
		if name := fmt.Sprintf("text %02d", i); got[name].count != uint32(1+i%3) {
			t.Errorf("%s: got %d entries; want %d", name, got[name].count, 1+i%3)
		}
	}
}
