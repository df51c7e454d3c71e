package history

import "example.com/iprof/process/report"

// Lanes lists the lanes of the frames in the history.
type Lanes struct {
	List  []lane
	Index map[report.LaneID]int32
	limit int // length of the list at which it is pruned next
}

type lane struct {
	_     Incomparable
	ID    report.LaneID
	Name  string
	Drift float64 // of a device's clock, in its latest frame
}

// A list with up to fewLanes lanes is not pruned.
const FewLanes = 4096

// Find returns the index of a lane in the list, and adds the lane if it is new.
func (l *Lanes) Find(id report.LaneID, name string) int32 {
	if i, ok := l.Index[id]; ok {
		if l.List[i].Name != name {
			l.List[i].Name = name
		}
		return i
	}
	if l.Index == nil {
		l.Index = make(map[report.LaneID]int32)
	}
	i := int32(len(l.List))
	l.List = append(l.List, lane{ID: id, Name: name})
	l.Index[id] = i
	return i
}

// PlaceOf returns the index of a lane in the list: EveryLane for id 0, NoLane for an unknown lane.
func (l *Lanes) PlaceOf(id report.LaneID) int32 {
	if id == 0 {
		return EveryLane
	}
	if at, ok := l.Index[id]; ok {
		return at
	}
	return noLane
}

// Many reports whether there are so many lanes that Prune should drop lanes that are gone. Goroutines come and go by
// the million.
func (l *Lanes) Many() bool { return len(l.List) >= max(l.limit, FewLanes) }

// Prune drops the lanes that no frame mentions. each calls its function with the lanes of each frame.
func (l *Lanes) Prune(each func(move func(lanes []LaneRecords))) {
	kept := Lanes{}
	moved := make([]int32, len(l.List))
	for i := range moved {
		moved[i] = -1
	}
	each(func(lanes []LaneRecords) {
		for i := range lanes {
			at := &moved[lanes[i].Place]
			if *at < 0 {
				*at = kept.Find(l.List[lanes[i].Place].ID, l.List[lanes[i].Place].Name)
			}
			lanes[i].Place = *at
		}
	})
	kept.limit = 2 * len(kept.List)
	*l = kept
}
