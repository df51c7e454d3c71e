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

// prune drops lanes that no frame of the history mentions, if there are many. Goroutines come and go by the million.
func (l *lanes) prune(s *Session) {
	if len(l.list) < max(l.limit, fewLanes) {
		return
	}
	kept := lanes{}
	moved := make([]int32, len(l.list))
	for i := range moved {
		moved[i] = -1
	}
	move := func(lanes []laneRecords) {
		for i := range lanes {
			at := &moved[lanes[i].place]
			if *at < 0 {
				*at = kept.find(l.list[lanes[i].place].id, l.list[lanes[i].place].name)
			}
			lanes[i].place = *at
		}
	}
	for _, m := range []*measured{&s.measured, &s.aside.measured} {
		for seq := m.past.first(); seq < m.past.next; seq++ {
			move(m.past.at(seq).lanes)
		}
		for i := range m.slow.frames {
			move(m.slow.frames[i].lanes)
		}
	}
	s.totals.forgetPlaces()
	kept.limit = 2 * len(kept.list)
	*l = kept
}
