//go:build !iprof_off

package measure

import (
	"sync/atomic"

	"example.com/iprof/internal/measure/internal/mistakes"
)

var misuse mistakes.Log

// dropped holds the counts of Dropped.
var dropped struct {
	names, nodes, lanes, events, counters, foreign, late atomic.Uint64
}

// noteMisuse counts a mistake, unless the zone is loose. For the first one of each zone it adds a sentence about its
// place.
func noteMisuse(k mistakes.Kind, zone ZoneID) (counted bool) {
	if zones.isLoose(zone) {
		return false
	}
	if misuse.Add(k, int32(zone)) {
		z := zones.info(zone)
		misuse.Note(mistakes.Sentence(k, mistakes.Place{Zone: z.Name, Site: z.Site(), Public: z.Public}))
	}
	return true
}

// endStale counts an End of an entry that has already ended, on a node that was entered again since.
//
//go:norace
//go:noinline
func endStale(n *node) {
	if n.flag&flagPiled != 0 { // it has counted the entries above it: see Lane.pileOn
		endSlow(n)
		return
	}
	zone := ZoneID(unknownZone)
	if l := (*Lane)(n.slot.Lane); l != nil && l.has(n) {
		l.mu.Lock()
		if !l.ended {
			zone = l.base[n.idx].zone
		}
		l.mu.Unlock()
	}
	noteMisuse(mistakes.ExtraEnd, zone)
}

// unmeasured holds the entries, by zone, of goroutines beyond Limits.Lanes. registry.mu guards lane and ids.
var unmeasured struct {
	crowd   crowdTally // counts that entries will get
	entries tally
	lane    LaneID   // 0 until needed
	ids     []NodeID // of the nodes: the root, the zone "(unmeasured goroutines)", then by ZoneID
}

// noteUnmeasured counts an entry of a goroutine without a lane.
//
//go:norace
func noteUnmeasured(e entry, record, goroutine uint64) {
	c := &unmeasured.crowd
	if c.addOwn(e.key, record, goroutine) {
		return
	}
	if n := c.add(e.key, goroutine); n > 0 {
		c.settle(e.key, record, goroutine, n)
		return
	}
	zone, key := zones.resolve(e)
	if key == e.key { // no other zone gets it: see zoneKey and siteKey
		c.enroll(key, int32(zone))
	}
	addUnmeasured(int32(zone), 1)
}

func addUnmeasured(zone int32, n uint64) {
	dropped.lanes.Add(n)
	unmeasured.entries.add(int(zone), n)
}
