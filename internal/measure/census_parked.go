//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/quiet"
	"example.com/iprof/platform"
)

// A lane without activity for some frames is parked: it leaves registry.awake, and Collect no longer visits it. So
// waiting goroutines cost frames nothing, whatever their number. First the lane is parking: it is sent to the slow
// path, as by poke. The slow path wakes it, with the lane's mutex held. Collect visits a parking lane for some more
// frames. These frames see a Begin that started before the poke: it has written Read or the lane's nodes by then.
// Functions without the slow path (Alloc, Units, Count) check parking after they have written.
//
// A parked lane without an open zone has nothing to report. Its time passes outside zones. When it wakes, its time in
// ended frames is left out. Parked lanes with open zones have a proxy: see below.

// A lane is parking after parkAfter frames without activity, and parked after parkedAfter.
const (
	parkAfter   = 4
	parkedAfter = 7
)

// quietSince returns the time since which no parked lane has had an entry or an end. The registry's mutex is held.
func (u *updates) quietSince() platform.Ticks { return u.ends[(u.frames.Load()+1)%uint64(len(u.ends))] }

// mayPark reports whether a lane without activity may be parked. The mutexes are held.
//
//go:norace
func (l *Lane) mayPark() bool {
	return !l.main && !l.ended && !l.retired && !l.isNobodys() && off == 0 && (l.at() == l.root || l.mayParkInside()) &&
		l.governed == nil && !l.mutes && len(l.lateEnds)+l.touched.number+len(l.credits) == 0 &&
		(l.named || !l.isVacant())
}

// park runs in each Collect that found no activity on the lane. Both mutexes are held.
func (l *Lane) park() {
	if l.quiet++; l.quiet < parkAfter || !l.mayPark() {
		return
	}
	switch {
	case !l.parking.Load():
		l.parking.Store(true)
		l.poke()
	case !asked(l.slot):
		l.quiet = parkAfter // the lane's goroutine has overwritten the poke
		l.poke()
	case l.quiet >= parkedAfter && loadTicks(&l.slot.Read) == 0 && (l.at() == l.root || l.parkInside()):
		l.parked, l.parkedAt = true, registry.updates.frames.Load()
	}
}

// takeWoken adds the woken lanes to the visited ones. With move, the ending frame is the first that visits them. The
// registry's mutex is held.
func (u *updates) takeWoken(now platform.Ticks, move bool) {
	if move {
		reportedTo.Store(int64(now))
	}
	var first *Lane
	quiet.Call(func() { first = woken.Swap(nil) })
	for l := first; l != nil; {
		next := l.nextWoke
		if l.unpark() {
			u.lanes = append(u.lanes, l)
		}
		l = next
	}
	registry.awake.add(u.lanes)
	u.lanes = emptied(u.lanes)
}

// unpark ends the lane's parking. It returns false if the lane was dropped meanwhile. The registry's mutex is held.
func (l *Lane) unpark() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.nextWoke, l.parked = nil, false
	if l.proxy != nil {
		l.leaveProxy()
	} else if !l.ended && !l.record { // a frame may have ended since the waking
		l.leaveOut(registry.updates.end)
	}
	return len(l.base) > 0
}

// wakeAll wakes all lanes. The registry's mutex is held.
func (u *updates) wakeAll() {
	eachLane(func(l *Lane) { l.wake(platform.Now()) })
	u.takeWoken(u.end, false)
}

// The number or share of parked lanes that a frame looks at.
const (
	leastLooked = 16
	lookShare   = 2048
)

// lookAtParked ends some of the parked lanes, as dropEnded does for others: lanes of ended goroutines, and long
// unused ones. A frame looks at few. The next frame drops them.
func (u *updates) lookAtParked(now platform.Ticks, rate float64, scarce bool) (ended bool) {
	number := max(leastLooked, len(registry.lanes)/lookShare)
	if scarce {
		number *= scarceHaste
	}
	if len(registry.lanes) == len(registry.awake) {
		return false
	}
	for range min(number, len(registry.lanes)) {
		at, _ := registry.lanes.find(u.lastParked + 1)
		if at == len(registry.lanes) {
			at = 0
		}
		l := registry.lanes[at]
		if u.lastParked = l.id; l.parked {
			ended = l.endParked(now, rate, scarce) || ended
		}
	}
	return ended
}

