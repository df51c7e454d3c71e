//go:build !iprof_off

package oracle_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// history is what a naive profiler knows of the frames that a session holds.
type history struct {
	size, full int // of the session's history
	shown      report.Report
	snapshot   process.Snapshot
	timeline   process.Snapshot
	kept
	aside  *kept // before or after a Reset, which UndoReset brings back
	undone bool  // since the newest frame
}

// kept is what a Reset puts aside.
type kept struct {
	frames []*period // all
	first  int       // frame of those held
	lost   int       // frames before it have no records any more
	others []others  // that are not among these, but whose rows are known
}

// others are frames whose rows are known from a frame on.
type others struct {
	frames []*period
	from   int
}

// period is a frame that has ended.
type period struct {
	facts  []fact
	index  uint64
	begin  platform.Ticks
	length float64                    // ms
	known  map[report.ReportMode]rows // by the views of one row for each zone, and for each path

	counted, level float64
}

// rows are the rows of all lanes.
func (f *period) rows(mode report.ReportMode) rows {
	if f.known[mode] == nil {
		l := look{View: report.View{Mode: mode}}
		f.known[mode] = l.rows(f.facts)
	}
	return f.known[mode]
}

// resize changes the number of frames that a session holds, and of those with records.
func (h *history) resize(s *process.Session, size, full int) {
	h.size, h.full = size, min(full, size)
	s.SetHistory(size, full)
	h.trim(size, h.full)
}

// add adds a frame.
func (h *history) add(facts []fact, f *gather.Frame, level float64) {
	p := &period{facts: facts, index: f.Index, begin: f.Begin, length: float64(f.End - f.Begin),
		known: map[report.ReportMode]rows{}, level: level}
	for i := range facts {
		p.counted += float64(facts[i].charges.counted)
	}
	h.frames, h.undone = append(h.frames, p), false
	h.trim(h.size, h.full)
}

func (k *kept) trim(size, full int) {
	k.first = max(k.first, len(k.frames)-size)
	k.lost = max(k.lost, k.first, len(k.frames)-full)
}

// reset begins the history anew, or brings back what was before.
func (p *program) reset() {
	h := &p.history
	if h.aside == nil || len(h.frames) > 0 && p.rng.IntN(3) == 0 {
		p.replay.Reset()
		old := h.kept
		h.aside, h.kept = &old, kept{others: []others{{old.frames, 0}}}
		for _, o := range old.others {
			h.others = append(h.others, others{o.frames, 0})
		}
		return
	}
	if !p.replay.CanUndoReset() || !p.replay.UndoReset() {
		p.t.Error("UndoReset: got nothing to bring back")
	}
	h.kept, *h.aside = *h.aside, h.kept
	h.others = append(h.others, others{h.aside.frames, len(h.frames)})
	h.undone = true
	h.trim(h.size, h.full)
}

// askHistory asks one of the questions about the frames that a session holds.
func (p *program) askHistory() {
	switch p.rng.IntN(40) {
	case 0, 1:
		p.history.resize(p.replay, 2+p.rng.IntN(12), 2+p.rng.IntN(12))
	case 2:
		p.history.resize(p.replay, 100+p.rng.IntN(100), 2+p.rng.IntN(200))
	case 3, 4, 5:
		p.reset()
	}
	if len(p.history.frames) == 0 {
		return
	}
	switch p.rng.IntN(7) {
	case 0:
		p.held()
	case 1:
		p.trees()
	case 2:
		if p.with.events > 0 {
			p.askTimeline()
		}
	case 3:
		p.numbers()
	case 4:
		p.columns()
	default:
		p.view()
	}
}

// held asks for the summaries of the frames that the session holds, and for the times of each zone in them.
func (p *program) held() {
	h := &p.history
	frames, longest := h.frames[h.first:], 0.0
	got := p.replay.AppendFrames(nil, 1000)
	if len(got) != len(frames) {
		p.t.Errorf("got %d frames; want %d", len(got), len(frames))
		return
	}
	for i, f := range frames {
		longest = max(longest, f.length)
		if g := got[i]; g.Index != f.index || float64(g.Length) != f.length || g.HasReport != (h.first+i >= h.lost) {
			p.t.Errorf("got %+v; want frame %d of %v ms, records from place %d on", g, f.index, f.length,
				h.lost-h.first)
		}
	}
	p.replay.View().Set(report.View{})
	if p99 := p.replay.View().Info().P99; p99 != longest { // of fewer than 100 frames
		p.t.Errorf("99th percentile of frames: got %v; want %v", p99, longest)
	}
	p.replay.View().MoveFrame(-1000)
	if age := p.replay.View().Get().Age; age != len(frames)-1 {
		p.t.Errorf("the oldest frame: got age %d; want %d", age, len(frames)-1)
	}
	for _, s := range p.replay.AppendSeries(nil, 1000) {
		if self, _ := h.times(frames, report.ReportSelfTime, row{report.GroupFocus, s.Name}); ours(s.Name) {
			p.series("series of "+s.Name, s.Values, self)
		}
	}
}

