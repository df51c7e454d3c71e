package capture

import "example.com/iprof/gather"

// ReadEvents reports whether a list of a lane's events can be read to its end, and whether it is verified.
func ReadEvents(list []byte, places int) (read, verified bool) {
	l := laneEvents{decoder: decoder{rest: list}}
	l.events(make([]place, places), func(*gather.Event) {})
	read = l.err == nil
	l = laneEvents{decoder: decoder{rest: list}}
	l.verify(int64(places))
	return read, l.err == nil
}

// HoldEncoding keeps the events that Update has copied for a black box from being encoded until release is called.
func (b *BlackBox) HoldEncoding() (release func()) {
	b.encoding.Lock()
	return b.encoding.Unlock
}

// WaitForFile waits until the black box has written the file that it is writing, and can write another one.
func (b *BlackBox) WaitForFile() { b.wait() }
