package governor

// Sample holds a node's bursts of earlier frames, fading, and the bursts of this frame. The zero value is empty.
type Sample struct{ past, current Ratio }

const (
	sampleFades = 0.8 // a frame's weight after the next frame, at most
	mostKept    = 8   // greatest weight of earlier frames, in bursts: estimates soon follow a new phase of the program

	// The variance of a sum over frames is larger than the sum of their variances, because frames share bursts. This
	// factor corrects for that.
	sampleShares = 1.5 * (1 + sampleFades) / (1 - sampleFades)
)

// Start gives an empty sample the mean self time of an entry, until there are bursts.
func (s *Sample) Start(mean float64) {
	if s.past.Entries == 0 {
		s.past = Ratio{Ticks: mean, Entries: 1}
	}
}

// Latest returns the bursts of this frame and of earlier ones.
func (s *Sample) Latest() Ratio {
	if s.current.Entries == 0 {
		return s.past
	}
	return s.past.Plus(min(sampleFades, mostKept/max(s.past.Bursts, 1)), s.current)
}

// Add adds a burst.
func (s *Sample) Add(self, entries float64) {
	if entries > 0 {
		s.current = s.current.Plus(1, Burst(self, entries, s.Latest().Mean()))
	}
}

// EndFrame adds this frame's bursts to the earlier ones. Without any, nothing changes.
func (s *Sample) EndFrame() {
	if s.current != (Ratio{}) {
		s.past, s.current = s.Latest(), Ratio{}
	}
}

// Variance returns the variance of an estimate of the time of n entries, from the scatter of the bursts. Without bursts
// it is the square of the estimate.
func (r Ratio) Variance(n, estimate float64) float64 {
	if r.Bursts == 0 {
		return Square(estimate)
	}
	return Square(n*r.Error()) * sampleShares * (1 + 4/r.Bursts)
}