// histories asks for the times of each row in the frames up to the one shown.
func (p *program) histories(l *look) {
	h := &p.history
	if !l.whole() || l.Lens.Kind != report.LensOff {
		return
	}
	p.replay.View().Set(l.View)
	p.replay.View().Snapshot(&h.snapshot, process.SnapshotOptions{History: 1000})
	for _, r := range l.records(&h.snapshot.Report) {
		_, hier := h.times(h.frames[h.first:len(h.frames)-h.snapshot.UntilAge], l.Mode, r.row)
		p.series(fmt.Sprint(l, ": history of ", r.row), h.snapshot.History(r.at), hier)
	}
}

// series compares the times of a row in frames with those since it is known.
func (p *program) series(what string, got []float32, want []float64) {
	unknown := len(got) - len(want)
	for i, ms := range got {
		if known := i >= unknown; known && float64(ms) != want[i-unknown] || !known && ms == ms {
			p.t.Errorf("%s: got %v; want %v in the newest", what, got, want)
			return
		}
	}
}

// trees asks for the call tree of a lane, or of all, in a frame.
func (p *program) trees() {
	h, past, l := &p.history, report.PastFrame{}, p.anyLook()
	at, all := len(h.frames)-1-l.Age, look{View: report.View{Mode: report.ReportCallTree}, lane: l.lane}
	has := p.replay.FrameOf(&past, l.Lane, l.Age)
	rests := !slices.ContainsFunc(h.frames[at].facts, func(f fact) bool { return f.lane == l.lane && f.in != nil })
	if has != (at >= h.lost) && (has || l.lane == "" || !rests) {
		p.t.Errorf("FrameOf, lane %q, age %d: got %v; want %v", l.lane, l.Age, has, !has)
	}
	if !has {
		return
	}
	charged := map[string]charges{}
	for i := range h.frames[at].facts {
		if f := &h.frames[at].facts[i]; f.lane != counts && (l.lane == "" || f.lane == l.lane) {
			path, _ := f.in.row()
			sum := charged[path]
			sum.add(f.charges)
			charged[path] = sum
		}
	}
	names, got := make([]string, len(past.Nodes)), rows{}
	for i, n := range past.Nodes {
		if i > 0 {
			names[i] = join(names[n.Parent], p.zones[n.Zone].Name)
			got[row{report.GroupFocus, names[i]}] = figures{n.Self, n.Hier, n.Count}
			if paid := chargesOf(&n.Charges); paid != charged[names[i]] {
				p.t.Errorf("FrameOf, lane %q, age %d, %s: got %+v; want %+v", l.lane, l.Age, names[i], paid,
					charged[names[i]])
			}
			delete(charged, names[i])
		}
	}
	delete(charged, "") // those outside zones, of all lanes
	for path, c := range charged {
		if c != (charges{}) {
			p.t.Errorf("FrameOf, lane %q, age %d, %s: got no charges; want %+v", l.lane, l.Age, path, c)
		}
	}
	for at, w := range all.rows(h.frames[at].facts) {
		if g := got[at]; !g.near(w) && (w.hier > 0 || w.count > 0) {
			p.t.Errorf("FrameOf, lane %q, age %d, %v: got %+v; want %+v", l.lane, l.Age, at, g, w)
		}
	}
}

// lens returns a lens, and the frames with records that it chooses of those held.
func (p *program) lens() (l report.Lens, chosen []*period) {
	h := &p.history
	l = report.Lens{Kind: report.LensKind(1 + p.rng.IntN(int(report.NumLensKinds)-1)), Slowest: 1 + p.rng.IntN(9)}
	l.From = h.frames[max(len(h.frames)-1-p.rng.IntN(8), 0)].index
	l.To = l.From + uint64(p.rng.IntN(8))
	slowest := slices.Clone(h.frames[h.first:])
	slices.SortFunc(slowest, func(a, b *period) int { // of equal ones the newest first
		return cmp.Or(cmp.Compare(b.length, a.length), cmp.Compare(b.index, a.index))
	})
	slowest = slowest[:min(l.Slowest, len(slowest))]
	over := 1000 * p.replay.FrameBudget().Seconds() * report.OverFactor
	for _, f := range h.frames[h.lost:] {
		takes := map[report.LensKind]bool{report.LensAll: true, report.LensOver: f.length > over,
			report.LensWithin: f.length <= over, report.LensRange: f.index >= l.From && f.index <= l.To,
			report.LensSlowest: slices.ContainsFunc(slowest, func(s *period) bool { return s.index == f.index }),
		}
		if takes[l.Kind] {
			chosen = append(chosen, f)
		}
	}
	return l, chosen
}

// times are the times of a row in frames, 0 where it is not in one. It is not known before its first.
func (h *history) times(frames []*period, mode report.ReportMode, at row) (self, hier []float64) {
	has := func(f *period) bool { _, has := f.rows(mode)[at]; return has }
	birth := slices.IndexFunc(h.frames, has)
	for _, o := range h.others {
		if slices.ContainsFunc(o.frames, has) && (birth < 0 || o.from < birth) {
			birth = o.from
		}
	}
	for _, f := range frames {
		if birth >= 0 && birth < len(h.frames) && f.index >= h.frames[birth].index {
			of := f.rows(mode)[at]
			self, hier = append(self, of.self), append(hier, of.hier)
		}
	}
	return self, hier
}

