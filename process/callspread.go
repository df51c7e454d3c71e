package process

import "math"

// CallSpread is the distribution of the single calls of a zone. The scale of its bars is logarithmic, because the calls
// of one zone may differ a thousandfold. One goroutine may use it at a time.
type CallSpread struct {
	Count uint64
	Mean  float64            // ms
	Bars  [SpreadBars]uint64 // number of calls by time, from the shortest to the longest: see Ends
	Most  uint64             // greatest number in Bars

	buckets []CallBucket
}

// Take reads buckets, the shortest first, such as Around.Calls. It keeps them.
func (s *CallSpread) Take(buckets []CallBucket) {
	*s = CallSpread{buckets: buckets}
	for i := range buckets {
		b := &buckets[i]
		s.Count += b.Count
		s.Mean += float64(b.Count) * b.middle()
		bar := &s.Bars[s.bar(b.middle())]
		*bar += b.Count
		s.Most = max(s.Most, *bar)
	}
	s.Mean /= math.Max(float64(s.Count), 1)
}

func (b *CallBucket) middle() float64 { return (b.Low + b.High) / 2 }

// Ends returns the times of the shortest and of the longest call, ms. They are 0 if there are no calls.
func (s *CallSpread) Ends() (shortest, longest float64) {
	if len(s.buckets) == 0 {
		return 0, 0
	}
	return max(s.buckets[0].Low, 1e-6), max(s.buckets[len(s.buckets)-1].High, 1e-6)
}

// Place returns where a time in ms lies between the ends, on the logarithmic scale: 0 is the shortest, 1 the longest.
// It returns 0 if the ends are equal.
func (s *CallSpread) Place(ms float64) float64 {
	shortest, longest := s.Ends()
	if !(longest > shortest) {
		return 0
	}
	return math.Log(ms/shortest) / math.Log(longest/shortest)
}

func (s *CallSpread) bar(ms float64) int {
	return min(max(int(s.Place(ms)*SpreadBars), 0), SpreadBars-1)
}

// Quantile returns the time in ms that a share q of all calls does not exceed. Its error is at most the width of a
// bucket.
func (s *CallSpread) Quantile(q float64) float64 {
	need, sum := uint64(math.Ceil(q*float64(s.Count))), uint64(0)
	for i := range s.buckets {
		if sum += s.buckets[i].Count; sum >= need {
			return s.buckets[i].middle()
		}
	}
	return 0
}
