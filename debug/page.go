package debug

import (
	"io"
	"net/http"

	"example.com/iprof/draw/html"
	"example.com/iprof/internal/chosen"
	"example.com/iprof/process/report"
)

// pageNodes is the number of nodes of each tree of a page that follows the program.
const pageNodes = 1000

// survey surveys the goroutines if a request has ?goroutines=1, with Go's search for leaks if it has
// ?goroutines=leaks. Requests in a row take at most a hundredth of the program's time. It reports whether the program
// can be surveyed.
func (h *handler) survey(r *http.Request) (can bool) {
	g, asked := h.Session.Sources().Goroutines, r.URL.Query().Get("goroutines")
	if g != nil && (asked == "1" || asked == "leaks") {
		_, _ = g.Survey(asked == "leaks") // of too many goroutines the page says nothing
	}
	return g != nil
}

// page sends the page, which then asks for itself once a second. It answers ?frame=, ?zone=, ?by=, ?goroutines=1 and
// ?allocations=1.
func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	q, err := queryOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	which := report.DumpOptions{Nodes: pageNodes}
	if len(q.frames) > 0 {
		which = report.DumpOptions{Nodes: report.DumpNodes, Scopes: report.DumpScopes, Frames: q.frames}
	}
	v := h.Session.View()
	if q.Frames+q.Lane != "" || q.filters() || chosen.IsKey(q.By) {
		if v, err = q.view(h.Session); err != nil {
			http.Error(w, err.Error(), statusOf(err))
			return
		}
	}
	o := html.Options{Live: true, Command: "iprof view " + outside(r), Query: q.Query, Survey: h.survey(r)}
	o.Trace, o.Traces = h.trace(r)
	if q.filters() {
		o.Zone = "" // it is in the report
	}
	h.answer("text/html; charset=utf-8", func(w io.Writer) error {
		d := chosen.Dump(v, h.Session, which)
		if chosen.IsKey(q.By) {
			d.Report = chosen.Rows(v, h.Session, q.By)
		}
		return html.Write(w, d, o)
	})(w, r)
}
