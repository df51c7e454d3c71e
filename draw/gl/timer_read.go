//go:build cgo || windows

package gl

import (
	"example.com/iprof/gather"
	"example.com/iprof/platform"
)

// askEvery is the time in seconds until the driver is asked again for times that have not arrived. Asking takes longer
// than the rest of a zone.
const askEvery = 200e-6

// pollLater calls poll, unless poll found nothing in the last askEvery.
func (t *timer) pollLater(now platform.Ticks) {
	if t.head == t.tail || float64(now-t.unanswered) < askEvery*platform.TicksPerSecond() {
		return
	}
	if t.poll(); t.head != t.tail {
		t.unanswered = now
	}
}

// poll gives the lane the times that have arrived. It does not wait.
func (t *timer) poll() {
	for t.head != t.tail && t.isThere(t.at(t.head)) {
		next := t.head + 1
		for next != t.tail && t.at(next).level > 0 {
			next++
		}
		t.read(next)
		t.head = next
	}
	since := platform.Ticks(0)
	if t.head != t.tail {
		since = t.at(t.head).issued
	}
	t.lane.Wait(since)
}

// isThere reports whether the times of an outermost entry have arrived. The times inside it have then arrived, too.
func (t *timer) isThere(q *query) bool {
	last := q.ids[1]
	if t.kind == timerElapsed {
		last = q.ids[0]
	}
	if q.closed {
		getQueryUint(last, glQueryResultAvailable, &t.out.available)
	}
	return q.closed && t.out.available != 0
}

// read gives the entries from head to next to the lane, unless their times are wrong.
func (t *timer) read(next uint32) {
	t.batch = t.batch[:0]
	for at := t.head; at != next; at++ {
		q := t.at(at)
		begin, end := t.times(q)
		t.batch = append(t.batch, gather.ForeignScope{Zone: &q.zone.gpu, Begin: begin, End: end, Level: int(q.level),
			Issued: q.issued})
	}
	if t.es && disjoint(t.out) { // times in progress are wrong, too
		t.void = t.tail
		t.calibrated = 0
	}
	if int32(t.void-t.head) > 0 {
		t.lane.Drop(len(t.batch))
		return
	}
	t.lane.Add(t.batch)
}

// times returns the readings at the beginning and the end of an entry.
func (t *timer) times(q *query) (begin, end int64) {
	first := t.value(q.ids[0])
	if t.kind == timerElapsed {
		begin = int64(float64(q.issued-t.base) / platform.TicksPerSecond() * 1e9)
		return begin, begin + int64(first)
	}
	return t.unwrapped(first), t.unwrapped(t.value(q.ids[1]))
}

func (t *timer) value(id uint32) uint64 {
	getQueryResult(id, &t.out.value)
	return t.out.value
}

// unwrapped continues a counter with few bits from its latest calibration.
func (t *timer) unwrapped(stamp uint64) int64 {
	unused := 64 - min(t.bits, 64)
	return int64(t.stamp) + int64((stamp-t.stamp)<<unused)>>unused
}

// calibrate reads both clocks at the same time, once a second. It keeps the quickest of three readings.
func (t *timer) calibrate(now platform.Ticks) {
	if t.calibrated != 0 && float64(now-t.calibrated) < platform.TicksPerSecond() {
		return
	}
	if t.kind == timerElapsed {
		if t.calibrated == 0 {
			t.base = now
			t.lane.Calibrate(0, now)
		}
		t.calibrated = now
		return
	}
	best, at := platform.MaxTicks, now
	stamp := uint64(0)
	for range 3 {
		before := platform.Now()
		getInteger64(glTimestamp, &t.out.stamp)
		if took := platform.Now() - before; took < best {
			best, at, stamp = took, before+took/2, uint64(t.out.stamp)
		}
	}
	if t.calibrated == 0 && t.stamp == 0 {
		t.stamp = stamp
	}
	t.stamp = uint64(t.unwrapped(stamp))
	t.lane.Calibrate(int64(t.stamp), at)
	t.calibrated = now
}
