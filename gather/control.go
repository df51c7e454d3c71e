//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// SetAutoRegister chooses whether a goroutine's first zone gives it a lane, which is the default. Otherwise only those that call
// Register have one. Lanes that exist stay. Any goroutine may call it.
func SetAutoRegister(on bool) { registry.manual.Store(!on) }

// SetRecording switches measuring off and on. Open zones are charged up to the moment of the switch, and again from the
// moment that it is switched on. Any goroutine may call it.
func SetRecording(on bool) {
	registry.mu.Lock()
	defer registry.mu.Unlock()
	newEpoch()
	switch was := atomic.LoadUint32(&off) == 0; {
	case was && !on:
		atomic.StoreUint32(&off, 1)
		setState()
		eachLane((*Lane).freeze)
	case !was && on:
		eachLane((*Lane).freeze)
		atomic.StoreUint32(&off, 0)
		setState()
	}
}

// Recording reports whether zones are measured.
func Recording() bool { return atomic.LoadUint32(&off) == 0 }

func eachLane(do func(*Lane)) {
	for _, l := range registry.lanes {
		l.mu.Lock()
		do(l)
		l.mu.Unlock()
	}
}

// freeze exchanges, in every node, the baseline (what was reported) with what has come since and was not reported. A second
// call exchanges them back, around what has passed in between.
func (l *Lane) freeze() {
	l.frozen = !l.frozen
	l.read = max(l.read, platform.Now())
	for i := range l.seen {
		s, n := &l.seen[i], l.node(uint32(i))
		hier, _ := l.hierOf(n, l.read)
		if s.hier = hier - s.hier; n.flag&flagPending == 0 {
			s.hier = max(s.hier, 0)
		}
		l.setReported(uint32(i), loadEntries(n)-l.reported(uint32(i)))
	}
}
