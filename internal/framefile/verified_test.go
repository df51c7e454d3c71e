package framefile

import (
	"math/rand/v2"
	"testing"

	"example.com/iprof/gather"
)

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
