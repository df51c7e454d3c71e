package chosen

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// Keys are what a row may stand for.
var Keys = []string{"zone", "path", "package", "lane", "frame", "line", "route"}

// IsKey reports whether rows may stand for a key.
func IsKey(key string) bool { return slices.Contains(Keys, key) }

// View returns the view whose rows stand for a key, or the usual view.
func View(key string) (v report.View) {
	switch key {
	case "path":
		v.Mode = report.ReportCallTree
	case "package":
		v.Grouping = report.GroupingPackage
	}
	return v
}

// mostRows is the greatest number of rows by frame or lane: each takes a tree.
const mostRows = 100

// Rows returns the report of a view, with rows that stand for a key. It sums the same times as iprof top -by.
func Rows(v *process.View, s *process.Session, key string) *report.Report {
	r := &report.Report{WantCalls: true}
	v.AppendReport(r)
	t := &table{view: v, session: s, r: r, key: key, at: map[string]int{}}
	switch key {
	case "lane":
		t.lanes()
	case "frame":
		t.frames()
	case "line", "route":
		t.add(v.AppendTree(nil, v.Get()), "", "")
	default:
		return r
	}
	t.finish()
	return r
}

// table makes the rows of a report.
type table struct {
	view    *process.View
	session *process.Session
	r       *report.Report
	key     string
	rows    []report.Record
	at      map[string]int // places in rows
	left    int            // rows left out
}

// lanes makes a row of each lane.
func (t *table) lanes() {
	list := t.view.AppendLanes(nil)
	t.left = max(len(list)-mostRows, 0)
	for i := range list[:len(list)-t.left] {
		l, of := &list[i], t.view.Get()
		if of.Lane != 0 && of.Lane != l.ID {
			continue
		}
		of.Lane = l.ID
		t.add(t.view.AppendTree(nil, of), fmt.Sprint(l.ID), l.Name)
	}
}

// frames makes a row of each chosen frame.
func (t *table) frames() {
	all, of := t.session.AppendFrames(nil, math.MaxInt), t.view.Get()
	list := all
	if of.Lens.Kind != report.LensOff {
		list = of.Lens.Choose(all)
	}
	t.left = max(len(list)-mostRows, 0)
	list = report.Lens{Kind: report.LensSlowest, Slowest: mostRows}.Choose(list)
	of.Lens, of.Kept, of.Average = report.Lens{}, 0, report.AverageInstant
	at := 0
	for i := range list {
		for all[at].Index != list[i].Index {
			at++
		}
		of.Age = len(all) - 1 - at
		name := "frame " + strconv.FormatUint(list[i].Index, 10)
		t.add(t.view.AppendTree(nil, of), name, name)
	}
}

// add adds the nodes of a tree whose zones the filter finds: to a row of a name, or to rows by line or route.
func (t *table) add(tree []report.TreeNode, id, name string) {
	filter := t.r.View.Arrangement
	text, _ := report.FilterWords(filter.Filter)
	all := text == "" && !strings.Contains(filter.Filter, "pkg:")
	of, routes := make([]string, len(tree)), make([]report.ZoneID, len(tree)) // by node: its row, its route
	for i := 1; i < len(tree); i++ {
		n := &tree[i]
		z := t.session.Zone(n.Zone)
		if n.Parent >= 0 {
			routes[i] = routes[n.Parent]
		}
		if report.IsRoute(z.Name) {
			routes[i] = n.Zone
		}
		row := report.Record{Zone: -1, Path: -1, Name: name}
		switch t.key {
		case "line":
			id = fmt.Sprint(z.File, ":", z.Line, " ", z.Function)
			row.Zone, row.Name, row.Site = n.Zone, z.Name, z.Site()
		case "route":
			id, row.Zone = fmt.Sprint(routes[i]), routes[i]
			row.Name = t.session.Zone(row.Zone).Name
		}
		if t.key == "route" && routes[i] == 0 || !all && !filter.Finds(&z) {
			continue
		}
		of[i] = id
		at, known := t.at[id]
		if !known {
			at = len(t.rows)
			t.at[id], t.rows = at, append(t.rows, row)
		}
		v := &t.rows[at].Values
		if v[report.ColumnCount] += n.Count; t.key == "line" || !n.Idle {
			v[report.ColumnSelf] += n.Self
		}
		if !within(tree, n.Parent, of, id) {
			v[report.ColumnHier] += n.Hier
		}
	}
}

// within reports whether a node, or one above it, has a row.
func within(tree []report.TreeNode, node int32, of []string, row string) bool {
	for ; node > 0; node = tree[node].Parent {
		if of[node] == row {
			return true
		}
	}
	return false
}

// finish gives the rows to the report, those with the most time first.
func (t *table) finish() {
	r := t.r
	order := r.View.Order
	if !order.Chosen || order.By >= report.NumColumns {
		order = report.Order{By: report.ColumnSelf}
	}
	sign := -1.0
	if order.Ascending {
		sign = 1
	}
	_, over := report.FilterWords(r.View.Filter)
	t.rows = slices.DeleteFunc(t.rows, func(row report.Record) bool {
		return row.Values == [report.NumColumns]float64{} || row.Values[report.ColumnHier] <= over
	})
	for i := range t.rows {
		row := &t.rows[i]
		row.Put(report.ColumnSelf, row.Values[report.ColumnSelf])
		row.Put(report.ColumnHier, row.Values[report.ColumnHier])
		row.Put(report.ColumnCount, row.Values[report.ColumnCount])
	}
	slices.SortStableFunc(t.rows, func(a, b report.Record) int {
		return cmp.Or(cmp.Compare(sign*a.Values[order.By], sign*b.Values[order.By]), cmp.Compare(a.Name, b.Name))
	})
	r.Records, r.Lines, r.Packages = t.rows, nil, nil
	r.Columns = append(r.Columns[:0:0], report.UsualColumns...)
	r.Cursor, r.Calls, r.SlowCalls = min(r.Cursor, len(t.rows)-1), nil, nil
	r.Title += "  by " + t.key
	if t.left > 0 {
		r.Warnings = append(r.Warnings, fmt.Sprintf("rows %d of %d", len(t.rows), len(t.rows)+t.left))
	}
}
