package governor

const (
	interrupted = 16 // a block this many times longer than usual is left out
	usualStep   = 1.125
	pairFades   = 1 - 1.0/1024 // a pair's weight after the next pair
)

// Blocks compares timed blocks of entries with the counted ones beside them. The zero value is empty.
type Blocks struct {
	_     [0]func() // not comparable: the code of == would be in each program
	Cost  Ratio     // of timing an entry, by pairs of blocks
	usual Usual     // of blocks
	pair  pair
}

// pair holds the extra ticks of the timed block, its number of entries, and whether one of the two blocks was
// interrupted.
type pair struct {
	extra, entries float64
	interrupted    bool
}

// Interrupted reports whether a block of took ticks was interrupted. Call it once for each block.
func (b *Blocks) Interrupted(took float64) bool { return b.usual.Exceeds(took) }

// Usual estimates the median of a stream of times. The zero value has seen no times.
type Usual float64

// Exceeds reports whether a time of took ticks is far above the usual. Call it once for each time.
//
//go:norace
func (u *Usual) Exceeds(took float64) bool {
	if *u <= 0 {
		*u = Usual(took)
	}
	far := took > interrupted*float64(*u)
	if *u /= usualStep; took > float64(*u) {
		*u *= usualStep * usualStep
	}
	return far
}

// Mostly returns a time, but at most twice the usual. Call it once for each time.
func (u *Usual) Mostly(took float64) float64 {
	u.Exceeds(took)
	return min(took, 2*float64(*u))
}

// Add adds a block to the pair. entries is the timed block's number; with 0, the pair is left out.
func (b *Blocks) Add(timed bool, took, entries float64, far bool) {
	p := &b.pair
	if p.interrupted = p.interrupted || far; timed {
		p.extra, p.entries = p.extra+took, entries
	} else {
		p.extra -= took
	}
}

// BeginPair begins a pair. It drops an unfinished one.
func (b *Blocks) BeginPair() { b.pair = pair{} }

// EndPair ends the pair and compares its blocks, unless leaveOut is set.
func (b *Blocks) EndPair(leaveOut bool) {
	p := b.pair
	if leaveOut || p.interrupted || p.entries <= 0 {
		return
	}
	expected := b.Cost.Mean()
	if b.Cost.Bursts == 0 {
		expected = p.extra / p.entries
	}
	b.Cost = b.Cost.Plus(pairFades, Burst(p.extra, p.entries, expected))
}
