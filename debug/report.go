package debug

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/process"
	"example.com/iprof/process/report"
)

// orders are the orders of ?by=. An empty one is the page's or the report's own.
var orders = map[string]report.Order{
	"":        {},
	"self":    {Chosen: true, By: report.ColumnSelf},
	"hier":    {Chosen: true, By: report.ColumnHier},
	"count":   {Chosen: true, By: report.ColumnCount},
	"average": {Chosen: true, By: report.ColumnHierPerCall},
	"name":    {Chosen: true, By: report.ColumnName, Ascending: true},
}

// query is what a request chooses with ?frame=, ?zone= and ?by=.
type query struct {
	html.Query
	frames []uint64 // the index of Frame, if there is one
}

// queryOf returns the choices of a request. It returns an error for values that make no sense.
func queryOf(r *http.Request) (q query, err error) {
	v := r.URL.Query()
	q.Query = html.Query{Frame: v.Get("frame"), Zone: v.Get("zone"), By: v.Get("by")}
	if q.Frame != "" {
		index, err := strconv.ParseUint(q.Frame, 10, 64)
		if err != nil {
			return q, fmt.Errorf("frame=%q: want the number of a frame, as the history shows it", q.Frame)
		}
		q.Frame, q.frames = strconv.FormatUint(index, 10), []uint64{index}
	}
	if _, known := orders[q.By]; !known {
		return q, fmt.Errorf("by=%q: want self, hier, count, average or name", q.By)
	}
	return q, nil
}

// report answers with the report of the program's view. A request that chooses frames, a zone or an order has a view of
// its own, so it changes nothing of what others see.
func (h *handler) report(w http.ResponseWriter, r *http.Request) {
	q, err := queryOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	v := h.Session.View()
	choice := r.URL.Query().Get("frames")
	if q.Query != (html.Query{}) || choice != "" {
		if v, err = q.view(h.Session); err != nil {
			http.Error(w, err.Error(), http.StatusNotFound)
			return
		}
	}
	if choice != "" {
		l, err := v.ParseFrames(choice)
		if err != nil {
			http.Error(w, "frames="+err.Error(), http.StatusBadRequest)
			return
		}
		v.SetLens(l)
	}
	h.answer("text/plain; charset=utf-8", func(w io.Writer) error {
		p := &report.Report{WantCalls: true}
		v.AppendReport(p)
		return text.WriteReport(w, p, text.Options{})
	})(w, r)
}

// view returns a new view of a session with the choices of a query. It returns an error for an unknown zone or frame.
func (q *query) view(s *process.Session) (*process.View, error) {
	v := process.NewView(s)
	if q.Zone != "" {
		var brief process.Snapshot
		v.Snapshot(&brief, process.SnapshotOptions{Brief: true})
		at := slices.IndexFunc(brief.Zones, func(z gather.ZoneInfo) bool { return z.Name == q.Zone })
		if id, err := strconv.ParseUint(q.Zone, 10, 31); err == nil && int(id) < len(brief.Zones) {
			at = int(id) // as in links of the page
		}
		if at < 0 {
			return nil, fmt.Errorf("zone=%q: no zone has this name; the report without zone= lists zones", q.Zone)
		}
		v.Set(report.View{Mode: report.ReportCallGraph, Focus: report.ZoneID(at)})
	}
	v.Arrange(func(a *report.Arrangement) { a.Order = orders[q.By] })
	if len(q.frames) == 0 {
		return v, nil
	}
	if !v.ShowFrame(q.frames[0]) {
		return nil, fmt.Errorf("frame %s is not in the history any more; %s shows the frames that are", q.Frame, root)
	}
	v.SetAverage(report.AverageInstant) // also the newest frame has its own times
	return v, nil
}
