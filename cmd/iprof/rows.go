package main

import (
	"encoding/json"
	"io"

	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// about holds the first fields of each JSON object of a capture.
type about struct {
	Program  string `json:"program"`
	Machine  string `json:"machine"`
	Frames   uint64 `json:"frames"`
	Complete bool   `json:"complete"`
}

func aboutOf(c *opened) about { return about{c.Program, c.Machine, c.Frames, c.Complete} }

// jsonRow is a row of a report. Times are in ms per frame.
type jsonRow struct {
	Zone  string  `json:"zone"`
	Site  string  `json:"site,omitempty"`
	Group string  `json:"group,omitempty"` // of a call graph: caller, focus or callee
	Self  float64 `json:"self_ms"`
	Hier  float64 `json:"hier_ms"`
	Count float64 `json:"count"`
	Idle  bool    `json:"idle,omitempty"`

	Waited float64 `json:"waited_percent,omitempty"` // of self_ms in the whole run, spent off the processor
}

// jsonCallRow holds the durations of single calls of a zone with counted calls, such as a route of a server.
type jsonCallRow struct {
	Zone    string   `json:"zone"`
	Counted uint64   `json:"counted"`
	Missing uint64   `json:"missing"`
	Min     float64  `json:"min_ms"`
	P50     float64  `json:"p50_ms"`
	P90     float64  `json:"p90_ms"`
	P99     float64  `json:"p99_ms"`
	Max     float64  `json:"max_ms"`
	Bars    []uint64 `json:"bars"` // numbers of calls from the shortest to the longest, on a logarithmic scale
}

type jsonRows struct {
	about
	Rows  []jsonRow     `json:"rows"`
	Calls []jsonCallRow `json:"calls,omitempty"`
}

// rowsOf returns the rows of a report.
func rowsOf(r *report.Report, c *opened) *jsonRows {
	groups := [...]string{report.GroupParent: "caller", report.GroupFocus: "focus", report.GroupChild: "callee"}
	out := &jsonRows{aboutOf(c), []jsonRow{}, nil}
	for _, k := range r.Calls {
		out.Calls = append(out.Calls, jsonCallRow{k.Name, k.Count, k.Missing, k.Times.Min, k.Times.P50, k.Times.P90,
			k.Times.P99, k.Times.Max, k.Bars})
	}
	for i := range r.Records {
		k := &r.Records[i]
		row := jsonRow{Zone: k.Name, Site: k.Site,
			Self: k.Values[report.ColumnSelf], Hier: k.Values[report.ColumnHier],
			Count: k.Values[report.ColumnCount], Idle: k.Idle,
			Waited: k.Values[report.ColumnWaited]}
		if r.View.Mode == report.ReportCallGraph {
			row.Group = groups[k.Group]
		}
		out.Rows = append(out.Rows, row)
	}
	return out
}

// topJSON writes the data of top as JSON.
func topJSON(w io.Writer, s *process.Session, c *opened) error {
	if c.HasFrame && s.ShowFrame(c.Frame) {
		s.SetReportMode(report.ReportSelfTime)
		s.SetAverage(report.AverageInstant)
	} else {
		l, err := c.lens(s)
		if err != nil {
			return err
		}
		s.SetView(report.View{Mode: report.ReportSelfTime})
		s.SetLens(l)
	}
	r := &report.Report{WantCalls: true}
	s.AppendReport(r)
	return writeJSON(w, rowsOf(r, c))
}

// framesJSON writes the data of frames as JSON.
func framesJSON(w io.Writer, s *process.Session, c *opened) error {
	type frame struct {
		Frame   uint64  `json:"frame"`
		Length  float32 `json:"ms"`
		Busy    float32 `json:"busy_ms"`
		Blocked float32 `json:"blocked_ms,omitempty"`
		Over    bool    `json:"over"`
	}
	out := struct {
		about
		Slowest  []frame       `json:"slowest"`
		Sections []jsonSection `json:"sections,omitempty"` // oldest first
		Dropped  uint64        `json:"sections_dropped,omitempty"`
	}{about: aboutOf(c), Slowest: []frame{}}
	list, err := c.slowestFrames(s)
	if err != nil {
		return err
	}
	sections, dropped := c.sectionsOf(s)
	out.Sections, out.Dropped = jsonSectionsOf(sections), dropped
	for _, f := range list {
		out.Slowest = append(out.Slowest, frame{f.Index, f.Length, f.Busy, f.Blocked, f.Over})
	}
	return writeJSON(w, out)
}

// verdictsJSON writes the data of verdicts as JSON.
func verdictsJSON(w io.Writer, s *process.Session, c *opened) error {
	type cause struct {
		Zone    string   `json:"zone"`
		Callers []string `json:"callers,omitempty"`
		Time    float64  `json:"ms"`
		Usual   float64  `json:"usual_ms"`
		Excess  float64  `json:"excess_ms"`
	}
	type verdict struct {
		Frame  uint64  `json:"frame"`
		Time   float64 `json:"ms"`
		Usual  float64 `json:"usual_ms"`
		Excess float64 `json:"excess_ms"`
		Over   bool    `json:"over"`
		Causes []cause `json:"causes"`
		Text   string  `json:"text"`
	}
	list, left, err := c.verdictsOf(s)
	if err != nil {
		return err
	}
	out := struct {
		about
		Left     int       `json:"left_out"`
		Verdicts []verdict `json:"verdicts"`
	}{aboutOf(c), left, []verdict{}}
	for i := range list {
		v := &list[i]
		j := verdict{v.Index, v.Time, v.Usual, v.Excess, v.Over, []cause{}, v.String()}
		for _, k := range v.Causes {
			j.Causes = append(j.Causes, cause{k.Name, k.Callers, k.Time, k.Usual, k.Excess})
		}
		out.Verdicts = append(out.Verdicts, j)
	}
	return writeJSON(w, out)
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(v)
}
