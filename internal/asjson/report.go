package asjson

import (
	"math"
	"slices"

	"example.com/iprof/gather"
	"example.com/iprof/process/report"
)

// Report is a report of a session: of its view, or of a command.
type Report struct {
	Title    Text       `json:"title"`
	Frame    uint64     `json:"frame"`
	Label    Text       `json:"label,omitempty"`
	Length   float64    `json:"frame_ms"`
	Busy     float64    `json:"busy_ms"`
	Blocked  float64    `json:"blocked_ms,omitempty"`
	Idle     float64    `json:"idle_ms"`
	GPU      *float64   `json:"gpu_ms,omitempty"` // only with a GPU lane
	Bound    string     `json:"bound,omitempty"`
	Sorted   string     `json:"sorted_by"`
	Filter   Text       `json:"filter,omitempty"`
	Baseline Text       `json:"baseline,omitempty"`
	Marks    []Mark     `json:"marks,omitempty"`
	Rows     []Row      `json:"rows"`
	Left     int        `json:"rows_left_out,omitempty"`
	Calls    []callsRow `json:"calls,omitempty"`
}

// Row is a line of a report.
type Row struct {
	At
	Site
	Path    int32              `json:"path_id"` // -1: it sums several
	Group   string             `json:"group,omitempty"`
	Package Text               `json:"package,omitempty"`
	Indent  int                `json:"indent,omitempty"`
	Depth   int                `json:"depth,omitempty"`
	Mark    string             `json:"mark,omitempty"`
	Costly  bool               `json:"costly,omitempty"`
	Idle    bool               `json:"idle,omitempty"`
	Open    bool               `json:"open,omitempty"`
	Heat    float32            `json:"heat,omitempty"`
	Values  map[string]float64 `json:"values"`
	Delta   *Delta             `json:"delta,omitempty"`

	Estimated     gather.Estimated `json:"estimated,omitempty"`
	StandardError float64          `json:"standard_error_ms,omitempty"`
}

// callsRow has the durations of the calls of a zone that counts each call.
type callsRow struct {
	At
	Calls
	Bars []uint64 `json:"bars"` // numbers of calls from the shortest to the longest, on a logarithmic scale
}

// Delta is the difference from the baseline.
type Delta struct {
	MS      *float64 `json:"ms"`
	Percent *float64 `json:"percent"`
	New     bool     `json:"new,omitempty"`
	Noise   bool     `json:"noise,omitempty"`
}

// ReportOf returns nil without a report. zone finds the zones of its rows.
func ReportOf(r *report.Report, zone func(report.ZoneID) gather.ZoneInfo) *Report {
	if r == nil {
		return nil
	}
	sorted := r.Sorted
	if r.View.Order.Chosen {
		sorted = r.View.Order.By
	}
	j := &Report{Title: Text(r.Title), Frame: r.Frame.Index, Label: Text(r.Frame.Label),
		Length: finite(r.Frame.Length), Busy: finite(r.Frame.Busy), Blocked: finite(r.Frame.Blocked),
		Idle: finite(r.Frame.Idle), Sorted: sorted.Info().Name, Filter: Text(r.View.Filter),
		Baseline: Text(r.Baseline.Label), Bound: r.Frame.Bound().String(), Marks: convert(r.Marks, markOf),
		Rows: make([]Row, r.Len()), Calls: convert(r.Calls, callsRowOf)}
	if gpu := finite(r.Frame.GPU); r.Frame.HasGPU {
		j.GPU = &gpu
	}
	pack := ""
	for i := range j.Rows {
		rec, _ := r.Line(i)
		row := rowOf(r, rec, zone)
		if p := r.Package(i); p != nil {
			row.Group, pack = "package", p.Name
		}
		row.Package = Text(pack)
		j.Rows[i] = row
	}
	return j
}

// always are the values of each row that has them, besides the columns of the report. Statistics are not among them:
// of a long file they are of its newest frames.
var always = report.ColumnsOf(report.ColumnSelf, report.ColumnHier, report.ColumnCount, report.ColumnSelfPercent,
	report.ColumnHierPercent, report.ColumnErrors, report.ColumnAtOnce, report.ColumnWaited)

// rowOf returns a row with the values that the report shows.
func rowOf(r *report.Report, rec *report.Record, zone func(report.ZoneID) gather.ZoneInfo) Row {
	row := Row{At: At{Text(rec.Name), rec.Zone}, Path: rec.Path, Indent: rec.Indent, Depth: rec.Depth,
		Mark: markName(rec.Sign), Costly: rec.Costly, Idle: rec.Idle, Open: rec.Open, Heat: finite(rec.Heat),
		Values: map[string]float64{}, Estimated: rec.Estimated, StandardError: finite(rec.StandardError)}
	if z := zone(rec.Zone); z.Name == rec.Name {
		row.Site = SiteOf(z)
	}
	if r.View.Mode == report.ReportCallGraph {
		row.Group = [...]string{report.GroupParent: "caller", report.GroupFocus: "focus",
			report.GroupChild: "callee"}[min(rec.Group, report.GroupChild)]
	}
	for c := range report.Column(report.NumColumns) {
		if rec.Mask.Has(c) && (always.Has(c) || slices.Contains(r.Columns, c)) {
			row.Values[c.Info().Name] = finite(rec.Values[c])
		}
	}
	if r.Baseline.Pinned {
		d := &rec.Delta
		row.Delta = &Delta{MS: knownDelta(d, d.MS), Percent: knownDelta(d, d.Percent), New: d.New, Noise: d.Noise}
	}
	return row
}

// markName returns the sign before a row as a word.
func markName(m report.Sign) string {
	switch m {
	case report.SignOpen:
		return "closed"
	case report.SignFocus:
		return "opened"
	}
	return ""
}

func callsRowOf(k *report.CallRow) callsRow {
	return callsRow{At{Text(k.Name), k.Zone}, Calls{k.Count, k.Missing, summaryOf(k.Times)}, k.Bars}
}

// knownDelta returns v, or nil if the difference is not known.
func knownDelta(d *report.Delta, v float64) *float64 {
	if !d.Known || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
