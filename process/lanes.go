package process

// lanes names the lanes of the frames that the history holds.
type lanes struct {
	list  []lane
	index map[uint64]int32
	limit int // of the list, before it is pruned again
}

type lane struct {
	id   uint64
	name string
}

// fewLanes are never pruned.
const fewLanes = 4096

// find returns the place of a lane in the list.
func (l *lanes) find(id uint64, name string) int32 {
	if i, ok := l.index[id]; ok {
		if l.list[i].name != name {
			l.list[i].name = name
		}
		return i
	}
	if l.index == nil {
		l.index = make(map[uint64]int32)
	}
	i := int32(len(l.list))
	l.list = append(l.list, lane{id, name})
	l.index[id] = i
	return i
}

// prune forgets lanes that no frame of the history mentions, when there are many: goroutines come and go by the million.
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
	for seq := s.past.first(); seq < s.past.next; seq++ {
		move(s.past.at(seq).lanes)
	}
	for i := range s.slow.frames {
		move(s.slow.frames[i].lanes)
	}
	clear(s.seats.lanes)
	kept.limit = 2 * len(kept.list)
	*l = kept
}
