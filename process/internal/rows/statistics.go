package rows

import (
	"math"
	"slices"
	"sort"

	"example.com/iprof/internal/measure"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
)

// part is a path whose time is in a row: of a caller or a callee, of a depth of a recursive zone, or of a zone below
// the pinned path. With less, its time is subtracted: the path is inside another part, and its time is not in the row.
type part struct {
	path, next int32
	negative   bool
}

// Rows of few paths always have statistics. Rows of more paths have them while a report sums at most this many times
// for them, counted as paths times frames. That takes some milliseconds.
const (
	fewParts = 64
	mostSums = 1 << 21
)

// part adds a path to a row, or with less subtracts it.
func (r *rows) part(to *row, path int32, less bool) {
	r.parts = append(r.parts, part{path, to.parts, less})
	to.parts = int32(len(r.parts))
}

// under reports whether a path is below the pinned path, if the view has one.
func (b *Builder) under(v *report.View, path int32) bool {
	return len(v.Pin) == 0 || int(b.store.Matched[path]) >= len(v.Pin)
}

// noteParts stores the paths in the rows of a flat report: the depths with RecursionSpread, or the outermost paths of a
// zone below the pinned path. Rows of whole zones need no parts: see statistics.
func (b *Builder) noteParts(v *report.View) {
	spread := v.Recursion == report.RecursionSpread
	if !v.Mode.Flat() || !spread && len(v.Pin) == 0 {
		return
	}
	r := &b.rows
	if clear(r.index); r.index == nil {
		r.index = make(map[rowKey]int32)
	}
	for i := range r.list {
		r.index[r.list[i].rowKey] = int32(i)
	}
	for i := range b.store.Tree.Paths {
		p := &b.store.Tree.Paths[i]
		key := rowKey{zone: p.Zone, group: report.GroupFocus}
		if spread {
			key.depth = p.Depth
		}
		if at, listed := r.index[key]; listed {
			r.part(&r.list[at], int32(i), false)
		}
	}
}

// mostSteps is the greatest number of paths that are visited below the paths of a row to find pinned paths.
const mostSteps = 1024

// appendTimed appends the paths whose times sum to the time of a row. In a pinned call graph, a row has time below the
// pinned path although its own paths may be above that. It reports false if there are more than most.
func (b *Builder) appendTimed(dst []part, r *row, v *report.View, most int) (parts []part, ok bool) {
	steps := mostSteps
	for at := r.parts; at > 0; at = b.rows.parts[at-1].next {
		p := b.rows.parts[at-1]
		same := b.store.Tree.Paths[p.path].Same
		inside := r.group == report.GroupFocus && v.Recursion != report.RecursionSpread && same >= 0
		switch {
		case inside && (!v.Mode.Flat() || b.under(v, same)): // the time of another path of the row includes its time
		case b.under(v, p.path):
			dst = append(dst, p)
		case !v.Mode.Flat():
			dst = b.appendPinned(dst, v, p, &steps)
		}
		if len(dst) > most || steps < 0 {
			return dst, false
		}
	}
	return dst, true
}

// appendPinned appends the topmost paths below a part that are below the pinned path. steps is the number of paths that
// it may still visit.
func (b *Builder) appendPinned(dst []part, v *report.View, of part, steps *int) []part {
	walk := append(b.rows.walk[:0], step{of.path, -1, 0})
	for len(walk) > 0 && *steps >= 0 {
		at := walk[len(walk)-1].path
		walk = walk[:len(walk)-1]
		if *steps--; b.under(v, at) {
			dst = append(dst, part{path: at, negative: of.negative})
			continue
		}
		for kid := b.store.Tree.Paths[at].First; kid >= 0; kid = b.store.Tree.Paths[kid].Next {
			walk = append(walk, step{kid, -1, 0})
		}
	}
	b.rows.walk = walk[:0]
	return dst
}

// inParts reports whether the history of a row is the sum of its parts.
func (r *row) inParts(v *report.View) bool {
	some := r.group != report.GroupFocus || v.Recursion == report.RecursionSpread || len(v.Pin) > 0 && r.zone != 0
	return r.parts > 0 && (v.Mode.Flat() || some)
}

// addPartHistory sets mean, max and the other wanted statistics of a row that sums some paths, for the time that the
// row shows.
func (b *Builder) addPartHistory(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	frames := b.store.Past.Length()
	if r.group == report.GroupChild && b.rows.steps <= 0 || frames == 0 {
		return
	}
	parts, ok := b.appendTimed(b.rows.timed[:0], r, v, max(fewParts, b.rows.sums/frames))
	if b.rows.timed = parts[:0]; !ok || !b.traced(parts, v) {
		return
	}
	if len(parts) > fewParts {
		b.rows.sums -= len(parts) * frames
	}
	times := b.partTimes(parts, v)
	if len(times) == 0 {
		return
	}
	sum := 0.0
	for _, ms := range times {
		sum += float64(ms)
	}
	out.Values[report.ColumnMean], out.Values[report.ColumnMax] = sum/float64(len(times)), float64(slices.Max(times))
	out.Mask = out.Mask.With(report.ColumnMean, report.ColumnMax)
	fillSorted(&history.HistoryHier, out, want, times)
}

