package report

import (
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/internal/resize"
)

// steadyMS is how long rows keep their places although their values change, in ms of frames. It is long enough to read
// some rows and to point at one. The order of a young program stays only as long as its frames took, but at least
// youngMS, because the first frame of a program is often an outlier.
const steadyMS, youngMS = 2000, 500

// Arranger puts the rows of reports on lines, as their View chooses. A Session has one. A screen has its own, so that
// rows stay in place long enough to be read, and packages can be folded. The zero Arranger is ready. One goroutine may
// use it at a time.
type Arranger struct {
	Steady bool // flat and sorted reports of the newest frame keep their rows in place for two seconds of frames

	// InSight is the number of lines that a screen shows, from the first. While rows keep their places, the row that
	// would be first in the sorted order is always on one of these lines, and no other row moves. With 0 no row moves.
	InSight int

	// FoldIdle makes reports show two or more idle rows at their end as one row, until Fold opens it: see PackageRow
	// and Report.IdleFolded.
	FoldIdle bool

	// First are names of zones whose rows come before all others, in this order, in flat reports without groups.
	First []string

	index     []int32  // the records in order, all of them
	parents   []int32  // by record: the record it is shown under, or -1
	places    places   // of the rows in index, when the order was made
	since     float64  // ms of frames since the order was made
	age       float64  // ms of frames before the order was made
	unsorted  float64  // ms of frames until Report.Held ends after rows were out of order
	frame     uint64   // index of the last frame
	view      View     // when the order was made
	cursor    rowID    // the cursor's row when the order was made
	placeless []bool   // scratch, by record: the record had no place
	merged    []int32  // scratch
	packages  packages // of the zones
}

// cursorID is the row of the cursor, or the zero rowID.
func (r *Report) cursorID() (id rowID) {
	if row := r.CursorRecord(); row != nil {
		id = idOf(row)
	}
	return id
}

// Arrange fills in the report's Lines and Packages. Lines is nil if all records are shown in their own order. tree is
// the call tree of the same frame, and zone describes a zone; only groupings need them.
func (a *Arranger) Arrange(r *Report, tree []TreeNode, zone func(ZoneID) gather.ZoneInfo) {
	v := &r.View.Arrangement
	if r.ListAll(); v.plain() && !a.Steady && len(a.First) == 0 {
		return
	}
	r.Lines = r.lines[:0]
	if r.Lines == nil { // because nil means all records
		r.Lines = []int32{}
	}
	if elapsed := r.Frame.Index - a.frame; r.Frame.Index > a.frame {
		ms := float64(elapsed) * r.Frame.Length
		a.since, a.unsorted = a.since+ms, max(a.unsorted-ms, 0)
	}
	a.frame = r.Frame.Index
	if !a.keeps(r) || !a.follow(r) {
		a.renew(r)
	}
	a.raise(r)
	r.Held = a.held(r)
	if v.Filter == "" && !v.CallersOnly && len(v.Hidden) == 0 {
		r.Lines = append(r.Lines, a.index...)
	} else {
		r.Lines, r.Found = v.filter(r.Lines, a.index, r.Records, r.subject())
	}
	if r.leadsRoutes() {
		a.leadRoutes(r)
	}
	a.keepFirst(r)
	switch {
	case r.Grouped():
		a.packages.group(r, tree, zone)
	case a.FoldIdle:
		a.packages.foldIdle(r)
	}
	r.lines = r.Lines
}

// leadsRoutes reports whether the rows begin with those of routes: where a server's time with callees is shown.
func (r *Report) leadsRoutes() bool {
	return r.Frame.Kind == KindServer && r.View.Mode == ReportHierarchicalTime && !r.Grouped()
}

// ListAll shows all records in their own order, but those of routes first where they lead.
func (r *Report) ListAll() {
	r.Lines, r.Packages = nil, r.Packages[:0]
	r.Found, r.Held = 0, false
	if !r.leadsRoutes() {
		return
	}
	r.lines = r.lines[:0]
	for _, routes := range [...]bool{true, false} {
		for i := range r.Records {
			if IsRoute(r.Records[i].Name) == routes {
				r.lines = append(r.lines, int32(i))
			}
		}
	}
	r.Lines = r.lines
}

// leadRoutes moves the rows of routes before all others. Both keep their order.
func (a *Arranger) leadRoutes(r *Report) {
	a.merged = a.merged[:0]
	for _, routes := range [...]bool{true, false} {
		for _, record := range r.Lines {
			if IsRoute(r.Records[record].Name) == routes {
				a.merged = append(a.merged, record)
			}
		}
	}
	copy(r.Lines, a.merged)
}

