//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/platform"
)

// SetAutoRegister chooses whether a goroutine gets a lane at its first zone. The default is true. With false, only
// goroutines that call Register have lanes; existing lanes stay. Any goroutine may call it.
func SetAutoRegister(on bool) { registry.manual.Store(!on) }

// SetRecording switches all measuring on or off. Zones that are open when recording stops are charged up to that
// moment, and again from the moment it starts. Any goroutine may call it.
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

// Live reports whether Begin would measure anything: recording is on and the zone is not muted. It is inlined, so a
// function that skips a zone that is not live pays one branch:
//
//	if z.Live() {
//		defer z.Begin().End()
//	}
//
//go:norace
func (z *Zone) Live() bool { return special == 0 || off == 0 && z.governed < zoneMuted }

// eachLane calls do for every lane, with the lane's mutex held. The registry's mutex is held.
func eachLane(do func(*Lane)) {
	for _, l := range registry.lanes {
		l.mu.Lock()
		do(l)
		l.mu.Unlock()
	}
}

// freeze exchanges each node's baseline, the part already reported, with the rest that has not been reported. A second
// call exchanges them back. So the time between the two calls is not reported.
func (l *Lane) freeze() {
	l.frozen = !l.frozen
	l.read = l.upTo(platform.Now())
	for i := range l.seen {
		s, n := &l.seen[i], l.node(uint32(i))
		if l.paused && n.inHold() {
			continue // it stays exchanged until the pause ends
		}
		if l.exchange(uint32(i)); n.flag&flagPending == 0 && !l.touched[uint32(i)] {
			s.hier = max(s.hier, 0)
		}
	}
}
