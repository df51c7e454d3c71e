package debug

import (
	"context"
	"errors"
	"net/http"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/internal/serve"
)

const (
	liveTimeout = 30 * time.Second // the longest time that a viewer may take for one Write
	liveBuffer  = 32 << 10         // bytes that the system buffers for a viewer; more would make the viewer fall behind
)

// live sends each frame when it ends, until the viewer leaves.
func (h *handler) live(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/octet-stream")
	if r.Method == http.MethodHead {
		return
	}
	if c, ok := serve.Connection(r).(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = c.SetWriteBuffer(liveBuffer)
	}
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	steady := serve.Steady(w, min(h.Timeout, liveTimeout))
	to := &impatient{flushed{steady}, leave}
	recorder, err := capture.Record(h.Session, capture.RecordOptions{To: to, Live: true})
	if err != nil {
		return
	}
	<-ctx.Done()
	_ = recorder.Close() // waits for the viewer, up to the deadline
}

// impatient ends the answer when a Write fails.
type impatient struct {
	flushed
	fail func()
}

// Write writes p and flushes it.
func (i *impatient) Write(p []byte) (int, error) {
	n, err := i.flushed.Write(p)
	if err != nil {
		i.fail()
	}
	return n, err
}

// flushed sends each frame as soon as it is written.
type flushed struct{ http.ResponseWriter }

// Write writes p and flushes it. A response that cannot flush is not an error: the reader gets p later.
func (f flushed) Write(p []byte) (int, error) {
	n, err := f.ResponseWriter.Write(p)
	if err == nil {
		err = http.NewResponseController(f.ResponseWriter).Flush()
	}
	if errors.Is(err, http.ErrNotSupported) {
		err = nil
	}
	return n, err
}
