//go:build !iprof_off

package gather

import (
	"maps"
	"slices"
	"unsafe"

	"example.com/iprof/platform"
)

// Where even counting breaks the limit, zones that are hardly longer than counting them takes are muted: Begin returns at once. One
// frame in some, chosen at random, is a window, in which they are demoted only; what it says of their entries and times holds for
// the frames until the next: see silent. A zone is muted wherever it is entered, on all lanes, and only if nothing but muted zones
// was ever entered inside, so that the tree stays what it is.

// The constants of muting.
const (
	leastMuted  = 1.0 / 8 // of a zone's time must be what it takes to count its entries
	windowShare = 0.25    // of the limit, for what is counted in windows
	leastWindow = 8       // frames that have one, at least
	mostWindow  = 256
	mostChosen  = len(mutedSites) // zones that are looked at in one go: looking at each takes a walk over the lane's nodes
	forgotten   = 64              // frames after which it does not matter what a lane wanted
)

// What Zone.governed says.
const (
	zoneTimed   uint8 = iota
	zoneDemoted       // somewhere
	zoneMuted
)

// mayMute is false in tests of exact counts.
var mayMute = true

// muting is which zones are muted. The registry's mutex guards it.
type muting struct {
	zones   map[int32]bool
	public  []*Zone
	sites   []siteID
	applied bool   // they are muted now
	window  bool   // they are counted in this frame
	gap     int    // frames that have one window
	left    int    // frames until then
	version uint32 // of zones
	random  uint64
}

// mutedSites has the muted sites, each where siteSlot says. Silent reads it plainly.
var mutedSites [256]mutedSite

// siteSlot is where in mutedSites a site has its only room.
//
//go:norace
func siteSlot(pc uintptr, name string) uint8 {
	return uint8(pc) ^ uint8(uintptr(unsafe.Pointer(unsafe.StringData(name))))
}

// mutedSite is a siteID by the address of its name. It is compared word by word: while another goroutine writes it, a site may
// be taken for muted or not for one entry more than it is.
type mutedSite struct { // 32 bytes, so that they are found by a shift
	pc     uintptr
	text   *byte
	length int
	_      uintptr
}

// turn follows the end of a frame. It reports whether it is time to ask again who wants what.
func (m *muting) turn() (ask bool) {
	if len(m.zones) == 0 {
		return false
	}
	if m.window {
		m.window, m.left = false, 1+m.upTo(2*(m.gap-2))
		m.apply(true)
		return true
	}
	if m.left--; m.left <= 0 {
		m.window = true
		m.apply(false)
	}
	return false
}

// upTo is a random number from 0 to most.
func (m *muting) upTo(most int) int {
	if m.random == 0 {
		m.random = uint64(platform.Now())*0x9E3779B97F4A7C15 | 1
	}
	m.random ^= m.random << 13
	m.random ^= m.random >> 7
	m.random ^= m.random << 17
	return int(m.random >> 32 * uint64(most+1) >> 32)
}

// set mutes zones, as the lanes want it. What becomes of them is seen in a window first.
func (m *muting) set(wanted map[int32]bool, gap int) {
	m.gap = min(max(gap, leastWindow), mostWindow)
	same := maps.Equal(wanted, m.zones)
	if same && len(wanted) == 0 {
		return
	}
	m.apply(false)
	m.public, m.sites = zones.named(wanted)
	if !same {
		m.zones, m.window, m.version = wanted, true, m.version+1
	}
	m.apply(len(wanted) > 0 && !m.window)
}

// noPlace is no address that anything returns to; neither is 0, which is what ReturnAddress reads before it has learnt where to.
const noPlace = ^uintptr(0)

// apply mutes the zones or, for a window, has them counted.
//
//go:norace
func (m *muting) apply(mute bool) {
	how := zoneDemoted
	if mute {
		how = zoneMuted
	}
	for _, z := range m.public {
		z.governed = how
	}
	for i := range mutedSites {
		mutedSites[i] = mutedSite{pc: noPlace}
	}
	if mute {
		for _, id := range m.sites {
			mutedSites[siteSlot(id.pc, id.name)] = mutedSite{pc: id.pc, text: unsafe.StringData(id.name), length: len(id.name)}
		}
	}
	m.applied = mute
	setState()
}

// named returns what the zones given are entered by.
func (t *zoneTable) named(wanted map[int32]bool) (public []*Zone, sites []siteID) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	for z, id := range t.public {
		if wanted[id] {
			public = append(public, z)
		}
	}
	for id, s := range t.sites {
		if wanted[s.zone] {
			sites = append(sites, id)
		}
	}
	return public, sites
}

// mute wants zones muted when counting takes more than the ticks allowed for long, and not any more when that is over. It reports
// whether that is anything new.
func (l *Lane) mute(w *walk, allowed, untimed, muted float64) (changed bool) {
	g, c := l.governed, costs()
	j := &g.judgement
	if j.quiet++; (untimed+muted)*c.counted > relief*allowed {
		j.quiet = 0
	}
	if len(g.mute) > 0 && j.quiet >= patience {
		g.mute = nil
		return true
	}
	counting := untimed*c.counted + muted*c.muted
	if j.loud++; counting <= allowed {
		j.loud = 0
	}
	if j.loud < patience || !mayMute {
		return false
	}
	j.loud = 0
	g.windows = (untimed + muted) * c.counted / (windowShare * allowed)
	return l.chooseMuted(w, counting-allowed/2, c.counted-c.muted)
}

