package report

import (
	"math"
	"slices"
)

// CallBucket counts the calls of a zone whose durations lie in one range.
type CallBucket struct {
	Low, High float64 // ms: Low is in the range, High is not
	Count     uint64
}

// CallSpread is the distribution of the single calls of a zone. The scale of its bars is logarithmic, because the calls
// of one zone may differ a thousandfold. One goroutine may use it at a time.
type CallSpread struct {
	Count uint64
	Mean  float64            // ms
	Bars  [SpreadBars]uint64 // number of calls by time, from the shortest to the longest: see Ends
	Most  uint64             // greatest number in Bars

	buckets []CallBucket
}

// Take reads buckets, the shortest first, such as Around.Calls. It keeps the slice.
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

// CallBars is the number of bars for single calls in text and on pages.
const CallBars = SpreadBars / 2

// CallRow has the durations of single calls since start or Reset, for a zone that counts them: see Session.SetPerCall.
type CallRow struct {
	Zone           ZoneID
	Name           string
	Count, Missing uint64
	Times          Summary
	Bars           []uint64 // CallBars numbers of calls, from the shortest to the longest, on a logarithmic scale
}

// SpreadBars is the number of bars of a histogram.
const SpreadBars = 48

// Spread is the distribution of a zone's times over the frames in which it ran. Times are in ms. One goroutine may use
// it at a time.
type Spread struct {
	Sorted    []float32 // of the frames in which the zone ran
	Frames    int       // number of frames, also frames in which the zone did not run
	Mean      float32
	Deviation float32         // standard deviation
	Bars      [SpreadBars]int // number of frames by time: see Bar
	Most      int             // greatest number in Bars
}

// Take reads a history, such as Around.History. In a frame whose value is not above 0 the zone did not run. It reuses
// the memory of Sorted.
func (s *Spread) Take(history []float32) {
	*s = Spread{Sorted: s.Sorted[:0], Frames: len(history)}
	sum := 0.0
	for _, v := range history {
		if v > 0 && v-v == 0 {
			s.Sorted = append(s.Sorted, v)
			sum += float64(v)
		}
	}
	if len(s.Sorted) == 0 {
		return
	}
	slices.Sort(s.Sorted)
	s.Mean = float32(sum / float64(len(s.Sorted)))
	squares := 0.0
	for _, v := range s.Sorted {
		squares += float64(v-s.Mean) * float64(v-s.Mean)
		b := s.Bar(v)
		s.Bars[b]++
		s.Most = max(s.Most, s.Bars[b])
	}
	s.Deviation = float32(math.Sqrt(squares / float64(len(s.Sorted))))
}

// Bar returns the index in Bars of a time. All bars are equally wide, from the least time to the greatest.
func (s *Spread) Bar(ms float32) int {
	least, greatest := s.Quantile(0), s.Quantile(1)
	if !(greatest > least) {
		return 0
	}
	return min(max(int((ms-least)/(greatest-least)*SpreadBars), 0), SpreadBars-1)
}

// Quantile returns the least time that a share q of all times does not exceed, by nearest rank. 0 is the least, 1 the
// greatest. It returns 0 if there are no times.
func (s *Spread) Quantile(q float64) float32 {
	n := len(s.Sorted)
	if n == 0 {
		return 0
	}
	rank := int(math.Ceil(q * float64(n)))
	return s.Sorted[min(max(rank-1, 0), n-1)]
}
