package hostwriter_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"example.com/iprof/internal/hostwriter"
)

// stuck is a writer that never returns. It reports that it was called.
type stuck chan bool

func (s stuck) Write([]byte) (int, error) {
	s <- true
	select {}
}

// panicking is a writer with a defect.
type panicking struct{}

func (panicking) Write([]byte) (int, error) { panic("the writer's own") }

func TestWriteReturnsWhatIsWrongWithAWriter(t *testing.T) {
	for what, w := range map[string]io.Writer{"nil": nil, "panicked: the writer's own": panicking{}} {
		t.Run(what, func(t *testing.T) {
			if n, err := hostwriter.Write(w, []byte("x")); n != 0 || err == nil ||
				!strings.Contains(err.Error(), what) {
				t.Errorf("got %d, %v; want 0 and an error with %q", n, err, what)
			}
		})
	}
}

func TestAStuckWriterIsAbandoned(t *testing.T) {
	called := make(stuck)
	w, done := hostwriter.New(called), make(chan struct{})
	go func() {
		defer close(done)
		w.Write([]byte("x"))
	}()
	<-called
	w.Wait(done)
	if _, err := w.Write([]byte("y")); err == nil {
		t.Error("Write of an abandoned Writer: got no error; want one")
	}
}

// A writer whose Writes all end is waited for, however long they take together.
func TestAWriterThatGoesOnIsWaitedFor(t *testing.T) {
	var out strings.Builder
	hostwriter.Do(&out, func(w io.Writer) {
		for range 8 {
			io.WriteString(w, "x")
			time.Sleep(50 * time.Millisecond) // 400 ms together, more than a single Write may take
		}
		io.WriteString(w, "end")
	})
	if got, want := out.String(), "xxxxxxxxend"; got != want {
		t.Errorf("got %q; want %q", got, want)
	}
}

func TestPanicsOfTheCallerAreDropped(t *testing.T) {
	ran := false
	hostwriter.Do(io.Discard, func(io.Writer) { ran = true; panic(errors.New("the caller's own")) })
	if !ran {
		t.Error("got it not called; want it called, and its panic dropped")
	}
}
