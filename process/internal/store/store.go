package store

import (
	"fmt"
	"time"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/verdict"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// Store has the measurements, and the settings by which frames are judged. It computes values, but neither rows nor
// words.
type Store struct {
	Ours bool   // of a set of frames of the running program
	Set  string // the set's name, "" for the first
	None bool   // of sets beyond the limit
	Gen  uint64 // changes with everything that is shown
	Measured
	Aside     aside // data of before the last Reset
	Tree      history.Tree
	Zones     []gather.ZoneInfo
	Said      report.Kind   // of the program, by its file; KindGame: it does not say
	Kind      report.Kind   // as found
	routes    int           // number of zones that were looked at and are no routes; below 0: a zone is one
	Origin    gather.Origin // of the newest frame
	Programs  uint64        // changes when numbers of zones change their meaning
	Events    EventDriven
	Lanes     history.Lanes
	Values    []history.Value     // scratch: by path
	ByZone    []history.ZoneValue // scratch: by zone
	Charged   history.ChargeList  // scratch: of Values, ByZone and rows
	Touched   history.Touched     // scratch: of Digest
	Feed      callFeed
	Paused    bool
	Fed       bool               // by WriteFrame
	Late      history.LateStates // for the sinks
	Budget    time.Duration      // in force
	Wanted    time.Duration      // as it was set: see findKind
	pinned    int32              // length of the pinned path, while a view with one is loaded
	Misuse    gather.Misuse
	Dropped   gather.Dropped
	Limit     float64 // see gather.Frame
	Cost      float64 // of one scope, ticks
	Clock     Clock   // of the latest frame
	Recording bool
	First     history.Frame // the unfinished first frame
	Timeline  timeline.Reader
	wakers    []history.Waker // memory of waitedInStates
	Matched   []int32         // by path: number of zones of the pinned path on its stack
	Lengths   history.Lengths
	groupLate func(s *Store, p *history.Frame) int16 // nil until ExplainsLate
	Forgotten string                                 // the warning about frames forgotten without a Reset, or ""
	Joined    uint64                                 // number of Updates that ended no frame
	Waited    map[report.ZoneID]float64              // see report.HotZones

	ZoneBudgets zoneBudgets

	// Unfinished returns the running program's first frame, which has not ended, for programs that never call Update.
	// It is nil in other sessions, and returns nil without a frame.
	Unfinished func() *history.Frame

	say func(h *history.Ring, c *report.SlowCall, p *history.Frame, left *int) // nil until Listens
}

// DefaultBudget is one frame at 60 frames a second.
const DefaultBudget = time.Second / 60

// Judge judges all frames by the budget in force.
func (s *Store) Judge() {
	for seq := s.Past.First(); seq < s.Past.Next; seq++ {
		p := s.Past.At(seq)
		p.Over = s.Over(p.JudgedMS())
	}
	for i := range s.Slow.Frames {
		p := &s.Slow.Frames[i]
		p.Over = s.Over(p.JudgedMS())
	}
	for i := range s.Slow.Ranked {
		f := &s.Slow.Ranked[i]
		f.Over = s.Over(float64(f.Judged()))
	}
	s.Overview.Judge(s.Over, &s.Past)
}

// Over reports whether a busy time, in ms, is over budget.
func (s *Store) Over(busy float64) bool { return busy > report.OverFactor*s.Budget.Seconds()*1000 }

// Zone describes a zone. Ids out of range have the zero ZoneInfo.
func (s *Store) Zone(id report.ZoneID) gather.ZoneInfo {
	if id < 0 || int(id) >= len(s.Zones) {
		return gather.ZoneInfo{}
	}
	return s.Zones[id]
}

// LaneName returns the lane's name for reports.
func (s *Store) LaneName(id report.LaneID) string {
	if id == 0 {
		return "all goroutines"
	}
	if at, ok := s.Lanes.Index[id]; ok {
		return s.Lanes.List[at].Name
	}
	return fmt.Sprintf("goroutine %d", id)
}

// Running reports whether the session is of a set of frames of the program and WriteFrame has not fed it. Only then it
// uses package gather's present data.
func (s *Store) Running() bool { return s.Ours && !s.Fed }

// EventDriven is the state of SetEventDriven.
type EventDriven struct {
	On    bool
	Zones []gather.ZoneInfo // the program's zones, with an idle root
}

// Verdict is VerdictOfView for a clamped view and an empty dst.
func (k *Looker) Verdict(dst *report.Verdict, v *report.View) bool {
	if v.Through() {
		return k.ExplainLens(dst, v)
	}
	return k.store.Verdict(dst, v)
}

// Verdict is that of Looker for a view without a lens.
func (s *Store) Verdict(dst *report.Verdict, v *report.View) bool {
	if v.Age == 0 && v.Kept == 0 && (!s.Paused || s.Smooth(v)) {
		return s.Finder().ExplainNow(dst)
	}
	return s.Finder().Explain(dst, s.Shown(v))
}

// AppendParts appends the parts of the frames that the verdict on a view explains.
func (k *Looker) AppendParts(dst []report.Part, of *report.Verdict, v *report.View) []report.Part {
	s := k.store
	switch {
	case v.Through():
		return s.Finder().AppendPartsOf(dst, of, v.LensInForce(), k.Lens.Frames)
	case of.Frames != 1:
		return dst
	}
	if p := s.Shown(v); p != nil && p.Index == of.Index && !p.Lost {
		return s.Finder().AppendParts(dst, of, p)
	}
	return dst
}

// Finder returns the finder of causes, with the present measurements.
func (s *Store) Finder() *verdict.Finder {
	s.causes.Stores = s.stores()
	return &s.causes
}

// stores returns the data that finders read.
func (s *Store) stores() verdict.Stores {
	return verdict.Stores{Past: &s.Past, Tree: &s.Tree, Lanes: &s.Lanes, States: &s.States,
		Zones: s.Zones, Budget: s.Budget.Seconds() * 1000,
		Wanted: s.Wanted.Seconds() * 1000, Gen: s.Gen}
}

// ExplainLens fills in the verdict on the frames of the lens of a view.
func (k *Looker) ExplainLens(dst *report.Verdict, v *report.View) bool {
	l, lens := &k.Lens, v.LensInForce()
	if !l.Made || l.Of != lens || l.Gen != k.store.Gen {
		k.LoadLens(v)
	}
	return k.store.Finder().ExplainMany(dst, lens, l.Frames)
}
