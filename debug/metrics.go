package debug

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"example.com/iprof/export"
	"example.com/iprof/process/report"
)

// serveMetrics sends the counters of export.Metrics. They begin at 0 with the first request. Before that the program
// does not count.
func (h *handler) serveMetrics(w http.ResponseWriter, r *http.Request) {
	h.counting.Do(func() { h.Session.AddSink(&h.metrics) })
	kind, write := export.TextType, h.metrics.WriteText
	if strings.Contains(r.Header.Get("Accept"), "application/openmetrics-text") {
		kind, write = export.OpenMetricsType, h.metrics.WriteOpenMetrics
	}
	h.answer(kind, write)(w, r)
}

// profile sends a profile since start or Reset, or of the next seconds.
func (h *handler) profile(w http.ResponseWriter, r *http.Request) {
	takes, ok := wantedSeconds(w, r, 0)
	if !ok {
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", `attachment; filename="iprof.pb.gz"`)
	if r.Method == http.MethodHead {
		return
	}
	h.patience(w, takes)
	o := report.DumpOptions{NoFrames: true, NoHistory: true, AllLanes: true}
	d := h.Session.Dump(o)
	if takes > 0 {
		timer := time.NewTimer(takes)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-r.Context().Done():
			return
		}
		d = export.Delta(d, h.Session.Dump(o))
	}
	var b bytes.Buffer
	_ = export.Pprof(&b, d) // a Buffer has no errors
	_, _ = w.Write(b.Bytes())
}

// wantedSeconds returns the parameter seconds of a request. If the parameter is wrong, wantedSeconds sends an error and
// returns false.
func wantedSeconds(w http.ResponseWriter, r *http.Request, usual int) (takes time.Duration, ok bool) {
	n := usual
	if given := r.FormValue("seconds"); given != "" {
		var err error
		if n, err = strconv.Atoi(given); err != nil || n < 1 || n > mostSeconds {
			http.Error(w, fmt.Sprintf("seconds is a number from 1 to %d", mostSeconds), http.StatusBadRequest)
			return 0, false
		}
	}
	return time.Duration(n) * time.Second, true
}
