//go:build !iprof_off

package gather

import (
	"sync/atomic"

	"example.com/iprof/gather/internal/budget"
	"example.com/iprof/gather/internal/mistakes"
	"example.com/iprof/gather/internal/source"
)

var misuse mistakes.Log

// dropped has the counts of Dropped.
var dropped struct {
	names, nodes, lanes, events, counters, foreign, late atomic.Uint64
}

func droppedSoFar() Dropped {
	return Dropped{
		Names:     dropped.names.Load(),
		Nodes:     dropped.nodes.Load(),
		Lanes:     dropped.lanes.Load(),
		Events:    dropped.events.Load(),
		Counters:  dropped.counters.Load(),
		LongNames: source.CutNames(),
		Memory:    budget.Refused(),
		Foreign:   dropped.foreign.Load(),
		Late:      dropped.late.Load(),
	}
}

// noteMisuse counts a mistake, and adds a sentence about its place the first time for each zone.
func noteMisuse(k mistakes.Kind, zone ZoneID) {
	if misuse.Add(k, int32(zone)) {
		z := zones.Info(zone)
		misuse.Note(mistakes.Sentence(k, mistakes.Place{Zone: z.Name, Site: z.Site(), Public: z.Public}))
	}
}

func misuseSoFar() Misuse {
	return Misuse{
		ExtraEnd:    misuse.Counted(mistakes.ExtraEnd),
		MissingEnd:  misuse.Counted(mistakes.MissingEnd),
		OtherLane:   misuse.Counted(mistakes.OtherLane),
		ClockBack:   misuse.Counted(mistakes.ClockBack),
		ClockJump:   misuse.Counted(mistakes.ClockJump),
		DeferInLoop: misuse.Counted(mistakes.DeferInLoop),
		Notes:       misuse.Notes(),
	}
}

// endStale counts an End of an entry that has ended, while its node counts later ones.
//
//go:norace
//go:noinline
func endStale(n *node) {
	zone := ZoneID(unknownZone)
	if l := (*Lane)(n.slot.Lane); l != nil && l.has(n) {
		l.mu.Lock()
		if !l.ended {
			zone = l.seen[n.idx].zone
		}
		l.mu.Unlock()
	}
	noteMisuse(mistakes.ExtraEnd, zone)
}
