package export

import (
	"strconv"

	"example.com/iprof/gather"
)

// stateThreads is the number of the thread with the states of lane 0. The thread of another lane is stateThreads plus
// the lane's id. The threads of states of the whole program have smaller numbers.
const stateThreads = 1 << 30

func stateThread(on track) uint64 {
	if on.lane != 0 {
		return stateThreads + uint64(on.lane)
	}
	return stateThreads - 1 - uint64(on.kind)
}

func (c *chrome) state(on track, title string, q *gather.LaneState, begin, end int64) {
	thread := stateThread(on)
	if !c.stated[on] {
		if len(c.stated) > mostLanes || c.stated == nil {
			c.stated = map[track]bool{}
		}
		c.stated[on] = true
		name := on.name()
		if on.lane != 0 {
			name += " of " + c.lanes[on.lane]
		}
		c.thread(thread, name, max(2*int64(on.lane), 0))
	}
	c.slice(thread, quoted(title), begin, end)
	c.out.WriteString(`,"cat":"state","args":{"kind":` + strconv.Itoa(int(q.Kind)))
	stateNotes(q, func(name, text string) {
		c.out.WriteString(`,"` + name + `":`)
		c.out.Write(quoted(text))
	})
	if q.Waker != 0 {
		c.out.WriteString(`,"waker":` + strconv.FormatUint(uint64(q.Waker), 10))
	}
	c.out.WriteString("}}")
}

// wake writes an arrow from the scope that ended a wait to the scope that had waited.
func (c *chrome) wake(number uint64, q *gather.LaneState, at int64) {
	c.flow(`"s"`, number, q.Waker, at)
	c.flow(`"f","bp":"e"`, number, q.Lane, at)
}

func (c *chrome) flow(kind string, number uint64, lane gather.LaneID, at int64) {
	c.out.WriteString(",\n" + `{"ph":` + kind + `,"name":"wakes","cat":"wake","pid":1,"id":`)
	c.out.WriteString(strconv.FormatUint(number, 10) + `,"tid":` + strconv.FormatUint(uint64(lane)+1, 10) + `,"ts":`)
	c.micros(at)
	c.out.WriteByte('}')
}
