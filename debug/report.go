package debug

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/draw/text"
	"example.com/iprof/gather"
	"example.com/iprof/internal/chosen"
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
	q.Query = html.Query{Frames: v.Get("frames"), Lane: v.Get("lane"), Frame: v.Get("frame"), Zone: v.Get("zone"),
		By: v.Get("by")}
	if q.Frame != "" {
		index, err := strconv.ParseUint(q.Frame, 10, 64)
		if err != nil {
			return q, fmt.Errorf("frame=%q: want the number of a frame, as the history shows it", q.Frame)
		}
		q.Frame, q.frames = strconv.FormatUint(index, 10), []uint64{index}
	}
	if q.Frame != "" && q.Frames != "" {
		return q, errors.New("frame= is one frame and frames= a choice of several: want one of them")
	}
	_, ordered := orders[q.By]
	if !ordered && !chosen.IsKey(q.By) {
		return q, fmt.Errorf("by=%q: want self, hier, count, average or name, or rows by %s%s", q.By,
			strings.Join(chosen.Keys, ", "), nearestKey(q.By))
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
	if q.Query != (html.Query{}) {
		if v, err = q.view(h.Session); err != nil {
			http.Error(w, err.Error(), statusOf(err))
			return
		}
	}
	h.answer("text/plain; charset=utf-8", func(w io.Writer) error {
		return text.WriteReport(w, chosen.Rows(v, h.Session, q.By), text.Options{Zone: h.Session.Zone})
	})(w, r)
}

// errChoice is an error for a choice of frames that makes no sense.
type errChoice struct{ error }

// statusOf returns the status of an answer with an error of view.
func statusOf(err error) int {
	if errors.As(err, new(errChoice)) {
		return http.StatusBadRequest
	}
	return http.StatusNotFound
}

// view returns a new view of a session with the choices of a query. It returns an error for an unknown zone, lane or
// frame.
func (q *query) view(s *process.Session) (v *process.View, err error) {
	v = process.NewView(s)
	var now process.Snapshot
	v.Snapshot(&now, process.SnapshotOptions{Lanes: true})
	of := chosen.View(q.By)
	if of.Lane, err = chosen.Lane(now.Lanes, q.Lane); err != nil {
		return nil, fmt.Errorf("lane=%q: %w", q.Lane, err)
	}
	if q.filters() {
		of.Filter = report.FilterText(q.Zone)
	} else if q.Zone != "" {
		at := slices.IndexFunc(now.Zones, func(z gather.ZoneInfo) bool { return z.Name == q.Zone })
		if id, err := strconv.ParseUint(q.Zone, 10, 31); err == nil && int(id) < len(now.Zones) {
			at = int(id) // as in links of the page
		}
		if at < 0 {
			return nil, fmt.Errorf("zone=%q: no zone has this name; the report without zone= lists zones", q.Zone)
		}
		of.Mode, of.Focus = report.ReportCallGraph, report.ZoneID(at)
	}
	of.Order = orders[q.By]
	v.Set(of)
	if q.Frames != "" {
		l, err := v.ParseFrames(q.Frames)
		if err != nil {
			return nil, errChoice{fmt.Errorf("frames=%w", err)}
		}
		v.SetLens(l)
	}
	if len(q.frames) == 0 {
		return v, nil
	}
	if !v.ShowFrame(q.frames[0]) {
		return nil, fmt.Errorf("frame %s is not in the history any more; %s shows the frames that are", q.Frame, root)
	}
	v.SetAverage(report.AverageInstant) // also the newest frame has its own times
	return v, nil
}

// nearestKey names the key of rows that a mistyped one means, or is "".
func nearestKey(typed string) string {
	if near := report.Nearest(typed, chosen.Keys); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// filters reports whether ?zone= is a filter of rows, such as "pkg:physics >5ms", not a zone.
func (q *query) filters() bool { return filtering.MatchString(q.Zone) }

var filtering = regexp.MustCompile(`(^| )(pkg:|>[0-9])`)
