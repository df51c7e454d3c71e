package debug

import (
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"example.com/iprof/draw/html"
	"example.com/iprof/process"
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

// page sends the page, which then asks for itself once a second. It answers ?frame=, ?zone=, ?by= and ?goroutines=1.
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
	if q.Frames+q.Lane+rowsWords(q.By) != "" || q.filters() {
		if v, err = q.view(h.Session); err != nil {
			http.Error(w, err.Error(), statusOf(err))
			return
		}
	}
	o := html.Options{Live: true, Command: "iprof view " + outside(r), Query: q.Query, Survey: h.survey(r)}
	if q.filters() {
		o.Zone = "" // it is in the report
	}
	h.answer("text/html; charset=utf-8", func(w io.Writer) error {
		list := chosenBy(v, h.Session)
		if list != nil && q.frames == nil {
			which.Frames = indexes(list)
		}
		d := v.Dump(which)
		if list != nil {
			narrow(d, v, list)
		}
		filter(d, v)
		return html.Write(w, d, o)
	})(w, r)
}

// rowsWords returns what rows stand for, "" for an order.
func rowsWords(by string) string {
	if _, grouped := rowsBy[by]; grouped {
		return by
	}
	return ""
}

// chosenBy returns the frames that a view has chosen by a lens or a lane, nil if it shows the whole run.
func chosenBy(v *process.View, s *process.Session) []report.FrameSummary {
	of := v.Get()
	if of.Lens.Kind == report.LensOff && of.Lane == 0 {
		return nil
	}
	if of.Lens.Kind == report.LensOff {
		v.SetLens(report.Lens{Kind: report.LensAll})
	}
	return append([]report.FrameSummary{}, v.Get().Lens.Choose(s.AppendFrames(nil, math.MaxInt))...)
}

// mostTrees is the number of chosen frames of which a page has trees: the slowest ones.
const mostTrees = 16

// indexes returns the indexes of the slowest frames.
func indexes(list []report.FrameSummary) (index []uint64) {
	for _, f := range (report.Lens{Kind: report.LensSlowest, Slowest: mostTrees}).Choose(list) {
		index = append(index, f.Index)
	}
	return append(index, math.MaxUint64) // no choice of frames would be all of them
}

// filter leaves the zones that a view's filter finds.
func filter(d *report.Dump, v *process.View) {
	of := v.Get()
	if of.Filter == "" {
		return
	}
	text, over := report.FilterWords(of.Filter)
	d.Totals = slices.DeleteFunc(d.ZoneTotals(), func(t report.ZoneTotal) bool {
		named := text == "" && !strings.Contains(of.Filter, "pkg:") || of.Finds(&d.Zones[t.Zone])
		return !named || t.Hier <= over
	})
}

// narrow leaves what a view has chosen: its frames, and in the tables of zones their means.
func narrow(d *report.Dump, v *process.View, list []report.FrameSummary) {
	of := v.Get()
	d.Merged = v.AppendTree(nil, of)
	d.Totals = report.AppendZoneTotals(nil, d.Merged)
	d.Statistics, d.Lanes, d.Spawns = nil, nil, nil
	d.Series, d.Values, d.History = nil, nil, list
	chosen := map[uint64]float32{}
	for i := range list {
		chosen[list[i].Index] = list[i].Judged()
	}
	d.SlowCalls = slices.DeleteFunc(d.SlowCalls, func(c *report.SlowCall) bool {
		_, has := chosen[c.Frame]
		return !has
	})
	slowest := float32(-1)
	d.Verdict.Clear()
	for i := range d.FrameTrees {
		if t := &d.FrameTrees[i]; t.Verdict.Found() && chosen[t.Index] > slowest {
			d.Verdict, slowest = t.Verdict, chosen[t.Index]
		}
	}
	d.Warnings = append(d.Warnings, "The tables show the mean of "+strconv.Itoa(len(list))+" frames: "+of.Lens.Words())
}