// columns are those of a statistic of times: min, mean, max, deviation, and quantiles.
type columns [8]report.Column

var (
	ofHier = columns{report.ColumnMin, report.ColumnMean, report.ColumnMax, report.ColumnDeviation,
		report.ColumnP50, report.ColumnP90, report.ColumnP99, report.ColumnP999}
	ofSelf = columns{report.ColumnMinSelf, report.ColumnMeanSelf, report.ColumnMaxSelf, report.ColumnDeviationSelf,
		report.ColumnP50Self, report.ColumnP90Self, report.ColumnP99Self, report.ColumnP999Self}
	everHier = columns{report.ColumnEverMin, report.ColumnEverMean, report.ColumnEverMax, report.ColumnEverDeviation,
		report.ColumnEverP50, report.ColumnEverP90, report.ColumnEverP99, report.ColumnEverP999}
	everSelf = columns{report.ColumnEverMinSelf, report.ColumnEverMeanSelf, report.ColumnEverMaxSelf,
		report.ColumnEverDeviationSelf, report.ColumnEverP50Self, report.ColumnEverP90Self, report.ColumnEverP99Self,
		report.ColumnEverP999Self}
)

// statistics compares the statistics of a record with the times of its row in the frames held, or chosen by the lens,
// and in all frames.
func (p *program) statistics(l *look, r *record) {
	h, frames, mode := &p.history, p.history.frames[p.history.first:], l.Mode
	if !l.whole() {
		p.partly(l, r)
		return
	}
	if l.Lens.Kind != report.LensOff {
		frames = l.chosen
	} else {
		self, hier := h.times(h.frames, mode, r.row)
		p.compare(l, r, everHier, hier, 0.01)
		p.compare(l, r, everSelf, self, 0.01)
	}
	self, hier := h.times(frames, mode, r.row)
	p.compare(l, r, ofHier, hier, 1e-5)
	if l.Mode.Flat() || h.lost == h.first { // those of a path may need records
		p.compare(l, r, ofSelf, self, 1e-5)
	}
}

// partly compares the statistics of a record that sums some paths. They begin when the first of these was entered, on
// any lane, in any zone.
func (p *program) partly(l *look, r *record) {
	if h := &p.history; l.Lens.Kind != report.LensOff || h.lost > h.first || r.name == "" || h.undone {
		return // those of a lane need records, and new stacks a frame
	}
	h, known, times := &p.history, false, []float64(nil)
	if l.all == nil {
		for _, f := range h.frames {
			l.all = append(l.all, l.rows(f.facts))
		}
	}
	for i, all := range l.all {
		of, has := all[r.row]
		if known = known || has; known && i >= h.first {
			times = append(times, of.hier)
		}
	}
	for len(times) < len(h.frames)-h.first && !p.matches(r, times) {
		times = append(times, 0)
	}
	if !p.matches(r, times) {
		p.t.Errorf("%v: %v: got mean %v, max %v, median %v; want those of %v", l, r.row, r.Values[report.ColumnMean],
			r.Values[report.ColumnMax], r.Values[report.ColumnP50], times)
	}
}

// compare compares statistics of a record with those of times by their definitions. Quantiles may be off by a share.
func (p *program) compare(l *look, r *record, of columns, times []float64, off float64) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	mean, squares := 0.0, 0.0
	for _, ms := range times {
		mean += ms / float64(len(times))
	}
	for _, ms := range times {
		squares += (ms - mean) * (ms - mean) / float64(len(times))
	}
	rank := func(permille int) float64 { return times[max((len(times)*permille+999)/1000, 1)-1] }
	for i, want := range []float64{times[0], mean, times[len(times)-1], math.Sqrt(squares), rank(500), rank(900),
		rank(990), rank(999)} {
		off := off
		if i < 4 {
			off = 1e-5
		}
		if got := r.Values[of[i]]; !r.Mask.Has(of[i]) || math.Abs(got-want) > off*math.Abs(want)+1e-6 {
			p.t.Errorf("%v: %v, column %d of %v: got %v, shown %v; want %v", l, r.row, of[i], times, got,
				r.Mask.Has(of[i]), want)
			return
		}
	}
}

// matches reports whether a record has the mean, the greatest and the middle one of times.
func (p *program) matches(r *record, times []float64) bool {
	if len(times) == 0 {
		return true
	}
	sorted, mean := slices.Sorted(slices.Values(times)), 0.0
	for _, ms := range times {
		mean += ms / float64(len(times))
	}
	for c, want := range map[report.Column]float64{report.ColumnMean: mean, report.ColumnMax: slices.Max(times),
		report.ColumnP50: sorted[(len(times)+1)/2-1]} {
		if !r.Mask.Has(c) || math.Abs(r.Values[c]-want) > 1e-4*max(1, want) {
			return false
		}
	}
	return true
}
