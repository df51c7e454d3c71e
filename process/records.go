package process

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
)

// rows is the scratch memory of reports.
type rows struct {
	list      []row
	index     map[rowKey]int32
	matched   []int32 // by path: how many zones of the pinned path are on its stack
	near      []int32 // by path: the innermost path of the focus zone on its stack, -1 for none
	below     []float64
	top       []int32
	kids      []int32
	walk      []step
	sites     map[string]int32 // zone with this name, or ambiguous
	sitesOf   int
	siteText  []string // by zone: "file.go:12" where the name alone is ambiguous
	sorting   []row
	ordered   []row
	order     []int32 // zones, as in the last flat report
	places    []place
	sorted    []float64
	laneRows  []int32 // by place in lanes.list: 1 + its row, 0 for none
	lengthsOf uint64
	p99       float64
	permille  int
	overhead  string
	missedOf  [2]int
	missed    string
	misuseOf  [6]uint64
	misuse    string
	droppedOf [3]uint64
	dropped   string
}

// rowKey identifies a row of flat reports and call graphs: a zone, or one depth of it.
type rowKey struct {
	zone, depth int32
	group       Group
}

// row is a Record in the making, in ms.
type row struct {
	rowKey
	value
	deepest int32
	path    int32
	indent  int32
	kids    bool
	fold    bool // open
}

const ambiguous = -1

// row returns the row of a key, making it when it is new.
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
	clear(r.index)
}

// flat makes one row a zone, or one a depth of it, the largest first.
func (s *Session) flat(column Column, spread bool) {
	if !spread {
		s.flatZones(column)
		return
	}
	for i := range s.tree.paths {
		p, v := &s.tree.paths[i], &s.values[i]
		r := s.rows.row(rowKey{p.zone, p.depth, GroupFocus})
		s.add(r, v)
		r.hier += v.hier
		r.kids = r.kids || v.hier > v.self
		r.deepest = p.depth
	}
	s.drop(false)
	s.byColumn(s.rows.list, column, false)
}

// flatZones makes one row a zone. It sorts zones, not rows, which are large, and begins with the order of the last report:
// most of it is still right, and sorting what is nearly sorted is quick.
func (s *Session) flatZones(column Column) {
	s.markParents()
	r := &s.rows
	for at := len(r.order); at < len(s.byZone); at++ {
		r.order = append(r.order, int32(at))
	}
	r.places = r.places[:0]
	for _, zone := range r.order {
		z := &s.byZone[zone]
		if !z.seen || z.silent() {
			continue
		}
		key := z.hier
		if column == ColumnSelf {
			key = z.self
		}
		r.places = append(r.places, place{key, zone})
	}
	slices.SortFunc(r.places, func(a, b place) int {
		switch {
		case a.key > b.key:
			return -1
		case a.key < b.key:
			return 1
		}
		return cmp.Or(cmp.Compare(s.zones[a.at].Name, s.zones[b.at].Name), cmp.Compare(a.at, b.at))
	})
	r.list = resized(r.list, len(r.places))
	for i, p := range r.places {
		z, row := &s.byZone[p.at], &r.list[i] // field by field: a literal would be made elsewhere and copied
		row.zone, row.depth, row.group = p.at, 0, GroupFocus
		row.value, row.deepest, row.path = z.value, z.depth, -1
		row.indent, row.kids, row.fold = 0, z.kids, false
	}
	s.keepOrder()
}

// markParents notes from which zones something was entered.
func (s *Session) markParents() {
	for i := range s.tree.paths {
		if up := s.tree.paths[i].parent; up >= 0 && (s.values[i].count > 0.25 || s.values[i].open) {
			s.byZone[s.tree.paths[up].zone].kids = true
		}
	}
}

// keepOrder remembers the order of the zones that are shown, the others after them.
func (s *Session) keepOrder() {
	r := &s.rows
	same := 0
	for same < len(r.places) && r.order[same] == r.places[same].at {
		same++
	}
	if same == len(r.places) {
		return
	}
	r.order = r.order[:0]
	for _, p := range r.places {
		r.order = append(r.order, p.at)
		s.byZone[p.at].listed = true
	}
	for i := range s.byZone {
		if !s.byZone[i].listed {
			r.order = append(r.order, int32(i))
		}
	}
}

// add adds a path's own part: all but hierarchical time.
func (s *Session) add(r *row, v *value) {
	s.charged.merge(&r.extra, v.extra)
	r.self += v.self
	r.count += v.count
	r.errors += v.errors
	r.variance, r.estimated = r.variance+v.variance, max(r.estimated, v.estimated)
	r.open = r.open || v.open
}

// silent rows have nothing to tell.
func (v *value) silent() bool {
	return v.count < 0.25 && !v.open && v.errors == 0 && v.hier < 5e-5 && v.self < 5e-5
}

// site returns where a zone is, when another zone has the same name; else "".
func (s *Session) site(zone int32) string {
	r := &s.rows
	if r.sitesOf > len(s.zones) {
		r.sitesOf, r.siteText = 0, nil
		clear(r.sites)
	}
	if r.sites == nil {
		r.sites = make(map[string]int32)
	}
	for ; r.sitesOf < len(s.zones); r.sitesOf++ {
		r.siteText = append(r.siteText, "")
		s.nameSite(int32(r.sitesOf))
	}
	return r.siteText[zone]
}

// nameSite gives a zone a site if its name is taken, and the one that has it too.
func (s *Session) nameSite(zone int32) {
	r, name := &s.rows, s.zones[zone].Name
	first, taken := r.sites[name]
	if !taken {
		r.sites[name] = zone
		return
	}
	r.siteText[zone] = siteOf(s, zone)
	if first != ambiguous {
		r.siteText[first] = siteOf(s, first)
		r.sites[name] = ambiguous
	}
}

func siteOf(s *Session, zone int32) string {
	z := &s.zones[zone]
	if z.File == "" {
		return ""
	}
	return filepath.Base(z.File) + ":" + strconv.Itoa(z.Line)
}

// place is a row, or a zone, with what it is sorted by.
type place struct {
	key float64
	at  int32
}

// byColumn sorts rows by a time, largest first (or smallest), then by name, then by zone, so that equal rows keep their
// order. It sorts places: rows are large.
func (s *Session) byColumn(list []row, column Column, ascending bool) {
	r := &s.rows
	r.places = r.places[:0]
	for i := range list {
		key := list[i].hier
		if column == ColumnSelf {
			key = list[i].self
		}
		if ascending {
			key = -key
		}
		r.places = append(r.places, place{key, int32(i)})
	}
	slices.SortFunc(r.places, func(a, b place) int {
		switch {
		case a.key > b.key:
			return -1
		case a.key < b.key:
			return 1
		}
		x, y := &list[a.at], &list[b.at]
		return cmp.Or(cmp.Compare(s.zones[x.zone].Name, s.zones[y.zone].Name), cmp.Compare(x.zone, y.zone), cmp.Compare(x.depth, y.depth))
	})
	r.ordered = append(r.ordered[:0], list...)
	for i, p := range r.places {
		list[i] = r.ordered[p.at]
	}
}
