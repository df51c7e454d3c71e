package report

// A steady order is some frames old. The row that is greatest now may be below the lines in sight. It is then moved
// into sight, and the report says that its order is held.

// greater reports whether a row comes before another in the present order.
func (a *Arranger) greater(r *Report, i, j int32) bool {
	if v := &r.View; v.Order.Chosen {
		x, y := &r.Records[i], &r.Records[j]
		return x.Group < y.Group || x.Group == y.Group && v.Order.compare(x, y) < 0
	}
	return i < j // records are sorted
}

// raise moves the row that comes first in the present order onto the last line in sight, if it is below that line. All
// rows above stay. It leaves trees alone, because the rows of a tree have no common order.
func (a *Arranger) raise(r *Report) {
	line := a.InSight - 1 - len(a.First)
	if line < 0 || line >= len(a.index) || !a.Steady || !r.View.Mode.Flat() || r.Grouped() || r.View.Filter != "" {
		return
	}
	first := line
	for at := range a.index {
		if a.greater(r, a.index[at], a.index[first]) {
			first = at
		}
	}
	if first <= line {
		return
	}
	if line > 0 && a.index[line] == int32(r.Cursor) {
		line-- // the highlighted row keeps its line
	}
	i := a.index[first]
	copy(a.index[line+1:first+1], a.index[line:first])
	a.index[line] = i
	a.places.set(a.index, r.Records)
}

// held reports whether rows keep their places although their order has changed. It stays true for a short time
// afterwards, so that the sign for it does not flicker.
func (a *Arranger) held(r *Report) bool {
	if !a.Steady || !r.Frame.Live || !r.View.Mode.Flat() {
		a.unsorted = 0
		return false
	}
	for at := 1; at < len(a.index); at++ {
		if a.greater(r, a.index[at], a.index[at-1]) && differ(&r.Records[a.index[at]], &r.Records[a.index[at-1]], r) {
			a.unsorted = 2 * steadyMS
			break
		}
	}
	return a.unsorted > 0
}

// differ reports whether two rows show different values in the column that the report is sorted by.
func differ(x, y *Record, r *Report) bool {
	by := r.Sorted
	if r.View.Order.Chosen {
		by = r.View.Order.By
	}
	if by == ColumnName {
		return x.Name != y.Name
	}
	d := x.Values[by] - y.Values[by]
	return d > leastTold || d < -leastTold
}

// leastTold is the least difference of times, in ms, that two decimals show.
const leastTold = 0.005
