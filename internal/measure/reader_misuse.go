//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/budget"
	"example.com/iprof/internal/measure/internal/mistakes"
	"example.com/iprof/internal/measure/internal/sites"
)

func droppedSoFar() Dropped {
	return Dropped{
		Names:     dropped.names.Load(),
		Nodes:     dropped.nodes.Load(),
		Lanes:     dropped.lanes.Load(),
		Events:    dropped.events.Load(),
		Counters:  dropped.counters.Load(),
		LongNames: sites.CutNames(),
		Memory:    budget.Refused(),
		Foreign:   dropped.foreign.Load(),
		Late:      dropped.late.Load(),
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

// reportUnmeasured adds a lane whose nodes have counts and no time. They lie below a node marked as open, so that
// reports show it. That node has no count, because it would count all entries twice. The registry's mutex is held.
func reportUnmeasured(f *Frame, move bool) {
	u, start := &unmeasured, len(f.nodes)
	u.crowd.flush(addUnmeasured)
	u.entries.take(move, func(zone int, count uint32) {
		for len(u.ids) < zone+3 {
			u.ids = append(u.ids, NodeID(nodeIDs.take()))
		}
		if len(f.nodes) == start {
			f.nodes = append(f.nodes, Node{ID: u.ids[0], Parent: -1},
				Node{ID: u.ids[1], Zone: zones.own(unmeasuredName), Open: true})
		}
		f.nodes = append(f.nodes, Node{ID: u.ids[2+zone], Zone: ZoneID(zone), Parent: 1, Count: count})
	})
	if len(f.nodes) == start {
		return
	}
	if u.lane == 0 {
		registry.lastLane++
		u.lane = registry.lastLane
	}
	f.Lanes = append(f.Lanes, LaneFrame{ID: u.lane, Name: unmeasuredName, Begin: f.End, End: f.End,
		Nodes: f.nodes[start:len(f.nodes):len(f.nodes)]})
}
