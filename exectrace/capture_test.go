package exectrace_test

import (
	"bytes"
	"runtime/trace"
	"testing"
	"time"

	"example.com/iprof/capture"
	"example.com/iprof/exectrace"
	"example.com/iprof/gather"
	"example.com/iprof/platform"
	"example.com/iprof/process"
)

// A capture with an execution trace gets its states later, in another program: it has the goroutines of its lanes, and
// the trace has readings of both clocks.
func TestAnnotatingACapture(t *testing.T) {
	recorder := trace.NewFlightRecorder(trace.FlightRecorderConfig{MinAge: time.Minute})
	if err := recorder.Start(); err != nil {
		t.Fatal(err)
	}
	defer recorder.Stop()
	lane := gather.Register("main")
	defer lane.Close()
	s := process.Default()
	s.Reset()
	s.Update()
	var file bytes.Buffer
	w := capture.NewWriter(&file, capture.ThisProgram())
	remove := s.AddSink(w)
	work.Begin().End()
	s.Update()
	scope := work.Begin()
	time.Sleep(20 * time.Millisecond)
	scope.End()
	s.Update()
	remove()
	if err := w.WriteTrace(recorder); err != nil {
		t.Fatal(err)
	}
	w.Close()
	var out bytes.Buffer
	if err := exectrace.Annotate(bytes.NewReader(file.Bytes()), &out); err != nil {
		t.Fatal(err)
	}
	whole := bytes.Clone(out.Bytes())
	session := process.NewSession()
	if _, err := capture.Load(session, &out); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, q := range session.AppendStates(nil, 0) {
		ms := float64(q.End-q.Begin) / platform.TicksPerSecond() * 1000
		found = found || q.Kind == gather.StateWaiting && q.Reason == "sleep" && q.Lane == lane.ID() && ms > 15
	}
	if !found {
		t.Errorf("got %+v; want the sleep of 20 ms", session.AppendStates(nil, 0))
	}
	r, err := capture.NewReader(bytes.NewReader(whole))
	if err != nil {
		t.Fatal(err)
	}
	if n, err := r.WriteTrace(new(bytes.Buffer)); err != nil || n == 0 {
		t.Errorf("got a trace of %d bytes, %v; want it kept", n, err)
	}
	for cut := 0; cut < file.Len(); cut += 97 { // a file that ends anywhere is an error, never a panic
		_ = exectrace.Annotate(bytes.NewReader(file.Bytes()[:cut]), new(bytes.Buffer))
	}
}

func TestReadingWhatIsNoTrace(t *testing.T) {
	if _, err := exectrace.Read(bytes.NewReader([]byte("not a trace at all"))); err == nil {
		t.Error("got no error")
	}
}
