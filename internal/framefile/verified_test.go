package framefile

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
)

// A lane is found without a look at most of the others, whatever the order of the lanes. With the lanes in the way
// overwritten, a search from the first one on would not find it.
func TestLaneIsFoundWithoutTheOthers(t *testing.T) {
	const lanes = 1024
	for _, step := range []int{1, -1, 389} {
		var c eventChunk
		for i := range lanes {
			id := uint64(((i*step)%lanes+lanes)%lanes) + lanes // each takes two bytes
			c.lanes = append(binary.AppendUvarint(c.lanes, id), 0, 1, eventEnd)
		}
		c.count = lanes
		for id := gather.LaneID(lanes); id < 2*lanes; id++ {
			if l, found := c.find(id); !found || l.id != id || len(l.rest) != 1 {
				t.Fatalf("step %d: got lane %d, %v; want %d with its event", step, l.id, found, id)
			}
		}
		if _, found := c.find(3 * lanes); found {
			t.Errorf("step %d: found a lane that is not there", step)
		}
		if c.find(1); step == 1 {
			clear(c.lanes[:len(c.lanes)/2-5])
			if _, found := c.find(2*lanes - 1); !found {
				t.Error("the last lane is not found without those of the first half")
			}
		}
	}
}

// Of lists of bytes, those pass that can be read to their end.
func TestEventsAreVerified(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	passed := 0
	for range 200_000 {
		list := make([]byte, random.IntN(14))
		for i := range list {
			list[i] = []byte{0, 1, 2, 3, 4, 5, 8, 0x80, 0x81, 0x83, 0xff, byte(random.Uint32())}[random.IntN(12)]
		}
		places := random.IntN(4)
		read, verified := readEvents(list, places)
		if read != verified {
			t.Fatalf("%x with %d places: read to the end %v, verified %v", list, places, read, verified)
		}
		if verified && len(list) > 3 {
			passed++
		}
	}
	if passed < 300 {
		t.Errorf("%d lists passed; want more", passed)
	}
}

// readEvents reports whether a list of a lane's events can be read to its end, and whether it is verified.
func readEvents(list []byte, places int) (read, verified bool) {
	l := laneEvents{decoder: decoder{rest: list}}
	l.events(make([]place, places), func(*gather.Event) {})
	read = l.err == nil
	l = laneEvents{decoder: decoder{rest: list}}
	l.verify(int64(places))
	return read, l.err == nil
}
