package world

import "example.com/iprof/gather"

// Part is a zone in a frame, with what it calls; or a lane. A part belongs to one world, and may be changed between
// frames. Parts of one stack in a frame are added up.
type Part struct {
	Info      gather.ZoneInfo // which zone; of a lane, its name
	Ms        float64         // self time; of a lane, the time outside zones, besides the rest of the frame
	Count     uint32          // entries; they share the time and what they call
	Open      bool
	Rest      bool // takes the rest of the frame, in place of the lane
	Estimated gather.Estimated
	Extra     gather.NodeExtra // charges
	Inner     []*Part
	Lane      gather.LaneFrame // of a lane: its number, processor time and so on

	of    *World // what follows is its
	node  gather.NodeID
	zone  gather.ZoneID
	depth int32
}

// Zone is an entry of a zone with ms of self time, and what it calls.
func Zone(name string, ms float64, inner ...*Part) *Part {
	return &Part{Info: gather.ZoneInfo{Name: name}, Ms: ms, Count: 1, Inner: inner}
}

// Lane is a lane, in which zones are entered one after the other.
func Lane(name string, inner ...*Part) *Part {
	return &Part{Info: gather.ZoneInfo{Name: name}, Open: true, Inner: inner}
}

// Times sets the number of entries.
func (p *Part) Times(n uint32) *Part {
	p.Count = n
	return p
}

// Idle says that the zone is waiting.
func (p *Part) Idle() *Part {
	p.Info.Idle = true
	return p
}

// At sets the place of the zone.
func (p *Part) At(function, file string, line int) *Part {
	p.Info.Function, p.Info.File, p.Info.Line = function, file, line
	return p
}

// learn finds the numbers of a part below a node of a world, or of a lane.
func (p *Part) learn(w *World, l *gather.LaneFrame, up int32) {
	at := path{up: -int64(l.ID)}
	p.of, p.zone, p.depth = w, 0, 0
	if up >= 0 {
		p.zone = w.zone(p.Info)
		at = path{int64(l.Nodes[up].ID), p.zone}
	}
	for i := up; i >= 0; i = l.Nodes[i].Parent {
		if l.Nodes[i].Zone == p.zone {
			p.depth++
		}
	}
	node, known := w.nodes[at]
	if !known {
		node = gather.NodeID(len(w.nodes))
		w.nodes[at] = node
		w.places = append(w.places, place{})
	}
	p.node = node
}

// Zones numbers zones in their order, before frames have them.
func (w *World) Zones(zones []gather.ZoneInfo) {
	for _, z := range zones {
		w.zone(z)
	}
}

// zone returns the number of a zone.
func (w *World) zone(info gather.ZoneInfo) gather.ZoneID {
	id, known := w.zones[info]
	if !known {
		id = gather.ZoneID(len(w.Next.Zones))
		w.zones[info] = id
		w.Next.Zones = append(w.Next.Zones, info)
	}
	return id
}
