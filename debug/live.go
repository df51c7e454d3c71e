package debug

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"example.com/iprof/capture"
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
	if c, ok := r.Context().Value(connection{}).(interface{ SetWriteBuffer(bytes int) error }); ok {
		_ = c.SetWriteBuffer(liveBuffer)
	}
	ctx, leave := context.WithCancel(r.Context())
	defer leave()
	recorder := capture.StreamTo(h.Session, &impatient{flushed{w}, min(h.Timeout, liveTimeout), leave})
	<-ctx.Done()
	_ = recorder.Close() // waits for the viewer, up to the deadline
}

// impatient gives each Write a time limit. It ends the answer when a Write fails.
type impatient struct {
	flushed
	timeout time.Duration
	fail    func()
}

// Write writes p and flushes it, within the time limit.
func (i *impatient) Write(p []byte) (int, error) {
	_ = http.NewResponseController(i.ResponseWriter).SetWriteDeadline(time.Now().Add(i.timeout))
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

// connection is the key of a request's connection, in its context.
type connection struct{}

func remember(ctx context.Context, c net.Conn) context.Context {
	return context.WithValue(ctx, connection{}, c)
}
