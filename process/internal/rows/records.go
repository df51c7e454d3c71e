package rows

import (
	"cmp"
	"math"
	"slices"

	"example.com/iprof/process/internal/history"
	"example.com/iprof/process/internal/resize"
	"example.com/iprof/process/internal/store"
	"example.com/iprof/process/report"
)

// rows is the scratch memory of reports.
type rows struct {
	list      []row
	index     map[rowKey]int32
	innermost []int32 // by path: the innermost path of the focus zone on its stack, or -1
	below     []float64
	parts     []part // of the rows: see row.parts
	kids      []int32
	timed     []part // scratch
	steps     int    // steps that takeOut may still take; 0: callees have no history
	sums      int    // sums of rows of many parts that a report may still compute
	top       []int32
	walk      []step
	next      []int32                  // the children to visit
	sites     map[string]report.ZoneID // zone with this name, or ambiguous
	sitesOf   int
	siteText  []string // by zone: "file.go:12" if the name alone is ambiguous
	sorting   []row
	sortFrom  int // see sortByExcess
	ordered   []row
	order     []report.ZoneID // zones, as in the last flat report
	places    []report.ZoneID // zones, or rows
	keys      []float64       // by zone or row: sort keys of places
	laneRows  []int32         // by place in Lanes.List: 1 + its row, or 0
	overhead  overheadTexts
	cutOf     int
	cut       string
	misuseOf  [7]uint64
	clockOf   store.Clock
	clock     string
	misuse    string
	droppedOf [3]uint64
	dropped   string

	memoryOf    uint64
	memory      string
	longNamesOf uint64
	longNames   string
	foreignOf   [2]uint64
	foreign     string
	marksOf     uint64
	marks       string
	statesOf    uint64
	states      string
	joinedOf    uint64
	joined      string
}

// rowKey identifies a row of a flat report or call graph: a zone, or one depth of it.
type rowKey struct {
	zone  report.ZoneID
	depth int32
	group report.Group
}

// row is an unfinished Record. Times are in ms.
type row struct {
	rowKey
	history.Value
	deepest int32
	path    int32
	indent  int32
	kids    bool
	fold    bool  // the row is opened: see report.SignFocus
	parts   int32 // 1 + index in rows.parts of its last path; 0: its history is not known
}

// row returns the row of a key. It makes a new row if needed.
func (r *rows) row(k rowKey) *row {
	if at, ok := r.index[k]; ok {
		return &r.list[at]
	}
	if r.index == nil {
		r.index = make(map[rowKey]int32)
	}
	r.index[k] = int32(len(r.list))
	r.list = append(r.list, row{rowKey: k, path: -1})
	return &r.list[len(r.list)-1]
}

func (r *rows) reset() {
	r.list = r.list[:0]
	r.parts = r.parts[:0]
	r.steps = mostLeft
	r.sums = mostSums
	clear(r.index)
}

// flat makes one row per zone, or per depth of a zone, the largest first.
func (b *Builder) flat(column report.Column, spread bool) {
	if !spread {
		b.flatZones(column)
		return
	}
	for i := range b.store.Tree.Paths {
		p, v := &b.store.Tree.Paths[i], &b.store.Values[i]
		r := b.rows.row(rowKey{p.Zone, p.Depth, report.GroupFocus})
		b.add(r, v)
		r.Hier += v.Hier
		r.kids = r.kids || v.Hier > v.Self
		r.deepest = p.Depth
	}
	b.drop(false)
	b.byColumn(b.rows.list, column, false)
}

