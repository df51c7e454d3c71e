package exectrace

import (
	"io"

	"example.com/iprof/capture"
)

// BlackBox starts a black box whose files have the states of the goroutines, and the execution trace that the states
// come from. The viewer and verdicts use the states to explain slow frames. It calls capture.NewBlackBox for the
// watcher's session with Trace and Annotate set, and returns its error. The window of the watcher is 5 seconds, so
// After should cover less. The goroutine that writes the file computes the states.
//
//	box, err := watch.BlackBox(capture.BlackBoxOptions{Dir: "hitches"})
//	…
//	defer box.Close()
func (w *Watcher) BlackBox(o capture.BlackBoxOptions) (*capture.BlackBox, error) {
	o.Trace, o.Annotate = w, Annotate
	return capture.NewBlackBox(w.session, o)
}

// WriteTo writes the window as an execution trace for go tool trace. It returns the error of out, or of the recorder.
func (w *Watcher) WriteTo(out io.Writer) (int64, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	MarkClock()
	return w.recorder.WriteTo(out)
}