// chooseMuted wants the zones muted that are entered most often, with all that is entered in them, until so many ticks are saved.
// It reports whether it wants any.
func (l *Lane) chooseMuted(w *walk, tooMuch, each float64) (changed bool) {
	counts := l.mutable(w)
	order := slices.SortedFunc(maps.Keys(counts), func(a, b int32) int {
		if counts[a] != counts[b] {
			return int(max(min(counts[b]-counts[a], 1), -1))
		}
		return int(a - b)
	})
	g := l.governed
	looked := 0
	for _, zone := range order {
		if tooMuch <= 0 || looked == mostChosen {
			break
		}
		if g.mute[zone] {
			continue
		}
		looked++
		more := map[int32]bool{zone: true}
		if !l.inside(more, counts) {
			continue
		}
		for zone := range more {
			if !g.mute[zone] {
				g.mute = marked(g.mute, zone)
				tooMuch -= counts[zone] * each
			}
		}
	}
	return len(g.mute) > 0
}

func marked(m map[int32]bool, zone int32) map[int32]bool {
	if m == nil {
		m = map[int32]bool{}
	}
	m[zone] = true
	return m
}

// mutable counts the entries of the zones that may be muted: all their nodes may be demoted, and counting the entries takes a good
// part of their time.
func (l *Lane) mutable(w *walk) map[int32]float64 {
	f, nodes, c := &l.governed.fold, w.out[w.start:], costs()
	hier := zeroed(f.timed, len(nodes))
	counts, times := map[int32]float64{}, map[int32]float64{}
	for i := len(nodes) - 1; i > 0; i-- {
		n := &nodes[i]
		hier[i] += float64(n.Self)
		hier[n.Parent] += hier[i]
		counts[n.Zone] += float64(n.Count)
		if n.Depth == 0 {
			times[n.Zone] += max(hier[i], 0)
		}
	}
	for i := 1; i < len(l.seen); i++ {
		if zone := l.seen[i].zone; l.node(uint32(i)).flag&flagUntimed == 0 && !l.mayDemote(uint32(i)) {
			delete(counts, zone)
		}
	}
	maps.DeleteFunc(counts, func(zone int32, count float64) bool { return count*c.counted < leastMuted*times[zone] })
	return counts
}

// inside adds all that was ever entered in the zones given. It reports whether all of them may be muted.
func (l *Lane) inside(more map[int32]bool, may map[int32]float64) bool {
	for i := 1; i < len(l.seen); i++ { // parents come first, but for those of a recursion
		s := &l.seen[i]
		if !more[l.seen[s.parent].zone] || more[s.zone] {
			continue
		}
		if _, ok := may[s.zone]; !ok {
			return false
		}
		more[s.zone] = true
		i = 0
	}
	return true
}

// mute gathers which zones the lanes want muted. The registry's mutex is held.
//
//go:norace
func (u *updates) mute() {
	var all map[int32]bool
	gap := 0.0
	for _, l := range registry.lanes {
		if g := l.governed; g != nil && len(g.mute) > 0 && !l.ended && u.frames-g.judgement.frame <= forgotten {
			gap = max(gap, g.windows)
			for zone := range g.mute {
				if !zones.countsCalls(zone) {
					all = marked(all, zone)
				}
			}
		}
	}
	for again := len(all) > 0; again; {
		again = zones.object(all)
		for _, l := range registry.lanes {
			again = l.object(all) || again
		}
	}
	u.muting.set(all, int(gap))
}

// object takes zones out of those to be muted whose sites Silent would not tell: they have room in one place only with others, of
// which the oldest stay, or the text of a name lies at several. The registry's mutex is held.
func (t *zoneTable) object(all map[int32]bool) (any bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	slots := map[int32][]uint8{}
	for id, s := range t.sites {
		if all[s.zone] {
			slots[s.zone] = append(slots[s.zone], siteSlot(id.pc, id.name))
		}
	}
	var taken [len(mutedSites)]bool
	for _, zone := range slices.Sorted(maps.Keys(slots)) {
		with, room := taken, !t.copied[zone]
		for _, slot := range slots[zone] {
			room, with[slot] = room && !with[slot], true
		}
		if room {
			taken = with
		} else {
			delete(all, zone)
			any = true
		}
	}
	return any
}

// object takes zones out of those to be muted in which the lane has entered others, or that it has held. It reports whether it did.
//
//go:norace
func (l *Lane) object(all map[int32]bool) (any bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for i := 1; i < len(l.seen); i++ {
		s := &l.seen[i]
		if over := l.seen[s.parent].zone; all[over] && !all[s.zone] {
			delete(all, over)
			any = true
		}
		if flag := l.node(uint32(i)).flag; all[s.zone] && flag&flagHeld != 0 {
			delete(all, s.zone)
			any = true
		}
	}
	return any
}
