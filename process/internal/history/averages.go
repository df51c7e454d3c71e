package history

import (
	"math"

	"example.com/iprof/process/report"
)

// smoothedCharges has the moving averages of the paths that ever had charges.
type smoothedCharges struct {
	at   map[int32]int32 // path -> place in list
	list []smoothedCharge
}

type smoothedCharge struct {
	_    Incomparable
	path int32
	mean [Averages]report.Charges
}

// grow makes room for paths that have charges for the first time.
func (l *smoothedCharges) grow(of *Touched) {
	if len(of.charges) < 2 {
		return
	}
	of.paths.each(func(path int32) {
		if _, known := l.at[path]; known || of.values.At(int(path)).Extra == 0 {
			return
		}
		if l.at == nil {
			l.at = make(map[int32]int32)
		}
		l.at[path] = int32(len(l.list))
		l.list = append(l.list, smoothedCharge{path: path})
	})
}

// charge adds the charges of a frame, with the weights after it.
func (m *Smoother) charge(seconds float64, t *Tree, of *Touched) {
	l := &m.Extra
	l.grow(of)
	if len(l.list) == 0 {
		return
	}
	keep := newWeights(seconds)
	none := report.Charges{}
	for i := range l.list {
		c := &l.list[i]
		goal := of.charges.At(of.values.At(int(c.path)).Extra)
		if goal == nil {
			goal = &none
		}
		z := m.zones.At(int(t.Paths[c.path].Zone))
		z.catchUp(m.clock)
		for k, weight := range z.weight {
			if weight > 0 {
				c.mean[k].Ease((1-keep[k])/weight, goal)
			}
		}
	}
}

// Averages of charges below tiny are set to 0, because they would shrink without end.
const tiny = 0.005

// Fill replaces the charges of a frame by their averages.
func (l *smoothedCharges) Fill(values []Value, to *ChargeList, average report.Average) {
	if len(l.list) == 0 {
		return
	}
	to.Reset()
	for i := range values {
		values[i].Extra = 0
	}
	for i := range l.list {
		c := &l.list[i]
		mean := c.mean[average]
		large := false
		for _, v := range mean.Numbers() {
			if large = large || *v >= tiny; *v < tiny {
				*v = 0
			}
		}
		if large && int(c.path) < len(values) {
			to.Add(&values[c.path].Extra, &mean)
		}
	}
}

// LengthHold keeps the longest frame of the last seconds. It does not depend on the size of the history.
type LengthHold struct {
	_       Incomparable
	tenth   uint64              // of the latest frame, on the history's clock
	longest [holdTenths]float64 // by tenth of a second, ms
}

// Add adds a frame. seconds is its end, ms its length.
func (h *LengthHold) Add(seconds, ms float64) {
	now := uint64(max(seconds, 0) * 10)
	for n := min(now-min(h.tenth, now), holdTenths); n > 0; n-- {
		h.longest[(now-n+1)%holdTenths] = 0
	}
	h.tenth = max(h.tenth, now)
	at := &h.longest[h.tenth%holdTenths]
	*at = max(*at, ms)
}

// Longest returns the length of the longest frame of the last five seconds, to a tenth of a second.
func (h *LengthHold) Longest() (most float64) {
	for _, ms := range h.longest {
		most = max(most, ms)
	}
	return most
}

// Averages is the number of moving averages: AverageShort and AverageLong.
const Averages = 2

// Settling is the time in which each average follows a step by 90 %, in seconds.
var Settling = [Averages]float64{0.8, 2.5}

// Remains returns the share of an average that remains after seconds, if the average follows a step by 90 % in settling
// seconds. (Pow takes twice as long as Exp, and each frame needs several calls.)
func Remains(seconds, settling float64) float64 { return math.Exp(-math.Ln10 / settling * seconds) }

// weights are the shares of the averages that remain after a frame.
type weights = [Averages]float64

func newWeights(seconds float64) (w weights) {
	for k := range w {
		w[k] = Remains(seconds, Settling[k])
	}
	return w
}

// Smoother keeps the moving averages of one lane, or of all lanes merged. Each is an exponentially weighted mean. Its
// weight starts at 0 and grows towards 1, so the first frame of a zone already gives its value. A zone or path that is
// not in a frame costs nothing: many frames with 0 change an average like one frame of their total length, and this
// change is made when the zone is entered or read.
type Smoother struct {
	Lane        report.LaneID
	Next        uint64 // sequence number of the next frame to add
	clock       float64
	paths       List[smoothed]
	zones       List[moments]
	pathCount   int // paths
	Extra       smoothedCharges
	Whole       [Averages]Times
	wholeWeight [Averages]float64 // weight of whole
}

// smoothed holds the averages of a path; self is in ms.
type smoothed struct {
	_           Incomparable
	self, count [Averages]float64
	updated     float64 // Smoother.clock at the last update
}

// moments holds the weights of a zone, and the mean and variance of its self and hierarchical time. The variance is
// updated together with the mean (West, 1979, with weights), because the difference of two large sums would lose
// precision.
type moments struct {
	_        Incomparable
	hasPath  bool    // the zone has a path
	updated  float64 // Smoother.clock at the last update
	weight   [Averages]float64
	mean     [Averages][2]float64
	variance [Averages][2]float64
}

