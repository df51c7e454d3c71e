package process

import "math"

// averages is the number of moving averages: AverageShort and AverageLong.
const averages = 2

// settling is the time in which each average takes on 90 % of a step, in seconds.
var settling = [averages]float64{0.8, 2.5}

// remains returns the share of an average that remains after so many seconds, if the average takes on 90 % of a step in
// settling seconds. (Pow takes twice as long as Exp, and each frame needs some of them.)
func remains(seconds, settling float64) float64 { return math.Exp(-math.Ln10 / settling * seconds) }

// weights are the shares of the averages that remain after a frame.
type weights = [averages]float64

func newWeights(seconds float64) (w weights) {
	for k := range w {
		w[k] = remains(seconds, settling[k])
	}
	return w
}

// smoother keeps the moving averages of one lane, or of all lanes merged. Each is an exponentially weighted mean. Its
// weight starts at 0 and grows towards 1, so the first frame of a zone already gives its value.
type smoother struct {
	lane  LaneID
	next  uint64 // sequence number of the next frame to add
	paths []smoothed
	zones []moments
	extra smoothedCharges
	whole [averages]wholes
	known [averages]float64 // weight of whole
}

// smoothed holds the averages of a path; self is in ms.
type smoothed struct{ self, count [averages]float64 }

// moments holds the weights of a zone, and the mean and variance of its self and hierarchical time. The variance is
// updated together with the mean (West, 1979, with weights), because the difference of two large sums would lose
// precision.
type moments struct {
	weight   [averages]float64
	mean     [averages][2]float64
	variance [averages][2]float64
}

// grow makes room for new paths and zones.
func (m *smoother) grow(paths, zones int) {
	for len(m.paths) < paths {
		m.paths = append(m.paths, smoothed{})
	}
	for len(m.zones) < zones {
		m.zones = append(m.zones, moments{})
	}
}

// add adds a frame of the given length, from its values by path and by zone.
func (m *smoother) add(seconds float64, t *tree, values []value, zones []zoneValue) {
	m.grow(len(t.paths), len(zones))
	keep := newWeights(seconds)
	for i := range zones {
		if zones[i].seen {
			m.zones[i].add(&keep, zones[i].self, zones[i].hier)
		}
	}
	for i := range t.paths {
		p, v, z := &m.paths[i], &values[i], &m.zones[t.paths[i].zone]
		for k := range keep {
			if z.weight[k] > 0 {
				a := (1 - keep[k]) / z.weight[k]
				p.self[k] += a * (v.self - p.self[k])
				p.count[k] += a * (v.count - p.count[k])
			}
		}
	}
}

func (z *moments) add(keep *[averages]float64, self, hier float64) {
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

// heat is the standard deviation divided by half the mean, clamped to 0..1.
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

// length adds the numbers of the frame as a whole.
func (m *smoother) length(p *pastFrame) {
	for k, keep := range newWeights(p.length / 1000) {
		m.known[k] = m.known[k]*keep + 1 - keep
		if m.known[k] > 0 {
			a := (1 - keep) / m.known[k]
			m.whole[k].add(a, p)
		}
	}
}

// wholes are averages of the frame as a whole, in ms.
type wholes struct{ length, busy, idle, span, cost, gpu, cpu, joined, queue, locks float64 }

func (w *wholes) add(a float64, p *pastFrame) {
	w.length += a * (p.length - w.length)
	w.busy += a * (p.busy - w.busy)
	w.idle += a * (p.idle - w.idle)
	w.span += a * (p.span - w.span)
	w.cost += a * (p.cost - w.cost)
	w.gpu += a * (p.gpu - w.gpu)
	w.cpu += a * (p.cpu - w.cpu)
	w.joined += a * (p.joined - w.joined)
	w.queue += a * (float64(p.RunQueue) - w.queue)
	w.locks += a * (float64(p.LockWait) - w.locks)
}