// endParked ends an unneeded parked lane. It reports whether it did.
func (l *Lane) endParked(now platform.Ticks, rate float64, scarce bool) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	frames := registry.updates.frames.Load()
	if !l.parking.Load() || l.named || l.proxy != nil {
		return false
	}
	l.idle += int32(frames - l.parkedAt)
	l.parkedAt = frames
	if l.isUnused(now, rate, scarce) || l.idle >= vacantFrames && l.isVacant() && !l.log.Keeps() {
		l.finish()
		return true
	}
	return false
}

// A lane parked inside zones spends each whole frame there. So Collect has one lane for all such lanes of a crowd, the
// proxy: "main.serve server.go:42 (parked)". Its nodes hold the number of lanes parked in them, and a frame adds this
// number times its length. A waking lane goes on from the end of the last frame: the proxy has the time until then.
//
// Collect always visits lanes with a name. It also visits the first few others, for separate rows in small programs,
// and some more that keep events, because a timeline shows the lanes of a frame.

const (
	mostStill   = 32  // quiet lanes with open zones that Collect still visits
	mostKeeping = 256 // the same for lanes that keep events
	mostProxies = 256
)

// parkedName is the name of the proxy of lanes with an unknown go statement.
const parkedName = "(parked goroutines)"

// parkStill runs in each Collect that found the lane still. Both mutexes are held.
func (l *Lane) parkStill() {
	most := mostStill
	if l.log.Keeps() {
		most = mostKeeping
	}
	u := &registry.updates
	if u.inactive++; u.inactive > most {
		l.park()
	} else {
		l.stayAwake()
	}
}

// mayParkInside reports whether the lane may be parked inside its open zones: all must be ordinary.
//
//go:norace
func (l *Lane) mayParkInside() bool {
	for n := l.at(); n != l.root; n = n.parent {
		if n.flag&^flagQuiet != 0 {
			return false
		}
	}
	return !l.named && !l.metered && l.nest == 0
}

// parkInside gives the lane to its crowd's proxy. It returns false if there is no room. The mutexes are held.
//
//go:norace
func (l *Lane) parkInside() bool {
	proxy := proxyOf(l.spawn)
	if proxy == nil {
		return false
	}
	proxy.mu.Lock()
	defer proxy.mu.Unlock()
	at := l.partnerIn(proxy, l.at())
	proxy.proxied.add(at, 1, l.reportedAt)
	l.proxy, l.proxyNode = proxy, at.idx
	return true
}

// partnerIn returns the node of another lane for the stack of node n.
//
//go:norace
func (l *Lane) partnerIn(other *Lane, n *node) *node {
	if n == l.root {
		return other.root
	}
	under := l.partnerIn(other, n.parent)
	if under.flag&flagFolded != 0 {
		return under
	}
	return other.partner(under, n.key, l.base[n.idx].zone)
}

// leaveProxy takes the lane away from its proxy. The mutexes are held.
func (l *Lane) leaveProxy() {
	l.proxy.proxied.add(l.proxy.node(l.proxyNode), -1, l.resumed)
	l.proxy = nil
}

// passTo gives the nodes of a proxy the time of the lanes parked in them, up to a frame's end. It returns that end.
// The mutexes are held.
//
//go:norace
func (l *Lane) passTo(end platform.Ticks) platform.Ticks {
	end = max(end, l.reportedAt)
	for i := range l.proxied.counts {
		in := &l.proxied.counts[i]
		n, until := l.node(uint32(i)), platform.Ticks(in.number)*end
		if *in == (proxiedCount{}) || n.acc+until-in.arrivals < 0 { // a negative time would look open: add it later
			continue
		}
		if n.flag&flagQuiet != 0 {
			l.unsettle(n)
		}
		storeTicks(&n.acc, n.acc+until-in.arrivals)
		in.arrivals = until
	}
	return end
}

// proxyOf returns the proxy of a go statement, or nil if there is no room for another. Limits.Lanes is for goroutines
// and does not count proxies. The registry's mutex is held.
func proxyOf(spawn uintptr) *Lane {
	u := &registry.updates
	for _, l := range u.proxies {
		if l.spawn == spawn {
			return l
		}
	}
	if len(u.proxies) >= mostProxies || !budget.HasRoom(laneBytes+chunkBytes) {
		return nil
	}
	name := spawnNames.Parked(spawn)
	if name == "" {
		name = parkedName
	}
	l := u.nobodys(spawn, name)
	l.proxied = new(proxied)
	u.proxies = append(u.proxies, l)
	return l
}

// forgetProxy forgets a proxy that is dropped. The registry's mutex is held.
func (u *updates) forgetProxy(l *Lane) {
	for i, proxy := range u.proxies {
		if proxy == l {
			u.proxies = append(u.proxies[:i], u.proxies[i+1:]...)
			return
		}
	}
}