// Stock takes memory ahead for the known paths and zones: see List.Stock.
func (m *Smoother) Stock(paths, zones int, ahead *int) {
	m.paths.Stock(paths, ahead)
	m.zones.Stock(zones, ahead)
}

// meet makes room for the paths and zones that are new in a frame.
func (m *Smoother) meet(t *Tree, seq uint64) {
	for ; m.pathCount < len(t.Paths) && t.Paths[m.pathCount].Birth <= seq; m.pathCount++ {
		m.paths.Grow(m.pathCount + 1)
		m.paths.At(m.pathCount).updated = m.clock
		zone := int(t.Paths[m.pathCount].Zone)
		m.zones.Grow(zone + 1)
		if z := m.zones.At(zone); !z.hasPath {
			z.hasPath, z.updated = true, m.clock
		}
	}
}

// Add adds a frame of the given length.
func (m *Smoother) Add(seconds float64, t *Tree, of *Touched, seq uint64) {
	m.meet(t, seq)
	keep := newWeights(seconds)
	before := m.clock
	m.clock += seconds
	of.paths.each(func(path int32) {
		z, p := m.zones.At(int(t.Paths[path].Zone)), m.paths.At(int(path))
		z.catchUp(before)
		p.catchUp(z, before)
	})
	of.zoneSet.each(func(zone int32) {
		z, v := m.zones.At(int(zone)), of.zones.At(int(zone))
		z.add(&keep, v.Self, v.Hier)
		z.updated = m.clock
	})
	of.paths.each(func(path int32) {
		p, v, z := m.paths.At(int(path)), of.values.At(int(path)), m.zones.At(int(t.Paths[path].Zone))
		p.add(&keep, z, v.Self, v.Count)
		p.updated = m.clock
	})
	m.charge(seconds, t, of)
}

// catchUp adds the frames without the zone up to a time.
func (z *moments) catchUp(clock float64) {
	if seconds := clock - z.updated; seconds > 0 && z.hasPath {
		keep := newWeights(seconds)
		z.add(&keep, 0, 0)
		z.updated = clock
	}
}

// catchUp adds the frames without the path up to a time. Its zone is up to date at that time.
func (p *smoothed) catchUp(z *moments, clock float64) {
	if seconds := clock - p.updated; seconds > 0 {
		keep := newWeights(seconds)
		p.add(&keep, z, 0, 0)
		p.updated = clock
	}
}

// add adds a frame. The frame must have been added to the zone before.
func (p *smoothed) add(keep *[Averages]float64, z *moments, self, count float64) {
	for k := range keep {
		if z.weight[k] > 0 {
			a := (1 - keep[k]) / z.weight[k]
			p.self[k] += a * (self - p.self[k])
			p.count[k] += a * (count - p.count[k])
		}
	}
}

// Path returns the averages of a path, 0 for an unknown path.
func (m *Smoother) Path(t *Tree, path int, average report.Average) (self, count float64) {
	if path >= m.pathCount {
		return 0, 0
	}
	z, p := m.zones.At(int(t.Paths[path].Zone)), m.paths.At(path)
	z.catchUp(m.clock)
	p.catchUp(z, m.clock)
	return p.self[average], p.count[average]
}

// Heat returns the standard deviation of a zone divided by half the mean, clamped to 0..1. Column 0 is self time,
// column 1 hierarchical time.
func (m *Smoother) Heat(zone report.ZoneID, average, column int) float32 {
	if int(zone) >= m.zones.Len() {
		return 0
	}
	z := m.zones.At(int(zone))
	z.catchUp(m.clock)
	return z.heat(average, column)
}

func (z *moments) add(keep *[Averages]float64, self, hier float64) {
	x := [2]float64{self, hier}
	for k := range keep {
		z.weight[k] = z.weight[k]*keep[k] + 1 - keep[k]
		if z.weight[k] <= 0 {
			continue
		}
		a := (1 - keep[k]) / z.weight[k]
		for i := range x {
			d := x[i] - z.mean[k][i]
			z.mean[k][i] += a * d
			z.variance[k][i] = (1 - a) * (z.variance[k][i] + a*d*d)
		}
	}
}

func (z *moments) heat(average, column int) float32 {
	half := 0.5 * math.Abs(z.mean[average][column])
	if half < 0.5e-6 {
		return 0
	}
	deviation := math.Sqrt(z.variance[average][column])
	if deviation >= half {
		return 1
	}
	return float32(deviation / half)
}

// Length adds the numbers of the frame as a whole.
func (m *Smoother) Length(p *Frame) {
	for k, keep := range newWeights(p.LengthMS / 1000) {
		m.wholeWeight[k] = m.wholeWeight[k]*keep + 1 - keep
		if m.wholeWeight[k] > 0 {
			a := (1 - keep) / m.wholeWeight[k]
			m.Whole[k].Ease(a, &p.Times)
		}
	}
}