// traced reports whether there are parts and all have a history.
func (b *Builder) traced(parts []part, v *report.View) bool {
	paths := int32(b.Looker.HistoryOf(v).Paths.Len())
	return len(parts) > 0 && !slices.ContainsFunc(parts, func(p part) bool { return p.path >= paths })
}

// partTimes returns the summed time of the parts in each frame of the history, or of the lens, since the first part
// appeared. It uses the memory of the windows.
func (b *Builder) partTimes(parts []part, v *report.View) []float32 {
	w, paths, birth := &b.store.Windows, &b.Looker.HistoryOf(v).Paths, uint64(math.MaxUint64)
	first, oldest := paths.At(int(parts[0].path)), b.store.Past.First()
	w.Sums = resize.To(w.Sums, b.store.Past.Length())
	clear(w.Sums)
	for _, p := range parts {
		birth = min(birth, b.store.Tree.Paths[p.path].Birth)
		paths.At(int(p.path)).AddTo(w.Sums, oldest, p.negative) // 0 before its birth
	}
	times := w.Picks[:0]
	b.eachFrame(v, func(seq uint64) {
		if b.knows(first, birth, seq) {
			ms := w.Sums[seq-oldest]
			if ms < 0 && ms > -leastShown { // rounding error of a difference
				ms = 0
			}
			times = append(times, float32(ms))
		}
	})
	w.Picks = times
	return times
}

// eachFrame calls do for each frame of the history, or of the lens.
func (b *Builder) eachFrame(v *report.View, do func(seq uint64)) {
	if v.Through() {
		for _, seq := range b.Looker.Lens.Frames {
			do(seq)
		}
		return
	}
	for seq := b.store.Past.First(); seq < b.store.Past.Next; seq++ {
		do(seq)
	}
}

// knows reports whether a series with the first frame birth has a known time in a frame.
func (b *Builder) knows(t *history.Series, birth, seq uint64) bool {
	return seq >= birth && !(seq < b.store.Past.Known && b.store.Past.At(seq).Unknown) && t.Known(seq)
}

// fillSorted sets the columns that are computed on request. It sorts the times.
func fillSorted(c *history.StatColumns, out *report.Record, want report.ColumnSet, times []float32) {
	if want = want.And(c.Columns()).And(history.DearHistory); want.Empty() || len(times) == 0 {
		return
	}
	slices.Sort(times)
	c.Fill(out, want, func(k history.Statistic) float64 { return history.Exact(times, k) })
}

// statistics sets the costly values of a record, if wanted. Only rows of whole zones and of paths have them.
func (b *Builder) statistics(out *report.Record, r *row, v *report.View, want report.ColumnSet) {
	want = want.And(b.possible(r, v))
	if want.Empty() || r.path == 0 || r.group != report.GroupFocus || r.path < 0 && (len(v.Pin) > 0 ||
		v.Recursion == report.RecursionSpread) || !b.under(v, max(r.path, 0)) {
		return
	}
	if !want.And(history.DearCalls).Empty() {
		b.fillCalls(out, r, v.Lane, want)
	}
	if v.Lane != 0 {
		b.laneMeans(out, r, v)
		b.laneStatistics(out, r, v, want)
		return
	}
	if p := b.store.Stats.Of(r.zone, r.path); p != nil {
		b.store.Stats.Fill(out, p, want)
	}
	if b.wholeStatistics(out, r, v, want) {
		return
	}
	if columns := want.And(history.HistorySelf.Columns()); !columns.Empty() {
		if t, birth := b.selfSeries(r); t != nil {
			w := b.sorted(r, v, t, birth, false)
			history.HistorySelf.Fill(out, columns, func(k history.Statistic) float64 { return history.Exact(w, k) })
		}
	}
	if columns := want.And(history.HistoryHier.Columns()); !columns.Empty() {
		if t, birth := b.hierSeries(r); t != nil {
			w := b.sorted(r, v, t, birth, true)
			history.HistoryHier.Fill(out, columns, func(k history.Statistic) float64 { return history.Exact(w, k) })
		}
	}
}

// possible returns the columns that statistics sets. Through a lens they include the columns that addHistory sets
// otherwise.
func (b *Builder) possible(r *row, v *report.View) report.ColumnSet {
	switch {
	case v.Through():
		return history.Dear.With(report.ColumnMean, report.ColumnMax, report.ColumnMaxSelf)
	case r.path > 0:
		return history.Dear.With(report.ColumnMaxSelf)
	}
	return history.Dear
}

