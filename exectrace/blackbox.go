package exectrace

import (
	"io"

	"example.com/iprof/capture"
)

// BlackBox starts a black box whose files have the states of the goroutines, and the execution trace that they are
// from: in the viewer and in verdicts they say why a frame was slow. It is capture.NewBlackBox for the watcher's
// session, with Trace and Annotate set, and its error. The window of the watcher is 5 seconds, so let After be less.
// The states are made on the goroutine that writes the file.
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
