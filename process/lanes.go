package process

// lanes lists the lanes of the frames in the history.
type lanes struct {
	list  []lane
	index map[LaneID]int32
	limit int // length of the list at which it is pruned next
}

type lane struct {
	id    LaneID
	name  string
	drift float64 // of a device's clock, in its latest frame
}

// A list with up to fewLanes lanes is not pruned.
const fewLanes = 4096

// find returns the index of a lane in the list, and adds the lane if it is new.
func (l *lanes) find(id LaneID, name string) int32 {
	if i, ok := l.index[id]; ok {
		if l.list[i].name != name {
			l.list[i].name = name
		}
		return i
	}
	if l.index == nil {
		l.index = make(map[LaneID]int32)
	}
	i := int32(len(l.list))
	l.list = append(l.list, lane{id: id, name: name})
	l.index[id] = i
	return i
}

// placeOf returns the index of a lane in the list: everyLane for id 0, noLane for one that is not known.
func (l *lanes) placeOf(id LaneID) int32 {
	if id == 0 {
		return everyLane
	}
	if at, ok := l.index[id]; ok {
		return at
	}
	return noLane
}

// many reports whether there are so many lanes that prune should drop those that are gone. Goroutines come and go by the
// million.
func (l *lanes) many() bool { return len(l.list) >= max(l.limit, fewLanes) }

// prune drops the lanes that no frame mentions. each calls its function with the lanes of each frame.
func (l *lanes) prune(each func(move func(lanes []laneRecords))) {
	kept := lanes{}
	moved := make([]int32, len(l.list))
	for i := range moved {
		moved[i] = -1
	}
	each(func(lanes []laneRecords) {
		for i := range lanes {
			at := &moved[lanes[i].place]
			if *at < 0 {
				*at = kept.find(l.list[lanes[i].place].id, l.list[lanes[i].place].name)
			}
			lanes[i].place = *at
		}
	})
	kept.limit = 2 * len(kept.list)
	*l = kept
}
