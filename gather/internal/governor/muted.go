package governor

// The entries of a muted zone are counted and not timed, but for bursts of entries at random gaps. A burst stands for
// the entries of a gap of mean length, so the mean is right whatever phases the program has.
const (
	warming     = 3    // entries of a burst that are left out, while the processor gets used to timing
	timed       = 8    // entries of a burst that are timed
	firstGap    = 8    // mean gap of a zone of which little is known
	lastGap     = 4096 // mean gap of a zone that is well known
	manyBelow   = 16   // zones beside it for which the gap is twice as long, because a sample looks at them all
	looksPaid   = 24   // least entries of a gap for each other zone beside it: so looking costs less than is saved
	ownBursts   = 4    // bursts from which on a node does not need those of its zone
	mutedDoubt  = 0.5  // standard error of an entry's time, as a share of that of an empty entry that is timed
	mutedFrames = 16   // frames share that error, so variances of sums are larger than sums
)

// Entries is the sampler of the entries of one node of a muted zone. The zero value begins with a gap. The goroutine
// that enters the node owns all but the Sample, which the caller guards. A goroutine that begins may inherit what one
// that ended owned, which the race detector cannot know.
type Entries struct {
	Sample
	random Random
	left   int     // entries of the burst to come
	mean   float64 // of the last gap
	usual  Usual
	self   float64 // of the burst
	number float64
}

// Gap returns the number of entries of the next gap: known is how many bursts there are of the zone, beside how many
// zones a sample looks at. seed makes the gaps random, and is used once.
func (e *Entries) Gap(known, beside int, seed uint64) (entries uint32) {
	if e.random == 0 {
		e.random = Random(seed*0x9E3779B97F4A7C15 | 1)
		e.random.UpTo(1)
	}
	e.left = warming + timed
	e.mean = min(max(float64(known*known), firstGap), lastGap) * (1 + float64(beside)/manyBelow)
	e.mean = max(e.mean, looksPaid*float64(beside-1))
	return e.random.UpTo(uint32(2 * e.mean))
}

// Add adds an entry of the burst: its self time in ticks, and for how many entries in each other it stands. least is
// the number of ticks below which nothing is an interruption. ended reports whether the burst has ended: Finish it.
//
//go:norace
func (e *Entries) Add(self, entries, least float64) (ended bool) {
	if e.left--; e.left < timed {
		if far := e.usual.Exceeds(self / entries); !far || self < least {
			e.self, e.number = e.self+self, e.number+entries
		}
	}
	return e.left <= 0
}

// Drop gives an entry of the burst up. ended reports whether the burst has ended.
//
//go:norace
func (e *Entries) Drop() (ended bool) {
	e.left--
	return e.left <= 0
}

// Finish adds the burst to the node's sample and to that of its zone. Both are guarded by the caller.
func (e *Entries) Finish(zone *Sample) {
	for _, s := range []*Sample{&e.Sample, zone} {
		if e.number > 0 {
			s.Start(e.self / e.number)
			weight := e.mean + warming + timed
			s.Add(e.self*weight, e.number*weight)
		}
	}
	e.self, e.number = 0, 0
}

// Estimate returns the time of n entries, in ticks, and its variance. inside is how many ticks timing takes
// inside an empty entry. zone has the bursts of the node's zone, which stand for those of a node that
// has few; whole says that the node has the entries of all of the zone's nodes alike. known is false if there are no
// bursts at all.
func (e *Entries) Estimate(n float64, zone *Sample, inside float64, whole bool) (ticks, variance float64, known bool) {
	r := e.Latest()
	if r.Bursts < ownBursts {
		r = zone.Latest()
		if !whole {
			r.squares *= max(r.Bursts, 1) // any one of the bursts may be like the node's
		}
	}
	if r.Bursts <= 0 {
		return 0, 0, false
	}
	ticks = n * withoutTiming(r.Mean(), inside)
	variance = r.Variance(n, ticks)
	if r.Bursts < 1.5 {
		variance = Square(ticks)
	}
	return ticks, variance + Square(n*mutedDoubt*inside)*mutedFrames, true
}

// withoutTiming returns the time of an entry without what timing took inside it. A processor reads the clock beside
// other work: an empty entry takes as long as the reading, so one that is timed at that may take anything up to it, and
// one that takes several times as long takes nothing more (docs/governor.md).
func withoutTiming(took, inside float64) float64 {
	return max(took-inside*inside/(2*max(took, inside, LeastCost)), 0)
}
