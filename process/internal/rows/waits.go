package rows

import (
	"cmp"
	"slices"
	"sort"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/report"
	"example.com/iprof/process/timeline"
)

// This file makes ColumnWaiting and ColumnRunnable. States have no zone and scopes have no state, so the states of each
// lane are laid over its scopes.

// waits reports whether a kind counts in ColumnWaiting. Work for the collector is neither waiting nor runnable.
func waits(k gather.StateKind) bool {
	return k != gather.StateRunning && k != gather.StateRunnable && k != gather.StateAssist
}

// waitRows has the memory for the columns of states.
type waitRows struct {
	timeline.Waits
	rows   rows                // rows of reports with the time of one reason
	values []history.Value     // of these rows
	zones  []history.ZoneValue // of these rows
	at     map[waitRow]int32   // index of a row of the report
	parts  []rowPart           // of all rows
}

// waitRow identifies a row of a report.
type waitRow struct {
	rowKey
	path int32
}

// rowPart is the time of a reason in a row.
type rowPart struct {
	row, reason int32
	ms          float64
}

// singleFrame reports whether a view shows one frame: only single frames have states.
func (b *Builder) singleFrame(v *report.View) bool {
	return !b.store.Smooth(v) && !v.Through() && b.store.Past.Next > 0
}

// chooseStates adds ColumnWaited to the usual columns. If the session has states, it adds the columns of states to
// reports of a single frame.
func (b *Builder) chooseStates(dst *report.Report, v *report.View) {
	b.showWaited(dst, v)
	single := b.singleFrame(v)
	dst.Waits = single && b.store.States.OfLanes
	dst.Runnable = dst.Waits && b.store.States.Traced
	if !dst.Waits || !v.Columns.Empty() {
		return
	}
	at := slices.Index(dst.Memory.Chosen, report.ColumnHier) + 1
	if dst.Runnable {
		dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnRunnable)
	}
	dst.Memory.Chosen = resize.Insert(dst.Memory.Chosen, at, report.ColumnWaiting)
	dst.Columns = dst.Memory.Chosen
}

// addStateTimes sets the columns of states of all records. It makes the rows of the report again for each reason, with
// the time of the reason in place of the zones' time.
func (b *Builder) addStateTimes(dst *report.Report, v *report.View, p *history.Frame) {
	dst.Memory.States = dst.Memory.States[:0]
	if !dst.Waits {
		return
	}
	w, lane := &b.waits, b.store.LanePlace(v.Lane)
	w.Update(b.store.Reader(), &b.store.States, b.store.Gen, p, lane)
	if len(w.Sums) == 0 {
		return
	}
	if w.at == nil {
		w.at = make(map[waitRow]int32)
	}
	clear(w.at)
	for i := range b.rows.list {
		r := &b.rows.list[i]
		w.at[waitRow{r.rowKey, r.path}] = int32(i)
	}
	w.parts = w.parts[:0]
	b.exchange()
	for reason := int32(timeline.KnownTime); int(reason) < len(w.Reasons); reason++ {
		if reason == timeline.KnownTime || w.Reasons[reason].Time > 0 {
			b.rowsOf(reason, v, lane)
		}
	}
	b.exchange()
	w.record(dst)
}

// exchange exchanges the rows of reasons with the rows of the report.
func (b *Builder) exchange() {
	w := &b.waits
	b.store.Values, w.values = w.values, b.store.Values
	b.store.ByZone, w.zones = w.zones, b.store.ByZone
	b.rows, w.rows = w.rows, b.rows
}

// rowsOf makes the rows of a reason.
func (b *Builder) rowsOf(reason int32, v *report.View, lane int32) {
	w := &b.waits
	b.store.Values = resize.To(b.store.Values, len(b.store.Tree.Paths))
	clear(b.store.Values)
	for i := range w.Sums {
		if q := &w.Sums[i]; q.Reason == reason {
			b.store.Values[q.Path].Self += q.Time
		}
	}
	b.rows.reset()
	b.store.Derive(v, lane, w.Roots[reason+1])
	b.list(v)
	for i := range b.rows.list {
		r := &b.rows.list[i]
		if at, ok := w.at[waitRow{r.rowKey, r.path}]; ok && r.Hier > 0 {
			w.parts = append(w.parts, rowPart{at, reason, r.Hier})
		}
	}
}

// record adds the parts of rows to the records.
func (w *waitRows) record(dst *report.Report) {
	sort.Sort((*partsByRow)(w))
	for from, to := 0, 0; from < len(w.parts); from = to {
		for to < len(w.parts) && w.parts[to].row == w.parts[from].row {
			to++
		}
		row := w.parts[from:to]
		if slices.ContainsFunc(row, func(p rowPart) bool { return p.reason == timeline.KnownTime }) {
			addStates(dst, w.Reasons, row)
		}
	}
}

// partsByRow sorts parts by row, the longest first: see sortByExcess.
type partsByRow waitRows

func (w *partsByRow) Len() int { return len(w.parts) }

func (w *partsByRow) Less(i, k int) bool {
	a, b := &w.parts[i], &w.parts[k]
	return cmp.Or(cmp.Compare(a.row, b.row), cmp.Compare(b.ms, a.ms), cmp.Compare(a.reason, b.reason)) < 0
}

func (w *partsByRow) Swap(i, k int) { w.parts[i], w.parts[k] = w.parts[k], w.parts[i] }

// addStates sets the columns of states of a record.
func addStates(dst *report.Report, reasons []report.StateTime, parts []rowPart) {
	out := &dst.Records[parts[0].row]
	from := len(dst.Memory.States)
	waiting := 0.0
	runnable := 0.0
	for _, p := range parts {
		if p.reason == timeline.KnownTime {
			continue
		}
		q := reasons[p.reason]
		q.Time = p.ms
		dst.Memory.States = append(dst.Memory.States, q)
		if waits(q.Kind) {
			waiting += p.ms
		} else if q.Kind == gather.StateRunnable {
			runnable += p.ms
		}
	}
	out.States = dst.Memory.States[from:len(dst.Memory.States):len(dst.Memory.States)]
	if out.Put(report.ColumnWaiting, waiting); dst.Runnable {
		out.Put(report.ColumnRunnable, runnable)
	}
}

// appendStatesWarning says why chosen columns of states are empty.
func (b *Builder) appendStatesWarning(dst []string, v *report.View) []string {
	switch chosen := v.Columns.Has(report.ColumnWaiting) || v.Columns.Has(report.ColumnRunnable); {
	case !chosen || b.store.Past.Next == 0:
	case !b.store.States.OfLanes:
		dst = append(dst, "waiting and runnable are not known: package wait or module exectrace says them")
	case !b.singleFrame(v):
		dst = append(dst, "waiting and runnable are of single frames, not of averages: "+
			"turn the average off, or show a past frame")
	case len(b.waits.Sums) == 0 && b.store.States.Traced && v.Age == 0:
		dst = append(dst, "waiting and runnable are not known of this frame yet: "+
			"a trace gives them some frames later, at a pause, or at the command \"trace take\"")
	case len(b.waits.Sums) == 0:
		dst = append(dst, "waiting and runnable are not known of this frame: it has no states or no events")
	}
	return dst
}
