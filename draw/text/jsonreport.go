package text

import (
	"math"

	"example.com/iprof/process/report"
)

// jsonReport is the report of the view at the time of the dump.
type jsonReport struct {
	Title    jsonText   `json:"title"`
	Frame    uint64     `json:"frame"`
	Label    jsonText   `json:"label,omitempty"`
	Length   float64    `json:"frame_ms"`
	Busy     float64    `json:"busy_ms"`
	Blocked  float64    `json:"blocked_ms,omitempty"`
	Idle     float64    `json:"idle_ms"`
	GPU      *float64   `json:"gpu_ms,omitempty"` // only with a GPU lane
	Bound    string     `json:"bound,omitempty"`
	Sorted   string     `json:"sorted_by"`
	Filter   jsonText   `json:"filter,omitempty"`
	Baseline jsonText   `json:"baseline,omitempty"`
	Marks    []jsonMark `json:"marks,omitempty"`
	Lines    []jsonLine `json:"lines"`
}

// jsonLine is a line of a report.
type jsonLine struct {
	Name    jsonText           `json:"name"`
	Site    jsonText           `json:"site,omitempty"`
	Zone    report.ZoneID      `json:"zone"`
	Path    int32              `json:"path"`
	Group   string             `json:"group"`
	Package jsonText           `json:"package,omitempty"`
	Indent  int                `json:"indent,omitempty"`
	Depth   int                `json:"depth,omitempty"`
	Idle    bool               `json:"idle,omitempty"`
	Open    bool               `json:"open,omitempty"`
	Values  map[string]float64 `json:"values"`
	Delta   *jsonDelta         `json:"delta,omitempty"`
}

// jsonDelta is the difference from the baseline.
type jsonDelta struct {
	MS      *float64 `json:"ms"`
	Percent *float64 `json:"percent"`
	New     bool     `json:"new,omitempty"`
	Noise   bool     `json:"noise,omitempty"`
}

// jsonReportOf returns nil if the dump has no report.
func jsonReportOf(r *report.Report) *jsonReport {
	if r == nil {
		return nil
	}
	sorted := r.Sorted
	if r.View.Order.Chosen {
		sorted = r.View.Order.By
	}
	j := &jsonReport{Title: jsonText(r.Title), Frame: r.Frame.Index, Label: jsonText(r.Frame.Label),
		Length: finite(r.Frame.Length), Busy: finite(r.Frame.Busy), Blocked: finite(r.Frame.Blocked),
		Idle:   finite(r.Frame.Idle),
		Sorted: sorted.Info().Name, Filter: jsonText(r.View.Filter), Baseline: jsonText(r.Baseline.Label),
		Bound: r.Frame.Bound().String(), Marks: convert(r.Marks, jsonMarkOf), Lines: make([]jsonLine, r.Len())}
	if gpu := finite(r.Frame.GPU); r.Frame.HasGPU {
		j.GPU = &gpu
	}
	pack := ""
	for i := range j.Lines {
		rec, _ := r.Line(i)
		j.Lines[i] = jsonLineOf(r, rec)
		if p := r.Package(i); p != nil {
			j.Lines[i].Group, pack = "package", p.Name
		}
		j.Lines[i].Package = jsonText(pack)
	}
	return j
}

func jsonLineOf(r *report.Report, rec *report.Record) jsonLine {
	l := jsonLine{Name: jsonText(rec.Name), Site: jsonText(rec.Site), Zone: rec.Zone, Path: rec.Path,
		Group: groupName(rec.Group), Indent: rec.Indent, Depth: rec.Depth, Idle: rec.Idle, Open: rec.Open,
		Values: map[string]float64{}}
	for _, c := range r.Columns {
		if rec.Mask.Has(c) {
			l.Values[c.Info().Name] = finite(rec.Values[c])
		}
	}
	if r.Baseline.Pinned {
		d := &rec.Delta
		l.Delta = &jsonDelta{MS: knownDelta(d, d.MS), Percent: knownDelta(d, d.Percent), New: d.New, Noise: d.Noise}
	}
	return l
}

// knownDelta returns v, or nil if the difference is not known.
func knownDelta(d *report.Delta, v float64) *float64 {
	if !d.Known || math.IsInf(v, 0) || math.IsNaN(v) {
		return nil
	}
	return &v
}