// ownPath reports whether a row shows one of several paths of its zone.
func (b *Builder) ownPath(r *row) bool {
	return r.path > 0 && (int(r.path) >= b.store.Stats.Known || b.store.Stats.Only[r.zone] != r.path)
}

// hierSeries returns the series of a row's hierarchical time and its first frame, or nil.
func (b *Builder) hierSeries(r *row) (t *history.Series, birth uint64) {
	switch {
	case b.ownPath(r) && int(r.path) < b.store.Past.Paths.Len():
		return b.store.Past.Paths.At(int(r.path)), b.store.Tree.Paths[r.path].Birth
	case b.ownPath(r) || int(r.zone) >= b.store.Past.Zones.Len():
		return nil, 0
	}
	z := b.store.Past.Zones.At(int(r.zone))
	return &z.Hier, z.Birth
}

// selfSeries returns the series of a row's self time and its first frame, or nil.
func (b *Builder) selfSeries(r *row) (t *history.Series, birth uint64) {
	if b.ownPath(r) {
		return b.store.Windows.Self.Of(&b.store.Past, &b.store.Tree, &b.store.Stats, r.path)
	}
	if int(r.zone) >= b.store.Past.Zones.Len() {
		return nil, 0
	}
	z := b.store.Past.Zones.At(int(r.zone))
	return &z.Self, z.Birth
}

// sorted returns the values of a series in the frames of the history, or of the lens, sorted.
func (b *Builder) sorted(r *row, v *report.View, t *history.Series, birth uint64, hier bool) []float32 {
	w, from := &b.store.Windows, min(max(birth, b.store.Past.First()), b.store.Past.Next)
	if v.Through() {
		w.Picks = w.Picks[:0]
		for _, seq := range b.Looker.Lens.Frames {
			if seq >= birth {
				w.Picks = append(w.Picks, t.At(seq))
			}
		}
		slices.Sort(w.Picks)
		return w.Picks
	}
	if n := b.store.Past.Length(); n > 2*max(w.Frames, history.DefaultFrames) { // recounts their memory
		*w = history.Windows{Frames: n}
	}
	list, at := &w.Zones, int(r.zone)
	if b.ownPath(r) {
		list, at = &w.Paths, int(r.path)
	}
	for len(*list) <= at {
		*list = append(*list, history.WindowPair{})
	}
	window := &(*list)[at].Self
	if hier {
		window = &(*list)[at].Hier
	}
	if !window.Made() {
		if size := 8 * 2 * max(w.Frames, history.DefaultFrames); w.Bytes+size <= history.WindowBytes {
			w.Bytes += size
		} else {
			w.Spare.Fill(t, from, b.store.Past.Next)
			return w.Spare.Sorted
		}
	}
	window.Follow(t, from, b.store.Past.Next)
	return window.Sorted
}

// fillCalls sets the call columns of a record.
func (b *Builder) fillCalls(out *report.Record, r *row, lane report.LaneID, want report.ColumnSet) {
	b.store.Calls.Read(b.store, &b.store.Past, lane)
	of := b.store.Calls.Zones[r.zone]
	if b.ownPath(r) {
		of = b.store.Calls.Paths[r.path]
	}
	if of != nil && (b.store.Past.Next == 0 || b.store.Past.Age(0) != nil) {
		of.Fill(out, want, b.store.Fed, b.store.MsPerTick())
	}
}

// appendCallRows appends the zones that count each call, the most time first.
func (b *Builder) appendCallRows(dst []*report.CallRow) []*report.CallRow {
	if b.store.Running() && !measure.CountsCalls() || b.store.Fed && b.store.Feed.Source == nil ||
		len(b.store.Zones) == 0 {
		return dst
	}
	b.store.Calls.Read(b.store, &b.store.Past, 0)
	ms, first := b.store.MsPerTick(), len(dst)
	for zone, c := range b.store.Calls.Zones {
		if c.Counted() && int(zone) < len(b.store.Zones) {
			dst = append(dst, &report.CallRow{Zone: zone, Name: b.store.Zones[zone].Name, Count: c.Count,
				Missing: c.Missing,
				Times:   history.SummaryOf(func(k history.Statistic) float64 { return c.Of(k) * ms }), Bars: c.Bars()})
		}
	}
	sort.Sort(byCallTime(dst[first:]))
	return dst
}

// byCallTime sorts zones by the time in them, the most first.
type byCallTime []*report.CallRow

func (b byCallTime) Len() int      { return len(b) }
func (b byCallTime) Swap(i, k int) { b[i], b[k] = b[k], b[i] }

func (b byCallTime) Less(i, k int) bool {
	v, w := b[i].Times.Mean*float64(b[i].Count), b[k].Times.Mean*float64(b[k].Count)
	return v > w || v == w && b[i].Zone < b[k].Zone
}
