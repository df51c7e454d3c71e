//go:build !iprof_off

package measure

import (
	"example.com/iprof/internal/measure/internal/sites"
	"example.com/iprof/platform"
)

// Text adds a text to this entry: see Remark. The timeline, lists of calls and exported traces show it. The profiler
// keeps it only while the lane keeps events (see SetEvents) or counts calls (see Zone.SetPerCall); at other times the
// call costs a load and a branch. Text copies the text, cut to 1,024 bytes; any text is allowed. It ignores an empty
// one. Several texts of an entry are joined. It does nothing after End, and in an entry that is only counted: see
// SetOverheadLimit. Any goroutine may call it. It waits only for other calls, and for the end of a frame to collect the
// remarks. Cost: BenchmarkScopeText.
//
//go:norace
func (s Scope) Text(text string) {
	if s.p != nil && s.node().slot.Log != nil {
		s.addText(text)
	}
}

// Value is Text for a number, such as the size of the entry's input. The last one of an entry counts. It ignores
// infinities and NaN.
//
//go:norace
func (s Scope) Value(v float64) {
	if s.p != nil && s.node().slot.Log != nil {
		s.addValue(v)
	}
}

//go:norace
//go:noinline
func (s Scope) addText(text string) {
	var m Remark
	if text != "" && Recording() && s.place(&m) {
		sites.NoteCut(text)
		remarks.add(m, sites.Cut(text))
	}
}

//go:norace
//go:noinline
func (s Scope) addValue(v float64) {
	m := Remark{Valued: true, Value: v}
	if v-v == 0 && Recording() && s.place(&m) {
		remarks.add(m, "")
	}
}

// place sets the lane, the zone and the level of a remark. It reports false if the scope has no events.
//
//go:norace
func (s Scope) place(m *Remark) bool {
	remarks.use()
	n := s.node()
	l := (*Lane)(n.slot.Lane)
	if l == nil || (*Lane)(l.slot.Lane) != l || !l.has(n) {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.ended || l.log == nil || n.acc >= 0 || (n.count^uint64(uintptr(s.p)))&countMask != 0 {
		return false
	}
	l.wake(platform.Now())
	at := &l.base[n.idx]
	m.Lane, m.Zone, m.Level = l.id, at.zone, int32(at.level)-1
	return true
}
