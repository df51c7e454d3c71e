//go:build !iprof_off

package gather

import (
	"unsafe"

	"example.com/iprof/platform"
)

// Scope is one open entry of a zone: one word, which may be copied. The zero Scope is open nowhere.
type Scope struct {
	n *node
}

// End closes the scope, and whatever was left open inside, which is counted as misuse; so are a second End and one on another
// goroutine. None of it does harm.
//
//go:norace
func (s Scope) End() {
	if s.n != nil {
		end(s.n)
	}
}

//go:norace
//go:noinline
func end(n *node) {
	s := n.slot
	if s.Cur != unsafe.Pointer(n) {
		if n.flag&flagUntimed != 0 { // its slot is no goroutine's
			if s = platform.Find(); s != nil && s.Cur == unsafe.Pointer(n) {
				s.Cur = unsafe.Pointer(n.parent)
				return
			}
		}
		endSlow(n)
		return
	}
	t := platform.Leave(s)
	if t >= s.Last {
		s.Last = t
		storeTicks(&n.acc, n.acc+t)
		s.Cur = unsafe.Pointer(n.parent)
		return
	}
	if !logs(s, t) {
		endSlow(n)
		return
	}
	logEnd(s, n, t)
	if n.flag&flagCalls != 0 {
		called(n, n.acc+t)
	}
	storeTicks(&n.acc, n.acc+t)
	s.Cur = unsafe.Pointer(n.parent)
}
