package history

import (
	"math"

	"example.com/iprof/process/report"
)

// smoothedCharges are the moving averages of the paths that ever had charges.
type smoothedCharges struct {
	at   map[int32]int32 // path -> place in list
	list []smoothedCharge
}

type smoothedCharge struct {
	path int32
	mean [Averages]report.Charges
}

// meet makes room for paths that have charges for the first time.
func (l *smoothedCharges) meet(values []Value, frame ChargeList) {
	if len(frame) < 2 {
		return
	}
	for i := range values {
		if _, known := l.at[int32(i)]; known || values[i].Extra == 0 {
			continue
		}
		if l.at == nil {
			l.at = make(map[int32]int32)
		}
		l.at[int32(i)] = int32(len(l.list))
		l.list = append(l.list, smoothedCharge{path: int32(i)})
	}
}

// Charge adds the charges of a frame. It uses the weights of add, so it must come after it.
func (m *Smoother) Charge(seconds float64, t *Tree, values []Value, frame ChargeList) {
	l := &m.Extra
	l.meet(values, frame)
	if len(l.list) == 0 {
		return
	}
	keep := newWeights(seconds)
	none := report.Charges{}
	for i := range l.list {
		c := &l.list[i]
		goal := frame.At(values[c.path].Extra)
		if goal == nil {
			goal = &none
		}
		for k, weight := range m.Zones[t.Paths[c.path].Zone].weight {
			if weight > 0 {
				c.mean[k].Ease((1-keep[k])/weight, goal)
			}
		}
	}
}

// Averages of charges below tiny are 0: they would shrink without end.
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
	tenth uint64              // of the latest frame, on the history's clock
	most  [holdTenths]float64 // by tenth of a second, ms
}

// Add adds a frame. seconds is its end, ms its length.
func (h *LengthHold) Add(seconds, ms float64) {
	now := uint64(max(seconds, 0) * 10)
	for n := min(now-min(h.tenth, now), holdTenths); n > 0; n-- {
		h.most[(now-n+1)%holdTenths] = 0
	}
	h.tenth = max(h.tenth, now)
	at := &h.most[h.tenth%holdTenths]
	*at = max(*at, ms)
}

// Longest is the length of the longest frame of the last five seconds, to a tenth of a second.
func (h *LengthHold) Longest() (most float64) {
	for _, ms := range h.most {
		most = max(most, ms)
	}
	return most
}

// Averages is the number of moving averages: AverageShort and AverageLong.
const Averages = 2

// Settling is the time in which each average takes on 90 % of a step, in seconds.
var Settling = [Averages]float64{0.8, 2.5}

// Remains returns the share of an average that remains after so many seconds, if the average takes on 90 % of a step in
// settling seconds. (Pow takes twice as long as Exp, and each frame needs some of them.)
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
// weight starts at 0 and grows towards 1, so the first frame of a zone already gives its value.
type Smoother struct {
	Lane  report.LaneID
	Next  uint64 // sequence number of the next frame to add
	Paths []smoothed
	Zones []moments
	Extra smoothedCharges
	Whole [Averages]Wholes
	known [Averages]float64 // weight of whole
}

// smoothed holds the averages of a path; self is in ms.
type smoothed struct{ Self, Count [Averages]float64 }

// moments holds the weights of a zone, and the mean and variance of its self and hierarchical time. The variance is
// updated together with the mean (West, 1979, with weights), because the difference of two large sums would lose
// precision.
type moments struct {
	weight   [Averages]float64
	mean     [Averages][2]float64
	variance [Averages][2]float64
}

// grow makes room for new paths and zones.
func (m *Smoother) grow(paths, zones int) {
	for len(m.Paths) < paths {
		m.Paths = append(m.Paths, smoothed{})
	}
	for len(m.Zones) < zones {
		m.Zones = append(m.Zones, moments{})
	}
}

// Add adds a frame of the given length, from its values by path and by zone.
func (m *Smoother) Add(seconds float64, t *Tree, values []Value, zones []ZoneValue) {
	m.grow(len(t.Paths), len(zones))
	keep := newWeights(seconds)
	for i := range zones {
		if zones[i].Seen {
			m.Zones[i].add(&keep, zones[i].Self, zones[i].Hier)
		}
	}
	for i := range t.Paths {
		p, v, z := &m.Paths[i], &values[i], &m.Zones[t.Paths[i].Zone]
		for k := range keep {
			if z.weight[k] > 0 {
				a := (1 - keep[k]) / z.weight[k]
				p.Self[k] += a * (v.Self - p.Self[k])
				p.Count[k] += a * (v.Count - p.Count[k])
			}
		}
	}
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

// Heat is the standard deviation divided by half the mean, clamped to 0..1.
func (z *moments) Heat(average, column int) float32 {
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
		m.known[k] = m.known[k]*keep + 1 - keep
		if m.known[k] > 0 {
			a := (1 - keep) / m.known[k]
			m.Whole[k].add(a, p)
		}
	}
}

// Wholes are averages of the frame as a whole, in ms.
type Wholes struct{ Length, Busy, Idle, Span, Cost, GPU, CPU, Joined, Queue, Locks float64 }

func (w *Wholes) add(a float64, p *Frame) {
	w.Length += a * (p.LengthMS - w.Length)
	w.Busy += a * (p.BusyMS - w.Busy)
	w.Idle += a * (p.IdleMS - w.Idle)
	w.Span += a * (p.SpanMS - w.Span)
	w.Cost += a * (p.CostMS - w.Cost)
	w.GPU += a * (p.GPUMS - w.GPU)
	w.CPU += a * (p.CPUMS - w.CPU)
	w.Joined += a * (p.JoinedMS - w.Joined)
	w.Queue += a * (float64(p.RunQueue) - w.Queue)
	w.Locks += a * (float64(p.LockWait) - w.Locks)
}
