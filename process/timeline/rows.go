package timeline

import (
	"sort"

	"example.com/iprof/process/report"
)

// Interval is a stretch of time, in ms.
type Interval struct{ Begin, End float64 }

// Row is one level of one lane. Its scopes are in order of time and do not overlap. A binary search finds the scopes of
// a stretch of time. Sums of groups of scopes allow drawing any number of scopes as one. The sums are computed at the
// first request.
type Row struct {
	Lane  report.LaneID
	Level int32

	// At has the times of the scopes on the axis of the Timeline, whose frame shown begins at Timeline.Origin. The
	// first From of them are dropped. The slices are read only.
	At   []Interval
	From int
	// Shifted counts how often the scopes got other indices.
	Shifted int

	zones   []uint32    // with the flags below
	remarks []rowRemark // by at
	groups  [][]rowSums // of 16, 256, … scopes
	summed  int         // number of scopes for which groups is up to date: see Together
}

// Flags that share a uint32 with the number of a scope's zone.
const (
	cutBefore = 1 << 30 // the scope began before the recorded time
	cutAfter  = 1 << 29 // the scope was open at the end of the recorded time
	zoneMask  = cutAfter - 1
)

// Len returns the number of scopes.
func (r *Row) Len() int { return len(r.At) - r.From }

// Zone returns the zone of the scope with an index of At.
func (r *Row) Zone(i int) report.ZoneID { return report.ZoneID(r.zones[i] & zoneMask) }

// Before reports whether a scope began before the kept events of its lane.
func (r *Row) Before(i int) bool { return r.zones[i]&cutBefore != 0 }

// After reports whether a scope was still open at the end of the frames that have been read.
func (r *Row) After(i int) bool { return r.zones[i]&cutAfter != 0 }

// Ending returns the first index whose scope ends after a time.
func (r *Row) Ending(after float64) int {
	at := r.At[r.From:]
	return r.From + sort.Search(len(at), func(i int) bool { return at[i].End > after })
}

// Beginning returns the first index whose scope begins at a time or later.
func (r *Row) Beginning(at float64) int {
	all := r.At[r.From:]
	return r.From + sort.Search(len(all), func(i int) bool { return all[i].Begin >= at })
}

// groupSize is the number of scopes in a group, and of groups in a group of the next power.
const groupSize = 16

// rowSums is the sum of consecutive scopes.
type rowSums struct {
	sum      float64 // ms
	greatest float64 // the longest scope, ms
	longest  int32   // index of the longest scope
}

// add appends a scope, or with joined lengthens the last one.
func (r *Row) add(s *Scope, begin, end float64, joined bool) {
	zone := uint32(max(s.Zone, 0)) & zoneMask
	if s.After {
		zone |= cutAfter
	}
	if n := len(r.At); joined && s.Before && n > r.From && r.zones[n-1]&^cutBefore == zone&zoneMask|cutAfter {
		r.zones[n-1] = r.zones[n-1]&cutBefore | zone
		r.At[n-1].End = end
		if s.Remark != nil {
			r.say(s.Remark)
		}
		return
	}
	if s.Before {
		zone |= cutBefore
	}
	r.At = append(r.At, Interval{begin, end})
	r.zones = append(r.zones, zone)
	if s.Remark != nil {
		r.say(s.Remark)
	}
}

// sumUp computes the groups of scopes that have changed since its last call, groups of these groups, and so on.
func (r *Row) sumUp() {
	from, below, power := r.summed, len(r.At), 0
	r.summed = below
	for ; below > groupSize; power++ {
		if power == len(r.groups) {
			r.groups = append(r.groups, nil)
		}
		groups := (below + groupSize - 1) / groupSize
		from = min(from/groupSize, len(r.groups[power]))
		g := r.groups[power][:from]
		for i := from; i < groups; i++ {
			sum := rowSums{greatest: -1, longest: -1}
			r.take(&sum, power-1, i*groupSize, min((i+1)*groupSize, below))
			g = append(g, sum)
		}
		r.groups[power], below = g, groups
	}
	for ; power < len(r.groups); power++ {
		r.groups[power] = r.groups[power][:0]
	}
}

// leastShift is the least number of scopes to drop that is worth the time to move the others.
const leastShift = 256

// drop drops the scopes that end before a time. The memory is reused once they are more than half.
func (r *Row) drop(before float64) {
	r.From = r.Ending(before)
	moves := r.From >= leastShift && r.From >= len(r.At)/2
	r.dropRemarks(r.From, moves)
	if !moves {
		return
	}
	r.At = append(r.At[:0], r.At[r.From:]...)
	r.zones = append(r.zones[:0], r.zones[r.From:]...)
	r.From = 0
	r.Shifted++
	r.summed = 0
}

// clear drops all scopes and keeps the memory.
func (r *Row) clear() {
	r.At, r.zones, r.From = r.At[:0], r.zones[:0], 0
	clear(r.remarks)
	r.remarks = r.remarks[:0]
	r.Shifted++
	r.summed = 0
}

// take adds scopes from..to to a sum. With power >= 0, from and to count groups of 16^(power+1) scopes.
func (r *Row) take(s *rowSums, power, from, to int) {
	if power < 0 {
		s.takeScopes(r.At[from:to], from)
		return
	}
	groups := r.groups[power][from:to]
	for i := range groups {
		s.sum += groups[i].sum
		if groups[i].greatest > s.greatest {
			s.greatest, s.longest = groups[i].greatest, groups[i].longest
		}
	}
}

func (s *rowSums) takeScopes(at []Interval, first int) {
	sum, most, longest := s.sum, s.greatest, int(s.longest)
	for i := range at {
		ms := at[i].End - at[i].Begin
		sum += ms
		if ms > most {
			most, longest = ms, first+i
		}
	}
	s.sum, s.greatest, s.longest = sum, most, int32(longest)
}

// Together returns the length of the scopes from..to-1 in ms, and the index of the longest. Its time grows with the
// logarithm of their number. The first call after a change sums the new scopes, so rows that are not drawn cost
// nothing.
func (r *Row) Together(from, to int) (sum float64, longest int) {
	if r.summed < len(r.At) {
		r.sumUp()
	}
	s := rowSums{greatest: -1, longest: int32(from)}
	for power := -1; from < to; power++ {
		if to-from <= 2*groupSize {
			r.take(&s, power, from, to)
			break
		}
		up, down := (from+groupSize-1)/groupSize, to/groupSize
		r.take(&s, power, from, up*groupSize)
		r.take(&s, power, down*groupSize, to)
		from, to = up, down
	}
	return s.sum, int(s.longest)
}