// keepFirst moves the rows of First before all others. The others keep their order.
func (a *Arranger) keepFirst(r *Report) {
	if !r.View.Mode.Flat() || r.Grouped() {
		return
	}
	at := 0
	for _, name := range a.First {
		for i := at; i < len(r.Lines); i++ {
			if record := r.Lines[i]; r.Records[record].Name == name {
				copy(r.Lines[at+1:i+1], r.Lines[at:i])
				r.Lines[at] = record
				at++
			}
		}
	}
}

// plain reports whether all rows are shown in their own order.
func (a *Arrangement) plain() bool {
	return !a.Order.Chosen && a.Filter == "" && !a.CallersOnly && a.Grouping == GroupingNone &&
		len(a.Hidden) == 0
}

// Fold folds a package or unfolds it, by PackageRow.ID. It reports whether there is such a package.
func (a *Arranger) Fold(id int) bool {
	if id < 0 || id >= len(a.packages.folded) {
		return false
	}
	a.packages.folded[id] = !a.packages.folded[id]
	return true
}

// PackageOf returns the PackageRow.ID of a zone's package at the last Arrange, or -1 if it is not known.
func (a *Arranger) PackageOf(zone ZoneID) int {
	if zone < 0 || int(zone) >= len(a.packages.ofZone) {
		return -1
	}
	return int(a.packages.ofZone[zone]) - 1
}

// keeps reports whether the rows stay in place.
func (a *Arranger) keeps(r *Report) bool {
	v := &r.View
	return a.Steady && (v.Mode.Flat() || v.Order.Chosen) && r.Frame.Live &&
		a.since < min(max(a.age, youngMS), steadyMS) && sameRows(&a.view, v) &&
		(a.view.Cursor == v.Cursor || a.cursor == r.cursorID()) // the cursor follows its row
}

// sameRows reports whether two views have the same rows.
func sameRows(a, b *View) bool {
	return a.Mode == b.Mode && a.Average == b.Average && a.Recursion == b.Recursion && a.Age == b.Age &&
		a.Focus == b.Focus && a.Lane == b.Lane && a.Order == b.Order && a.Lens == b.Lens && a.Kept == b.Kept
}

// youngFrames is the number of frames after which the highlighted row of flat reports keeps its line until the user
// moves it. Before that, the order of the rows is not settled.
const youngFrames = 300

// renew sorts the rows.
func (a *Arranger) renew(r *Report) {
	line := a.cursorLine(r)
	a.index = a.index[:0]
	a.since = 0
	a.age = float64(r.Frame.Frames) * r.Frame.Length
	a.view = r.View
	a.view.Pin, a.cursor = nil, r.cursorID()
	for i := range r.Records {
		a.index = append(a.index, int32(i))
	}
	a.parents = appendParents(a.parents[:0], r.Records)
	if r.View.Order.Chosen {
		r.View.Order.sort(a.index, a.parents, r.Records)
	}
	a.hold(r, line)
	a.places.set(a.index, r.Records)
}

// cursorLine returns the line that the highlighted row of a flat report keeps, because no input has moved it, or -1.
func (a *Arranger) cursorLine(r *Report) int {
	v := &r.View
	if !a.Steady || !v.Mode.Flat() || !r.Frame.Live || r.Frame.Frames < youngFrames || !sameRows(&a.view, v) ||
		a.cursor != r.cursorID() {
		return -1
	}
	return slices.Index(a.places.keys, a.cursor)
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
	a.index = resize.Insert(slices.Delete(a.index, at, at+1), line, int32(r.Cursor))
}

// follow puts the records on their last places. In flat reports a new row comes after the row that it follows in sorted
// order, but never first. Rows that are gone leave no gap. It reports false if all rows have to be sorted.
func (a *Arranger) follow(r *Report) bool {
	keys := len(a.places.keys)
	a.index, a.placeless = resize.To(a.index, keys), resize.To(a.placeless, len(r.Records))
	for i := range a.index {
		a.index[i] = -1
	}
	fresh := 0
	for i := range r.Records {
		at := a.places.find(idOf(&r.Records[i]), a.index, i)
		if a.placeless[i] = at < 0; at < 0 {
			fresh++
		} else {
			a.index[at] = int32(i)
		}
	}
	if fresh == 0 && len(r.Records) == keys {
		return true
	}
	if !r.View.Mode.Flat() || fresh > 8+keys/2 {
		return false
	}
	a.index = resize.Delete(a.index, func(i int32) bool { return i < 0 })
	outlier := len(a.index) > 0 && !r.Records[a.index[0]].Idle // the first row may be one: the next order shows it
	a.merged = merge(a.merged[:0], a.index, a.placeless, outlier)
	a.index, a.merged = idleLast(a.merged, a.index, r.Records)
	a.places.set(a.index, r.Records)
	return true
}
