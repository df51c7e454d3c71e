package debug

import (
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"

	"example.com/iprof/draw/html"
	"example.com/iprof/process/report"
)

// pageNodes is the number of nodes of each tree of a page that follows the program.
const pageNodes = 1000

// orders are the orders of ?by=. An empty one is the page's own.
var orders = []string{"", "self", "hier", "count", "average", "name"}

// page sends the page, which then asks for itself once a second. It answers ?frame=, ?zone= and ?by=.
func (h *handler) page(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	o := html.Options{Live: true, Command: "iprof view " + outside(r),
		Query: html.Query{Frame: q.Get("frame"), Zone: q.Get("zone"), By: q.Get("by")}}
	which := report.DumpOptions{Nodes: pageNodes}
	if o.Frame != "" {
		index, err := strconv.ParseUint(o.Frame, 10, 64)
		if err != nil {
			http.Error(w, fmt.Sprintf("frame=%q: want the number of a frame, as the history shows it", o.Frame),
				http.StatusBadRequest)
			return
		}
		o.Frame = strconv.FormatUint(index, 10)
		which = report.DumpOptions{Nodes: report.DumpNodes, Scopes: report.DumpScopes, Frames: []uint64{index}}
	}
	if !slices.Contains(orders, o.By) {
		http.Error(w, fmt.Sprintf("by=%q: want self, hier, count, average or name", o.By), http.StatusBadRequest)
		return
	}
	h.answer("text/html; charset=utf-8", func(w io.Writer) error {
		return html.Write(w, h.Session.Dump(which), o)
	})(w, r)
}