// flatZones makes one row per zone. It sorts zones instead of rows, because rows are large. It begins with the order of
// the last report, because sorting a nearly sorted list is fast.
func (b *Builder) flatZones(column report.Column) {
	b.markParents()
	r := &b.rows
	for at := len(r.order); at < len(b.store.ByZone); at++ {
		r.order = append(r.order, report.ZoneID(at))
	}
	r.places, r.keys = r.places[:0], resize.To(r.keys, len(b.store.ByZone))
	for _, zone := range r.order {
		z := &b.store.ByZone[zone]
		if !z.Seen || b.silent(&z.Value) {
			continue
		}
		key := z.Hier
		if column == report.ColumnSelf {
			key = z.Self
		}
		if b.idle(zone) {
			key = afterBusy(key)
		}
		r.keys[zone] = key
		r.places = append(r.places, zone)
	}
	slices.SortFunc(r.places, func(i, k report.ZoneID) int {
		if first := r.byKey(i, k); first != 0 {
			return first
		}
		return cmp.Or(cmp.Compare(b.store.Zones[i].Name, b.store.Zones[k].Name), cmp.Compare(i, k))
	})
	r.list = resize.To(r.list, len(r.places))
	for i, p := range r.places {
		z, row := &b.store.ByZone[p], &r.list[i] // field by field: a literal would be built elsewhere and copied
		row.zone, row.depth, row.group = p, 0, report.GroupFocus
		row.Value, row.deepest, row.path = z.Value, z.Depth, -1
		row.indent = 0
		row.kids = z.Kids
		row.fold = false
		row.parts = 0
	}
	b.keepOrder()
}

// markParents marks the zones that entered another zone.
func (b *Builder) markParents() {
	for i := range b.store.Tree.Paths {
		if up := b.store.Tree.Paths[i].Parent; up >= 0 && (b.store.Values[i].Count > 0.25 || b.store.Values[i].Open) {
			b.store.ByZone[b.store.Tree.Paths[up].Zone].Kids = true
		}
	}
}

// keepOrder stores the order of the zones in the report, followed by the other zones.
func (b *Builder) keepOrder() {
	r := &b.rows
	same := 0
	for same < len(r.places) && r.order[same] == r.places[same] {
		same++
	}
	if same == len(r.places) {
		return
	}
	r.order = r.order[:0]
	for _, p := range r.places {
		r.order = append(r.order, p)
		b.store.ByZone[p].Listed = true
	}
	for i := range b.store.ByZone {
		if !b.store.ByZone[i].Listed {
			r.order = append(r.order, report.ZoneID(i))
		}
	}
}

// add adds a path's value to a row, except for its hierarchical time.
func (b *Builder) add(r *row, v *history.Value) {
	b.store.Charged.Merge(&r.Extra, v.Extra)
	r.Self += v.Self
	r.Count += v.Count
	if v.Noted {
		r.Note(v)
	}
	r.Open = r.Open || v.Open
}

// leastShown is the least time that makes a row, in ms.
const leastShown = 5e-5

// silent reports whether a value makes no row. Time below zero makes a row: "(pending)" has it after holds are decided.
func (b *Builder) silent(v *history.Value) bool {
	return v.Count < 0.25 && !v.Open && math.Abs(v.Hier) < leastShown && math.Abs(v.Self) < leastShown &&
		v.Errors == 0 && !b.store.Charged.At(v.Extra).Any()
}

// afterBusy returns the sort key of an idle zone's time. It puts idle zones in their own order after all busy zones,
// because slow zones are of more interest than waits.
func afterBusy(ms float64) float64 { return -1 / (max(ms, 0) + 1e-9) }

// byKey compares two places: the larger key comes first.
func (r *rows) byKey(a, b report.ZoneID) int {
	switch {
	case r.keys[a] > r.keys[b]:
		return -1
	case r.keys[a] < r.keys[b]:
		return 1
	}
	return 0
}

// byColumn sorts rows by a time, the largest first or the smallest first, then by name and zone, so that equal rows
// keep their order. It sorts places instead of rows, because rows are large.
func (b *Builder) byColumn(list []row, column report.Column, ascending bool) {
	r := &b.rows
	r.places, r.keys = r.places[:0], resize.To(r.keys, len(list))
	for i := range list {
		key := list[i].Hier
		if column == report.ColumnSelf {
			key = list[i].Self
		}
		if b.idle(list[i].zone) {
			key = afterBusy(key)
		}
		if ascending {
			key = -key
		}
		r.keys[i] = key
		r.places = append(r.places, report.ZoneID(i))
	}
	slices.SortFunc(r.places, func(i, k report.ZoneID) int {
		if first := r.byKey(i, k); first != 0 {
			return first
		}
		x, y := &list[i], &list[k]
		return cmp.Or(cmp.Compare(b.store.Zones[x.zone].Name, b.store.Zones[y.zone].Name),
			cmp.Compare(x.zone, y.zone), cmp.Compare(x.depth, y.depth))
	})
	r.ordered = append(r.ordered[:0], list...)
	for i, p := range r.places {
		list[i] = r.ordered[p]
	}
}

