package debug

import (
	"io"
	"net/http"

	"example.com/iprof/draw/html"
	"example.com/iprof/process/report"
)

// pageNodes is the number of nodes of each tree of a page that follows the program.
const pageNodes = 1000

// page sends the page, which then asks for itself once a second. It answers ?frame=, ?zone= and ?by=.
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
	o := html.Options{Live: true, Command: "iprof view " + outside(r), Query: q.Query}
	h.answer("text/html; charset=utf-8", func(w io.Writer) error {
		return html.Write(w, h.Session.Dump(which), o)
	})(w, r)
}
