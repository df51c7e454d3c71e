//go:build !iprof_off

package measure

import (
	"fmt"
	"testing"
)

func TestPendingMarksAreTakenOnce(t *testing.T) {
	var p pending[int]
	for i := range 5 {
		p.add(4, func() int { return 10 * i })
	}
	check := func(name string, before int, move bool, want string) {
		t.Helper()
		got, dropped := p.appendTo([]int{-1}, func(m *int) bool { return *m < before }, move)
		if fmt.Sprint(got, dropped) != want {
			t.Errorf("%s: got %v, %d dropped; want %s", name, got, dropped, want)
		}
	}
	check("a look", 15, false, "[-1 0 10] 1")
	check("a frame", 15, true, "[-1 0 10] 1")
	p.add(4, func() int { return 60 })
	check("the next frame", 99, true, "[-1 20 30 60] 1")
	check("an empty frame", 99, true, "[-1] 1")
}