// mark identifies the record that the user chose. An index does not identify it, because rows change places.
type mark struct {
	set   bool
	zone  report.ZoneID
	path  int32
	depth int
	group report.Group
}

func markOf(r *report.Record) mark { return mark{true, r.Zone, r.Path, r.Depth, r.Group} }

// find returns the index of the marked record. Without it, as in another report mode, it returns the first row of the
// marked zone, preferably in the focus group, or -1. It compares depths only if they distinguish rows, because depth
// changes with the frame.
func (m mark) find(r []report.Record, spread bool) int {
	zone, focus := -1, false
	for i := range r {
		if r[i].Zone != m.zone {
			continue
		}
		if r[i].Path == m.path && r[i].Group == m.group &&
			(m.path >= 0 || !spread || max(r[i].Depth, 1) == max(m.depth, 1)) {
			return i
		}
		if own := r[i].Group == report.GroupFocus; zone < 0 || own && !focus {
			zone, focus = i, own
		}
	}
	return zone
}

// cursor returns the index of the record to highlight. Until the user chooses a record, it is the first busy record,
// because idle records are often the largest but rarely of interest. After that it is the chosen record, or the record
// in its place if it is gone.
func (b *Builder) cursor(v *report.View, r []report.Record) int {
	at := min(max(v.Cursor, 0), len(r)-1)
	switch {
	case v != &b.View || len(r) == 0:
	case !b.pointed:
		if first := slices.IndexFunc(r, func(r report.Record) bool { return !r.Idle }); v.Cursor <= 0 && first >= 0 {
			return first
		}
	case !b.marked.set:
		b.marked = markOf(&r[at])
	default:
		if i := b.marked.find(r, v.Recursion == report.RecursionSpread); i >= 0 {
			return i
		}
	}
	return at
}

// averageWords name the averages in a report's title.
var averageWords = [...]string{
	report.AverageShort: ", average of 0.8 s", report.AverageLong: ", average of 2.5 s",
	report.AverageInstant: ", not smoothed",
}

// appendPin names the pinned path in a report's title.
func (b *Builder) appendPin(dst []byte, v *report.View) []byte {
	if len(v.Pin) == 0 {
		return dst
	}
	return append(append(dst, "  below "...), b.store.Zone(v.Pin[len(v.Pin)-1]).Name...)
}

// ambiguous marks a name in rows.sites that several zones have.
const ambiguous = -1

// site returns the site of a zone as text if another zone has the same name, else "".
func (b *Builder) site(zone report.ZoneID) string {
	r := &b.rows
	if r.sitesOf > len(b.store.Zones) {
		r.sitesOf, r.siteText = 0, nil
		clear(r.sites)
	}
	if r.sites == nil {
		r.sites = make(map[string]report.ZoneID)
	}
	for ; r.sitesOf < len(b.store.Zones); r.sitesOf++ {
		r.siteText = append(r.siteText, "")
		b.nameSite(report.ZoneID(r.sitesOf))
	}
	return r.siteText[zone]
}

// nameSite gives a site to a zone whose name is taken, and to the other zone of that name.
func (b *Builder) nameSite(zone report.ZoneID) {
	r, name := &b.rows, b.store.Zones[zone].Name
	first, taken := r.sites[name]
	if !taken {
		r.sites[name] = zone
		return
	}
	r.siteText[zone] = b.store.Zones[zone].Site()
	if first != ambiguous {
		r.siteText[first] = b.store.Zones[first].Site()
		r.sites[name] = ambiguous
	}
}
