package governor

// The profiler counts the entries of a muted zone, and times only bursts of entries at random gaps. A burst stands for
// the entries of a gap of mean length, so phases of the program cause no bias.
const (
	warming     = 3    // first entries of a burst, left out while the processor's caches warm up
	timed       = 8    // timed entries of a burst
	firstGap    = 8    // mean gap of a zone with few bursts
	lastGap     = 4096 // mean gap of a zone with a precise estimate
	manyBelow   = 16   // number of zones beside it that doubles the gap, because a sample looks at them all
	looksPaid   = 24   // least entries of a gap per zone beside it, so that looking costs less than muting saves
	ownBursts   = 4    // number of bursts with which a node does not need those of its zone
	mutedDoubt  = 0.5  // standard error of an entry's time, as a share of the time of an empty timed entry
	mutedFrames = 16   // frames share that error, so the variance of a sum exceeds the sum of variances
)

// Entries is the sampler of the entries of one node of a muted zone. The zero value begins with a gap. The goroutine
// that enters the node owns all fields but the Sample, which the caller guards. A new goroutine may inherit them from
// an ended one, which the race detector cannot know.
type Entries struct {
	_ [0]func() // not comparable: the code of == would be in each program
	Sample
	random Random
	left   int     // remaining entries of the burst
	mean   float64 // of the last gap
	usual  Usual
	self   float64 // of the burst
	number float64
}

// Gap returns the number of entries of the next gap. known is the zone's number of bursts, beside the number of zones
// that a sample looks at. seed makes the gaps random; only the first call uses it.
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

// Add adds an entry of the burst: its self time in ticks, and the number of nested entries that it stands for. A time
// below least ticks is never an interruption. ended reports whether the burst has ended: Finish it.
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

// Drop gives up an entry of the burst. ended reports whether the burst has ended.
//
//go:norace
func (e *Entries) Drop() (ended bool) {
	e.left--
	return e.left <= 0
}

// Finish adds the burst to the node's sample and to the zone's. The caller guards both.
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

// Estimate returns the time of n entries, in ticks, and its variance. inside is the number of ticks that timing takes
// inside an empty entry. If the node has too few bursts, zone (all bursts of its zone) is used instead. single is true
// if the node is the zone's only one. known is false without any bursts.
func (e *Entries) Estimate(n float64, zone *Sample, inside float64, single bool) (ticks, variance float64, known bool) {
	r := e.Latest()
	if r.Bursts < ownBursts {
		r = zone.Latest()
		if !single {
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

// withoutTiming returns the time of an entry without the part of timing inside it. A processor reads the clock in
// parallel with other work. A timed empty entry takes as long as the reading. So an entry timed at that length may take
// any time up to it, and an entry several times as long contains no extra time (docs/governor.md).
func withoutTiming(took, inside float64) float64 {
	return max(took-inside*inside/(2*max(took, inside, minCost)), 0)
}
