package process

import "slices"

// youngFrames is the number of frames after which the highlighted row of flat reports keeps its line until the user
// moves it. Before that, the greatest rows are not known.
const youngFrames = 300

// renew sorts the rows.
func (a *Arranger) renew(r *Report) {
	line := a.cursorLine(r)
	a.index, a.since, a.age, a.view = a.index[:0], 0, float64(r.Frame.Frames)*r.Frame.Length, r.View
	a.view.Pin, a.cursor = nil, r.cursorID()
	for i := range r.Records {
		a.index = append(a.index, int32(i))
	}
	a.parents = appendParents(a.parents[:0], r.Records)
	if r.View.Order.Chosen {
		r.View.Order.sort(a.index, a.parents, r.Records)
	}
	a.hold(r, line)
	a.rekey(r.Records)
}

// rekey notes which rows are where.
func (a *Arranger) rekey(records []Record) {
	a.keys = a.keys[:0]
	for _, i := range a.index {
		a.keys = append(a.keys, idOf(&records[i]))
	}
}

// cursorLine returns the line that the highlighted row of a flat report keeps, because no input moved it, or -1.
func (a *Arranger) cursorLine(r *Report) int {
	v := &r.View
	if !a.Steady || !v.Mode.flat() || !r.Frame.Live || r.Frame.Frames < youngFrames || !sameRows(&a.view, v) ||
		a.cursor != r.cursorID() {
		return -1
	}
	return slices.Index(a.keys, a.cursor)
}

// hold moves the highlighted row to a line, if it is not -1. Rows that wait stay behind those that work.
func (a *Arranger) hold(r *Report, line int) {
	if line < 0 || line >= len(a.index) {
		return
	}
	at := slices.Index(a.index, int32(r.Cursor))
	if at < 0 || r.Records[r.Cursor].Idle {
		return
	}
	for line > at && r.Records[a.index[line]].Idle {
		line--
	}
	a.index = slices.Insert(slices.Delete(a.index, at, at+1), line, int32(r.Cursor))
}

// follow puts the records on their last places. In flat reports new rows come after the row that they would follow, but
// none comes first, and rows that are gone leave no gap. It reports false if all rows are to be sorted.
func (a *Arranger) follow(r *Report) bool {
	a.index = resized(a.index, len(a.keys))
	for i := range a.index {
		a.index[i] = -1
	}
	a.fresh = a.fresh[:0]
	for i := range r.Records {
		if at := a.find(idOf(&r.Records[i]), i); at >= 0 {
			a.index[at] = int32(i)
		} else {
			a.fresh = append(a.fresh, int32(i))
		}
	}
	if len(a.fresh) == 0 && len(r.Records) == len(a.keys) {
		return true
	}
	if !r.View.Mode.flat() || len(a.fresh) > 8+len(a.keys)/2 {
		return false
	}
	a.index = slices.DeleteFunc(a.index, func(i int32) bool { return i < 0 })
	for _, i := range a.fresh {
		at := slices.Index(a.index, i-1) + 1
		if at == 0 && len(a.index) > 0 && !r.Records[a.index[0]].Idle {
			at = 1 // it may be an outlier: the next order shows
		}
		a.index = slices.Insert(a.index, at, i)
	}
	slices.SortStableFunc(a.index, func(x, y int32) int { return lateness(&r.Records[x]) - lateness(&r.Records[y]) })
	a.rekey(r.Records)
	return true
}

// lateness is 1 for rows that come after the others.
func lateness(r *Record) int {
	if r.Idle {
		return 1
	}
	return 0
}
