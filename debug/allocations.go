package debug

import (
	"net/http"
	"strconv"
	"sync"
	"time"

	"example.com/iprof/internal/allocated"
)

// trace traces allocations if a request has ?allocations=N, and N is one more than the traces so far: so a page that
// asks for itself does not trace again. Traces rest as long as surveys: see survey. It returns what a trace costs, or
// why there is none, "" if the program has none, and the number of traces so far.
func (h *handler) trace(r *http.Request) (words string, traces int) {
	tracer := h.Session.Sources().Tracer
	words, err := allocated.Ask(tracer, "")
	if err != nil {
		return "", 0
	}
	h.traces.mu.Lock()
	defer h.traces.mu.Unlock()
	last := allocated.Of(h.Session.Sources().Allocated)
	n, err := strconv.Atoi(r.URL.Query().Get("allocations"))
	if err != nil || n != h.traces.made+1 || last != nil && time.Since(h.traces.at) < traceRest*last.Pause {
		return words, h.traces.made
	}
	if words, err = allocated.Ask(tracer, "slow"); err != nil {
		return err.Error(), h.traces.made
	}
	h.traces.made, h.traces.at = n, time.Now()
	return words, n
}

// traceRest is the least time between traces, in pauses of the last one.
const traceRest = 100

// traces counts the traces of allocations that requests began.
type traces struct {
	mu   sync.Mutex
	made int
	at   time.Time // of the last one
}
