package numbers

// Large has the numbers that do not fit 31 bits, by index. The lower halves of all numbers are the caller's. The zero
// value has none.
type Large map[uint32]uint64

// leastLarge is the least number that Set keeps. It is half of the largest step between two calls of Set.
const leastLarge = 1 << 31

// IsLarge reports whether Set keeps a number.
func IsLarge(n uint64) bool { return n >= leastLarge }

// With returns number i with the lower half given. It is not below the last number set.
func (l Large) With(i, low uint32) uint64 {
	was := l[i]
	return was + uint64(low-uint32(was))
}

// Set sets number i.
func (l *Large) Set(i uint32, n uint64) {
	if !IsLarge(n) {
		delete(*l, i)
		return
	}
	if *l == nil {
		*l = make(Large)
	}
	(*l)[i] = n
}

// More returns how many times 1<<32 number i has grown beyond a step whose lower half is known, and the number at the
// end of that step. low is the lower half before the step. now is the number at some time after the step.
func (l Large) More(i, low, step uint32, now uint64) (more uint32, end uint64) {
	was := l.With(i, low)
	now -= uint64(uint32(now) - low - step)
	if now > was { // on a 32-bit machine one half may be read before it is written
		more = uint32((now - was) >> 32)
	}
	return more, was + uint64(step) + uint64(more)<<32
}
